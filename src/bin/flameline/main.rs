//! The command `flameline`: an overview of traces, and their tables.
//!
//! Does not do: anything itself. Arguments become library calls, results an exit code.

mod arguments;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use flameline::export::{Format, Info, Problem, Reading, Source, Table, write_table};
use flameline::import::Imported;
use flameline::native::{self, Loaded};

use arguments::{Arguments, Command};

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
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = match arguments.command {
        Command::Info { json } => info(out, arguments.files.len() > 1, json, loaded),
        Command::Export(table, format) => export(out, arguments.files.len() > 1, table, format, loaded),
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

fn info<'a>(
    mut out: impl Write,
    several: bool,
    json: bool,
    loaded: impl Iterator<Item = Named<'a>>,
) -> io::Result<()> {
    for (nth, (path, loaded)) in loaded.enumerate() {
        let mut info = Info::new(&loaded.imported.trace, &reading(&loaded.imported));
        info.file = several.then(|| path.display().to_string());
        if json {
            writeln!(out, "{}", info.json())?;
        } else {
            write!(out, "{}{}", if nth > 0 { "\n" } else { "" }, info.text())?;
        }
    }
    out.flush()
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

/// One line on stderr, so that nobody takes a repaired trace for a whole one.
fn tell_problems(path: &Path, imported: &Imported) {
    let problems = &imported.report.problems;
    let counts: Vec<_> =
        problems.iter().map(|problem| format!("{} {}", problem.count, problem.kind.name())).collect();
    if !counts.is_empty() {
        eprintln!("flameline: {}; see export --table problems: {}", counts.join(", "), path.display());
    }
}

fn reading(imported: &Imported) -> Reading {
    let problems = imported.report.problems.iter().map(|problem| Problem {
        kind: problem.kind.name().to_owned(),
        count: problem.count,
        first_offset: problem.first_offset,
        first_text: problem.first_text.clone(),
        message: problem.message(),
    });
    let format = imported.format.name().to_owned();
    Reading { format, bytes: imported.bytes, events: imported.events, problems: problems.collect() }
}
