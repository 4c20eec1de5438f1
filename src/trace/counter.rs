//! Counters: numbers over time, one series for each key of a counter.
//!
//! Promises: after sorting, times ascend, equal ones in file order; a value holds until the next sample.
//! Does not do: units. A reader guesses them from the label.
//! Costs: 16 bytes a sample and a quarter of index; a range's extremes O(range / 64 + 64).

use std::ops::Range;

use super::column::Column;
use super::track::ProcessId;
use crate::names::StrId;

/// A series of the trace, dense from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CounterId(pub(super) u32);

impl CounterId {
    /// The bare number: an index into [`Trace::counters`](super::Trace::counters).
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this number; the caller got it from [`index`](Self::index).
    pub fn from_index(index: usize) -> Self {
        CounterId(index as u32)
    }
}

/// One series: a key of a counter of a process.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Whose counter it is.
    pub process: ProcessId,
    /// Which counter it belongs to: index of its [`CounterGroup`].
    pub group: u32,
    /// The key within the counter.
    pub key: StrId,
    time: Column<i64>,
    value: Column<f64>,
    extremes: Vec<Extremes>,
    factor: f64,
    unsorted: bool,
}

/// A counter of a process: the series that share its name and id.
#[derive(Clone, Debug)]
pub struct CounterGroup {
    /// The counter's name.
    pub name: StrId,
    /// Tells counters of one name apart; empty when the file gave none.
    pub id: StrId,
    /// How many keys it has had.
    pub keys: u32,
}

/// The smallest and largest value of some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Extremes {
    const NONE: Extremes = Extremes { min: f64::INFINITY, max: f64::NEG_INFINITY };

    fn with(self, other: Extremes) -> Extremes {
        Extremes { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// Samples under one pair of extremes.
const BLOCK: usize = 64;

impl Counter {
    pub(super) fn new(process: ProcessId, group: u32, key: StrId) -> Self {
        Counter {
            process,
            group,
            key,
            time: Column::default(),
            value: Column::default(),
            extremes: Vec::new(),
            factor: 1.0,
            unsorted: false,
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Time of a sample in ns, as in the file.
    pub fn time(&self, at: usize) -> i64 {
        self.time.get(at)
    }

    /// Value of a sample.
    pub fn value(&self, at: usize) -> f64 {
        self.value.get(at)
    }

    /// The value that holds at `time`: that of the last sample at or before it. O(log n).
    pub fn value_at(&self, time: i64) -> Option<f64> {
        let after = self.time.first_where(|value| value > time);
        after.checked_sub(1).map(|at| self.value(at))
    }

    /// The first sample at `time` or later. O(log n).
    pub fn first_at(&self, time: i64) -> usize {
        self.time.first_where(|value| value >= time)
    }

    /// Smallest and largest value of `range`; `None` when it is empty. O(range / 64 + 64).
    pub fn extremes(&self, range: Range<usize>) -> Option<Extremes> {
        if range.is_empty() {
            return None;
        }
        let (from, to) = (range.start.div_ceil(BLOCK), (range.end / BLOCK).min(self.extremes.len()));
        if from >= to {
            return Some(self.scan(range));
        }
        let middle = self.extremes[from..to].iter().copied().fold(Extremes::NONE, Extremes::with);
        let ends = self.scan(range.start..from * BLOCK).with(self.scan(to * BLOCK..range.end));
        Some(middle.with(ends))
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.time.heap_bytes() + self.value.heap_bytes() + self.extremes.capacity() * size_of::<Extremes>()
    }

    fn scan(&self, range: Range<usize>) -> Extremes {
        range.fold(Extremes::NONE, |so_far, at| {
            let value = self.value(at);
            so_far.with(Extremes { min: value, max: value })
        })
    }
}

/// Writing: for the builder only.
impl Counter {
    pub(super) fn push(&mut self, time: i64, value: f64) {
        self.unsorted |= self.time.last().is_some_and(|last| last > time);
        self.time.push(time);
        self.value.push(value * self.factor);
        if self.len().is_multiple_of(BLOCK) {
            self.extremes.push(self.scan(self.len() - BLOCK..self.len()));
        }
    }

    /// Puts the samples in the order of time. O(n log n) when they were not.
    pub(super) fn sort(&mut self) {
        if !std::mem::take(&mut self.unsorted) {
            return;
        }
        let mut samples: Vec<(i64, f64)> = self.time.iter().zip(self.value.iter()).collect();
        samples.sort_by_key(|sample| sample.0);
        self.refill(samples.into_iter());
    }

    /// Multiplies all samples, those that are there and those that come.
    pub(super) fn scale(&mut self, factor: f64) {
        let samples: Vec<(i64, f64)> =
            self.time.iter().zip(self.value.iter()).map(|(time, value)| (time, value * factor)).collect();
        let factor = self.factor * factor;
        self.refill(samples.into_iter());
        self.factor = factor;
    }

    /// Puts samples as they are in place of all that are there.
    fn refill(&mut self, samples: impl Iterator<Item = (i64, f64)>) {
        let factor = self.factor;
        *self = Counter::new(self.process, self.group, self.key);
        samples.for_each(|(time, value)| self.push(time, value));
        self.factor = factor;
    }

    pub(super) fn shrink(&mut self) {
        self.time.shrink();
        self.value.shrink();
        self.extremes.shrink_to_fit();
    }
}
