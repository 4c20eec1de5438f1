//! The command line from outside: exit codes, streams, and tables compared with golden files.
//!
//! Adding a case means adding `tests/data/chrome/NAME.json` and what is expected of it:
//! `NAME.info.json` or `.txt`, `NAME.memory.json` or `.txt`, `NAME.TABLE.jsonl` or `.csv`. A `container_….json` must hold `container.slices.jsonl`.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use support::check_golden;

#[test]
fn every_golden_table_comes_out_of_its_fixture() {
    let mut failed = Vec::new();
    for golden in files().filter(|path| !is_fixture(path)) {
        let name = name_of(&golden);
        let parts: Vec<&str> = name.split('.').collect();
        let [stem, table, format] = parts[..] else { panic!("a golden is NAME.TABLE.FORMAT: {name}") };
        if stem == "container" {
            continue;
        }
        let fixture = format!("{stem}.json");
        let arguments = match (table, format) {
            ("info" | "memory", "txt") => vec![table, &fixture],
            ("info" | "memory", _) => vec![table, "--json", &fixture],
            _ => vec!["export", &fixture, "--table", table, "--format", format],
        };
        let output = flameline(&arguments);
        failed.extend(failure(&name, || {
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            check_golden(&golden, &output.stdout);
        }));
    }
    assert!(failed.is_empty(), "{} goldens differ:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn every_container_holds_the_same_slices() {
    let mut failed = Vec::new();
    let mut count = 0;
    for fixture in files().filter(|path| name_of(path).starts_with("container_")) {
        let name = name_of(&fixture);
        count += 1;
        let output = flameline(&["export", &name]);
        failed.extend(failure(&name, || {
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let expected = std::fs::read(folder().join("container.slices.jsonl")).unwrap();
            assert_eq!(text(&output.stdout), text(&expected));
        }));
        let problems = text(&flameline(&["info", "--json", &name]).stdout);
        let expected =
            if name.contains("_cut_") { r#""problems":{"truncated_file":1}}"# } else { r#""problems":{}}"# };
        if !problems.trim_end().ends_with(expected) {
            failed.push(format!("{name}: expected {expected}, got {problems}"));
        }
    }
    assert!(count > 20, "the containers are found");
    assert!(failed.is_empty(), "{} containers differ:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn stdin_gives_what_the_file_gives() {
    for name in ["args_of_begin_and_end.json", "container_gzip.json.gz", "sessions.json"] {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        let from_stdin = run(&["export", "-"], &bytes);
        assert_eq!(text(&from_stdin.stdout), text(&flameline(&["export", name]).stdout), "{name}");
        assert_eq!(from_stdin.status.code(), Some(0));
    }
}

#[test]
fn a_gzip_file_cut_anywhere_gives_what_it_held_until_there() {
    let whole = std::fs::read(folder().join("container_gzip.json.gz")).unwrap();
    for len in 0..whole.len() {
        let output = run(&["info", "--json", "-"], &whole[..len]);
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(1), "{len}: {code:?} {}", text(&output.stderr));
    }
    let output = run(&["info", "--json", "-"], &whole[..whole.len() - 8]);
    assert!(text(&output.stdout).contains(r#""slices":2"#), "{}", text(&output.stdout));
}

#[test]
fn the_unit_of_times_can_be_given() {
    let event = br#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1.5,"dur":2}]"#;
    for (unit, ts, dur) in [("us", 1_500, 2_000), ("ns", 2, 2), ("ms", 1_500_000, 2_000_000)] {
        let line = text(&run(&["export", "-", "--ts-unit", unit], event).stdout);
        assert!(line.contains(&format!(r#""ts_ns":{ts},"dur_ns":{dur},"#)), "{unit}: {line}");
    }
}

#[test]
fn several_files_are_told_apart() {
    let files = ["commas.json", "sessions.json"];
    let lines = text(&flameline(&["info", "--json", files[0], files[1]]).stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 2);
    for (line, file) in lines.iter().zip(files) {
        assert!(line.starts_with(&format!(r#"{{"file":"{file}","format":"chrome-json","#)), "{line}");
    }
    let table = text(&flameline(&["export", files[0], files[1], "--format", "csv"]).stdout);
    let expected = "\
kind,pid,tid,process,thread,depth,lane,name,cat,ts_ns,dur_ns,args,session,file
thread,1,1,,,0,0,a,,1000,2000,{},1,commas.json
thread,1,1,,,0,0,b,c,5000,1000,\"{\"\"n\"\":1}\",1,commas.json
thread,1,1,,,0,0,c,,8000,1000,{},1,commas.json
thread,1,7,,,0,0,plan,PERF,5000,,{},2,sessions.json
thread,1,7,,,0,0,plan,PERF,10000,20000,{},1,sessions.json
";
    assert_eq!(table, expected);
    let overviews = text(&flameline(&["info", files[0], files[1]]).stdout);
    let files: Vec<&str> = overviews.lines().filter(|line| line.starts_with("file ")).collect();
    assert_eq!((files.len(), overviews.matches("\n\n").count()), (2, 1), "{overviews}");
}

#[test]
fn tables_that_nothing_fills_have_their_header_only() {
    let flows = "id,cat,name,from_pid,from_tid,from_name,from_ts_ns,to_pid,to_tid,to_name,to_ts_ns\n";
    for (table, header) in [("flows", flows), ("samples", "pid,tid,ts_ns,weight_ns,stack\n")] {
        let csv = flameline(&["export", "commas.json", "--table", table, "--format", "csv"]);
        assert_eq!(text(&csv.stdout), header);
        assert_eq!(text(&flameline(&["export", "commas.json", "--table", table]).stdout), "");
    }
}

#[test]
fn problems_are_listed_and_counted_on_stderr() {
    let output = flameline(&["export", "--table", "problems", "bad_events.json"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stdout);
    let bad = lines.lines().find(|line| line.starts_with(r#"{"kind":"bad_event","count":"#)).expect(&lines);
    assert!(bad.contains(r#""first_offset":1,"first_text":"null"#), "{bad}");
    let told = text(&output.stderr);
    assert!(told.contains("bad_event") && told.trim_end().ends_with("bad_events.json"), "{told}");
    assert_eq!(text(&flameline(&["export", "csv_quoting.json"]).stderr).lines().count(), 1);
    assert_eq!(text(&flameline(&["export", "metadata.json"]).stderr), "");
}

#[test]
fn a_problem_found_at_the_end_has_its_text_when_the_input_can_be_read_again() {
    let event = |name: &str, ts: u32| format!(r#"{{"ph":"B","name":"{name}","pid":1,"tid":1,"ts":{ts}}}"#);
    let trace = format!("[{},\n{}]", event("open", 1), event("é", 2));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("problem_at_the_end.json");
    std::fs::write(&path, &trace).unwrap();
    let output = flameline(&["export", "--table", "problems", path.to_str().unwrap()]);
    let line = text(&output.stdout);
    assert!(
        line.starts_with(r#"{"kind":"unfinished","count":2,"first_offset":1,"first_text":"{\"ph\":\"B\""#),
        "{line}"
    );
}

#[test]
fn an_empty_trace_is_a_trace_and_says_why_it_may_be_empty() {
    for input in ["", "[]", "[ ", " \n", "[\n]\n", r#"{"traceEvents":[]}"#, r#"{"traceEvents":["#] {
        let output = run(&["info", "--json", "-"], input.as_bytes());
        let line = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{input:?}: {}", text(&output.stderr));
        assert!(line.contains(r#""empty":1"#), "{input:?}: {line}");
        assert!(
            line.contains(r#""events":0"#) && line.contains(r#""first_ns":null,"last_ns":null"#),
            "{line}"
        );
        assert_eq!(text(&run(&["export", "-"], input.as_bytes()).stdout), "");
    }
}

#[test]
fn what_is_no_trace_is_refused_with_the_path_last() {
    let png: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let inputs: [&[u8]; 6] = [b"{}", b"null", b"hello, world\n", b"<html></html>", png, b"{\"a\":[1,2]}"];
    for input in inputs {
        for command in ["info", "export"] {
            let output = run(&[command, "-"], input);
            let reason = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{}: {reason}", text(input));
            assert_eq!(text(&output.stdout), "");
            assert!(
                reason.starts_with("flameline: This is no trace") && reason.ends_with(": -\n"),
                "{reason}"
            );
        }
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_an_error_and_the_others_are_served() {
    let output = flameline(&["info", "--json", "no such file.json", "commas.json", "."]);
    assert_eq!(output.status.code(), Some(1));
    let reasons = text(&output.stderr);
    let mut errors = reasons.lines().filter(|line| line.contains("could not"));
    assert!(errors.next().is_some_and(|line| line.ends_with(": no such file.json")), "{reasons}");
    assert!(errors.next().is_some_and(|line| line.ends_with(": .")), "{reasons}");
    assert!(text(&output.stdout).starts_with(r#"{"file":"commas.json","#));
    let output = flameline(&["export", "no such file.json", "--format", "csv"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_is_right() {
    let cases: [&[&str]; 9] = [
        &[],
        &["info"],
        &["export"],
        &["fly", "commas.json"],
        &["info", "commas.json", "--table", "slices"],
        &["export", "commas.json", "--json"],
        &["export", "commas.json", "--table", "slice"],
        &["export", "commas.json", "--format", "xml"],
        &["info", "commas.json", "--ts-unit", "s"],
    ];
    for arguments in cases {
        let output = flameline(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("Usage: flameline"), "{arguments:?}");
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn help_and_version_are_answers() {
    for (argument, begins) in
        [("--help", "Usage: flameline"), ("--version", "flameline 0."), ("-h", "Usage:")]
    {
        let output = flameline(&[argument]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with(begins));
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = start(&["export", "-"]);
    drop(child.stdout.take());
    let event = r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},"#;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("[{}]", event.repeat(10_000)).as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("could not"), "{}", text(&output.stderr));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/chrome")
}

fn files() -> impl Iterator<Item = PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter()
}

/// A fixture has one dot in its name, or ends in `.json.gz`; a golden has two dots.
fn is_fixture(path: &Path) -> bool {
    let name = name_of(path);
    name.ends_with(".gz") || name.matches('.').count() < 2
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Runs in the fixtures' folder with nothing on stdin.
fn flameline(arguments: &[&str]) -> Output {
    run(arguments, b"")
}

fn run(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = start(arguments);
    // who refuses early doesn't read to the end
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn start(arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_flameline"))
        .args(arguments)
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The message with which `check` panics, if it does, so that one run shows all failures.
fn failure(name: &str, check: impl FnOnce() + std::panic::UnwindSafe) -> Option<String> {
    let panic = std::panic::catch_unwind(check).err()?;
    let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    Some(format!("{name}: {message}"))
}
