//! What a frame must say, found by looking at every slice: slow, plain, and only for tests and benches.
//!
//! Costs: O(slices of the row).

use std::ops::Range;

use super::bins::{Bins, MANY, Piece, Step};
use crate::trace::{Counter, Row};

/// The pieces of [`Bins::pieces`].
pub fn pieces(bins: &Bins, row: &Row) -> Vec<Piece> {
    let reaches = |at: &usize| row.start(*at) > bins.from || row.end(*at, bins.trace_end) > bins.from;
    let is_long = |at: usize| row.end(at, bins.trace_end).saturating_sub(row.start(at)) >= bins.bin_ns;
    let mut pieces = Vec::new();
    let mut at = (0..row.len()).find(reaches).unwrap_or(row.len());
    let mut reached = i64::MIN;
    while at < row.len() && row.start(at) < bins.to {
        let end_of_bin = bins.next_after(row.start(at).max(reached));
        let mut next = at + 1;
        if !is_long(at) {
            while next < row.len() && row.start(next) < end_of_bin && !is_long(next) {
                next += 1;
            }
            let ends_with_long = next < row.len() && row.start(next) < end_of_bin;
            if !ends_with_long && next - at > MANY {
                next -= next % 64;
                reached = end_of_bin;
            }
        }
        pieces.push(piece(row, at..next));
        at = next;
    }
    pieces
}

fn piece(row: &Row, slices: Range<usize>) -> Piece {
    let length = |at: usize| row.dur(at).unwrap_or(i64::MAX);
    let covered = slices.clone().map(|at| row.summed(at)).fold(0, i64::saturating_add);
    // `max_by_key` keeps the last of equals: asked from the back, that is the first slice
    let shown = slices.clone().rev().max_by_key(|&at| length(at)).unwrap_or(slices.start);
    Piece { slices, shown, covered }
}

/// The steps of [`Bins::steps`].
pub fn steps(bins: &Bins, counter: &Counter) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open_bin = None;
    for at in 0..counter.len() {
        let (time, value) = (counter.time(at), counter.value(at));
        let is_over = at + 1 < counter.len() && counter.time(at + 1) < bins.from;
        if is_over || time >= bins.to {
            continue;
        }
        let bin = time.div_euclid(bins.bin_ns);
        match steps.last_mut() {
            Some(step) if open_bin == Some(bin) => {
                *step =
                    Step { time: step.time, min: step.min.min(value), max: step.max.max(value), last: value };
            }
            _ => steps.push(Step { time, min: value, max: value, last: value }),
        }
        open_bin = Some(bin);
    }
    steps
}
