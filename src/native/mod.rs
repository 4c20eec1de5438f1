//! Reading on a machine that has files: the only place of the library that opens one.

mod blocks;
mod comet;
mod reader;

pub use comet::analyze_memory;
pub use reader::{ArgsSource, LoadError, Loaded, load};
