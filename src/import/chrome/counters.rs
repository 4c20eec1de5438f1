//! Counters: one series for each key of an event's arguments.

use std::collections::HashMap;

use super::super::containers::Sink;
use super::super::json_scan::{Kind, Value, for_each_member};
use super::super::number;
use super::super::report::ProblemKind;
use super::events::{ARGS, Event, Events, ID, NAME};
use crate::names::StrId;
use crate::trace::{At, CounterId, ProcessId, TrackId};

impl Events {
    /// One sample for each key of the arguments that holds a number.
    pub(super) fn counter(&mut self, event: &Event, track: TrackId, at: At) {
        self.builder.counter_record(track, at);
        let args = event.value(ARGS);
        if args.kind != Kind::Object {
            return self.problem(ProblemKind::MissingField, event.offset, event.text);
        }
        let process = self.builder.process_of(track);
        let name_id = self.name(event);
        let name = self.builder.names().entry(name_id).name;
        let id = self.text_of(event, event.value(ID));
        let name_bytes = event.bytes(NAME);
        let mut members = std::mem::take(&mut self.members);
        members_of(event.text, args, &mut members);
        for &(key, value) in &members {
            let Some(sample) = number::sample(value, event.text) else {
                // `NaN` has been counted by the scanner
                if value.kind != Kind::Null || value.bytes(event.text) == b"null" {
                    self.report.add(ProblemKind::BadNumber, 1, Some(event.offset), event.text);
                }
                continue;
            };
            let is_named_so = id == StrId::EMPTY && key.is_plain && key.bytes(event.text) == name_bytes;
            if is_named_so && let Some(series) = self.recent.series(process, name_id) {
                self.builder.sample(series, at.ts, sample);
                continue;
            }
            let key = self.text(key.bytes(event.text), key.is_plain);
            let (series, is_new) = self.builder.series(process, name, id, key);
            self.builder.sample(series, at.ts, sample);
            if is_named_so {
                self.recent.keep_series(process, name_id, series);
            }
            if is_new {
                self.look_for_megabytes(process);
            }
        }
        self.members = members;
    }

    /// Comet's counters were whole megabytes as long as they had the names `jvm_heapUsed` and `task_memory_…`.
    fn look_for_megabytes(&mut self, process: ProcessId) {
        const MEGABYTE: f64 = 1_048_576.0;
        let trace = self.builder.trace();
        let label = |id: CounterId| {
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
}

/// Keys of a counter's event up to which comparing all pairs is cheap: 16 make 120 pairs.
const FEW: usize = 16;

/// Fills `members` with those of the object `args`; of a key that is there twice, the last one stands.
fn members_of(text: &[u8], args: Value, members: &mut Vec<(Value, Value)>) {
    members.clear();
    for_each_member(text, args, |key, value| members.push((key, value)));
    // few keys are compared with each other, which costs less than hashing them
    let has_twin =
        |at: usize| members[..at].iter().any(|other| other.0.bytes(text) == members[at].0.bytes(text));
    let may_have_twins = members.len() > FEW || (1..members.len()).any(has_twin);
    if may_have_twins {
        let last: HashMap<&[u8], usize> =
            members.iter().enumerate().map(|(at, (key, _))| (key.bytes(text), at)).collect();
        let mut place = 0..;
        members.retain(|(key, _)| place.next() == last.get(key.bytes(text)).copied());
    }
}
