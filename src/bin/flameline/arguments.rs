//! The command line of `flameline`.
//!
//! Does not do: asking whether files exist; whoever opens them finds out.

use std::io::{self, Write};
use std::path::PathBuf;

use flameline::export::{Format, Table};
use flameline::import::TsUnit;
use lexopt::prelude::*;

/// How the command is used.
pub const USAGE: &str = "\
Usage: flameline info FILE… [--json] [--ts-unit us|ns|ms]
       flameline memory FILE… [--json] [--ts-unit us|ns|ms]
       flameline export FILE… [--table slices|instants|counters|threads|flows|samples|problems]
                        [--format jsonl|csv] [--ts-unit us|ns|ms]

info     what a trace holds and what was repaired in it
memory   which functions ran while a Comet executor's memory grew, and whether it keeps growing
export   a table of a trace on stdout; slices as JSON lines unless said otherwise

FILE may be - for stdin, and gzip. A ts counts microseconds unless --ts-unit says otherwise.
Exit code: 0 done, also when something was repaired; 1 a file could not be served; 2 wrong usage.
";

/// What to do.
pub enum Command {
    /// Tell what the files hold, as JSON or for people.
    Info { json: bool },
    /// Tell what memory did while functions ran, as JSON or for people.
    Memory { json: bool },
    /// Write a table.
    Export(Table, Format),
}

/// The command line.
pub struct Arguments {
    pub command: Command,
    pub files: Vec<PathBuf>,
    pub ts_unit: TsUnit,
}

impl Arguments {
    /// Reads the command line; `None` when it asked for help or the version and has got it.
    pub fn parse(mut parser: lexopt::Parser) -> Result<Option<Arguments>, lexopt::Error> {
        let (mut command, mut files, mut ts_unit) = (None, Vec::new(), TsUnit::default());
        while let Some(argument) = parser.next()? {
            match (argument, &mut command) {
                (Short('h') | Long("help"), _) => return answer(USAGE),
                (Short('V') | Long("version"), _) => {
                    return answer(concat!("flameline ", env!("CARGO_PKG_VERSION"), "\n"));
                }
                (Value(word), None) if word == "info" => command = Some(Command::Info { json: false }),
                (Value(word), None) if word == "memory" => command = Some(Command::Memory { json: false }),
                (Value(word), None) if word == "export" => {
                    command = Some(Command::Export(Table::default(), Format::default()));
                }
                (Value(word), None) => return Err(format!("no such command: {}", word.display()).into()),
                (Value(file), Some(_)) => files.push(PathBuf::from(file)),
                (Long("ts-unit"), _) => {
                    ts_unit = parser.value()?.parse_with(named("unit", TsUnit::from_name))?
                }
                (Long("json"), Some(Command::Info { json } | Command::Memory { json })) => *json = true,
                (Long("table"), Some(Command::Export(table, _))) => {
                    *table = parser.value()?.parse_with(named("table", Table::from_name))?;
                }
                (Long("format"), Some(Command::Export(_, format))) => {
                    *format = parser.value()?.parse_with(named("format", Format::from_name))?;
                }
                (argument, _) => return Err(argument.unexpected()),
            }
        }
        let command = command.ok_or("a command is missing: info, memory or export")?;
        if files.is_empty() {
            return Err("a FILE is missing; - is stdin".into());
        }
        Ok(Some(Arguments { command, files, ts_unit }))
    }
}

fn named<T>(what: &str, by_name: fn(&str) -> Option<T>) -> impl Fn(&str) -> Result<T, String> {
    move |name| by_name(name).ok_or_else(|| format!("no such {what}"))
}

fn answer(text: &str) -> Result<Option<Arguments>, lexopt::Error> {
    // a reader that has gone away wants no more help
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(None)
}
