//! Bench: how fast it is, natively or in a browser.
//!
//! In the browser: a bundle with the cargo feature `bench`, in a folder of its own, opened by
//! `tests/browser/bench.mjs`, which prints the results.
//! Knows nothing of: what is measured.

use std::path::{Path, PathBuf};

use crate::browser::Browser;
use crate::bundle;
use crate::call::Call;
use crate::failure::{Result, cannot};
use crate::settings::Settings;
use crate::wasm_call::Warnings;

const SCRIPT: &str = "bench.mjs";
/// The cargo feature that lets the benches at what they measure.
const FEATURE: &str = "bench";

pub fn native(filter: Option<&str>) -> Result<()> {
    // Not `--benches`: that means the tests of the library too.
    let mut call =
        Call::cargo(["bench", "--package", "flameline", "--bench", "*"]).arg("--features").arg(FEATURE);
    if let Some(filter) = filter {
        call = call.arg("--").arg(filter);
    }
    call.run()
}

pub fn in_browser(root: &Path, filter: Option<&str>) -> Result<()> {
    let script = root.join("tests/browser").join(SCRIPT);
    if !script.is_file() {
        return cannot(format!("there are no benches for the browser: {} is missing", script.display()));
    }
    let dist = bundle::build(root, &bench_settings(Settings::read(root)?), Warnings::Show)?;
    let mut args = vec![SCRIPT.to_owned()];
    args.extend(filter.map(str::to_owned));
    Browser::ensure(root)?.node(&dist, &args).run()
}

/// Ours, with the benches in; they may weigh what they like.
fn bench_settings(mut settings: Settings) -> Settings {
    if !settings.features.iter().any(|feature| feature == FEATURE) {
        settings.features.push(FEATURE.to_owned());
    }
    settings.out_dir = PathBuf::from("target/bench-dist");
    settings.max_gzip_kb = None;
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_bundle_keeps_our_settings_and_stands_apart() {
        let toml = "target = \"no-modules\"\ntarget_features = [\"simd128\"]\nmax_gzip_kb = 1\n";
        let settings = bench_settings(Settings::parse(toml).expect("the test's own settings"));
        assert_eq!(settings.features, ["bench"]);
        assert_eq!(settings.target_features, ["simd128"]);
        assert_eq!(settings.out_dir, Path::new("target/bench-dist"));
        assert_eq!(settings.max_gzip_kb, None);
    }
}
