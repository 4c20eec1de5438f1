//! What to show where: from a trace to a list of things to draw, in pure Rust.
//!
//! ```text
//! Trace ──▶ Layout (vertical places) ──┐
//! Viewport (time ↔ pixels) ────────────┴─▶ frame ─▶ DisplayList ─▶ painter, hit
//! ```
//!
//! Promises: the same input gives the same list; a frame costs pixels and visible rows, not slices.
//! Knows nothing of: input formats, the browser, files, clocks, threads.

#[doc(hidden)]
pub mod bins;
mod display_list;
mod display_list_wire;
mod dump;
mod hit;
mod labels;
mod layout;
mod palette;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod sample;
mod timeline;
mod titles;
mod viewport;
mod wire;

pub use display_list::{
    ChartRun, DisplayList, FADED, FoldState, MERGED, MarkOwner, MarkRun, NO_TEXT, Rects, RowRun, SELECTED,
    Steps, Strip, StripKind, Texts, Ticks, UNFINISHED, Window,
};
pub use hit::{Hit, hit};
pub use labels::{CharWidths, Fitted, MIN_LABEL_PX};
pub use layout::{COUNTER_PX, Fold, Folds, HEADER_PX, INSTANTS_PX, Layout, Place, ROW_PX, What};
pub use palette::{DARK, LIGHT, Rgb, Theme, color_by_text, color_of};
pub use timeline::{FrameRequest, frame};
pub use titles::{Title, counter_title, counters_title, process_title, track_title};
pub use viewport::{Limits, Viewport};
pub use wire::Broken;
