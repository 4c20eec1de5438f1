//! Debian: a wasm compiler from Debian's packages and the Rust registry alone.
//!
//! rustc-web and cargo-web bring a compiler without a standard library for wasm, rust-web-src its
//! source. The library is built once and put where the compiler looks for it, and lld under the
//! name that it is called by.
//! Promises: a run that finds everything done asks no network and takes no time; a run that was
//! interrupted can be repeated; no package is removed.
//! Knows nothing of: our crate, and when this way is taken.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::apt;
use crate::call::{Call, on_path};
use crate::failure::{Failure, Result, Tried, cannot};
use crate::wasm_call::TRIPLE;
use crate::wasm_toolchain::has_std;

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
/// The oldest that compiles us; an older rustc from Debian's other packages is no use.
const OLDEST: u32 = 94;
/// The name that `cargo +debian-web` knows it by, for a person at the keyboard.
const RUSTUP_NAME: &str = "debian-web";

pub fn is_possible() -> bool {
    apt::is_possible()
}

pub fn std_is_there() -> bool {
    Facts::ask().is_some_and(|facts| facts.is_complete())
}

pub fn ensure_std() -> Result<()> {
    if std_is_there() {
        return Ok(());
    }
    if !is_possible() {
        return cannot(
            "the wasm compiler of Debian's packages (rustc-web, cargo-web, rust-web-src) is not \
             set up, and only root on Debian or Ubuntu can do that: run this once as root",
        );
    }
    let source = Path::new("/usr/lib/rustlib/src/rust/library/std");
    if Facts::ask().is_none() || !source.exists() || !Path::new(CARGO).exists() {
        apt::install(&["rustc-web".into(), "cargo-web".into(), "rust-web-src".into()])?;
    }
    let Some(facts) = Facts::ask() else {
        return cannot(format!(
            "installed rustc-web, but {RUSTC} is not there or is older than 1.{OLDEST}: this \
             release of Debian has no compiler for us, use rustup"
        ));
    };
    link_lld(&facts)?;
    if !has_std(&facts.libdir) {
        build_std(&facts)?;
    }
    name_for_rustup();
    Ok(())
}

/// What the installed compiler says of itself.
struct Facts {
    /// Where it looks for the linker.
    lld: PathBuf,
    /// Where it looks for the standard library.
    libdir: PathBuf,
    llvm_major: String,
}

impl Facts {
    fn ask() -> Option<Self> {
        let rustc = |args: &[&str]| Call::new(RUSTC, args.iter().copied()).other_toolchain().answer();
        let version = rustc(&["-vV"])?;
        let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let minor: u32 = field("release")?.split('.').nth(1)?.parse().ok()?;
        if minor < OLDEST {
            return None;
        }
        let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
        Some(Self {
            lld: sysroot.join("lib/rustlib").join(field("host")?).join("bin/rust-lld"),
            libdir: rustc(&["--print", "target-libdir", "--target", TRIPLE])?.into(),
            llvm_major: field("LLVM version")?.split('.').next()?.to_owned(),
        })
    }

    fn is_complete(&self) -> bool {
        self.lld.exists() && has_std(&self.libdir) && Path::new(CARGO).exists()
    }
}

/// The LLVM inside the compiler decides which lld reads its object files.
fn link_lld(facts: &Facts) -> Result<()> {
    if facts.lld.exists() {
        return Ok(());
    }
    let package = format!("lld-{}", facts.llvm_major);
    if on_path(&package).is_none() {
        apt::install(std::slice::from_ref(&package))?;
    }
    let Some(program) = on_path(&package) else {
        return cannot(format!("installed the package {package}, but no such program came with it"));
    };
    if let Some(dir) = facts.lld.parent() {
        fs::create_dir_all(dir).tried("make the folder", dir)?;
    }
    // A link that points nowhere is left of an older lld.
    let _ = fs::remove_file(&facts.lld);
    symlink(&program, &facts.lld).tried("link lld as", &facts.lld)
}

#[cfg(unix)]
fn symlink(program: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Builds std in a crate of nothing, and copies what came out to where the compiler looks.
fn build_std(facts: &Facts) -> Result<()> {
    let dir = env::temp_dir().join(format!("flameline-std-{}", std::process::id()));
    let outcome = build_std_in(&dir, facts);
    let _ = fs::remove_dir_all(&dir);
    outcome
}

fn build_std_in(dir: &Path, facts: &Facts) -> Result<()> {
    const NAME: &str = "nothing";
    let manifest =
        format!("[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n");
    fs::create_dir_all(dir.join("src")).tried("make a folder in", dir)?;
    fs::write(dir.join("Cargo.toml"), manifest).tried("write in", dir)?;
    fs::write(dir.join("src/lib.rs"), "").tried("write in", dir)?;
    eprintln!("Building the standard library for {TRIPLE}, once; this takes a minute or two");
    Call::new(CARGO, ["build", "--release", "--target", TRIPLE])
        .arg("-Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test")
        .arg("--target-dir")
        .arg("target")
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        // Link-time optimisation needs the bitcode.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .other_toolchain()
        .dir(dir)
        .run()?;
    let built = dir.join("target").join(TRIPLE).join("release/deps");
    let mut libraries: Vec<_> = fs::read_dir(&built)
        .tried("list", &built)?
        .filter_map(std::result::Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rlib"))
        .filter(|path| !file_name(path).starts_with(&format!("lib{NAME}-")))
        .collect();
    // std is what `has_std` looks for, so it comes last: a copy that was cut short is made again.
    libraries.sort_by_key(|path| (file_name(path).starts_with("libstd-"), file_name(path)));
    fs::create_dir_all(&facts.libdir).tried("make the folder", &facts.libdir)?;
    clear_libraries(&facts.libdir)?;
    for library in &libraries {
        let place = facts.libdir.join(file_name(library));
        fs::copy(library, &place).tried("write", &place)?;
    }
    if has_std(&facts.libdir) {
        Ok(())
    } else {
        Err(Failure::Cannot(format!("built std, but {} has none", built.display())))
    }
}

/// Two versions of one library beside each other would be an error of the compiler.
fn clear_libraries(libdir: &Path) -> Result<()> {
    for entry in fs::read_dir(libdir).tried("list", libdir)?.filter_map(std::result::Result::ok) {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "rlib") {
            fs::remove_file(&path).tried("remove the old", &path)?;
        }
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// We call the compiler by path; the name only helps a person, so failing is fine.
fn name_for_rustup() {
    let Some(list) = Call::new("rustup", ["toolchain", "list"]).answer() else { return };
    if !list.lines().any(|line| line.split(' ').next() == Some(RUSTUP_NAME)) {
        let _ = Call::new("rustup", ["toolchain", "link", RUSTUP_NAME, "/usr"]).run();
    }
}
