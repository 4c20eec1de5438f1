//! Goes through the slices of one lane in the order of time, as calls begin and end.
//!
//! ```text
//! row 0   ├────────────────┤      begin 0, begin 1, end 1, begin 1, begin 2, end 2, end 1, end 0
//! row 1     ├────┤├──────┤
//! row 2             ├──┤
//! ```
//!
//! Promises: times of steps never descend; each slice begins and ends once, an unfinished one where it stops
//! counting in sums; slices of no length are steps too.
//! Costs: O(1) a step, memory for the open slices and one number a row.

use crate::trace::{Lane, Row};

/// A lane, and how far one has come in it.
pub(super) struct LaneWalk<'a> {
    rows: &'a [Row],
    /// The next slice of each row.
    next: Vec<usize>,
    /// Ends of the open slices, outermost first.
    open: Vec<i64>,
    now: i64,
}

/// What happens next in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The slice at this depth and place begins.
    Begin(usize, usize),
    /// The innermost open slice ends.
    End,
}

impl<'a> LaneWalk<'a> {
    pub(super) fn new(lane: &'a Lane) -> Self {
        LaneWalk { rows: &lane.rows, next: vec![0; lane.rows.len()], open: Vec::new(), now: i64::MIN }
    }

    /// The slices at `depth`.
    pub(super) fn row(&self, depth: usize) -> &'a Row {
        &self.rows[depth]
    }

    /// What happens next, and when.
    pub(super) fn peek(&self) -> Option<(i64, Step)> {
        let depth = self.open.len();
        let row = self.rows.get(depth).filter(|row| self.next[depth] < row.len());
        let begin = row.map(|row| (row.start(self.next[depth]), Step::Begin(depth, self.next[depth])));
        let (time, step) = match self.open.last() {
            None => begin?,
            Some(&end) => begin.filter(|begin| self.is_inside(begin.0)).unwrap_or((end, Step::End)),
        };
        Some((time.max(self.now), step))
    }

    /// Whether what starts at `time` a row below lies in the innermost open slice and not in the next of its row.
    fn is_inside(&self, time: i64) -> bool {
        let above = self.open.len() - 1;
        let (row, next) = (&self.rows[above], self.next[above]);
        next == row.len() || time < row.start(next)
    }

    /// Takes the step that [`peek`](Self::peek) told.
    pub(super) fn take(&mut self, time: i64, step: Step) {
        self.now = time;
        match step {
            Step::Begin(depth, at) => {
                let row = &self.rows[depth];
                self.next[depth] += 1;
                self.open.push(row.start(at).saturating_add(row.summed(at)));
            }
            Step::End => _ = self.open.pop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{Random, random_row_trace, small_trace};

    fn steps(lane: &Lane) -> Vec<(i64, Step)> {
        let mut walk = LaneWalk::new(lane);
        let mut steps = Vec::new();
        while let Some((time, step)) = walk.peek() {
            walk.take(time, step);
            steps.push((time, step));
        }
        steps
    }

    #[test]
    fn calls_begin_and_end_as_they_nest() {
        use Step::{Begin, End};
        let trace = small_trace();
        let expected = [
            (1_000, Begin(0, 0)),
            (1_500, Begin(1, 0)),
            (3_500, End),
            (4_000, Begin(1, 1)),
            (4_100, Begin(2, 0)),
            (4_101, End),
            (4_102, Begin(2, 1)),
            (4_104, End),
            (4_105, Begin(2, 2)),
            (4_106, End),
            (9_000, End),
            (10_000, End),
        ];
        assert_eq!(steps(&trace.tracks()[0].lanes[0]), expected);
    }

    #[test]
    fn every_slice_of_a_row_begins_and_ends_once() {
        for seed in 0..100 {
            let trace = random_row_trace(&mut Random::new(seed), 300);
            for lane in trace.tracks().iter().flat_map(|track| &track.lanes) {
                let steps = steps(lane);
                let slices: usize = lane.rows.iter().map(Row::len).sum();
                assert_eq!(steps.len(), 2 * slices, "seed {seed}");
                assert_eq!(steps.iter().filter(|step| step.1 == Step::End).count(), slices, "seed {seed}");
                assert!(steps.is_sorted_by_key(|step| step.0), "seed {seed}");
            }
        }
    }
}
