//! Memory over time as whole bytes: a counter, what was allocated, and what of it no pool accounts for.
//!
//! ```text
//! allocator   ●      ●   ●       one point for each of its samples,
//! pools        ○      ○ ○ ○      less what the pools hold right after it
//! excess      ◆      ◆   ◆
//! ```
//!
//! Comet logs the pools some microseconds after the allocator. Comparing both at every moment would show an
//! excess in between that never was, so each sample of the allocator is paired with the pools' next one.
//!
//! Promises: times ascend strictly, samples of one time count together; between two points the value goes in a
//! straight line, before the first and after the last it stands still.
//! Does not do: fractions; a value counts as the nearest whole number.
//! Costs: O(samples × log counters), 16 bytes a point.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::comet::CometCounter;
use crate::trace::{Counter, CounterId, ProcessId, Trace};

/// How long after the allocator the pools' sample may come to be of the same moment, in ns. The recorder logs
/// them one after another; only a thread that is put to sleep in between needs longer.
const PAIRED_WITHIN: i64 = 1_000_000;
/// Larger values count as this; so many bytes are counted exactly.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// Points of a quantity in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    points: Vec<(i64, i64)>,
}

impl Series {
    /// One counter. O(samples).
    pub fn of_counter(trace: &Trace, id: CounterId) -> Series {
        let counter = &trace.counters()[id.index()];
        Series::from_points((0..counter.len()).map(|at| (counter.time(at), whole(counter.value(at)))))
    }

    /// What a process of Comet has allocated: by `native_allocated`, or else by jemalloc.
    pub fn allocated(trace: &Trace, process: ProcessId) -> Option<Series> {
        Some(Series::of_counter(trace, allocator(trace, process)?))
    }

    /// What a process of Comet has allocated and no pool has reserved, at each sample of the allocator.
    pub fn excess(trace: &Trace, process: ProcessId) -> Option<Series> {
        let allocated = Series::allocated(trace, process)?;
        let pools: Vec<&Counter> =
            pools(trace, process)?.iter().map(|id| &trace.counters()[id.index()]).collect();
        let mut pairs = Pairs { allocated: &allocated.points, at: 0, held: 0, points: Vec::new() };
        sum_steps(&pools, i64::MIN, i64::MAX, |time, sum| pairs.take(time, whole(sum)));
        pairs.pass(i64::MAX);
        Some(Series { points: pairs.points })
    }

    /// Points in the order of time; the last of one time counts.
    pub fn from_points(points: impl Iterator<Item = (i64, i64)>) -> Series {
        let mut series = Series::default();
        for (time, value) in points {
            match series.points.last_mut() {
                Some(last) if last.0 == time => last.1 = value,
                _ => series.points.push((time, value)),
            }
        }
        series
    }

    /// The points, times ascending.
    pub fn points(&self) -> &[(i64, i64)] {
        &self.points
    }

    /// The points from `from` to `to`, both included.
    pub fn within(&self, from: i64, to: i64) -> Series {
        let start = self.points.partition_point(|point| point.0 < from);
        let end = self.points.partition_point(|point| point.0 <= to);
        Series { points: self.points[start..end.max(start)].to_vec() }
    }

    /// Last value less first; 0 without points.
    pub fn change(&self) -> i64 {
        let first = self.points.first().map_or(0, |point| point.1);
        self.points.last().map_or(0, |point| point.1) - first
    }

    /// The value at `time`, in a straight line between points; 0 without points. O(log n).
    pub fn value_at(&self, time: i64) -> i64 {
        let after = self.points.partition_point(|point| point.0 <= time);
        match (after.checked_sub(1), self.points.get(after)) {
            (Some(before), Some(&next)) => between(self.points[before], next, time),
            (Some(last), None) => self.points[last].1,
            (None, first) => first.map_or(0, |point| point.1),
        }
    }
}

/// Pairs the allocator's samples with the steps of the pools as they come.
struct Pairs<'a> {
    allocated: &'a [(i64, i64)],
    at: usize,
    /// What the pools hold.
    held: i64,
    points: Vec<(i64, i64)>,
}

impl Pairs<'_> {
    fn take(&mut self, time: i64, reserved: i64) {
        self.pass(time.saturating_sub(PAIRED_WITHIN));
        self.held = reserved;
        self.pass(time.saturating_add(1));
    }

    /// The samples before `time` have what the pools hold now.
    fn pass(&mut self, time: i64) {
        while let Some(&(at, allocated)) = self.allocated.get(self.at).filter(|point| point.0 < time) {
            self.points.push((at, allocated - self.held));
            self.at += 1;
        }
    }
}

/// The counter of what a process of Comet has allocated.
pub fn allocator(trace: &Trace, process: ProcessId) -> Option<CounterId> {
    let kinds = [CometCounter::NativeAllocated, CometCounter::JemallocAllocated];
    kinds.iter().find_map(|kind| kind.in_process(trace, process).first().copied())
}

/// The counters that say in sum what the pools of a process of Comet have reserved.
fn pools(trace: &Trace, process: ProcessId) -> Option<Vec<CounterId>> {
    let kinds = [CometCounter::ReservedTotal, CometCounter::ThreadReserved];
    kinds.iter().map(|kind| kind.in_process(trace, process)).find(|ids| !ids.is_empty())
}

/// The value at `time` on the straight line between two points, rounded to a whole number.
pub(super) fn between(from: (i64, i64), to: (i64, i64), time: i64) -> i64 {
    from.1 + portion(to.1 - from.1, span(from.0, time), span(from.0, to.0))
}

/// `whole` × `part` / `all`, rounded; exactly `whole` where part is all.
pub(super) fn portion(whole: i64, part: f64, all: f64) -> i64 {
    // all steps are IEEE's, so the same everywhere; values stay below 2^54
    (whole as f64 * (part / all)).round() as i64
}

/// Length of time as a float: it never overflows, and is exact to 104 days.
pub(super) fn span(from: i64, to: i64) -> f64 {
    match to.checked_sub(from) {
        Some(length) => length as f64,
        None => to as f64 - from as f64,
    }
}

pub(super) fn whole(value: f64) -> i64 {
    value.clamp(-LARGEST, LARGEST).round() as i64
}

/// Calls `emit` with the sum at each time at which it has samples, from the last time before `from` until `to`.
///
/// Samples of one time count together; a counter before its first sample counts nothing.
/// O(samples × log counters).
pub fn sum_steps(counters: &[&Counter], from: i64, to: i64, mut emit: impl FnMut(i64, f64)) {
    let mut next: Vec<usize> = counters.iter().map(|counter| counter.first_at(from)).collect();
    let before =
        |at: usize| next[at].checked_sub(1).map(|last| (counters[at].time(last), counters[at].value(last)));
    let held: Vec<Option<(i64, f64)>> = (0..counters.len()).map(before).collect();
    let mut values: Vec<f64> = held.iter().map(|held| held.map_or(0.0, |held| held.1)).collect();
    let mut sum: f64 = values.iter().sum();
    if let Some(last) = held.iter().flatten().map(|held| held.0).max() {
        emit(last, sum);
    }
    let time_of = |at: usize, next: &[usize]| {
        let time = (next[at] < counters[at].len()).then(|| counters[at].time(next[at]));
        time.filter(|&time| time < to).map(|time| Reverse((time, at)))
    };
    let mut waiting: BinaryHeap<_> = (0..counters.len()).filter_map(|at| time_of(at, &next)).collect();
    while let Some(Reverse((time, at))) = waiting.pop() {
        let mut at = at;
        // all samples of this time, of this counter and of the others
        loop {
            while next[at] < counters[at].len() && counters[at].time(next[at]) == time {
                let value = counters[at].value(next[at]);
                sum += value - values[at];
                values[at] = value;
                next[at] += 1;
            }
            waiting.extend(time_of(at, &next));
            match waiting.peek() {
                Some(&Reverse((same, other))) if same == time => at = other,
                _ => break,
            }
            waiting.pop();
        }
        emit(time, sum);
    }
}
