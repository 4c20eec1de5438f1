//! Browser: what the tests and benches in a real browser need, and how they are run.
//!
//! Promises: what is missing is installed where we may; else one line names it.
//! Knows nothing of: what the scripts test.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::apt;
use crate::call::{Call, on_path};
use crate::failure::{Result, Tried, cannot};

/// Names a Chromium that is not on `PATH`; the scripts read it too.
pub const CHROMIUM: &str = "FLAMELINE_CHROMIUM";
/// The bundle that the scripts open.
const DIST: &str = "FLAMELINE_DIST";

pub struct Browser {
    /// The folder of the scripts.
    dir: PathBuf,
    chromium: PathBuf,
}

impl Browser {
    pub fn ensure(root: &Path) -> Result<Self> {
        let dir = root.join("tests/browser");
        if on_path("node").is_none() || on_path("npm").is_none() {
            return cannot("the browser tests need node and npm (Node.js 20 or newer): install them");
        }
        let chromium = ensure_chromium()?;
        ensure_modules(&dir)?;
        Ok(Self { dir, chromium })
    }

    /// Node on a script or with options, in the folder of the scripts, against a bundle.
    pub fn node(&self, dist: &Path, args: &[String]) -> Call {
        Call::new("node", args.iter().cloned())
            .env(CHROMIUM, self.chromium.to_string_lossy())
            .env(DIST, dist.to_string_lossy())
            .dir(&self.dir)
    }

    /// All `*.test.mjs`, by name: node 20 expands no patterns itself.
    pub fn test_call(&self, dist: &Path) -> Result<Call> {
        let mut scripts = self.scripts(|name| name.ends_with(".test.mjs"))?;
        if scripts.is_empty() {
            return cannot(format!("there is no *.test.mjs in {}", self.dir.display()));
        }
        let mut args = vec!["--test".to_owned(), "--test-reporter=spec".to_owned()];
        args.append(&mut scripts);
        Ok(self.node(dist, &args))
    }

    /// The names of the scripts that are wanted, sorted.
    pub fn scripts(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let mut scripts: Vec<_> = fs::read_dir(&self.dir)
            .tried("list", &self.dir)?
            .filter_map(std::result::Result::ok)
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".mjs") && is_wanted(name))
            .collect();
        scripts.sort();
        Ok(scripts)
    }
}

fn ensure_chromium() -> Result<PathBuf> {
    if let Some(named) = env::var_os(CHROMIUM).map(PathBuf::from) {
        if named.is_file() {
            return Ok(named);
        }
        return cannot(format!("{CHROMIUM} names {}, which is not there", named.display()));
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let find = || names.into_iter().find_map(on_path);
    if let Some(found) = find() {
        return Ok(found);
    }
    if apt::is_possible() {
        apt::install(&["chromium".into()])?;
    }
    match find() {
        Some(found) => Ok(found),
        None => {
            cannot(format!("the browser tests need Chromium or Chrome: install it, or name it in {CHROMIUM}"))
        }
    }
}

/// `npm ci` when the lock file is another than the last time; a browser of playwright's own is not
/// wanted.
fn ensure_modules(dir: &Path) -> Result<()> {
    let lock = dir.join("package-lock.json");
    let done = dir.join("node_modules/.installed-from.json");
    let wanted = fs::read(&lock).tried("read", &lock)?;
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    Call::new("npm", ["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .dir(dir)
        .run()?;
    fs::write(&done, wanted).tried("write", &done)
}
