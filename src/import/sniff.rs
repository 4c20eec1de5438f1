//! Which format it is, by its first bytes; for what is none we read, what it is instead.

use super::json_scan::skip_blank;

/// Bytes that are looked at when the first of them does not settle it.
pub const LOOK_AHEAD: usize = 64 << 10;

/// What the first bytes say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sniffed {
    /// Chrome Trace Event JSON, or what will turn out to be JSON of another kind.
    ChromeJson,
    /// Nothing we read; what it seems to be.
    Other(String),
    /// More bytes are needed.
    Unsure,
}

/// Judges the first bytes of the decoded input; `is_all` when there are no more.
pub fn sniff(head: &[u8], is_all: bool) -> Sniffed {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    match text.get(skip_blank(text, 0)) {
        None if !is_all => return Sniffed::Unsure,
        None | Some(b'[' | b'{') => return Sniffed::ChromeJson,
        Some(_) => {}
    }
    if head.len() < LOOK_AHEAD && !is_all {
        return Sniffed::Unsure;
    }
    // the tail of a trace begins in the middle of an event
    let has_phase = contains(head, b"\"ph\"");
    if has_phase && contains(head, b"{") && known_binary(head).is_none() {
        return Sniffed::ChromeJson;
    }
    Sniffed::Other(known_binary(head).map_or_else(|| describe_text(head), str::to_owned))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// What a file with these first bytes is, by its format's magic.
fn known_binary(head: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 16] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xFF\xD8\xFF", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive: unpack it first"),
        (b"\x28\xB5\x2F\xFD", "Zstandard-compressed data: unpack it first"),
        (b"BZh", "bzip2-compressed data: unpack it first"),
        (b"\xFD7zXZ", "xz-compressed data: unpack it first"),
        (b"\x7FELF", "a program (ELF)"),
        (b"PERFILE2", "a perf.data profile"),
        (b"SQLite format 3", "an SQLite database"),
        (b"PAR1", "a Parquet file"),
        (b"\xFF\xFE", "UTF-16 text: save it as UTF-8"),
        (b"\xFE\xFF", "UTF-16 text: save it as UTF-8"),
        (b"<!", "an HTML page"),
        (b"<html", "an HTML page"),
    ];
    MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, what)| *what)
}

fn describe_text(head: &[u8]) -> String {
    let is_text = str::from_utf8(head).map_or_else(|error| error.valid_up_to() + 4 > head.len(), |_| true);
    if !is_text || head.contains(&0) {
        return "binary data of an unknown kind".to_owned();
    }
    let line: String =
        String::from_utf8_lossy(head).trim_start().chars().take_while(|&c| c != '\n').collect();
    let start: String = line.chars().take(40).collect();
    format!("text that begins with \u{201c}{}\u{201d}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_a_trace_from_anything_else() {
        for json in [
            &b"[ "[..],
            b"\xEF\xBB\xBF\n {\"a\":1}",
            b"",
            b" \n",
            b"RF\", \"ph\": \"B\" },\n{ \"ph\": \"E\" }",
        ] {
            assert_eq!(sniff(json, true), Sniffed::ChromeJson, "{json:?}");
        }
        let other = |bytes: &[u8]| match sniff(bytes, true) {
            Sniffed::Other(what) => what,
            sniffed => panic!("{sniffed:?}"),
        };
        assert_eq!(other(b"\x89PNG\r\n\x1a\n"), "a PNG image");
        assert_eq!(other(b"main;run 12\n"), "text that begins with \u{201c}main;run 12\u{201d}");
        assert_eq!(other(b"\x01\x00\x02"), "binary data of an unknown kind");
        assert_eq!(other(b"null"), "text that begins with \u{201c}null\u{201d}");
        assert_eq!(sniff(b"abc", false), Sniffed::Unsure);
    }
}
