//! Xtask: what a person types to build, serve, test and measure flameline (`cargo xtask`).
//!
//! A command is one file that says what is done in which order: `serve`, `test`, `check`, `bench`.
//! The bundle: `settings` → `wasm_toolchain` (`debian`, `apt`) → `wasm_call` → `bundle` (`glue`,
//! `wasm_opt`, `size`) → `one_file` (`join`, `js_code`). The server: `server`, `request`. Children are `call`s.
//! Does not: know anything of traces. Exit codes: 0 done, 1 it could not be done, 2 usage.

mod apt;
mod bench;
mod browser;
mod bundle;
mod call;
mod check;
mod cli;
mod debian;
mod failure;
mod glue;
mod join;
mod js_code;
mod one_file;
mod request;
#[cfg(test)]
mod scratch;
mod serve;
mod server;
mod settings;
mod size;
mod tally;
mod test;
mod wasm_call;
mod wasm_opt;
mod wasm_toolchain;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use call::Call;
use cli::Command;
use failure::{Failure, Result, Tried};

fn main() -> ExitCode {
    match cli::parse(env::args_os().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            if matches!(failure, Failure::Usage(_)) {
                eprint!("\n{}", cli::USAGE);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: Command) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    // A file that a person names is meant from where they are; all else happens in the root.
    let here = env::current_dir().tried("find the folder", Path::new("."))?;
    env::set_current_dir(root).tried("go to", root)?;
    match command {
        Command::Help => {
            print!("{}", cli::USAGE);
            Ok(())
        }
        Command::Serve { port, open } => serve::serve(root, port, open.map(|file| here.join(file))),
        Command::Build => {
            let settings = settings::Settings::read(root)?;
            bundle::build(root, &settings, wasm_call::Warnings::Show).map(|_| ())
        }
        Command::Test(part) => test::test(root, part),
        Command::Check => check::check(),
        Command::Bench { filter, browser: false, args } => bench::native(filter.as_deref(), &args),
        Command::Bench { filter, browser: true, args } => {
            bench::in_browser(root, filter.as_deref().unwrap_or(""), &args)
        }
        Command::GenTrace(args) => gen_trace(root, here, &args),
    }
}

fn gen_trace(root: &Path, here: PathBuf, args: &[String]) -> Result<()> {
    let mut call = Call::cargo(["run", "--quiet", "--release", "--package", "flameline"])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml").to_string_lossy())
        .dir(here);
    for arg in ["--example", "gen_trace", "--"] {
        call = call.arg(arg);
    }
    for arg in args {
        call = call.arg(arg);
    }
    call.run()
}
