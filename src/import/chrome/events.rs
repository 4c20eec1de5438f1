//! Turns each event into a call of the builder, or into an entry of the report.

use super::super::containers::Sink;
use super::super::json_scan::{Fields, Keys, Kind, Notes, Value};
use super::super::names_cache::NamesCache;
use super::super::report::{ImportReport, ProblemKind};
use super::super::{number, repairs};
use super::recent::Recent;
use crate::names::{NameId, StrId};
use crate::trace::{ArgsId, At, FaultKind, Id, ProcessId, Scope, Source, TraceBuilder, TrackId};

/// The fields of an event that are asked for.
#[derive(Debug)]
pub(super) struct Wanted;

pub(super) const SLOTS: usize = 13;
pub(super) const NAME: usize = 0;
const CAT: usize = 1;
const PH: usize = 2;
pub(super) const PID: usize = 3;
const TID: usize = 4;
const TS: usize = 5;
const DUR: usize = 6;
const TDUR: usize = 7;
pub(super) const ARGS: usize = 8;
pub(super) const ID: usize = 9;
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

/// Turns events into calls of the builder.
#[derive(Debug)]
pub(super) struct Events {
    pub builder: TraceBuilder,
    pub report: ImportReport,
    pub names: NamesCache,
    pub recent: Recent,
    /// Decimals by which a written time is shifted to give nanoseconds.
    pub scale: u32,
    pub count: u64,
    /// Some object had a `ph`: bare events, one a line, are a trace without a container.
    pub has_phase: bool,
    /// Runs of the input that is read.
    sessions: u32,
    /// The input that is read is not the first, and its first run has begun with it.
    is_own_session: bool,
    pub unsupported: [u64; 256],
    /// Texts of the events at which faults were noticed first.
    pub fault_texts: Vec<(FaultKind, u64, Vec<u8>)>,
    /// Processes whose counters are in whole megabytes.
    pub megabyte_processes: Vec<ProcessId>,
    /// Members of the last counter's arguments, kept for their room.
    pub members: Vec<(Value, Value)>,
}

/// An event being read: its text and what the scanner found in it.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    pub text: &'a [u8],
    pub offset: u64,
    pub fields: &'a Fields<SLOTS>,
}

impl<'a> Event<'a> {
    #[inline]
    pub fn value(&self, slot: usize) -> Value {
        self.fields.get(slot)
    }

    #[inline]
    pub fn bytes(&self, slot: usize) -> &'a [u8] {
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
        self.recent = Recent::default();
        if self.is_own_session && self.sessions == 1 {
            return; // an input has its first run from its start on
        }
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
    /// What follows is from another input.
    pub fn start_source(&mut self, source: Source) {
        self.is_own_session = !self.builder.trace().sources().is_empty();
        self.builder.start_source(source);
        (self.sessions, self.has_phase, self.recent) = (0, false, Recent::default());
    }

    /// Nothing read yet.
    pub fn new(builder: TraceBuilder, scale: u32) -> Self {
        Events {
            builder,
            report: ImportReport::default(),
            names: NamesCache::default(),
            recent: Recent::default(),
            scale,
            count: 0,
            has_phase: false,
            sessions: 0,
            is_own_session: false,
            unsupported: [0; 256],
            fault_texts: Vec::new(),
            megabyte_processes: Vec::new(),
            members: Vec::new(),
        }
    }

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
    pub fn track(&mut self, event: &Event) -> TrackId {
        let whole = (event.value(PID).whole(), event.value(TID).whole());
        if let (Some(pid), Some(tid)) = whole
            && let Some(track) = self.recent.thread(pid, tid)
        {
            return track;
        }
        let pid = self.id(event, PID);
        let tid = self.id(event, TID);
        let pid = pid.unwrap_or(Id::Number(0));
        let track = self.builder.thread(pid, tid.unwrap_or(pid));
        if let (Some(pid), Some(tid)) = whole {
            self.recent.keep_thread(pid, tid, track);
        }
        track
    }

    /// A process's or thread's id: an integer however it is written, or a text.
    #[inline]
    pub fn id(&mut self, event: &Event, slot: usize) -> Option<Id> {
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

    pub fn text(&mut self, bytes: &[u8], is_plain: bool) -> StrId {
        self.names.text(self.builder.names(), bytes, is_plain)
    }

    /// The text of a string, number or word; the empty one for anything else.
    pub fn text_of(&mut self, event: &Event, value: Value) -> StrId {
        match value.kind {
            Kind::String | Kind::Number | Kind::Bool => self.text(value.bytes(event.text), value.is_plain),
            Kind::Missing | Kind::Null | Kind::Object | Kind::Array => StrId::EMPTY,
        }
    }

    #[inline]
    pub fn name(&mut self, event: &Event) -> NameId {
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
}
