//! The camera: which time and which stretch of content is on screen, and how input moves it.
//!
//! Promises: stays inside the trace; while nobody has moved it, it shows the whole of a growing trace.
//! Knows nothing of: what stands where, canvases.

use std::collections::HashSet;

use crate::view::{Limits, Viewport};

/// Zoom of one pixel of wheel. A notch is 100 or 120 pixels, which makes a quarter.
const ZOOM_PER_PX: f64 = 0.0020;
/// Pixels of a line, for browsers that count wheels in lines.
const LINE_PX: f64 = 20.0;
/// How fast held keys zoom (factor e in so many ms) and pan (a screen in so many ms).
const ZOOM_MS: f64 = 260.0;
const PAN_MS: f64 = 900.0;
/// What the first press of a key does at once, as time it had been held.
const PRESS_MS: f64 = 70.0;
/// A frame never moves by more than this, however long the browser slept.
const LONGEST_MS: f64 = 50.0;
/// Room beside what is brought onto the screen, so that its neighbours are seen too.
const BRING_PX: f64 = 40.0;
/// What an arrow scrolls.
const ARROW_PX: f64 = 57.0;

/// What is on screen.
pub struct Camera {
    /// The time on screen.
    pub view: Viewport,
    /// Where it may go.
    pub limits: Limits,
    /// First pixel of content on screen.
    pub top: f64,
    /// Pixels of content on screen.
    pub height: f64,
    /// Pixels of content there are.
    pub content: f64,
    /// Nobody has moved it in time: it shows all there is.
    pub fitted: bool,
    /// Where the pointer is; keys zoom there.
    pub pointer: Option<f64>,
    /// A time at which keys zoom while it is on screen and the pointer is not.
    pub anchor: Option<i64>,
    held: HashSet<char>,
    last_ms: Option<f64>,
}

impl Camera {
    /// On an empty trace.
    pub fn new() -> Self {
        let limits = Limits::of(None);
        Camera {
            view: Viewport::fit(limits.first, limits.last, 1000.0),
            limits,
            top: 0.0,
            height: 0.0,
            content: 0.0,
            fitted: true,
            pointer: None,
            anchor: None,
            held: HashSet::new(),
            last_ms: None,
        }
    }

    /// Takes the size of the plot.
    pub fn resize(&mut self, width: f64, height: f64) {
        self.height = height.max(0.0);
        match self.fitted {
            true => self.view = Viewport::fit(self.limits.first, self.limits.last, width),
            false => self.view.resize(width, self.limits),
        }
        self.scroll_to(self.top);
    }

    /// Shows this.
    pub fn show(&mut self, view: Viewport) {
        self.view = view;
        self.fitted = false;
    }

    /// Shows all there is.
    pub fn fit(&mut self) {
        self.view = Viewport::fit(self.limits.first, self.limits.last, self.view.width_px());
        self.fitted = true;
    }

    /// Takes what the trace has become.
    pub fn grow(&mut self, limits: Limits, content: f64) {
        self.content = content;
        if self.limits != limits {
            self.limits = limits;
            if self.fitted {
                self.fit();
            }
        }
        self.scroll_to(self.top);
    }

    /// Zooms at `x` by `px` of wheel, towards when negative.
    pub fn wheel_zoom(&mut self, x: f64, px: f64) {
        self.zoom(x, (-px * ZOOM_PER_PX).exp());
    }

    /// Two fingers moved apart by `factor` around `x`.
    pub fn pinch(&mut self, x: f64, factor: f64) {
        // fingers on one spot would be a factor of nothing or of infinity
        if factor.is_finite() && factor > 0.0 {
            self.zoom(x, factor);
        }
    }

    /// Moves no more than it must for `from..=to` to be on screen; the start of what is wider than that.
    pub fn bring(&mut self, from: i64, to: i64) {
        let (x, end, width) = (self.view.x_of(from), self.view.x_of(to), self.view.width_px());
        let room = BRING_PX.min(width / 4.0);
        if x >= 0.0 && end <= width {
            return;
        }
        if end - x > width - 2.0 * room {
            // it fills the screen already, or begins where there is room to see that
            let shows = x < width - room && end > room;
            self.pan(if shows { 0.0 } else { x - room });
        } else {
            self.pan(if x < 0.0 { x - room } else { end - (width - room) });
        }
    }

    /// Scrolls no more than it must for `height` pixels from `y` on to be on screen.
    pub fn bring_down(&mut self, y: f64, height: f64) {
        if y < self.top {
            self.scroll_to(y - BRING_PX);
        } else if y + height > self.top + self.height {
            self.scroll_to(y.min(y + height + BRING_PX - self.height));
        }
    }

    /// A wheel's distance in pixels, whatever the browser counts in.
    pub fn wheel_px(delta: f64, mode: u32) -> f64 {
        match mode {
            0 => delta,
            1 => delta * LINE_PX,
            _ => delta * 400.0,
        }
    }

    /// Moves what is shown by so many pixels.
    pub fn pan(&mut self, px: f64) {
        if px != 0.0 {
            self.view.pan(px, self.limits);
            self.fitted = false;
        }
    }

    /// Brings `top` to the upper edge as far as there is content. True when it moved.
    pub fn scroll_to(&mut self, top: f64) -> bool {
        let before = self.top;
        self.top = top.clamp(0.0, (self.content - self.height).max(0.0)).round();
        self.top != before
    }

    /// A key went down. True when it is one of ours.
    pub fn key_down(&mut self, key: &str, repeat: bool) -> bool {
        match key {
            "0" => self.fit(),
            "ArrowUp" => return self.scrolled(self.top - ARROW_PX),
            "ArrowDown" => return self.scrolled(self.top + ARROW_PX),
            "PageUp" => return self.scrolled(self.top - self.height * 0.9),
            "PageDown" => return self.scrolled(self.top + self.height * 0.9),
            "Home" => return self.scrolled(0.0),
            "End" => return self.scrolled(self.content),
            _ => {
                let Some(key) = moving(key) else { return false };
                if !repeat && self.held.insert(key) {
                    self.step(key, PRESS_MS);
                }
            }
        }
        true
    }

    /// A key went up.
    pub fn key_up(&mut self, key: &str) {
        if let Some(key) = moving(key) {
            self.held.remove(&key);
        }
    }

    /// The keyboard is somebody else's now.
    pub fn keys_up(&mut self) {
        self.held.clear();
    }

    /// Moves as held keys ask since the last call. True while one is held.
    pub fn advance(&mut self, now_ms: f64) -> bool {
        if self.held.is_empty() {
            self.last_ms = None;
            return false;
        }
        let passed = (now_ms - self.last_ms.unwrap_or(now_ms)).clamp(0.0, LONGEST_MS);
        self.last_ms = Some(now_ms);
        for key in self.held.clone() {
            self.step(key, passed);
        }
        true
    }

    fn step(&mut self, key: char, ms: f64) {
        let width = self.view.width_px();
        let anchor = self.anchor.map(|time| self.view.x_of(time)).filter(|x| (0.0..width).contains(x));
        let x = self.pointer.or(anchor).unwrap_or(width / 2.0);
        let pan = self.view.width_px() * ms / PAN_MS;
        match key {
            'w' => self.zoom(x, (ms / ZOOM_MS).exp()),
            's' => self.zoom(x, (-ms / ZOOM_MS).exp()),
            'a' => self.pan(-pan),
            _ => self.pan(pan),
        }
    }

    fn zoom(&mut self, x: f64, factor: f64) {
        self.view.zoom(x, factor, self.limits);
        self.fitted = false;
    }

    fn scrolled(&mut self, top: f64) -> bool {
        self.scroll_to(top);
        true
    }
}

/// The movement behind a key, if it is one that moves while held.
fn moving(key: &str) -> Option<char> {
    match key {
        "w" | "W" | "+" | "=" => Some('w'),
        "s" | "S" | "-" => Some('s'),
        "a" | "A" | "ArrowLeft" => Some('a'),
        "d" | "D" | "ArrowRight" => Some('d'),
        _ => None,
    }
}
