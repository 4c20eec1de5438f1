//! The overview of a trace: what it holds and what was wrong with it, as JSON and for people.
//!
//! Promises: the keys never change; processes and threads count when a record other than metadata names them.
//! Does not do: reading; numbers of the file itself come with [`Reading`].
//! Costs: O(slices), since unfinished slices are counted.

use std::fmt::Write as _;

use super::{Problem, Reading};
use crate::json;
use crate::trace::{Row, Trace, Track};
use crate::units::{Bytes, Ns, grouped};

/// What `flameline info` tells.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// The file's name, when several were given.
    pub file: Option<String>,
    /// The format by its name.
    pub format: String,
    /// Numbers under their keys, in the order in which they are shown.
    pub numbers: Vec<(&'static str, u64)>,
    /// First and last time in ns, as in the file.
    pub span: Option<(i64, i64)>,
    /// What was repaired or skipped.
    pub problems: Vec<Problem>,
}

impl Info {
    /// The overview of `trace`, which was read as `reading` says.
    pub fn new(trace: &Trace, reading: &Reading) -> Self {
        let tracks = trace.tracks();
        let of_tracks = |count: fn(&Track) -> u64| tracks.iter().map(count).sum::<u64>();
        let processes = trace.processes().iter();
        let instants = trace.instants().len() as u64
            + processes.clone().map(|process| process.instants.len() as u64).sum::<u64>()
            + of_tracks(|track| track.instants.len() as u64);
        let numbers = vec![
            ("bytes", reading.bytes),
            ("events", reading.events),
            ("sessions", u64::from(trace.sessions())),
            ("processes", processes.filter(|process| process.records > 0).count() as u64),
            ("threads", of_tracks(|track| u64::from(track.records > 0))),
            ("slices", of_tracks(Track::slices)),
            ("unfinished", of_tracks(|track| track.rows().map(unfinished).sum())),
            ("instants", instants),
            ("counters", trace.counters().len() as u64),
            ("flows", 0),
            ("samples", 0),
        ];
        Info {
            file: None,
            format: reading.format.clone(),
            numbers,
            span: trace.span(),
            problems: reading.problems.clone(),
        }
    }

    /// One JSON object on one line.
    pub fn json(&self) -> String {
        let mut out = String::from("{");
        if let Some(file) = &self.file {
            out.push_str("\"file\":");
            json::push_string(&mut out, file);
            out.push(',');
        }
        out.push_str("\"format\":");
        json::push_string(&mut out, &self.format);
        for (key, number) in &self.numbers {
            let _ = write!(out, ",\"{key}\":{number}");
        }
        for (key, time) in [("first_ns", self.span.map(|s| s.0)), ("last_ns", self.span.map(|s| s.1))] {
            let time = time.map_or("null".to_owned(), |time| time.to_string());
            let _ = write!(out, ",\"{key}\":{time}");
        }
        out.push_str(",\"problems\":{");
        for (at, problem) in self.problems.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            json::push_string(&mut out, &problem.kind);
            let _ = write!(out, ":{}", problem.count);
        }
        out.push_str("}}");
        out
    }

    /// Lines for people, each ended.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "{key:<12}{value}");
        };
        if let Some(file) = &self.file {
            line("file", file.clone());
        }
        line("format", self.format.clone());
        for &(key, number) in &self.numbers {
            let mut value = grouped(i128::from(number));
            if key == "bytes" && number >= 1024 {
                // a size shown with one decimal; f64 is exact to 9 PB
                let _ = write!(value, " ({})", Bytes(number as f64));
            }
            line(key, value);
        }
        if let Some((first, last)) = self.span {
            line("first", Ns(first).exact());
            line("last", Ns(last).exact());
            line("length", Ns(last.saturating_sub(first)).to_string());
        }
        let count: u64 = self.problems.iter().map(|problem| problem.count).sum();
        line("problems", grouped(i128::from(count)));
        for problem in &self.problems {
            push_problem(&mut out, problem);
        }
        out
    }
}

fn push_problem(out: &mut String, problem: &Problem) {
    let count = grouped(i128::from(problem.count));
    let _ = writeln!(out, "  {} × {}: {}", count, problem.kind, problem.message);
    if let Some(offset) = problem.first_offset {
        let _ = write!(out, "    first at byte {}", grouped(i128::from(offset)));
        if !problem.first_text.is_empty() {
            // as a JSON string, since the text may hold what would upset a terminal
            out.push_str(": ");
            json::push_string(out, &problem.first_text);
        }
        out.push('\n');
    }
}

/// How many slices of a row have no end.
fn unfinished(row: &Row) -> u64 {
    (0..row.len()).filter(|&at| row.dur(at).is_none()).count() as u64
}
