//! A column: values one after another in chunks that never move.
//!
//! Promises: appending never copies more than one chunk, so the peak is the size itself
//! (a doubling `Vec` needs three times its size for a moment, and wasm memory never shrinks).
//! Does not do: removal.
//! Costs: push O(1), read O(1) with one indirection.

/// Values per chunk, as a power of two. 2^14 keeps the slack of a growing chunk below 128 KiB a column;
/// 2^12 costs 3 % when scanning, 2^16 wastes half a megabyte on every row of a trace with many rows.
const CHUNK_BITS: u32 = 14;
const CHUNK: usize = 1 << CHUNK_BITS;

/// An append-only list of plain values.
#[derive(Clone, Debug)]
pub struct Column<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Column<T> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds `value` at the end.
    pub fn push(&mut self, value: T) {
        if self.len & (CHUNK - 1) == 0 {
            // the first chunk grows from small; once a column is long its chunks are made whole
            let capacity = if self.len == 0 { 4 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks[self.len >> CHUNK_BITS].push(value);
        self.len += 1;
    }

    /// The value at `at`. Panics past the end.
    #[inline]
    pub fn get(&self, at: usize) -> T {
        self.chunks[at >> CHUNK_BITS][at & (CHUNK - 1)]
    }

    /// Puts `value` in place of the one at `at`. Panics past the end.
    pub fn set(&mut self, at: usize, value: T) {
        self.chunks[at >> CHUNK_BITS][at & (CHUNK - 1)] = value;
    }

    /// The last value, if any.
    pub fn last(&self) -> Option<T> {
        self.len.checked_sub(1).map(|at| self.get(at))
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flatten().copied()
    }

    /// The values of `range` as the pieces they lie in.
    pub fn pieces(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &[T]> {
        let first = range.start >> CHUNK_BITS;
        let last = range.end.div_ceil(CHUNK);
        (first..last.max(first)).map(move |chunk| {
            let base = chunk << CHUNK_BITS;
            let values = &self.chunks[chunk];
            &values[range.start.max(base) - base..(range.end - base).min(values.len())]
        })
    }

    /// The first index whose value `holds`, when all before it do not and all after it do. O(log n).
    pub fn first_where(&self, holds: impl Fn(T) -> bool) -> usize {
        let (mut low, mut size) = (0, self.len);
        while size > 0 {
            let half = size / 2;
            if holds(self.get(low + half)) {
                size = half;
            } else {
                low += half + 1;
                size -= half + 1;
            }
        }
        low
    }

    /// Gives back what the last chunk holds unused.
    pub fn shrink(&mut self) {
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.shrink_to_fit();
        }
        self.chunks.shrink_to_fit();
    }

    /// Bytes held, unused room included.
    pub fn heap_bytes(&self) -> usize {
        let values: usize = self.chunks.iter().map(Vec::capacity).sum();
        values * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

impl<T: Copy> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut column = Column::default();
        values.into_iter().for_each(|value| column.push(value));
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_order_over_chunk_borders() {
        let column: Column<usize> = (0..3 * CHUNK + 5).collect();
        assert_eq!(column.len(), 3 * CHUNK + 5);
        assert!(column.iter().eq(0..3 * CHUNK + 5));
        let range = CHUNK - 2..2 * CHUNK + 3;
        let flat: Vec<usize> = column.pieces(range.clone()).flatten().copied().collect();
        assert_eq!(flat, range.collect::<Vec<_>>());
        assert_eq!(column.pieces(7..7).flatten().count(), 0);
    }
}
