//! The model: what every importer fills through [`TraceBuilder`] and everything else reads.
//!
//! A [`Trace`] holds processes; a process holds tracks and counters; a track holds lanes of rows of slices.
//! Knows nothing of: file formats, pixels, colours, threads, files.

pub mod args;
mod builder;
mod column;
mod counter;
mod fault;
mod index;
mod instant;
mod lanes;
mod nest;
mod order;
#[cfg(test)]
mod random_tests;
mod row;
mod stack;
mod track;

pub use args::{Args, ArgsId, Span};
pub use builder::{At, Scope, TraceBuilder};
pub use column::Column;
pub use counter::{Counter, CounterGroup, CounterId, Extremes};
pub use fault::{Fault, FaultKind, Faults};
pub use instant::Instants;
pub use order::natural_order;
pub use row::{OpenEnd, Origin, Row};
pub use track::{Id, Lane, Process, ProcessId, SliceRef, Track, TrackId};

use crate::names::Names;

/// A run, as far as it is loaded.
#[derive(Debug, Default)]
pub struct Trace {
    names: Names,
    args: Args,
    processes: Vec<Process>,
    tracks: Vec<Track>,
    counters: Vec<Counter>,
    groups: Vec<CounterGroup>,
    instants: Instants,
    sources: Vec<Source>,
    sessions: u32,
    span: Option<(i64, i64)>,
}

/// An input, one of those a trace was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What it is called: the file's name, if it has one.
    pub name: String,
    /// Which of the inputs it is; those that are no trace count, too.
    pub input: usize,
    /// Where its text begins; all offsets count from the start of the first one.
    pub offset: u64,
    /// The first session that is its.
    pub first_session: u32,
    /// The texts of its arguments are kept in the trace, since it can't be read again.
    pub is_kept: bool,
}

impl Trace {
    /// Every text of the trace.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Where arguments stand.
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// All processes, in the order in which they appeared; [`ordered_processes`](Self::ordered_processes) sorts.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// All threads' tracks, in the order in which they appeared.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// All counters' series, in the order in which they appeared.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// One process.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// One track.
    pub fn track(&self, id: TrackId) -> &Track {
        &self.tracks[id.index()]
    }

    /// The row in which `slice` stands.
    pub fn row(&self, slice: SliceRef) -> &Row {
        &self.track(slice.track).lanes[slice.lane as usize].rows[slice.depth as usize]
    }

    /// Points in time of the whole trace.
    pub fn instants(&self) -> &Instants {
        &self.instants
    }

    /// What the trace was read from, in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The source of an offset; the offset within it is the difference of both.
    pub fn source_at(&self, offset: u64) -> Option<&Source> {
        let after = self.sources.partition_point(|source| source.offset <= offset);
        self.sources.get(after.checked_sub(1)?)
    }

    /// How many runs the file holds, one after another.
    pub fn sessions(&self) -> u32 {
        self.sessions
    }

    /// First and last time in ns, as in the file; `None` for a trace without a timed record.
    pub fn span(&self) -> Option<(i64, i64)> {
        self.span
    }

    /// Last time in ns; 0 for a trace without a timed record.
    pub fn end(&self) -> i64 {
        self.span.map_or(0, |span| span.1)
    }

    /// The name of a counter's series as shown: `<name>[<id>]`, and the key where it says something more.
    pub fn counter_label(&self, counter: &Counter) -> String {
        let group = &self.groups[counter.group as usize];
        let (name, key) = (self.names.text(group.name), self.names.text(counter.key));
        let mut label = name.to_owned();
        let id = self.names.text(group.id);
        if !id.is_empty() {
            label.push_str(&format!("[{id}]"));
        }
        let says_nothing = group.keys == 1 && (key == name || key == "value" || key == "v");
        if !says_nothing {
            label.push(' ');
            label.push_str(key);
        }
        label
    }

    /// The counter to which a series belongs.
    pub fn counter_group(&self, counter: &Counter) -> &CounterGroup {
        &self.groups[counter.group as usize]
    }

    /// An id as text.
    pub fn id_text(&self, id: Id) -> String {
        match id {
            Id::Number(number) => number.to_string(),
            Id::Text(text) => self.names.text(text).to_owned(),
        }
    }

    /// Bytes that slices cost, unused room and index included, arguments and names not.
    pub fn slice_bytes(&self) -> usize {
        self.tracks.iter().flat_map(Track::rows).map(Row::heap_bytes).sum()
    }
}
