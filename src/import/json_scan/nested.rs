//! Passes over an object or array of any depth without recursion: one bit for each open level.

use super::{Kind, Notes, Stop, Value, scan_string, scan_value, skip_blank, skip_commas};

/// What may come next inside a nested value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A key or the end of an object; the value or the end of an array.
    Item,
    Colon,
    Value,
    /// A comma or the end.
    Comma,
}

/// Reads the object or array at `start` to its end, whatever its depth.
pub(super) fn nested(text: &[u8], start: usize, kind: Kind, notes: &mut Notes) -> Result<Value, Stop> {
    let mut levels = Levels::default();
    levels.push(kind == Kind::Object);
    let (mut at, mut expect) = (start + 1, Expect::Item);
    while levels.depth > 0 {
        at = skip_blank(text, at);
        let byte = *text.get(at).ok_or(Stop::Cut)?;
        let in_object = levels.top_is_object();
        match (expect, byte) {
            (Expect::Comma, b',') => {
                at = skip_commas(text, at, true, notes);
                expect = Expect::Item;
                continue;
            }
            (Expect::Item, b',') => {
                at = skip_commas(text, at, false, notes);
                continue;
            }
            (Expect::Item | Expect::Comma, b'}' | b']') if in_object == (byte == b'}') => {
                levels.pop();
                (at, expect) = (at + 1, Expect::Comma);
                continue;
            }
            (Expect::Colon, b':') => {
                (at, expect) = (at + 1, Expect::Value);
                continue;
            }
            (Expect::Item | Expect::Comma, b'"') if in_object => {
                notes.commas += u32::from(expect == Expect::Comma);
                (at, expect) = (scan_string(text, at + 1, notes)?.end as usize + 1, Expect::Colon);
                continue;
            }
            (Expect::Item | Expect::Comma, _) if in_object => return Err(Stop::Wrong(at)),
            (Expect::Colon, _) => return Err(Stop::Wrong(at)),
            (Expect::Comma, _) => notes.commas += 1,
            (Expect::Item | Expect::Value, _) => {}
        }
        match byte {
            b'{' | b'[' => {
                levels.push(byte == b'{');
                (at, expect) = (at + 1, Expect::Item);
            }
            _ => (at, expect) = (scan_value(text, at, notes)?.1, Expect::Comma),
        }
    }
    Ok(Value::new(start, at, kind, false))
}

/// Which of the open levels are objects, one bit each.
#[derive(Default)]
struct Levels {
    depth: usize,
    bits: u64,
    deeper: Vec<u64>,
}

impl Levels {
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.deeper.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.deeper.pop().unwrap_or_default();
        }
    }

    fn top_is_object(&self) -> bool {
        self.bits & 1 != 0
    }
}
