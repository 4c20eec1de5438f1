//! What a frame must say, found by looking at every slice: slow, plain, and only for tests and benches.
//!
//! Costs: O(slices of the row).

use super::bins::{Bins, Piece, Step};
use crate::trace::{Counter, Row};

/// The pieces of [`Bins::pieces`].
pub fn pieces(bins: &Bins, row: &Row) -> Vec<Piece> {
    let drawn = |at: usize| row.end(at, bins.trace_end).saturating_sub(row.start(at));
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open_bin = None;
    for at in 0..row.len() {
        let start = row.start(at);
        if start >= bins.to || start <= bins.from && row.end(at, bins.trace_end) <= bins.from {
            continue;
        }
        let bin = start.div_euclid(bins.bin_ns);
        let is_long = drawn(at) >= bins.bin_ns;
        match pieces.last_mut() {
            Some(piece) if !is_long && open_bin == Some(bin) => {
                piece.slices.end = at + 1;
                let length = |at: usize| row.dur(at).unwrap_or(i64::MAX);
                if length(at) > length(piece.shown) {
                    piece.shown = at;
                }
            }
            _ => pieces.push(Piece { slices: at..at + 1, shown: at }),
        }
        open_bin = (!is_long).then_some(bin);
    }
    pieces
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
