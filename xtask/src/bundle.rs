//! Bundle: the module, its glue and the page, together in one folder; and all of it in one file besides.
//!
//! Promises: the folder holds this build and nothing of an older one; a build that fails leaves
//! the folder as it was; a folder that is not a bundle is not emptied.
//! Knows nothing of: how the module is compiled (`wasm_call`), how the bundle is served.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Result, Tried, cannot};
use crate::glue::{self, write_glue};
use crate::one_file::{self, write_one_file};
use crate::settings::{Settings, Target};
use crate::size::Size;
use crate::wasm_call::{Warnings, module_path, wasm_call};
use crate::{wasm_opt, wasm_toolchain};

/// Where a bundle is put together before it takes its place; on the same disk, so that the move
/// is a rename.
const STAGE: &str = "target/wasm/stage";

/// Compiles and bundles; answers where the bundle is.
pub fn build(root: &Path, settings: &Settings, warnings: Warnings) -> Result<PathBuf> {
    let compiler = wasm_toolchain::ensure()?;
    wasm_call(settings, compiler, warnings).run()?;
    assemble(root, settings, &module_path(root, settings))
}

/// Everything after the compiler.
fn assemble(root: &Path, settings: &Settings, module: &Path) -> Result<PathBuf> {
    // Two builds at once must not meet in one folder.
    let stage = root.join(format!("{STAGE}-{}", std::process::id()));
    let outcome = assemble_in(&stage, root, settings, module);
    // Nothing is there after a success: the bundle has moved.
    let _ = fs::remove_dir_all(&stage);
    outcome
}

fn assemble_in(stage: &Path, root: &Path, settings: &Settings, module: &Path) -> Result<PathBuf> {
    fs::create_dir_all(stage).tried("make the folder", stage)?;
    write_glue(module, settings.target, stage)?;
    if settings.wasm_opt {
        wasm_opt::shrink(&stage.join(glue::MODULE))?;
    }
    let size = Size::of(&stage.join(glue::MODULE))?;
    size.within(settings.max_gzip_kb)?;
    copy_page(&root.join("www"), stage)?;
    if settings.target == Target::NoModules {
        write_one_file(stage, settings.max_one_file_kb)?;
    }
    let out_dir = root.join(&settings.out_dir);
    put(stage, &out_dir)?;
    println!("{}: {size}", settings.out_dir.join(glue::MODULE).display());
    if let Ok(one) = fs::metadata(out_dir.join(one_file::FILE)) {
        println!("{}: {:.1} kB", settings.out_dir.join(one_file::FILE).display(), one.len() as f64 / 1000.0);
    }
    Ok(out_dir)
}

/// Copies a folder with all that is in it, except hidden files.
fn copy_page(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).tried("make the folder", to)?;
    for entry in fs::read_dir(from).tried("list", from)? {
        let entry = entry.tried("list", from)?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_page(&source, &copy)?;
        } else {
            fs::copy(&source, &copy).tried("copy", &source)?;
        }
    }
    Ok(())
}

fn put(stage: &Path, out_dir: &Path) -> Result<()> {
    if out_dir.exists() {
        let is_empty = fs::read_dir(out_dir).tried("list", out_dir)?.next().is_none();
        if !is_empty && !out_dir.join(glue::MODULE).exists() {
            return cannot(format!(
                "{} holds something, but no bundle, so it is not emptied: remove it, or choose \
                 another out_dir",
                out_dir.display()
            ));
        }
        fs::remove_dir_all(out_dir).tried("empty", out_dir)?;
    }
    if let Some(parent) = out_dir.parent() {
        fs::create_dir_all(parent).tried("make the folder", parent)?;
    }
    fs::rename(stage, out_dir).tried("put the bundle in", out_dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    const PAGE: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"\">\n\
                        <link rel=\"stylesheet\" href=\"style.css\">\n\
                        <script src=\"flameline.js\" defer></script>\n\
                        <script src=\"main.js\" type=\"module\"></script>\n<body></body>";

    /// The smallest module there is, and a page of a few files.
    struct Checkout {
        root: Scratch,
        module: PathBuf,
    }

    impl Checkout {
        fn new(name: &str) -> Self {
            let root = Scratch::new(name);
            for (name, text) in [("index.html", PAGE), ("style.css", ""), ("worker.js", ""), ("main.js", "")]
            {
                root.write(&format!("www/{name}"), text);
            }
            root.write("www/ui/a.js", "");
            root.write("www/.hidden", "");
            let module = root.write("m.wasm", b"\0asm\x01\0\0\0");
            Self { root, module }
        }

        fn assemble(&self, target: &str, more: &str) -> Result<PathBuf> {
            let toml = format!("target = \"{target}\"\n{more}\n");
            let settings = Settings::parse(&toml).expect("the test's own settings");
            assemble(self.root.path(), &settings, &self.module)
        }
    }

    #[test]
    fn out_dir_decides_where_the_bundle_is() {
        let checkout = Checkout::new("out-dir");
        let dir = checkout.assemble("no-modules", "out_dir = \"some/where\"").expect("a bundle");
        assert_eq!(dir, checkout.root.path().join("some/where"));
        for file in ["index.html", "ui/a.js", "flameline.js", glue::MODULE, one_file::FILE] {
            assert!(dir.join(file).is_file(), "{file} is missing");
        }
        assert!(!dir.join(".hidden").exists());
        assert!(!checkout.root.path().join("dist").exists());
    }

    #[test]
    fn target_decides_what_the_glue_is() {
        let checkout = Checkout::new("target");
        let script = |target: &str| {
            let dir = checkout.assemble(target, "").expect("a bundle");
            fs::read_to_string(dir.join("flameline.js")).expect("a script")
        };
        assert!(script("no-modules").contains("let wasm_bindgen"));
        assert!(script("web").contains("export"));
    }

    #[test]
    fn a_module_over_the_limit_leaves_the_old_bundle() {
        let checkout = Checkout::new("limit");
        let dir = checkout.assemble("no-modules", "max_gzip_kb = 1").expect("a bundle");
        fs::write(dir.join("mark"), "").expect("a mark");
        let message = checkout.assemble("no-modules", "max_gzip_kb = 0").expect_err("it passed").to_string();
        assert!(message.contains("max_gzip_kb"), "{message}");
        assert!(dir.join("mark").exists(), "the old bundle is gone");
    }

    #[test]
    fn a_page_over_the_limit_leaves_the_old_bundle() {
        let checkout = Checkout::new("one-limit");
        let dir = checkout.assemble("no-modules", "max_one_file_kb = 100").expect("a bundle");
        fs::write(dir.join("mark"), "").expect("a mark");
        let message =
            checkout.assemble("no-modules", "max_one_file_kb = 0").expect_err("it passed").to_string();
        assert!(message.contains("max_one_file_kb in wasm-pack.toml is 0"), "{message}");
        assert!(dir.join("mark").exists(), "the old bundle is gone");
    }

    #[test]
    fn nothing_of_an_older_build_stays() {
        let checkout = Checkout::new("older");
        let dir = checkout.assemble("no-modules", "").expect("a bundle");
        fs::write(dir.join("old.js"), "").expect("a file");
        checkout.assemble("no-modules", "").expect("a bundle");
        assert!(!dir.join("old.js").exists());
    }

    #[test]
    fn a_folder_that_is_no_bundle_is_not_emptied() {
        let checkout = Checkout::new("no-bundle");
        let message =
            checkout.assemble("no-modules", "out_dir = \"www\"").expect_err("it was emptied").to_string();
        assert!(message.contains("not emptied"), "{message}");
        assert!(checkout.root.path().join("www/index.html").exists());
    }
}
