//! The short cut: a counter's line exactly as Comet writes it, read without looking for anything.
//!
//! ```text
//! { "name": "N", "cat": "PERF", "ph": "C", "pid": 1, "tid": 62, "ts": 6784, "args": { "N": 42182267 } },
//! ```
//!
//! Promises: what it reads, the strict reader reads as well and equally; whatever differs in one byte it leaves alone.

use std::borrow::Cow;

use super::event::{CounterEvent, CounterValue};

/// Digits that always fit 64 bits.
const MAX_DIGITS: usize = 19;

/// Reads the line with which `text` begins, if it is as usual; also gives its length without the line feed.
#[inline]
pub fn usual_line(text: &[u8]) -> Option<(CounterEvent<'_>, usize)> {
    let rest = text.strip_prefix(b"{ \"name\": \"")?;
    let len = rest.iter().position(|&byte| byte == b'"')?;
    let (name, rest) = rest.split_at(len);
    // a backslash or a control character is for the strict reader, and what is no ASCII as well
    if !name.iter().all(|byte| (b' '..=b'~').contains(byte) && *byte != b'\\') {
        return None;
    }
    let rest = rest.strip_prefix(b"\", \"cat\": \"PERF\", \"ph\": \"C\", \"pid\": 1, \"tid\": ")?;
    let (tid, rest) = whole_number(rest)?;
    let (ts, rest) = whole_number(rest.strip_prefix(b", \"ts\": ")?)?;
    let rest = rest.strip_prefix(b", \"args\": { \"")?.strip_prefix(name)?;
    let (value, rest) = whole_number(rest.strip_prefix(b"\": ")?)?;
    let rest = rest.strip_prefix(b" } },")?;
    if rest.first() != Some(&b'\n') {
        return None;
    }
    let name = Cow::Borrowed(str::from_utf8(name).ok()?);
    let value = Some(CounterValue::Unsigned(value));
    Some((CounterEvent { name, ts, tid, value }, text.len() - rest.len()))
}

#[inline]
fn whole_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let (mut value, mut len) = (0, 0);
    while let Some(digit @ b'0'..=b'9') = text.get(len) {
        if len == MAX_DIGITS {
            return None;
        }
        value = value * 10 + u64::from(digit - b'0');
        len += 1;
    }
    // a number has no needless zero in front
    (len > 0 && (len == 1 || text[0] != b'0')).then(|| (value, &text[len..]))
}
