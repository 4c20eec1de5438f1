//! Finds the fields of one object in bytes: knows JSON, not traces.
//!
//! ```text
//! { "name": "sort", "ph": "X", "args": { "rows": 7 } }
//!           ^^^^^^        ^^^          ^^^^^^^^^^^^^^^    spans of the values whose keys were asked for
//! ```
//!
//! Promises: no tree and no recursion; text that is cut gives [`Stop::Cut`], text that is wrong gives
//! [`Stop::Wrong`] with the place; what is forgiven is counted in [`Notes`].
//! Does not do: decoding strings, reading numbers, finding the next event.
//! Costs: one look at every byte, eight at a time inside strings.

/// A value's place and kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// First byte; of a string the one after the quote.
    pub start: usize,
    /// One past the last byte; of a string the closing quote.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
    /// Of a string: whether its bytes are not its text.
    pub is_plain: bool,
}

/// Kinds of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The object has no such key.
    #[default]
    Missing,
    /// A string.
    String,
    /// Digits, or what may be a number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`, and what stands for a number that is none: `NaN`, `Infinity`.
    Null,
    /// An object.
    Object,
    /// An array.
    Array,
}

/// Why an object could not be read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The text ends inside it.
    Cut,
    /// This byte can't stand here.
    Wrong(usize),
}

/// What was forgiven on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Commas missing, doubled or leading.
    pub commas: u32,
    /// `NaN` and `Infinity`.
    pub no_numbers: u32,
    /// Some string holds a byte above 127: its UTF-8 is to be checked.
    pub is_not_ascii: bool,
    /// Some string holds a control character or a strange escape: to be looked at again.
    pub is_suspect: bool,
}

/// How an object ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// At its brace; the place after it.
    End(usize),
    /// At the bracket of an array under the key of a container; the place after the bracket.
    Container(usize),
}

/// The keys to look for: which slot of the result a key's value goes to.
pub trait Keys<const N: usize> {
    /// The slot of `key`; `None` when nobody asks for it.
    fn slot(key: &[u8]) -> Option<usize>;
    /// The slot whose value, when it is an array, is a container of objects like this one.
    const CONTAINER: usize;
}

/// Reads the object whose brace stands before `at` in `text`; a key that comes twice has its last value.
#[inline]
pub fn scan_object<K: Keys<N>, const N: usize>(
    text: &[u8],
    mut at: usize,
    values: &mut [Value; N],
    notes: &mut Notes,
) -> Result<Found, Stop> {
    *values = [Value::default(); N];
    let mut needs_comma = false;
    loop {
        at = skip_blank(text, at);
        match text.get(at) {
            Some(b'"') => notes.commas += u32::from(needs_comma),
            Some(b',') => {
                at = skip_commas(text, at, needs_comma, notes);
                needs_comma = false;
                if text.get(at) != Some(&b'"') {
                    continue;
                }
            }
            Some(b'}') => return Ok(Found::End(at + 1)),
            Some(_) => return Err(Stop::Wrong(at)),
            None => return Err(Stop::Cut),
        }
        let key = scan_string(text, at + 1, notes)?;
        at = skip_blank(text, key.end + 1);
        match text.get(at) {
            Some(b':') => at = skip_blank(text, at + 1),
            Some(_) => return Err(Stop::Wrong(at)),
            None => return Err(Stop::Cut),
        }
        let slot = K::slot(&text[key.start..key.end]);
        if slot == Some(K::CONTAINER) && text.get(at) == Some(&b'[') {
            return Ok(Found::Container(at + 1));
        }
        let (value, next) = scan_value(text, at, notes)?;
        if let Some(slot) = slot {
            values[slot] = value;
        }
        (at, needs_comma) = (next, true);
    }
}

/// Gives the members of the object `value` to `take`: key, value.
pub fn for_each_member(text: &[u8], value: Value, mut take: impl FnMut(Value, Value)) {
    let (mut at, mut notes) = (value.start + 1, Notes::default());
    // the object has been scanned before, so what stops here is its end
    loop {
        at = skip_blank(text, at);
        while text.get(at) == Some(&b',') {
            at = skip_blank(text, at + 1);
        }
        if text.get(at) != Some(&b'"') {
            return;
        }
        let Ok(key) = scan_string(text, at + 1, &mut notes) else { return };
        at = skip_blank(text, skip_blank(text, key.end + 1) + 1);
        let Ok((member, next)) = scan_value(text, at, &mut notes) else { return };
        take(key, member);
        at = next;
    }
}

/// Reads the value that begins at `at`; also gives the place after it.
#[inline]
pub fn scan_value(text: &[u8], at: usize, notes: &mut Notes) -> Result<(Value, usize), Stop> {
    let value = match text.get(at).ok_or(Stop::Cut)? {
        b'"' => {
            let value = scan_string(text, at + 1, notes)?;
            return Ok((value, value.end + 1));
        }
        b'{' => nested(text, at, Kind::Object, notes)?,
        b'[' => nested(text, at, Kind::Array, notes)?,
        _ => scan_word(text, at, notes)?,
    };
    Ok((value, value.end))
}

/// Reads the string whose first byte after the quote is at `start`.
#[inline]
pub fn scan_string(text: &[u8], start: usize, notes: &mut Notes) -> Result<Value, Stop> {
    let mut at = start;
    let mut is_plain = true;
    loop {
        at += plain_bytes(&text[at.min(text.len())..]);
        match text.get(at) {
            None => return Err(Stop::Cut),
            Some(b'"') => return Ok(Value { start, end: at, kind: Kind::String, is_plain }),
            Some(b'\\') => {
                notes.is_suspect |= is_strange_escape(&text[at + 1..]);
                at += 2;
            }
            Some(0x80..) => {
                notes.is_not_ascii = true;
                at += 1;
            }
            Some(_) => {
                notes.is_suspect = true;
                at += 1;
            }
        }
        is_plain = false;
    }
}

/// How many bytes from the start need no care: no quote, backslash, control character or byte above 127.
#[inline]
fn plain_bytes(text: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // a byte's high bit is set where the byte is zero after the xor, or below 0x20; a borrow can set it
        // too high up, but never before the first true one
        let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        let special = (quote | backslash | control | word) & HIGHS;
        if special != 0 {
            return at * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let special = |&byte: &u8| byte == b'"' || byte == b'\\' || !(0x20..0x80).contains(&byte);
    text.len() - rest.len() + rest.iter().position(special).unwrap_or(rest.len())
}

/// True when decoding what follows a backslash must repair something.
fn is_strange_escape(after: &[u8]) -> bool {
    match after.first() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => false,
        // surrogates are looked at again, paired or not
        Some(b'u') => {
            let digits = after.get(1..5).unwrap_or_default();
            let is_surrogate = digits.first().is_some_and(|digit| digit | 0x20 == b'd')
                && digits.get(1).is_some_and(|&digit| digit > b'7');
            digits.len() < 4 || is_surrogate || !digits.iter().all(u8::is_ascii_hexdigit)
        }
        _ => true,
    }
}

/// Reads a number or a word.
#[inline]
fn scan_word(text: &[u8], start: usize, notes: &mut Notes) -> Result<Value, Stop> {
    let len = text[start..].iter().position(|&byte| ends_word(byte)).ok_or(Stop::Cut)?;
    let end = start + len;
    let kind = match &text[start..end] {
        [b'0'..=b'9' | b'-' | b'+' | b'.', rest @ ..] => match rest.first() {
            Some(b'I' | b'N') => no_number(&text[start + 1..end], start, notes)?,
            _ if rest.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte)) => Kind::Number,
            _ => return Err(Stop::Wrong(start)),
        },
        b"true" | b"false" => Kind::Bool,
        b"null" => Kind::Null,
        word => no_number(word, start, notes)?,
    };
    Ok(Value { start, end, kind, is_plain: true })
}

fn no_number(word: &[u8], start: usize, notes: &mut Notes) -> Result<Kind, Stop> {
    if word != b"NaN" && word != b"Infinity" {
        return Err(Stop::Wrong(start));
    }
    notes.no_numbers += 1;
    Ok(Kind::Null)
}

#[inline]
fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b':' | b'"' | b'{' | b'[')
}

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
fn nested(text: &[u8], start: usize, kind: Kind, notes: &mut Notes) -> Result<Value, Stop> {
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
                (at, expect) = (scan_string(text, at + 1, notes)?.end + 1, Expect::Colon);
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
            b'"' => (at, expect) = (scan_string(text, at + 1, notes)?.end + 1, Expect::Comma),
            _ => (at, expect) = (scan_word(text, at, notes)?.end, Expect::Comma),
        }
    }
    Ok(Value { start, end: at, kind, is_plain: true })
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
        if self.depth > 0 && self.depth % 64 == 0 {
            self.deeper.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth > 0 && self.depth % 64 == 0 {
            self.bits = self.deeper.pop().unwrap_or_default();
        }
    }

    fn top_is_object(&self) -> bool {
        self.bits & 1 != 0
    }
}

/// The place after the commas and blanks at `at`; all but one where one is wanted are noted,
/// unless the object or array ends there.
fn skip_commas(text: &[u8], mut at: usize, one_is_wanted: bool, notes: &mut Notes) -> usize {
    let mut count = 0;
    while text.get(at) == Some(&b',') {
        count += 1;
        at = skip_blank(text, at + 1);
    }
    notes.commas += count - u32::from(one_is_wanted);
    at
}

/// The place of the first byte at or after `at` that is no blank.
#[inline]
pub fn skip_blank(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NamePh;

    impl Keys<3> for NamePh {
        const CONTAINER: usize = 2;
        fn slot(key: &[u8]) -> Option<usize> {
            match key {
                b"name" => Some(0),
                b"ph" => Some(1),
                b"list" => Some(2),
                _ => None,
            }
        }
    }

    fn scan(text: &str) -> (Result<Found, Stop>, [String; 2], Notes) {
        let (mut values, mut notes) = ([Value::default(); 3], Notes::default());
        let found = scan_object::<NamePh, 3>(text.as_bytes(), 1, &mut values, &mut notes);
        let texts = [values[0], values[1]].map(|value| text[value.start..value.end].to_owned());
        (found, texts, notes)
    }

    #[test]
    fn fields_are_found_whatever_stands_between_them() {
        let text = r#"{ "name" : "a\"b" ,"x":{"ph":[1,{"y":"}"}]},"ph":"X","n":-1.5e3,"t":true}"#;
        let (found, texts, notes) = scan(text);
        assert_eq!(found, Ok(Found::End(text.len())));
        assert_eq!(texts, ["a\\\"b", "X"]);
        assert_eq!(notes, Notes::default());
    }

    #[test]
    fn every_cut_of_an_object_says_that_it_is_cut() {
        let text = r#"{"name":"a\u00e9b","x":{"k":[null,{}]},"n":12 ,"ph":"X"}"#;
        for end in 1..text.len() {
            assert_eq!(scan(&text[..end]).0, Err(Stop::Cut), "{}", &text[..end]);
        }
    }

    #[test]
    fn commas_are_forgiven_and_counted_but_not_the_trailing_one() {
        assert_eq!(scan(r#"{"name":"a","ph":"X",}"#).2.commas, 0);
        assert_eq!(scan(r#"{,"name":"a"}"#).2.commas, 1);
        assert_eq!(scan(r#"{"name":"a","x":[1,,2,],"y":[1 2],,"ph":"X"}"#).2.commas, 3);
        assert_eq!(scan(r#"{"name":"a" "ph":"X"}"#).2.commas, 1);
    }

    #[test]
    fn what_can_not_stand_somewhere_is_named_by_its_place() {
        assert_eq!(scan(r#"{"name":"a"b"}"#).0, Err(Stop::Wrong(11)));
        assert_eq!(scan(r#"{"name":"a":}"#).0, Err(Stop::Wrong(11)));
        assert_eq!(scan(r#"{"x":{"a":[}]}}"#).0, Err(Stop::Wrong(11)));
        assert_eq!(scan(r#"{"x":word}"#).0, Err(Stop::Wrong(5)));
    }

    #[test]
    fn a_container_is_entered_at_its_bracket() {
        assert_eq!(scan(r#"{"x":1,"list": [{"#).0, Ok(Found::Container(16)));
        assert_eq!(scan(r#"{"list":null}"#).0, Ok(Found::End(13)));
    }

    #[test]
    fn strange_strings_are_noted() {
        assert!(scan(r#"{"name":"\q"}"#).2.is_suspect);
        assert!(scan("{\"name\":\"a\tb\"}").2.is_suspect);
        assert!(scan(r#"{"name":"\ud800"}"#).2.is_suspect);
        assert!(!scan(r#"{"name":"\u003c\n\/"}"#).2.is_suspect);
        assert!(scan(r#"{"name":"é"}"#).2.is_not_ascii);
        assert_eq!(scan(r#"{"x":[NaN,-Infinity]}"#).2.no_numbers, 2);
    }

    #[test]
    fn depth_has_no_limit() {
        let deep = format!("{{\"x\":{}{}}}", "[{\"a\":".repeat(100_000), "}]".repeat(100_000));
        // an object needs a value after its last key
        let deep = deep.replacen(":}]", ":1}]", 1);
        assert_eq!(scan(&deep).0, Ok(Found::End(deep.len())));
    }
}
