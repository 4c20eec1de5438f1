//! A frame: from what is asked for to the list of what to draw.
//!
//! Promises: the same trace, layout and request give the same list.
//! Does not do: colours in RGB, fitting of labels, painting, remembering.
//! Costs: pixels × visible rows × log(slices of a row).

use super::display_list::DisplayList;
use super::layout::Layout;
use super::viewport::Viewport;
use crate::trace::{SliceRef, Trace};

/// What is on screen.
#[derive(Clone, Copy, Debug)]
pub struct FrameRequest<'a> {
    /// The time on screen.
    pub view: Viewport,
    /// First pixel of the content on screen.
    pub top: i32,
    /// Pixels of content on screen.
    pub height: i32,
    /// How much is added on each side of the screen, in screens: 1 lets a list serve while the reader pans
    /// and zooms, 0 gives an answer three times as fast.
    pub margin: f64,
    /// The selected slice.
    pub selected: Option<SliceRef>,
    /// By name index: what a search found. Everything else is faded.
    pub found: Option<&'a [bool]>,
}

/// Everything to draw for `request`.
pub fn frame(trace: &Trace, layout: &Layout, request: &FrameRequest) -> DisplayList {
    todo!("{trace:?} {layout:?} {request:?}")
}
