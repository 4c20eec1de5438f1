//! What did not fit together while slices were made from records: counts, and where the first one stands.

use super::nest::Record;

/// A way in which records did not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An end that no open slice agrees with; dropped.
    UnmatchedEnd,
    /// A slice closed because one that encloses it ended.
    MisplacedEnd,
    /// A slice without an end.
    Unfinished,
    /// A slice that did not fit into the open ones and went to a lane of its own.
    Overlap,
    /// A record earlier than the one before it on its thread.
    TimeWentBack,
}

/// How often a fault occurred and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// How many times.
    pub count: u64,
    /// First byte of the earliest record concerned whose place is known.
    pub first_offset: Option<u64>,
}

/// All faults of a track or a trace.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    counts: [Fault; FaultKind::ALL.len()],
    total: u64,
    /// Where the first overlap lies in time: from the later slice's start to the end of what both cover.
    pub overlap_range: Option<(i64, i64)>,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::UnmatchedEnd,
        FaultKind::MisplacedEnd,
        FaultKind::Unfinished,
        FaultKind::Overlap,
        FaultKind::TimeWentBack,
    ];
}

impl Faults {
    /// The faults of one kind.
    pub fn of(&self, kind: FaultKind) -> Fault {
        self.counts[kind as usize]
    }

    /// The faults of all kinds.
    pub fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn add(&mut self, kind: FaultKind, offset: u64) {
        let first_offset = (offset != Record::UNKNOWN).then_some(offset);
        self.merge_kind(kind, Fault { count: 1, first_offset });
    }

    pub(super) fn merge(&mut self, other: &Faults) {
        FaultKind::ALL.into_iter().for_each(|kind| self.merge_kind(kind, other.of(kind)));
        self.overlap_range = self.overlap_range.or(other.overlap_range);
    }

    pub(super) fn merge_kind(&mut self, kind: FaultKind, other: Fault) {
        let own = &mut self.counts[kind as usize];
        own.count += other.count;
        self.total += other.count;
        own.first_offset = match (own.first_offset, other.first_offset) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}
