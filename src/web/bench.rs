//! The benches' seam in the browser: a text to work on, and one call for each thing that is measured.
//!
//! Only with the feature `bench`. Does not do: clocks; the script times the calls.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::generate::comet::{CometOptions, CometTrace};
use crate::measure;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes a Comet-like trace of about `size` bytes to work on; gives its length.
#[wasm_bindgen]
pub fn bench_prepare(size: u32) -> u32 {
    let mut trace = CometTrace::new(1, CometOptions { size: u64::from(size), ..CometOptions::default() });
    let mut text = Vec::with_capacity(size as usize);
    while trace.next_block(&mut text) {}
    TEXT.replace(text);
    TEXT.with_borrow(|text| text.len() as u32)
}

/// Scans the text; gives its events.
#[wasm_bindgen]
pub fn bench_scan() -> f64 {
    TEXT.with_borrow(|text| measure::scan(text).events as f64)
}

/// Reads the text with `serde_json`, typed and borrowed; gives its events.
#[wasm_bindgen]
pub fn bench_serde_json() -> f64 {
    TEXT.with_borrow(|text| measure::serde_json(text).events as f64)
}

/// Imports the text; gives its slices.
#[wasm_bindgen]
pub fn bench_import() -> f64 {
    TEXT.with_borrow(|text| measure::import(text) as f64)
}
