//! What to show where: from a trace to a list of things to draw, in pure Rust.
//!
//! ```text
//! Trace ──▶ Layout (vertical places) ──┐
//! Viewport (time ↔ pixels) ────────────┴─▶ frame ─▶ DisplayList ─▶ painter, hit
//! ```
//!
//! Promises: the same input gives the same list; a frame costs pixels and visible rows, not slices.
//! Knows nothing of: input formats, the browser, files, clocks, threads.

mod display_list;
mod display_list_wire;
mod layout;
mod timeline;
mod viewport;
mod wire;

pub use display_list::{
    ChartRun, DisplayList, FADED, FoldState, MERGED, MarkOwner, MarkRun, NO_TEXT, Rects, RowRun, SELECTED,
    Steps, Strip, StripKind, Texts, Ticks, UNFINISHED, Window,
};
pub use layout::{Fold, Folds, Layout, Place, What};
pub use timeline::{FrameRequest, frame};
pub use viewport::{Limits, Viewport};
pub use wire::Broken;
