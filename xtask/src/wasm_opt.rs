//! Wasm-opt: makes the module smaller, where the program is installed.
//!
//! Promises: never required; without the program one line says that the module is larger.
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
    Call::new("wasm-opt", ["-O3", "--all-features", "-o"])
        .arg(smaller.to_string_lossy())
        .arg(module.to_string_lossy())
        .run()?;
    fs::rename(&smaller, module).tried("replace", module)
}
