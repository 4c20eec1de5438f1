//! What a trace says when it is asked: what encloses what, how much time is a slice's own, who held memory, and who
//! ran while it grew.
//!
//! ```text
//! nesting.rs        what encloses a slice
//! longest.rs        the longest slices of a stretch
//! memory.rs         Comet's memory report, from its events as they stand in the file
//! comet.rs          which counter is which
//! series.rs         counters → bytes over time ───┬─▶ attribution.rs   shared among functions, functions.rs, by time
//! walk.rs           slices in the order of time ──┘
//! level.rs          bytes over time without their ups and downs
//! follow.rs         whose calls the level follows
//! growth.rs         whether it keeps growing: rise.rs, with robust.rs, statistics
//! slice_memory.rs   a counter while one slice ran
//! ```
//!
//! Promises: plain numbers and ids. Knows nothing of: pixels, colours, text, formats.

mod attribution;
#[cfg(test)]
mod attribution_tests;
mod comet;
mod follow;
mod functions;
mod growth;
#[cfg(test)]
mod growth_tests;
mod level;
mod longest;
pub mod memory;
#[cfg(test)]
mod memory_tests;
mod nesting;
mod rise;
mod robust;
mod series;
mod slice_memory;
mod walk;

pub use attribution::{Attribution, FunctionMemory, attribute, attribute_within};
pub use comet::{CometCounter, Role};
pub use follow::{Follow, by_suspicion, follow};
pub use growth::{Growth, growth};
pub use level::level;
pub use longest::{Stretch, longest, whole_track};
pub use nesting::{children, parent, self_time};
pub use rise::Shape;
pub use series::{Series, allocator, sum_steps};
pub use slice_memory::{SliceMemory, slice_memory};
