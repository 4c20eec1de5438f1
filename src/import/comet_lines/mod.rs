//! The counters' events of a Comet trace in the order of the file, by the rules of Comet's own `analyze_trace`.
//!
//! ```text
//! [ { "name": "executePlan", "cat": "PERF", "ph": "B", … },          only searched for "C"
//! { "name": "jemalloc_allocated", "cat": "PERF", "ph": "C", … },     read, strictly
//! ```
//!
//! The importer forgives and sorts by time; a report that is to be that tool's must not, so it reads lines of its own:
//! what that tool takes is given on, what it drops without a word is counted in [`Skipped`].
//!
//! Promises: the same events and counts wherever the bytes are cut; plain or gzip.
//! Keeps: one line, as long as it is not whole, and of it at most [`MAX_LINE`] bytes.
//! Costs: a search through every byte; only lines with a counter's mark are read, those that are as Comet writes them
//! by a short cut.

mod event;
mod find;
#[cfg(test)]
mod random_tests;
mod skipped;
mod strict;
#[cfg(test)]
mod tests;
mod usual;

pub use event::{CounterEvent, CounterValue};
pub use skipped::{SkipReason, Skipped};

use super::unpack::Unpack;
use find::Marker;

/// Bytes that a line may have. A counter's line has some 200; one that is longer than this is counted and dropped.
pub const MAX_LINE: usize = 1 << 20;
/// Bytes taken at once: fewer than a line may have, so that each longer line is met in pieces.
const PIECE: usize = 256 << 10;

/// Reads a Comet trace that comes in pieces.
#[derive(Debug, Default)]
pub struct CometLines {
    unpack: Unpack,
    lines: Lines,
}

/// The state between two pieces of text.
#[derive(Debug, Default)]
struct Lines {
    /// The beginning of the line that is not whole yet.
    carry: Vec<u8>,
    /// The rest of this line is dropped: it is too long.
    is_dropping: bool,
    skipped: Skipped,
}

impl CometLines {
    /// Takes the next bytes; `take` gets the events.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(&CounterEvent<'_>)) {
        let CometLines { unpack, lines } = self;
        unpack.feed(bytes, |text| lines.feed(text, &mut take));
    }

    /// Takes the end of the input, which ends the last line.
    pub fn finish(&mut self, mut take: impl FnMut(&CounterEvent<'_>)) {
        let CometLines { unpack, lines } = self;
        if unpack.finish(|text| lines.feed(text, &mut take)).is_some() {
            lines.skipped.add(SkipReason::BadGzip);
        }
        lines.end_line(&mut take);
    }

    /// What was skipped so far.
    pub fn skipped(&self) -> &Skipped {
        &self.lines.skipped
    }
}

impl Lines {
    fn feed(&mut self, text: &[u8], take: &mut impl FnMut(&CounterEvent<'_>)) {
        text.chunks(PIECE).for_each(|piece| self.feed_piece(piece, take));
    }

    fn feed_piece(&mut self, mut piece: &[u8], take: &mut impl FnMut(&CounterEvent<'_>)) {
        if self.is_dropping || !self.carry.is_empty() {
            let end = find::find_line_feed(piece);
            self.keep(&piece[..end.unwrap_or(piece.len())]);
            let Some(end) = end else { return };
            self.end_line(take);
            piece = &piece[end + 1..];
        }
        let whole = piece.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        self.whole_lines(&piece[..whole], take);
        self.keep(&piece[whole..]);
    }

    /// Keeps a part of a line, unless the line is too long to be of use.
    fn keep(&mut self, part: &[u8]) {
        if self.is_dropping {
            return;
        }
        let len = self.carry.len() + part.len();
        if len > MAX_LINE {
            self.carry = Vec::new();
            self.is_dropping = true;
            self.skipped.add(SkipReason::LongLine);
            return;
        }
        if len > self.carry.capacity() {
            self.carry.reserve_exact((len * 2).min(MAX_LINE) - self.carry.len());
        }
        self.carry.extend_from_slice(part);
    }

    fn end_line(&mut self, take: &mut impl FnMut(&CounterEvent<'_>)) {
        self.is_dropping = false;
        let mut line = std::mem::take(&mut self.carry);
        self.whole_lines(&line, take);
        if line.capacity() <= PIECE {
            line.clear();
            self.carry = line;
        }
    }

    /// Reads lines that are whole.
    fn whole_lines(&mut self, text: &[u8], take: &mut impl FnMut(&CounterEvent<'_>)) {
        // nearly all text is ASCII, and then it is UTF-8
        if text.is_ascii() {
            return self.lines_of_text(text, take);
        }
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match str::from_utf8(line) {
                Ok(_) => self.lines_of_text(line, take),
                Err(_) => self.skipped.add(SkipReason::BadUtf8),
            }
        }
    }

    /// Reads lines that are UTF-8.
    fn lines_of_text(&mut self, text: &[u8], take: &mut impl FnMut(&CounterEvent<'_>)) {
        let is_usual = |(_, take): &mut (&mut Lines, _), text: &[u8]| {
            let (event, len) = usual::usual_line(text)?;
            give(take, &event);
            Some(len)
        };
        find::for_each_marked(text, &mut (self, take), is_usual, |(lines, take), line, marker| {
            lines.marked_line(line, marker, take);
        });
    }

    /// Reads a line that has the mark of a counter's event.
    fn marked_line(&mut self, line: &[u8], marker: Marker, take: &mut impl FnMut(&CounterEvent<'_>)) {
        if marker == Marker::OtherSpacing {
            self.skipped.add(SkipReason::PhSpacing);
            return;
        }
        let Ok(line) = str::from_utf8(line) else { return };
        match event::counter_event(bare(line)) {
            Ok(event) => {
                if event.value == Some(CounterValue::Other) {
                    self.skipped.add(SkipReason::BadValue);
                }
                take(&event);
            }
            Err(refused) => {
                if let Some(reason) = SkipReason::of(refused) {
                    self.skipped.add(reason);
                }
            }
        }
    }
}

fn give(take: &mut &mut impl FnMut(&CounterEvent<'_>), event: &CounterEvent<'_>) {
    take(event);
}

/// The line without what Comet writes around an event; a bracket behind it stays, and spoils it.
fn bare(line: &str) -> &str {
    line.trim().trim_start_matches("[ ").trim_start_matches('[').trim_end_matches(',')
}
