//! Import cases of other programs: what their own tests expect of a trace, compared with what we read.
//!
//! ```text
//! perfetto.rs catapult.rs speedscope.rs issue.rs   a peer's expectation as tables of rows
//! ours.rs                                          our reading as the same tables
//! compare.rs                                       how two tables differ, in words that can be listed
//! known.rs                                         the cases that differ by our rules, or can't be compared
//! verdict.rs                                       to which class a case belongs
//! ```
//!
//! Promises: a row of an expectation says only what the peer asserts; a table that it names is compared whole.
//! Does not do: warnings, colours chosen by name, and times of a thread's own clock, which have no place here.

mod catapult;
mod compare;
mod issue;
mod known;
mod ours;
mod perfetto;
mod speedscope;
mod verdict;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use flameline::import::{Import, ImportOptions};

use compare::differences;
pub use ours::Ours;
pub use verdict::{Class, stray_entries, verdict};

/// One row of a table: column and value.
pub type Row = Map<String, Value>;

/// Folders of cases that hold an expectation; those of `edge` have goldens of our own.
pub const PEERS: [&str; 4] = ["perfetto", "catapult", "speedscope", "issue"];

/// One case.
pub struct Case {
    /// Folder and name, such as `perfetto/037-…`.
    pub name: String,
    trace: PathBuf,
    expected: Value,
}

/// What a peer expects of a case.
#[derive(Debug, Default)]
pub struct Expectation {
    /// The tables of which it says something.
    pub tables: Vec<Table>,
    /// The input, where the peer's is a piece of JSON that stands inside a trace.
    pub input: Option<String>,
}

/// One table of an expectation.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    pub rows: Vec<Row>,
    /// Which of our rows may stand without one of theirs.
    pub scope: Scope,
}

/// How the rows of a table are found in ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each has its counterpart, in any order.
    Whole,
    /// Each has its counterpart at the same place.
    Ordered,
    /// Theirs are only some.
    Part,
    /// Theirs are only some, and stand in this order.
    Sequence,
}

impl Expectation {
    /// An expectation about one table.
    pub fn of(name: &'static str, rows: Vec<Row>, scope: Scope) -> Self {
        Expectation { tables: vec![Table { name, rows, scope }], input: None }
    }

    pub fn and(mut self, name: &'static str, rows: Vec<Row>, scope: Scope) -> Self {
        self.tables.push(Table { name, rows, scope });
        self
    }

    /// True when nothing of it has a meaning for us.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }
}

/// All cases of a peer, by name.
pub fn cases(folder: &Path, peer: &str) -> Vec<Case> {
    let case = |path: PathBuf| {
        let packed = path.join("trace.json.gz");
        Case {
            name: format!("{peer}/{}", path.file_name().unwrap().to_str().unwrap()),
            trace: if packed.exists() { packed } else { path.join("trace.json") },
            expected: serde_json::from_slice(&std::fs::read(path.join("expected.json")).unwrap()).unwrap(),
        }
    };
    folders(&folder.join(peer)).into_iter().map(case).collect()
}

/// The folders inside `folder`, by name.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect("the folder of cases is there");
    let mut paths: Vec<_> = paths.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}

impl Case {
    /// What the peer expects, as far as it has a meaning for us.
    pub fn expectation(&self) -> Expectation {
        match self.name.split('/').next() {
            Some("perfetto") => perfetto::expectation(&self.expected, || self.text()),
            Some("catapult") => catapult::expectation(&self.expected),
            Some("speedscope") => speedscope::expectation(&self.expected),
            _ => issue::expectation(&self.expected),
        }
    }

    /// Our reading; the reason where the input is no trace.
    pub fn read(&self, expectation: &Expectation) -> Result<Ours, String> {
        let mut ours = match &expectation.input {
            Some(text) => {
                let mut import = Import::new(ImportOptions { keep_text: true, ..ImportOptions::default() });
                import.feed(text.as_bytes()).map_err(|error| error.to_string())?;
                Ours::new(&import.finish().map_err(|error| error.to_string())?, None)
            }
            None => Ours::load(&self.trace)?,
        };
        if self.name.starts_with("speedscope/") {
            speedscope::add_profiles(&mut ours, &self.expected);
        }
        Ok(ours)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.trace).unwrap()
    }
}

/// A row of these columns.
pub fn row<const N: usize>(columns: [(&str, Value); N]) -> Row {
    columns.into_iter().map(|(column, value)| (column.to_owned(), value)).collect()
}

/// The items of a JSON array; none where there is no array.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The columns of `source` that are named, under our names for them; what is absent there is absent here.
pub fn columns(source: &Value, names: &[(&str, &str)]) -> Row {
    let named = names.iter().filter_map(|(theirs, ours)| Some((*ours, source.get(theirs)?.clone())));
    named.map(|(column, value)| (column.to_owned(), value)).collect()
}
