//! Flameline opens traces of any size: the memory timeline and the per-thread flame chart.
pub mod generate;
