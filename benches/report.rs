//! The memory report of a Comet trace in MB/s, beside the documented way of reading it, on the same file in the same run.
//!
//! The documented way: read a line as text, look for `"ph": "C"`, read it with `serde_json` into a structure.
//! It is timed without the rest of the report, ours with everything.
//!
//! `cargo bench --bench report --features bench [-- SIZE_MB | FILE]`; fails when ours is less than three times as fast.

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use flameline::generate::comet::{CometOptions, CometTrace};
use flameline::native;
use serde::Deserialize;

/// Rounds; both take turns in each, so that a slow phase of the machine hits them alike.
const ROUNDS: usize = 9;
/// How many times as fast ours must be.
const RATIO: f64 = 3.0;

/// What Comet's tool reads of a line.
#[derive(Deserialize)]
struct Documented {
    name: String,
    ph: String,
    tid: u64,
    ts: u64,
    #[serde(default)]
    args: HashMap<String, serde_json::Value>,
}

fn main() {
    let argument = std::env::args().skip(1).rfind(|argument| !argument.starts_with("--"));
    let size = argument.as_ref().map_or(Some(100), |argument| argument.parse().ok());
    let path = match (size, argument) {
        (None, Some(path)) => PathBuf::from(path),
        _ => generated(size.unwrap_or(100)),
    };
    let bytes = path.metadata().expect("the trace is there").len();
    let events = ours(&path);
    assert_eq!(events, documented(&path), "both take the same events");
    type Candidate = fn(&Path) -> u64;
    let candidates: [(&str, Candidate); 2] = [("report", ours), ("documented way", documented)];
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (rates, (_, run)) in rates.iter_mut().zip(candidates) {
            let start = Instant::now();
            black_box(run(&path));
            rates.push(bytes as f64 / 1e6 / start.elapsed().as_secs_f64());
        }
    }
    if size.is_some() {
        std::fs::remove_file(&path).expect("the trace can be removed");
    }
    println!("Comet trace of {bytes} bytes, {events} counter events, best (and median) of {ROUNDS} rounds");
    let [ours, documented] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        (rates[ROUNDS - 1], rates[ROUNDS / 2])
    });
    for ((name, _), (best, median)) in candidates.iter().zip([ours, documented]) {
        println!(
            "{name:<16} {best:>7.0} MB/s ({median:.0})   {:>5.2} x the documented way",
            best / documented.0
        );
    }
    let ratio = ours.0 / documented.0;
    assert!(ratio >= RATIO, "{ratio:.2} times the documented way, {RATIO} at least");
}

/// A Comet-like trace in a file of its own.
fn generated(megabytes: u64) -> PathBuf {
    let path = std::env::temp_dir().join(format!("flameline-report-{}.json", std::process::id()));
    let mut out = BufWriter::new(File::create(&path).expect("a trace can be written"));
    let options = CometOptions { size: megabytes * 1_000_000, ..CometOptions::default() };
    let (mut trace, mut block) = (CometTrace::new(1, options), Vec::new());
    while trace.next_block(&mut block) {
        out.write_all(&block).expect("a trace can be written");
        block.clear();
    }
    out.write_all(&block).and_then(|()| out.flush()).expect("a trace can be written");
    path
}

/// Everything up to the report; how many events it is made of.
fn ours(path: &Path) -> u64 {
    let (analysis, _) = native::analyze_memory(path).expect("the trace can be read");
    analysis.report(None).counter_events
}

/// Reads the events the documented way; how many there are.
fn documented(path: &Path) -> u64 {
    let mut count = 0;
    for line in BufReader::new(File::open(path).expect("the trace can be read")).lines() {
        let line = line.expect("the trace is text");
        let text = line.trim().trim_start_matches("[ ").trim_start_matches('[').trim_end_matches(',');
        if !text.contains(r#""ph": "C""#) {
            continue;
        }
        let Ok(event) = serde_json::from_str::<Documented>(text) else { continue };
        let value = event.args.get(&event.name).and_then(serde_json::Value::as_u64);
        black_box((value, event.tid, event.ts));
        count += u64::from(event.ph == "C");
    }
    count
}
