//! From the bytes of a name to its id, without decoding what has been seen.
//!
//! Promises: the same id as decoding and interning give. Costs: one hash and one comparison for a known name
//! whose bytes are its text; strings with escapes are decoded each time.

use crate::json;
use crate::names::{IdTable, NameId, Names, StrId, hash_bytes};

/// Names by the bytes of their name and category.
#[derive(Debug, Default)]
pub struct NamesCache {
    known: IdTable,
}

impl NamesCache {
    /// The name with these bytes and this category's; both are their own text.
    #[inline]
    pub fn name(&mut self, names: &mut Names, name: &[u8], category: &[u8]) -> NameId {
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
