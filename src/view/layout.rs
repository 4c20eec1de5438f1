//! What stands where vertically: processes, their instants and counters, and their threads.
//!
//! ```text
//! instants of the whole trace
//! ▾ process        header
//!   instants       one line of ticks
//!   ▾ counters     header, then a strip for each series
//!   ▾ thread       a line of ticks if it has instants, then a row for each lane and depth
//! ```
//!
//! Promises: places ascend and touch; nothing is remembered but what the reader has folded, and that by
//! ids that stay while a trace grows.
//! Knows nothing of: time, rows' contents, how many pixels are on screen.
//! Costs: made anew in O(n log n) for n processes, threads and counters; a place by y in O(log n). A thread is
//! one place however deep it is.

use std::collections::HashSet;

use crate::trace::{Instants, ProcessId, SliceRef, Trace, Track, TrackId};

use super::display_list::FoldState;
use super::place::{COUNTER_PX, HEADER_PX, INSTANTS_PX, Place, ROW_PX, What, px};

/// Room below a thread.
const GAP_PX: i32 = 6;
/// More series than this are folded until the reader opens them: the memory chart shows them together.
const OPEN_COUNTERS: usize = 6;

/// Something that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// A process: only its header stays.
    Process(ProcessId),
    /// The counters of a process: only their header stays.
    Counters(ProcessId),
    /// A thread: only its outermost row stays.
    Track(TrackId),
}

/// What the reader has folded or opened against the default.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    toggled: HashSet<Fold>,
}

/// The places of a trace from the top.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    places: Vec<Place>,
    height: i32,
}

impl Folds {
    /// Folds what is open and opens what is folded.
    pub fn toggle(&mut self, fold: Fold) {
        if !self.toggled.remove(&fold) {
            self.toggled.insert(fold);
        }
    }

    fn state(&self, fold: Fold, open_by_default: bool) -> FoldState {
        if self.toggled.contains(&fold) == open_by_default { FoldState::Closed } else { FoldState::Open }
    }
}

impl Layout {
    /// The places of `trace` as far as it is loaded.
    pub fn new(trace: &Trace, folds: &Folds) -> Self {
        let mut layout = Layout::default();
        if !trace.instants().is_empty() {
            layout.push(INSTANTS_PX, What::Instants(None), FoldState::Fixed);
        }
        for process in trace.ordered_processes() {
            layout.push_process(trace, folds, process);
        }
        layout
    }

    /// Height of the whole content in pixels.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// All places from the top.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The place at `y`. O(log n).
    pub fn place_at(&self, y: i32) -> Option<&Place> {
        let place = self.visible(y, y.saturating_add(1)).first()?;
        (place.y..place.y + place.height).contains(&y).then_some(place)
    }

    /// The places that reach into `top..bottom`. O(log n).
    pub fn visible(&self, top: i32, bottom: i32) -> &[Place] {
        let first = self.places.partition_point(|place| place.y + place.height <= top);
        let end = self.places.partition_point(|place| place.y < bottom);
        &self.places[first..end.max(first)]
    }

    /// Where the row of `slice` stands now; `None` while its process is folded. A folded thread answers with
    /// its outermost row. O(n).
    pub fn y_of(&self, trace: &Trace, slice: SliceRef) -> Option<i32> {
        let is_its = |place: &&Place| matches!(place.what, What::Track { id, .. } if id == slice.track);
        let place = self.places.iter().find(is_its)?;
        let lanes = &trace.track(slice.track).lanes[..slice.lane as usize];
        let row = lanes.iter().map(|lane| lane.rows.len()).sum::<usize>() + slice.depth as usize;
        let shown = if place.fold == FoldState::Closed { 0 } else { row };
        Some(place.first_row_y() + px(shown, ROW_PX))
    }

    /// The place that holds `anchor`, so that what the reader looks at stays where it is when places above
    /// it come, grow or fold. O(n).
    pub fn y_of_place(&self, anchor: What) -> Option<i32> {
        self.places.iter().find(|place| place.what.is_same(anchor)).map(|place| place.y)
    }

    fn push_process(&mut self, trace: &Trace, folds: &Folds, id: ProcessId) {
        let process = trace.process(id);
        let is_shown = |track: &&TrackId| !is_bare(trace.track(**track));
        if process.instants.is_empty()
            && process.counters.is_empty()
            && !process.tracks.iter().any(|t| is_shown(&t))
        {
            return;
        }
        let fold = folds.state(Fold::Process(id), true);
        self.push(HEADER_PX, What::Process(id), fold);
        if fold == FoldState::Closed {
            return;
        }
        if !process.instants.is_empty() {
            self.push(INSTANTS_PX, What::Instants(Some(id)), FoldState::Fixed);
        }
        self.push_counters(trace, folds, id);
        for track in trace.ordered_tracks(id).iter().filter(is_shown) {
            self.push_track(trace.track(*track), folds, *track);
        }
    }

    fn push_counters(&mut self, trace: &Trace, folds: &Folds, id: ProcessId) {
        let count = trace.process(id).counters.len();
        if count == 0 {
            return;
        }
        let fold = folds.state(Fold::Counters(id), count <= OPEN_COUNTERS);
        self.push(HEADER_PX, What::Counters(id), fold);
        if fold == FoldState::Open {
            for counter in trace.ordered_counters(id) {
                self.push(COUNTER_PX, What::Counter(counter), FoldState::Fixed);
            }
        }
    }

    fn push_track(&mut self, track: &Track, folds: &Folds, id: TrackId) {
        let rows = track.rows().count();
        let fold = if rows > 1 { folds.state(Fold::Track(id), true) } else { FoldState::Fixed };
        let shown = if fold == FoldState::Closed { 1 } else { rows };
        let above = instants_px(&track.instants);
        self.push(above + px(shown, ROW_PX) + GAP_PX, What::Track { id, above }, fold);
    }

    fn push(&mut self, height: i32, what: What, fold: FoldState) {
        self.places.push(Place { y: self.height, height, what, fold });
        self.height = self.height.saturating_add(height);
    }
}

/// A thread without slices and instants: only its counters' records named it.
fn is_bare(track: &Track) -> bool {
    track.instants.is_empty() && track.rows().next().is_none()
}

fn instants_px(instants: &Instants) -> i32 {
    if instants.is_empty() { 0 } else { INSTANTS_PX }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{sample, slice, small_trace};
    use super::*;
    use crate::trace::TraceBuilder;

    #[test]
    fn places_ascend_and_touch_whatever_is_folded() {
        let trace = small_trace();
        let mut folds = Folds::default();
        for fold in
            [None, Some(Fold::Track(TrackId::from_index(0))), Some(Fold::Process(first_process(&trace)))]
        {
            fold.into_iter().for_each(|fold| folds.toggle(fold));
            let layout = Layout::new(&trace, &folds);
            let mut y = 0;
            for place in layout.places() {
                assert_eq!(place.y, y);
                y += place.height;
                for inside in [place.y, y - 1] {
                    assert_eq!(layout.place_at(inside), Some(place));
                }
            }
            assert_eq!((layout.height(), layout.place_at(y)), (y, None));
        }
        // a folded process leaves its header and the whole trace's instants
        assert_eq!(Layout::new(&trace, &folds).places().len(), 2);
    }

    #[test]
    fn a_folded_thread_shows_its_outermost_row() {
        let trace = small_trace();
        let id = TrackId::from_index(0);
        let deep = SliceRef { track: id, lane: 0, depth: 2, index: 0 };
        let mut folds = Folds::default();
        let open = Layout::new(&trace, &folds);
        let place = *open.places().iter().find(|place| place.folds() == Some(Fold::Track(id))).unwrap();
        let rows: Vec<_> = place.rows(trace.track(id), 0, 10_000).collect();
        assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(open.y_of(&trace, deep), Some(rows[2].2));
        folds.toggle(Fold::Track(id));
        let closed = Layout::new(&trace, &folds);
        assert_eq!(closed.height(), open.height() - 2 * ROW_PX);
        assert_eq!(closed.y_of(&trace, deep), Some(rows[0].2));
        folds.toggle(Fold::Track(id));
        assert_eq!(Layout::new(&trace, &folds).height(), open.height());
    }

    #[test]
    fn only_rows_that_reach_into_the_window_are_given_however_deep_a_thread_is() {
        let mut builder = TraceBuilder::default();
        let depth = 5_000;
        (0..depth).for_each(|n| slice(&mut builder, 1, n, Some(2 * (depth - n)), "recursion"));
        let trace = builder.finish().0;
        let layout = Layout::new(&trace, &Folds::default());
        let place = layout.places()[1];
        let first = place.first_row_y();
        let rows =
            |top, bottom| place.rows(&trace.tracks()[0], top, bottom).map(|row| row.1).collect::<Vec<_>>();
        assert_eq!(rows(first + 1000 * ROW_PX, first + 1002 * ROW_PX), [1000, 1001]);
        assert_eq!(rows(first + 1000 * ROW_PX + 1, first + 1002 * ROW_PX + 1), [1000, 1001, 1002]);
        assert_eq!(rows(-500, first).len(), 0);
        assert_eq!(rows(first + depth as i32 * ROW_PX, i32::MAX / 2).len(), 0);
    }

    #[test]
    fn many_counters_are_folded_until_opened_and_a_thread_without_slices_has_no_place() {
        let mut builder = TraceBuilder::default();
        (0..20).for_each(|n| sample(&mut builder, &format!("thread_{n}_pool"), n, 1.0));
        let trace = builder.finish().0;
        let mut folds = Folds::default();
        assert_eq!(Layout::new(&trace, &folds).places().len(), 2);
        folds.toggle(Fold::Counters(first_process(&trace)));
        let open = Layout::new(&trace, &folds);
        assert_eq!(open.places().len(), 22);
        let What::Counter(third) = open.places()[4].what else { panic!("a counter stands there") };
        assert_eq!(third.index(), 2, "numbers in names count by value");
    }

    fn first_process(trace: &Trace) -> ProcessId {
        trace.ordered_processes()[0]
    }
}
