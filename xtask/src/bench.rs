//! Bench: how fast it is, natively or in a browser.
//!
//! In the browser: a bundle with the cargo feature `bench`, in a folder of its own, opened by each
//! `tests/browser/bench_*.mjs`, which prints the results.
//! Knows nothing of: what is measured.

use std::path::{Path, PathBuf};

use crate::browser::Browser;
use crate::bundle;
use crate::call::Call;
use crate::failure::{Result, cannot};
use crate::settings::Settings;
use crate::wasm_call::Warnings;

/// The cargo feature that lets the benches at what they measure.
const FEATURE: &str = "bench";

/// Those whose name has `filter` in it; `args` are the benches' own.
pub fn native(filter: Option<&str>, args: &[String]) -> Result<()> {
    // Not `--benches`: that means the tests of the library too.
    let mut call =
        Call::cargo(["bench", "--package", "flameline", "--bench", "*"]).arg("--features").arg(FEATURE);
    if filter.is_some() || !args.is_empty() {
        call = call.arg("--");
    }
    for arg in filter.into_iter().chain(args.iter().map(String::as_str)) {
        call = call.arg(arg);
    }
    call.run()
}

/// Those whose script has `filter` in its name; `args` are the scripts' own.
pub fn in_browser(root: &Path, filter: &str, args: &[String]) -> Result<()> {
    let browser = Browser::ensure(root)?;
    let scripts = browser.scripts(|name| name.starts_with("bench_") && name.contains(filter))?;
    if scripts.is_empty() {
        return cannot(format!("no bench in tests/browser has {filter:?} in its name"));
    }
    let dist = bundle::build(root, &bench_settings(Settings::read(root)?), Warnings::Show)?;
    for script in scripts {
        let mut call = vec![script];
        call.extend_from_slice(args);
        browser.node(&dist, &call).run()?;
    }
    Ok(())
}

/// Ours, with the benches in; they may weigh what they like.
fn bench_settings(mut settings: Settings) -> Settings {
    if !settings.features.iter().any(|feature| feature == FEATURE) {
        settings.features.push(FEATURE.to_owned());
    }
    settings.out_dir = PathBuf::from("target/bench-dist");
    (settings.max_gzip_kb, settings.max_one_file_kb) = (None, None);
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
