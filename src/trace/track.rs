//! Processes and the tracks of their threads.
//!
//! A track holds one or more lanes: the main one, and one for each set of slices that did not nest there.
//! A lane is a row for each depth.

use super::instant::Instants;
use super::row::Row;
use crate::names::StrId;

/// A process of the trace, dense from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub(super) u32);

/// A track of the trace, dense from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(pub(super) u32);

impl ProcessId {
    /// The bare number: an index into [`Trace::processes`](super::Trace::processes).
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this number; the caller got it from [`index`](Self::index).
    pub fn from_index(index: usize) -> Self {
        ProcessId(index as u32)
    }
}

impl TrackId {
    /// The bare number: an index into [`Trace::tracks`](super::Trace::tracks).
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this number; the caller got it from [`index`](Self::index).
    pub fn from_index(index: usize) -> Self {
        TrackId(index as u32)
    }
}

/// A process's or thread's id as the file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// An integer of up to 64 bits, signed or not.
    Number(i128),
    /// Anything else: an id of its own under this text.
    Text(StrId),
}

/// A process and what it holds.
#[derive(Clone, Debug)]
pub struct Process {
    /// Which session of the file it belongs to, from 0.
    pub session: u32,
    /// Its id in the file.
    pub pid: Id,
    /// Its name, if the file gives one.
    pub name: Option<StrId>,
    /// Labels beside the name, if the file gives any.
    pub labels: Option<StrId>,
    /// Where it wants to stand among the others; 0 when the file does not say.
    pub sort_index: i64,
    /// Points in time of the whole process.
    pub instants: Instants,
    /// Its threads, in the order in which they appeared.
    pub tracks: Vec<TrackId>,
    /// Its counters' series, in the order in which they appeared.
    pub counters: Vec<super::CounterId>,
    /// Records other than metadata that named it.
    pub records: u64,
}

/// A thread and its slices.
#[derive(Clone, Debug)]
pub struct Track {
    /// Whose thread it is.
    pub process: ProcessId,
    /// Its id in the file.
    pub tid: Id,
    /// Its name, if the file gives one.
    pub name: Option<StrId>,
    /// Where it wants to stand among the process's threads; 0 when the file does not say.
    pub sort_index: i64,
    /// The main lane first. While loading, a track that needs sorting shows what it had at the last snapshot.
    pub lanes: Vec<Lane>,
    /// Points in time of the thread.
    pub instants: Instants,
    /// Records other than metadata that named it.
    pub records: u64,
    /// The first start and the last time of its slices, ends without a beginning included, in ns.
    pub span: Option<(i64, i64)>,
}

/// The rows of one lane, outermost first.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// One row a depth.
    pub rows: Vec<Row>,
}

impl Track {
    /// Slices of all lanes.
    pub fn slices(&self) -> u64 {
        self.rows().map(|row| row.len() as u64).sum()
    }

    /// All rows, lane after lane.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.lanes.iter().flat_map(|lane| &lane.rows)
    }
}

/// A slice of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SliceRef {
    /// The thread.
    pub track: TrackId,
    /// The lane, 0 for the main one.
    pub lane: u32,
    /// The depth in the lane, 0 for the outermost.
    pub depth: u32,
    /// The place in the row.
    pub index: u32,
}

/// Widens `span` so that it holds `from..=to`.
pub(super) fn widen(span: &mut Option<(i64, i64)>, from: i64, to: i64) {
    let (first, last) = span.unwrap_or((from, to));
    *span = Some((first.min(from), last.max(to)));
}
