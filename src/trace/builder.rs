//! The only way to put anything into a trace.
//!
//! Promises: records in any order; whatever they are, [`finish`](TraceBuilder::finish) gives a trace that holds
//! every slice, and the counts of what did not fit together. While loading the trace can be read at any time.
//! Knows nothing of: input formats; an offset is just a number that comes back in a fault.
//! Costs: see [`stack`](super::stack) for threads in order, [`nest`](super::nest) for the others.

use super::args::ArgsId;
use super::counter::{Counter, CounterGroup, CounterId};
use super::fault::{Fault, FaultKind, Faults};
use super::nest::{Record, What, nest};
use super::stack::{Stack, Target, Unordered};
use super::track::{Id, Lane, Process, ProcessId, Track, TrackId, widen};
use super::{Instants, Source, Trace};
use crate::names::{IdTable, NameId, Names, StrId, mix};

/// Builds a [`Trace`].
#[derive(Debug, Default)]
pub struct TraceBuilder {
    trace: Trace,
    states: Vec<TrackState>,
    faults: Faults,
    by_process: IdTable,
    by_thread: IdTable,
    by_group: IdTable,
    by_series: IdTable,
    fault_noted: bool,
}

/// Where and when a record stands.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Time in ns, as in the file.
    pub ts: i64,
    /// First byte in the decoded input.
    pub offset: u64,
}

/// What an instant belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Its thread.
    Thread,
    /// The thread's process.
    Process,
    /// The whole trace.
    Trace,
}

/// What is kept of a thread while its records come.
#[derive(Debug)]
struct TrackState {
    order: Order,
    faults: Faults,
    /// Time of the last record, of any kind; for time that goes back.
    last_record: i64,
}

#[derive(Debug)]
enum Order {
    /// Rows are final as they are.
    Direct(Stack),
    /// Records wait to be sorted; `shown` of them are in the track's rows.
    Staged { records: Vec<Record>, shown: usize },
}

impl TraceBuilder {
    /// The trace as far as it is loaded.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The string block, to make names in.
    pub fn names(&mut self) -> &mut Names {
        &mut self.trace.names
    }

    /// What follows is from another input. Its processes and threads are new, whatever their ids, unless it is the
    /// first.
    pub fn start_source(&mut self, source: Source) {
        if !self.trace.sources.is_empty() {
            self.trace.sessions += 1;
        }
        self.trace.args.keep_text(source.is_kept);
        let first_session = self.trace.sessions.saturating_sub(1);
        self.trace.sources.push(Source { first_session, ..source });
    }

    /// Begins a run of its own: processes and threads that follow are new, whatever their ids.
    pub fn start_session(&mut self) {
        self.trace.sessions += 1;
    }

    /// The process with this id in the current session.
    pub fn process(&mut self, pid: Id) -> ProcessId {
        let session = self.trace.sessions.saturating_sub(1);
        let hash = mix(hash_id(pid), u64::from(session));
        let same = |&id: &u32| {
            let process = &self.trace.processes[id as usize];
            process.pid == pid && process.session == session
        };
        if let Some(id) = self.by_process.find(hash, |id| same(&id)) {
            return ProcessId(id);
        }
        let id = ProcessId(self.trace.processes.len() as u32);
        self.trace.sessions = self.trace.sessions.max(1);
        self.trace.processes.push(Process {
            session,
            pid,
            name: None,
            labels: None,
            sort_index: 0,
            instants: Instants::default(),
            tracks: Vec::new(),
            counters: Vec::new(),
            records: 0,
        });
        self.by_process.insert(hash, id.0);
        id
    }

    /// The thread with these ids in the current session.
    pub fn thread(&mut self, pid: Id, tid: Id) -> TrackId {
        let session = self.trace.sessions.saturating_sub(1);
        let hash = mix(mix(hash_id(pid), hash_id(tid)), u64::from(session));
        let found = self.by_thread.find(hash, |id| {
            let track = &self.trace.tracks[id as usize];
            let process = &self.trace.processes[track.process.index()];
            track.tid == tid && process.pid == pid && process.session == session
        });
        if let Some(id) = found {
            return TrackId(id);
        }
        let process = self.process(pid);
        let id = TrackId(self.trace.tracks.len() as u32);
        self.trace.tracks.push(Track {
            process,
            tid,
            name: None,
            sort_index: 0,
            lanes: vec![Lane::default()],
            instants: Instants::default(),
            records: 0,
            span: None,
        });
        let order = Order::Direct(Stack::default());
        self.states.push(TrackState { order, faults: Faults::default(), last_record: i64::MIN });
        self.trace.processes[process.index()].tracks.push(id);
        self.by_thread.insert(hash, id.0);
        id
    }

    /// The process of a thread.
    pub fn process_of(&self, track: TrackId) -> ProcessId {
        self.trace.track(track).process
    }

    /// A process, to name it or to give it a place in the order.
    pub fn process_mut(&mut self, id: ProcessId) -> &mut Process {
        &mut self.trace.processes[id.index()]
    }

    /// A thread, to name it or to give it a place in the order.
    pub fn track_mut(&mut self, id: TrackId) -> &mut Track {
        &mut self.trace.tracks[id.index()]
    }

    /// Counts a record other than metadata that names this thread.
    pub fn count_record(&mut self, track: TrackId) {
        let track = &mut self.trace.tracks[track.index()];
        track.records += 1;
        self.trace.processes[track.process.index()].records += 1;
    }

    /// Arguments that stand at `offset` of the input; `from_end` when they come with the end of a slice.
    pub fn args(&mut self, offset: u64, text: &[u8], from_end: bool) -> ArgsId {
        self.trace.args.add(offset, text, from_end)
    }

    /// A slice begins.
    pub fn begin(&mut self, track: TrackId, at: At, name: NameId, args: Option<ArgsId>) {
        self.seen(track, at, at.ts, true);
        self.place(track, Record::new(at.ts, What::Begin, name, args, at.offset));
    }

    /// A slice ends: the innermost open one that agrees with `name`.
    pub fn end(&mut self, track: TrackId, at: At, name: NameId, args: Option<ArgsId>) {
        self.seen(track, at, at.ts, true);
        self.place(track, Record::new(at.ts, What::End, name, args, at.offset));
    }

    /// A whole slice; `None` when its length, 0 ns or more, is not known.
    pub fn complete(&mut self, track: TrackId, at: At, dur: Option<i64>, name: NameId, args: Option<ArgsId>) {
        self.seen(track, at, at.ts.saturating_add(dur.unwrap_or(0)), true);
        self.place(track, Record::new(at.ts, What::Complete(dur), name, args, at.offset));
    }

    /// A point in time.
    pub fn instant(&mut self, track: TrackId, at: At, scope: Scope, name: NameId, args: Option<ArgsId>) {
        self.seen(track, at, at.ts, false);
        let instants = match scope {
            Scope::Thread => &mut self.trace.tracks[track.index()].instants,
            Scope::Process => {
                let process = self.process_of(track);
                &mut self.trace.processes[process.index()].instants
            }
            Scope::Trace => &mut self.trace.instants,
        };
        instants.push(at.ts, name, args);
    }

    /// A counter's record comes at this time on this thread, whatever samples it has.
    pub fn counter_record(&mut self, track: TrackId, at: At) {
        self.seen(track, at, at.ts, false);
    }

    /// The series of a counter of a process, and whether it is new; `id` and `key` may be empty.
    pub fn series(&mut self, process: ProcessId, name: StrId, id: StrId, key: StrId) -> (CounterId, bool) {
        let word = |id: StrId, seed: u64| mix(seed, id.index() as u64);
        let group_hash = word(id, word(name, u64::from(process.0)));
        let hash = word(key, group_hash);
        let groups = &self.trace.groups;
        let found = self.by_series.find(hash, |at| {
            let series = &self.trace.counters[at as usize];
            let group = &groups[series.group as usize];
            series.process == process && series.key == key && group.name == name && group.id == id
        });
        match found {
            Some(series) => (CounterId(series), false),
            None => (CounterId(self.add_series(process, name, id, key, group_hash, hash)), true),
        }
    }

    /// A sample of a series.
    pub fn sample(&mut self, series: CounterId, ts: i64, value: f64) {
        self.trace.counters[series.index()].push(ts, value);
    }

    /// Multiplies the samples of a series, those that are there and those that come.
    pub fn scale(&mut self, series: CounterId, factor: f64) {
        self.trace.counters[series.index()].scale(factor);
    }

    fn add_series(
        &mut self,
        process: ProcessId,
        name: StrId,
        id: StrId,
        key: StrId,
        group_hash: u64,
        hash: u64,
    ) -> u32 {
        let known = self.by_group.find(group_hash, |series| {
            let series = &self.trace.counters[series as usize];
            let group = &self.trace.groups[series.group as usize];
            series.process == process && group.name == name && group.id == id
        });
        let series = self.trace.counters.len() as u32;
        let group = match known {
            Some(sibling) => self.trace.counters[sibling as usize].group,
            None => {
                self.trace.groups.push(CounterGroup { name, id, keys: 0 });
                self.by_group.insert(group_hash, series);
                self.trace.groups.len() as u32 - 1
            }
        };
        self.trace.groups[group as usize].keys += 1;
        self.trace.counters.push(Counter::new(process, group, key));
        self.trace.processes[process.index()].counters.push(CounterId(series));
        self.by_series.insert(hash, series);
        series
    }

    /// True when a fault was counted since the last call.
    pub fn take_fault(&mut self) -> bool {
        std::mem::take(&mut self.fault_noted)
    }

    /// How often a fault has occurred so far; tracks that need sorting are counted at the end.
    pub fn fault(&self, track: TrackId, kind: FaultKind) -> Fault {
        self.states[track.index()].faults.of(kind)
    }

    /// Makes what needs sorting readable while loading: each track again once it has doubled. Amortised O(log n).
    pub fn snapshot(&mut self) {
        for (state, track) in self.states.iter_mut().zip(&mut self.trace.tracks) {
            track.instants.sort();
            let Order::Staged { records, shown } = &mut state.order else { continue };
            if records.len() >= *shown * 2 {
                *shown = records.len();
                let last = track.span.map_or(0, |span| span.1);
                let mut copy = records.clone();
                track.lanes = nest(&mut copy, last, &mut self.trace.names, None, &mut Faults::default());
            }
        }
        self.sort_columns();
    }

    /// The trace, and all that did not fit together.
    pub fn finish(mut self) -> (Trace, Faults) {
        let trace = &mut self.trace;
        for (mut state, track) in self.states.into_iter().zip(&mut trace.tracks) {
            let last = track.span.map_or(0, |span| span.1);
            if let Order::Direct(stack) = &mut state.order {
                let rows = &mut track.lanes[0].rows;
                let (names, args, faults) = (&mut trace.names, &mut trace.args, &mut state.faults);
                if stack.finish(last, &mut Target { rows, names, args, faults }).is_err() {
                    let records = stack.replay(rows, names, args);
                    state.restage(records);
                }
            }
            if let Order::Staged { mut records, .. } = state.order {
                track.lanes.clear();
                track.lanes =
                    nest(&mut records, last, &mut trace.names, Some(&mut trace.args), &mut state.faults);
            }
            track.lanes.iter_mut().flat_map(|lane| &mut lane.rows).for_each(super::Row::shrink);
            track.instants.sort();
            track.instants.shrink();
            self.faults.merge(&state.faults);
        }
        trace.args.finish();
        for process in &mut trace.processes {
            process.instants.sort();
        }
        trace.instants.sort();
        for counter in &mut trace.counters {
            counter.sort();
            counter.shrink();
        }
        (self.trace, self.faults)
    }

    fn sort_columns(&mut self) {
        self.trace.processes.iter_mut().for_each(|process| process.instants.sort());
        self.trace.instants.sort();
        self.trace.counters.iter_mut().for_each(Counter::sort);
    }

    fn place(&mut self, track: TrackId, record: Record) {
        let state = &mut self.states[track.index()];
        match &mut state.order {
            Order::Staged { records, .. } => records.push(record),
            Order::Direct(stack) => {
                let Trace { names, args, tracks, .. } = &mut self.trace;
                let rows = &mut tracks[track.index()].lanes[0].rows;
                let before = state.faults.total();
                let mut target = Target { rows, names, args, faults: &mut state.faults };
                if let Err(Unordered) = stack.place(&record, &mut target) {
                    let mut records = stack.replay(rows, names, args);
                    records.push(record);
                    state.restage(records);
                } else {
                    self.fault_noted |= state.faults.total() != before;
                }
            }
        }
    }

    /// Notes that a record is there: the trace's and the thread's span, and whether time went back.
    fn seen(&mut self, track: TrackId, at: At, end: i64, is_slice: bool) {
        let state = &mut self.states[track.index()];
        // a complete slice is often written when it ends: that is no step back
        if end < state.last_record {
            state.faults.add(FaultKind::TimeWentBack, at.offset);
            self.fault_noted = true;
        }
        state.last_record = at.ts;
        widen(&mut self.trace.span, at.ts, end);
        if is_slice {
            widen(&mut self.trace.tracks[track.index()].span, at.ts, end);
        }
    }
}

impl TrackState {
    /// Goes over to sorting; what the stack had counted will be counted again.
    fn restage(&mut self, records: Vec<Record>) {
        let back = self.faults.of(FaultKind::TimeWentBack);
        self.faults = Faults::default();
        self.faults.merge_kind(FaultKind::TimeWentBack, back);
        self.order = Order::Staged { shown: records.len(), records };
    }
}

fn hash_id(id: Id) -> u64 {
    match id {
        Id::Number(number) => mix(number as u64, (number >> 64) as u64),
        Id::Text(text) => mix(text.index() as u64, u64::MAX),
    }
}
