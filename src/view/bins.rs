//! Walking rows, counters and instants bin by bin instead of one by one.
//!
//! ```text
//! bins      |       |       |       |       |       |
//! slices    ▐█████████████▌ ▐▌▐▌  ▐▌▐███████████▌
//! pieces    └─── one ─────┘ └ three ┘└── one ───┘      a slice of a bin or more stands for itself
//! ```
//!
//! Promises: every slice that reaches the window is in exactly one piece, pieces ascend and don't overlap; the
//! end of a bin of many slices may be moved by a fraction of a pixel; `reference` finds the same pieces by
//! looking at every slice.
//! Costs: O(pieces × log(slices they stand for)), and there are at most two pieces a bin.

use std::ops::Range;

use crate::trace::{Counter, Instants, Row};

/// The stretch of time to walk, and the width of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    /// First time.
    pub from: i64,
    /// First time that is no longer asked for.
    pub to: i64,
    /// Width of a bin, a power of two.
    pub bin_ns: i64,
    /// Where unfinished slices end.
    pub trace_end: i64,
}

/// Neighbouring slices of a row that are drawn as one rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The slices.
    pub slices: Range<usize>,
    /// The longest of them, the first of equals: the one that is named.
    pub shown: usize,
    /// Time in ns that they cover.
    pub covered: i64,
}

/// Neighbouring samples of a counter that share a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Time of the first.
    pub time: i64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Last value.
    pub last: f64,
}

/// Slices that a row's index has one entry for.
const BLOCK: usize = 64;
/// A bin of more slices ends with a whole block of the index, and the rest, less than an eighth of a pixel,
/// goes with the next: then nothing but the index is read, and 10 million slices cost a third as much.
pub const MANY: usize = 8 * BLOCK;
/// Slices that are looked at one by one: asking the row's index twice costs as much.
const FEW: usize = 48;

impl Piece {
    fn of(row: &Row, slices: Range<usize>) -> Piece {
        if slices.len() > FEW {
            let shown = row.longest(slices.clone()).unwrap_or(slices.start);
            return Piece { shown, covered: row.covered(slices.clone()), slices };
        }
        let (mut shown, mut longest, mut covered) = (slices.start, -1, 0_i64);
        for at in slices.clone() {
            let dur = row.dur(at);
            covered = covered.saturating_add(dur.unwrap_or_else(|| row.summed(at)));
            // unfinished slices are longest
            let dur = dur.unwrap_or(i64::MAX);
            if dur > longest {
                (shown, longest) = (at, dur);
            }
        }
        Piece { slices, shown, covered }
    }
}

impl Bins {
    /// Bins over `from..to`, widened to whole ones, so that no bin is cut in two.
    pub fn new(from: i64, to: i64, bin_ns: i64, trace_end: i64) -> Self {
        let bins = Bins { from: from & -bin_ns, to, bin_ns, trace_end };
        let is_whole = to & (bin_ns - 1) == 0;
        if is_whole { bins } else { Bins { to: bins.next_after(to), ..bins } }
    }

    /// The start of the bin after that of `time`; saturates at the end of time.
    pub fn next_after(&self, time: i64) -> i64 {
        (time & -self.bin_ns).saturating_add(self.bin_ns)
    }

    /// The slices of `row` as pieces.
    pub fn pieces(&self, row: &Row, mut emit: impl FnMut(Piece)) {
        let is_long = |at: usize| row.end(at, self.trace_end).saturating_sub(row.start(at)) >= self.bin_ns;
        let mut at = row.first_reaching(self.from, self.trace_end);
        let mut reached = i64::MIN;
        while at < row.len() {
            let start = row.start(at);
            if start >= self.to {
                return;
            }
            let mut next = at + 1;
            if !is_long(at) {
                let end_of_bin = self.next_after(start.max(reached));
                next = first_at(row, next, end_of_bin);
                // only the last to start in a bin can be long, for it ends outside; it stands for itself
                if next - at > 1 && is_long(next - 1) {
                    next -= 1;
                } else if next - at > MANY {
                    (next, reached) = (next / BLOCK * BLOCK, end_of_bin);
                }
            }
            emit(Piece::of(row, at..next));
            at = next;
        }
    }

    /// The samples of `counter` as steps, from the one that holds at the window's start.
    pub fn steps(&self, counter: &Counter, mut emit: impl FnMut(Step)) {
        let holding = counter.first_at(self.from).saturating_sub(1);
        self.groups(
            counter.len(),
            holding,
            |at| counter.time(at),
            |group| {
                if let Some(extremes) = counter.extremes(group.clone()) {
                    let (time, last) = (counter.time(group.start), counter.value(group.end - 1));
                    emit(Step { time, min: extremes.min, max: extremes.max, last });
                }
            },
        );
    }

    /// The instants as groups that share a bin.
    pub fn instants(&self, instants: &Instants, emit: impl FnMut(Range<usize>)) {
        self.groups(instants.len(), instants.first_at(self.from), |at| instants.time(at), emit);
    }

    fn groups(
        &self,
        len: usize,
        first: usize,
        time: impl Fn(usize) -> i64,
        mut emit: impl FnMut(Range<usize>),
    ) {
        let mut at = first;
        while at < len && time(at) < self.to {
            let end_of_bin = self.next_after(time(at));
            let next = gallop(at + 1, len, |at| time(at) >= end_of_bin);
            emit(at..next);
            at = next;
        }
    }
}

/// The first slice at or after `from` that starts at `time` or later. Near ones by doubling steps, far ones by
/// the row's index, which touches a few cache lines where doubling touches one a step.
fn first_at(row: &Row, from: usize, time: i64) -> usize {
    let is_far = from + BLOCK < row.len() && row.start(from + BLOCK) < time;
    if is_far { row.first_starting_after(time - 1) } else { row.gallop(from, time) }
}

/// The first index in `from..len` that `holds`, when all before it do not; O(log distance).
pub(super) fn gallop(from: usize, len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut step) = (from, 1);
    while low + step <= len && !holds(low + step - 1) {
        low += step;
        step *= 2;
    }
    let mut size = step.min(len - low);
    while size > 0 {
        let half = size / 2;
        if holds(low + half) {
            size = half;
        } else {
            low += half + 1;
            size -= half + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::view::sample::{Random, random_row_trace};

    #[test]
    fn pieces_equal_those_of_looking_at_every_slice_for_random_rows_and_windows() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let longest = if seed % 10 == 0 { 20_000 } else { 700 };
            let trace = random_row_trace(&mut random, 1 + (seed as usize * 977) % longest);
            let (first, last) = trace.span().unwrap();
            for row in trace.tracks().iter().flat_map(|track| track.rows()) {
                for _ in 0..20 {
                    let from = random.between(first - 50, last + 50);
                    let to = from + 1 + random.between(0, 2 * (last - first));
                    let bins = Bins::new(from, to, 1 << random.between(0, 20), trace.end());
                    let mut pieces = Vec::new();
                    bins.pieces(row, |piece| pieces.push(piece));
                    assert_eq!(pieces, reference::pieces(&bins, row), "seed {seed}, {bins:?}");
                }
            }
        }
    }

    #[test]
    fn steps_equal_those_of_looking_at_every_sample() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let trace = crate::view::sample::random_counter_trace(&mut random, 1 + seed as usize * 11);
            let (first, last) = trace.span().unwrap();
            for _ in 0..20 {
                let from = random.between(first - 50, last + 50);
                let to = from + 1 + random.between(0, last - first);
                let bins = Bins::new(from, to, 1 << random.between(0, 12), last);
                let mut steps = Vec::new();
                bins.steps(&trace.counters()[0], |step| steps.push(step));
                assert_eq!(steps, reference::steps(&bins, &trace.counters()[0]), "seed {seed}, {bins:?}");
            }
        }
    }

    #[test]
    fn bins_at_the_ends_of_time_do_not_overflow() {
        let bins = Bins::new(i64::MIN, i64::MAX, 1 << 62, i64::MAX);
        assert_eq!(bins.next_after(i64::MAX), i64::MAX);
        assert_eq!(bins.next_after(i64::MIN), -(1 << 62));
        assert_eq!(bins.next_after(-1), 0);
        assert_eq!(gallop(3, 3, |_| true), 3);
        assert_eq!(gallop(0, 100, |at| at >= 63), 63);
        assert_eq!(gallop(0, 100, |_| false), 100);
    }
}
