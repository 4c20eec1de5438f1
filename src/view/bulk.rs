//! The stretch of time that is worth showing first: the trace without a far-off straggler.
//!
//! One record at the epoch in a trace of this year makes everything else a single pixel. Such an empty stretch
//! is left out of the first view; the reader still gets there by zooming out.
//!
//! Promises: nothing is left out unless what remains would be narrower than a pixel of a thousand, and never
//! more than one in 25 of what was looked at.
//! Costs: O(rows × 64 × log); it looks at 64 places of each row and counter.

use super::viewport::distance;
use crate::trace::Trace;

/// Places looked at in each row or counter.
const LOOKED_AT: usize = 64;
/// A trace this many times as long as its bulk hides it.
const HIDES: f64 = 1000.0;
/// What may be left out: one in so many times looked at.
const STRAGGLERS: usize = 25;

/// First and last time of the bulk of `trace`; `None` for a trace without a timed record.
pub fn bulk(trace: &Trace) -> Option<(i64, i64)> {
    let span = trace.span()?;
    let mut times = looked_at(trace);
    times.sort_unstable();
    let length = |first: usize, last: usize| distance(times[first], times[last]);
    let more = times.len().saturating_sub(1) - times.len() / STRAGGLERS;
    let shortest = (0..times.len().saturating_sub(more)).min_by(|&a, &b| {
        let [a, b] = [a, b].map(|first| length(first, first + more));
        a.total_cmp(&b)
    });
    let Some(mut first) = shortest else { return Some(span) };
    let mut last = first + more;
    if length(first, last) * HIDES >= length(0, times.len() - 1) {
        return Some(span);
    }
    // what follows without a gap as long as the bulk itself belongs to it
    while first > 0 && length(first - 1, first) <= length(first, last) {
        first -= 1;
    }
    while last + 1 < times.len() && length(last, last + 1) <= length(first, last) {
        last += 1;
    }
    Some((times[first], times[last]))
}

fn looked_at(trace: &Trace) -> Vec<i64> {
    let mut times = Vec::new();
    let end = trace.end();
    for row in trace.tracks().iter().flat_map(|track| track.rows()) {
        for at in spread(row.len()) {
            times.push(row.start(at));
            // an unfinished slice's end is the trace's, and says nothing
            times.extend(row.dur(at).map(|_| row.end(at, end)));
        }
    }
    for counter in trace.counters() {
        times.extend(spread(counter.len()).map(|at| counter.time(at)));
    }
    let instants = trace.tracks().iter().map(|track| &track.instants);
    for instants in instants.chain(trace.processes().iter().map(|process| &process.instants)) {
        times.extend(spread(instants.len()).map(|at| instants.time(at)));
    }
    times
}

/// Up to 64 indices below `len`: a few at each end, where stragglers are, so that what follows them is met
/// exactly; the others evenly spread.
fn spread(len: usize) -> impl Iterator<Item = usize> {
    const AT_ENDS: usize = 4;
    let count = len.min(LOOKED_AT);
    (0..count).map(move |n| match n {
        _ if len <= LOOKED_AT || n < AT_ENDS => n,
        _ if n >= count - AT_ENDS => len - (count - n),
        _ => n * len / count,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::slice;
    use super::*;
    use crate::trace::TraceBuilder;

    const YEAR: i64 = 365 * 86_400 * 1_000_000_000;

    fn trace(starts: impl IntoIterator<Item = i64>) -> Trace {
        let mut builder = TraceBuilder::default();
        starts.into_iter().for_each(|start| slice(&mut builder, 1, start, Some(50), "work"));
        builder.finish().0
    }

    #[test]
    fn one_slice_46_years_away_is_left_out_of_the_first_view() {
        let run = (0..1000).map(|n| 46 * YEAR + n * 100);
        let bulk_of = |starts: Vec<i64>| bulk(&trace(starts)).unwrap();
        assert_eq!(bulk_of(std::iter::once(0).chain(run.clone()).collect()), (46 * YEAR, 46 * YEAR + 99_950));
        assert_eq!(bulk_of(run.clone().chain([92 * YEAR]).collect()), (46 * YEAR, 46 * YEAR + 99_950));
        let both = std::iter::once(-YEAR).chain(run.clone()).chain([200 * YEAR]).collect();
        assert_eq!(bulk_of(both), (46 * YEAR, 46 * YEAR + 99_950));
    }

    #[test]
    fn an_ordinary_trace_is_shown_whole() {
        let cases = [
            (0..1000).map(|n| n * 1000).collect::<Vec<_>>(),
            // idle for a minute, then busy for one
            std::iter::once(0).chain((0..1000).map(|n| 60_000_000_000 + n * 60_000_000)).collect(),
            // two halves far apart: neither is a straggler
            (0..1000).map(|n| (n / 500) * YEAR + n).collect(),
            vec![0, YEAR],
            vec![7],
        ];
        for starts in cases {
            let trace = trace(starts);
            assert_eq!(bulk(&trace), trace.span());
        }
        assert_eq!(bulk(&Trace::default()), None);
    }
}
