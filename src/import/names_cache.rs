//! From the bytes of a name to its id, without decoding what has been seen.
//!
//! Promises: the same id as decoding and interning give. Costs: six words compared for a name seen lately, one hash
//! and one comparison for a known one; strings with escapes are decoded each time.

use crate::json;
use crate::names::{IdTable, NameId, Names, StrId, hash_bytes, mix};

/// Names by the bytes of their name and category.
#[derive(Debug)]
pub struct NamesCache {
    known: IdTable,
    /// The names seen last, by their bytes alone; one for each hash.
    recent: Vec<Recent>,
}

/// Words of a name and its category that are compared without looking at the string block.
const WORDS: usize = 6;
/// Names remembered so; a run has fewer that matter.
const RECENT: usize = 512;

/// A short name, its category behind it, filled up with zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key {
    words: [u64; WORDS],
    name_len: u8,
    category_len: u8,
}

#[derive(Clone, Copy, Debug)]
struct Recent {
    key: Key,
    id: Option<NameId>,
}

impl Default for NamesCache {
    fn default() -> Self {
        let recent = vec![Recent { key: Key::default(), id: None }; RECENT];
        NamesCache { known: IdTable::default(), recent }
    }
}

impl Key {
    #[inline]
    fn of(name: &[u8], category: &[u8]) -> Option<Key> {
        let len = name.len() + category.len();
        let mut bytes = [0; WORDS * 8];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        bytes.get_mut(name.len()..len)?.copy_from_slice(category);
        let (chunks, _) = bytes.as_chunks::<8>();
        let mut words = [0; WORDS];
        words.iter_mut().zip(chunks).for_each(|(word, chunk)| *word = u64::from_le_bytes(*chunk));
        // both lengths are 48 at most
        Some(Key { words, name_len: name.len() as u8, category_len: category.len() as u8 })
    }

    #[inline]
    fn slot(&self) -> usize {
        let lens = u64::from(self.name_len) << 8 | u64::from(self.category_len);
        let [a, b, c, d, e, f] = self.words;
        (mix(mix(a ^ d, b ^ e.rotate_left(32)), c ^ f ^ lens) as usize) % RECENT
    }
}

impl NamesCache {
    /// The name with these bytes and this category's; both are their own text.
    #[inline]
    pub fn name(&mut self, names: &mut Names, name: &[u8], category: &[u8]) -> NameId {
        let Some(key) = Key::of(name, category) else { return self.look_up(names, name, category) };
        let slot = key.slot();
        match self.recent[slot] {
            Recent { key: known, id: Some(id) } if known == key => id,
            _ => {
                let id = self.look_up(names, name, category);
                self.recent[slot] = Recent { key, id: Some(id) };
                id
            }
        }
    }

    fn look_up(&mut self, names: &mut Names, name: &[u8], category: &[u8]) -> NameId {
        let hash = hash_bytes(category, hash_bytes(name, 0));
        let found = self.known.find(hash, |id| {
            let entry = names.entry(NameId::from_index(id));
            names.text(entry.name).as_bytes() == name && names.text(entry.category).as_bytes() == category
        });
        match found {
            Some(id) => NameId::from_index(id),
            None => self.add(names, name, category, hash),
        }
    }

    #[cold]
    fn add(&mut self, names: &mut Names, name: &[u8], category: &[u8], hash: u64) -> NameId {
        let [name, category] = [name, category].map(|bytes| names.intern(&String::from_utf8_lossy(bytes)));
        let id = names.name(name, category, StrId::EMPTY);
        self.known.insert(hash, id.index() as u32);
        id
    }

    /// The text of a JSON string's bytes; `is_plain` when they are it.
    pub fn text(&mut self, names: &mut Names, bytes: &[u8], is_plain: bool) -> StrId {
        match str::from_utf8(bytes) {
            Ok(text) if is_plain => names.intern(text),
            _ => names.intern(&json::decode_string(bytes).0),
        }
    }
}
