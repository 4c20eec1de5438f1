//! Flameline opens traces of any size: the memory timeline and the per-thread flame chart.
//!
//! The folders are the architecture, and each may use only what stands to its right:
//!
//! ```text
//! web → view → analysis → trace → names, units, json        the page
//!       import          → trace                             bytes to trace
//!       export, native, bin                                 tables, files, the command line
//! ```
//!
//! A trace in a few lines:
//!
//! ```
//! use flameline::import::{Import, ImportOptions};
//!
//! let mut import = Import::new(ImportOptions::default());
//! // bytes come in pieces cut anywhere; the trace can be read between them
//! import.feed(br#"[{"name":"plan","ph":"B","pid":1,"tid":7,"ts":0},{"name":"#)?;
//! import.feed(br#""plan","ph":"E","pid":1,"tid":7,"ts":1.5}"#)?;
//! let imported = import.finish()?;
//! let track = &imported.trace.tracks()[0];
//! assert_eq!(track.lanes[0].rows[0].dur(0), Some(1_500));
//! assert!(imported.report.problems.is_empty());
//! # Ok::<(), flameline::import::ImportError>(())
//! ```

pub mod analysis;
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
#[cfg(target_arch = "wasm32")]
mod web;
