//! What Perfetto reads from a file, and how our reading differs from it.
//!
//! Perfetto's ways that are not ours are undone before comparing:
//! - an instant of a thread is a slice without length there, one deeper than the slice around it;
//! - ids beyond 32 bits become 0, and `tid` 0 becomes the `pid`;
//! - events before time 0 are dropped;
//! - what overlaps is dropped in the version that was asked (v52), and lies in lanes of its own with us;
//! - times with a fraction go through doubles.
//!
//! Does not do: async slices, which are no thread's, and threads whose ids are names: theirs are made up.

use std::collections::HashMap;
use std::path::Path;

use flameline::import::Imported;
use flameline::trace::{Id, Track};
use serde_json::Value;

/// Perfetto's reading of one file.
pub struct Reading {
    /// The file's name.
    pub file: String,
    threads: HashMap<(u64, u64), Thread>,
    /// The most frequent names, if all slices are threads'.
    names: HashMap<String, Total>,
    /// Events that Perfetto could not read.
    unread: u64,
    /// Slices that it dropped since they overlap others.
    dropped: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    slices: u64,
    dur: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Thread {
    total: Total,
    depth: u64,
    /// How many threads of ours have the same ids there.
    tracks: u64,
    /// Most instants at one time: they nest there.
    stacked: u64,
}

/// How far the sum may be off for each slice in ns: a double of microseconds since 1970 has steps of 125 ns.
const DOUBLE: i64 = 250;

/// The reading in `path`; `None` when Perfetto could not read the file at all.
pub fn read(path: &Path) -> Option<Reading> {
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).expect("the reading is JSON");
    let summary = json.get("summary")?;
    let number = |value: &Value, key: &str| value[key].as_u64().unwrap();
    let total = |value: &Value, count: &str| Total {
        slices: number(value, count),
        dur: value["durNs"].as_str().map_or(0, |text| text.parse().unwrap()),
    };
    let of_thread = |value: &Value| {
        let thread =
            Thread { total: total(value, "slices"), depth: number(value, "depth"), ..Thread::default() };
        ((number(value, "pid"), number(value, "tid")), thread)
    };
    let threads: HashMap<_, _> = json["threads"].as_array().unwrap().iter().map(of_thread).collect();
    let in_threads: u64 = threads.values().map(|thread| thread.total.slices).sum();
    let names = match in_threads == number(summary, "slices") {
        true => json["top"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| (value["name"].as_str().unwrap_or_default().to_owned(), total(value, "n")))
            .collect(),
        false => HashMap::new(),
    };
    let stat = |name: &str| {
        let of_name = json["stats"].as_array().unwrap().iter().filter(|stat| stat["name"] == name);
        of_name.map(|stat| number(stat, "v")).sum::<u64>()
    };
    let unread = stat("json_tokenizer_failure") + stat("json_parser_failure");
    let dropped = stat("slice_drop_overlapping_complete_event");
    let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
    Some(Reading { file, threads, names, unread, dropped })
}

impl Reading {
    /// One line for each thread or name that differs.
    pub fn differences(&self, ours: &Imported) -> Vec<String> {
        let (threads, names) = totals(ours);
        let mut found = Vec::new();
        for (key, theirs) in &self.threads {
            // a thread whose ids are names has numbers of their own there
            let Some(ours) = threads.get(key) else { continue };
            // threads that became one overlap each other
            let lost = self.unread + if ours.tracks > 1 { self.dropped } else { 0 };
            self.compare(&mut found, &format!("thread {key:?}"), ours.total, theirs.total, lost);
            if !(ours.depth..=ours.depth + ours.stacked).contains(&theirs.depth) {
                found.push(format!(
                    "{}: thread {key:?}: depth {}, Perfetto {}",
                    self.file, ours.depth, theirs.depth
                ));
            }
        }
        for (name, theirs) in &self.names {
            let ours = names.get(name).copied().unwrap_or_default();
            self.compare(&mut found, &format!("name {name:?}"), ours, *theirs, self.unread);
        }
        found.sort();
        found
    }

    fn compare(&self, found: &mut Vec<String>, what: &str, ours: Total, theirs: Total, lost: u64) {
        if ours.slices.abs_diff(theirs.slices) > lost {
            found.push(format!("{}: {what}: {} slices, Perfetto {}", self.file, ours.slices, theirs.slices));
        } else if (ours.dur - theirs.dur).abs() > ours.slices as i64 * DOUBLE && ours.slices == theirs.slices
        {
            found.push(format!("{}: {what}: {} ns, Perfetto {}", self.file, ours.dur, theirs.dur));
        }
    }
}

type Totals = (HashMap<(u64, u64), Thread>, HashMap<String, Total>);

/// Our threads and names under the ids that Perfetto gives them, counted as it counts.
fn totals(imported: &Imported) -> Totals {
    let trace = &imported.trace;
    let (mut threads, mut names): Totals = Default::default();
    for track in trace.tracks() {
        let key = their_ids(trace.process(track.process).pid, track.tid);
        if let Some(key) = key {
            let thread = threads.entry(key).or_default();
            thread.tracks += 1;
            thread.stacked = thread.stacked.max(stacked(track));
        }
        for (name, dur, depth) in their_slices(track) {
            let shown = match trace.names().shown(name) {
                "(unnamed)" => "[No name]",
                // paths in the readings were made anonymous after the fact
                name => &name.replace("/opt/pyenv-0/", "/home/.pyenv/"),
            };
            let add = |total: &mut Total| {
                total.slices += 1;
                total.dur += dur;
            };
            add(names.entry(shown.to_owned()).or_default());
            if let Some(key) = key {
                let thread: &mut Thread = threads.entry(key).or_default();
                add(&mut thread.total);
                thread.depth = thread.depth.max(depth);
            }
        }
    }
    (threads, names)
}

/// Name, length and depth of what is a slice there: the main lane's, and instants.
fn their_slices(track: &Track) -> impl Iterator<Item = (flameline::names::NameId, i64, u64)> + '_ {
    let rows = track.lanes.first().into_iter().flat_map(|lane| lane.rows.iter().zip(1..));
    let slices = rows.flat_map(|(row, depth)| {
        let kept = (0..row.len()).filter(|&at| row.start(at) >= 0);
        kept.map(move |at| (row.name(at), row.dur(at).unwrap_or(0), depth))
    });
    let instants = &track.instants;
    let instants =
        (0..instants.len()).filter(|&at| instants.time(at) >= 0).map(|at| (instants.name(at), 0, 0));
    slices.chain(instants)
}

/// The most instants of a thread at one time.
fn stacked(track: &Track) -> u64 {
    let times: Vec<_> = (0..track.instants.len()).map(|at| track.instants.time(at)).collect();
    times.chunk_by(|a, b| a == b).map(|run| run.len() as u64).max().unwrap_or(0)
}

fn their_ids(pid: Id, tid: Id) -> Option<(u64, u64)> {
    let number = |id| match id {
        Id::Number(number) => Some(u32::try_from(number).map_or(0, u64::from)),
        Id::Text(_) => None,
    };
    let (pid, tid) = (number(pid)?, number(tid)?);
    Some((pid, if tid == 0 { pid } else { tid }))
}
