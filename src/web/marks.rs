//! Marks: what follows the pointer, on a canvas of its own so that the bars below stay as they are.
//!
//! Costs: a clear and a few rectangles, whatever is on screen.

use crate::view::{DisplayList, Item, RowRun, SELECTED, StripKind};

use super::canvas::{GUTTER_PX, Picture, RULER_PX, TEXT_PX};
use super::surface::Surface;

/// What is to be marked.
pub struct Marks<'a> {
    /// What the bars below show.
    pub picture: Picture<'a>,
    /// Where the pointer is on the plot.
    pub x: Option<f64>,
    /// What it is on.
    pub hovered: Option<Item>,
    /// What is selected.
    pub selected: Option<Item>,
}

/// Thickness of the border of the selection; what is hovered has a thinner one.
const SELECTED_PX: f64 = 2.0;
const HOVERED_PX: f64 = 1.0;
/// Width of the bar beside a selected title.
const TITLE_PX: f64 = 3.0;

/// Paints the marks of the timeline.
pub fn paint(surface: &Surface, marks: &Marks) {
    surface.clear();
    let picture = &marks.picture;
    let (width, height) = (picture.view.width_px(), surface.height());
    surface.clipped(GUTTER_PX, RULER_PX, width, height - RULER_PX, || {
        if let Some(x) = marks.x {
            surface.color(&picture.theme.crosshair);
            surface.fill(GUTTER_PX + x, 0.0, 1.0 / surface.ratio(), height);
        }
        if let Some(hovered) = marks.hovered {
            border(surface, picture, hovered, &picture.theme.text, HOVERED_PX);
        }
        if let Some(selected) = marks.selected {
            border(surface, picture, selected, &picture.theme.accent, SELECTED_PX);
        }
    });
    if let Some((y, height)) = marks.selected.and_then(|item| title(picture.list, item)) {
        surface.clipped(0.0, RULER_PX, GUTTER_PX, surface.height() - RULER_PX, || {
            surface.color(&picture.theme.accent);
            surface.fill(0.0, picture.y(y), TITLE_PX, f64::from(height) - 1.0);
        });
    }
    if let Some(x) = marks.x.filter(|x| (0.0..width).contains(x)) {
        time(surface, picture, x);
    }
}

/// A border around a slice or an instant, if it is in the list.
fn border(surface: &Surface, picture: &Picture, item: Item, color: &str, line: f64) {
    let Some((y, height, from, to)) = place(picture.list, item) else { return };
    let (x, end) = (picture.x(from), picture.x(to));
    surface.color(color);
    surface.frame(x - 1.0, picture.y(y), (end - x).max(1.0) + 1.0, f64::from(height) - 1.0, line);
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

/// First pixel and height of the title that an item is.
fn title(list: &DisplayList, item: Item) -> Option<(i32, i32)> {
    let (kind, id) = match item {
        Item::Track(id) => (StripKind::Track, id.index()),
        Item::Process(id) => (StripKind::Process, id.index()),
        Item::Counters(id) => (StripKind::Counters, id.index()),
        Item::Counter(id, _) => (StripKind::Counter, id.index()),
        Item::Slice(..) | Item::Instant(..) => return None,
    };
    let strip = list.strips.iter().find(|strip| strip.kind == kind && strip.id as usize == id)?;
    Some((strip.y, strip.height))
}

/// The time under the pointer, on the ruler.
fn time(surface: &Surface, picture: &Picture, x: f64) {
    let text = super::ruler::time_at(picture, x);
    surface.font(TEXT_PX - 1.0, 500);
    let width = surface.text_width(&text) + 10.0;
    let left = (GUTTER_PX + x - width / 2.0).clamp(GUTTER_PX, GUTTER_PX + picture.view.width_px() - width);
    surface.color(&picture.theme.text);
    surface.fill(left, 3.0, width, RULER_PX - 7.0);
    surface.color(&picture.theme.background);
    surface.text(&text, left + 5.0, RULER_PX / 2.0);
}
