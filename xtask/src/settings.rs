//! Settings: what `wasm-pack.toml` says about the web bundle.
//!
//! Promises: a key that nobody reads is an error that names the key and its line; so is a value
//! that would be ignored.
//! Knows nothing of: how the bundle is made; see `wasm_call` and `bundle` for who reads what.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::failure::{Result, Tried, cannot};

pub const FILE: &str = "wasm-pack.toml";

/// Every key of the file; all but `target` have the value given here when absent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How the page loads the glue.
    pub target: Target,
    /// A profile of Cargo.toml.
    #[serde(default = "release")]
    pub profile: String,
    /// Cargo features of the crate.
    #[serde(default)]
    pub features: Vec<String>,
    /// Features of the machine that wasm describes, such as `simd128`.
    #[serde(default)]
    pub target_features: Vec<String>,
    /// Whether `wasm-opt` makes the module smaller, where it is installed.
    #[serde(default)]
    pub wasm_opt: bool,
    /// Where the bundle goes, inside the checkout.
    #[serde(default = "dist")]
    pub out_dir: PathBuf,
    /// A module that is larger than this after gzip fails the build.
    pub max_gzip_kb: Option<u64>,
    /// A single file that is larger than this fails the build.
    pub max_one_file_kb: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A classic script with one global, `wasm_bindgen`; the only form that our page and its
    /// workers load.
    NoModules,
    /// An ES module, for a page of somebody else's.
    Web,
}

impl Settings {
    /// Reads `wasm-pack.toml` in the root of the checkout.
    pub fn read(root: &Path) -> Result<Self> {
        let file = root.join(FILE);
        Self::parse(&fs::read_to_string(&file).tried("read", &file)?)
    }

    pub fn parse(text: &str) -> Result<Self> {
        match toml::from_str::<Self>(text) {
            Ok(settings) => settings.checked(),
            Err(error) => cannot(format!("can't use {FILE}: {error}")),
        }
    }

    fn checked(self) -> Result<Self> {
        // The folder is emptied before the bundle goes in: nothing outside may be named, and not
        // the checkout itself.
        let inside = self.out_dir.components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || self.out_dir.as_os_str().is_empty() {
            return cannot(format!(
                "can't use {FILE}: out_dir must be a folder inside the checkout, without `..`, \
                 and is {:?}",
                self.out_dir
            ));
        }
        let words = [(&self.features, "features"), (&self.target_features, "target_features")];
        for (list, key) in words {
            // Each becomes part of one comma-separated argument.
            let bad = |word: &&String| word.is_empty() || word.contains([',', ' ', '+']);
            if let Some(word) = list.iter().find(bad) {
                return cannot(format!("can't use {FILE}: {key} has {word:?}, not one word"));
            }
        }
        Ok(self)
    }
}

fn release() -> String {
    "release".to_owned()
}

fn dist() -> PathBuf {
    PathBuf::from("dist")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_project_is_understood() {
        let text = include_str!("../../wasm-pack.toml");
        let settings = Settings::parse(text).expect("wasm-pack.toml is understood");
        assert_eq!(settings.target, Target::NoModules, "our page loads nothing else");
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let text = "target = \"web\"\nprofile = \"release\"\nout-dir = \"pkg\"\n";
        let message = Settings::parse(text).expect_err("it was taken").to_string();
        assert!(message.contains("line 3"), "{message}");
        assert!(message.contains("unknown field `out-dir`"), "{message}");
    }

    #[test]
    fn a_wrong_value_is_named_with_its_line() {
        let text = "\ntarget = \"nodejs\"\n";
        let message = Settings::parse(text).expect_err("it was taken").to_string();
        assert!(message.contains("line 2") && message.contains("nodejs"), "{message}");
    }

    #[test]
    fn a_folder_outside_the_checkout_is_refused() {
        for out_dir in ["/tmp/x", "..", "a/../..", ".", ""] {
            let text = format!("target = \"web\"\nout_dir = \"{out_dir}\"\n");
            let message = Settings::parse(&text).expect_err(out_dir).to_string();
            assert!(message.contains("out_dir"), "{message}");
        }
    }

    #[test]
    fn a_feature_that_would_smuggle_in_another_is_refused() {
        let text = "target = \"web\"\ntarget_features = [\"simd128,+atomics\"]\n";
        let message = Settings::parse(text).expect_err("it was taken").to_string();
        assert!(message.contains("target_features"), "{message}");
    }
}
