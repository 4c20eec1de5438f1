//! Chrome Trace Event JSON: what the fields of an event mean.
//!
//! The format: "Trace Event Format" by Google, a list of objects with `ph` (phase), `ts` (µs), `pid`, `tid`.
//! Read here: B, E and X (slices), i, I and R (instants), C (counters), M (names and order).
//! Everything else is counted as an unsupported phase. Text, numbers and containers are read leniently, since
//! producers write them by hand: see docs/formats.md for every rule.
//!
//! Promises: each event ends up in the trace or in the report.
//! Does not do: finding events (`containers`), pairing and nesting (`trace::TraceBuilder`).

use super::containers::{Containers, Sink};
use super::json_scan::{Fields, Keys, Kind, Notes, Value, for_each_member};
use super::names_cache::NamesCache;
use super::report::{ImportReport, ProblemKind};
use super::{ImportOptions, Imported, number, repairs};
use crate::names::{NameId, StrId};
use crate::trace::{ArgsId, At, FaultKind, Id, ProcessId, Scope, Trace, TraceBuilder, TrackId};

/// Reads Chrome Trace Event JSON that comes in pieces.
#[derive(Debug)]
pub struct ChromeImport {
    containers: Containers<Wanted, SLOTS>,
    events: Events,
}

/// The fields of an event that are asked for.
#[derive(Debug)]
struct Wanted;

const SLOTS: usize = 13;
const NAME: usize = 0;
const CAT: usize = 1;
const PH: usize = 2;
const PID: usize = 3;
const TID: usize = 4;
const TS: usize = 5;
const DUR: usize = 6;
const TDUR: usize = 7;
const ARGS: usize = 8;
const ID: usize = 9;
const SCOPE: usize = 10;
const CNAME: usize = 11;

impl Keys<SLOTS> for Wanted {
    const CONTAINER: usize = 12;

    #[inline]
    fn slot(key: &[u8]) -> Option<usize> {
        Some(match key {
            b"name" => NAME,
            b"cat" => CAT,
            b"ph" => PH,
            b"pid" => PID,
            b"tid" => TID,
            b"ts" => TS,
            b"dur" => DUR,
            b"tdur" => TDUR,
            b"args" => ARGS,
            b"id" => ID,
            b"s" => SCOPE,
            b"cname" => CNAME,
            b"traceEvents" => Self::CONTAINER,
            _ => return None,
        })
    }
}

impl ChromeImport {
    /// An importer at the start of its input.
    pub fn new(options: &ImportOptions) -> Self {
        let builder =
            if options.keep_text { TraceBuilder::keeping_args_text() } else { TraceBuilder::default() };
        let events = Events {
            builder,
            report: ImportReport::default(),
            names: NamesCache::default(),
            scale: options.ts_unit.decimals(),
            count: 0,
            has_phase: false,
            sessions: 0,
            unsupported: [0; 256],
            fault_texts: Vec::new(),
            megabyte_processes: Vec::new(),
        };
        ChromeImport { containers: Containers::default(), events }
    }

    /// Takes the next bytes of text.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.containers.feed(bytes, &mut self.events);
    }

    /// How many events have been read.
    pub fn event_count(&self) -> u64 {
        self.events.count
    }

    /// The trace as far as it is loaded.
    pub fn trace(&self) -> &Trace {
        self.events.builder.trace()
    }

    /// Makes what needs sorting readable while loading.
    pub fn snapshot(&mut self) {
        self.events.builder.snapshot();
    }

    /// The trace and the report; `None` when the text was no trace at all.
    pub fn finish(mut self) -> Option<Imported> {
        self.containers.finish(&mut self.events);
        let is_trace = self.containers.found_container() || self.events.has_phase;
        let Events { builder, mut report, count, unsupported, fault_texts, megabyte_processes, .. } =
            self.events;
        let was_blank = count == 0 && report.problems.is_empty();
        if !is_trace && !was_blank {
            return None;
        }
        let (trace, faults) = builder.finish();
        for kind in FaultKind::ALL {
            let fault = faults.of(kind);
            if fault.count > 0 {
                let noted =
                    fault_texts.iter().find(|noted| (noted.0, Some(noted.1)) == (kind, fault.first_offset));
                let text = noted.map_or(&[][..], |noted| &noted.2);
                report.add(problem_of(kind), fault.count, fault.first_offset, text);
            }
        }
        if count == 0 {
            report.add(ProblemKind::Empty, 1, Some(0), b"");
        }
        if !megabyte_processes.is_empty() {
            report.add(ProblemKind::MegabyteCounters, megabyte_processes.len() as u64, None, b"");
        }
        explain(&mut report, &trace, &faults, &unsupported, self.containers.truncated());
        Some(Imported { trace, report, events: count, ..Imported::default() })
    }
}

fn problem_of(kind: FaultKind) -> ProblemKind {
    match kind {
        FaultKind::UnmatchedEnd => ProblemKind::UnmatchedEnd,
        FaultKind::MisplacedEnd => ProblemKind::MisplacedEnd,
        FaultKind::Unfinished => ProblemKind::Unfinished,
        FaultKind::Overlap => ProblemKind::Overlap,
        FaultKind::TimeWentBack => ProblemKind::TimeWentBack,
    }
}

/// Adds to the report's sentences what only this file can say.
fn explain(
    report: &mut ImportReport,
    trace: &Trace,
    faults: &crate::trace::Faults,
    unsupported: &[u64; 256],
    truncated: Option<(u64, u64)>,
) {
    if let Some((_, lost)) = truncated {
        report.explain(ProblemKind::TruncatedFile, format!("{lost} bytes were lost."));
    }
    if let (Some((from, to)), Some((zero, _))) = (faults.overlap_range, trace.span()) {
        let [from, to] = [from, to].map(|time| crate::units::Ns(time.saturating_sub(zero)));
        report.explain(ProblemKind::Overlap, format!("One overlap goes from {from} to {to} of the trace."));
    }
    let phases: Vec<String> = (0..=u8::MAX)
        .filter(|&phase| unsupported[usize::from(phase)] > 0)
        .map(|phase| format!("{} {}", char::from(phase).escape_default(), unsupported[usize::from(phase)]))
        .collect();
    report.explain(ProblemKind::UnsupportedPhase, format!("By phase: {}.", phases.join(", ")));
}

/// Turns events into calls of the builder.
#[derive(Debug)]
struct Events {
    builder: TraceBuilder,
    report: ImportReport,
    names: NamesCache,
    /// Decimals by which a written time is shifted to give nanoseconds.
    scale: u32,
    count: u64,
    /// Some object had a `ph`: bare events, one a line, are a trace without a container.
    has_phase: bool,
    sessions: u32,
    unsupported: [u64; 256],
    /// Texts of the events at which faults were noticed first.
    fault_texts: Vec<(FaultKind, u64, Vec<u8>)>,
    /// Processes whose counters are in whole megabytes.
    megabyte_processes: Vec<ProcessId>,
}

/// An event being read: its text and what the scanner found in it.
#[derive(Clone, Copy)]
struct Event<'a> {
    text: &'a [u8],
    offset: u64,
    fields: &'a Fields<SLOTS>,
}

impl<'a> Event<'a> {
    #[inline]
    fn value(&self, slot: usize) -> Value {
        self.fields.get(slot)
    }

    #[inline]
    fn bytes(&self, slot: usize) -> &'a [u8] {
        self.value(slot).bytes(self.text)
    }
}

impl Sink<SLOTS> for Events {
    #[inline]
    fn event(&mut self, text: &[u8], offset: u64, fields: &Fields<SLOTS>, notes: &Notes) {
        self.count += 1;
        let event = Event { text, offset, fields };
        if *notes != Notes::default() {
            self.note(&event, notes);
        }
        let (Kind::String, Some(&letter)) = (event.value(PH).kind, event.bytes(PH).first()) else {
            let kind = if fields.is_empty() { ProblemKind::BadEvent } else { ProblemKind::MissingField };
            return self.problem(kind, offset, text);
        };
        self.has_phase = true;
        if letter == b'M' {
            return self.metadata(&event);
        }
        let track = self.track(&event);
        self.builder.count_record(track);
        match letter {
            b'B' | b'E' | b'X' | b'i' | b'I' | b'R' | b'C' => {}
            other => {
                self.unsupported[usize::from(other)] += 1;
                return self.problem(ProblemKind::UnsupportedPhase, offset, text);
            }
        }
        let Some(ts) = self.time(&event, TS) else { return };
        let at = At { ts, offset };
        match letter {
            b'B' => {
                let (name, args) = (self.name(&event), self.args(&event, false));
                self.builder.begin(track, at, name, args);
            }
            b'E' => {
                let (name, args) = (self.name(&event), self.args(&event, true));
                self.builder.end(track, at, name, args);
            }
            b'X' => {
                let dur = self.duration(&event);
                let (name, args) = (self.name(&event), self.args(&event, false));
                self.builder.complete(track, at, dur, name, args);
            }
            b'C' => self.counter(&event, track, at),
            _ => {
                let (name, args) = (self.name(&event), self.args(&event, false));
                self.builder.instant(track, at, self.scope(&event), name, args);
            }
        }
        if self.builder.take_fault() {
            self.remember_fault(track, offset, text);
        }
    }

    fn session(&mut self, offset: u64, text: &[u8]) {
        self.sessions += 1;
        self.builder.start_session();
        if self.sessions > 1 {
            self.problem(ProblemKind::Session, offset, text);
        }
    }

    fn item(&mut self) {
        self.count += 1;
    }

    fn problem(&mut self, kind: ProblemKind, offset: u64, text: &[u8]) {
        self.report.add(kind, 1, Some(offset), text);
    }
}

impl Events {
    #[cold]
    fn note(&mut self, event: &Event, notes: &Notes) {
        let (at, text) = (Some(event.offset), event.text);
        let mut add = |kind, count: u32| {
            if count > 0 {
                self.report.add(kind, u64::from(count), at, text);
            }
        };
        add(ProblemKind::Comma, notes.commas);
        add(ProblemKind::BadNumber, notes.no_numbers);
        if notes.is_suspect || notes.is_not_ascii && str::from_utf8(text).is_err() {
            let repairs = repairs::of_strings(text);
            add(ProblemKind::BadUtf8, repairs.bad_utf8);
            add(ProblemKind::ControlCharacter, repairs.control);
            add(ProblemKind::BadEscape, repairs.bad_escape);
        }
    }

    #[cold]
    fn remember_fault(&mut self, track: TrackId, offset: u64, text: &[u8]) {
        for kind in FaultKind::ALL {
            let is_known = self.fault_texts.iter().any(|noted| noted.0 == kind);
            if !is_known && self.builder.fault(track, kind).first_offset == Some(offset) {
                self.fault_texts.push((kind, offset, text.to_vec()));
            }
        }
    }

    /// A missing thread takes the process's id; a missing process is 0.
    #[inline]
    fn track(&mut self, event: &Event) -> TrackId {
        let pid = self.id(event, PID);
        let tid = self.id(event, TID);
        let pid = pid.unwrap_or(Id::Number(0));
        self.builder.thread(pid, tid.unwrap_or(pid))
    }

    /// A process's or thread's id: an integer however it is written, or a text.
    #[inline]
    fn id(&mut self, event: &Event, slot: usize) -> Option<Id> {
        let value = event.value(slot);
        match value.kind {
            Kind::Missing | Kind::Null => None,
            Kind::Number | Kind::String | Kind::Bool | Kind::Object | Kind::Array => {
                Some(match number::id(value, event.text) {
                    Some(number) => Id::Number(number),
                    None => Id::Text(self.text(value.bytes(event.text), value.is_plain)),
                })
            }
        }
    }

    fn text(&mut self, bytes: &[u8], is_plain: bool) -> StrId {
        self.names.text(self.builder.names(), bytes, is_plain)
    }

    /// The text of a string, number or word; the empty one for anything else.
    fn text_of(&mut self, event: &Event, value: Value) -> StrId {
        match value.kind {
            Kind::String | Kind::Number | Kind::Bool => self.text(value.bytes(event.text), value.is_plain),
            Kind::Missing | Kind::Null | Kind::Object | Kind::Array => StrId::EMPTY,
        }
    }

    #[inline]
    fn name(&mut self, event: &Event) -> NameId {
        let [name, cat, hint] = [NAME, CAT, CNAME].map(|slot| event.value(slot));
        let is_text = |value: Value| value.is_plain || value.kind == Kind::Missing;
        if hint.kind == Kind::Missing && is_text(name) && is_text(cat) {
            let (name, cat) = (name.bytes(event.text), cat.bytes(event.text));
            return self.names.name(self.builder.names(), name, cat);
        }
        let [name, cat, hint] = [name, cat, hint].map(|value| self.text_of(event, value));
        self.builder.names().name(name, cat, hint)
    }

    /// Where the arguments stand; `{}` and `null` are none.
    #[inline]
    fn args(&mut self, event: &Event, from_end: bool) -> Option<ArgsId> {
        let value = event.value(ARGS);
        let bytes = value.bytes(event.text);
        let is_empty = match value.kind {
            Kind::Missing | Kind::Null => true,
            Kind::Object => bytes[1..bytes.len() - 1].trim_ascii().is_empty(),
            _ => false,
        };
        if is_empty {
            return None;
        }
        // a string keeps its quotes: it stands for itself
        let quotes = usize::from(value.kind == Kind::String);
        let start = value.start() - quotes;
        let text = &event.text[start..value.start() + bytes.len() + quotes];
        Some(self.builder.args(event.offset + start as u64, text, from_end))
    }

    /// A time in ns; `None` when there is none that can be read, which is counted.
    #[inline]
    fn time(&mut self, event: &Event, slot: usize) -> Option<i64> {
        let value = event.value(slot);
        let time = number::time(value, event.text, self.scale);
        if time.is_none() {
            let is_missing = matches!(value.kind, Kind::Missing | Kind::Null);
            let kind = if is_missing { ProblemKind::MissingField } else { ProblemKind::BadNumber };
            self.problem(kind, event.offset, event.text);
        }
        time
    }

    /// The length of a complete event in ns; without one that can be read the slice is unfinished.
    fn duration(&mut self, event: &Event) -> Option<i64> {
        let slot = match event.value(DUR).kind {
            Kind::Missing if event.value(TDUR).kind == Kind::Missing => return None,
            Kind::Missing => TDUR,
            _ => DUR,
        };
        let value = event.value(slot);
        match number::time(value, event.text, self.scale) {
            Some(dur) if dur < 0 => {
                self.problem(ProblemKind::NegativeDuration, event.offset, event.text);
                Some(0)
            }
            // `NaN` has been counted by the scanner
            None if value.kind != Kind::Null || value.bytes(event.text) == b"null" => {
                self.problem(ProblemKind::BadNumber, event.offset, event.text);
                None
            }
            dur => dur,
        }
    }

    fn scope(&self, event: &Event) -> Scope {
        match event.bytes(SCOPE).first() {
            Some(b'p') => Scope::Process,
            Some(b'g') => Scope::Trace,
            _ => Scope::Thread,
        }
    }

    /// One sample for each key of the arguments that holds a number.
    fn counter(&mut self, event: &Event, track: TrackId, at: At) {
        self.builder.counter_record(track, at);
        let args = event.value(ARGS);
        if args.kind != Kind::Object {
            return self.problem(ProblemKind::MissingField, event.offset, event.text);
        }
        let process = self.builder.process_of(track);
        let name = self.name(event);
        let name = self.builder.names().entry(name).name;
        let id = self.text_of(event, event.value(ID));
        for_each_member(event.text, args, |key, value| {
            let Some(sample) = number::sample(value, event.text) else {
                // `NaN` has been counted by the scanner
                if value.kind != Kind::Null || value.bytes(event.text) == b"null" {
                    self.report.add(ProblemKind::BadNumber, 1, Some(event.offset), event.text);
                }
                return;
            };
            let key = self.text(key.bytes(event.text), key.is_plain);
            let (series, is_new) = self.builder.series(process, name, id, key);
            self.builder.sample(series, at.ts, sample);
            if is_new {
                self.look_for_megabytes(process);
            }
        });
    }

    /// Comet's counters were whole megabytes as long as they had the names `jvm_heapUsed` and `task_memory_…`.
    fn look_for_megabytes(&mut self, process: ProcessId) {
        const MEGABYTE: f64 = 1_048_576.0;
        let trace = self.builder.trace();
        let label = |id: crate::trace::CounterId| {
            let counter = &trace.counters()[id.index()];
            trace.names().text(trace.counter_group(counter).name)
        };
        let series = &trace.process(process).counters;
        let Some(&newest) = series.last() else { return };
        let tells = |name: &str| name == "jvm_heapUsed" || name.starts_with("task_memory_");
        let counts =
            |name: &str| tells(name) || name == "jemalloc_allocated" || name.starts_with("comet_shuffle_");
        let is_known = self.megabyte_processes.contains(&process);
        let to_scale: Vec<_> = if is_known {
            [newest].into_iter().filter(|&id| counts(label(id))).collect()
        } else if tells(label(newest)) {
            self.megabyte_processes.push(process);
            series.iter().copied().filter(|&id| counts(label(id))).collect()
        } else {
            return;
        };
        to_scale.into_iter().for_each(|id| self.builder.scale(id, MEGABYTE));
    }

    /// Names and order of processes and threads; other metadata is not shown.
    fn metadata(&mut self, event: &Event) {
        let args = event.value(ARGS);
        let what = event.bytes(NAME);
        let key: &[u8] = match what {
            b"process_name" | b"thread_name" => b"name",
            b"process_labels" => b"labels",
            b"process_sort_index" | b"thread_sort_index" => b"sort_index",
            _ => return,
        };
        let mut found = Value::default();
        if args.kind == Kind::Object {
            for_each_member(event.text, args, |name, value| {
                if name.bytes(event.text) == key {
                    found = value;
                }
            });
        }
        if matches!(found.kind, Kind::Missing | Kind::Null) {
            return self.problem(ProblemKind::MissingField, event.offset, event.text);
        }
        let pid = self.id(event, PID).unwrap_or(Id::Number(0));
        let process = self.builder.process(pid);
        if key == b"sort_index" {
            let index = number::id(found, event.text).and_then(|index| i64::try_from(index).ok());
            let Some(index) = index else {
                return self.problem(ProblemKind::BadNumber, event.offset, event.text);
            };
            return match what {
                b"process_sort_index" => self.builder.process_mut(process).sort_index = index,
                _ => {
                    let track = self.track(event);
                    self.builder.track_mut(track).sort_index = index;
                }
            };
        }
        let text = Some(self.text(found.bytes(event.text), found.is_plain || found.kind == Kind::Number));
        match what {
            b"process_name" => self.builder.process_mut(process).name = text,
            b"process_labels" => self.builder.process_mut(process).labels = text,
            _ => {
                let track = self.track(event);
                self.builder.track_mut(track).name = text;
            }
        }
    }
}
