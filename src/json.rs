//! Lenient JSON text: strings decoded, values made strict, without a tree and without recursion.
//!
//! Promises: any bytes give an answer; what had to be repaired in a string is counted.
//! Does not do: finding events (that is the importer's scanner) or judging what members mean.
//! Costs: one pass over the text; memory for the result and one bit for each level of nesting.

use std::borrow::Cow;

/// What was repaired while a string was decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Invalid UTF-8 sequences and lone surrogates, each replaced by U+FFFD.
    pub bad_utf8: u32,
    /// Raw control characters, kept.
    pub control: u32,
    /// Escapes that JSON does not know; backslash and character are kept.
    pub bad_escape: u32,
}

impl Repairs {
    /// True when the string was as JSON wants it.
    pub fn is_none(self) -> bool {
        self == Repairs::default()
    }

    fn add(&mut self, other: Repairs) {
        self.bad_utf8 += other.bad_utf8;
        self.control += other.control;
        self.bad_escape += other.bad_escape;
    }
}

/// The text of a JSON string whose bytes between the quotes are `raw`.
pub fn decode_string(raw: &[u8]) -> (Cow<'_, str>, Repairs) {
    let mut repairs =
        Repairs { control: raw.iter().filter(|&&byte| byte < 0x20).count() as u32, ..Repairs::default() };
    let mut pieces = raw.split(|&byte| byte == b'\\');
    let first = pieces.next().unwrap_or_default();
    let (text, bad) = decode_utf8(first);
    repairs.bad_utf8 += bad;
    if first.len() == raw.len() {
        return (text, repairs);
    }
    let mut text = text.into_owned();
    repairs.add(decode_escapes(&raw[first.len()..], &mut text));
    (Cow::Owned(text), repairs)
}

/// Decodes `rest`, which begins with a backslash, onto `text`.
fn decode_escapes(mut rest: &[u8], text: &mut String) -> Repairs {
    let mut repairs = Repairs::default();
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        let (plain, bad) = decode_utf8(&rest[..at]);
        text.push_str(&plain);
        repairs.bad_utf8 += bad;
        rest = &rest[at + 1..];
        let Some((&letter, after)) = rest.split_first() else {
            text.push('\\');
            repairs.bad_escape += 1;
            return repairs;
        };
        let plain = match letter {
            b'"' | b'\\' | b'/' => Some(char::from(letter)),
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            _ => None,
        };
        if let Some(plain) = plain {
            text.push(plain);
            rest = after;
        } else if let (b'u', Some((decoded, len))) = (letter, unicode_escape(after)) {
            text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
            repairs.bad_utf8 += u32::from(decoded.is_none());
            rest = &after[len..];
        } else {
            // backslash and what follows stay; the letter itself may be the start of a longer character
            text.push('\\');
            repairs.bad_escape += 1;
        }
    }
    let (plain, bad) = decode_utf8(rest);
    text.push_str(&plain);
    repairs.bad_utf8 += bad;
    repairs
}

/// The character of the hex digits after `\u` and how many bytes they took; `None` inside for a lone surrogate.
fn unicode_escape(digits: &[u8]) -> Option<(Option<char>, usize)> {
    let first = hex4(digits)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first), 4));
    }
    let second = digits[4..].strip_prefix(b"\\u").and_then(hex4).filter(|low| (0xDC00..0xE000).contains(low));
    match second {
        Some(low) => Some((char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00)), 10)),
        None => Some((None, 4)),
    }
}

fn hex4(digits: &[u8]) -> Option<u32> {
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// `bytes` with each invalid sequence replaced, and how many there were.
pub fn decode_utf8(bytes: &[u8]) -> (Cow<'_, str>, u32) {
    match str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), 0),
        Err(_) => {
            let bad = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            (String::from_utf8_lossy(bytes), bad as u32)
        }
    }
}

/// Writes `value` as a JSON string.
pub fn push_string(out: &mut String, value: &str) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The members of several objects as one: key and strict JSON value, a later value in place of an earlier one.
///
/// What is no object stands under the key `args`.
pub fn merged_members(texts: &[&[u8]]) -> Vec<(String, String)> {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for text in texts {
        for (key, value) in members_of(text) {
            match places.get(&key) {
                Some(&at) => members[at as usize].1 = value,
                None => {
                    places.insert(key.clone(), members.len() as u32);
                    members.push((key, value));
                }
            }
        }
    }
    members
}

fn members_of(text: &[u8]) -> Vec<(String, String)> {
    let mut reader = Reader { text, at: 0 };
    reader.skip_blank();
    if reader.peek() != Some(b'{') {
        let mut value = String::new();
        reader.push_value(&mut value);
        return if value == "null" { Vec::new() } else { vec![("args".to_owned(), value)] };
    }
    reader.at += 1;
    let mut members = Vec::new();
    loop {
        reader.skip_separators();
        if reader.peek() != Some(b'"') {
            return members;
        }
        let key = decode_string(reader.string()).0.into_owned();
        reader.skip_separators();
        let mut value = String::new();
        reader.push_value(&mut value);
        members.push((key, value));
    }
}

/// Reads values that the scanner has found well bracketed; in text that is not, it ends early.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_while(&mut self, skips: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skips) {
            self.at += 1;
        }
    }

    fn skip_blank(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace());
    }

    fn skip_separators(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte == b',' || byte == b':');
    }

    /// The bytes between the quotes; `at` stands on the first quote.
    fn string(&mut self) -> &'a [u8] {
        let start = self.at + 1;
        self.at = start;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.text.len());
        self.at = (end + 1).min(self.text.len());
        &self.text[start..end]
    }

    /// Writes the next value as strict JSON; `null` where there is none.
    fn push_value(&mut self, out: &mut String) {
        let mut open: Vec<u8> = Vec::new();
        let mut needs_comma = false;
        loop {
            self.skip_separators();
            let Some(byte) = self.peek() else { break };
            if byte == b'}' || byte == b']' {
                let Some(close) = open.pop() else { break };
                self.at += 1;
                out.push(char::from(close));
                needs_comma = true;
            } else {
                if needs_comma {
                    out.push(',');
                }
                needs_comma = true;
                if open.last() == Some(&b'}') {
                    self.push_key(out);
                }
                match self.peek() {
                    Some(b'{' | b'[') => {
                        let is_object = self.text[self.at] == b'{';
                        self.at += 1;
                        out.push(if is_object { '{' } else { '[' });
                        open.push(if is_object { b'}' } else { b']' });
                        needs_comma = false;
                    }
                    Some(b'"') => push_string(out, &decode_string(self.string()).0),
                    _ => self.push_word(out),
                }
            }
            if open.is_empty() {
                return;
            }
        }
        if out.is_empty() {
            out.push_str("null");
        }
        out.extend(open.iter().rev().map(|&close| char::from(close)));
    }

    fn push_key(&mut self, out: &mut String) {
        if self.peek() == Some(b'"') {
            push_string(out, &decode_string(self.string()).0);
        } else {
            out.push_str("\"\"");
        }
        out.push(':');
        self.skip_separators();
    }

    /// A number or a bare word; a number that JSON would not take is made one.
    fn push_word(&mut self, out: &mut String) {
        let start = self.at;
        self.skip_while(|byte| !byte.is_ascii_whitespace() && !b",:{}[]\"".contains(&byte));
        let word = String::from_utf8_lossy(&self.text[start..self.at]);
        match &*word {
            "true" | "false" | "null" => out.push_str(&word),
            "" | "NaN" | "Infinity" | "-Infinity" | "-NaN" | "+Infinity" => out.push_str("null"),
            _ if is_number(word.as_bytes()) => out.push_str(&word),
            _ => match word.parse::<f64>() {
                Ok(number) if number.is_finite() => out.push_str(&number.to_string()),
                _ => push_string(out, &word),
            },
        }
    }
}

/// True for the text of a number as JSON's grammar has it.
pub fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || whole > 1 && text[0] == b'0' {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let len = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = &fraction[len..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let len = digits(exponent);
        return len > 0 && len == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_decode_and_count_what_was_repaired() {
        let cases: [(&[u8], &str, [u32; 3]); 9] = [
            (b"plain", "plain", [0, 0, 0]),
            (br#"a\"b\\c\/\n\u00e9"#, "a\"b\\c/\n\u{e9}", [0, 0, 0]),
            (br"\uD83D\uDE00", "\u{1F600}", [0, 0, 0]),
            (br"\uD83D!", "\u{FFFD}!", [1, 0, 0]),
            (br"\uDE00", "\u{FFFD}", [1, 0, 0]),
            (br"C:\qwe\u12", "C:\\qwe\\u12", [0, 0, 2]),
            (b"a\tb\nc", "a\tb\nc", [0, 2, 0]),
            (b"\xff\xfe ok", "\u{FFFD}\u{FFFD} ok", [2, 0, 0]),
            (b"a\\", "a\\", [0, 0, 1]),
        ];
        for (raw, text, [bad_utf8, control, bad_escape]) in cases {
            let repairs = Repairs { bad_utf8, control, bad_escape };
            assert_eq!(decode_string(raw), (Cow::Borrowed(text), repairs), "{text}");
        }
    }

    #[test]
    fn members_come_out_as_strict_json_and_the_later_object_wins() {
        let begin = br#"{"a": 1, "b": [1,,{"c":NaN,}], "s":"x"y","t":01 "u":{} }"#;
        let merged = merged_members(&[begin, br#"{"a": "two", "z": 18446744073709551615}"#]);
        let text: Vec<String> = merged.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(text[0], "a=\"two\"");
        assert_eq!(text[1], "b=[1,{\"c\":null}]");
        assert_eq!(text.last().unwrap(), "z=18446744073709551615");
    }

    #[test]
    fn arguments_that_are_no_object_stand_under_one_key() {
        assert_eq!(merged_members(&[b"[1,2]"]), [("args".to_owned(), "[1,2]".to_owned())]);
        assert_eq!(merged_members(&[b"null"]), []);
        assert_eq!(merged_members(&[b"{}", b""]), []);
    }

    #[test]
    fn nesting_of_any_depth_needs_no_stack() {
        let deep = [b"{\"a\":".repeat(200_000), b"}".repeat(200_000)].concat();
        let members = merged_members(&[&deep]);
        assert_eq!(members.len(), 1);
    }

    #[test]
    fn numbers_follow_the_grammar() {
        for good in ["0", "-1", "1.5", "1e5", "1E-5", "10", "-0.0"] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in ["", "-", "01", ".5", "5.", "+5", "1e", "1e+", "0x10", "1 "] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }
}
