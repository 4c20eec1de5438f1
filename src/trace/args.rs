//! Where the arguments of slices and instants stand, or their text where the input can't be read again.
//!
//! Promises: no text on the heap for input that can be read again: 12 bytes for each set of arguments.
//! Does not do: reading the file; whoever holds it reads the span and hands the text to
//! [`json::merged_members`](crate::json::merged_members).

use std::num::NonZeroU32;
use std::sync::Mutex;

use super::column::Column;

/// A set of arguments. Valid only in the trace that made it.
///
/// One more than its place, so that "no arguments" costs no room where ids are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgsId(NonZeroU32);

impl ArgsId {
    fn at(place: usize) -> Self {
        let number = u32::try_from(place + 1).ok().and_then(NonZeroU32::new);
        ArgsId(number.expect("fewer than 2^32 - 1 sets of arguments"))
    }

    fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A stretch of the decoded input, or of the text kept in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub offset: u64,
    /// Length in bytes.
    pub len: u32,
}

/// The arguments' places, and their texts where those are kept.
#[derive(Debug, Default)]
pub struct Args {
    offset: Column<u64>,
    len: Column<u32>,
    kept: KeptText,
    is_keeping: bool,
}

/// Another part of the same set follows under the next id.
const HAS_MORE: u32 = 1 << 31;
/// The part came with the end of a slice.
const FROM_END: u32 = 1 << 30;
/// Where texts that are kept here stand: far above any place in an input.
const KEPT: u64 = 1 << 62;
/// Longest text of one part; more than that is cut there and can't be shown whole.
const MAX_LEN: u32 = FROM_END - 1;

impl Args {
    /// The parts of a set, in order: that of the beginning, then that of the end.
    pub fn parts(&self, id: ArgsId) -> impl Iterator<Item = Span> + '_ {
        let mut next = Some(id.place());
        std::iter::from_fn(move || {
            let at = next?;
            next = (self.len.get(at) & HAS_MORE != 0).then_some(at + 1);
            Some(self.span(at))
        })
    }

    /// The text of `span` where it is kept; `None` where the input has it. O(size of a block), O(size of the text)
    /// when the block was among the last ones read.
    pub fn kept_text(&self, span: Span) -> Option<Vec<u8>> {
        let offset = span.offset.checked_sub(KEPT)?;
        Some(self.kept.read(Span { offset, ..span }))
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.offset.heap_bytes() + self.len.heap_bytes() + self.kept.heap_bytes()
    }

    fn span(&self, at: usize) -> Span {
        Span { offset: self.offset.get(at), len: self.len.get(at) & MAX_LEN }
    }
}

/// Writing: for the builder only.
impl Args {
    /// Keeps the texts that follow, or their places only.
    pub(super) fn keep_text(&mut self, keep: bool) {
        self.is_keeping = keep;
    }

    /// Adds a set of one part that stands at `offset` of the input.
    pub(super) fn add(&mut self, offset: u64, text: &[u8], from_end: bool) -> ArgsId {
        let len = u32::try_from(text.len()).unwrap_or(MAX_LEN).min(MAX_LEN);
        let offset = if self.is_keeping { KEPT + self.kept.append(&text[..len as usize]) } else { offset };
        self.push(offset, len | if from_end { FROM_END } else { 0 })
    }

    /// The set of `begin` with the part of `end` behind it.
    pub(super) fn join(&mut self, begin: ArgsId, end: ArgsId) -> ArgsId {
        let [first, second] = [begin, end].map(|id| (self.span(id.place()), id.place()));
        let joined = self.push(first.0.offset, first.0.len | HAS_MORE);
        self.push(second.0.offset, self.len.get(second.1));
        joined
    }

    /// The parts of a joined set apart again: that of the beginning, that of the end.
    pub(super) fn split(&mut self, id: ArgsId) -> (Option<ArgsId>, Option<ArgsId>) {
        let len = self.len.get(id.place());
        if len & HAS_MORE != 0 {
            let alone = self.push(self.offset.get(id.place()), len & !HAS_MORE);
            return (Some(alone), Some(ArgsId::at(id.place() + 1)));
        }
        if len & FROM_END != 0 { (None, Some(id)) } else { (Some(id), None) }
    }

    pub(super) fn finish(&mut self) {
        self.offset.shrink();
        self.len.shrink();
        self.kept.close_block();
    }

    fn push(&mut self, offset: u64, len: u32) -> ArgsId {
        let id = ArgsId::at(self.len.len());
        self.offset.push(offset);
        self.len.push(len);
        id
    }
}

/// Text in compressed blocks, addressed by where it would stand uncompressed.
#[derive(Debug, Default)]
struct KeptText {
    blocks: Vec<(u64, Vec<u8>)>,
    /// Blocks read last, decompressed, the newest last.
    recent: Mutex<Vec<(usize, Vec<u8>)>>,
    open: Vec<u8>,
    open_start: u64,
}

/// Text per compressed block: 64 KiB compresses args by 4 to 8 and reads back in a tenth of a millisecond.
const BLOCK: usize = 1 << 16;
/// Blocks kept decompressed: a table by time reads from as many places as there are busy threads.
const RECENT: usize = 64;

impl KeptText {
    fn append(&mut self, text: &[u8]) -> u64 {
        if self.open.len() >= BLOCK {
            self.close_block();
        }
        let offset = self.open_start + self.open.len() as u64;
        self.open.extend_from_slice(text);
        offset
    }

    fn close_block(&mut self) {
        if self.open.is_empty() {
            return;
        }
        self.blocks.push((self.open_start, lz4_flex::compress_prepend_size(&self.open)));
        self.open_start += self.open.len() as u64;
        self.open.clear();
    }

    /// A text never straddles two blocks, since a block is closed only between texts.
    fn read(&self, span: Span) -> Vec<u8> {
        let cut = |block: &[u8], start: u64| {
            let from = (span.offset - start) as usize;
            block.get(from..from + span.len as usize).unwrap_or_default().to_vec()
        };
        if span.offset >= self.open_start {
            return cut(&self.open, self.open_start);
        }
        let place = self.blocks.partition_point(|block| block.0 <= span.offset) - 1;
        let (start, block) = &self.blocks[place];
        // a poisoned lock only means that a reader panicked; the blocks are whole all the same
        let mut recent = self.recent.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let text = match recent.iter().position(|entry| entry.0 == place) {
            Some(at) => recent.remove(at).1,
            None => lz4_flex::decompress_size_prepended(block).expect("the block was compressed here"),
        };
        let found = cut(&text, *start);
        if recent.len() == RECENT {
            recent.remove(0);
        }
        recent.push((place, text));
        found
    }

    fn heap_bytes(&self) -> usize {
        self.open.capacity() + self.blocks.iter().map(|block| block.1.capacity()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(args: &Args, id: ArgsId) -> Vec<Vec<u8>> {
        args.parts(id).map(|span| args.kept_text(span).unwrap()).collect()
    }

    fn keeping() -> Args {
        let mut args = Args::default();
        args.keep_text(true);
        args
    }

    #[test]
    fn texts_are_kept_from_when_it_is_said_until_it_is_taken_back() {
        let mut args = Args::default();
        let before = args.add(70, b"{}", false);
        args.keep_text(true);
        let kept = args.add(80, b"{\"a\":1}", false);
        args.keep_text(false);
        let after = args.add(90, b"{}", false);
        let spans: Vec<_> = [before, after].iter().flat_map(|&id| args.parts(id)).collect();
        assert_eq!(spans, [Span { offset: 70, len: 2 }, Span { offset: 90, len: 2 }]);
        assert!(spans.iter().all(|&span| args.kept_text(span).is_none()));
        assert_eq!(texts(&args, kept), [b"{\"a\":1}".to_vec()]);
    }

    #[test]
    fn kept_texts_come_back_from_closed_and_open_blocks() {
        let mut args = keeping();
        let text =
            |n: usize| format!("{{\"rows\":{n},\"file\":\"part-00000-of-00200.parquet\"}}").into_bytes();
        let ids: Vec<_> = (0..20_000).map(|n| args.add(0, &text(n), false)).collect();
        for (n, id) in ids.iter().enumerate().step_by(97) {
            assert_eq!(texts(&args, *id), [text(n)]);
        }
        let raw: usize = (0..20_000).map(|n| text(n).len()).sum();
        assert!(args.kept.heap_bytes() < raw / 2);
    }

    #[test]
    fn a_joined_set_has_both_parts_and_comes_apart_again() {
        let mut args = keeping();
        let begin = args.add(0, b"{\"a\":1}", false);
        let end = args.add(0, b"{\"b\":2}", true);
        let both = args.join(begin, end);
        assert_eq!(texts(&args, both), [b"{\"a\":1}".to_vec(), b"{\"b\":2}".to_vec()]);
        let (first, second) = args.split(both);
        assert_eq!(texts(&args, first.unwrap()), [b"{\"a\":1}".to_vec()]);
        assert_eq!(texts(&args, second.unwrap()), [b"{\"b\":2}".to_vec()]);
        assert_eq!(args.split(end), (None, Some(end)));
    }
}
