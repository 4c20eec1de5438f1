//! The table of threads, in the order in which they are shown; those that only have a name are rows too.

use std::io::{self, Write};

use super::Source;
use super::rows::Rows;

pub const COLUMNS: &[&str] =
    &["pid", "process", "tid", "thread", "sort_index", "slices", "first_ns", "last_ns"];

pub fn write(rows: &mut Rows<'_, impl Write>, source: &mut Source<'_>) -> io::Result<()> {
    let trace = source.trace;
    for process_id in trace.ordered_processes() {
        let process = trace.process(process_id);
        for track in trace.ordered_tracks(process_id).into_iter().map(|id| trace.track(id)) {
            rows.id(trace, process.pid);
            rows.text_or_null(trace, process.name);
            rows.id(trace, track.tid);
            rows.text_or_null(trace, track.name);
            rows.integer(track.sort_index);
            rows.integer(track.slices());
            rows.integer_or_null(track.span.map(|span| span.0));
            rows.integer_or_null(track.span.map(|span| span.1));
            rows.end(Some(process.session))?;
        }
    }
    Ok(())
}
