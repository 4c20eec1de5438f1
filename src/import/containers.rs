//! Finds events in bytes that come in pieces cut anywhere.
//!
//! ```text
//! [ {…}, {…} ]     [ {…}, {…},     {…}\n{…}     {"x":…, "traceEvents": [ {…} ], "y":…}     [ … ][ … ]
//! ```
//!
//! Promises: the same events, places and notes wherever the bytes are cut; one bad event costs only itself.
//! Knows nothing of: what an event means. Keeps: the bytes of the one event that is not whole yet.
//! Costs: the scanner's; an event that arrives in many pieces is read again each time it has doubled.

use super::json_scan::{
    Fields, Found, Keys, Kind, Notes, Scanner, Stop, scan_string, scan_value, skip_blank,
};
use super::report::{ProblemKind, TEXT_LEN};

/// Takes what is found.
pub trait Sink<const N: usize> {
    /// An object whose text is `text` and whose first byte is `offset`.
    fn event(&mut self, text: &[u8], offset: u64, fields: &Fields<N>, notes: &Notes);
    /// Something between events that is none; a problem goes with it.
    fn item(&mut self);
    /// A bracket where an event would begin, or that of the first container.
    fn session(&mut self, offset: u64, text: &[u8]);
    /// Something that is no event, or had to be forgiven between events.
    fn problem(&mut self, kind: ProblemKind, offset: u64, text: &[u8]);
}

/// The state between two pieces.
#[derive(Debug)]
pub struct Containers<K, const N: usize> {
    scanner: Scanner<K, N>,
    levels: Vec<Level>,
    /// Bytes from where the next step begins, while it needs more than has come.
    carry: Vec<u8>,
    /// Place of the input's first byte.
    start: u64,
    /// Place of the first byte that is not consumed.
    offset: u64,
    /// Length from which another try with the carried bytes is worth it.
    retry_at: usize,
    /// A comma stands between the last event and here.
    comma_seen: bool,
    /// An event or another item came before in this array.
    item_seen: bool,
    found_container: bool,
    truncated: Option<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Between the items of an array.
    Array,
    /// Between the members of an object that is no event.
    Members,
    /// Inside a member's value that nobody asks for.
    Skipped { depth: u32, in_string: bool, after_backslash: bool },
    /// Looking for the next event after something that is none; the last byte seen that is no blank.
    Lost { previous: u8 },
}

/// An object outside of any array that is longer than this without its container's key is read member by member.
/// Until then its bytes are kept, since it may be an event of its own.
const MAX_LONE_EVENT: usize = 16 << 20;

/// What a step did with the text that it was given.
enum Step {
    /// It is done with so many bytes.
    Used(usize),
    /// It needs more of them.
    More,
}

impl<K: Keys<N>, const N: usize> Default for Containers<K, N> {
    fn default() -> Self {
        Containers {
            scanner: Scanner::default(),
            levels: Vec::new(),
            carry: Vec::new(),
            start: 0,
            offset: 0,
            retry_at: 0,
            comma_seen: false,
            item_seen: false,
            found_container: false,
            truncated: None,
        }
    }
}

impl<K: Keys<N>, const N: usize> Containers<K, N> {
    /// At the start of an input whose first byte has this place.
    pub fn starting_at(offset: u64) -> Self {
        Containers { start: offset, offset, ..Containers::default() }
    }

    /// True once an array or a container object has begun.
    pub fn found_container(&self) -> bool {
        self.found_container
    }

    /// Where the input was cut inside an event, and how many bytes were lost; known after [`finish`](Self::finish).
    pub fn truncated(&self) -> Option<(u64, u64)> {
        self.truncated
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl Sink<N>) {
        while !self.carry.is_empty() && !bytes.is_empty() {
            // enough for an ordinary event at once, so that the rest is read where it lies
            let wanted = self.retry_at.saturating_sub(self.carry.len()).max(4096).min(bytes.len());
            let carried = self.carry.len();
            self.carry.extend_from_slice(&bytes[..wanted]);
            if self.carry.len() < self.retry_at {
                return;
            }
            let carry = std::mem::take(&mut self.carry);
            let used = self.run(&carry, false, sink);
            if used >= carried {
                bytes = &bytes[used - carried..];
                self.retry_at = 0;
            } else {
                bytes = &bytes[wanted..];
                self.keep(carry, used);
            }
        }
        if !bytes.is_empty() {
            let used = self.run(bytes, false, sink);
            self.keep(bytes[used..].to_vec(), 0);
        }
    }

    /// Takes the end of the input.
    pub fn finish(&mut self, sink: &mut impl Sink<N>) {
        let carry = std::mem::take(&mut self.carry);
        let used = self.run(&carry, true, sink);
        let in_value = matches!(self.levels.last(), Some(Level::Skipped { .. }));
        let rest = &carry[used..];
        let blank = skip_blank(rest, 0);
        let (rest, offset) = (&rest[blank..], self.offset + blank as u64);
        if !rest.is_empty() || in_value {
            self.truncated = Some((offset, rest.len() as u64));
            sink.problem(ProblemKind::TruncatedFile, offset, rest);
        }
    }

    fn keep(&mut self, mut bytes: Vec<u8>, used: usize) {
        bytes.drain(..used);
        self.retry_at = bytes.len() * 2;
        self.carry = bytes;
    }

    /// Does all steps that `data` is long enough for; gives how much of it is done with.
    fn run(&mut self, data: &[u8], is_last: bool, sink: &mut impl Sink<N>) -> usize {
        let mut at = 0;
        let base = self.offset;
        while at < data.len() {
            if !matches!(self.levels.last(), Some(Level::Skipped { .. })) {
                at = skip_blank(data, at);
            }
            self.offset = base + at as u64;
            let text = &data[at..];
            let Some(&first) = text.first() else { break };
            let step = match self.levels.last() {
                None | Some(Level::Array) => self.item(text, first, is_last, sink),
                Some(Level::Members) => self.member(text, first, sink),
                Some(Level::Skipped { .. }) => self.skip_value(text),
                Some(Level::Lost { .. }) => self.find_event(text, is_last),
            };
            match step {
                Step::Used(len) => at += len,
                Step::More => break,
            }
        }
        self.offset = base + at as u64;
        at
    }

    /// One step between events; `first` is the first byte of `text`.
    #[inline]
    fn item(&mut self, text: &[u8], first: u8, is_last: bool, sink: &mut impl Sink<N>) -> Step {
        let in_array = !self.levels.is_empty();
        // what is shown of the text must be the same however the bytes are cut
        let shows_all = text.len() >= TEXT_LEN || is_last;
        match first {
            b'{' => return self.object(text, is_last, sink),
            b',' => {
                if in_array && (self.comma_seen || !self.item_seen) {
                    if !shows_all {
                        return Step::More;
                    }
                    sink.problem(ProblemKind::Comma, self.offset, shown(text));
                }
                self.comma_seen = true;
            }
            b'[' if !shows_all => return Step::More,
            b'[' => {
                sink.session(self.offset, shown(text));
                if !in_array {
                    self.levels.push(Level::Array);
                }
                self.begin_array();
            }
            b']' => {
                self.levels.pop();
                (self.comma_seen, self.item_seen) = (false, true);
            }
            0xEF if self.offset == self.start => match text.get(..3) {
                Some([0xEF, 0xBB, 0xBF]) => return Step::Used(3),
                None if !is_last => return Step::More,
                _ => return self.no_event(text, 0, is_last, sink),
            },
            _ => {
                return match scan_value(text, 0, &mut Notes::default()) {
                    // a word at the very end may go on in the next piece
                    Err(Stop::Cut) => Step::More,
                    Err(Stop::Wrong(_)) => self.no_event(text, 0, is_last, sink),
                    Ok(_) if !shows_all => Step::More,
                    Ok((_, len)) => {
                        self.other_item(text, sink);
                        self.comma_seen = false;
                        Step::Used(len)
                    }
                };
            }
        }
        Step::Used(1)
    }

    /// Enters the container whose bracket or brace is at `place`.
    fn enter(&mut self, text: &[u8], place: usize, sink: &mut impl Sink<N>) -> Step {
        if !self.found_container {
            sink.session(self.offset, shown(&text[..=place]));
        }
        self.levels.push(if text[place] == b'[' { Level::Array } else { Level::Members });
        self.begin_array();
        Step::Used(place + 1)
    }

    fn begin_array(&mut self) {
        self.found_container = true;
        (self.comma_seen, self.item_seen) = (false, false);
    }

    /// Reads the object at the start of `text`.
    #[inline]
    fn object(&mut self, text: &[u8], is_last: bool, sink: &mut impl Sink<N>) -> Step {
        let in_array = !self.levels.is_empty();
        let limit = if in_array { text.len() } else { text.len().min(MAX_LONE_EVENT) };
        let mut notes = Notes::default();
        match self.scanner.object(&text[..limit], &mut notes) {
            Ok(Found::End(len)) => {
                if in_array && self.item_seen && !self.comma_seen {
                    notes.commas += 1;
                }
                (self.comma_seen, self.item_seen) = (false, true);
                let fields = self.scanner.fields();
                if fields.get(K::CONTAINER).kind == Kind::Missing {
                    sink.event(&text[..len], self.offset, fields, &notes);
                } else {
                    // `"traceEvents": null` is a container without events, and no event itself
                    self.found_container = true;
                }
                Step::Used(len)
            }
            Ok(Found::Container(place)) => {
                self.levels.push(Level::Members);
                self.enter(text, place, sink)
            }
            Err(Stop::Cut) if limit == MAX_LONE_EVENT && !in_array => {
                self.levels.push(Level::Members);
                Step::Used(1)
            }
            Err(Stop::Cut) => Step::More,
            Err(Stop::Wrong(place)) => self.no_event(text, place, is_last, sink),
        }
    }

    /// Counts something between events that is none.
    fn other_item(&mut self, text: &[u8], sink: &mut impl Sink<N>) {
        sink.item();
        sink.problem(ProblemKind::BadEvent, self.offset, shown(text));
        (self.comma_seen, self.item_seen) = (true, true);
    }

    /// Notes what `text` begins with as no event, and looks for the next from `place` on.
    fn no_event(&mut self, text: &[u8], place: usize, is_last: bool, sink: &mut impl Sink<N>) -> Step {
        if text.len() < TEXT_LEN && !is_last {
            return Step::More;
        }
        self.other_item(text, sink);
        // the first byte of what is no event can't open one
        let place = place.max(1);
        let previous = text[..place].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        self.levels.push(Level::Lost { previous: previous.copied().unwrap_or(b',') });
        Step::Used(place)
    }

    /// Looks for the next brace that may open an event: not a member's value, and a key or the end behind it.
    fn find_event(&mut self, text: &[u8], is_last: bool) -> Step {
        let Some(Level::Lost { previous }) = self.levels.last_mut() else { return Step::More };
        for (at, &byte) in text.iter().enumerate() {
            if byte == b'{' && *previous != b':' {
                match text.get(skip_blank(text, at + 1)) {
                    None if !is_last => return if at > 0 { Step::Used(at) } else { Step::More },
                    Some(b'"' | b'}') => {
                        self.levels.pop();
                        return Step::Used(at);
                    }
                    _ => {}
                }
            }
            if !byte.is_ascii_whitespace() {
                *previous = byte;
            }
        }
        Step::Used(text.len())
    }

    /// One step between the members of an object that is no event; `first` is the first byte of `text`.
    fn member(&mut self, text: &[u8], first: u8, sink: &mut impl Sink<N>) -> Step {
        match first {
            b',' => return Step::Used(1),
            b'}' => {
                self.levels.pop();
                (self.comma_seen, self.item_seen) = (false, true);
                return Step::Used(1);
            }
            b'"' => {}
            _ => {
                // the object is given up; what stands here may be an event of what is around it
                self.levels.pop();
                return Step::Used(0);
            }
        }
        let Ok(key) = scan_string(text, 1, &mut Notes::default()) else { return Step::More };
        let key = key.bytes(text);
        let colon = skip_blank(text, 1 + key.len() + 1);
        match text.get(colon) {
            None => return Step::More,
            Some(b':') => {}
            Some(_) => return Step::Used(colon),
        }
        let value = skip_blank(text, colon + 1);
        match text.get(value) {
            None => Step::More,
            Some(b'[' | b'{') if K::slot(key) == Some(K::CONTAINER) => self.enter(text, value, sink),
            Some(_) => {
                self.levels.push(Level::Skipped { depth: 0, in_string: false, after_backslash: false });
                Step::Used(value)
            }
        }
    }

    /// Passes over a value, or as much of it as has come.
    fn skip_value(&mut self, text: &[u8]) -> Step {
        let Some(Level::Skipped { depth, in_string, after_backslash }) = self.levels.last_mut() else {
            return Step::More;
        };
        for (place, &byte) in text.iter().enumerate() {
            if *in_string {
                match byte {
                    _ if *after_backslash => *after_backslash = false,
                    b'\\' => *after_backslash = true,
                    b'"' => *in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => *in_string = true,
                b'{' | b'[' => *depth += 1,
                b'}' | b']' if *depth > 0 => *depth -= 1,
                // the comma or brace belongs to the object around
                b'}' | b']' | b',' if *depth == 0 => {
                    self.levels.pop();
                    return Step::Used(place + usize::from(byte == b']'));
                }
                _ => {}
            }
        }
        Step::Used(text.len())
    }
}

/// What is shown of `text`.
fn shown(text: &[u8]) -> &[u8] {
    &text[..text.len().min(TEXT_LEN)]
}
