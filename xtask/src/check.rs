//! Check: what the code must be besides right: formatted, free of warnings, documented.
//!
//! Promises: all of it is run, also after something failed; what failed is listed.
//! Knows nothing of: tests, and the wasm half of the code: its warnings are denied when `test`
//! builds the bundle.

use crate::call::Call;
use crate::failure::{Result, cannot};

pub fn calls() -> [Call; 3] {
    [
        Call::cargo(["fmt", "--all", "--check"]),
        // With the benches, which need their feature; without it, the wasm build denies warnings.
        Call::cargo(["clippy", "--workspace", "--all-targets", "--features", "flameline/bench"])
            .arg("--")
            .arg("-Dwarnings"),
        Call::cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings"),
    ]
}

pub fn check() -> Result<()> {
    let failed: Vec<_> =
        calls().iter().filter_map(|call| call.run().err()).map(|failure| failure.to_string()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    cannot(failed.join("\n"))
}
