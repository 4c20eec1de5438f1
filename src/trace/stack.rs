//! The short cut for a thread whose records come in order: each goes straight into its final row.
//!
//! The open slice of depth d is the last one of row d, so there is no list of events and no sort.
//! What a stack can't decide at once (time goes back, a complete slice crosses the end of another) is refused
//! with [`Unordered`]; [`replay`](Stack::replay) then gives all records back, and [`nest`](super::nest) decides.
//!
//! Promises: rows equal those of `nest` for the same records. Costs: O(1) a record; half a byte a slice.

use super::args::Args;
use super::column::Column;
use super::fault::{FaultKind, Faults};
use super::nest::{Record, What, agree, closed_name, joined};
use super::row::{OpenEnd, Origin, Row};
use crate::names::{NameId, Names, StrId};

/// The record can't be placed by a stack alone.
#[derive(Debug)]
pub(super) struct Unordered;

/// A thread's open slices, and what is needed to get its records back.
#[derive(Debug)]
pub(super) struct Stack {
    open: Vec<Open>,
    log: Log,
    /// Ends that matched nothing, and before which entry of the log they came.
    strays: Vec<(usize, Record)>,
    /// Ends whose name does not follow from their slice's, and which entry of the log they are.
    odd_ends: Vec<(usize, NameId)>,
    last: i64,
    /// When the last paired slice without length was closed.
    empty_pair: Option<i64>,
}

impl Default for Stack {
    fn default() -> Self {
        Stack {
            open: Vec::new(),
            log: Log::default(),
            strays: Vec::new(),
            odd_ends: Vec::new(),
            last: i64::MIN,
            empty_pair: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Open {
    start: i64,
    /// `OPEN` for a begin and for a complete slice without a length.
    end: i64,
    /// The first end of the complete slices from here down: nothing inside may pass it.
    limit: i64,
    name: NameId,
    is_begin: bool,
    offset: u64,
}

const OPEN: i64 = i64::MAX;
/// How far down an end looks for its begin here; from there on `nest` has a faster way.
const SEARCH_DEPTH: usize = 1000;

/// What writing a record may touch.
pub(super) struct Target<'a> {
    pub rows: &'a mut Vec<Row>,
    pub names: &'a mut Names,
    pub args: &'a mut Args,
    pub faults: &'a mut Faults,
}

impl Stack {
    /// Places `record`, or leaves everything as it was.
    pub fn place(&mut self, record: &Record, target: &mut Target) -> Result<(), Unordered> {
        if record.ts < self.last {
            return Err(Unordered);
        }
        match record.what() {
            What::Begin => self.begin(record, target)?,
            What::End => self.end(record, target)?,
            What::Complete(dur) => self.complete(record, dur, target)?,
        }
        self.last = record.ts;
        Ok(())
    }

    fn begin(&mut self, record: &Record, target: &mut Target) -> Result<(), Unordered> {
        let ts = record.ts;
        self.close_complete_until(ts);
        let limit = self.limit();
        // a complete slice ended below an open begin, or one without length would have to stand behind this
        if limit <= ts {
            return Err(Unordered);
        }
        let origin = Origin { paired: true, ..Origin::default() };
        let (start, end) = (ts, OPEN);
        self.push(Open { start, end, limit, name: record.name, is_begin: true, offset: record.offset });
        self.write(record, None, origin, target);
        self.log.push(Step::Begin);
        Ok(())
    }

    fn complete(&mut self, record: &Record, dur: Option<i64>, target: &mut Target) -> Result<(), Unordered> {
        let ts = record.ts;
        let end = dur.map_or(OPEN, |dur| ts.saturating_add(dur));
        self.close_complete_until(ts);
        let inside_empty = self.open.last().is_some_and(|top| !top.is_begin && top.end == ts);
        let limit = self.limit();
        let fits = if inside_empty { end == ts } else { limit > ts && (limit >= end || end == OPEN) };
        // at one start the longer comes first, and only sorting knows which that is
        let unclear = end == OPEN && self.open.last().is_some_and(|top| top.start == ts);
        if !fits || unclear || self.empty_pair == Some(ts) {
            return Err(Unordered);
        }
        let (start, limit) = (ts, limit.min(end));
        self.push(Open { start, end, limit, name: record.name, is_begin: false, offset: record.offset });
        self.write(record, dur, Origin::default(), target);
        self.log.push(Step::Complete);
        Ok(())
    }

    fn end(&mut self, record: &Record, target: &mut Target) -> Result<(), Unordered> {
        let ts = record.ts;
        self.close_complete_until(ts);
        if self.open.last().is_some_and(|top| !top.is_begin || top.limit < ts) {
            return Err(Unordered);
        }
        let Some(found) = self.innermost_agreeing(record.name, target.names)? else {
            target.faults.add(FaultKind::UnmatchedEnd, record.offset);
            self.strays.push((self.log.len(), *record));
            return Ok(());
        };
        if self.open[found + 1..].iter().any(|open| open.start == ts) {
            return Err(Unordered);
        }
        for depth in (found + 1..self.open.len()).rev() {
            target.faults.add(FaultKind::MisplacedEnd, record.offset);
            let origin = Origin { paired: true, end_implied: true, ..Origin::default() };
            target.rows[depth].close_last(ts, self.open[depth].name, origin);
        }
        let open = self.open[found];
        let (ended, row) = (target.names.entry(record.name), &mut target.rows[found]);
        let origin = Origin {
            paired: true,
            end_unnamed: ended.name == StrId::EMPTY,
            end_uncategorised: ended.category == StrId::EMPTY,
            end_implied: false,
        };
        row.close_last(ts, closed_name(target.names, open.name, record.name), origin);
        if record.args.is_some() {
            let args = joined(target.args, row.args(row.len() - 1), record.args);
            args.into_iter().for_each(|args| row.set_last_args(args));
        }
        let slice = row.name(row.len() - 1);
        if end_name(target.names, slice, origin) != record.name {
            self.odd_ends.push((self.log.len(), record.name));
        }
        self.open.truncate(found);
        self.log.push(Step::End);
        if open.start == ts {
            self.empty_pair = Some(ts);
        }
        Ok(())
    }

    /// The place of the begin that an end closes; `Unordered` when that needs a longer look.
    fn innermost_agreeing(&self, end: NameId, names: &Names) -> Result<Option<usize>, Unordered> {
        for (searched, place) in (0..self.open.len()).rev().enumerate() {
            let open = &self.open[place];
            if !open.is_begin || searched == SEARCH_DEPTH {
                return Err(Unordered);
            }
            if agree(names, open.name, end) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Takes complete slices off that ended by `ts`, but not one without length at `ts`.
    fn close_complete_until(&mut self, ts: i64) {
        while let Some(top) = self.open.last() {
            if top.is_begin || top.end > ts || top.start == ts {
                return;
            }
            self.open.pop();
            self.log.push(Step::CompleteOver);
        }
    }

    fn limit(&self) -> i64 {
        self.open.last().map_or(OPEN, |top| top.limit)
    }

    fn push(&mut self, open: Open) {
        self.open.push(open);
    }

    /// Writes the slice that was just opened into the row of its depth.
    fn write(&self, record: &Record, dur: Option<i64>, origin: Origin, target: &mut Target) {
        let depth = self.open.len() - 1;
        if depth == target.rows.len() {
            target.rows.push(Row::default());
        }
        let row = &mut target.rows[depth];
        row.push(record.ts, dur, record.name, origin);
        if let Some(args) = record.args {
            row.set_last_args(args);
        }
    }

    /// Settles what is still open at the end of the input; `last` is the thread's last time.
    pub fn finish(&mut self, last: i64, target: &mut Target) -> Result<(), Unordered> {
        let crosses =
            |pair: &[Open]| !pair[0].is_begin && pair[1].end == OPEN && pair[0].start == pair[1].start;
        if self.open.windows(2).any(crosses) {
            return Err(Unordered);
        }
        for (depth, open) in self.open.iter().enumerate().filter(|(_, open)| open.end == OPEN) {
            target.faults.add(FaultKind::Unfinished, open.offset);
            let end = OpenEnd { drawn_to: open.limit, summed_to: open.limit.min(last) };
            target.rows[depth].leave_last_open(end);
        }
        Ok(())
    }

    /// All records placed so far, in the order in which they came.
    pub fn replay(&self, rows: &[Row], names: &mut Names, args: &mut Args) -> Vec<Record> {
        let mut records = Vec::with_capacity(self.log.len() + self.strays.len());
        let mut strays = self.strays.iter().peekable();
        let mut odd_ends = self.odd_ends.iter().peekable();
        let mut next = vec![0; rows.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, step) in self.log.iter().enumerate() {
            while let Some((_, stray)) = strays.next_if(|stray| stray.0 == at) {
                records.push(*stray);
            }
            match step {
                Step::CompleteOver => drop(open.pop()),
                Step::Begin | Step::Complete => {
                    let depth = open.len();
                    let (row, slice) = (&rows[depth], next[depth]);
                    next[depth] += 1;
                    open.push(slice);
                    let (what, own) = match step {
                        Step::Begin => (What::Begin, row.args(slice).and_then(|id| args.split(id).0)),
                        _ => (What::Complete(row.dur(slice)), row.args(slice)),
                    };
                    records.push(Record::new(
                        row.start(slice),
                        what,
                        row.name(slice),
                        own,
                        self.offset(depth, slice, rows),
                    ));
                }
                Step::End => {
                    while let Some(slice) = open.pop() {
                        let row = &rows[open.len()];
                        let origin = row.origin(slice);
                        if origin.end_implied {
                            continue;
                        }
                        let own = row.args(slice).and_then(|id| args.split(id).1);
                        let odd = odd_ends.next_if(|odd| odd.0 == at).map(|odd| odd.1);
                        let name = odd.unwrap_or_else(|| end_name(names, row.name(slice), origin));
                        let end = row.end(slice, i64::MAX);
                        records.push(Record::new(end, What::End, name, own, Record::UNKNOWN));
                        break;
                    }
                }
            }
        }
        records.extend(strays.map(|stray| stray.1));
        records
    }

    /// Where an open slice stands in the input; for a closed one that is no longer known.
    fn offset(&self, depth: usize, slice: usize, rows: &[Row]) -> u64 {
        match self.open.get(depth) {
            Some(open) if slice + 1 == rows[depth].len() => open.offset,
            _ => Record::UNKNOWN,
        }
    }
}

/// The name that the end of a slice gave.
fn end_name(names: &mut Names, slice: NameId, origin: Origin) -> NameId {
    let entry = names.entry(slice);
    let unless = |missing: bool, id: StrId| if missing { StrId::EMPTY } else { id };
    names.name(
        unless(origin.end_unnamed, entry.name),
        unless(origin.end_uncategorised, entry.category),
        StrId::EMPTY,
    )
}

/// One change of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Begin,
    End,
    Complete,
    CompleteOver,
}

/// The changes of a stack in order, two bits each.
#[derive(Debug, Default)]
struct Log {
    words: Column<u64>,
    word: u64,
    len: usize,
}

/// Steps in a word.
const PER_WORD: usize = 32;

impl Log {
    fn len(&self) -> usize {
        self.len
    }

    fn push(&mut self, step: Step) {
        self.word |= (step as u64) << (self.len % PER_WORD * 2);
        self.len += 1;
        if self.len.is_multiple_of(PER_WORD) {
            self.words.push(std::mem::take(&mut self.word));
        }
    }

    fn iter(&self) -> impl Iterator<Item = Step> + '_ {
        (0..self.len).map(|at| {
            let word = match at / PER_WORD {
                full if full < self.words.len() => self.words.get(full),
                _ => self.word,
            };
            match word >> (at % PER_WORD * 2) & 3 {
                0 => Step::Begin,
                1 => Step::End,
                2 => Step::Complete,
                _ => Step::CompleteOver,
            }
        })
    }
}
