//! Rows: the slices of one lane at one depth, in columns.
//!
//! Promises: starts never descend; slices do not overlap; while loading only the last one may be open.
//! Knows nothing of: input formats, pixels, colours, other rows.
//! Costs: push O(1); find a time O(log n); 16 bytes a slice, 0.4 of index, 8 more where there are args.

use std::ops::Range;

use super::args::ArgsId;
use super::column::Column;
use super::index::{BLOCK, Index};
use crate::names::NameId;

/// The code in the length column of a slice without an end.
const UNFINISHED: u32 = u32::MAX;
/// The code in the length column of a slice of 2^32 - 2 ns (4.29 s) or more: see `long`.
const LONG: u32 = u32::MAX - 1;
const NAME_BITS: u32 = 28;
const NAME_MASK: u32 = NameId::LIMIT - 1;

/// How a slice came to be, kept so that a track whose order breaks later can be paired again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// From a begin and an end, not from one complete record.
    pub paired: bool,
    /// The end that closed it gave no name.
    pub end_unnamed: bool,
    /// The end that closed it gave no category.
    pub end_uncategorised: bool,
    /// No end of its own: it was closed with a slice that enclosed it.
    pub end_implied: bool,
}

impl Origin {
    fn bits(self) -> u32 {
        u32::from(self.paired)
            | u32::from(self.end_unnamed) << 1
            | u32::from(self.end_uncategorised) << 2
            | u32::from(self.end_implied) << 3
    }

    fn from_bits(bits: u32) -> Self {
        Origin {
            paired: bits & 1 != 0,
            end_unnamed: bits & 2 != 0,
            end_uncategorised: bits & 4 != 0,
            end_implied: bits & 8 != 0,
        }
    }
}

/// Where a slice without an end stops being drawn and being summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenEnd {
    /// Drawn to here; `i64::MAX` means to the end of the trace.
    pub drawn_to: i64,
    /// Counted to here in sums: its thread's last time, or the end of what encloses it.
    pub summed_to: i64,
}

/// The slices of one depth.
#[derive(Clone, Debug, Default)]
pub struct Row {
    start: Column<i64>,
    dur: Column<u32>,
    name: Column<u32>,
    long: Vec<(u32, i64)>,
    open_ends: Vec<(u32, OpenEnd)>,
    args: Vec<(u32, ArgsId)>,
    index: Index,
}

impl Row {
    /// How many slices the row holds.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// True when it holds none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Start in ns, as in the file.
    #[inline]
    pub fn start(&self, at: usize) -> i64 {
        self.start.get(at)
    }

    /// Length in ns; `None` for a slice without an end.
    #[inline]
    pub fn dur(&self, at: usize) -> Option<i64> {
        match self.dur.get(at) {
            UNFINISHED => None,
            LONG => Some(self.long[self.long_at(at)].1),
            dur => Some(i64::from(dur)),
        }
    }

    /// End in ns as drawn; an unfinished slice ends at `trace_end` or with what encloses it.
    #[inline]
    pub fn end(&self, at: usize, trace_end: i64) -> i64 {
        match self.dur(at) {
            Some(dur) => self.start(at).saturating_add(dur),
            None => {
                self.open_end(at).map_or(trace_end, |open| open.drawn_to.min(trace_end)).max(self.start(at))
            }
        }
    }

    /// Length in ns as it counts in sums: an unfinished slice runs to its thread's last time.
    pub fn summed(&self, at: usize) -> i64 {
        self.dur(at)
            .unwrap_or_else(|| self.open_end(at).map_or(0, |open| (open.summed_to - self.start(at)).max(0)))
    }

    /// Name, category and colour hint.
    #[inline]
    pub fn name(&self, at: usize) -> NameId {
        NameId::from_index(self.name.get(at) & NAME_MASK)
    }

    /// How the slice came to be.
    pub fn origin(&self, at: usize) -> Origin {
        Origin::from_bits(self.name.get(at) >> NAME_BITS)
    }

    /// Where its arguments stand, if it has any. O(log n).
    pub fn args(&self, at: usize) -> Option<ArgsId> {
        let found = self.args.binary_search_by_key(&narrow(at), |entry| entry.0).ok()?;
        Some(self.args[found].1)
    }

    /// The first slice that ends after `time`, drawn or not. O(log n).
    pub fn first_reaching(&self, time: i64, trace_end: i64) -> usize {
        let after = self.first_starting_after(time);
        match after.checked_sub(1) {
            Some(last) if self.end(last, trace_end) > time => last,
            _ => after,
        }
    }

    /// The first slice that starts after `time`. O(log n): fences, then one block.
    pub fn first_starting_after(&self, time: i64) -> usize {
        let block = self.index.blocks_started_by(time).saturating_sub(1);
        // the unindexed tail is less than two blocks; only there can the search reach past this block
        let mut at = block * BLOCK;
        let end = if block + 1 < self.index.blocks() { at + BLOCK } else { self.len() };
        let mut size = end - at;
        while size > 0 {
            let half = size / 2;
            if self.start(at + half) <= time {
                at += half + 1;
                size -= half + 1;
            } else {
                size = half;
            }
        }
        at
    }

    /// The first slice at or after `from` that starts at `time` or later. O(log distance).
    pub fn gallop(&self, from: usize, time: i64) -> usize {
        let len = self.len();
        let (mut low, mut step) = (from, 1);
        while low + step <= len && self.start(low + step - 1) < time {
            low += step;
            step *= 2;
        }
        let mut size = step.min(len - low);
        while size > 0 {
            let half = size / 2;
            if self.start(low + half) < time {
                low += half + 1;
                size -= half + 1;
            } else {
                size = half;
            }
        }
        low
    }

    /// Time covered by the slices of `range`, in ns. O(64).
    pub fn covered(&self, range: Range<usize>) -> i64 {
        if range.len() <= BLOCK {
            return range.map(|at| self.summed(at)).fold(0, i64::saturating_add);
        }
        self.covered_before(range.end).saturating_sub(self.covered_before(range.start))
    }

    fn covered_before(&self, at: usize) -> i64 {
        let block = (at / BLOCK).min(self.index.blocks());
        let rest = block * BLOCK..at;
        rest.fold(self.index.covered_before(block), |sum, at| sum.saturating_add(self.summed(at)))
    }

    /// The first of the longest slices of `range`; unfinished ones are longest. O(64 + log n).
    pub fn longest(&self, range: Range<usize>) -> Option<usize> {
        let (from, to) = (range.start.div_ceil(BLOCK), (range.end / BLOCK).min(self.index.blocks()));
        if from >= to {
            return self.longest_by_scan(range).map(|(at, _)| at);
        }
        let head = self.longest_by_scan(range.start..from * BLOCK);
        let middle = self.index.longest_block(from, to).and_then(|(block, max)| {
            let (best_so_far, block) = (head.map_or(-1, |(_, dur)| dur), block * BLOCK..(block + 1) * BLOCK);
            (max > best_so_far).then(|| self.longest_by_scan(block)).flatten()
        });
        let tail = self.longest_by_scan(to * BLOCK..range.end);
        // `max_by_key` keeps the last of equals: offered from the back, that is the first slice
        [tail, middle, head].into_iter().flatten().max_by_key(|&(_, dur)| dur).map(|(at, _)| at)
    }

    fn longest_by_scan(&self, range: Range<usize>) -> Option<(usize, i64)> {
        range.rev().map(|at| (at, self.dur(at).unwrap_or(i64::MAX))).max_by_key(|&(_, dur)| dur)
    }

    /// Bytes held, unused room included.
    pub fn heap_bytes(&self) -> usize {
        let columns = self.start.heap_bytes() + self.dur.heap_bytes() + self.name.heap_bytes();
        let sides = self.long.capacity() * size_of::<(u32, i64)>()
            + self.open_ends.capacity() * size_of::<(u32, OpenEnd)>()
            + self.args.capacity() * size_of::<(u32, ArgsId)>();
        columns + sides + self.index.heap_bytes()
    }

    fn long_at(&self, at: usize) -> usize {
        self.long
            .binary_search_by_key(&narrow(at), |entry| entry.0)
            .expect("every slice with the LONG code has an entry")
    }

    fn open_end(&self, at: usize) -> Option<OpenEnd> {
        let found = self.open_ends.binary_search_by_key(&narrow(at), |entry| entry.0).ok()?;
        Some(self.open_ends[found].1)
    }
}

/// Writing: for the builder only.
impl Row {
    /// Adds a slice at or after the last one's end; `dur` is `None` while its end is not known.
    pub(super) fn push(&mut self, start: i64, dur: Option<i64>, name: NameId, origin: Origin) {
        let at = self.len();
        assert!(at < u32::MAX as usize, "a row holds fewer than 2^32 slices");
        if at >= BLOCK && at.is_multiple_of(BLOCK) {
            self.index_block(at - BLOCK);
        }
        self.start.push(start);
        self.dur.push(UNFINISHED);
        self.name.push(narrow(name.index()) | origin.bits() << NAME_BITS);
        if let Some(dur) = dur {
            self.set_dur(at, dur);
        }
    }

    /// Gives the last slice its end, its final name and how it ended.
    pub(super) fn close_last(&mut self, end: i64, name: NameId, origin: Origin) {
        let at = self.len() - 1;
        self.name.set(at, narrow(name.index()) | origin.bits() << NAME_BITS);
        self.set_dur(at, end.saturating_sub(self.start(at)));
    }

    /// Says where the last slice, which has no end, stops being drawn and summed.
    pub(super) fn leave_last_open(&mut self, open: OpenEnd) {
        self.open_ends.push((narrow(self.len() - 1), open));
    }

    /// Attaches arguments to the last slice, in place of those it has.
    pub(super) fn set_last_args(&mut self, args: ArgsId) {
        let at = narrow(self.len() - 1);
        match self.args.last_mut() {
            Some(entry) if entry.0 == at => entry.1 = args,
            _ => self.args.push((at, args)),
        }
    }

    /// Gives back unused room once nothing more will come.
    pub(super) fn shrink(&mut self) {
        self.start.shrink();
        self.dur.shrink();
        self.name.shrink();
        self.long.shrink_to_fit();
        self.args.shrink_to_fit();
        self.open_ends.shrink_to_fit();
        self.index.shrink();
    }

    fn set_dur(&mut self, at: usize, dur: i64) {
        match u32::try_from(dur) {
            Ok(short) if short < LONG => self.dur.set(at, short),
            _ => {
                self.dur.set(at, LONG);
                self.long.push((narrow(at), dur));
            }
        }
    }

    fn index_block(&mut self, first: usize) {
        let block = first..first + BLOCK;
        let covered = block.clone().map(|at| self.summed(at)).fold(0, i64::saturating_add);
        let longest = block.map(|at| self.dur(at).unwrap_or(i64::MAX)).max().unwrap_or(0);
        self.index.push(self.start(first), covered, longest);
    }
}

/// An index or id of this row as its column holds it.
fn narrow(at: usize) -> u32 {
    // push refuses the 2^32nd slice, so every index fits
    at as u32
}
