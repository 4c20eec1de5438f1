//! Flameline opens traces of any size: the memory timeline and the per-thread flame chart.

pub mod generate;
pub mod import;
pub mod json;
pub mod names;
pub mod trace;
pub mod units;
