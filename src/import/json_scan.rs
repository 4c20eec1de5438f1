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

use std::marker::PhantomData;

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

/// Reads objects one after another, and remembers how the last ones were written.
///
/// Producers write the same keys in the same order with the same blanks. So what stands between two values is
/// compared with what stood there last time, 16 bytes at once; only where it differs is it read.
#[derive(Debug)]
pub struct Scanner<K, const N: usize> {
    fields: Fields<N>,
    between: [Between; REMEMBERED],
    keys: PhantomData<K>,
}

/// Values of an object before which the text is remembered; later ones are read.
const REMEMBERED: usize = 16;

/// What stands before a value, from the end of the one before: `, "ts": `.
#[derive(Clone, Copy, Debug, Default)]
struct Between {
    bytes: u128,
    /// Ones where `bytes` counts; zero when nothing is remembered.
    mask: u128,
    len: usize,
    slot: Option<u8>,
}

impl<K: Keys<N>, const N: usize> Default for Scanner<K, N> {
    fn default() -> Self {
        Scanner { fields: Fields::default(), between: [Between::default(); REMEMBERED], keys: PhantomData }
    }
}

impl<K: Keys<N>, const N: usize> Scanner<K, N> {
    /// The values of the last object.
    #[inline]
    pub fn fields(&self) -> &Fields<N> {
        &self.fields
    }

    /// Reads the object whose brace is the first byte of `text`; a key that comes twice has its last value.
    #[inline]
    pub fn object(&mut self, text: &[u8], notes: &mut Notes) -> Result<Found, Stop> {
        self.fields.seen = 0;
        let mut at = 1;
        for step in 0.. {
            let slot = match self.recall(text, at, step) {
                Some(between) => {
                    at += between.len;
                    between.slot.map(usize::from)
                }
                None => match self.read_key(text, at, step, notes)? {
                    Key::End(end) => return Ok(Found::End(end)),
                    Key::Container(end) => return Ok(Found::Container(end)),
                    Key::Value(start, slot) => {
                        at = start;
                        slot
                    }
                },
            };
            let (value, next) = scan_value(text, at, notes)?;
            if let Some(slot) = slot {
                self.fields.set(slot, value);
            }
            at = next;
        }
        unreachable!("an object ends before 2^64 members")
    }

    /// What was between two values here last time, if it stands here again.
    #[inline]
    fn recall(&self, text: &[u8], at: usize, step: usize) -> Option<Between> {
        let between = *self.between.get(step)?;
        let here = u128::from_le_bytes(*text.get(at..)?.first_chunk()?);
        (between.len > 0 && here & between.mask == between.bytes).then_some(between)
    }

    /// Reads what stands before the value of a member, and remembers it.
    fn read_key(&mut self, text: &[u8], start: usize, step: usize, notes: &mut Notes) -> Result<Key, Stop> {
        let noted = *notes;
        let mut at = skip_blank(text, start);
        if text.get(at) == Some(&b',') {
            at = skip_commas(text, at, step > 0, notes);
        } else if step > 0 && text.get(at) == Some(&b'"') {
            notes.commas += 1;
        }
        match text.get(at) {
            Some(b'"') => {}
            Some(b'}') => {
                // a trailing comma is no fault
                notes.commas = noted.commas;
                return Ok(Key::End(at + 1));
            }
            Some(_) => return Err(Stop::Wrong(at)),
            None => return Err(Stop::Cut),
        }
        let key = scan_string(text, at + 1, notes)?;
        at = skip_blank(text, key.end as usize + 1);
        match text.get(at) {
            Some(b':') => at = skip_blank(text, at + 1),
            Some(_) => return Err(Stop::Wrong(at)),
            None => return Err(Stop::Cut),
        }
        let slot = K::slot(key.bytes(text));
        match text.get(at) {
            None => return Err(Stop::Cut),
            Some(b'[') if slot == Some(K::CONTAINER) => return Ok(Key::Container(at + 1)),
            Some(_) => {}
        }
        let len = at - start;
        if step < REMEMBERED && len <= 16 && *notes == noted && slot != Some(K::CONTAINER) {
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&text[start..at]);
            let mask = u128::MAX >> (128 - len * 8);
            let slot = slot.map(|slot| slot as u8);
            self.between[step] = Between { bytes: u128::from_le_bytes(bytes), mask, len, slot };
        }
        Ok(Key::Value(at, slot))
    }
}

/// What came where a key may stand.
enum Key {
    /// The end of the object; the place after it.
    End(usize),
    /// A container's key and bracket; the place after it.
    Container(usize),
    /// The place of a value and the slot it is for.
    Value(usize, Option<usize>),
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
        b'0'..=b'9' => return scan_digits(text, at, notes),
        b'{' => nested(text, at, Kind::Object, notes)?,
        b'[' => nested(text, at, Kind::Array, notes)?,
        _ => scan_word(text, at, notes)?,
    };
    Ok((value, value.end as usize))
}

/// Reads a number that begins with a digit; most have nothing else.
#[inline]
fn scan_digits(text: &[u8], start: usize, notes: &mut Notes) -> Result<(Value, usize), Stop> {
    let (mut at, mut whole) = (start, 0_i64);
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        whole = whole.wrapping_mul(10).wrapping_add(i64::from(digit));
        at += 1;
    }
    // 18 digits fit into 63 bits
    if at - start <= 18 && text.get(at).is_some_and(|&byte| ends_word(byte)) {
        return Ok((Value { whole, ..Value::new(start, at, Kind::Number, true) }, at));
    }
    let value = scan_word(text, start, notes)?;
    Ok((value, value.end as usize))
}

/// Reads the string whose first byte after the quote is at `start`.
#[inline]
pub fn scan_string(text: &[u8], start: usize, notes: &mut Notes) -> Result<Value, Stop> {
    let at = start + plain_bytes(text.get(start..).unwrap_or_default());
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
        at += plain_bytes(text.get(at..).unwrap_or_default());
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
        let _ = scan(r#"{"ph":"X","name":"other","args":{}}"#);
        assert_eq!(scan(text), fresh, "{text}");
        assert_eq!(scan(text), fresh, "{text}");
        fresh
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
