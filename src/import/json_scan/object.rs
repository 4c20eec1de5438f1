//! Reads one object after another, and is fast where they are written alike.
//!
//! Producers write the same keys in the same order with the same blanks. So what stands between two values is
//! compared with what stood there last time, 16 bytes at once; only where it differs is it read.

use std::marker::PhantomData;

use super::{
    Fields, Found, Keys, Kind, Notes, Stop, Value, digits, plain_end, scan_string, scan_value, skip_blank,
    skip_commas,
};

/// Reads objects one after another, and remembers how the last ones were written.
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
    len: u8,
    slot: u8,
}

/// The slot of a key that nobody asks for.
const NO_SLOT: usize = u8::MAX as usize;

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
        let (mut at, mut step) = (1, 0);
        loop {
            let slot = match self.recall(text, at, step) {
                Some((len, slot)) => {
                    // more blanks than last time may follow
                    at = skip_blank(text, at + len);
                    slot
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
            let (value, next) = match plain_value(text, at) {
                Some(found) => found,
                None => scan_value(text, at, notes)?,
            };
            if slot < N {
                self.fields.set(slot, value);
            }
            (at, step) = (next, step + 1);
        }
    }

    /// What was between two values here last time, if it stands here again: its length, and the slot it is for.
    #[inline]
    fn recall(&self, text: &[u8], at: usize, step: usize) -> Option<(usize, usize)> {
        let between = self.between.get(step)?;
        let here = u128::from_le_bytes(*text.get(at..)?.first_chunk()?);
        let is_same = between.len > 0 && here & between.mask == between.bytes;
        is_same.then_some((usize::from(between.len), usize::from(between.slot)))
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
        let slot = K::slot(key.bytes(text)).unwrap_or(NO_SLOT);
        match text.get(at) {
            None => return Err(Stop::Cut),
            Some(b'[' | b'{') if slot == K::CONTAINER => return Ok(Key::Container(at)),
            Some(_) => {}
        }
        let len = at - start;
        if step < REMEMBERED && len <= 16 && *notes == noted && slot != K::CONTAINER {
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&text[start..at]);
            let mask = u128::MAX >> (128 - len * 8);
            // both are below 256: a length of 16 at most, a slot below 32 or none
            let (len, slot) = (len as u8, slot as u8);
            self.between[step] = Between { bytes: u128::from_le_bytes(bytes), mask, len, slot };
        }
        Ok(Key::Value(at, slot))
    }
}

/// A string without escapes or an integer without sign, which nearly all values are, and the place after it.
#[inline(always)]
fn plain_value(text: &[u8], at: usize) -> Option<(Value, usize)> {
    match *text.get(at)? {
        b'"' => {
            let end = plain_end(text, at + 1);
            let is_closed = text.get(end) == Some(&b'"');
            is_closed.then(|| (Value::new(at + 1, end, Kind::String, true), end + 1))
        }
        b'0'..=b'9' => digits(text, at).map(|value| (value, value.end as usize)),
        _ => None,
    }
}

/// What came where a key may stand.
enum Key {
    /// The end of the object; the place after it.
    End(usize),
    /// A container's key; the place of the bracket or brace behind it.
    Container(usize),
    /// The place of a value and the slot it is for, or `NO_SLOT`.
    Value(usize, usize),
}
