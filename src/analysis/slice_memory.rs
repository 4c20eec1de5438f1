//! What a counter did while one slice ran.
//!
//! Promises: the change is that of the table by function: in a straight line between the samples around, so a
//! slice shorter than the distance of two samples has its part of what changed between them.
//! Costs: O(log n), for the peak O(samples inside / 64).

use super::series::{between, whole};
use crate::trace::{Counter, CounterId, SliceRef, Trace};

/// A counter while a slice ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceMemory {
    /// The value that holds when it begins; `None` before the first sample.
    pub start: Option<f64>,
    /// The value that holds when it ends.
    pub end: Option<f64>,
    /// What changed meanwhile, in whole units.
    pub change: i64,
    /// The largest value that held while it ran.
    pub peak: Option<f64>,
    /// Samples from its start to its end: with none, the change is only a part of a larger one.
    pub samples: usize,
}

/// What `counter` did while `slice` ran; an unfinished one runs as long as it counts in sums.
pub fn slice_memory(trace: &Trace, slice: SliceRef, counter: CounterId) -> SliceMemory {
    let (row, at) = (trace.row(slice), slice.index as usize);
    let (from, to) = (row.start(at), row.start(at).saturating_add(row.summed(at)));
    let counter = &trace.counters()[counter.index()];
    let inside = counter.first_at(from)..after(counter, to);
    let start = counter.value_at(from);
    let highest = counter.extremes(inside.clone()).map(|extremes| extremes.max);
    SliceMemory {
        start,
        end: counter.value_at(to),
        change: on_line(counter, to) - on_line(counter, from),
        peak: [start, highest].into_iter().flatten().reduce(f64::max),
        samples: inside.len(),
    }
}

/// The first sample after `time`.
fn after(counter: &Counter, time: i64) -> usize {
    time.checked_add(1).map_or(counter.len(), |next| counter.first_at(next))
}

/// The value at `time` on the straight line between the samples around it.
fn on_line(counter: &Counter, time: i64) -> i64 {
    let next = after(counter, time);
    // of samples at one time the last counts
    let point = |at: usize| (counter.time(at), whole(counter.value(at)));
    let last_at = |at: usize| point(after(counter, counter.time(at)) - 1);
    match (next.checked_sub(1), next < counter.len()) {
        (Some(before), true) => between(point(before), last_at(next), time),
        (Some(last), false) => point(last).1,
        (None, true) => last_at(0).1,
        (None, false) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::series::Series;
    use super::*;
    use crate::trace::TrackId;
    use crate::view::sample::{Random, sample, slice, small_trace};

    fn of(trace: &Trace, depth: u32, index: u32) -> SliceMemory {
        let slice = SliceRef { track: TrackId::from_index(0), lane: 0, depth, index };
        slice_memory(trace, slice, CounterId::from_index(0))
    }

    #[test]
    fn a_slice_has_its_start_its_end_and_its_peak() {
        let trace = small_trace();
        let whole = of(&trace, 0, 0);
        assert_eq!((whole.start, whole.end, whole.peak), (Some(100e6), Some(50e6), Some(300e6)));
        assert_eq!((whole.change, whole.samples), (-50_000_000, 4));
        // between two samples: 1 of 4,999 ns in which 200 MB went
        let tiny = of(&trace, 2, 0);
        assert_eq!((tiny.start, tiny.end, tiny.peak), (Some(250e6), Some(250e6), Some(250e6)));
        assert_eq!((tiny.change, tiny.samples), (-40_008, 0));
    }

    #[test]
    fn the_change_is_that_of_the_series() {
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let mut builder = crate::trace::TraceBuilder::default();
            for _ in 0..random.between(0, 30) {
                sample(&mut builder, "memory", random.between(0, 100), random.between(-9, 9) as f64);
            }
            sample(&mut builder, "memory", 50, 3.0);
            for start in 0..100 {
                slice(&mut builder, 1, start * 2, Some(random.between(0, 2)), "work");
            }
            let trace = builder.finish().0;
            let series = Series::of_counter(&trace, CounterId::from_index(0));
            let row = &trace.tracks()[0].lanes[0].rows[0];
            for at in 0..row.len() {
                let (start, end) = (row.start(at), row.start(at) + row.summed(at));
                let change = series.value_at(end) - series.value_at(start);
                assert_eq!(of(&trace, 0, at as u32).change, change, "seed {seed}, slice {at}");
            }
        }
    }
}
