//! The command `analyze_trace`: Comet's memory report.
//!
//! Does not do: anything itself. Arguments become library calls, results an exit code.

mod arguments;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use flameline::analysis::memory::{ALLOCATION_COUNTERS, Rules};
use flameline::export::{MemoryOfFile, write_memory_report, write_memory_table};
use flameline::native;

use arguments::Arguments;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(lexopt::Parser::from_env()) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("analyze_trace: {error}\n\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let mut all_served = true;
    let reports = arguments.files.iter().filter_map(|path| match analyze(path, arguments.rules) {
        Ok(report) => Some(report),
        Err(error) => {
            eprintln!("analyze_trace: {error}");
            all_served = false;
            None
        }
    });
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = match arguments.json {
        true => write_json(out, reports),
        false => write_text(out, arguments.files.len() > 1, reports),
    };
    match written {
        Ok(()) => ExitCode::from(u8::from(!all_served)),
        // whoever reads has seen enough
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("analyze_trace: could not write the report: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The report of one file; what was skipped is told at once.
fn analyze(path: &Path, rules: Option<Rules>) -> Result<MemoryOfFile, String> {
    let (analysis, skipped) = native::analyze_memory(path).map_err(|error| error.to_string())?;
    let (file, report) = (path.display().to_string(), analysis.report(rules));
    let skipped: Vec<_> = skipped.iter().collect();
    if !skipped.is_empty() {
        let counts: Vec<_> = skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        eprintln!(
            "analyze_trace: not read as written: {}; docs/formats.md explains them: {file}",
            counts.join(", ")
        );
    }
    if report.lacks_allocation_counter() {
        let counters = ALLOCATION_COUNTERS.join(" nor ");
        return Err(format!(
            "no counter says what was allocated, neither {counters}; use a Comet that writes one: {file}"
        ));
    }
    Ok(MemoryOfFile { file, report, skipped })
}

fn write_text(
    mut out: impl Write,
    several: bool,
    reports: impl Iterator<Item = MemoryOfFile>,
) -> io::Result<()> {
    let mut files = Vec::new();
    for file in reports {
        if several {
            writeln!(out, "{}\n", file.file)?;
        }
        write_memory_report(&mut out, &file.report)?;
        if several {
            writeln!(out)?;
            files.push(file);
        }
    }
    if !files.is_empty() {
        write_memory_table(&mut out, &files)?;
    }
    out.flush()
}

fn write_json(mut out: impl Write, reports: impl Iterator<Item = MemoryOfFile>) -> io::Result<()> {
    write!(out, "[")?;
    for (nth, report) in reports.enumerate() {
        write!(out, "{}{}", if nth > 0 { ",\n" } else { "" }, report.json())?;
    }
    writeln!(out, "]")?;
    out.flush()
}
