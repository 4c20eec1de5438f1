//! Marks: what follows the pointer and the selection, as elements over the canvases.
//!
//! ```text
//! #marks ─ .crosshair │ .hovered ▭ .selected ▣ .titled ▌ output (the time under the pointer)
//! ```
//!
//! Elements and not a canvas of their own: a transparent canvas over everything costs the browser its whole area
//! again whenever the pointer moves, and as much memory as the picture below.
//!
//! Does not do: colours, which are the style sheet's.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::view::{DisplayList, Item, RowRun, SELECTED, StripKind};

use super::canvas::{GUTTER_PX, Picture, RULER_PX};
use super::surface::Surface;

/// Width of the bar beside a selected title.
const TITLE_PX: f64 = 3.0;
/// Room on both sides of the time in its box.
const TIME_INSET_PX: f64 = 5.0;

/// The marks over one canvas. What is not among its elements is not shown.
#[derive(Default)]
pub struct Marks {
    crosshair: Option<Mark>,
    hovered: Option<Mark>,
    selected: Option<Mark>,
    titled: Option<Mark>,
    time: Option<Mark>,
}

/// What is to be marked.
pub struct Marked<'a> {
    /// What the canvas below shows.
    pub picture: Picture<'a>,
    /// Where the pointer is on the plot.
    pub x: Option<f64>,
    /// What it is on.
    pub hovered: Option<Item>,
    /// What is selected.
    pub selected: Option<Item>,
}

impl Marks {
    /// The marks inside `layer`, which lies over the canvas with the same size.
    pub fn new(layer: &HtmlElement) -> Self {
        let mark = |selector| Mark::find(layer, selector);
        Marks {
            crosshair: mark(".crosshair"),
            hovered: mark(".hovered"),
            selected: mark(".selected"),
            titled: mark(".titled"),
            time: mark("output"),
        }
    }

    /// Puts the line under the pointer at `x` of the plot, which is `width` wide.
    pub fn cross(&mut self, x: Option<f64>, width: f64) {
        let x = x.filter(|x| (0.0..width).contains(x));
        self.crosshair.put(x.map(|x| Place { x: GUTTER_PX + x, y: 0.0, size: None }));
    }

    /// Puts all marks of a timeline.
    pub fn paint(&mut self, surface: &Surface, marked: &Marked) {
        let picture = &marked.picture;
        let width = picture.view.width_px();
        self.cross(marked.x, width);
        let border = |item: Option<Item>| item.and_then(|item| border(surface, picture, item));
        self.hovered.put(border(marked.hovered));
        self.selected.put(border(marked.selected));
        self.titled.put(marked.selected.and_then(|item| title_bar(surface, picture, item)));
        let x = marked.x.filter(|x| (0.0..width).contains(x));
        let text = x.map(|x| super::ruler::time_at(picture, x));
        if let (Some(time), Some(text)) = (&mut self.time, &text) {
            time.say(text);
        }
        self.time.put(x.zip(text).map(|(x, text)| {
            let room = surface.text_width(&text) + 2.0 * TIME_INSET_PX;
            let left = (GUTTER_PX + x - room / 2.0).clamp(GUTTER_PX, GUTTER_PX + (width - room).max(0.0));
            Place { x: left, y: 0.0, size: None }
        }));
    }
}

/// Where a mark stands, in CSS pixels; without a size it has that of the style sheet.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    x: f64,
    y: f64,
    size: Option<(f64, f64)>,
}

/// An element, and where it was put last.
struct Mark {
    element: HtmlElement,
    place: Option<Place>,
    text: String,
}

impl Mark {
    fn find(layer: &HtmlElement, selector: &str) -> Option<Self> {
        let element: HtmlElement = layer.query_selector(selector).ok()??.dyn_into().ok()?;
        element.set_hidden(true);
        Some(Mark { element, place: None, text: String::new() })
    }

    fn say(&mut self, text: &str) {
        if self.text != text {
            text.clone_into(&mut self.text);
            self.element.set_text_content(Some(text));
        }
    }
}

trait Put {
    /// Puts the mark there, or hides it. An element that stays where it is is not touched.
    fn put(&mut self, place: Option<Place>);
}

impl Put for Option<Mark> {
    fn put(&mut self, place: Option<Place>) {
        let Some(mark) = self else { return };
        if mark.place == place {
            return;
        }
        mark.place = place;
        mark.element.set_hidden(place.is_none());
        let Some(Place { x, y, size }) = place else { return };
        // a style of an element of the page takes any text
        let set = |name, value: String| drop(mark.element.style().set_property(name, &value));
        set("transform", format!("translate({x}px, {y}px)"));
        if let Some((width, height)) = size {
            set("width", format!("{width}px"));
            set("height", format!("{height}px"));
        }
    }
}

/// Where the border of a slice or an instant stands, cut to what the plot shows; none if it is not in the list.
fn border(surface: &Surface, picture: &Picture, item: Item) -> Option<Place> {
    let (y, height, from, to) = place(picture.list, item)?;
    let (x, end) = (picture.x(from), picture.x(to));
    let right = GUTTER_PX + picture.view.width_px();
    let (top, bottom) = (picture.y(y), picture.y(y) + f64::from(height) - 1.0);
    if end < GUTTER_PX || x > right || bottom <= RULER_PX || top >= surface.height() {
        return None;
    }
    let whole = |px: f64| surface.snap(px) / surface.ratio();
    let (left, top) = (whole((x - 1.0).max(GUTTER_PX)), whole(top.max(RULER_PX)));
    let end = whole(end.min(right)).max(left + 2.0);
    Some(Place { x: left, y: top, size: Some((end - left, whole(bottom) - top)) })
}

/// First pixel, height, start and end of an item.
fn place(list: &DisplayList, item: Item) -> Option<(i32, i32, f64, f64)> {
    match item {
        Item::Slice(slice, _) => {
            let is_its = |row: &&RowRun| {
                (row.track as usize, row.lane, row.depth) == (slice.track.index(), slice.lane, slice.depth)
            };
            let row = list.rows.iter().find(is_its)?;
            let (first, end) = (row.first as usize, row.end as usize);
            let indices = &list.rects.index[first..end];
            // indices ascend with time; merged slices have the index of one of them
            let at = indices.partition_point(|&index| index < slice.index);
            let at = match indices.get(at) {
                Some(&index) if index == slice.index => at,
                _ => list.rects.flags[first..end].iter().position(|flags| flags & SELECTED != 0)?,
            };
            Some((row.y, row.height, list.rects.t0[first + at], list.rects.t1[first + at]))
        }
        Item::Instant(owner, index, _) => {
            let mark = list.marks.iter().find(|mark| mark.owner == owner)?;
            // of those in one bin the first stands for all
            let indices = &list.ticks.index[mark.first as usize..mark.end as usize];
            let found = indices.partition_point(|&at| at <= index).checked_sub(1)?;
            let time = list.ticks.t[mark.first as usize + found];
            Some((mark.y, mark.height, time, time))
        }
        Item::Counter(..) | Item::Track(_) | Item::Process(_) | Item::Counters(_) => None,
    }
}

/// Where the bar beside a selected title stands, cut to what is on screen.
fn title_bar(surface: &Surface, picture: &Picture, item: Item) -> Option<Place> {
    let (kind, id) = match item {
        Item::Track(id) => (StripKind::Track, id.index()),
        Item::Process(id) => (StripKind::Process, id.index()),
        Item::Counters(id) => (StripKind::Counters, id.index()),
        Item::Counter(id, _) => (StripKind::Counter, id.index()),
        Item::Slice(..) | Item::Instant(..) => return None,
    };
    let strip = picture.list.strips.iter().find(|strip| strip.kind == kind && strip.id as usize == id)?;
    let top = picture.y(strip.y).max(RULER_PX);
    let bottom = (picture.y(strip.y) + f64::from(strip.height) - 1.0).min(surface.height());
    (bottom > top).then_some(Place { x: 0.0, y: top, size: Some((TITLE_PX, bottom - top)) })
}
