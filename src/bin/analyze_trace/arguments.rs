//! The command line of `analyze_trace`.
//!
//! Does not do: asking whether files exist; whoever opens them finds out.

use std::io::{self, Write};
use std::path::PathBuf;

use flameline::analysis::memory::Rules;
use lexopt::prelude::*;

/// How the command is used.
pub const USAGE: &str = "\
Usage: analyze_trace FILE… [--rules auto|v1|v4] [--json]

Compares what a Comet executor had allocated with what its memory pools had reserved.

--rules  v1 holds jemalloc_allocated against the sum of all pools, as Comet's tool did first;
         v4 prefers native_allocated and comet_memory_reserved_total, which it compares thread by thread;
         auto, the default, takes v4 as soon as the file has one of these two
--json   all reports as one JSON array, sizes in bytes

FILE may be - for stdin, and gzip. Lines that are not read are counted on stderr.
Exit code: 0 done, also when lines were skipped; 1 a file could not be served; 2 wrong usage.
";

/// The command line.
pub struct Arguments {
    pub files: Vec<PathBuf>,
    /// None: by what the file has.
    pub rules: Option<Rules>,
    pub json: bool,
}

impl Arguments {
    /// Reads the command line; `None` when it asked for help or the version and has got it.
    pub fn parse(mut parser: lexopt::Parser) -> Result<Option<Arguments>, lexopt::Error> {
        let mut arguments = Arguments { files: Vec::new(), rules: None, json: false };
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return answer(USAGE),
                Short('V') | Long("version") => {
                    return answer(concat!("analyze_trace ", env!("CARGO_PKG_VERSION"), "\n"));
                }
                Value(file) => arguments.files.push(PathBuf::from(file)),
                Long("json") => arguments.json = true,
                Long("rules") => {
                    arguments.rules = parser.value()?.parse_with(|name| match name {
                        "auto" => Ok(None),
                        "v1" => Ok(Some(Rules::V1)),
                        "v4" => Ok(Some(Rules::V4)),
                        _ => Err("no such rules"),
                    })?;
                }
                argument => return Err(argument.unexpected()),
            }
        }
        if arguments.files.is_empty() {
            return Err("a FILE is missing; - is stdin".into());
        }
        Ok(Some(arguments))
    }
}

fn answer(text: &str) -> Result<Option<Arguments>, lexopt::Error> {
    // a reader that has gone away wants no more help
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(None)
}
