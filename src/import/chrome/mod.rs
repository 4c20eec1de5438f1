//! Chrome Trace Event JSON: what the fields of an event mean.
//!
//! The format: "Trace Event Format" by Google, a list of objects with `ph` (phase), `ts` (µs), `pid`, `tid`.
//! Read here: B, E and X (slices), i, I and R (instants), C (counters), M (names and order).
//! Everything else is counted as an unsupported phase. Text, numbers and containers are read leniently, since
//! producers write them by hand: see docs/formats.md for every rule.
//!
//! Promises: each event ends up in the trace or in the report.
//! Does not do: finding events (`containers`), pairing and nesting (`trace::TraceBuilder`).

mod counters;
mod events;
mod metadata;
mod recent;

use super::containers::Containers;
use super::report::{ImportReport, ProblemKind};
use super::{ImportOptions, Imported};
use crate::trace::{FaultKind, Faults, Source, Trace, TraceBuilder};
use events::{Events, SLOTS, Wanted};

/// Reads Chrome Trace Event JSON that comes in pieces, from one input or from several.
#[derive(Debug)]
pub struct ChromeImport {
    containers: Containers<Wanted, SLOTS>,
    events: Events,
    /// What there was before the input that is read now: events and problems.
    before: (u64, u64),
    /// Bytes that cut inputs have lost.
    lost: u64,
}

/// What an input turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A trace.
    Trace,
    /// One without events.
    Empty,
    /// JSON, but no trace.
    NoTrace,
}

impl ChromeImport {
    /// An importer without input.
    pub fn new(options: &ImportOptions) -> Self {
        let events = Events::new(TraceBuilder::default(), options.ts_unit.decimals());
        ChromeImport { containers: Containers::default(), events, before: (0, 0), lost: 0 }
    }

    /// What follows is from this input.
    pub fn start_source(&mut self, source: Source) {
        self.containers = Containers::starting_at(source.offset);
        self.before = (self.events.count, self.events.report.total());
        self.events.start_source(source);
    }

    /// Takes the next bytes of text.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.containers.feed(bytes, &mut self.events);
    }

    /// Takes the end of an input, and says what it was.
    pub fn end_source(&mut self) -> Verdict {
        self.containers.finish(&mut self.events);
        self.lost += self.containers.truncated().map_or(0, |(_, lost)| lost);
        let is_trace = self.containers.found_container() || self.events.has_phase;
        match (self.events.count, self.events.report.total()) {
            before if is_trace && before.0 > self.before.0 => Verdict::Trace,
            before if is_trace || before == self.before => Verdict::Empty,
            _ => Verdict::NoTrace,
        }
    }

    /// How many events have been read.
    pub fn event_count(&self) -> u64 {
        self.events.count
    }

    /// The trace as far as it is loaded.
    pub fn trace(&self) -> &Trace {
        self.events.builder.trace()
    }

    /// What was repaired so far.
    pub fn report_mut(&mut self) -> &mut ImportReport {
        &mut self.events.report
    }

    /// Makes what needs sorting readable while loading.
    pub fn snapshot(&mut self) {
        self.events.builder.snapshot();
    }

    /// The trace and the report.
    pub fn finish(self) -> Imported {
        let Events { builder, mut report, count, unsupported, fault_texts, megabyte_processes, .. } =
            self.events;
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
        if !megabyte_processes.is_empty() {
            report.add(ProblemKind::MegabyteCounters, megabyte_processes.len() as u64, None, b"");
        }
        explain(&mut report, &trace, &faults, &unsupported, self.lost);
        Imported { trace, report, events: count, ..Imported::default() }
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
fn explain(report: &mut ImportReport, trace: &Trace, faults: &Faults, unsupported: &[u64; 256], lost: u64) {
    let is_explained =
        report.of(ProblemKind::TruncatedFile).is_some_and(|problem| !problem.detail.is_empty());
    if lost > 0 && !is_explained {
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
