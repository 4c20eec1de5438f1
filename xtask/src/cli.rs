//! Cli: the words after `cargo xtask`, understood.
//!
//! Promises: every option that isn't known is an error; nothing is done here.
//! Knows nothing of: how a command works.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::prelude::*;

use crate::failure::{Failure, Result};
use crate::test::Part;

pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  serve [--port 8080] [--open FILE]   build the page, serve it on 127.0.0.1, open a trace in it
  build                               build the page into the folder that wasm-pack.toml names
  test [--native | --browser]         check, then run every test, or one half of them
  check                               formatting, clippy and rustdoc
  bench [--filter TEXT] [--browser] [-- ARG…]
                                      measure natively, or in the browser; tests/browser/bench_*.mjs say
                                      what they take
  gen-trace --size SIZE [--seed N] OUT
                                      write a trace of that size, such as 100MB, to a file

FLAMELINE_WASM_TOOLCHAIN=debian takes the wasm compiler from Debian's packages.
FLAMELINE_CHROMIUM names a browser that is not on PATH.
";

#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Serve {
        port: u16,
        open: Option<PathBuf>,
    },
    Build,
    Test(Part),
    Check,
    Bench {
        filter: Option<String>,
        browser: bool,
        /// For the bench, as they are.
        args: Vec<String>,
    },
    /// Handed on as they are.
    GenTrace(Vec<String>),
}

pub fn parse(args: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Command> {
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let mut parser = lexopt::Parser::from_args(args);
    let name = match parser.next()? {
        Some(Value(name)) => name.string()?,
        Some(Short('h') | Long("help")) => return Ok(Command::Help),
        Some(arg) => return Err(arg.unexpected().into()),
        None => return Err(Failure::Usage("no command".to_owned())),
    };
    match name.as_str() {
        "serve" => serve(parser),
        "build" => no_more(parser, Command::Build),
        "test" => test(parser),
        "check" => no_more(parser, Command::Check),
        "bench" => bench(parser),
        "gen-trace" => {
            let args = parser.raw_args()?.map(|arg| arg.string().map_err(Failure::from));
            Ok(Command::GenTrace(args.collect::<Result<_>>()?))
        }
        "help" => no_more(parser, Command::Help),
        _ => Err(Failure::Usage(format!("there is no command {name:?}"))),
    }
}

fn serve(mut parser: lexopt::Parser) -> Result<Command> {
    let (mut port, mut open) = (8080, None);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("port") => port = parser.value()?.parse()?,
            Long("open") => open = Some(parser.value()?.into()),
            _ => return Err(arg.unexpected().into()),
        }
    }
    Ok(Command::Serve { port, open })
}

fn test(mut parser: lexopt::Parser) -> Result<Command> {
    let (mut native, mut browser) = (false, false);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("native") => native = true,
            Long("browser") => browser = true,
            _ => return Err(arg.unexpected().into()),
        }
    }
    Ok(Command::Test(match (native, browser) {
        (true, false) => Part::Native,
        (false, true) => Part::Browser,
        // Both halves are all of it.
        _ => Part::All,
    }))
}

fn bench(mut parser: lexopt::Parser) -> Result<Command> {
    let (mut filter, mut browser, mut args) = (None, false, Vec::new());
    loop {
        // what follows `--` is the bench's
        if let Some(raw) = parser.try_raw_args()
            && raw.peek().is_some_and(|arg| arg == "--")
        {
            let rest = raw.skip(1).map(|arg| arg.string().map_err(Failure::from));
            args = rest.collect::<Result<_>>()?;
            break;
        }
        match parser.next()? {
            Some(Long("filter")) => filter = Some(parser.value()?.string()?),
            Some(Long("browser")) => browser = true,
            Some(arg) => return Err(arg.unexpected().into()),
            None => break,
        }
    }
    Ok(Command::Bench { filter, browser, args })
}

fn no_more(mut parser: lexopt::Parser, command: Command) -> Result<Command> {
    match parser.next()? {
        None => Ok(command),
        Some(arg) => Err(arg.unexpected().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Command> {
        parse(line.split_whitespace())
    }

    #[test]
    fn each_command_is_understood() {
        for (line, command) in [
            ("serve", Command::Serve { port: 8080, open: None }),
            ("serve --port 0 --open a.json", Command::Serve { port: 0, open: Some("a.json".into()) }),
            ("serve --port=9", Command::Serve { port: 9, open: None }),
            ("build", Command::Build),
            ("test", Command::Test(Part::All)),
            ("test --native", Command::Test(Part::Native)),
            ("test --browser", Command::Test(Part::Browser)),
            ("test --browser --native", Command::Test(Part::All)),
            ("check", Command::Check),
            ("bench", Command::Bench { filter: None, browser: false, args: vec![] }),
            (
                "bench --filter x --browser",
                Command::Bench { filter: Some("x".into()), browser: true, args: vec![] },
            ),
            (
                "bench --browser -- --rounds 1 a.json",
                Command::Bench {
                    filter: None,
                    browser: true,
                    args: ["--rounds", "1", "a.json"].map(str::to_owned).to_vec(),
                },
            ),
            ("--help", Command::Help),
        ] {
            assert_eq!(words(line), Ok(command), "{line}");
        }
        let rest = ["--size", "100MB", "--seed", "1", "out.json"].map(str::to_owned).to_vec();
        assert_eq!(words("gen-trace --size 100MB --seed 1 out.json"), Ok(Command::GenTrace(rest)));
    }

    #[test]
    fn what_is_not_understood_is_a_matter_of_usage() {
        for line in [
            "",
            "nonsense",
            "--port",
            "serve --port",
            "serve --port x",
            "serve --port 70000",
            "serve extra",
            "build --release",
            "test --all",
            "check x",
            "bench x",
            "--nonsense",
        ] {
            assert!(matches!(words(line), Err(Failure::Usage(_))), "{line}");
        }
    }
}
