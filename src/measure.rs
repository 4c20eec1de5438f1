//! What the benches measure, the same natively and in wasm. Only with the feature `bench`.
//!
//! Promises: each function reads every event; [`serde_json`] does the work of [`scan`] with a general parser.

use std::borrow::Cow;

use serde::Deserialize;

use crate::import::{Import, ImportOptions};
pub use crate::import::{Tally, tally as scan};

/// An event as `serde_json` borrows it from the text.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    cat: Cow<'a, str>,
    #[serde(borrow)]
    ph: Cow<'a, str>,
    pid: u64,
    tid: u64,
    ts: i64,
    #[serde(default)]
    #[allow(dead_code, reason = "parsed and thrown away, as the scanner does")]
    args: serde::de::IgnoredAny,
}

/// The events of a Comet-like trace by `serde_json`, typed and borrowed, a line at a time.
///
/// Names are hashed into a map of borrowed texts, the cheapest interning there is.
pub fn serde_json(bytes: &[u8]) -> Tally {
    let mut names = std::collections::HashMap::new();
    let mut sum = Tally::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = line.strip_prefix(b"[ ").unwrap_or(line);
        let line = line.strip_suffix(b",").unwrap_or(line);
        let Ok(event) = serde_json::from_slice::<Event>(line) else { continue };
        sum.events += u64::from(!event.ph.is_empty());
        sum.times = sum.times.wrapping_add(event.ts * 1000);
        sum.threads = sum.threads.wrapping_add((event.pid + event.tid) as i64);
        let next = names.len();
        names.entry((event.name, event.cat)).or_insert(next);
    }
    Tally { names: names.len() as u64, ..sum }
}

/// Slices of the trace that a whole import of `bytes` builds.
pub fn import(bytes: &[u8]) -> u64 {
    let mut import = Import::new(ImportOptions::default());
    for piece in bytes.chunks(4 << 20) {
        import.feed(piece).expect("the bench reads a trace");
    }
    let imported = import.finish().expect("the bench reads a trace");
    imported.trace.tracks().iter().map(|track| track.slices()).sum()
}
