//! What the reading of a file told: in a line on stderr, and beside the trace.

use std::path::Path;

use flameline::export::{Problem, Reading};
use flameline::import::Imported;

/// One line on stderr, so that nobody takes a repaired trace for a whole one.
pub fn tell_problems(path: &Path, imported: &Imported) {
    let problems = &imported.report.problems;
    let counts: Vec<_> =
        problems.iter().map(|problem| format!("{} {}", problem.count, problem.kind.name())).collect();
    if !counts.is_empty() {
        eprintln!("flameline: {}; see export --table problems: {}", counts.join(", "), path.display());
    }
}

/// What the reading of a file told, as tables and overviews need it.
pub fn reading(imported: &Imported) -> Reading {
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
