//! Index of a row: three numbers for every 64 slices, so that a frame costs pixels and not slices.
//!
//! ```text
//! slices   |0 ..... 63|64 .... 127|128 ... 191|   the last, open block has no entry yet
//! fence       start       start       start       first start of the block: binary search
//! before      0           sum         sum         time covered before the block: totals by difference
//! longest     max         max         max         and 16 of these under one of the next level: a forest
//! ```
//!
//! Promises: answers equal those of a scan over the slices.
//! Knows nothing of: names, pixels, what a slice is; it gets lengths.
//! Costs: 24.6 bytes per 64 slices; a range's sum O(64), its longest O(64 + log n).

/// Slices per block. 64 makes the index 0.4 bytes a slice; 32 doubles it for no measured gain,
/// 128 makes the scan at both ends of a range the larger part of a query.
pub const BLOCK: usize = 64;
const FAN_OUT: usize = 16;

/// Sums and maxima over blocks of lengths, append-only.
#[derive(Clone, Debug, Default)]
pub struct Index {
    fence: Vec<i64>,
    before: Vec<i64>,
    covered: i64,
    longest: Vec<Vec<i64>>,
}

impl Index {
    /// Adds a full block: its first start, the sum and the maximum of its lengths.
    pub fn push(&mut self, fence: i64, covered: i64, longest: i64) {
        self.fence.push(fence);
        self.before.push(self.covered);
        self.covered = self.covered.saturating_add(covered);
        self.push_longest(0, longest);
    }

    fn push_longest(&mut self, level: usize, value: i64) {
        if level == self.longest.len() {
            self.longest.push(Vec::new());
        }
        let values = &mut self.longest[level];
        values.push(value);
        if values.len().is_multiple_of(FAN_OUT) {
            let group = &values[values.len() - FAN_OUT..];
            let max = group.iter().copied().max().expect("a group has 16 values");
            self.push_longest(level + 1, max);
        }
    }

    /// How many blocks are indexed.
    pub fn blocks(&self) -> usize {
        self.fence.len()
    }

    /// The sum of all lengths before `block`, which may be the first that is not indexed.
    pub fn covered_before(&self, block: usize) -> i64 {
        self.before.get(block).copied().unwrap_or(self.covered)
    }

    /// The blocks before this one start at or before `time`, the one itself and those after do not.
    pub fn blocks_started_by(&self, time: i64) -> usize {
        self.fence.partition_point(|&start| start <= time)
    }

    /// The first block with the largest maximum among `from..to`, and that maximum.
    pub fn longest_block(&self, from: usize, to: usize) -> Option<(usize, i64)> {
        let (mut from, mut to, mut level) = (from, to, 0);
        let mut best: Option<(usize, usize, i64)> = None; // (level, index, maximum)
        let mut offer = |level: usize, at: usize, value: i64| {
            let first = |level: usize, at: usize| at * FAN_OUT.pow(level as u32);
            let better = best.is_none_or(|(best_level, best_at, best_value)| {
                value > best_value || value == best_value && first(level, at) < first(best_level, best_at)
            });
            if better {
                best = Some((level, at, value));
            }
        };
        while from < to {
            let values = &self.longest[level];
            let has_parents = self.longest.get(level + 1).is_some_and(|up| to / FAN_OUT <= up.len());
            if !has_parents || to - from < FAN_OUT {
                (from..to).for_each(|at| offer(level, at, values[at]));
                break;
            }
            while from < to && from % FAN_OUT != 0 {
                offer(level, from, values[from]);
                from += 1;
            }
            while from < to && to % FAN_OUT != 0 {
                to -= 1;
                offer(level, to, values[to]);
            }
            (from, to, level) = (from / FAN_OUT, to / FAN_OUT, level + 1);
        }
        let (mut level, mut at, value) = best?;
        while level > 0 {
            level -= 1;
            let children = &self.longest[level][at * FAN_OUT..];
            at = at * FAN_OUT + children.iter().position(|&child| child == value)?;
        }
        Some((at, value))
    }

    /// Bytes held, unused room included.
    pub fn heap_bytes(&self) -> usize {
        let forest: usize = self.longest.iter().map(Vec::capacity).sum();
        (self.fence.capacity() + self.before.capacity() + forest) * size_of::<i64>()
    }

    /// Gives back unused room.
    pub fn shrink(&mut self) {
        self.fence.shrink_to_fit();
        self.before.shrink_to_fit();
        self.longest.iter_mut().for_each(Vec::shrink_to_fit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_block_is_the_first_of_equals_for_every_range() {
        let mut seed = 7_u64;
        let values: Vec<i64> = (0..700)
            .map(|_| {
                seed = crate::names::mix(seed, 1);
                (seed % 50) as i64
            })
            .collect();
        let mut index = Index::default();
        values.iter().enumerate().for_each(|(at, &value)| index.push(at as i64, value, value));
        for from in (0..700).step_by(3) {
            for to in (from..=700).step_by(7) {
                let max = values[from..to].iter().copied().max();
                let naive =
                    max.map(|max| (from + values[from..to].iter().position(|&v| v == max).unwrap(), max));
                assert_eq!(index.longest_block(from, to), naive, "{from}..{to}");
            }
        }
    }
}
