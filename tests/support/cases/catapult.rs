//! Catapult's tests: its model of the trace after the import, and the colours that the tests assert.
//!
//! Undone before comparing: an instant of a thread is a slice without length there; a slice that did not finish
//! is given the length to its thread's end, which is what ours counts with in sums.

use serde_json::{Value, json};

use super::{Expectation, Row, Scope, columns, items, row};

/// Numbers of catapult's reserved colours that its tests name.
const COLORS: [(u64, &str); 2] = [(28, "thread_state_unknown"), (33, "generic_work")];

/// What the test expects, and what else catapult reads from the trace.
pub fn expectation(case: &Value) -> Expectation {
    let view = &case["view"];
    let mut tables = Tables::default();
    for process in items(&view["processes"]) {
        tables.process(process);
    }
    for instant in items(&view["global_instants"]) {
        tables.instants.push(named(instant, Row::new()));
    }
    tables.colors(items(&case["asserted"]["checks"]));
    let is_empty = tables.slices.is_empty()
        && tables.instants.is_empty()
        && tables.samples.is_empty()
        && tables.threads.is_empty()
        && tables.processes.is_empty();
    if is_empty {
        return Expectation::default();
    }
    Expectation::of("on threads", tables.slices, Scope::Whole)
        .and("instants of processes", tables.instants, Scope::Whole)
        .and("counters", tables.samples, Scope::Whole)
        .and("shown threads", tables.threads, Scope::Whole)
        .and("processes", tables.processes, Scope::Part)
}

#[derive(Default)]
struct Tables {
    slices: Vec<Row>,
    instants: Vec<Row>,
    samples: Vec<Row>,
    threads: Vec<Row>,
    processes: Vec<Row>,
}

impl Tables {
    fn process(&mut self, process: &Value) {
        let owner = columns(process, &[("pid", "pid"), ("name", "process")]);
        let before = self.threads.len();
        for thread in items(&process["threads"]) {
            let slices = items(&thread["slices"]);
            let mut thread_owner = owner.clone();
            thread_owner
                .extend(columns(thread, &[("tid", "tid"), ("name", "thread"), ("sort_index", "sort_index")]));
            self.slices.extend(slices.iter().map(|slice| of_slice(slice, &thread_owner)));
            if !slices.is_empty() || thread_owner.contains_key("thread") {
                self.threads.push(thread_owner);
            }
        }
        if owner.contains_key("process") || before < self.threads.len() {
            self.processes.push(owner.clone());
        }
        let pid = columns(process, &[("pid", "pid")]);
        self.instants.extend(items(&process["instants"]).iter().map(|instant| named(instant, pid.clone())));
        for counter in items(&process["counters"]) {
            for series in items(&counter["series"]) {
                for sample in items(&series["samples"]) {
                    let mut cells = pid.clone();
                    cells.extend(columns(counter, &[("name", "counter")]));
                    cells.extend(columns(series, &[("name", "key")]));
                    cells.extend(row([("ts_ns", sample[0].clone()), ("value", sample[1].clone())]));
                    self.samples.push(cells);
                }
            }
        }
    }

    /// The tests name a colour by its number, at a slice or at an instant of a process.
    fn colors(&mut self, checks: &[Value]) {
        for check in checks {
            let color = COLORS.iter().find(|color| check["value"] == color.0);
            let (Some(path), Some((_, hint))) = (check["path"].as_str(), color) else { continue };
            let rows = if path.ends_with(".sliceGroup.slices[0].colorId") {
                &mut self.slices
            } else if path.ends_with(".instantEvents[0].colorId") {
                &mut self.instants
            } else {
                continue;
            };
            rows[0].insert("hint".to_owned(), json!(hint));
        }
    }
}

fn of_slice(slice: &Value, owner: &Row) -> Row {
    let mut cells = named(slice, owner.clone());
    cells.extend(columns(slice, &[("depth", "depth"), ("self_ns", "self_ns")]));
    let is_unfinished = slice["did_not_finish"] == true;
    cells.insert("is_unfinished".to_owned(), json!(is_unfinished));
    let length = if is_unfinished { "summed_ns" } else { "dur_ns" };
    cells.insert(length.to_owned(), slice["dur_ns"].clone());
    cells
}

/// Name, category, time and arguments; absent arguments are none.
fn named(source: &Value, mut cells: Row) -> Row {
    cells.extend(columns(source, &["scope", "name", "cat", "ts_ns"].map(|name| (name, name))));
    cells.insert("args".to_owned(), source.get("args").cloned().unwrap_or_else(|| json!({})));
    cells.remove("sort_index");
    cells
}
