//! Steps: where a key leads from what is selected.
//!
//! ```text
//!              ▲ its caller, then its thread
//! ◀ the slice before      the one after ▶
//!              ▼ its longest child
//! ```
//!
//! Titles of processes, threads and counters are stops one below the other; left closes and right opens them.
//! On a counter left and right go from sample to sample, on instants from one to the next.
//!
//! Promises: everything that a pointer can select is some steps from anywhere.
//! Knows nothing of: keyboards (a step has a meaning), pixels beside those of the layout.

use crate::analysis::{children, longest, parent};
use crate::trace::{ProcessId, SliceRef, Trace, TrackId};

use super::display_list::{FoldState, MarkOwner};
use super::item::{Item, instants_of};
use super::layout::{Fold, Layout};
use super::place::{HEADER_PX, Place, ROW_PX, What};

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To what is left of it.
    Left,
    /// To what is right of it.
    Right,
    /// Outwards.
    Up,
    /// Inwards.
    Down,
    /// To the first of its row.
    First,
    /// To the last of its row.
    Last,
    /// To the title below its thread.
    Next,
    /// To its thread's title, and on to the ones above.
    Previous,
    /// Into the screen when nothing is selected; folds what is a title.
    Enter,
    /// Folds the thread or process in which it stands, or opens it.
    Fold,
}

/// What is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First time.
    pub from: i64,
    /// Last time.
    pub to: i64,
    /// First pixel of content.
    pub top: i32,
    /// First pixel of content below.
    pub bottom: i32,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Led {
    /// To this item.
    To(Item),
    /// To this title, with what it stands for folded or opened.
    Folds(Fold, Item),
}

/// Where `step` leads from `item`; none where there is nothing further. O(places + log n).
pub fn step(trace: &Trace, layout: &Layout, item: Option<Item>, step: Step, window: Window) -> Option<Led> {
    let from = Stand { trace, layout, window };
    let Some(item) = item else { return from.begin(step).map(Led::To) };
    if step == Step::Fold {
        return from.fold_around(item);
    }
    match item {
        Item::Slice(slice, _) => from.slice(slice, step).map(Led::To),
        Item::Instant(owner, index, _) => from.instant(item, owner, index, step).map(Led::To),
        Item::Counter(id, time) => from.counter(item, id, time, step).map(Led::To),
        Item::Track(_) | Item::Process(_) | Item::Counters(_) => from.title(item, step),
    }
}

/// First pixel and height of the title, row or line of an item; none while it is folded away. O(places).
pub fn place_of(trace: &Trace, layout: &Layout, item: Item) -> Option<(i32, i32)> {
    if let Item::Slice(slice, _) = item {
        return Some((layout.y_of(trace, slice)?, ROW_PX));
    }
    let place = layout.places().iter().find(|place| holds(place, item))?;
    Some((place.y, place.height.min(HEADER_PX)))
}

/// What has to be opened first for `item` to be seen; none when it is. O(places).
pub fn hidden_by(trace: &Trace, layout: &Layout, item: Item) -> Option<Fold> {
    let is_closed = |fold: Fold| {
        let place = layout.places().iter().find(|place| place.folds() == Some(fold));
        place.is_some_and(|place| place.fold == FoldState::Closed)
    };
    let (process, inner) = match item {
        Item::Slice(slice, _) => {
            let is_inner = slice.depth > 0 || slice.lane > 0;
            (trace.track(slice.track).process, is_inner.then_some(Fold::Track(slice.track)))
        }
        Item::Track(id) => (trace.track(id).process, None),
        Item::Counter(id, _) => {
            let process = trace.counters()[id.index()].process;
            (process, Some(Fold::Counters(process)))
        }
        Item::Counters(id) => (id, None),
        Item::Instant(MarkOwner::Process(id), ..) => (ProcessId::from_index(id as usize), None),
        Item::Instant(MarkOwner::Track(id), ..) => {
            (trace.track(TrackId::from_index(id as usize)).process, None)
        }
        Item::Instant(MarkOwner::Trace, ..) | Item::Process(_) => return None,
    };
    [Some(Fold::Process(process)), inner].into_iter().flatten().find(|&fold| is_closed(fold))
}

/// Whether an item is a title that is folded; none where nothing folds.
pub fn is_folded(layout: &Layout, item: Item) -> Option<bool> {
    let place = title_of(layout, item)?;
    (place.fold != FoldState::Fixed).then_some(place.fold == FoldState::Closed)
}

struct Stand<'a> {
    trace: &'a Trace,
    layout: &'a Layout,
    window: Window,
}

impl Stand<'_> {
    /// The longest slice of the first thread that has one on screen, else the first title there.
    fn begin(&self, step: Step) -> Option<Item> {
        let visible = self.layout.visible(self.window.top, self.window.bottom);
        let mut tracks = visible.iter().filter_map(|place| match place.what {
            What::Track { id, .. } => Some((place, id)),
            _ => None,
        });
        let slice = tracks.find_map(|(place, id)| self.longest_on_screen(place, id));
        match step {
            Step::Enter => slice.or_else(|| self.stops_of(visible.first()?).into_iter().next()),
            Step::Next | Step::Previous => visible.iter().flat_map(|place| self.stops_of(place)).next(),
            _ => None,
        }
    }

    fn longest_on_screen(&self, place: &Place, id: TrackId) -> Option<Item> {
        let (from, to) = (self.window.from, self.window.to);
        let rows = place.rows(self.trace.track(id), self.window.top, self.window.bottom);
        let stretches = rows.map(|(lane, depth, _)| {
            let row = self.trace.row(SliceRef { track: id, lane, depth, index: 0 });
            let first = row.first_reaching(from, self.trace.end());
            (lane, depth, first..row.gallop(first, to))
        });
        let found = longest(self.trace, id, stretches, 1);
        found.first().map(|&slice| Item::Slice(slice, 1))
    }

    fn slice(&self, slice: SliceRef, step: Step) -> Option<Item> {
        let row = self.trace.row(slice);
        let at = |index: usize| Some(Item::Slice(SliceRef { index: index as u32, ..slice }, 1)); // from a row
        let index = slice.index as usize;
        match step {
            Step::Left => at(index.checked_sub(1)?),
            Step::Right => at((index + 1 < row.len()).then_some(index + 1)?),
            Step::First => at((index > 0).then_some(0)?),
            Step::Last => at((index + 1 < row.len()).then_some(row.len() - 1)?),
            Step::Up => Some(
                parent(self.trace, slice).map_or(Item::Track(slice.track), |above| Item::Slice(above, 1)),
            ),
            Step::Down => {
                let inside = std::iter::once((slice.lane, slice.depth + 1, children(self.trace, slice)));
                let inside = inside.filter(|stretch| !stretch.2.is_empty());
                longest(self.trace, slice.track, inside, 1).first().map(|&child| Item::Slice(child, 1))
            }
            Step::Previous => Some(Item::Track(slice.track)),
            Step::Next => self.beside(Item::Track(slice.track), 1),
            Step::Enter | Step::Fold => None,
        }
    }

    fn instant(&self, item: Item, owner: MarkOwner, index: u32, step: Step) -> Option<Item> {
        let last = (instants_of(self.trace, owner).len() as u32).checked_sub(1)?; // fewer than 2^32 instants
        let at = |index: u32| Some(Item::Instant(owner, index, 1));
        match step {
            Step::Left => at(index.checked_sub(1)?),
            Step::Right => at((index < last).then_some(index + 1)?),
            Step::First => at((index > 0).then_some(0)?),
            Step::Last => at((index < last).then_some(last)?),
            _ => self.up_or_down(item, step),
        }
    }

    fn counter(&self, item: Item, id: crate::trace::CounterId, time: i64, step: Step) -> Option<Item> {
        let counter = &self.trace.counters()[id.index()];
        let at = |sample: usize| (sample < counter.len()).then(|| Item::Counter(id, counter.time(sample)));
        match step {
            Step::Left => at(counter.first_at(time).checked_sub(1)?),
            Step::Right => at(counter.first_at(time.saturating_add(1))),
            Step::First => at(0),
            Step::Last => at(counter.len().checked_sub(1)?),
            _ => self.up_or_down(item, step),
        }
    }

    fn title(&self, item: Item, step: Step) -> Option<Led> {
        let place = title_of(self.layout, item)?;
        let into = || match item {
            Item::Track(id) => {
                let found = self.longest_on_screen(place, id);
                let anywhere = || longest(self.trace, id, crate::analysis::whole_track(self.trace, id), 1);
                found.or_else(|| anywhere().first().map(|&slice| Item::Slice(slice, 1))).map(Led::To)
            }
            _ => self.beside(item, 1).map(Led::To),
        };
        let folds = || place.folds().map(|fold| Led::Folds(fold, item));
        let fold = |state: FoldState| folds().filter(|_| place.fold == state);
        match step {
            Step::Left => fold(FoldState::Open).or_else(|| self.process_around(item).map(Led::To)),
            Step::Right => fold(FoldState::Closed).or_else(into),
            Step::Enter | Step::Fold => folds().or_else(into),
            Step::First => self.stops().into_iter().next().map(Led::To),
            Step::Last => self.stops().into_iter().next_back().map(Led::To),
            _ => self.up_or_down(item, step).map(Led::To),
        }
    }

    fn up_or_down(&self, item: Item, step: Step) -> Option<Item> {
        match step {
            Step::Up | Step::Previous => self.beside(item, -1),
            Step::Down | Step::Next => self.beside(item, 1),
            _ => None,
        }
    }

    /// The stop so many places further down.
    fn beside(&self, item: Item, by: isize) -> Option<Item> {
        let stops = self.stops();
        let at = stops.iter().position(|&stop| is_same_stop(stop, item))?;
        stops.get(at.checked_add_signed(by)?).copied()
    }

    /// Everything that has a title or a line of its own, from the top.
    fn stops(&self) -> Vec<Item> {
        self.layout.places().iter().flat_map(|place| self.stops_of(place)).collect()
    }

    fn stops_of(&self, place: &Place) -> Vec<Item> {
        let middle = self.window.from + (self.window.to.saturating_sub(self.window.from)) / 2;
        let title = match place.what {
            What::Process(id) => Some(Item::Process(id)),
            What::Counters(id) => Some(Item::Counters(id)),
            What::Counter(id) => Some(Item::Counter(id, middle)),
            What::Track { id, .. } => Some(Item::Track(id)),
            What::Instants(_) => None,
        };
        let instants = place.what.mark_owner().and_then(|owner| self.first_instant_on_screen(owner));
        title.into_iter().chain(instants).collect()
    }

    fn first_instant_on_screen(&self, owner: MarkOwner) -> Option<Item> {
        let instants = instants_of(self.trace, owner);
        let at = instants.first_at(self.window.from).min(instants.len().checked_sub(1)?);
        Some(Item::Instant(owner, at as u32, 1)) // fewer than 2^32 instants
    }

    fn process_around(&self, item: Item) -> Option<Item> {
        match item {
            Item::Track(id) => Some(Item::Process(self.trace.track(id).process)),
            Item::Counters(id) => Some(Item::Process(id)),
            _ => None,
        }
    }

    fn fold_around(&self, item: Item) -> Option<Led> {
        let title = match item {
            Item::Slice(slice, _) => Item::Track(slice.track),
            Item::Counter(id, _) => Item::Counters(self.trace.counters()[id.index()].process),
            Item::Instant(MarkOwner::Track(id), ..) => Item::Track(TrackId::from_index(id as usize)),
            Item::Instant(MarkOwner::Process(id), ..) => Item::Process(ProcessId::from_index(id as usize)),
            other => other,
        };
        title_of(self.layout, title)?.folds().map(|fold| Led::Folds(fold, title))
    }
}

/// The place whose title an item is.
fn title_of(layout: &Layout, item: Item) -> Option<&Place> {
    let is_title = matches!(item, Item::Track(_) | Item::Process(_) | Item::Counters(_));
    layout.places().iter().find(|place| is_title && holds(place, item))
}

/// True for the place in which an item that is no slice stands.
fn holds(place: &Place, item: Item) -> bool {
    match (place.what, item) {
        (What::Process(id), Item::Process(other)) | (What::Counters(id), Item::Counters(other)) => {
            id == other
        }
        (What::Counter(id), Item::Counter(other, _)) => id == other,
        (What::Track { id, .. }, Item::Track(other)) => id == other,
        (what, Item::Instant(owner, ..)) => what.mark_owner() == Some(owner),
        _ => false,
    }
}

fn is_same_stop(stop: Item, item: Item) -> bool {
    match (stop, item) {
        (Item::Counter(id, _), Item::Counter(other, _)) => id == other,
        (Item::Instant(owner, ..), Item::Instant(other, ..)) => owner == other,
        _ => stop == item,
    }
}
