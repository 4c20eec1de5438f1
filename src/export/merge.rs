//! Many sorted sequences as one: a heap holds the next element of each.
//!
//! ```text
//! 0: 1 4 4 9
//! 1: 4 7        →  (0,0) (0,1) (0,2) (1,0) (1,1) (0,3)
//! ```
//!
//! Promises: elements ascend by key; of equal ones those of the earlier sequence first, each in its order.
//! Costs: O(log k) for an element of k sequences, O(k) memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The elements of `sequences` sequences as (sequence, place); `key` is `None` behind the last one of a sequence.
pub fn merged<K: Ord>(
    sequences: usize,
    key: impl Fn(usize, usize) -> Option<K>,
) -> impl Iterator<Item = (usize, usize)> {
    let first = |sequence| key(sequence, 0).map(|key| Reverse((key, sequence, 0)));
    let mut heap: BinaryHeap<_> = (0..sequences).filter_map(first).collect();
    std::iter::from_fn(move || {
        let mut top = heap.peek_mut()?;
        let Reverse((_, sequence, place)) = *top;
        match key(sequence, place + 1) {
            // in place, so that a long run of one sequence costs a comparison and not a removal
            Some(next) => *top = Reverse((next, sequence, place + 1)),
            None => {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        Some((sequence, place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_elements_come_from_the_earlier_sequence_first() {
        let sequences = [vec![1, 4, 4, 9], vec![], vec![4, 7]];
        let order: Vec<_> = merged(3, |sequence, place| sequences[sequence].get(place)).collect();
        assert_eq!(order, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (0, 3)]);
    }
}
