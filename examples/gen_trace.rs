//! Writes an invented Comet trace: `cargo run --release --example gen_trace -- --size 100MB OUT`.
//!
//! Promises: the same arguments give the same bytes; memory use does not grow with the size.
//! Does not: invent other formats than Comet's, or compress.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use flameline::generate::comet::{CometFormat, CometOptions, CometTrace, Leak};
use lexopt::prelude::*;

const USAGE: &str = "\
usage: gen_trace [--size N] [--seed N] [--format 3|4] [--leak NAME:BYTES] OUT
  --size N      size of the file, such as 500KB, 100MB, 1GB (decimal; 10MB if not given)
  --seed N      which of 2^64 traces (1 if not given)
  --format 3|4  version of Comet's counters (4 if not given)
  --leak NAME:BYTES
                each call of this function keeps so many bytes, such as
                shuffle_insert_batch:4096; takes the place of the built-in leak
  OUT           the file to write, - for standard output";

struct Arguments {
    seed: u64,
    options: CometOptions,
    out: String,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("gen_trace: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let out = arguments.out.clone();
    match write(arguments) {
        // whoever read from the pipe has had enough
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gen_trace: cannot write {out}: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}

fn write(arguments: Arguments) -> io::Result<()> {
    let mut out: Box<dyn Write> = match arguments.out.as_str() {
        "-" => Box::new(io::stdout().lock()),
        path => Box::new(File::create(path)?),
    };
    let mut trace = CometTrace::new(arguments.seed, arguments.options);
    let mut block = Vec::new();
    while trace.next_block(&mut block) {
        out.write_all(&block)?;
        block.clear();
    }
    out.flush()
}

/// None if help was asked for.
fn arguments() -> Result<Option<Arguments>, lexopt::Error> {
    let mut options = CometOptions::default();
    let (mut seed, mut out) = (1, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("size") => options.size = parser.value()?.parse_with(size)?,
            Long("seed") => seed = parser.value()?.parse()?,
            Long("format") => options.format = parser.value()?.parse_with(format)?,
            Long("leak") => options.leak = Some(parser.value()?.parse_with(leak)?),
            Short('h') | Long("help") => return Ok(None),
            Value(value) if out.is_none() => out = Some(value.string()?),
            other => return Err(other.unexpected()),
        }
    }
    let out = out.ok_or("the file to write is missing")?;
    Ok(Some(Arguments { seed, options, out }))
}

fn size(text: &str) -> Result<u64, &'static str> {
    let units = [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    units
        .iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)))
        .and_then(|(number, bytes)| number.parse::<u64>().ok()?.checked_mul(*bytes))
        .ok_or("a size is a whole number and KB, MB or GB")
}

fn format(text: &str) -> Result<CometFormat, &'static str> {
    match text {
        "3" => Ok(CometFormat::Three),
        "4" => Ok(CometFormat::Four),
        _ => Err("the format is 3 or 4"),
    }
}

fn leak(text: &str) -> Result<Leak, &'static str> {
    // names have colons of their own, numbers have none
    let (name, bytes) = text.rsplit_once(':').ok_or("a leak is NAME:BYTES")?;
    let bytes_per_call = bytes.parse().map_err(|_| "a leak's BYTES are a whole number")?;
    Ok(Leak { name: name.to_owned(), bytes_per_call })
}
