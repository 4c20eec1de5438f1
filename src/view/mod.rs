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
mod bulk;
mod details;
mod display_list;
mod display_list_wire;
mod dump;
mod hit;
mod labels;
mod layout;
mod memory_by_function;
mod memory_chart;
mod memory_draw;
mod memory_series;
mod palette;
mod place;
mod pool_sum;
mod quantity;
mod raster;
#[cfg(test)]
mod reference;
#[doc(hidden)]
pub mod sample;
mod ticks;
mod timeline;
mod titles;
mod viewport;
mod wire;

pub use crate::analysis::Role;
pub use bulk::bulk;
pub use details::{
    Details, Fact, Tip, counter_details, counter_tip, instant_details, instant_tip, range_text, since_start,
    slice_details, slice_tip,
};
pub use display_list::{
    ChartRun, DisplayList, FADED, FoldState, MERGED, MarkOwner, MarkRun, NO_TEXT, Rects, RowRun, SELECTED,
    Steps, Strip, StripKind, Texts, Ticks, UNFINISHED, Window,
};
pub use hit::{Hit, hit, strip_at};
pub use labels::{CharWidths, Fitted, MIN_LABEL_PX};
pub use layout::{Fold, Folds, Layout};
pub use memory_by_function::{
    Amount, ExcessTotals, MemoryByFunction, MemoryRow, MemorySource, growth_sentence, memory_by_function,
    slice_memory_facts,
};
pub use memory_chart::{ChartData, ChartSeries, MemoryChart, Reading};
pub use memory_draw::{ChartLook, draw_memory_chart};
pub use palette::{DARK, LIGHT, Rgb, Theme, color_by_text, color_of};
pub use place::{COUNTER_PX, HEADER_PX, INSTANTS_PX, Place, ROW_PX, What};
pub use quantity::Quantity;
pub use raster::{PixelRect, Raster};
pub use ticks::{TimeTick, ValueTick, byte_ticks, number_ticks, time_ticks};
pub use timeline::{FrameRequest, frame};
pub use titles::{Title, counter_title, counters_title, process_title, track_title};
pub use viewport::{Limits, Viewport};
pub use wire::Broken;
