//! Metadata: names, labels and places of processes and threads.

use super::super::containers::Sink;
use super::super::json_scan::{Kind, Value, for_each_member};
use super::super::number;
use super::super::report::ProblemKind;
use super::events::{ARGS, Event, Events, NAME, PID};
use crate::trace::Id;

impl Events {
    /// Names and order of processes and threads; other metadata is not shown.
    pub(super) fn metadata(&mut self, event: &Event) {
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
