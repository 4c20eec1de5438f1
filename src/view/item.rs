//! Items: everything that can be pointed at and selected.
//!
//! Promises: an item of a trace stays what it is while the reader looks at it.
//! Knows nothing of: how it crosses to the other thread (see `web::items`), where it stands (see `layout`).

use crate::trace::{ArgsId, CounterId, Instants, ProcessId, SliceRef, Trace, TrackId};

use super::details::{Details, Tip, counter_details, counter_tip, instant_details, instant_tip};
use super::details_of_slice::{slice_details, slice_tip};
use super::details_of_thread::{counters_details, process_details, track_details, track_tip};
use super::display_list::{DisplayList, MarkOwner, StripKind};
use super::hit::Hit;
use super::titles::{counters_title, process_title};

/// Something that can be pointed at and selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A slice; with the others that are drawn with it, `count`.
    Slice(SliceRef, u32),
    /// An instant of its owner, by index; with the others of its bin, so many.
    Instant(MarkOwner, u32, u32),
    /// A counter's value at a time.
    Counter(CounterId, i64),
    /// A thread as a whole.
    Track(TrackId),
    /// A process as a whole.
    Process(ProcessId),
    /// The counters of a process.
    Counters(ProcessId),
}

impl Item {
    /// The item behind a hit; a place alone is none.
    pub fn of(hit: Hit, at: i64) -> Option<Self> {
        match hit {
            Hit::Slice { slice, count, .. } => Some(Item::Slice(slice, count)),
            Hit::Instant { owner, index, count, .. } => Some(Item::Instant(owner, index, count)),
            Hit::Counter { counter, .. } => Some(Item::Counter(counter, at)),
            Hit::Strip(_) => None,
        }
    }

    /// What the title of a strip stands for; a counter at the time `at`.
    pub fn of_strip(list: &DisplayList, strip: usize, at: i64) -> Option<Self> {
        let strip = &list.strips[strip];
        let id = strip.id as usize;
        match strip.kind {
            StripKind::Process => Some(Item::Process(ProcessId::from_index(id))),
            StripKind::Counters => Some(Item::Counters(ProcessId::from_index(id))),
            StripKind::Counter => Some(Item::Counter(CounterId::from_index(id), at)),
            StripKind::Instants => None,
            StripKind::Track => Some(Item::Track(TrackId::from_index(id))),
        }
    }

    /// The slice, if it is one.
    pub fn slice(self) -> Option<SliceRef> {
        match self {
            Item::Slice(slice, _) => Some(slice),
            _ => None,
        }
    }

    /// A few words about it.
    pub fn tip(self, trace: &Trace) -> Tip {
        match self {
            Item::Slice(slice, count) => slice_tip(trace, slice, count),
            Item::Instant(owner, index, count) => instant_tip(trace, owner, index, count),
            Item::Counter(counter, time) => counter_tip(trace, counter, time),
            Item::Track(id) => track_tip(trace, id),
            Item::Process(id) => Tip::of_title(process_title(trace, id)),
            Item::Counters(id) => Tip::of_title(counters_title(trace, id)),
        }
    }

    /// Everything about it but its arguments.
    pub fn details(self, trace: &Trace) -> Details {
        match self {
            Item::Slice(slice, _) => slice_details(trace, slice),
            Item::Instant(owner, index, _) => instant_details(trace, owner, index),
            Item::Counter(counter, time) => counter_details(trace, counter, time),
            Item::Track(id) => track_details(trace, id),
            Item::Process(id) => process_details(trace, id),
            Item::Counters(id) => counters_details(trace, id),
        }
    }

    /// Where its arguments stand, if it has any.
    pub fn args(self, trace: &Trace) -> Option<ArgsId> {
        match self {
            Item::Slice(slice, _) => trace.row(slice).args(slice.index as usize),
            Item::Instant(owner, index, _) => instants_of(trace, owner).args(index as usize),
            Item::Counter(..) | Item::Track(_) | Item::Process(_) | Item::Counters(_) => None,
        }
    }

    /// First and last time of what has a length.
    pub fn span(self, trace: &Trace) -> Option<(i64, i64)> {
        match self {
            Item::Slice(slice, _) => {
                let (row, at) = (trace.row(slice), slice.index as usize);
                Some((row.start(at), row.end(at, trace.end())))
            }
            Item::Track(id) => trace.track(id).span,
            Item::Process(id) => {
                let spans = trace.process(id).tracks.iter().filter_map(|&track| trace.track(track).span);
                spans.reduce(|all, span| (all.0.min(span.0), all.1.max(span.1)))
            }
            Item::Instant(..) | Item::Counter(..) | Item::Counters(_) => None,
        }
    }

    /// The times between which it is on screen: a point for an instant, none for what has no time of its own.
    pub fn times(self, trace: &Trace) -> Option<(i64, i64)> {
        match self {
            Item::Slice(..) => self.span(trace),
            Item::Instant(owner, index, _) => {
                let time = instants_of(trace, owner).time(index as usize);
                Some((time, time))
            }
            Item::Counter(_, time) => Some((time, time)),
            Item::Track(_) | Item::Process(_) | Item::Counters(_) => None,
        }
    }

    /// True when the trace has it: one that was remembered while the trace grew may be gone.
    pub fn is_in(self, trace: &Trace) -> bool {
        match self {
            Item::Slice(slice, _) => {
                let lanes = trace.tracks().get(slice.track.index()).map(|track| &track.lanes);
                let row =
                    lanes.and_then(|lanes| lanes.get(slice.lane as usize)?.rows.get(slice.depth as usize));
                row.is_some_and(|row| (slice.index as usize) < row.len())
            }
            Item::Instant(owner, index, _) => {
                let is_known = match owner {
                    MarkOwner::Trace => true,
                    MarkOwner::Process(id) => (id as usize) < trace.processes().len(),
                    MarkOwner::Track(id) => (id as usize) < trace.tracks().len(),
                };
                is_known && (index as usize) < instants_of(trace, owner).len()
            }
            Item::Counter(id, _) => id.index() < trace.counters().len(),
            Item::Track(id) => id.index() < trace.tracks().len(),
            Item::Process(id) | Item::Counters(id) => id.index() < trace.processes().len(),
        }
    }
}

/// Whose instants an owner has.
pub fn instants_of(trace: &Trace, owner: MarkOwner) -> &Instants {
    match owner {
        MarkOwner::Trace => trace.instants(),
        MarkOwner::Process(id) => &trace.processes()[id as usize].instants,
        MarkOwner::Track(id) => &trace.tracks()[id as usize].instants,
    }
}
