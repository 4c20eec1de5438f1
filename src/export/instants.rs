//! The table of instants: by time, then those of the trace, of processes, of threads.

use std::io::{self, Write};

use super::Source;
use super::merge::merged;
use super::rows::Rows;
use crate::trace::{Instants, Process, Track};

pub const COLUMNS: &[&str] = &["scope", "pid", "tid", "name", "cat", "ts_ns", "args"];

pub fn write(rows: &mut Rows<'_, impl Write>, source: &mut Source<'_>) -> io::Result<()> {
    let trace = source.trace;
    let mut places: Vec<(Owner<'_>, &Instants)> = vec![(Owner::Trace, trace.instants())];
    places.extend(trace.processes().iter().map(|process| (Owner::Process(process), &process.instants)));
    places.extend(trace.tracks().iter().map(|track| (Owner::Thread(track), &track.instants)));
    let key = |which: usize, at: usize| {
        let instants = places[which].1;
        (at < instants.len()).then(|| instants.time(at))
    };
    for (which, at) in merged(places.len(), key) {
        let (owner, instants) = places[which];
        let session = match owner {
            Owner::Trace => {
                rows.text("global");
                rows.null();
                rows.null();
                None
            }
            Owner::Process(process) => {
                rows.text("process");
                rows.id(trace, process.pid);
                rows.null();
                Some(process.session)
            }
            Owner::Thread(track) => {
                let process = trace.process(track.process);
                rows.text("thread");
                rows.id(trace, process.pid);
                rows.id(trace, track.tid);
                Some(process.session)
            }
        };
        let name = instants.name(at);
        rows.text(trace.names().shown(name));
        rows.text(trace.names().category(name));
        rows.integer(instants.time(at));
        let args = instants.args(at).map(&mut source.args).transpose()?;
        rows.object(&args.unwrap_or_default());
        rows.end(session)?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Owner<'a> {
    Trace,
    Process(&'a Process),
    Thread(&'a Track),
}
