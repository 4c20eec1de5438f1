//! Wasm call: settings and a compiler in, the exact call of cargo out.
//!
//! Promises: pure; every key of the settings that concerns cargo shows in the call.
//! Knows nothing of: how a compiler is found or installed (`wasm_toolchain`), what happens to the
//! module afterwards (`bundle`).

use std::path::{Path, PathBuf};

use crate::call::Call;
use crate::settings::Settings;

pub const TRIPLE: &str = "wasm32-unknown-unknown";

/// Two compilers that share a target folder rebuild each other's host crates.
const TARGET_DIR: &str = "target/wasm";

/// A compiler whose standard library for wasm is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// The toolchain that runs us.
    Same,
    /// The packages rustc-web and cargo-web.
    Debian,
}

/// What our own code's warnings do to the build; those of dependencies never matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warnings {
    Show,
    Deny,
}

/// `cargo rustc` and not `cargo build`: only so can the library be built as a cdylib alone.
/// Together with an rlib cargo skips link-time optimisation. It also lets us deny warnings
/// without building the dependencies again.
pub fn wasm_call(settings: &Settings, compiler: Compiler, warnings: Warnings) -> Call {
    let mut call = match compiler {
        Compiler::Same => Call::cargo(["rustc"]),
        Compiler::Debian => {
            Call::new("/usr/bin/cargo", ["rustc"]).env("RUSTC", "/usr/bin/rustc").other_toolchain()
        }
    };
    for arg in ["--lib", "--crate-type", "cdylib", "--target", TRIPLE, "--target-dir", TARGET_DIR] {
        call = call.arg(arg);
    }
    call = call.arg("--profile").arg(&settings.profile);
    if !settings.features.is_empty() {
        call = call.arg("--features").arg(settings.features.join(","));
    }
    if warnings == Warnings::Deny {
        call = call.arg("--").arg("-Dwarnings");
    }
    if !settings.target_features.is_empty() {
        let features: Vec<_> = settings.target_features.iter().map(|f| format!("+{f}")).collect();
        call = call.env("RUSTFLAGS", format!("-Ctarget-feature={}", features.join(",")));
    }
    call
}

/// Where cargo leaves the module.
pub fn module_path(root: &Path, settings: &Settings) -> PathBuf {
    let profile = match settings.profile.as_str() {
        "dev" | "test" => "debug",
        "bench" => "release",
        other => other,
    };
    root.join(TARGET_DIR).join(TRIPLE).join(profile).join("flameline.wasm")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(toml: &str) -> String {
        let settings = Settings::parse(toml).expect("the test's own settings");
        wasm_call(&settings, Compiler::Same, Warnings::Show).to_string()
    }

    #[test]
    fn a_changed_setting_changes_the_command_line() {
        let plain = shown("target = \"no-modules\"\n");
        assert_eq!(
            plain,
            "cargo rustc --lib --crate-type cdylib --target wasm32-unknown-unknown \
             --target-dir target/wasm --profile release"
        );
        let with = |line: &str| shown(&format!("target = \"no-modules\"\n{line}\n"));
        assert_eq!(with("profile = \"dev\""), plain.replace("--profile release", "--profile dev"));
        assert_eq!(with("features = [\"bench\", \"more\"]"), format!("{plain} --features bench,more"));
        assert_eq!(
            with("target_features = [\"simd128\", \"bulk-memory\"]"),
            format!("RUSTFLAGS=-Ctarget-feature=+simd128,+bulk-memory {plain}")
        );
    }

    #[test]
    fn the_debian_compiler_is_called_by_path_and_free_of_ours() {
        let settings = Settings::parse("target = \"no-modules\"").expect("the test's own");
        let call = wasm_call(&settings, Compiler::Debian, Warnings::Deny);
        let shown = call.to_string();
        assert!(shown.starts_with("RUSTC=/usr/bin/rustc /usr/bin/cargo rustc "), "{shown}");
        assert!(shown.ends_with(" -- -Dwarnings"), "{shown}");
        assert_eq!(call.toolchain, crate::call::Toolchain::Other);
    }

    #[test]
    fn the_module_is_looked_for_where_the_profile_puts_it() {
        let path = |profile: &str| {
            let toml = format!("target = \"web\"\nprofile = \"{profile}\"");
            module_path(Path::new("/r"), &Settings::parse(&toml).expect("the test's own"))
        };
        let dir = "/r/target/wasm/wasm32-unknown-unknown";
        assert_eq!(path("release"), Path::new(dir).join("release/flameline.wasm"));
        assert_eq!(path("dev"), Path::new(dir).join("debug/flameline.wasm"));
    }
}
