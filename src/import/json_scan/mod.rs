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

mod nested;
mod object;

pub use object::Scanner;

use nested::nested;

/// A value's place in the object's text, and its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// First byte; of a string the one after the quote.
    start: u32,
    /// One past the last byte; of a string the closing quote.
    end: u32,
    /// What it is.
    pub kind: Kind,
    /// Of a string: its bytes are its text. Of a number: it is digits alone, and `whole` is its value.
    pub is_plain: bool,
    whole: i64,
}

impl Value {
    /// `at` is within one object, which is shorter than 4 GiB: a longer one ends as [`Stop::Wrong`].
    fn new(start: usize, end: usize, kind: Kind, is_plain: bool) -> Self {
        Value { start: start as u32, end: end as u32, kind, is_plain, whole: 0 }
    }

    /// First byte; of a string the one after the quote.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The value's bytes in the object's text, without quotes; none for a missing value.
    #[inline]
    pub fn bytes(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// The value of a number that is digits alone.
    #[inline]
    pub fn whole(self) -> Option<i64> {
        (self.kind == Kind::Number && self.is_plain).then_some(self.whole)
    }
}

/// The values that were asked for, by slot.
#[derive(Clone, Copy, Debug)]
pub struct Fields<const N: usize> {
    seen: u32,
    values: [Value; N],
}

impl<const N: usize> Default for Fields<N> {
    fn default() -> Self {
        Fields { seen: 0, values: [Value::default(); N] }
    }
}

impl<const N: usize> Fields<N> {
    /// The value in `slot`; of kind `Missing` when the object has none.
    #[inline]
    pub fn get(&self, slot: usize) -> Value {
        if self.seen & 1 << slot != 0 { self.values[slot] } else { Value::default() }
    }

    /// True when the object has none of the keys that were asked for.
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }

    #[inline]
    fn set(&mut self, slot: usize, value: Value) {
        self.seen |= 1 << slot;
        self.values[slot] = value;
    }
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
    /// At an array or object under the key of a container; the place of its bracket or brace.
    Container(usize),
}

/// The keys to look for: which slot of the result a key's value goes to.
pub trait Keys<const N: usize> {
    /// The slot of `key`; `None` when nobody asks for it.
    fn slot(key: &[u8]) -> Option<usize>;
    /// The slot whose value, an array or an object around one, is a container of objects like this one.
    const CONTAINER: usize;
}

/// Gives the members of the object `value` to `take`: key, value.
pub fn for_each_member(text: &[u8], value: Value, mut take: impl FnMut(Value, Value)) {
    let (mut at, mut notes) = (value.start() + 1, Notes::default());
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
        at = skip_blank(text, skip_blank(text, key.end as usize + 1) + 1);
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
            return Ok((value, value.end as usize + 1));
        }
        b'0'..=b'9' => match digits(text, at) {
            Some(value) => value,
            None => scan_word(text, at, notes)?,
        },
        b'{' => nested(text, at, Kind::Object, notes)?,
        b'[' => nested(text, at, Kind::Array, notes)?,
        _ => scan_word(text, at, notes)?,
    };
    Ok((value, value.end as usize))
}

/// The number at `start` if it is up to 18 digits and nothing else.
#[inline(always)]
fn digits(text: &[u8], start: usize) -> Option<Value> {
    let (mut at, mut whole) = (start, 0_i64);
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        whole = whole.wrapping_mul(10).wrapping_add(i64::from(digit));
        at += 1;
    }
    // 18 digits fit into 63 bits
    let is_whole = at - start <= 18 && text.get(at).is_some_and(|&byte| ends_word(byte));
    is_whole.then(|| Value { whole, ..Value::new(start, at, Kind::Number, true) })
}

/// Reads the string whose first byte after the quote is at `start`.
#[inline]
pub fn scan_string(text: &[u8], start: usize, notes: &mut Notes) -> Result<Value, Stop> {
    let at = plain_end(text, start);
    if text.get(at) == Some(&b'"') {
        return Ok(Value::new(start, at, Kind::String, true));
    }
    scan_odd_string(text, start, at, notes)
}

/// Goes on with a string at its first byte `at` that needs care.
fn scan_odd_string(text: &[u8], start: usize, mut at: usize, notes: &mut Notes) -> Result<Value, Stop> {
    loop {
        match text.get(at) {
            None => return Err(Stop::Cut),
            Some(b'"') => return Ok(Value::new(start, at, Kind::String, false)),
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
        at = plain_end(text, at);
    }
}

/// The first place from `at` on that needs care: a quote, backslash, control character or byte above 127.
#[inline(always)]
fn plain_end(text: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*word);
        // a byte's high bit is set where the byte is zero after the xor, or below 0x20; a borrow can set it
        // too high up, but never before the first true one
        let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        let special = (quote | backslash | control | word) & HIGHS;
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while text.get(at).is_some_and(|&byte| byte != b'"' && byte != b'\\' && (0x20..0x80).contains(&byte)) {
        at += 1;
    }
    at
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
    Ok(Value::new(start, end, kind, false))
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

    /// What a scanner says that is fresh, and one that has seen the same and another text before.
    fn scan(text: &str) -> (Result<Found, Stop>, [String; 2], Notes) {
        let mut scanner = Scanner::<NamePh, 3>::default();
        let mut scan = |text: &str| {
            let mut notes = Notes::default();
            let found = scanner.object(text.as_bytes(), &mut notes);
            let texts = [0, 1].map(|slot| scanner.fields().get(slot).bytes(text.as_bytes()).to_owned());
            (found, texts.map(|text| String::from_utf8(text).unwrap()), notes)
        };
        let fresh = scan(text);
        for other in [r#"{"ph":"X","name":"other","args":{}}"#, r#"{"name":1,"x":2}"#] {
            let _ = scan(other);
            assert_eq!(scan(text), fresh, "{text}");
        }
        assert_eq!(scan(text), fresh, "{text}");
        assert_eq!(scan(text), fresh, "{text}");
        fresh
    }

    #[test]
    fn fields_are_found_whatever_stands_between_them() {
        let text = r#"{"name":  "a\"b" ,"x":{"ph":[1,{"y":"}"}]},"ph":"X","n":-1.5e3,"t":true}"#;
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
        assert_eq!(scan(r#"{"x":1,"list": [{"#).0, Ok(Found::Container(15)));
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
