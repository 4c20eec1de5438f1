//! Server: the files of one folder, and single named files, over HTTP on 127.0.0.1.
//!
//! Promises: nothing outside the folder and the named files is served, by whatever path or link;
//! a file of any size is streamed; each connection has a thread, so a slow one holds up nobody.
//! Does not: keep connections open, ranges, compression, anything but GET and HEAD. It is for one
//! person and their browser, not for the internet.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::{Failure, Result, Tried};
use crate::request::{Method, Request};

/// A connection that says nothing for this long is closed.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// What is served.
pub struct Site {
    dir: PathBuf,
    /// Path in the address, file on the disk.
    files: Vec<(String, PathBuf)>,
}

impl Site {
    pub fn new(dir: &Path) -> Result<Self> {
        Ok(Self { dir: dir.canonicalize().tried("serve", dir)?, files: Vec::new() })
    }

    pub fn with_file(mut self, path: &str, file: &Path) -> Self {
        self.files.push((path.to_owned(), file.to_owned()));
        self
    }

    fn find(&self, path: &str) -> Option<PathBuf> {
        if let Some((_, file)) = self.files.iter().find(|(name, _)| name == path) {
            return Some(file.clone());
        }
        let mut file = self.dir.join(path);
        if file.is_dir() {
            file.push("index.html");
        }
        // Follows links, so a link out of the folder is seen as what it is.
        let file = file.canonicalize().ok()?;
        (file.starts_with(&self.dir) && file.is_file()).then_some(file)
    }
}

impl Server {
    /// Port 0 takes any free one.
    pub fn bind(port: u16, site: Site) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            Failure::Cannot(format!(
                "can't serve on 127.0.0.1:{port}: {error}; choose another with --port, or --port 0 \
                 for any free one"
            ))
        })?;
        Ok(Self { listener, site: Arc::new(site) })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().tried("ask the address of", Path::new("the server"))
    }

    /// Serves until the process ends.
    pub fn run(&self) {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else { continue };
            let site = Arc::clone(&self.site);
            // A browser that goes away in the middle is no matter; nor is a thread that can't be
            // had, the browser asks again.
            let _ = thread::Builder::new().spawn(move || answer(&stream, &site));
        }
    }
}

fn answer(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut out = BufWriter::new(stream);
    let refuse = |out: &mut BufWriter<&TcpStream>, status: &str| {
        let head = head(status, "text/plain; charset=utf-8", status.len() as u64 + 1);
        writeln!(out, "{head}{status}")
    };
    match Request::read(BufReader::new(stream)) {
        None => refuse(&mut out, "400 Bad Request")?,
        Some(request) if !request.is_local() => refuse(&mut out, "403 Forbidden")?,
        Some(Request { method: Method::Other, .. }) => {
            refuse(&mut out, "405 Method Not Allowed")?;
        }
        Some(request) => match site.find(&request.path).map(File::open) {
            Some(Ok(mut file)) => {
                let len = file.metadata()?.len();
                out.write_all(head("200 OK", mime(&request.path), len).as_bytes())?;
                if request.method == Method::Get {
                    // A file that grows meanwhile stays as long as promised.
                    io::copy(&mut (&mut file).take(len), &mut out)?;
                }
            }
            _ => refuse(&mut out, "404 Not Found")?,
        },
    }
    out.flush()?;
    hang_up(stream)
}

/// Closing while something of the request is unread, a body say, can make the system take back
/// the answer; so we let the other side close first, within bounds.
fn hang_up(stream: &TcpStream) -> io::Result<()> {
    const MOST: u64 = 1 << 20;
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    io::copy(&mut stream.take(MOST), &mut io::sink())?;
    Ok(())
}

fn head(status: &str, mime: &str, len: u64) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {len}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
}

fn mime(path: &str) -> &'static str {
    let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
    match extension.to_ascii_lowercase().as_str() {
        // The root and other folders are their index.html.
        "" if path.is_empty() || path.ends_with('/') => "text/html; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" | "md" => "text/plain; charset=utf-8",
        "gz" => "application/gzip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// Over a folder that holds a page, a module and a link out of it.
    struct Serving {
        address: SocketAddr,
        _dir: Scratch,
    }

    fn serving(name: &str) -> Serving {
        let dir = Scratch::new(name);
        dir.write("site/index.html", "<p>page");
        dir.write("site/m.wasm", b"\0asm");
        let trace = dir.write("a b.json", "[]");
        let secret = dir.write("secret", "secret");
        #[cfg(unix)]
        std::os::unix::fs::symlink(secret, dir.path().join("site/link")).expect("a link");
        let site = Site::new(&dir.path().join("site")).expect("a site");
        let server = Server::bind(0, site.with_file("open/a b.json", &trace)).expect("a free port");
        let address = server.address().expect("its address");
        thread::spawn(move || server.run());
        Serving { address, _dir: dir }
    }

    fn ask(serving: &Serving, first: &str) -> String {
        ask_as(serving, "localhost", first)
    }

    fn ask_as(serving: &Serving, host: &str, first: &str) -> String {
        let mut stream = TcpStream::connect(serving.address).expect("a connection");
        write!(stream, "{first} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    }

    #[test]
    fn files_come_with_their_types_and_are_not_kept() {
        let site = serving("types");
        let page = ask(&site, "GET /");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
        assert!(page.contains("Content-Type: text/html"), "{page}");
        assert!(page.contains("Cache-Control: no-store"), "{page}");
        assert!(page.ends_with("\r\n\r\n<p>page"), "{page}");
        assert!(ask(&site, "GET /m.wasm").contains("Content-Type: application/wasm\r\n"));
    }

    #[test]
    fn head_is_the_answer_without_its_body() {
        let text = ask(&serving("head"), "HEAD /index.html");
        assert!(text.contains("Content-Length: 7\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n"), "{text}");
    }

    #[test]
    fn a_named_file_is_served_from_outside_the_folder() {
        let text = ask(&serving("named"), "GET /open/a%20b.json?x");
        assert!(text.contains("application/json"), "{text}");
        assert!(text.ends_with("\r\n\r\n[]"), "{text}");
    }

    #[test]
    fn nothing_else_outside_the_folder_is_served() {
        let site = serving("outside");
        for first in ["GET /../secret", "GET /%2e%2e/secret", "GET /..%2fsecret", "GET //etc/passwd"] {
            assert!(ask(&site, first).starts_with("HTTP/1.1 400"), "{first}");
        }
        for first in ["GET /link", "GET /open/secret", "GET /missing"] {
            assert!(ask(&site, first).starts_with("HTTP/1.1 404"), "{first}");
        }
    }

    #[test]
    fn what_it_does_not_do_it_says() {
        let site = serving("refused");
        assert!(ask(&site, "POST /").starts_with("HTTP/1.1 405"));
        assert!(ask(&site, "nonsense").starts_with("HTTP/1.1 400"));
    }

    #[test]
    fn a_refused_body_does_not_cost_the_answer() {
        let site = serving("body");
        let mut stream = TcpStream::connect(site.address).expect("a connection");
        let body = [b'x'; 300_000];
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("a request");
        stream.write_all(&body).expect("its body");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        assert!(text.starts_with("HTTP/1.1 405"), "{text}");
    }

    #[test]
    fn a_page_of_elsewhere_reads_nothing() {
        let text = ask_as(&serving("rebinding"), "example.org", "GET /");
        assert!(text.starts_with("HTTP/1.1 403"), "{text}");
    }
}
