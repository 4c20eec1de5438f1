//! Lanes: where a slice goes that does not fit into the open ones.
//!
//! Promises: the first lane in which the slice nests or that is free.
//! Costs: O(log lanes) a slice, so that a thread with twenty thousand crossing slices is read like any other.

use super::nest::Piece;
use super::row::OpenEnd;
use super::track::Lane;

/// The end of a slice that has none.
pub(super) const OPEN: i64 = i64::MAX;
/// When a piece is closed that is not.
pub(super) const NEVER: u64 = u64::MAX;

/// The lanes of a thread while nesting goes through time.
#[derive(Default)]
pub(super) struct Lanes {
    lanes: Vec<OpenLane>,
    ends: Ends,
}

impl Lanes {
    /// Puts `piece` into its lane, and says which; `last` is the thread's last time.
    pub fn put(&mut self, piece: &Piece, last: i64) -> usize {
        let place = self.find(piece);
        if place == self.lanes.len() {
            self.lanes.push(OpenLane::default());
        }
        self.lanes[place].put(piece, last);
        self.ends.set(place, self.lanes[place].top_end());
        place
    }

    /// When the innermost open slice of the main lane ends.
    pub fn main_end(&self) -> i64 {
        self.lanes.first().map_or(OPEN, OpenLane::top_end)
    }

    /// The rows, the main lane first; there always is one.
    pub fn finish(self) -> Vec<Lane> {
        let mut lanes: Vec<Lane> = self.lanes.into_iter().map(|lane| lane.lane).collect();
        if lanes.is_empty() {
            lanes.push(Lane::default());
        }
        lanes
    }

    fn find(&mut self, piece: &Piece) -> usize {
        // the main lane is asked first, as nearly everything fits there
        let mut from = 0;
        while from < self.lanes.len() {
            let lane = &mut self.lanes[from];
            let takes = lane.takes(piece);
            self.ends.set(from, lane.top_end());
            if takes {
                return from;
            }
            match self.ends.first(from + 1, piece.start, piece.end) {
                Some(next) => from = next,
                None => break,
            }
        }
        self.lanes.len()
    }
}

/// When the innermost open slice of each lane ends: a tree of smallest and largest, leaves in the order of lanes.
#[derive(Default)]
struct Ends {
    /// Root at 1, children of n at 2n and 2n + 1; as many leaves as the upper half has places.
    nodes: Vec<(i64, i64)>,
}

/// A leaf without a lane: it is never found.
const NO_LANE: (i64, i64) = (i64::MAX, i64::MIN);

impl Ends {
    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    fn set(&mut self, lane: usize, end: i64) {
        if lane >= self.leaves() {
            let old: Vec<_> = self.nodes.drain(self.nodes.len() / 2..).collect();
            self.nodes = vec![NO_LANE; (old.len() * 4).max(4)];
            let leaves = self.leaves();
            self.nodes[leaves..leaves + old.len()].copy_from_slice(&old);
            (1..leaves).rev().for_each(|at| self.join(at));
        }
        let mut at = self.leaves() + lane;
        if self.nodes[at] == (end, end) {
            return;
        }
        self.nodes[at] = (end, end);
        while at > 1 {
            at /= 2;
            self.join(at);
        }
    }

    fn join(&mut self, at: usize) {
        let [a, b] = [self.nodes[2 * at], self.nodes[2 * at + 1]];
        self.nodes[at] = (a.0.min(b.0), a.1.max(b.1));
    }

    /// The first lane from `from` on whose innermost slice has ended by `start`, or goes on to `end`.
    fn first(&self, from: usize, start: i64, end: i64) -> Option<usize> {
        let fits =
            |at: usize| self.nodes[at].0 <= start || self.nodes[at].1 >= end && self.nodes[at] != NO_LANE;
        if from >= self.leaves() {
            return None;
        }
        let mut at = self.leaves() + from;
        // up to the first subtree to the right that has one, then down to it
        while !fits(at) {
            while at % 2 == 1 {
                at /= 2;
            }
            if at == 0 {
                return None;
            }
            at += 1;
        }
        while at < self.leaves() {
            at = if fits(2 * at) { 2 * at } else { 2 * at + 1 };
        }
        Some(at - self.leaves())
    }
}

/// A lane and the slices that are open in it.
#[derive(Default)]
struct OpenLane {
    lane: Lane,
    open: Vec<OpenSlice>,
}

#[derive(Clone, Copy)]
struct OpenSlice {
    start: i64,
    end: i64,
    paired: bool,
    closed: u64,
}

impl OpenLane {
    /// Ends what does not hold `piece`, then says whether it fits into what is still open.
    fn takes(&mut self, piece: &Piece) -> bool {
        while self.open.last().is_some_and(|top| !top.holds(piece)) {
            self.open.pop();
        }
        self.open.last().is_none_or(|top| piece.end <= top.end || piece.end == OPEN)
    }

    fn put(&mut self, piece: &Piece, last: i64) {
        let end = piece.end.min(self.top_end());
        let depth = self.open.len();
        if depth == self.lane.rows.len() {
            self.lane.rows.push(Default::default());
        }
        let row = &mut self.lane.rows[depth];
        let dur = (piece.end != OPEN).then(|| piece.end.saturating_sub(piece.start));
        row.push(piece.start, dur, piece.name, piece.origin);
        if let Some(args) = piece.args {
            row.set_last_args(args);
        }
        if dur.is_none() {
            row.leave_last_open(OpenEnd { drawn_to: end, summed_to: end.min(last) });
        }
        let (paired, closed) = (piece.origin.paired, piece.closed);
        self.open.push(OpenSlice { start: piece.start, end, paired, closed });
    }

    fn top_end(&self) -> i64 {
        self.open.last().map_or(OPEN, |top| top.end)
    }
}

impl OpenSlice {
    /// True while a slice that starts now can lie inside.
    fn holds(&self, piece: &Piece) -> bool {
        let both_empty = self.start == self.end && piece.end == piece.start && self.start == piece.start;
        match self.paired && piece.origin.paired {
            // one that is never closed ends with what encloses it
            true => piece.opened < self.closed && (self.closed != NEVER || self.end > piece.start),
            false => self.end > piece.start || both_empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_what_a_search_finds() {
        let mut seed = 3_u64;
        let mut below = |limit: u64| {
            seed = crate::names::mix(seed, 1);
            (seed % limit) as i64
        };
        let (mut ends, mut plain) = (Ends::default(), Vec::new());
        for _ in 0..4_000 {
            let lane = below(plain.len() as u64 + 1) as usize;
            let end = below(60);
            if lane == plain.len() {
                plain.push(end);
            }
            plain[lane] = end;
            ends.set(lane, end);
            let (from, start) = (below(plain.len() as u64 + 2) as usize, below(60));
            let stop = start + below(20);
            let expected = (from..plain.len()).find(|&lane| plain[lane] <= start || plain[lane] >= stop);
            assert_eq!(ends.first(from, start, stop), expected);
        }
    }
}
