//! The screen's part in selecting: what a click or a key is on, and following the selection.
//!
//! Does not do: finding neighbours and callers; the engine has the trace (see `engine_select`).

use wasm_bindgen::prelude::*;

use crate::view::{FoldState, Item, Step, StripKind, strip_at};

use super::canvas::{GUTTER_PX, RULER_PX};
use super::convert::{get, number, object, time};
use super::items::FoldAt;
use super::screen::Screen;

/// Where the triangle of a title ends that folds it; it stands further right in what a process holds.
const PROCESS_TRIANGLE_PX: f64 = 22.0;
const TRIANGLE_PX: f64 = 32.0;
/// Zoom of a pixel of a touch pad's pinch, which comes in a few pixels at a time; a mouse's notch of a hundred
/// pixels counts as so many, which makes a quarter as without ctrl.
const PINCH_PER_PX: f64 = 0.01;
const PINCH_MAX_PX: f64 = 22.0;

#[wasm_bindgen]
impl Screen {
    /// The pointer clicked here: selects what is there, or folds what the triangle beside a title belongs to, and
    /// gives `null` for that.
    pub fn click(&mut self, x: f64, y: f64) -> JsValue {
        self.hover(x, y, false);
        let strip = strip_at(&self.list, self.content_y(y)).filter(|_| x < GUTTER_PX && y > RULER_PX);
        if let Some(strip) = strip.filter(|&strip| self.is_triangle(strip, x)) {
            let fold = FoldAt::of(&self.list, strip);
            // a second click before the first was answered takes it back
            self.fold = (self.fold != Some(fold)).then_some(fold);
            return JsValue::NULL;
        }
        (self.selected, self.selected_times) = (self.hovered, None);
        self.is_stale = true;
        self.selected.map_or(JsValue::UNDEFINED, Item::to_js)
    }

    /// The pointer clicked twice here: shows the selected slice as large as it can be.
    pub fn double_click(&mut self, x: f64) {
        if x >= GUTTER_PX {
            self.fit_selection();
        }
    }

    /// What to ask the engine for a key that leads from the selection somewhere, or into the screen when there is
    /// none: "details" when it leads to what is said about the selection, nothing when the key does not select.
    pub fn step(&mut self, key: &str, shift: bool) -> JsValue {
        let has_selection = self.selected.is_some() || self.is_selecting;
        let Some(step) = step_of(key, shift, has_selection).filter(|_| self.is_open) else {
            return JsValue::UNDEFINED;
        };
        if step == Step::Enter && self.selected.is_some_and(|item| !is_title(item)) {
            return "details".into();
        }
        self.is_selecting = true;
        let view = &self.camera.view;
        object([
            ("step", (step as u32).into()),
            ("from", view.start().0.into()),
            ("to", view.end().0.into()),
            ("top", self.camera.top.into()),
            ("bottom", (self.camera.top + self.camera.height).into()),
        ])
    }

    /// Takes what the engine says about the selection, and brings it onto the screen: at least its row, and when
    /// it was gone to without pointing at it its time too.
    pub fn selected(&mut self, answer: &JsValue) {
        let Some(item) = get(answer, "item").and_then(|item| Item::from_js(&item)) else { return };
        self.selected = Some(item);
        self.selected_times = time(answer, "start").zip(time(answer, "end"));
        self.camera.anchor = self.selected_times.map(|times| times.0);
        self.camera.content = number(answer, "content").unwrap_or(self.camera.content);
        if let Some((y, height)) = number(answer, "y").zip(number(answer, "height")) {
            self.camera.bring_down(y, height);
        }
        let follows = get(answer, "reveal").is_some_and(|reveal| reveal.is_truthy());
        if let Some((from, to)) = self.selected_times.filter(|_| follows) {
            self.camera.bring(from, to);
        }
        (self.is_stale, self.is_dirty) = (true, true);
    }

    /// Nothing is selected any more.
    pub fn clear_selection(&mut self) {
        self.is_stale |= self.selected.take().is_some();
        self.is_selecting = false;
        (self.selected_times, self.camera.anchor) = (None, None);
    }

    /// Shows the selected slice, thread or process as large as it can be.
    pub fn fit_selection(&mut self) {
        let has_length = |item: &Item| matches!(item, Item::Slice(..) | Item::Track(_) | Item::Process(_));
        self.fit_item = self.selected.filter(has_length);
    }

    /// Two fingers on a touch pad moved apart or together, which comes as a wheel with ctrl, as does a real one.
    pub fn pinch_wheel(&mut self, x: f64, dy: f64) {
        let notch = dy.clamp(-PINCH_MAX_PX, PINCH_MAX_PX);
        self.pinch(x, (-notch * PINCH_PER_PX).exp(), 0.0, 0.0);
    }
}

impl Screen {
    /// Two fingers moved: apart by `factor` around `x`, and together by `dx` and `dy`.
    pub(super) fn pinch(&mut self, x: f64, factor: f64, dx: f64, dy: f64) {
        self.camera.pinch(x - GUTTER_PX, factor);
        self.drag(dx, dy);
    }

    /// What the title at this height stands for.
    pub(super) fn title_at(&self, y: f64) -> Option<Item> {
        let middle = self.camera.view.time_at(self.camera.view.width_px() / 2.0).0;
        Item::of_strip(&self.list, strip_at(&self.list, self.content_y(y))?, middle)
    }

    /// Where on the plot the memory timeline is read: under the pointer, else where the selection starts.
    pub(super) fn reading_x(&self) -> Option<f64> {
        let start = self.selected_times.map(|times| self.camera.view.x_of(times.0));
        let on_screen = start.filter(|x| (0.0..self.camera.view.width_px()).contains(x));
        self.camera.pointer.or(on_screen)
    }

    fn is_triangle(&self, strip: usize, x: f64) -> bool {
        let strip = &self.list.strips[strip];
        let end = if strip.kind == StripKind::Process { PROCESS_TRIANGLE_PX } else { TRIANGLE_PX };
        strip.fold != FoldState::Fixed && x < end
    }
}

fn is_title(item: Item) -> bool {
    matches!(item, Item::Track(_) | Item::Process(_) | Item::Counters(_))
}

/// What a key means for the selection; without one, arrows are left to move the screen.
fn step_of(key: &str, shift: bool, has_selection: bool) -> Option<Step> {
    let step = match key {
        "Enter" => return Some(Step::Enter),
        "j" | "J" => return Some(Step::Next),
        "k" | "K" => return Some(Step::Previous),
        " " => Step::Fold,
        _ if shift => return None,
        "ArrowLeft" => Step::Left,
        "ArrowRight" => Step::Right,
        "ArrowUp" => Step::Up,
        "ArrowDown" => Step::Down,
        "Home" => Step::First,
        "End" => Step::Last,
        _ => return None,
    };
    has_selection.then_some(step)
}
