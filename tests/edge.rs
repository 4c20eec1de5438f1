//! Edge cases of the format: small traces, each named after what is odd in it, with all that is read from them.
//!
//! Adding a case means adding `tests/data/edge/NAME.json`; `BLESS=1` writes `NAME.txt`, to be reviewed like code:
//! the overview, then each table that has rows, as `flameline export` writes it. A refused input has its reason.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::path::{Path, PathBuf};

use flameline::export::{Format, Info, Problem, Reading, Source, Table, write_table};
use flameline::import::TsUnit;
use flameline::native::{self, Loaded};
use support::check_golden;

#[test]
fn every_edge_case_is_read_as_its_golden_says() {
    let fixtures = files("json");
    assert!(fixtures.len() > 70, "the fixtures are there");
    for fixture in fixtures {
        check_golden(&fixture.with_extension("txt"), dump(&fixture).as_bytes());
    }
}

#[test]
fn every_golden_belongs_to_an_edge_case() {
    for golden in files("txt") {
        assert!(golden.with_extension("json").exists(), "{}", golden.display());
    }
}

fn files(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/edge");
    let paths = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    paths
}

/// Everything that is read from the file at `path`, as text.
fn dump(path: &Path) -> String {
    let loaded = match native::load(path, TsUnit::Us) {
        Ok(loaded) => loaded,
        Err(error) => {
            // the path at the end is that of this machine
            let reason = error.to_string();
            return format!("{}\n", reason.rsplit_once(": ").expect("the path stands last").0);
        }
    };
    let Loaded { imported, mut source } = loaded;
    let problem = |problem: &flameline::import::Problem| Problem {
        kind: problem.kind.name().to_owned(),
        count: problem.count,
        first_offset: problem.first_offset,
        first_text: problem.first_text.clone(),
        message: problem.message(),
    };
    let reading = Reading {
        format: imported.format.name().to_owned(),
        bytes: imported.bytes,
        events: imported.events,
        problems: imported.report.problems.iter().map(problem).collect(),
    };
    let mut text = format!("{}\n", Info::new(&imported.trace, &reading).json());
    let mut sources = [Source {
        file: None,
        trace: &imported.trace,
        reading: &reading,
        args: Box::new(|id| source.args_of(imported.trace.args(), id)),
    }];
    for table in Table::ALL {
        let mut rows = Vec::new();
        write_table(&mut rows, table, Format::Jsonl, &mut sources).expect("memory can be written");
        if !rows.is_empty() {
            text += &format!("\n{}\n{}", table.name(), String::from_utf8(rows).expect("tables are UTF-8"));
        }
    }
    text
}
