//! Counts what decoding the strings of an event repairs: once an event, not once a text.

use super::json_scan::{Notes, scan_string};
use crate::json::{Repairs, decode_string};

/// What decoding all strings of `text` repairs; `text` has been scanned before.
pub fn of_strings(text: &[u8]) -> Repairs {
    let (mut at, mut sum) = (0, Repairs::default());
    while let Some(quote) = text[at..].iter().position(|&byte| byte == b'"') {
        let Ok(string) = scan_string(text, at + quote + 1, &mut Notes::default()) else { break };
        let bytes = string.bytes(text);
        let repairs = decode_string(bytes).1;
        sum.bad_utf8 += repairs.bad_utf8;
        sum.control += repairs.control;
        sum.bad_escape += repairs.bad_escape;
        at = string.start() + bytes.len() + 1;
    }
    sum
}
