//! The table of slices: by start, the longer first, then by track, lane and depth.
//!
//! Promises: an unfinished slice is longer than any other.
//! Costs: O(log rows) a slice and the reading of its arguments; O(rows) memory.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::Source;
use super::merge::merged;
use super::rows::Rows;
use crate::trace::{Row, Track};

pub const COLUMNS: &[&str] =
    &["kind", "pid", "tid", "process", "thread", "depth", "lane", "name", "cat", "ts_ns", "dur_ns", "args"];

pub fn write(rows: &mut Rows<'_, impl Write>, source: &mut Source<'_>) -> io::Result<()> {
    let trace = source.trace;
    let places: Vec<Place<'_>> = trace.tracks().iter().flat_map(places_of).collect();
    for (which, nth) in merged(places.len(), |which, nth| sort_key(places[which].row, nth)) {
        let Place { track, lane, depth, row } = places[which];
        let at = nth_longest_first(row, nth);
        let process = trace.process(track.process);
        let name = row.name(at);
        rows.text("thread");
        rows.id(trace, process.pid);
        rows.id(trace, track.tid);
        rows.text_or_null(trace, process.name);
        rows.text_or_null(trace, track.name);
        rows.integer(depth);
        rows.integer(lane);
        rows.text(trace.names().shown(name));
        rows.text(trace.names().category(name));
        rows.integer(row.start(at));
        rows.integer_or_null(row.dur(at));
        let args = row.args(at).map(&mut source.args).transpose()?;
        rows.object(&args.unwrap_or_default());
        rows.end(Some(process.session))?;
    }
    Ok(())
}

/// A row and where it stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    track: &'a Track,
    lane: u32,
    depth: u32,
    row: &'a Row,
}

fn places_of(track: &Track) -> impl Iterator<Item = Place<'_>> {
    track.lanes.iter().zip(0..).flat_map(move |(lane, number)| {
        lane.rows.iter().zip(0..).map(move |(row, depth)| Place { track, lane: number, depth, row })
    })
}

fn sort_key(row: &Row, nth: usize) -> Option<(i64, Reverse<i64>)> {
    (nth < row.len()).then(|| {
        let at = nth_longest_first(row, nth);
        (row.start(at), Reverse(row.dur(at).unwrap_or(i64::MAX)))
    })
}

/// The place of the `nth` slice of a row in the order of this table.
///
/// Slices of a row do not overlap, so of those with one start all but the last have no length:
/// the last goes to the front of them. O(1), or O(log n) where starts are equal.
fn nth_longest_first(row: &Row, nth: usize) -> usize {
    let start = row.start(nth);
    let same = |at: usize| at < row.len() && row.start(at) == start;
    if !same(nth + 1) && !nth.checked_sub(1).is_some_and(same) {
        return nth;
    }
    let first = row.gallop(0, start);
    let last = row.first_starting_after(start) - 1;
    match row.dur(last) {
        Some(0) => nth,
        _ if nth == first => last,
        _ => nth - 1,
    }
}
