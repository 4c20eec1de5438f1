//! Strict JSON: accepts and refuses exactly what `serde_json` does, without a tree and without recursion.
//!
//! Promises: `random_tests.rs` holds it against `serde_json` itself on damaged lines.
//! Does not do: judging what members mean. Costs: one look at every byte; memory only for escapes and nesting.

use std::borrow::Cow;

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotJson;

/// What a value is, as far as anyone asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number that is an unsigned integer of 64 bits.
    Unsigned(u64),
    /// Any other number.
    Number,
    String,
    Object,
    Array,
    /// `true`, `false` or `null`.
    Word,
}

/// How closely a value is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Nobody wants it: its form must be right, at any depth.
    Ignored,
    /// It is kept: its texts must be Unicode, its numbers finite, and it nests at most [`MAX_DEPTH`] deep.
    Kept,
}

/// Arrays and objects within each other that a kept value of an event's arguments may have.
///
/// `serde_json` refuses the 128th level; the event and its arguments are two of them.
pub const MAX_DEPTH: usize = 125;

/// A place in a text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// The next byte that is no white space; it is not taken.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    /// Takes `byte`, behind any white space.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.peek() != Some(byte) {
            return Err(NotJson);
        }
        self.at += 1;
        Ok(())
    }

    /// Between members or items: true when another one follows, false when `close` was taken.
    #[inline]
    pub fn another(&mut self, close: u8, is_first: bool) -> Result<bool, NotJson> {
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            Some(b',') if !is_first => {
                self.at += 1;
                // a comma promises more
                if self.peek() == Some(close) { Err(NotJson) } else { Ok(true) }
            }
            Some(_) if is_first => Ok(true),
            _ => Err(NotJson),
        }
    }

    /// Takes a string and decodes it.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, NotJson> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => return self.escaped_string(start),
                None | Some(0..0x20) => return Err(NotJson),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(Cow::Borrowed(&self.text[start..self.at - 1]))
    }

    /// The rest of a string that began at `start`, from its first backslash.
    fn escaped_string(&mut self, start: usize) -> Result<Cow<'a, str>, NotJson> {
        let mut text = self.text[start..self.at].to_owned();
        loop {
            let plain = self.at;
            while !matches!(self.byte(), None | Some(b'"' | b'\\' | 0..0x20)) {
                self.at += 1;
            }
            text.push_str(&self.text[plain..self.at]);
            match self.take()? {
                b'"' => return Ok(Cow::Owned(text)),
                b'\\' => text.push(self.escape()?),
                _ => return Err(NotJson),
            }
        }
    }

    /// The character of an escape, behind its backslash.
    fn escape(&mut self) -> Result<char, NotJson> {
        Ok(match self.take()? {
            plain @ (b'"' | b'\\' | b'/') => char::from(plain),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hex4()?;
                if (0xD800..0xDC00).contains(&code) {
                    let is_pair = self.take()? == b'\\' && self.take()? == b'u';
                    let low = self.hex4()?;
                    if !is_pair || !(0xDC00..0xE000).contains(&low) {
                        return Err(NotJson);
                    }
                    code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                }
                char::from_u32(code).ok_or(NotJson)?
            }
            _ => return Err(NotJson),
        })
    }

    fn hex4(&mut self) -> Result<u32, NotJson> {
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + char::from(self.take()?).to_digit(16).ok_or(NotJson)?;
        }
        Ok(value)
    }

    /// Takes a string that nobody wants: halves of surrogate pairs pass.
    fn skip_string(&mut self) -> Result<(), NotJson> {
        self.expect(b'"')?;
        loop {
            match self.take()? {
                b'"' => return Ok(()),
                b'\\' => match self.take()? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                    b'u' => _ = self.hex4()?,
                    _ => return Err(NotJson),
                },
                0..0x20 => return Err(NotJson),
                _ => {}
            }
        }
    }

    fn any_string(&mut self, care: Care) -> Result<(), NotJson> {
        match care {
            Care::Ignored => self.skip_string(),
            Care::Kept => self.string().map(|_| ()),
        }
    }

    /// Takes a value of any kind.
    #[inline]
    pub fn value(&mut self, care: Care) -> Result<Kind, NotJson> {
        match self.peek() {
            Some(b'"') => self.any_string(care).map(|()| Kind::String),
            Some(b'-' | b'0'..=b'9') => self.number(care),
            Some(b'{') => self.nested(care).map(|()| Kind::Object),
            Some(b'[') => self.nested(care).map(|()| Kind::Array),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Kind, NotJson> {
        let rest = &self.text.as_bytes()[self.at..];
        let words: [&[u8]; 3] = [b"null", b"true", b"false"];
        let word = words.into_iter().find(|word| rest.starts_with(word)).ok_or(NotJson)?;
        self.at += word.len();
        Ok(Kind::Word)
    }

    /// Takes an array or object with everything in it.
    fn nested(&mut self, care: Care) -> Result<(), NotJson> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            // at a value
            let opened = match self.peek() {
                Some(b'{') => Some(b'}'),
                Some(b'[') => Some(b']'),
                _ => None,
            };
            if let Some(close) = opened {
                self.at += 1;
                open.push(close);
                if care == Care::Kept && open.len() > MAX_DEPTH {
                    return Err(NotJson);
                }
            } else {
                self.value(care)?;
            }
            // behind a value, or at the first one of what has just been opened
            let mut is_first = opened.is_some();
            while let Some(&close) = open.last() {
                if self.another(close, is_first)? {
                    if close == b'}' {
                        self.peek();
                        self.any_string(care)?;
                        self.expect(b':')?;
                    }
                    break;
                }
                open.pop();
                is_first = false;
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Takes a number.
    #[inline]
    fn number(&mut self, care: Care) -> Result<Kind, NotJson> {
        let (start, mut whole) = (self.at, Some(0_u64));
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            whole = whole.and_then(|whole| whole.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        let digits = &self.text.as_bytes()[start..self.at];
        if !digits.is_empty() && !matches!(self.byte(), Some(b'.' | b'e' | b'E')) {
            if digits.len() > 1 && digits[0] == b'0' {
                return Err(NotJson);
            }
            if let Some(whole) = whole {
                return Ok(Kind::Unsigned(whole));
            }
        }
        self.at = start;
        self.other_number(care)
    }

    /// Takes a number that is not just a whole one of 64 bits.
    #[cold]
    fn other_number(&mut self, care: Care) -> Result<Kind, NotJson> {
        let text = &self.text[self.at..];
        let len = text.bytes().take_while(|byte| b"+-.0123456789eE".contains(byte)).count();
        let len = number_len(&text.as_bytes()[..len]).ok_or(NotJson)?;
        self.at += len;
        match care == Care::Kept && overflows(&text.as_bytes()[..len]) {
            true => Err(NotJson),
            false => Ok(Kind::Number),
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn take(&mut self) -> Result<u8, NotJson> {
        let byte = self.byte().ok_or(NotJson)?;
        self.at += 1;
        Ok(byte)
    }
}

/// The length of the number with which `text` begins, by JSON's grammar.
fn number_len(text: &[u8]) -> Option<usize> {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(text.first() == Some(&b'-'));
    let whole = digits(start);
    if whole == 0 || whole > 1 && text[start] == b'0' {
        return None;
    }
    let mut at = start + whole;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

/// True when `serde_json` finds the number too large for a float.
///
/// It takes the digits that fit 64 bits and a power of ten, and multiplies; near the largest float this
/// rounds otherwise than the exact value would.
fn overflows(number: &[u8]) -> bool {
    let number = number.strip_prefix(b"-").unwrap_or(number);
    let mantissa = number.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let (mut significand, mut exponent) = (0_u64, 0_i32);
    let (mut is_fraction, mut is_full) = (false, false);
    for &byte in &number[..mantissa] {
        if byte == b'.' {
            // digits behind the point are tried again even when those before it were too many
            (is_fraction, is_full) = (true, false);
            continue;
        }
        let longer = significand.checked_mul(10).and_then(|more| more.checked_add(u64::from(byte - b'0')));
        match longer.filter(|_| !is_full) {
            Some(longer) => {
                significand = longer;
                exponent -= i32::from(is_fraction);
            }
            None => {
                is_full = true;
                exponent = exponent.saturating_add(i32::from(!is_fraction));
            }
        }
    }
    let (mut power, mut sign) = (0_i32, 1);
    for &byte in number.get(mantissa + 1..).unwrap_or_default() {
        match byte {
            b'-' => sign = -1,
            b'+' => {}
            digit => {
                let longer = power.checked_mul(10).and_then(|more| more.checked_add(i32::from(digit - b'0')));
                match longer {
                    Some(longer) => power = longer,
                    None => return significand != 0 && sign > 0,
                }
            }
        }
    }
    let exponent = exponent.saturating_add(sign * power);
    if significand == 0 || exponent < 0 {
        return false;
    }
    // the product is rounded once, of two factors that are rounded themselves
    let power: f64 = format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    (significand as f64 * power).is_infinite()
}
