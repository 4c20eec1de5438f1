//! What is under the pointer, found in the display list alone.
//!
//! Promises: answers what is drawn there, and what is drawn too narrow to be met exactly within 3 pixels.
//! Does not do: texts about it (see `details`).
//! Costs: O(log n) in rows and in the row's rectangles.

use super::display_list::{ChartRun, DisplayList, MarkOwner, MarkRun, RowRun};
use super::viewport::Viewport;
use crate::trace::{CounterId, SliceRef};

/// How far beside it a narrow thing is still met.
const TOLERANCE_PX: f64 = 3.0;

/// A thing in a display list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// A slice, or several drawn as one.
    Slice {
        /// The slice, or the longest of those merged.
        slice: SliceRef,
        /// How many are drawn as one.
        count: u32,
        /// Index of its row in the list.
        row: usize,
        /// Index of its rectangle in the list.
        rect: usize,
    },
    /// An instant, or several that share a bin.
    Instant {
        /// Whose it is.
        owner: MarkOwner,
        /// Its index among the owner's.
        index: u32,
        /// How many share the bin.
        count: u32,
        /// Index of its tick in the list.
        tick: usize,
    },
    /// A counter where it has a value.
    Counter {
        /// Which series.
        counter: CounterId,
        /// Index of the step in the list that holds here.
        step: usize,
    },
    /// Nothing but the place itself: index of the strip.
    Strip(usize),
}

/// What is drawn at `x` pixels from the left of the plot and `y` pixels from the top of the content.
pub fn hit(list: &DisplayList, view: &Viewport, x: f64, y: i32) -> Option<Hit> {
    let at = Pointer { list, view, x, y };
    at.slice().or_else(|| at.instant()).or_else(|| at.counter()).or_else(|| strip_at(list, y).map(Hit::Strip))
}

/// The strip at `y`: all there is to meet in the gutter.
pub fn strip_at(list: &DisplayList, y: i32) -> Option<usize> {
    at_height(&list.strips, y, |strip| (strip.y, strip.height))
}

struct Pointer<'a> {
    list: &'a DisplayList,
    view: &'a Viewport,
    x: f64,
    y: i32,
}

impl Pointer<'_> {
    fn slice(&self) -> Option<Hit> {
        let row_at = at_height(&self.list.rows, self.y, |row: &RowRun| (row.y, row.height))?;
        let row = &self.list.rows[row_at];
        let rects = &self.list.rects;
        let rect = self.nearest(row.first, row.end, &rects.t0, &rects.t1)?;
        let (slice, count) = (self.list.slice(row, rect), rects.count[rect]);
        Some(Hit::Slice { slice, count, row: row_at, rect })
    }

    fn instant(&self) -> Option<Hit> {
        let mark = at_height(&self.list.marks, self.y, |mark: &MarkRun| (mark.y, mark.height))?;
        let (mark, ticks) = (&self.list.marks[mark], &self.list.ticks);
        let tick = self.nearest(mark.first, mark.end, &ticks.t, &ticks.t)?;
        Some(Hit::Instant { owner: mark.owner, index: ticks.index[tick], count: ticks.count[tick], tick })
    }

    fn counter(&self) -> Option<Hit> {
        let chart = at_height(&self.list.charts, self.y, |chart: &ChartRun| (chart.y, chart.height))?;
        let chart = &self.list.charts[chart];
        let times = &self.list.steps.t[chart.first as usize..chart.end as usize];
        let step = times.partition_point(|&time| time <= self.time()).checked_sub(1)?;
        let counter = CounterId::from_index(chart.counter as usize);
        Some(Hit::Counter { counter, step: chart.first as usize + step })
    }

    /// The thing of `first..end` under the pointer, else the nearest narrow one within reach.
    fn nearest(&self, first: u32, end: u32, t0: &[f64], t1: &[f64]) -> Option<usize> {
        let (first, end, time) = (first as usize, end as usize, self.time());
        let after = first + t0[first..end].partition_point(|&start| start <= time);
        let before = (after > first).then(|| after - 1);
        if let Some(at) = before.filter(|&at| time < t1[at]) {
            return Some(at);
        }
        let per_px = self.view.ns_per_px();
        let is_narrow = |at: usize| t1[at] - t0[at] <= TOLERANCE_PX * per_px;
        let distance = |at: usize| (t0[at] - time).max(time - t1[at]) / per_px;
        let next = (after < end).then_some(after);
        let reached = [before, next].into_iter().flatten();
        reached
            .filter(|&at| is_narrow(at) && distance(at) <= TOLERANCE_PX)
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
    }

    fn time(&self) -> f64 {
        self.view.relative_at(self.x, self.list.window.origin)
    }
}

/// The thing at `y` among things that ascend.
fn at_height<T>(things: &[T], y: i32, place: impl Fn(&T) -> (i32, i32)) -> Option<usize> {
    let at = things.partition_point(|thing| place(thing).0 <= y).checked_sub(1)?;
    let (top, height) = place(&things[at]);
    (y < top.saturating_add(height)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::sample::small_trace;
    use super::super::{Folds, FrameRequest, Layout, frame};
    use super::*;

    fn list(from: i64, span: f64) -> (DisplayList, Viewport) {
        let trace = small_trace();
        let layout = Layout::new(&trace, &Folds::default());
        let view = Viewport::exactly(from, span, 1000.0);
        let request = FrameRequest { view, top: 0, height: 1000, margin: 1.0, selected: None, found: None };
        (frame(&trace, &layout, &request), view)
    }

    #[test]
    fn every_rectangle_and_tick_is_met_where_it_is_drawn() {
        for (from, span) in [(0, 10_000.0), (4_000, 200.0), (0, 1e6)] {
            let (list, view) = list(from, span);
            for (row_at, row) in list.rows.iter().enumerate() {
                for at in row.first as usize..row.end as usize {
                    let middle = (list.rects.t0[at] + list.rects.t1[at]) / 2.0;
                    let x = view.x_of_relative(list.window.origin, middle);
                    let met = hit(&list, &view, x, row.y + row.height - 1);
                    assert!(
                        matches!(met, Some(Hit::Slice { rect, row, .. }) if rect == at && row == row_at),
                        "{met:?}"
                    );
                }
            }
            for mark in &list.marks {
                for at in mark.first as usize..mark.end as usize {
                    let x = view.x_of_relative(list.window.origin, list.ticks.t[at]);
                    for beside in [-2.9, 0.0, 2.9] {
                        let met = hit(&list, &view, x + beside, mark.y);
                        assert!(matches!(met, Some(Hit::Instant { tick, .. }) if tick == at), "{met:?}");
                    }
                    assert!(matches!(hit(&list, &view, x + 3.2, mark.y), Some(Hit::Strip(_))));
                }
            }
        }
    }

    #[test]
    fn a_slice_too_narrow_to_point_at_is_met_beside_it_and_a_wide_one_is_not() {
        let (list, view) = list(0, 10_000.0);
        let create_plan = list.rows.iter().find(|row| row.track == 1 && row.depth == 0).unwrap();
        let x = view.x_of(2_500);
        assert!(matches!(hit(&list, &view, x - 1.0, create_plan.y), Some(Hit::Slice { .. })));
        assert!(matches!(hit(&list, &view, x + 1.0, create_plan.y), Some(Hit::Strip(_))));
        let tiny = list.rows.iter().find(|row| row.track == 0 && row.depth == 2).unwrap();
        let x = view.x_of(4_103);
        assert!(matches!(hit(&list, &view, x + 2.5, tiny.y), Some(Hit::Slice { .. })));
    }

    #[test]
    fn a_counter_answers_with_the_value_that_holds_and_nothing_with_nothing() {
        let (list, view) = list(0, 10_000.0);
        let chart = list.charts[0];
        let Some(Hit::Counter { step, .. }) = hit(&list, &view, view.x_of(5_000), chart.y) else { panic!() };
        assert_eq!(list.steps.last[step], 250e6);
        assert!(matches!(hit(&list, &view, view.x_of(500), chart.y), Some(Hit::Strip(_))));
        assert_eq!(hit(&list, &view, 10.0, -5), None);
        assert_eq!(hit(&list, &view, 10.0, 1_000_000), None);
    }
}
