//! The screen: what the page's main thread holds of a trace, which is the last display list and no more.
//!
//! ```text
//! input ─▶ camera ─▶ paint the list at hand at once, and request ─▶ engine ─▶ accept ─▶ paint the new one
//! ```
//!
//! Promises: input is answered by the next painting whatever the engine is doing; nothing is painted that did
//! not change; at most one request is out, and the next says where the screen is by then.
//! Does not do: texts about the trace; the engine has them.

use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, HtmlElement};

use crate::view::sample::small_trace;
use crate::view::{
    CharWidths, ChartData, DisplayList, Folds, FrameRequest, Hit, Item, Layout, Limits, MemoryChart, Raster,
    Viewport, frame, hit,
};

use super::camera::Camera;
use super::canvas::{self, BAR_PX, GUTTER_PX, Picture, RULER_PX, TEXT_PX};
use super::chart::Chart;
use super::convert::{bytes, get, number, time};
use super::fingers::Fingers;
use super::items::{FoldAt, Question};
use super::marks::{Marked, Marks};
use super::surface::Surface;
use super::theme::Theme;

/// What stands on the page's canvases.
#[wasm_bindgen]
pub struct Screen {
    timeline: Surface,
    marks: Marks,
    lines: Surface,
    chart_marks: Marks,
    /// Room for the picture of the timeline.
    raster: Raster,
    theme: Theme,
    widths: CharWidths,
    pub(super) camera: Camera,
    pub(super) list: DisplayList,
    chart: Chart,
    /// Where the pointer is on the plot, and over which canvas.
    pointer: Option<Pointer>,
    pub(super) hovered: Option<Item>,
    pub(super) selected: Option<Item>,
    /// A key has led somewhere, and the engine has not said where yet: keys that follow count from there.
    pub(super) is_selecting: bool,
    /// First and last time of the selection.
    pub(super) selected_times: Option<(i64, i64)>,
    pub(super) fingers: Fingers,
    pub(super) fit_item: Option<Item>,
    pub(super) fold: Option<FoldAt>,
    /// The trace, the selection or a fold has changed since the list was asked for.
    pub(super) is_stale: bool,
    /// There is a trace, or one is being read.
    pub(super) is_open: bool,
    /// The canvases don't show what they should.
    pub(super) is_dirty: bool,
}

#[derive(Clone, Copy)]
struct Pointer {
    x: f64,
    y: f64,
    on_chart: bool,
}

#[wasm_bindgen]
impl Screen {
    /// A screen on these canvases, with the elements over each that hold what follows the pointer.
    #[wasm_bindgen(constructor)]
    pub fn new(
        timeline: HtmlCanvasElement,
        marks: HtmlElement,
        chart: HtmlCanvasElement,
        chart_marks: HtmlElement,
    ) -> Screen {
        let timeline = Surface::new(timeline);
        let widths = measured(&timeline);
        Screen {
            timeline,
            marks: Marks::new(&marks),
            lines: Surface::new(chart),
            chart_marks: Marks::new(&chart_marks),
            raster: Raster::default(),
            theme: Theme::new(false),
            widths,
            camera: Camera::new(),
            list: DisplayList::default(),
            chart: Chart::default(),
            pointer: None,
            hovered: None,
            selected: None,
            is_selecting: false,
            selected_times: None,
            fingers: Fingers::default(),
            fit_item: None,
            fold: None,
            is_stale: false,
            is_open: false,
            is_dirty: true,
        }
    }

    /// Paints a small trace that nobody sees. The browser compiles what runs for the first time while it runs, so
    /// this takes some 20 ms that the first frame of a real trace would take longer otherwise.
    pub fn warm_up(&mut self) {
        if self.is_open {
            return;
        }
        let (trace, view) = (small_trace(), Viewport::exactly(0, 10_000.0, 1_000.0));
        let layout = Layout::new(&trace, &Folds::default());
        let request = FrameRequest { view, top: 0, height: 400, margin: 0.0, selected: None, found: None };
        let mut chart = MemoryChart::default();
        chart.update(&trace, true);
        let (list, data) =
            (frame(&trace, &layout, &request).encode(), chart.data(&trace, &view, 0.0).encode());
        if let (Ok(list), Ok(data)) = (DisplayList::decode(&list), ChartData::decode(&data)) {
            (self.list, self.camera.view) = (list, view);
            self.chart.accept(data);
            self.resize(1_000.0 + GUTTER_PX + BAR_PX, 400.0, 200.0, 1.0);
            while self.paint(0.0) {}
        }
        self.reset();
    }

    /// Forgets the trace.
    pub fn reset(&mut self) {
        let (width, height) = (self.camera.view.width_px(), self.camera.height);
        self.camera = Camera::new();
        self.camera.resize(width, height);
        (self.list, self.chart) = (DisplayList::default(), Chart::default());
        (self.hovered, self.selected, self.fit_item, self.fold) = (None, None, None, None);
        (self.selected_times, self.is_selecting) = (None, false);
        (self.is_stale, self.is_dirty) = (false, true);
    }

    /// Takes sizes in CSS pixels. True when they have changed, and there is nothing on the canvases.
    pub fn resize(&mut self, width: f64, height: f64, chart_height: f64, ratio: f64) -> bool {
        let is_new = self.timeline.resize(width, height, ratio);
        let is_new = self.lines.resize(width, chart_height, ratio) || is_new;
        if is_new {
            self.camera.resize(width - GUTTER_PX - BAR_PX, height - RULER_PX);
            self.is_dirty = true;
        }
        is_new
    }

    /// Takes bright or dark colours.
    pub fn theme(&mut self, is_dark: bool) {
        self.theme = Theme::new(is_dark);
        self.is_dirty = true;
    }

    /// Whether there is a trace to be shown.
    pub fn shows(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    /// The trace has grown or is complete.
    pub fn grown(&mut self) {
        self.is_stale = true;
    }

    /// What to ask the engine for, if anything.
    pub fn request(&mut self) -> JsValue {
        let (top, height) = (self.camera.top as i32, self.camera.height as i32); // some thousand pixels
        let is_good =
            self.list.covers(&self.camera.view, top, height) && self.list.is_sharp(&self.camera.view);
        if !self.is_open || !self.is_stale && is_good && self.fit_item.is_none() && self.fold.is_none() {
            return JsValue::UNDEFINED;
        }
        self.is_stale = false;
        let view = self.camera.view;
        let question = Question {
            start: view.start().0,
            span: view.span_ns(),
            width: view.width_px(),
            top,
            height,
            fit: self.camera.fitted && self.fit_item.is_none(),
            fit_item: self.fit_item.take(),
            selected: self.selected,
            fold: self.fold.take(),
            stacked: self.chart.stacked,
        };
        question.to_js()
    }

    /// Takes the engine's answer.
    pub fn accept(&mut self, answer: &JsValue) {
        let list = bytes(answer, "list").and_then(|bytes| DisplayList::decode(&bytes).ok());
        let Some(list) = list else { return };
        let limits = time(answer, "first").zip(time(answer, "last"));
        let limits = limits.map_or(self.camera.limits, |(first, last)| Limits { first, last });
        let content = f64::from(list.window.content_height);
        self.list = list;
        if let Some(data) = bytes(answer, "chart").and_then(|bytes| ChartData::decode(&bytes).ok()) {
            self.chart.accept(data);
        }
        self.camera.grow(limits, content);
        if get(answer, "moved").is_some_and(|moved| moved.is_truthy()) {
            let view = time(answer, "start").zip(number(answer, "span"));
            let width = self.camera.view.width_px();
            view.into_iter()
                .for_each(|(start, span)| self.camera.show(Viewport::exactly(start, span, width)));
        }
        self.is_dirty = true;
    }

    /// The legend of the memory timeline, with the values under the pointer, else where the selection starts.
    pub fn legend(&self) -> JsValue {
        self.chart.legend(&self.camera.view, &self.theme, self.reading_x())
    }

    /// Hides a series of the memory timeline, or shows it again.
    pub fn toggle(&mut self, series: usize) {
        self.is_stale |= self.chart.toggle(series);
        self.is_dirty = true;
    }

    /// Paints what has changed. True when there is more to paint: held keys keep the screen moving, or the chart
    /// comes with the next frame, since both at once would keep input waiting.
    pub fn paint(&mut self, now_ms: f64) -> bool {
        let moves = self.camera.advance(now_ms);
        let mut is_late = false;
        if moves || self.is_dirty {
            self.is_dirty = false;
            let mut raster = std::mem::take(&mut self.raster);
            canvas::paint(&self.timeline, &mut raster, &self.picture());
            self.raster = raster;
            self.hover_again();
            is_late = self.chart.is_fresh() && !moves;
        }
        if !is_late {
            self.chart.paint(&self.lines, &self.camera.view, &self.theme);
        }
        self.chart_marks.cross(self.reading_x(), self.camera.view.width_px());
        let mut marks = std::mem::take(&mut self.marks);
        let (x, hovered, selected) = (self.camera.pointer, self.hovered, self.selected);
        marks.paint(&self.timeline, &Marked { picture: self.picture(), x, hovered, selected });
        self.marks = marks;
        moves || is_late
    }
}

/// Input.
#[wasm_bindgen]
impl Screen {
    /// A wheel turned: it zooms at the pointer, pans with shift, and scrolls with alt.
    pub fn wheel(&mut self, x: f64, dx: f64, dy: f64, mode: u32, shift: bool, alt: bool) {
        let (dx, dy) = (Camera::wheel_px(dx, mode), Camera::wheel_px(dy, mode));
        match (shift, alt) {
            (true, _) => self.camera.pan(dx + dy),
            (_, true) => drop(self.camera.scroll_to(self.camera.top + dy)),
            // a touch pad that goes sideways pans
            _ if dx.abs() > dy.abs() => self.camera.pan(dx),
            _ => self.camera.wheel_zoom(x - GUTTER_PX, dy),
        }
        self.is_dirty = true;
    }

    /// The pointer dragged what is shown.
    pub fn drag(&mut self, dx: f64, dy: f64) {
        self.camera.pan(-dx);
        self.camera.scroll_to(self.camera.top - dy);
        self.is_dirty = true;
    }

    /// A key went down. True when it was for the screen.
    pub fn key_down(&mut self, key: &str, repeat: bool) -> bool {
        self.is_dirty = true;
        if key == "f" || key == "F" {
            self.fit_selection();
            return true;
        }
        self.camera.key_down(key, repeat)
    }

    /// A key went up.
    pub fn key_up(&mut self, key: &str) {
        self.camera.key_up(key);
    }

    /// The keyboard is somebody else's now.
    pub fn keys_up(&mut self) {
        self.camera.keys_up();
    }

    /// The pointer is here now. Gives the item under it.
    pub fn hover(&mut self, x: f64, y: f64, on_chart: bool) -> JsValue {
        self.pointer = Some(Pointer { x: x - GUTTER_PX, y, on_chart });
        self.camera.pointer = Some(x - GUTTER_PX).filter(|x| *x >= 0.0);
        self.hover_again();
        self.hovered.map_or(JsValue::UNDEFINED, Item::to_js)
    }

    /// The pointer has left.
    pub fn leave(&mut self) {
        (self.pointer, self.hovered, self.camera.pointer) = (None, None, None);
    }

    /// Pixels that a scroll bar has to offer.
    pub fn extent(&self) -> f64 {
        self.camera.content + RULER_PX
    }

    /// First pixel of content on screen.
    pub fn scroll(&self) -> f64 {
        self.camera.top
    }

    /// The scroll bar was moved. True when that moves the content.
    pub fn scroll_to(&mut self, top: f64) -> bool {
        // what the bar says after we have set it is not news
        let moved = (top - self.camera.top).abs() >= 1.0 && self.camera.scroll_to(top);
        self.is_dirty |= moved;
        moved
    }
}

impl Screen {
    fn picture(&self) -> Picture<'_> {
        let (scale, shift) = self.camera.view.transform(self.list.window.origin);
        Picture {
            scale,
            shift,
            list: &self.list,
            view: &self.camera.view,
            top: self.camera.top,
            theme: &self.theme,
            widths: &self.widths,
        }
    }

    /// What is under the pointer may have changed without it.
    fn hover_again(&mut self) {
        let over = self.pointer.filter(|pointer| !pointer.on_chart && pointer.y > RULER_PX);
        self.hovered = over.and_then(|pointer| {
            if pointer.x < 0.0 {
                return self.title_at(pointer.y);
            }
            let found: Hit = hit(&self.list, &self.camera.view, pointer.x, self.content_y(pointer.y))?;
            Item::of(found, self.camera.view.time_at(pointer.x).0)
        });
    }

    pub(super) fn content_y(&self, y: f64) -> i32 {
        (y - RULER_PX + self.camera.top).floor() as i32
    }
}

/// Widths of characters in the font of labels.
fn measured(surface: &Surface) -> CharWidths {
    surface.font(TEXT_PX, 400);
    let width = |text: &str| surface.text_width(text) as f32;
    let ascii: Vec<f32> = (0..128_u8).map(|code| width(char::from(code).encode_utf8(&mut [0; 4]))).collect();
    CharWidths::new(&ascii, width("…"), width("W"))
}
