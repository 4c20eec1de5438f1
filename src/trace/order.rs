//! The order in which processes, threads and counters stand: sort index, then name, then id.
//!
//! Numbers inside names count by value, so that "thread 9" stands before "thread 10".

use std::cmp::Ordering;

use super::{CounterId, Id, ProcessId, Trace, TrackId};

impl Trace {
    /// Processes by session, sort index, name, id.
    pub fn ordered_processes(&self) -> Vec<ProcessId> {
        let mut ids: Vec<_> = (0..self.processes.len() as u32).map(ProcessId).collect();
        ids.sort_by(|&a, &b| {
            let [a, b] = [self.process(a), self.process(b)];
            (a.session, a.sort_index)
                .cmp(&(b.session, b.sort_index))
                .then_with(|| self.by_name(a.name, b.name))
                .then_with(|| self.by_id(a.pid, b.pid))
        });
        ids
    }

    /// The threads of a process by sort index, name, id.
    pub fn ordered_tracks(&self, process: ProcessId) -> Vec<TrackId> {
        let mut ids = self.process(process).tracks.clone();
        ids.sort_by(|&a, &b| {
            let [a, b] = [self.track(a), self.track(b)];
            a.sort_index
                .cmp(&b.sort_index)
                .then_with(|| self.by_name(a.name, b.name))
                .then_with(|| self.by_id(a.tid, b.tid))
        });
        ids
    }

    /// The counters' series of a process by label.
    pub fn ordered_counters(&self, process: ProcessId) -> Vec<CounterId> {
        let mut labelled: Vec<_> = self
            .process(process)
            .counters
            .iter()
            .map(|&id| (self.counter_label(&self.counters[id.index()]), id))
            .collect();
        labelled.sort_by(|a, b| natural_order(&a.0, &b.0).then(a.1.cmp(&b.1)));
        labelled.into_iter().map(|(_, id)| id).collect()
    }

    fn by_name(&self, a: Option<crate::names::StrId>, b: Option<crate::names::StrId>) -> Ordering {
        let text = |id: Option<_>| id.map_or("", |id| self.names.text(id));
        natural_order(text(a), text(b))
    }

    fn by_id(&self, a: Id, b: Id) -> Ordering {
        match (a, b) {
            (Id::Number(a), Id::Number(b)) => a.cmp(&b),
            (Id::Number(_), Id::Text(_)) => Ordering::Less,
            (Id::Text(_), Id::Number(_)) => Ordering::Greater,
            (Id::Text(a), Id::Text(b)) => natural_order(self.names.text(a), self.names.text(b)),
        }
    }
}

/// Compares texts so that runs of digits count by value; equal values of other spelling by their text.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    while let (Some(first_a), Some(first_b)) = (rest_a.chars().next(), rest_b.chars().next()) {
        let order = if first_a.is_ascii_digit() && first_b.is_ascii_digit() {
            let [run_a, run_b] = [digits(rest_a), digits(rest_b)];
            (rest_a, rest_b) = (&rest_a[run_a.len()..], &rest_b[run_b.len()..]);
            let [value_a, value_b] = [run_a, run_b].map(|run| run.trim_start_matches('0'));
            value_a.len().cmp(&value_b.len()).then_with(|| value_a.cmp(value_b))
        } else {
            (rest_a, rest_b) = (&rest_a[first_a.len_utf8()..], &rest_b[first_b.len_utf8()..]);
            first_a.cmp(&first_b)
        };
        if order.is_ne() {
            return order;
        }
    }
    rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b))
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_names_count_by_value() {
        let mut names = ["b", "thread 10", "thread 9", "thread 09", "thread", "", "10", "9x"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["", "9x", "10", "b", "thread", "thread 09", "thread 9", "thread 10"]);
    }
}
