//! What is written for people and programs: tables as JSON lines or CSV, and the overview of a trace.
//!
//! ```text
//! slices.rs instants.rs counters.rs threads.rs problems.rs   which rows a table has, and in which order
//! rows.rs                                                    how a row becomes a line
//! merge.rs                                                   many sorted columns as one sequence
//! info.rs                                                    the overview
//! memory.rs                                                  Comet's memory report
//! memory_by_function.rs                                      memory by function
//! ```
//!
//! Promises: named columns never change; numbers are exact; the whole table is never in memory.
//! Knows nothing of: files and formats. What only the reading of a file can tell comes in as [`Reading`].

mod counters;
mod info;
mod instants;
mod memory;
mod memory_by_function;
mod merge;
mod problems;
mod rows;
mod slices;
mod threads;

use std::io::{self, Write};

pub use info::Info;
pub use memory::{MemoryOfFile, write_memory_report, write_memory_table};
pub use memory_by_function::{memory_json, memory_text};
pub use rows::Format;

use crate::trace::{ArgsId, Trace};
use rows::Rows;

/// What the reading of a file told beside the trace.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The format by its name, such as `chrome-json`.
    pub format: String,
    /// Size of the decoded input.
    pub bytes: u64,
    /// Records of every kind, skipped ones included.
    pub events: u64,
    /// What was repaired or skipped.
    pub problems: Vec<Problem>,
}

/// One kind of problem.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Its name, such as `unmatched_end`.
    pub kind: String,
    /// How often it was met.
    pub count: u64,
    /// Where it was met first, in the decoded input.
    pub first_offset: Option<u64>,
    /// The text there.
    pub first_text: String,
    /// One sentence a user understands.
    pub message: String,
}

/// A set of arguments: keys, and values as JSON text.
pub type Members = Vec<(String, String)>;

/// A trace and what its rows need beside it.
pub struct Source<'a> {
    /// The file's name as given; a column shows it when there is one.
    pub file: Option<&'a str>,
    /// The trace.
    pub trace: &'a Trace,
    /// What the reading told.
    pub reading: &'a Reading,
    /// Reads a set of arguments.
    pub args: Box<dyn FnMut(ArgsId) -> io::Result<Members> + 'a>,
}

/// Which table to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Table {
    /// All slices, by start.
    #[default]
    Slices,
    /// All instants, by time.
    Instants,
    /// All samples of all counters, by time.
    Counters,
    /// All threads.
    Threads,
    /// Arrows between slices.
    Flows,
    /// Samples of stacks.
    Samples,
    /// What was repaired or skipped.
    Problems,
}

impl Table {
    /// Every table, in the order in which a user reads of them.
    pub const ALL: [Table; 7] = [
        Table::Slices,
        Table::Instants,
        Table::Counters,
        Table::Threads,
        Table::Flows,
        Table::Samples,
        Table::Problems,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Table::Slices => "slices",
            Table::Instants => "instants",
            Table::Counters => "counters",
            Table::Threads => "threads",
            Table::Flows => "flows",
            Table::Samples => "samples",
            Table::Problems => "problems",
        }
    }

    /// The table of this name.
    pub fn from_name(name: &str) -> Option<Table> {
        Table::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Columns in order, before `session` and `file`.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Table::Slices => slices::COLUMNS,
            Table::Instants => instants::COLUMNS,
            Table::Counters => counters::COLUMNS,
            Table::Threads => threads::COLUMNS,
            Table::Problems => problems::COLUMNS,
            // nothing fills these two yet; who reads them finds an empty table and not an error
            Table::Flows => &[
                "id",
                "cat",
                "name",
                "from_pid",
                "from_tid",
                "from_name",
                "from_ts_ns",
                "to_pid",
                "to_tid",
                "to_name",
                "to_ts_ns",
            ],
            Table::Samples => &["pid", "tid", "ts_ns", "weight_ns", "stack"],
        }
    }

    /// True when a row belongs to a session of its file.
    fn has_session(self) -> bool {
        self != Table::Problems
    }
}

/// Writes a table of all `sources`, one after another. O(n log rows) in time, O(rows) in memory.
pub fn write_table(
    out: impl Write,
    table: Table,
    format: Format,
    sources: &mut [Source<'_>],
) -> io::Result<()> {
    let with_session = table.has_session() && sources.iter().any(|source| source.trace.sessions() > 1);
    let with_file = sources.iter().any(|source| source.file.is_some());
    let extra = [(with_session, "session"), (with_file, "file")];
    let extra = extra.iter().filter(|column| column.0).map(|column| column.1);
    let mut rows = Rows::new(out, format, table.columns().iter().copied().chain(extra).collect());
    rows.header()?;
    for source in sources {
        rows.set_tail(with_session, with_file.then(|| source.file.unwrap_or_default()));
        match table {
            Table::Slices => slices::write(&mut rows, source)?,
            Table::Instants => instants::write(&mut rows, source)?,
            Table::Counters => counters::write(&mut rows, source)?,
            Table::Threads => threads::write(&mut rows, source)?,
            Table::Problems => problems::write(&mut rows, source)?,
            Table::Flows | Table::Samples => {}
        }
    }
    rows.flush()
}
