//! What a trace says when it is asked: what encloses what, and how much time is a slice's own.
//!
//! Promises: plain numbers and ids. Knows nothing of: pixels, colours, text, formats.

mod longest;
mod nesting;

pub use longest::{Stretch, longest, whole_track};
pub use nesting::{children, parent, self_time};
