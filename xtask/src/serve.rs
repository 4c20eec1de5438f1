//! Serve: builds the bundle, serves it, and opens a trace in it.
//!
//! Promises: the address is printed before the first request can come; a browser that can't be
//! started is no failure.
//! Knows nothing of: how the bundle is made (`bundle`) and how files are served (`server`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::bundle;
use crate::call::on_path;
use crate::failure::{Result, Tried, cannot};
use crate::request::encoded;
use crate::server::{Server, Site};
use crate::settings::Settings;
use crate::wasm_call::Warnings;

pub fn serve(root: &Path, port: u16, open: Option<PathBuf>) -> Result<()> {
    // Before the build: a mistyped name should not cost a minute.
    let open = open.map(|file| trace_file(&file)).transpose()?;
    let dir = bundle::build(root, &Settings::read(root)?, Warnings::Show)?;
    let mut site = Site::new(&dir)?;
    if let Some((file, name)) = &open {
        site = site.with_file(&format!("open/{name}"), file);
    }
    let server = Server::bind(port, site)?;
    let mut address = format!("http://{}/", server.address()?);
    if let Some((_, name)) = &open {
        address.push_str(&query(name));
    }
    println!("Flameline is at {address}   (Ctrl-C stops it)");
    if open.is_some() {
        show_in_browser(&address);
    }
    server.run();
    Ok(())
}

fn trace_file(file: &Path) -> Result<(PathBuf, String)> {
    let path = file.canonicalize().tried("open", file)?;
    if !path.is_file() {
        return cannot(format!("can't open {}: it is not a file", file.display()));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((path, name))
}

/// The value of `url` is an address itself, so a name in it is encoded twice.
fn query(name: &str) -> String {
    format!("?url=open/{}", encoded(&encoded(name)))
}

fn show_in_browser(address: &str) {
    let Some(opener) = ["xdg-open", "open"].into_iter().find_map(on_path) else { return };
    let quiet = Stdio::null;
    let child = Command::new(opener).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    // The address is printed; whoever has no browser here opens it elsewhere.
    drop(child);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_the_address_survives_both_readings() {
        assert_eq!(query("trace.json"), "?url=open/trace.json");
        assert_eq!(query("a b&c.json"), "?url=open/a%2520b%2526c.json");
    }

    #[test]
    fn a_folder_is_not_a_trace() {
        let message = trace_file(Path::new(".")).expect_err("it was taken").to_string();
        assert!(message.contains("not a file"), "{message}");
        let message = trace_file(Path::new("no-such-file")).expect_err("it was taken").to_string();
        assert!(message.contains("can't open no-such-file"), "{message}");
    }
}
