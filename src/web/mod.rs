//! The module in the browser, on both sides of it.
//!
//! ```text
//! main thread                                   worker
//! screen ─ camera, canvas, ruler, marks, chart   engine ─ owns the trace, words
//!    └──────────── items: what is asked ────────────▶┘
//!    ┌◀──── a display list and a chart, encoded ─────┘
//! ```
//!
//! Promises: everything about traces that the page shows is decided in Rust; the scripts know elements and events.
//! Does not do: clocks and files. Times are passed in, and bytes are.

#[cfg(feature = "bench")]
mod bench;
mod camera;
mod canvas;
mod chart;
mod chart_backend;
mod convert;
mod engine;
mod engine_report;
mod engine_select;
mod fingers;
mod items;
mod marks;
mod ruler;
mod screen;
mod screen_select;
mod surface;
mod theme;
mod words;

use std::sync::Mutex;

use wasm_bindgen::prelude::*;

use crate::generate::comet::{CometOptions, CometTrace};

/// What the last panic said: the page shows it, and starts a fresh module.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);
/// Size of the sample: large enough to zoom into, small enough to be made in a blink.
const SAMPLE_BYTES: u32 = 12_000_000;
/// Which of the made-up runs the sample is.
const SAMPLE_SEED: u64 = 7;

/// Runs once, when the module is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(panic.to_string());
        }
    }));
}

/// What the last panic said, if there was one.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.lock().ok()?.clone()
}

/// What the page says when this module has failed.
#[wasm_bindgen]
pub fn panic_message(what: &str) -> String {
    words::panic_message(what)
}

/// What the page says when it can't open what `?url=` names.
#[wasm_bindgen]
pub fn address_refused(address: &str, why: &str) -> String {
    words::address_refused(address, why)
}

/// The sample: a made-up run of a Comet executor, without asking anybody for a file; of `size` bytes if that is
/// said.
#[wasm_bindgen]
pub fn make_sample(size: Option<u32>) -> Vec<u8> {
    let size = size.unwrap_or(SAMPLE_BYTES);
    let options = CometOptions { size: size.into(), ..CometOptions::default() };
    let mut trace = CometTrace::new(SAMPLE_SEED, options);
    let mut text = Vec::with_capacity(size as usize); // the module's memory is addressed by 32 bits
    while trace.next_block(&mut text) {}
    text
}
