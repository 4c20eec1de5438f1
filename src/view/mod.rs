//! What to show where: from a trace to a list of things to draw, in pure Rust.
//!
//! ```text
//! Trace ──▶ Layout (vertical places) ──┐
//! Viewport (time ↔ pixels) ────────────┴─▶ frame ─▶ DisplayList ─▶ painter, hit
//! ```
//!
//! Promises: the same input gives the same list; a frame costs pixels and visible rows, not slices.
//! Knows nothing of: input formats, the browser, files, clocks, threads.

mod args_tree;
#[doc(hidden)]
pub mod bins;
mod bulk;
mod details;
mod details_of_slice;
mod details_of_thread;
mod display_list;
mod display_list_wire;
mod dump;
mod excess;
mod hit;
mod item;
mod labels;
mod layout;
mod memory_at;
mod memory_by_function;
mod memory_chart;
mod memory_draw;
mod memory_report;
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
mod step;
#[cfg(test)]
mod step_tests;
mod ticks;
mod timeline;
mod titles;
mod viewport;
mod wire;

pub use crate::analysis::Role;
pub use args_tree::{ArgRow, ArgsTree};
pub use bulk::bulk;
pub use details::{Details, Fact, Line, Listing, Tip, range_text, since_start};
pub use display_list::{
    ChartRun, DisplayList, FADED, FoldState, MERGED, MarkOwner, MarkRun, NO_TEXT, Rects, RowRun, SELECTED,
    Steps, Strip, StripKind, Texts, Ticks, UNFINISHED, Window,
};
pub use hit::{Hit, hit, strip_at};
pub use item::Item;
pub use labels::{CharWidths, Fitted, MIN_LABEL_PX};
pub use layout::{Fold, Folds, Layout};
pub use memory_at::memory_at;
pub use memory_by_function::{
    Amount, ExcessTotals, MemoryByFunction, MemoryRow, MemorySource, growth_sentence, memory_by_function,
    memory_while, slice_memory_facts,
};
pub use memory_chart::{ChartData, ChartSeries, MemoryChart, Reading};
pub use memory_draw::{ChartLook, draw_memory_chart};
pub use memory_report::{MemoryWords, SortedRow, SortedTable, memory_words, point_time};
pub use palette::{DARK, LIGHT, Rgb, Theme, color_by_text, color_of};
pub use place::{COUNTER_PX, HEADER_PX, INSTANTS_PX, Place, ROW_PX, What};
pub use quantity::Quantity;
pub use raster::{PixelRect, Raster};
pub use step::{Led, Step, Window as StepWindow, hidden_by, is_folded, place_of, step};
pub use ticks::{TimeTick, ValueTick, byte_ticks, number_ticks, time_ticks};
pub use timeline::{FrameRequest, frame};
pub use titles::{Title, counter_title, counters_title, process_title, track_title};
pub use viewport::{Limits, Viewport};
pub use wire::Broken;
