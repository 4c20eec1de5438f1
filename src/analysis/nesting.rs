//! What encloses a slice and what it encloses, from the rows above and below.
//!
//! Promises: self time = time of the slice that no slice of the row below covers, never negative.
//! Costs: O(log n); nothing of it is stored.

use std::ops::Range;

use crate::trace::{Row, SliceRef, Trace};

/// The slice that encloses `slice`, if it is not an outermost one.
pub fn parent(trace: &Trace, slice: SliceRef) -> Option<SliceRef> {
    let depth = slice.depth.checked_sub(1)?;
    let above = SliceRef { depth, ..slice };
    let start = trace.row(slice).start(slice.index as usize);
    let index = trace.row(above).first_starting_after(start).checked_sub(1)?;
    Some(SliceRef { index: index as u32, ..above }) // rows hold fewer than 2^32 slices
}

/// The slices directly inside `slice`: places in the row below.
pub fn children(trace: &Trace, slice: SliceRef) -> Range<usize> {
    let Some(below) = row_below(trace, slice) else { return 0..0 };
    let (row, at) = (trace.row(slice), slice.index as usize);
    let (start, end) = (row.start(at), row.end(at, trace.end()));
    // what starts with the next slice of the row is inside that one
    let next = if at + 1 < row.len() { row.start(at + 1) } else { i64::MAX };
    let first = below.first_starting_after(start.saturating_sub(1));
    first..below.gallop(first, end.min(next).max(start))
}

/// Time in ns that `slice` spent itself and not in what it encloses.
pub fn self_time(trace: &Trace, slice: SliceRef) -> i64 {
    let (row, at) = (trace.row(slice), slice.index as usize);
    let inside = children(trace, slice);
    let covered = row_below(trace, slice).map_or(0, |below| below.covered(inside));
    (row.summed(at) - covered).max(0)
}

fn row_below(trace: &Trace, slice: SliceRef) -> Option<&Row> {
    trace.track(slice.track).lanes[slice.lane as usize].rows.get(slice.depth as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{TraceBuilder, TrackId};
    use crate::view::sample::{Random, slice as add, small_trace};

    fn at(depth: u32, index: u32) -> SliceRef {
        SliceRef { track: TrackId::from_index(0), lane: 0, depth, index }
    }

    #[test]
    fn the_rows_above_and_below_say_what_encloses_what() {
        let trace = small_trace();
        assert_eq!(parent(&trace, at(0, 0)), None);
        assert_eq!(parent(&trace, at(1, 1)), Some(at(0, 0)));
        assert_eq!(parent(&trace, at(2, 2)), Some(at(1, 1)));
        assert_eq!(children(&trace, at(0, 0)), 0..2);
        assert_eq!(children(&trace, at(1, 0)), 0..0);
        assert_eq!(children(&trace, at(1, 1)), 0..3);
        assert_eq!(self_time(&trace, at(0, 0)), 9_000 - 2_000 - 5_000);
        assert_eq!(self_time(&trace, at(1, 1)), 5_000 - 4);
        assert_eq!(self_time(&trace, at(2, 0)), 1);
    }

    #[test]
    fn self_times_of_a_whole_tree_add_up_to_its_roots() {
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let mut builder = TraceBuilder::default();
            let mut time = 0;
            for _ in 0..200 {
                let dur = random.between(1, 5_000);
                grow(&mut builder, &mut random, time, dur, 0);
                time += dur + random.between(0, 10);
            }
            let trace = builder.finish().0;
            let rows = &trace.tracks()[0].lanes[0].rows;
            let roots: i64 = (0..rows[0].len()).map(|n| rows[0].summed(n)).sum();
            let all = rows
                .iter()
                .zip(0..)
                .flat_map(|(row, depth)| (0..row.len() as u32).map(move |n| at(depth, n)));
            let mut sum = 0;
            for slice in all {
                sum += self_time(&trace, slice);
                for child in children(&trace, slice) {
                    assert_eq!(parent(&trace, at(slice.depth + 1, child as u32)), Some(slice), "seed {seed}");
                }
            }
            assert_eq!(sum, roots, "seed {seed}");
        }
    }

    fn grow(builder: &mut TraceBuilder, random: &mut Random, start: i64, dur: i64, depth: i64) {
        add(builder, 1, start, Some(dur), "call");
        let mut time = start + random.between(0, 20);
        while depth < 6 && time < start + dur {
            let inner = random.between(1, dur / 2 + 1).min(start + dur - time);
            grow(builder, random, time, inner, depth + 1);
            time += inner + random.between(0, dur);
        }
    }
}
