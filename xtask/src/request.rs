//! Request: the first line and the Host of an HTTP/1.1 request, and the path that it means.
//!
//! Promises: what `Request::read` answers is decoded once and has no `.` or `..` left in it; a
//! request of any length costs a bounded amount of memory.
//! Knows nothing of: files, bodies, any other header.

use std::io::BufRead;

/// More than any browser sends; a longer head is refused.
const MAX_HEAD: u64 = 64 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    pub method: Method,
    /// Decoded, without the leading slash: `ui/a b.js`; empty for the root.
    pub path: String,
    pub host: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
    Other,
}

impl Request {
    /// Reads the whole head before it judges: whoever is refused must have been heard out, else
    /// they find the connection broken and not the answer.
    /// `None`: not HTTP, or a path that can't be meant.
    pub fn read(input: impl BufRead) -> Option<Self> {
        let head = read_head(input)?;
        let mut lines = head.lines();
        let mut words = lines.next()?.split(' ');
        let method = match words.next()? {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            _ => Method::Other,
        };
        let path = decoded(words.next()?)?;
        if !words.next()?.starts_with("HTTP/1.") {
            return None;
        }
        let headers = lines.filter_map(|line| line.split_once(':'));
        let mut hosts = headers.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
        let host = hosts.next().map(|(_, value)| value.trim().to_owned());
        Some(Self { method, path, host })
    }

    /// A page of elsewhere can have its own name point to 127.0.0.1, and then read what we serve
    /// as its own; the Host that it is asked under gives it away.
    pub fn is_local(&self) -> bool {
        let Some(host) = &self.host else { return true };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        matches!(name, "127.0.0.1" | "localhost" | "[::1]")
    }
}

/// The lines before the empty one; `None` where the input ends first.
fn read_head(input: impl BufRead) -> Option<String> {
    let mut input = input.take(MAX_HEAD);
    let mut head = String::new();
    loop {
        let start = head.len();
        input.read_line(&mut head).ok()?;
        match &head[start..] {
            "\n" | "\r\n" => return Some(head),
            line if line.ends_with('\n') => {}
            _ => return None,
        }
    }
}

fn decoded(target: &str) -> Option<String> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // A backslash or a colon is a separator or a drive on some systems.
    let bad = |part: &str| matches!(part, "." | "..") || part.contains(['\0', '\\']);
    (!path.starts_with('/') && !path.split('/').any(bad)).then_some(path)
}

/// The inverse: a file name as one part of a path.
pub fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(target: &str) -> Option<String> {
        let text = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Request::read(text.as_bytes()).map(|request| request.path)
    }

    #[test]
    fn a_path_is_decoded_once_and_its_query_dropped() {
        assert_eq!(path("/").as_deref(), Some(""));
        assert_eq!(path("/ui/a%20b.js?url=../x#y").as_deref(), Some("ui/a b.js"));
        assert_eq!(path("/%2541").as_deref(), Some("%41"));
    }

    #[test]
    fn a_path_out_of_the_folder_is_refused() {
        for target in [
            "/../x",
            "/a/../../x",
            "/%2e%2e/x",
            "/a/%2E%2E/x",
            "/..%2fx",
            "//etc/passwd",
            "/..\\x",
            "/%00",
            "/%",
            "/%zz",
            "/%ff",
            "x",
            "",
        ] {
            assert_eq!(path(target), None, "{target}");
        }
    }

    #[test]
    fn an_encoded_name_comes_back() {
        for name in ["a.json", "a b.json", "50%.json", "ä&?#=/x"] {
            assert_eq!(path(&format!("/{}", encoded(name))).as_deref(), Some(name));
        }
    }

    #[test]
    fn what_is_not_http_is_no_request() {
        for text in ["", "GET", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n", "\r\n\r\n"] {
            assert_eq!(Request::read(text.as_bytes()), None, "{text:?}");
        }
        let endless = std::io::BufReader::new(std::io::repeat(b'a'));
        assert_eq!(Request::read(endless), None);
    }

    #[test]
    fn only_a_local_name_is_local() {
        let local = |host: &str| {
            let text = format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n");
            Request::read(text.as_bytes()).expect("a request").is_local()
        };
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:9", "[::1]:8080"] {
            assert!(local(host), "{host}");
        }
        for host in ["example.org", "example.org:8080", "localhost.example.org", "127.0.0.1.x:1"] {
            assert!(!local(host), "{host}");
        }
    }
}
