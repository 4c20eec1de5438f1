//! Made-up traces: the same bytes for the same seed, on every platform, as large as asked.
//!
//! Promises: pure integer arithmetic, so native and wasm write the same file; one block in
//! memory at a time; text with the oddities that files of real runs have.
//! Does not: open files, read clocks, or know anything of import, trace or view. What it
//! writes is input like any other.
//!
//! ```text
//! seed, options → CometTrace → next_block, next_block, … → a file that never ends in `]`
//! ```

pub mod comet;
mod comet_lines;
mod comet_memory;
mod comet_plans;
mod comet_script;
mod comet_stage;
#[cfg(test)]
mod comet_tests;
mod random;
