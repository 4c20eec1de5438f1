//! Pairing and nesting: from a thread's records in any order to lanes of rows.
//!
//! This is the rule for every track (A.2 of the import rules); [`stack`](super::stack) is the short cut for
//! records that come in order, and gives the same.
//!
//! 1. Pairing, in the order of time, ties in file order: an end closes the innermost slice opened by a begin
//!    that agrees with it in name and category; what is missing agrees with all. Begins above the match end
//!    with it, except those that began at that very time: they become the next siblings.
//! 2. Nesting, by start, at one start the longer first (but paired slices as their pairing has them): a slice
//!    that does not fit into the open ones goes to the first lane where it does. Nothing is dropped or stretched.
//!
//! Costs: O(n log n), 32 bytes a record and 64 a slice while it runs.

use std::collections::HashMap;

use super::args::{Args, ArgsId};
use super::fault::{FaultKind, Faults};
use super::lanes::{Lanes, NEVER, OPEN};
use super::row::Origin;
use super::track::Lane;
use crate::names::{NameId, Names, StrId};

/// What a record of a thread says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Begin,
    End,
    /// A whole slice; without a length it is unfinished.
    Complete(Option<i64>),
}

/// One record of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub ts: i64,
    /// The length, or a code below zero: lengths never are.
    dur: i64,
    pub name: NameId,
    pub args: Option<ArgsId>,
    /// Where it stands in the input; [`UNKNOWN`](Self::UNKNOWN) once it has been in a row.
    pub offset: u64,
}

impl Record {
    pub const UNKNOWN: u64 = u64::MAX;

    pub fn new(ts: i64, what: What, name: NameId, args: Option<ArgsId>, offset: u64) -> Self {
        let dur = match what {
            What::Begin => -1,
            What::End => -2,
            What::Complete(None) => -3,
            What::Complete(Some(dur)) => dur.max(0),
        };
        Record { ts, dur, name, args, offset }
    }

    pub fn what(&self) -> What {
        match self.dur {
            -1 => What::Begin,
            -2 => What::End,
            -3 => What::Complete(None),
            dur => What::Complete(Some(dur)),
        }
    }
}

/// A slice between pairing and nesting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub start: i64,
    pub end: i64,
    pub name: NameId,
    pub args: Option<ArgsId>,
    pub offset: u64,
    /// When a paired slice was opened and closed, counted in openings and closings.
    pub opened: u64,
    pub closed: u64,
    pub origin: Origin,
}

/// Nests the records of one thread whose last time is `last`.
///
/// Arguments of begin and end are joined in `keep`; a snapshot while loading gives none and shows no joined ones.
pub(super) fn nest(
    records: &mut [Record],
    last: i64,
    names: &mut Names,
    mut keep: Option<&mut Args>,
    faults: &mut Faults,
) -> Vec<Lane> {
    // ties keep the order of the file: the sort is stable
    records.sort_by_key(|record| record.ts);
    let mut pairing = Pairing { pieces: Vec::with_capacity(records.len()), ..Pairing::default() };
    for record in records.iter() {
        match record.what() {
            What::Begin => pairing.begin(record),
            What::End => pairing.end(record, names, keep.as_deref_mut(), faults),
            What::Complete(dur) => pairing.complete(record, dur),
        }
    }
    let mut pieces = pairing.pieces;
    sort_equal_starts(&mut pieces);
    let mut lanes = Lanes::default();
    for piece in &pieces {
        if piece.end == OPEN {
            faults.add(FaultKind::Unfinished, piece.offset);
        }
        if lanes.put(piece, last) > 0 {
            faults.add(FaultKind::Overlap, piece.offset);
            faults.overlap_range.get_or_insert((piece.start, lanes.main_end().min(piece.end)));
        }
    }
    lanes.finish()
}

#[derive(Default)]
struct Pairing {
    pieces: Vec<Piece>,
    open: Vec<usize>,
    /// How many of the first `counted` open pieces have each name: used once a search would be dear.
    open_names: HashMap<StrId, usize>,
    counted: usize,
    clock: u64,
}

/// Stack depth from which names are counted. Below it a search costs less than the counting.
const DEEP: usize = 64;

impl Pairing {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn begin(&mut self, record: &Record) {
        let opened = self.tick();
        self.open.push(self.pieces.len());
        let origin = Origin { paired: true, ..Origin::default() };
        self.pieces.push(piece(record, OPEN, opened, origin));
    }

    fn complete(&mut self, record: &Record, dur: Option<i64>) {
        let end = dur.map_or(OPEN, |dur| record.ts.saturating_add(dur));
        self.pieces.push(piece(record, end, 0, Origin::default()));
    }

    fn end(&mut self, record: &Record, names: &mut Names, keep: Option<&mut Args>, faults: &mut Faults) {
        let Some(found) = self.innermost_agreeing(record.name, names) else {
            faults.add(FaultKind::UnmatchedEnd, record.offset);
            return;
        };
        // starts ascend with depth, so those that began just now are the topmost
        let above = &self.open[found + 1..];
        let staying = found + 1 + above.partition_point(|&at| self.pieces[at].start < record.ts);
        for place in (found + 1..staying).rev() {
            faults.add(FaultKind::MisplacedEnd, record.offset);
            let closed = self.tick();
            let piece = &mut self.pieces[self.open[place]];
            (piece.end, piece.closed, piece.origin.end_implied) = (record.ts, closed, true);
        }
        let closed = self.tick();
        let piece = &mut self.pieces[self.open[found]];
        (piece.end, piece.closed) = (record.ts, closed);
        piece.name = closed_name(names, piece.name, record.name);
        if let Some(args) = keep {
            piece.args = joined(args, piece.args, record.args);
        }
        self.reopen_from(staying);
        self.uncount(found, staying, names);
        self.open.drain(found..staying);
    }

    /// Lets the open pieces from `staying` on, and what they hold, begin after everything closed so far.
    fn reopen_from(&mut self, staying: usize) {
        let Some(&first) = self.open.get(staying) else { return };
        let shift = self.clock + 1 - self.pieces[first].opened;
        for piece in self.pieces[first..].iter_mut().filter(|piece| piece.origin.paired) {
            piece.opened += shift;
            if piece.end != OPEN {
                piece.closed += shift;
            }
        }
        self.clock += shift;
    }

    fn innermost_agreeing(&mut self, end: NameId, names: &Names) -> Option<usize> {
        if self.open.len() > DEEP && !self.may_be_open(end, names) {
            return None;
        }
        self.open.iter().rposition(|&at| agree(names, self.pieces[at].name, end))
    }

    /// False only when no open piece can agree, so that a million strays do not search a million frames each.
    fn may_be_open(&mut self, end: NameId, names: &Names) -> bool {
        for &at in &self.open[self.counted..] {
            *self.open_names.entry(names.entry(self.pieces[at].name).name).or_default() += 1;
        }
        self.counted = self.open.len();
        let name = names.entry(end).name;
        let is_open = |name| self.open_names.get(&name).is_some_and(|&count| count > 0);
        name == StrId::EMPTY || is_open(name) || is_open(StrId::EMPTY)
    }

    fn uncount(&mut self, from: usize, to: usize, names: &Names) {
        let (from, to) = (from.min(self.counted), to.min(self.counted));
        for &at in &self.open[from..to] {
            if let Some(count) = self.open_names.get_mut(&names.entry(self.pieces[at].name).name) {
                *count -= 1;
            }
        }
        self.counted -= to - from;
    }
}

fn piece(record: &Record, end: i64, opened: u64, origin: Origin) -> Piece {
    let Record { ts: start, name, args, offset, .. } = *record;
    Piece { start, end, name, args, offset, opened, closed: NEVER, origin }
}

/// True when a begin and an end may belong together: equal in name and category, or missing on either side.
pub(super) fn agree(names: &Names, begin: NameId, end: NameId) -> bool {
    let fits = |a: StrId, b: StrId| a == b || a == StrId::EMPTY || b == StrId::EMPTY;
    let [a, b] = [begin, end].map(|id| names.entry(id));
    begin == end || fits(a.name, b.name) && fits(a.category, b.category)
}

/// The name of a slice once its end is known: a colour hint of the end goes over that of the begin.
pub(super) fn closed_name(names: &mut Names, begin: NameId, end: NameId) -> NameId {
    let (own, hint) = (names.entry(begin), names.entry(end).hint);
    if hint == StrId::EMPTY || hint == own.hint { begin } else { names.name(own.name, own.category, hint) }
}

/// The arguments of begin and end as one set.
pub(super) fn joined(args: &mut Args, begin: Option<ArgsId>, end: Option<ArgsId>) -> Option<ArgsId> {
    match (begin, end) {
        (Some(begin), Some(end)) => Some(args.join(begin, end)),
        (one, other) => one.or(other),
    }
}

/// Orders pieces of one start: the longer first, but paired ones as their pairing has them.
fn sort_equal_starts(pieces: &mut [Piece]) {
    for group in pieces.chunk_by_mut(|a, b| a.start == b.start).filter(|group| group.len() > 1) {
        // a paired slice stands before all later paired ones, so it counts as long as the longest of them
        let mut keyed: Vec<(i64, Piece)> = group.iter().map(|piece| (piece.end, *piece)).collect();
        let mut longest = i64::MIN;
        for (end, piece) in keyed.iter_mut().rev().filter(|(_, piece)| piece.origin.paired) {
            longest = longest.max(piece.end);
            *end = longest;
        }
        keyed.sort_by_key(|&(end, _)| std::cmp::Reverse(end));
        group.iter_mut().zip(keyed).for_each(|(place, (_, piece))| *place = piece);
    }
}
