//! The table of counters: every sample of every series, by time, then by series.

use std::io::{self, Write};

use super::Source;
use super::merge::merged;
use super::rows::Rows;

pub const COLUMNS: &[&str] = &["pid", "process", "counter", "ts_ns", "value"];

pub fn write(rows: &mut Rows<'_, impl Write>, source: &mut Source<'_>) -> io::Result<()> {
    let trace = source.trace;
    let counters = trace.counters();
    let labels: Vec<String> = counters.iter().map(|counter| trace.counter_label(counter)).collect();
    let key = |which: usize, at: usize| {
        let counter = &counters[which];
        (at < counter.len()).then(|| counter.time(at))
    };
    for (which, at) in merged(counters.len(), key) {
        let counter = &counters[which];
        let process = trace.process(counter.process);
        rows.id(trace, process.pid);
        rows.text_or_null(trace, process.name);
        rows.text(&labels[which]);
        rows.integer(counter.time(at));
        rows.number(counter.value(at));
        rows.end(Some(process.session))?;
    }
    Ok(())
}
