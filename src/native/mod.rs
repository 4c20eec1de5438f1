//! Reading on a machine that has files: the only place of the library that opens one.

mod blocks;
mod reader;

pub use reader::{ArgsSource, LoadError, Loaded, load};
