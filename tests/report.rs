//! The memory report from outside: golden files of Comet's own tool byte for byte, exit codes, streams, JSON.
//!
//! `tests/data/comet/NAME.v1.txt` is what Comet's `analyze_trace` writes by its first rules, `NAME.v4.txt` by those of
//! September 2026; there two notices stand in angle brackets, which are worded here as we word them.
#![cfg(not(target_arch = "wasm32"))]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SUM_NOTICE: &str = "\
WARNING: without comet_memory_reserved_total in the file, reservations are added up thread by thread.
  A pool that several threads share is in the sum once for each of them, which makes it too large.
  A thread is in the sum only from its first own report on, which makes it too small before.
  So what follows can be wrong either way, most of all the excess.
  Traces of newer versions of Comet have the total.
";
const NO_POOLS_NOTICE: &str = "NOTHING TO COMPARE: no thread has reported the reservation of its pools.\n";

/// The files that have a counter which the first rules do not know.
const NEWER: [&str; 3] = ["native-replaces-jemalloc", "paired-shared-pool", "paired-stale-total"];

/// The traces, without `.json`.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> =
        files.filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned())).collect();
    names.sort();
    assert!(names.len() >= 16, "the traces are found");
    names
}

fn golden(name: &str, rules: &str) -> String {
    let text = std::fs::read_to_string(folder().join(format!("{name}.{rules}.txt"))).unwrap();
    text.replace("WARNING: <five-line legacy notice>\n", SUM_NOTICE)
        .replace("<nothing to compare notice>\n", NO_POOLS_NOTICE)
}

/// `tests/browser/report.test.mjs` compares the page with the same files.
#[test]
fn every_report_as_json_is_the_one_the_page_is_compared_with() {
    for name in names() {
        let output = text(&analyze(&[&format!("{name}.json"), "--json"]).stdout);
        let path = folder().join(format!("{name}.report.jsonl"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &output).unwrap();
        }
        assert_eq!(output, std::fs::read_to_string(&path).unwrap(), "{name}; BLESS=1 takes it over");
    }
}

#[test]
fn by_the_first_rules_every_report_is_that_of_comets_tool() {
    for name in names() {
        let output = analyze(&[&format!("{name}.json"), "--rules", "v1"]);
        assert_eq!(text(&output.stdout), golden(&name, "v1"), "{name}");
        assert_eq!(output.status.code(), Some(0), "{name}");
    }
}

#[test]
fn by_the_newer_rules_every_report_is_that_of_comets_tool() {
    for name in names() {
        let output = analyze(&[&format!("{name}.json"), "--rules", "v4"]);
        let expected = golden(&name, "v4");
        assert_eq!(text(&output.stdout), expected, "{name}");
        // the tool writes nothing where no counter says what was allocated
        assert_eq!(output.status.code(), Some(i32::from(expected.is_empty())), "{name}");
        let is_told = text(&output.stderr).contains("no counter says what was allocated");
        assert_eq!(is_told, expected.is_empty(), "{name}");
    }
}

#[test]
fn the_rules_follow_from_the_counters_in_the_file() {
    for name in names() {
        let expected = golden(&name, if NEWER.contains(&&*name) { "v4" } else { "v1" });
        for arguments in [vec![], vec!["--rules", "auto"]] {
            let file = format!("{name}.json");
            let output = analyze(&[&[&*file], &arguments[..]].concat());
            assert_eq!(text(&output.stdout), expected, "{name}");
            assert_eq!(output.status.code(), Some(0), "{name}");
        }
    }
}

#[test]
fn json_has_the_whole_report() {
    let json = json(&["paired-stale-total.json", "--json"]);
    let expected = serde_json::json!([{
        "file": "paired-stale-total.json", "rules": "v4", "counter_events": 13,
        "allocation_counter": "native_allocated", "pool_source": "comet_memory_reserved_total",
        "threads_with_pools": 1, "peak_allocated": 157_286_400, "peak_pool_total": 104_857_600,
        "peak_excess": 136_314_880,
        "points": [
            {"ts_us": 5003, "allocated": 157_286_400, "pool_total": 20_971_520, "excess": 136_314_880},
            {"ts_us": 2_000_009, "allocated": 94_371_840, "pool_total": 62_914_560, "excess": 31_457_280},
        ],
        "final": [{"name": "thread_7_comet_memory_reserved", "bytes": 104_857_600}],
        "final_total": 0, "skipped": {},
    }]);
    assert_eq!(json, expected);
}

#[test]
fn json_of_several_files_is_one_array_and_numbers_are_exact() {
    let json = json(&["empty.json", "one-second-rule.json", "cut-midline.json", "--json"]);
    let files: Vec<_> =
        json.as_array().unwrap().iter().map(|report| report["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["empty.json", "one-second-rule.json", "cut-midline.json"]);
    assert_eq!(json[0]["allocation_counter"], serde_json::Value::Null);
    assert_eq!((&json[0]["rules"], &json[0]["pool_source"]), (&"v1".into(), &"per_thread_sum".into()));
    assert_eq!(json[1]["allocation_counter"], "jemalloc_allocated");
    assert_eq!(json[2]["skipped"], serde_json::json!({"not_json": 1}));
    let largest = br#"{"name":"a_comet_memory_reserved","ph": "C","tid":1,"ts":18446744073709551615,
{"name":"a_comet_memory_reserved\"","ph": "C","tid":1,"ts":2,"args":{"a_comet_memory_reserved\"":18446744073709551615}}"#;
    let json = parsed(&run(&["-", "--json"], largest));
    assert_eq!(json[0]["final_total"], u64::MAX);
    assert_eq!(json[0]["final"][0]["name"], "a_comet_memory_reserved\"");
}

#[test]
fn what_the_tool_drops_without_a_word_is_counted_in_json_and_told_on_stderr() {
    let lines = [
        r#"{"name":"jemalloc_allocated","ph": "C","tid":1,"ts":2,"args":{"jemalloc_allocated":5.5}}"#,
        r#"{"name":"jemalloc_allocated","ph": "C","tid":1,"ts":2.5,"args":{"jemalloc_allocated":5}}"#,
        r#"{"name":"jemalloc_allocated","ph":"C","tid":1,"ts":2,"args":{"jemalloc_allocated":5}}"#,
        r#"{"name":"jemalloc_allocated","ph":"C","tid":1,"ts":2,"args":{"jemalloc_allocated":5}}"#,
        r#"{"name":"jemalloc_allocated","ph": "C","tid":1"#,
    ];
    let bytes = [lines.join("\n").as_bytes(), b"\n\xff\n"].concat();
    let output = run(&["-", "--json"], &bytes);
    let skipped =
        serde_json::json!({"not_json": 1, "bad_ts": 1, "ph_spacing": 2, "bad_utf8": 1, "bad_value": 1});
    assert_eq!(parsed(&output)[0]["skipped"], skipped);
    assert_eq!(parsed(&output)[0]["counter_events"], 1);
    let told = text(&output.stderr);
    assert_eq!(told.lines().count(), 1, "{told}");
    for word in ["1 not_json", "1 bad_ts", "2 ph_spacing", "1 bad_utf8", "1 bad_value", ": -"] {
        assert!(told.contains(word), "{told}");
    }
    // the report itself says no more than the tool's
    assert!(text(&run(&["-"], &bytes).stdout).starts_with("=== Comet Trace Memory Analysis ===\n\nCounter"));
    assert_eq!(text(&analyze(&["run.json"]).stderr), "");
}

#[test]
fn several_files_are_reported_under_each_other_and_in_a_table() {
    let output = analyze(&["ok-never-exceeds.json", "missing.json", "paired-stale-total.json"]);
    let expected = [
        "ok-never-exceeds.json\n\n",
        &golden("ok-never-exceeds", "v1"),
        "\npaired-stale-total.json\n\n",
        &golden("paired-stale-total", "v4"),
        "
=== All files ===

File                     Allocation counter  Peak allocated  Peak pool total  Peak excess  Points  Final total
--------------------------------------------------------------------------------------------------------------
ok-never-exceeds.json    jemalloc_allocated        200.0 MB         200.0 MB       0.0 MB       0     200.0 MB
paired-stale-total.json  native_allocated          150.0 MB         100.0 MB     130.0 MB       2       0.0 MB
",
    ];
    assert_eq!(text(&output.stdout), expected.concat());
    assert_eq!(output.status.code(), Some(1), "one of them is missing");
    assert!(text(&output.stderr).trim_end().ends_with("missing.json"));
}

#[test]
fn stdin_and_gzip_give_what_the_file_gives() {
    let bytes = std::fs::read(folder().join("run.json")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&bytes).unwrap();
    for input in [bytes, encoder.finish().unwrap()] {
        let output = run(&["-"], &input);
        assert_eq!((text(&output.stdout), output.status.code()), (golden("run", "v1"), Some(0)));
    }
}

#[test]
fn a_file_that_can_not_be_read_is_named_with_the_reason_and_exits_with_1() {
    for (file, reason) in [("missing.json", "No such file"), (".", "directory")] {
        for arguments in [vec![file], vec![file, "--json"]] {
            let output = analyze(&arguments);
            assert_eq!(output.status.code(), Some(1), "{file}");
            let told = text(&output.stderr);
            assert!(told.contains(reason) && told.trim_end().ends_with(file), "{told}");
            let empty = if arguments.len() == 1 { "" } else { "[]\n" };
            assert_eq!(text(&output.stdout), empty, "{file}");
        }
    }
}

#[test]
fn a_total_without_a_counter_of_allocation_is_no_all_clear() {
    let total = br#"{"name":"comet_memory_reserved_total","ph": "C","tid":1,"ts":2,"args":{"comet_memory_reserved_total":5}}"#;
    let output = run(&["-"], total);
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(1)));
    assert!(text(&output.stderr).contains("neither native_allocated nor jemalloc_allocated"));
    assert_eq!(run(&["-", "--rules", "v1"], total).status.code(), Some(0));
}

#[test]
fn wrong_usage_exits_with_2_and_help_is_an_answer() {
    let cases: [&[&str]; 5] =
        [&[], &["--json"], &["run.json", "--rules"], &["run.json", "--rules", "v2"], &["run.json", "--fast"]];
    for arguments in cases {
        let output = analyze(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("Usage: analyze_trace"), "{arguments:?}");
        assert_eq!(text(&output.stdout), "");
    }
    for (argument, begins) in [("--help", "Usage: analyze_trace"), ("--version", "analyze_trace 0.")] {
        let output = analyze(&[argument]);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
        assert!(text(&output.stdout).starts_with(begins));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = start(&["run.json", "--json"]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

/// The most memory that a process has had, in kB, as Linux tells.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells it");
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    let mut child = start(&["-"]);
    let span = "{ \"name\": \"executePlan\", \"cat\": \"PERF\", \"ph\": \"B\", \"pid\": 1, \"tid\": 1, \"ts\": 3 },\n";
    let counter = |name: &str, value: u64| {
        format!(
            "{{ \"name\": \"{name}\", \"ph\": \"C\", \"tid\": 1, \"ts\": 3, \"args\": {{ \"{name}\": {value} }} }},\n"
        )
    };
    let block = [
        &span.repeat(3),
        &*counter("jemalloc_allocated", 90),
        &counter("native_allocated", 80),
        &counter("thread_1_comet_memory_reserved", 100),
        &counter("comet_memory_reserved_total", 95),
    ];
    let block = block.concat().repeat(2000);
    let mut stdin = child.stdin.take().unwrap();
    let mut feed = |bytes: usize| {
        (0..bytes / block.len()).for_each(|_| stdin.write_all(block.as_bytes()).unwrap());
    };
    feed(8_000_000);
    let before = most_memory(child.id());
    feed(200_000_000);
    let after = most_memory(child.id());
    drop(stdin);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert!(after < 50_000, "{after} kB");
    assert!(after - before < 1_000, "{before} kB after 8 MB, {after} kB after 208 MB");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/comet")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = analyze(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    parsed(&output)
}

fn parsed(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// Runs in the fixtures' folder with nothing on stdin.
fn analyze(arguments: &[&str]) -> Output {
    run(arguments, b"")
}

fn run(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = start(arguments);
    // who refuses early doesn't read to the end
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn start(arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_analyze_trace"))
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
