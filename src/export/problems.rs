//! The table of problems: one row a kind, with the first place and a sentence.

use std::io::{self, Write};

use super::Source;
use super::rows::Rows;

pub const COLUMNS: &[&str] = &["kind", "count", "first_offset", "first_text", "message"];

pub fn write(rows: &mut Rows<'_, impl Write>, source: &mut Source<'_>) -> io::Result<()> {
    for problem in &source.reading.problems {
        rows.text(&problem.kind);
        rows.integer(problem.count);
        rows.integer_or_null(problem.first_offset);
        rows.text(&problem.first_text);
        rows.text(&problem.message);
        rows.end(None)?;
    }
    Ok(())
}
