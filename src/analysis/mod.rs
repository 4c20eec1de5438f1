//! What a trace says when it is asked: what encloses what, how much time is a slice's own, who held memory.
//!
//! Promises: plain numbers and ids. Knows nothing of: pixels, colours, text, formats.

mod longest;
pub mod memory;
#[cfg(test)]
mod memory_tests;
mod nesting;

pub use longest::{Stretch, longest, whole_track};
pub use nesting::{children, parent, self_time};
