//! Instants: named points in time, of a thread, a process or the whole trace.
//!
//! Promises: after [`Instants::sort`] times ascend, equal ones in file order.
//! Costs: 12 bytes an instant, 8 more where there are arguments.

use super::args::ArgsId;
use super::column::Column;
use crate::names::NameId;

/// Points in time in columns.
#[derive(Clone, Debug, Default)]
pub struct Instants {
    time: Column<i64>,
    name: Column<NameId>,
    args: Vec<(u32, ArgsId)>,
    unsorted: bool,
}

impl Instants {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Time in ns, as in the file.
    pub fn time(&self, at: usize) -> i64 {
        self.time.get(at)
    }

    /// Name and category.
    pub fn name(&self, at: usize) -> NameId {
        self.name.get(at)
    }

    /// Where its arguments stand, if it has any. O(log n).
    pub fn args(&self, at: usize) -> Option<ArgsId> {
        let found = self.args.binary_search_by_key(&(at as u32), |entry| entry.0).ok()?;
        Some(self.args[found].1)
    }

    /// The first instant at `time` or later. O(log n); needs sorted times.
    pub fn first_at(&self, time: i64) -> usize {
        self.time.first_where(|value| value >= time)
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.time.heap_bytes() + self.name.heap_bytes() + self.args.capacity() * size_of::<(u32, ArgsId)>()
    }
}

/// Writing: for the builder only.
impl Instants {
    pub(super) fn push(&mut self, time: i64, name: NameId, args: Option<ArgsId>) {
        self.unsorted |= self.time.last().is_some_and(|last| last > time);
        if let Some(args) = args {
            self.args.push((self.len() as u32, args));
        }
        self.time.push(time);
        self.name.push(name);
    }

    /// Puts the instants in the order of time. O(n log n) when they were not.
    pub(super) fn sort(&mut self) {
        if !std::mem::take(&mut self.unsorted) {
            return;
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|&at| self.time.get(at as usize));
        let args: Vec<_> = order
            .iter()
            .zip(0..)
            .filter_map(|(&at, new)| self.args(at as usize).map(|args| (new, args)))
            .collect();
        self.name = order.iter().map(|&at| self.name.get(at as usize)).collect();
        self.time = order.iter().map(|&at| self.time.get(at as usize)).collect();
        self.args = args;
    }

    pub(super) fn shrink(&mut self) {
        self.time.shrink();
        self.name.shrink();
        self.args.shrink_to_fit();
    }
}
