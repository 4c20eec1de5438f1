//! Flameline opens traces of any size: the memory timeline and the per-thread flame chart.

pub mod export;
pub mod generate;
pub mod import;
pub mod json;
#[cfg(feature = "bench")]
pub mod measure;
pub mod names;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
pub mod trace;
pub mod units;
pub mod view;
