//! Real files of other programs, compared with what an independent reader counted in them.
//!
//! The files are not part of the repository: `FLAMELINE_CONFORMANCE_DIR` names a folder with
//! `traces/MANIFEST.tsv` (file, …, events, phases, processes, threads), the files beside it,
//! `traces/perfetto/FILE.json` (what Perfetto reads from each), `golden/comet/` (traces like Comet's) and
//! `cases/PEER/CASE/` (`trace.json`, and in `expected.json` what the peer's own test expects).
//! Without it these tests say that they did nothing.
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/cases/mod.rs"]
mod cases;
#[path = "support/perfetto.rs"]
mod perfetto;

use std::path::{Path, PathBuf};

use cases::Class;
use flameline::export::{Info, Reading};
use flameline::import::{Imported, TsUnit};
use flameline::native::{self, LoadError};

/// A number that differs from the manifest on purpose: file, column, ours, and the rule that makes it so.
const DIFFERENCES: &[(&str, &str, u64, &str)] = &[(
    "tensorboard_tf_trace_viewer_demo.json",
    "threads",
    3,
    "a missing tid takes the pid: an instant without one is on the thread 22630, not on a thread of its own",
)];

/// Where we differ from Perfetto on purpose: file, what the difference says, and the rule that makes it so.
const NOT_AS_PERFETTO: &[(&str, &str, &str)] = &[
    (
        "catapult_traceviewify.json",
        ": ",
        "an end closes what stands above its begin; Perfetto leaves that open",
    ),
    (
        "catapult_simple_trace_gz.gz",
        " ns, ",
        "a begin without an end has no length; Perfetto cuts it with the X around",
    ),
    (
        "tensorboard_tf_trace_viewer_demo.json",
        " ns, ",
        "as in catapult_simple_trace_gz.gz, of which this is a part",
    ),
];

#[test]
fn every_chrome_trace_has_the_events_processes_and_threads_of_the_manifest() {
    let Some(folder) = conformance_folder() else { return };
    let manifest = std::fs::read_to_string(folder.join("traces/MANIFEST.tsv")).unwrap();
    let mut wrong = Vec::new();
    for row in manifest.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [file, _, events, phases, processes, threads, ..] = row[..] else {
            panic!("a row has 7 columns: {row:?}")
        };
        let path = folder.join("traces").join(file);
        if phases == "{}" {
            match native::load(&path, TsUnit::Us) {
                Err(LoadError::Import(..)) => {}
                other => wrong.push(format!("{file}: is no trace, but {other:?}")),
            }
            continue;
        }
        let info = info(&load(&path));
        for (column, expected) in [("events", events), ("processes", processes), ("threads", threads)] {
            let known = DIFFERENCES.iter().find(|known| (known.0, known.1) == (file, column));
            let expected = known.map_or_else(|| expected.parse().unwrap(), |known| known.2);
            let ours = number(&info, column);
            if ours != expected {
                wrong.push(format!("{file}: {expected} {column} expected, {ours} read"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_trace_like_comets_loads() {
    let Some(folder) = conformance_folder() else { return };
    let mut count = 0;
    for path in files(&folder.join("golden/comet"), ".json") {
        let imported = load(&path);
        let info = info(&imported);
        let name = path.file_name().unwrap().to_str().unwrap();
        let problems = |kind: &str| {
            let mut of_kind = imported.report.problems.iter().filter(|problem| problem.kind.name() == kind);
            of_kind.next().map_or(0, |problem| problem.count)
        };
        count += 1;
        let is_empty = ["empty.json", "only-bracket.json"].contains(&name);
        assert_eq!(
            (number(&info, "events") == 0, problems("empty")),
            (is_empty, u64::from(is_empty)),
            "{name}"
        );
        // both executors of the interleaved file have written their bracket
        let has_two = ["two-sessions.json", "interleaved.json"].contains(&name);
        assert!(is_empty || number(&info, "sessions") == 1 + u64::from(has_two), "{name}");
        match name {
            "doc-sample.json" => {
                assert_eq!((problems("unmatched_end"), problems("unfinished")), (2, 1));
                assert_eq!((number(&info, "slices"), number(&info, "unfinished")), (3, 1));
            }
            // the panic leaves executePlan open; the end of getNextBatch closes it
            "panic.json" => assert_eq!((problems("misplaced_end"), number(&info, "slices")), (1, 3)),
            "cut-midline.json" => assert_eq!(problems("truncated_file"), 1),
            "old-mb-format.json" => assert_eq!(problems("megabyte_counters"), 1),
            "interleaved.json" => assert!(problems("time_went_back") > 0),
            "empty.json" | "only-bracket.json" => {
                let message = imported.report.problems[0].message();
                assert!(message.contains("Comet") && message.contains("8 KiB"), "{message}");
            }
            _ => {}
        }
    }
    assert_eq!(count, 16);
}

#[test]
fn threads_have_the_slices_that_perfetto_sees() {
    let Some(folder) = conformance_folder() else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for path in files(&folder.join("traces/perfetto"), ".json") {
        let Some(theirs) = perfetto::read(&path) else { continue };
        compared += 1;
        let Ok(loaded) = native::load(&folder.join("traces").join(&theirs.file), TsUnit::Us) else {
            continue;
        };
        let imported = loaded.imported;
        let is_known = |line: &String| {
            NOT_AS_PERFETTO.iter().any(|known| theirs.file == known.0 && line.contains(known.1))
        };
        wrong.extend(theirs.differences(&imported).into_iter().filter(|line| !is_known(line)));
    }
    println!("{compared} files compared with Perfetto");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_case_of_a_peer_is_read_as_it_expects_or_as_a_rule_of_ours_says() {
    let Some(folder) = conformance_folder() else { return };
    let (mut names, mut wrong) = (Vec::new(), Vec::new());
    for peer in cases::PEERS {
        let (mut equal, mut by_our_rule, mut not_applicable) = (0, 0, 0);
        for case in cases::cases(&folder.join("cases"), peer) {
            match cases::verdict(&case) {
                Ok(Class::Equal) => equal += 1,
                Ok(Class::ByOurRule) => by_our_rule += 1,
                Ok(Class::NotApplicable) => not_applicable += 1,
                Err(reason) => wrong.push(format!("{} {reason}", case.name)),
            }
            names.push(case.name);
        }
        println!("{peer}: {equal} equal, {by_our_rule} by our rule, {not_applicable} not applicable");
        let wrong_here = wrong.iter().filter(|line| line.starts_with(peer)).count();
        let folders = cases::folders(&folder.join("cases").join(peer)).len();
        assert_eq!(equal + by_our_rule + not_applicable + wrong_here, folders, "{peer}");
    }
    assert!(names.len() > 200, "the cases are there: {}", names.len());
    wrong.extend(cases::stray_entries(&names).into_iter().map(|name| format!("{name} is listed in vain")));
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// Edge cases that are nobody's expectation are fixtures of ours; `tests/edge.rs` compares them with their goldens.
#[test]
fn every_edge_case_is_a_fixture_with_a_golden() {
    let Some(folder) = conformance_folder() else { return };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/edge");
    let folders = cases::folders(&folder.join("cases/edge"));
    let mut wrong = Vec::new();
    for case in &folders {
        // `030-x-overlap-partial` is `x_overlap_partial`
        let name = case.file_name().unwrap().to_str().unwrap();
        let name = name.split_once('-').map_or(name, |(_, name)| name).replace('-', "_");
        let fixture = fixtures.join(&name).with_extension("json");
        let is_same = std::fs::read(case.join("trace.json")).ok() == std::fs::read(&fixture).ok();
        if !is_same || !fixture.with_extension("txt").exists() {
            wrong.push(name);
        }
    }
    println!("edge: {} as their goldens", folders.len() - wrong.len());
    assert!(folders.len() > 70, "the cases are there");
    assert!(wrong.is_empty(), "no fixture, or another one: {}", wrong.join(", "));
}

/// The folder of real files, if there is one.
fn conformance_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("FLAMELINE_CONFORMANCE_DIR").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: FLAMELINE_CONFORMANCE_DIR is not set");
    }
    folder
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
    paths.sort();
    paths
}

fn load(path: &Path) -> Imported {
    match native::load(path, TsUnit::Us) {
        Ok(loaded) => loaded.imported,
        Err(error) => panic!("{error}"),
    }
}

fn info(imported: &Imported) -> Info {
    Info::new(&imported.trace, &Reading { events: imported.events, ..Reading::default() })
}

fn number(info: &Info, key: &str) -> u64 {
    info.numbers.iter().find(|number| number.0 == key).unwrap().1
}
