//! The string block: every text of a trace once, and (name, category, colour hint) as one small id.
//!
//! Promises: equal texts have equal ids; ids are dense from 0; a text never moves.
//! Does not do: forgetting. Texts live as long as the trace.
//! Costs: a look-up is one hash and about one comparison; 12 bytes a text and its bytes, 12 a name.

/// A text of the trace. Valid only in the [`Names`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(u32);

/// What a slice is called: its name, category and colour hint. Valid only in the [`Names`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(u32);

impl StrId {
    /// The empty text, which also stands for one that is missing.
    pub const EMPTY: StrId = StrId(0);

    /// The bare number, dense from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NameId {
    /// Ids stay below this, so that a row has four bits of the word for flags of its own.
    pub const LIMIT: u32 = 1 << 28;

    /// The bare number, dense from 0: an index for tables by name.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this number; the caller got it from [`index`](Self::index).
    pub fn from_index(index: u32) -> Self {
        NameId(index)
    }
}

/// A name's three texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameEntry {
    /// The name as in the file; empty when it is missing.
    pub name: StrId,
    /// The category; empty when it is missing.
    pub category: StrId,
    /// A colour the file asks for by name; empty when it asks for none.
    pub hint: StrId,
}

/// All texts and names of a trace.
#[derive(Debug)]
pub struct Names {
    blocks: Vec<String>,
    spans: Vec<Span>,
    texts: IdTable,
    entries: Vec<NameEntry>,
    names: IdTable,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    block: u32,
    start: u32,
    len: u32,
}

/// Size of a block: a text never straddles two, and a block never grows past it, so nothing is copied.
const BLOCK: usize = 1 << 18;

impl Default for Names {
    fn default() -> Self {
        let mut names = Names {
            blocks: Vec::new(),
            spans: Vec::new(),
            texts: IdTable::default(),
            entries: Vec::new(),
            names: IdTable::default(),
        };
        names.intern("");
        names
    }
}

impl Names {
    /// The id of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> StrId {
        let hash = hash_bytes(text.as_bytes(), 0);
        if let Some(id) = self.texts.find(hash, |id| self.text(StrId(id)) == text) {
            return StrId(id);
        }
        let id = u32::try_from(self.spans.len()).expect("fewer than 2^32 texts");
        let span = self.store(text);
        self.spans.push(span);
        self.texts.insert(hash, id);
        StrId(id)
    }

    /// The id of a name with its category and colour hint, new or known.
    pub fn name(&mut self, name: StrId, category: StrId, hint: StrId) -> NameId {
        let entry = NameEntry { name, category, hint };
        let hash = mix(mix(mix(0, u64::from(name.0)), u64::from(category.0)), u64::from(hint.0));
        if let Some(id) = self.names.find(hash, |id| self.entries[id as usize] == entry) {
            return NameId(id);
        }
        let id = u32::try_from(self.entries.len()).expect("fewer than 2^32 names");
        assert!(id < NameId::LIMIT, "a trace has at most 2^28 different names");
        self.entries.push(entry);
        self.names.insert(hash, id);
        NameId(id)
    }

    /// The text behind `id`.
    pub fn text(&self, id: StrId) -> &str {
        let span = self.spans[id.0 as usize];
        &self.blocks[span.block as usize][span.start as usize..(span.start + span.len) as usize]
    }

    /// Name, category and colour hint behind `id`.
    pub fn entry(&self, id: NameId) -> NameEntry {
        self.entries[id.index()]
    }

    /// The name to show: the text, or "(unnamed)" where the file gave none.
    pub fn shown(&self, id: NameId) -> &str {
        match self.text(self.entry(id).name) {
            "" => "(unnamed)",
            name => name,
        }
    }

    /// The category behind `id`; empty when the file gave none.
    pub fn category(&self, id: NameId) -> &str {
        self.text(self.entry(id).category)
    }

    /// How many names there are; their indices are `0..len`.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True before the first name.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn store(&mut self, text: &str) -> Span {
        let fits = |block: &String| block.capacity() - block.len() >= text.len();
        if !self.blocks.last().is_some_and(fits) {
            self.blocks.push(String::with_capacity(text.len().max(self.next_block_size())));
        }
        let block = self.blocks.len() - 1;
        let start = self.blocks[block].len();
        self.blocks[block].push_str(text);
        let as_u32 = |n: usize| u32::try_from(n).expect("a text is shorter than 4 GiB");
        Span { block: as_u32(block), start: as_u32(start), len: as_u32(text.len()) }
    }

    /// A small first block, so that a small trace stays small.
    fn next_block_size(&self) -> usize {
        if self.blocks.is_empty() { 4096 } else { BLOCK }
    }
}

/// Open addressing from hash to id; the values live with their owner, who compares them.
#[derive(Clone, Debug, Default)]
pub struct IdTable {
    slots: Vec<(u32, u32)>,
    len: usize,
}

/// The id of a free slot.
const FREE: u32 = u32::MAX;

impl IdTable {
    /// The first id under `hash` that `is_same` accepts. O(1) expected.
    pub fn find(&self, hash: u64, mut is_same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (short, mask) = (short_hash(hash), self.slots.len() - 1);
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (_, FREE) => return None,
                (stored, id) if stored == short && is_same(id) => return Some(id),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds `id` under `hash`; the caller has looked that it is not there.
    pub fn insert(&mut self, hash: u64, id: u32) {
        // half full at most: probes stay short, and a lookup that fails ends soon
        if (self.len + 1) * 2 > self.slots.len() {
            self.grow();
        }
        self.place(hash as usize & (self.slots.len() - 1), short_hash(hash), id);
        self.len += 1;
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![(0, FREE); size]);
        for (short, id) in old.into_iter().filter(|slot| slot.1 != FREE) {
            self.place(short as usize & (size - 1), short, id);
        }
    }

    fn place(&mut self, start: usize, short: u32, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = start;
        while self.slots[at].1 != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = (short, id);
    }
}

/// The low half: it chooses the slot too, so that a table can grow without asking for the values.
fn short_hash(hash: u64) -> u32 {
    hash as u32
}

/// One step of the hash: a multiplication, its high half folded onto the low one, which chooses the slot.
///
/// 64 bits all through: wasm has no wider product, and a call for it cost more than the rest of an event.
#[inline]
pub fn mix(state: u64, word: u64) -> u64 {
    let product = (state.rotate_left(26) ^ word ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    product ^ product >> 32
}

/// A hash of `bytes`, eight at a time; `seed` chains several texts into one key.
pub fn hash_bytes(bytes: &[u8], seed: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut state = mix(seed, bytes.len() as u64);
    for word in words {
        state = mix(state, u64::from_le_bytes(*word));
    }
    if rest.is_empty() {
        return state;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(state, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_id_and_keep_it_while_the_table_grows() {
        let mut names = Names::default();
        let ids: Vec<_> = (0..10_000).map(|n| names.intern(&format!("text {n}"))).collect();
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(names.intern(&format!("text {n}")), *id);
            assert_eq!(names.text(*id), format!("text {n}"));
        }
        assert_eq!(names.intern(""), StrId::EMPTY);
    }

    #[test]
    fn a_text_longer_than_a_block_is_kept_whole() {
        let mut names = Names::default();
        let long = "x".repeat(3 * BLOCK);
        let id = names.intern(&long);
        assert_eq!(names.text(id), long);
        let next = names.intern("short");
        assert_eq!(names.text(next), "short");
    }

    #[test]
    fn a_name_differs_by_category_and_hint() {
        let mut names = Names::default();
        let [a, b] = ["a", "b"].map(|text| names.intern(text));
        let plain = names.name(a, StrId::EMPTY, StrId::EMPTY);
        assert_ne!(plain, names.name(a, b, StrId::EMPTY));
        assert_ne!(plain, names.name(a, StrId::EMPTY, b));
        assert_eq!(plain, names.name(a, StrId::EMPTY, StrId::EMPTY));
        let unnamed = names.name(StrId::EMPTY, StrId::EMPTY, StrId::EMPTY);
        assert_eq!(names.shown(unnamed), "(unnamed)");
    }
}
