//! The command `flameline`: an overview of traces, and their tables.
//!
//! Does not do: anything itself. Arguments become library calls, results an exit code.

mod arguments;
mod reading;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use flameline::export::{Format, Info, Source, Table, memory_json, memory_text, write_table};
use flameline::import::Imported;
use flameline::native::{self, Loaded};

use arguments::{Arguments, Command};
use reading::{reading, tell_problems};

fn main() -> ExitCode {
    let arguments = match Arguments::parse(lexopt::Parser::from_env()) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("flameline: {error}\n\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let mut all_served = true;
    let loaded = arguments.files.iter().filter_map(|path| match native::load(path, arguments.ts_unit) {
        Ok(loaded) => {
            tell_problems(path, &loaded.imported);
            Some((path.as_path(), loaded))
        }
        Err(error) => {
            eprintln!("flameline: {error}");
            all_served = false;
            None
        }
    });
    let several = arguments.files.len() > 1;
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = match arguments.command {
        Command::Info { json } => {
            tell(out, json, loaded, |imported, file| info(imported, several.then_some(file), json))
        }
        Command::Memory { json } => {
            tell(out, json, loaded, |imported, file| memory(imported, several.then_some(file.as_str()), json))
        }
        Command::Export(table, format) => export(out, several, table, format, loaded),
    };
    match written {
        Ok(()) => ExitCode::from(u8::from(!all_served)),
        // whoever reads has seen enough
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("flameline: could not write the result: {error}");
            ExitCode::FAILURE
        }
    }
}

type Named<'a> = (&'a Path, Loaded);

/// One text for each file: a line of JSON, or lines for people with an empty one between files.
fn tell<'a>(
    mut out: impl Write,
    json: bool,
    loaded: impl Iterator<Item = Named<'a>>,
    text_of: impl Fn(&Imported, String) -> String,
) -> io::Result<()> {
    for (nth, (path, loaded)) in loaded.enumerate() {
        let gap = if nth > 0 && !json { "\n" } else { "" };
        write!(out, "{gap}{}", text_of(&loaded.imported, path.display().to_string()))?;
    }
    out.flush()
}

fn info(imported: &Imported, file: Option<String>, json: bool) -> String {
    let info = Info { file, ..Info::new(&imported.trace, &reading(imported)) };
    if json { info.json() + "\n" } else { info.text() }
}

fn memory(imported: &Imported, file: Option<&str>, json: bool) -> String {
    let trace = &imported.trace;
    if json { memory_json(trace, file) + "\n" } else { memory_text(trace, file) }
}

fn export<'a>(
    out: impl Write,
    several: bool,
    table: Table,
    format: Format,
    loaded: impl Iterator<Item = Named<'a>>,
) -> io::Result<()> {
    // a column for sessions stands in every line or in none, so all files are loaded first
    let mut loaded: Vec<_> = loaded.map(|(path, loaded)| (path.display().to_string(), loaded)).collect();
    if loaded.is_empty() {
        // each has said why; a header alone would look like a trace without rows
        return Ok(());
    }
    let readings: Vec<_> = loaded.iter().map(|(_, loaded)| reading(&loaded.imported)).collect();
    let sources = loaded.iter_mut().zip(&readings).map(|((file, Loaded { imported, source }), reading)| {
        let trace = &imported.trace;
        let args = Box::new(|id| source.args_of(trace.args(), id));
        Source { file: several.then_some(file.as_str()), trace, reading, args }
    });
    write_table(out, table, format, &mut sources.collect::<Vec<_>>())
}
