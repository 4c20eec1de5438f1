//! Everything that an import gives as text, for tests that compare two imports.

use flameline::import::{Import, ImportError, ImportOptions, Imported};
use flameline::json;
use flameline::trace::{ArgsId, Instants, Trace};

/// Imports the pieces of an input; texts of arguments are kept, so that they can be compared.
pub fn import<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Imported, ImportError> {
    let mut import = Import::new(ImportOptions { keep_text: true, ..ImportOptions::default() });
    for piece in pieces {
        import.feed(piece)?;
    }
    import.finish()
}

/// The trace and the report as text; the reason where the input is no trace.
pub fn dump(imported: &Result<Imported, ImportError>) -> String {
    let imported = match imported {
        Ok(imported) => imported,
        Err(error) => return error.to_string(),
    };
    let trace = &imported.trace;
    let mut text = format!(
        "{} bytes, {} events, {} sessions, {:?}\n",
        imported.bytes,
        imported.events,
        trace.sessions(),
        trace.span()
    );
    for process in trace.processes() {
        let (pid, name) = (trace.id_text(process.pid), process.name.map(|id| trace.names().text(id)));
        text += &format!(
            "process {} {pid} {name:?} {} {} records\n",
            process.session, process.sort_index, process.records
        );
        push_instants(&mut text, trace, &process.instants);
        for &id in &process.tracks {
            let track = trace.track(id);
            let (tid, name) = (trace.id_text(track.tid), track.name.map(|id| trace.names().text(id)));
            text += &format!("thread {tid} {name:?} {} {} records\n", track.sort_index, track.records);
            push_slices(&mut text, trace, track);
            push_instants(&mut text, trace, &track.instants);
        }
        for &id in &process.counters {
            let counter = &trace.counters()[id.index()];
            text += &format!("counter {}\n", trace.counter_label(counter));
            for at in 0..counter.len() {
                text += &format!("  {} {}\n", counter.time(at), counter.value(at));
            }
        }
    }
    push_instants(&mut text, trace, trace.instants());
    for problem in &imported.report.problems {
        text += &format!(
            "{} {} {:?} {:?} {}\n",
            problem.kind.name(),
            problem.count,
            problem.first_offset,
            problem.first_text,
            problem.message()
        );
    }
    text
}

fn push_slices(text: &mut String, trace: &Trace, track: &flameline::trace::Track) {
    for (lane, rows) in track.lanes.iter().enumerate() {
        for (depth, row) in rows.rows.iter().enumerate() {
            for at in 0..row.len() {
                let (start, dur, name) = (row.start(at), row.dur(at), row.name(at));
                let (shown, category) = (trace.names().shown(name), trace.names().category(name));
                let args = args(trace, row.args(at));
                *text += &format!("  {lane}.{depth} {start} {dur:?} {shown:?} {category:?} {args:?}\n");
            }
        }
    }
}

fn push_instants(text: &mut String, trace: &Trace, instants: &Instants) {
    for at in 0..instants.len() {
        let name = trace.names().shown(instants.name(at));
        *text += &format!("  at {} {name:?} {:?}\n", instants.time(at), args(trace, instants.args(at)));
    }
}

fn args(trace: &Trace, id: Option<ArgsId>) -> Vec<(String, String)> {
    let Some(id) = id else { return Vec::new() };
    let spans = trace.args().parts(id);
    let texts: Vec<Vec<u8>> = spans.filter_map(|span| trace.args().kept_text(span)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    json::merged_members(&texts)
}
