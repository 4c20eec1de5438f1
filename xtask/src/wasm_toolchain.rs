//! Wasm toolchain: finds a compiler whose standard library for wasm is there, or gets one.
//!
//! Order: the toolchain that runs us; a Debian compiler made earlier; `rustup target add`; making
//! the Debian compiler. `FLAMELINE_WASM_TOOLCHAIN=debian` goes to the Debian one at once, for
//! machines that reach package registries only.
//! Promises: asks no network when nothing is missing; if nothing helps, one line says what to do.
//! Knows nothing of: what is compiled.

use std::env;
use std::fs;
use std::path::Path;

use crate::call::{Call, on_path};
use crate::debian;
use crate::failure::{Result, cannot};
use crate::wasm_call::{Compiler, TRIPLE};

pub const VARIABLE: &str = "FLAMELINE_WASM_TOOLCHAIN";

pub fn ensure() -> Result<Compiler> {
    match env::var(VARIABLE).as_deref() {
        Ok("debian") => return debian::ensure_std().map(|()| Compiler::Debian),
        Ok("") | Err(_) => {}
        Ok(other) => {
            return cannot(format!("{VARIABLE} is {other:?}: unset it, or set it to `debian`"));
        }
    }
    let libdir = ["--print", "target-libdir", "--target", TRIPLE];
    if Call::new("rustc", libdir).answer().is_some_and(|dir| has_std(Path::new(&dir))) {
        return Ok(Compiler::Same);
    }
    if debian::std_is_there() {
        return Ok(Compiler::Debian);
    }
    if on_path("rustup").is_some() && Call::new("rustup", ["target", "add", TRIPLE]).run().is_ok() {
        return Ok(Compiler::Same);
    }
    if debian::is_possible() {
        return debian::ensure_std().map(|()| Compiler::Debian);
    }
    cannot(format!(
        "there is no standard library for {TRIPLE} here: install Rust by https://rustup.rs and run \
         `rustup target add {TRIPLE}`, or on Debian run this as root with {VARIABLE}=debian"
    ))
}

/// Whether a toolchain's folder of libraries holds a standard library.
pub fn has_std(libdir: &Path) -> bool {
    let Ok(entries) = fs::read_dir(libdir) else { return false };
    entries.filter_map(std::result::Result::ok).any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_folder_without_std_is_no_toolchain() {
        let dir = Scratch::new("has-std");
        assert!(!has_std(&dir.path().join("missing")));
        dir.write("libstd_detect-1.rlib", "");
        assert!(!has_std(dir.path()), "std_detect is not std");
        dir.write("libstd-1.rlib", "");
        assert!(has_std(dir.path()));
    }
}
