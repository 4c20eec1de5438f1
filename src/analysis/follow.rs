//! Which function's calls a growth follows: where it was called more often, more was kept.
//!
//! ```text
//! window          1    2    3    4    5
//! kept grew by    0   40    0   81  120 MB
//! calls of a      7    9    8    9    7        runs all the time: it has most of the time, but no say
//! calls of b      0  100    2  200  300        fits: 0.4 MB a call
//! ```
//!
//! Time alone can't tell functions apart that run beside each other on several threads. Between windows they
//! differ, and the growth goes with the one that makes it.
//!
//! Promises: the same numbers on every machine; a fit of 1 is a growth in proportion to the calls in every
//! window, 0 one without anything in common. `docs/attribution.md` has the formula and what it can't tell.
//! Costs: O(slices × log windows), memory for 240 counts a function.

use std::collections::HashMap;

use super::attribution::Attribution;
use super::functions::Functions;
use super::level::{FINER, WINDOWS, kept};
use super::series::Series;
use crate::names::StrId;
use crate::trace::{ProcessId, Trace};

/// Windows that must have a level: fewer are alike by chance.
const LEAST_WINDOWS: usize = 30;
/// And so many bytes must be kept: below that nobody looks for it.
const LEAST_BYTES: i64 = 1_048_576;
/// A growth with less of a fit follows nothing.
const CLEAR: f64 = 0.5;

/// In the last of so many parts of a call its memory counts as kept.
const LAST: i64 = 16;

/// How a growth follows the calls of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    /// The function.
    pub name: StrId,
    /// 0 to 1: the square of the cosine between what was kept in each window and the calls that ended there, the
    /// mean for windows of a 60th and a 240th of the run.
    pub fit: f64,
    /// What fits best, in bytes.
    pub bytes_per_call: f64,
}

impl Follow {
    /// Whether the growth follows this function so closely that one may say so.
    pub fn is_clear(&self) -> bool {
        self.fit >= CLEAR
    }
}

/// How what `series` kept for good follows each function of `process`, the best first; only functions whose calls
/// it follows at all. Nothing where less than a megabyte was kept, or less than 30 of 60 windows have a point.
pub fn follow(trace: &Trace, process: ProcessId, series: &Series) -> Vec<Follow> {
    // long windows tell functions apart in spite of work in flight, short ones those that take turns
    let (long, short) = (kept(series, WINDOWS), kept(series, WINDOWS * FINER));
    if long.points().len() <= LEAST_WINDOWS || long.change() < LEAST_BYTES {
        return Vec::new();
    }
    let finer: HashMap<StrId, f64> =
        fits(trace, process, short.points()).into_iter().map(|follow| (follow.name, follow.fit)).collect();
    let mean = |follow: Follow| {
        let fit = (follow.fit + finer.get(&follow.name).copied().unwrap_or(0.0)) / 2.0;
        Follow { fit, ..follow }
    };
    let mut found: Vec<Follow> = fits(trace, process, long.points()).into_iter().map(mean).collect();
    found.sort_by(|a, b| b.fit.total_cmp(&a.fit));
    found
}

/// How the growth between points follows the calls that ended there.
fn fits(trace: &Trace, process: ProcessId, points: &[(i64, i64)]) -> Vec<Follow> {
    let grown: Vec<f64> = points.windows(2).map(|pair| (pair[1].1 - pair[0].1) as f64).collect();
    let (calls, names) = calls(trace, process, points);
    let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let both = |calls: &[f64]| calls.iter().zip(&grown).map(|(calls, grown)| calls * grown).sum::<f64>();
    let all = square(&grown);
    let fit = |(name, calls): (StrId, &[f64])| {
        let (both, of_calls) = (both(calls), square(calls));
        (both > 0.0).then(|| Follow {
            name,
            fit: both / of_calls * (both / all),
            bytes_per_call: both / of_calls,
        })
    };
    names.into_iter().zip(calls.chunks(grown.len())).filter_map(fit).collect()
}

/// Places of the functions of `shares`, the most suspicious first: by fit where the best one is clear, then by the
/// share of `of_excess`, which has met the same functions, and then by their own.
pub fn by_suspicion(shares: &Attribution, of_excess: Option<&Attribution>, follows: &[Follow]) -> Vec<usize> {
    let fits: HashMap<StrId, f64> = match follows.first() {
        Some(best) if best.is_clear() => follows.iter().map(|follow| (follow.name, follow.fit)).collect(),
        _ => HashMap::new(),
    };
    let fit = |at: usize| fits.get(&shares.functions[at].name).copied().unwrap_or(0.0);
    let share = |at: usize| (of_excess.map(|excess| excess.functions[at].own), shares.functions[at].own);
    let mut order: Vec<usize> = (0..shares.functions.len()).collect();
    order.sort_by(|&a, &b| fit(b).total_cmp(&fit(a)).then_with(|| share(b).cmp(&share(a))));
    order
}

/// Calls that ended between each two of the points, but for their last part, window after window for each function.
fn calls(trace: &Trace, process: ProcessId, points: &[(i64, i64)]) -> (Vec<f64>, Vec<StrId>) {
    let windows = points.len() - 1;
    let (mut functions, mut calls) = (Functions::default(), Vec::new());
    for &track in &trace.process(process).tracks {
        for row in trace.track(track).rows() {
            let mut window = 0;
            for at in 0..row.len() {
                let Some(dur) = row.dur(at) else { continue };
                // who logs the counters does so at the end of a call, but inside it
                let end = row.start(at).saturating_add(dur - dur / LAST);
                // slices of a row follow each other, and so do their ends
                while window < windows && points[window + 1].0 < end {
                    window += 1;
                }
                if window == windows {
                    break;
                }
                if end <= points[0].0 {
                    continue;
                }
                let first = functions.of(row.name(at), trace) as usize * windows;
                if first >= calls.len() {
                    calls.resize(first + windows, 0.0);
                }
                calls[first + window] += 1.0;
            }
        }
    }
    (calls, functions.into_names())
}
