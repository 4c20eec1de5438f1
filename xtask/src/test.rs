//! Test: everything there is to pass, or the native or the browser half of it.
//!
//! Promises: a part that fails does not keep the next from running; the last line sums up all
//! runners; success means that every part succeeded.
//! Knows nothing of: what is tested.

use std::path::Path;

use crate::browser::Browser;
use crate::bundle;
use crate::call::Call;
use crate::check;
use crate::failure::{Failure, Result, cannot};
use crate::settings::Settings;
use crate::tally::Tally;
use crate::wasm_call::Warnings;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    All,
    Native,
    Browser,
}

pub fn test(root: &Path, part: Part) -> Result<()> {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    let mut note = |outcome: Result<()>| failures.extend(outcome.err());
    if part != Part::Browser {
        note(check::check());
        note(run(&Call::cargo(["test", "--workspace", "--no-fail-fast"]), &mut tally));
    }
    if part != Part::Native {
        note(in_browser(root, &mut tally));
    }
    for failure in &failures {
        eprintln!("xtask: {failure}");
    }
    println!("{tally}");
    match failures.len() {
        0 => Ok(()),
        1 => cannot("one part failed"),
        n => cannot(format!("{n} parts failed")),
    }
}

fn in_browser(root: &Path, tally: &mut Tally) -> Result<()> {
    let dist = bundle::build(root, &Settings::read(root)?, Warnings::Deny)?;
    run(&Browser::ensure(root)?.test_call(&dist)?, tally)
}

fn run(call: &Call, tally: &mut Tally) -> Result<()> {
    if call.run_watched(|line| tally.see(line))? {
        Ok(())
    } else {
        Err(Failure::Cannot(format!("this failed: {call}")))
    }
}
