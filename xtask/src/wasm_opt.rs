//! Wasm-opt: makes the module smaller, where the program is installed.
//!
//! Promises: never required; without the program one line says that the module is larger; uses no
//! feature of wasm that the module doesn't.
//! Knows nothing of: where the module goes next.

use std::fs;
use std::path::Path;

use crate::call::{Call, on_path};
use crate::failure::{Result, Tried};

pub fn shrink(module: &Path) -> Result<()> {
    if on_path("wasm-opt").is_none() {
        eprintln!("wasm-opt is not installed, so the module stays about a tenth larger");
        return Ok(());
    }
    let smaller = module.with_extension("smaller");
    // The module names the features that it uses; allowing all would let in some that no browser
    // reads yet.
    Call::new("wasm-opt", ["-O3", "-o"])
        .arg(smaller.to_string_lossy())
        .arg(module.to_string_lossy())
        .run()?;
    fs::rename(&smaller, module).tried("replace", module)
}
