//! Apt: installs Debian packages where we may.
//!
//! Promises: never removes a package; fetches the lists once per run, and only to install.
//! Knows nothing of: which package is for what.

use std::fs;
use std::sync::OnceLock;

use crate::call::{Call, on_path};
use crate::failure::Result;

/// Root, on a system of Debian's family.
pub fn is_possible() -> bool {
    let root = || Call::new("id", ["-u"]).answer().as_deref() == Some("0");
    on_path("apt-get").is_some() && is_debian() && root()
}

fn is_debian() -> bool {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    text.lines().any(|line| {
        let value = line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE="));
        value.is_some_and(|value| value.contains("debian") || value.contains("ubuntu"))
    })
}

pub fn install(packages: &[String]) -> Result<()> {
    static LISTS: OnceLock<Result<()>> = OnceLock::new();
    let quiet =
        |args: &[&str]| Call::new("apt-get", args.iter().copied()).env("DEBIAN_FRONTEND", "noninteractive");
    // A list that fails to come (one mirror of many) need not matter: the install tells.
    let _ = LISTS.get_or_init(|| quiet(&["-q", "update"]).run());
    let mut call =
        quiet(&["-q", "install", "-y", "-o=Dpkg::Use-Pty=0", "--no-install-recommends", "--no-remove"]);
    for package in packages {
        call = call.arg(package);
    }
    call.run()
}
