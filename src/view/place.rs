//! A place of the layout: what stands there, how high it is, and the rows inside a thread's.
//!
//! Knows nothing of: other places, time.

use super::display_list::{FoldState, MarkOwner};
use super::layout::Fold;
use crate::trace::{CounterId, ProcessId, Track, TrackId};

/// Height of a process's header.
pub const HEADER_PX: i32 = 26;
/// Height of a line of instants.
pub const INSTANTS_PX: i32 = 14;
/// Height of a counter.
pub const COUNTER_PX: i32 = 38;
/// Height of a row of slices, its gap included.
pub const ROW_PX: i32 = 19;
/// A place of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First pixel.
    pub y: i32,
    /// Height in pixels.
    pub height: i32,
    /// What stands there.
    pub what: What,
    /// Whether it can be folded, and is.
    pub fold: FoldState,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The header of a process.
    Process(ProcessId),
    /// The header over a process's counters.
    Counters(ProcessId),
    /// A series of a counter.
    Counter(CounterId),
    /// Instants of a process, or of the whole trace.
    Instants(Option<ProcessId>),
    /// A thread.
    Track {
        /// Which one.
        id: TrackId,
        /// Pixels above its first row, for its instants.
        above: i32,
    },
}

impl Place {
    /// What folds here, if anything can.
    pub fn folds(&self) -> Option<Fold> {
        match self.what {
            _ if self.fold == FoldState::Fixed => None,
            What::Process(id) => Some(Fold::Process(id)),
            What::Counters(id) => Some(Fold::Counters(id)),
            What::Track { id, .. } => Some(Fold::Track(id)),
            What::Counter(_) | What::Instants(_) => None,
        }
    }

    /// Where the first row of a thread stands.
    pub fn first_row_y(&self) -> i32 {
        match self.what {
            What::Track { above, .. } => self.y + above,
            _ => self.y,
        }
    }

    /// The rows of this place's thread that reach into `top..bottom`: lane, depth and first pixel.
    /// O(lanes + rows given).
    pub fn rows<'a>(
        &self,
        track: &'a Track,
        top: i32,
        bottom: i32,
    ) -> impl Iterator<Item = (u32, u32, i32)> + 'a {
        let (first_y, closed) = (self.first_row_y(), self.fold == FoldState::Closed);
        // rounding towards the outside: a row that is cut is drawn
        let from = usize::try_from((top - first_y) / ROW_PX).unwrap_or(0);
        let to = usize::try_from((bottom - first_y + ROW_PX - 1).max(0) / ROW_PX).unwrap_or(0);
        let to = if closed { to.min(1) } else { to };
        let mut before = 0;
        track.lanes.iter().zip(0_u32..).flat_map(move |(lane, lane_at)| {
            let base = before;
            before += lane.rows.len();
            let (from, to) = (from.max(base), to.min(before));
            (from..to).map(move |row| (lane_at, (row - base) as u32, first_y + px(row, ROW_PX)))
        })
    }
}

impl What {
    pub(super) fn is_same(self, other: What) -> bool {
        match (self, other) {
            (What::Track { id: a, .. }, What::Track { id: b, .. }) => a == b,
            (a, b) => a == b,
        }
    }

    /// Whose instants stand here.
    pub fn mark_owner(self) -> Option<MarkOwner> {
        match self {
            What::Instants(None) => Some(MarkOwner::Trace),
            What::Instants(Some(id)) => Some(MarkOwner::Process(id.index() as u32)),
            What::Track { id, above } if above > 0 => Some(MarkOwner::Track(id.index() as u32)),
            _ => None,
        }
    }
}

/// So many times `height`; a content of two billion pixels ends there.
pub(super) fn px(count: usize, height: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(height)
}
