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

/// What a step did.
enum Step {
    /// Went on to this place.
    To(usize),
    /// Needs more bytes from the place where it began.
    More,
}

impl<K: Keys<N>, const N: usize> Default for Containers<K, N> {
    fn default() -> Self {
        Containers {
            scanner: Scanner::default(),
            levels: Vec::new(),
            carry: Vec::new(),
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
            self.offset = base + at as u64;
            let step = match self.levels.last() {
                None | Some(Level::Array) => self.item(data, at, is_last, sink),
                Some(Level::Members) => self.member(data, at, is_last, sink),
                Some(Level::Skipped { .. }) => self.skip_value(data, at),
                Some(Level::Lost { .. }) => self.find_event(data, at, is_last),
            };
            match step {
                Step::To(next) => at = next,
                Step::More => break,
            }
        }
        self.offset = base + at as u64;
        at
    }

    /// One step between events.
    #[inline]
    fn item(&mut self, data: &[u8], at: usize, is_last: bool, sink: &mut impl Sink<N>) -> Step {
        let start = skip_blank(data, at);
        let Some(&byte) = data.get(start) else { return Step::To(start) };
        let offset = self.offset + (start - at) as u64;
        let in_array = !self.levels.is_empty();
        match byte {
            b'{' => self.object(data, start, offset, is_last, sink),
            b',' => {
                if in_array && (self.comma_seen || !self.item_seen) {
                    if data.len() - start < TEXT_LEN && !is_last {
                        return self.more_from(at, start);
                    }
                    sink.problem(ProblemKind::Comma, offset, first_bytes(data, start));
                }
                self.comma_seen = true;
                Step::To(start + 1)
            }
            b'[' => {
                // the text there is shown with it, the same however the bytes are cut
                if data.len() - start < TEXT_LEN && !is_last {
                    return self.more_from(at, start);
                }
                sink.session(offset, first_bytes(data, start));
                if !in_array {
                    self.levels.push(Level::Array);
                }
                self.begin_array();
                Step::To(start + 1)
            }
            b']' => {
                self.levels.pop();
                (self.comma_seen, self.item_seen) = (false, true);
                Step::To(start + 1)
            }
            0xEF if !self.found_container && !self.item_seen && offset == 0 => match data.get(..3) {
                Some([0xEF, 0xBB, 0xBF]) => Step::To(3),
                None if !is_last => Step::More,
                _ => self.no_event(data, at, start, start, offset, is_last, sink),
            },
            _ => match scan_value(&data[start..], 0, &mut Notes::default()) {
                // a word at the very end may go on in the next piece
                Err(Stop::Cut) if !is_last => self.more_from(at, start),
                Ok((_, len)) => self.other_item(data, at, start, start + len, offset, is_last, sink),
                Err(Stop::Cut) => Step::More,
                Err(Stop::Wrong(_)) => self.no_event(data, at, start, start, offset, is_last, sink),
            },
        }
    }

    /// Asks for more bytes, with the blanks before `start` done.
    fn more_from(&mut self, at: usize, start: usize) -> Step {
        if start > at { Step::To(start) } else { Step::More }
    }

    /// Enters the container whose bracket or brace is at `place`.
    fn enter(
        &mut self,
        data: &[u8],
        start: usize,
        place: usize,
        offset: u64,
        sink: &mut impl Sink<N>,
    ) -> Step {
        if !self.found_container {
            sink.session(offset, first_bytes(&data[..=place], start));
        }
        self.levels.push(if data[place] == b'[' { Level::Array } else { Level::Members });
        self.begin_array();
        Step::To(place + 1)
    }

    fn begin_array(&mut self) {
        self.found_container = true;
        (self.comma_seen, self.item_seen) = (false, false);
    }

    /// Reads the object at `start`.
    #[inline]
    fn object(
        &mut self,
        data: &[u8],
        start: usize,
        offset: u64,
        is_last: bool,
        sink: &mut impl Sink<N>,
    ) -> Step {
        let in_array = !self.levels.is_empty();
        let text = if in_array { data } else { &data[..data.len().min(start + MAX_LONE_EVENT)] };
        let mut notes = Notes::default();
        match self.scanner.object(&text[start..], &mut notes) {
            Ok(Found::End(len)) => {
                if in_array && self.item_seen && !self.comma_seen {
                    notes.commas += 1;
                }
                (self.comma_seen, self.item_seen) = (false, true);
                let fields = self.scanner.fields();
                if fields.get(K::CONTAINER).kind == Kind::Missing {
                    sink.event(&data[start..start + len], offset, fields, &notes);
                } else {
                    // `"traceEvents": null` is a container without events, and no event itself
                    self.found_container = true;
                }
                Step::To(start + len)
            }
            Ok(Found::Container(len)) => {
                self.levels.push(Level::Members);
                self.enter(data, start, start + len, offset, sink)
            }
            Err(Stop::Cut) if text.len() - start == MAX_LONE_EVENT && !in_array => {
                self.levels.push(Level::Members);
                Step::To(start + 1)
            }
            Err(Stop::Cut) => Step::More,
            Err(Stop::Wrong(place)) => {
                self.no_event(data, start, start, start + place, offset, is_last, sink)
            }
        }
    }

    /// Passes over a number, word or string between events.
    #[expect(clippy::too_many_arguments, reason = "the places of one item, each with its own meaning")]
    fn other_item(
        &mut self,
        data: &[u8],
        at: usize,
        start: usize,
        end: usize,
        offset: u64,
        is_last: bool,
        sink: &mut impl Sink<N>,
    ) -> Step {
        if data.len() - start < TEXT_LEN && !is_last {
            return self.more_from(at, start);
        }
        sink.item();
        sink.problem(ProblemKind::BadEvent, offset, first_bytes(data, start));
        (self.comma_seen, self.item_seen) = (false, true);
        Step::To(end)
    }

    /// Notes what begins at `start` as no event, and looks for the next from `place` on.
    #[expect(clippy::too_many_arguments, reason = "the places of one item, each with its own meaning")]
    fn no_event(
        &mut self,
        data: &[u8],
        at: usize,
        start: usize,
        place: usize,
        offset: u64,
        is_last: bool,
        sink: &mut impl Sink<N>,
    ) -> Step {
        if data.len() - start < TEXT_LEN && !is_last {
            return self.more_from(at, start);
        }
        sink.item();
        sink.problem(ProblemKind::BadEvent, offset, first_bytes(data, start));
        (self.comma_seen, self.item_seen) = (true, true);
        // the first byte of what is no event can't open one
        let place = place.max(start + 1);
        let previous = data[start..place].iter().rev().find(|byte| !byte.is_ascii_whitespace());
        self.levels.push(Level::Lost { previous: previous.copied().unwrap_or(b',') });
        Step::To(place)
    }

    /// Looks for the next brace that may open an event: not a member's value, and a key or the end behind it.
    fn find_event(&mut self, data: &[u8], start: usize, is_last: bool) -> Step {
        let mut at = start;
        let Some(Level::Lost { previous }) = self.levels.last_mut() else { return Step::More };
        while let Some(&byte) = data.get(at) {
            if byte == b'{' && *previous != b':' {
                let after = skip_blank(data, at + 1);
                match data.get(after) {
                    None if !is_last => return if at > start { Step::To(at) } else { Step::More },
                    Some(b'"' | b'}') => {
                        self.levels.pop();
                        return Step::To(at);
                    }
                    _ => {}
                }
            }
            if !byte.is_ascii_whitespace() {
                *previous = byte;
            }
            at += 1;
        }
        Step::To(at)
    }

    /// One step between the members of an object that is no event.
    fn member(&mut self, data: &[u8], at: usize, is_last: bool, sink: &mut impl Sink<N>) -> Step {
        let start = skip_blank(data, at);
        let more = |containers: &mut Self| if is_last { Step::More } else { containers.more_from(at, start) };
        match data.get(start) {
            None | Some(b',') => return Step::To((start + 1).min(data.len())),
            Some(b'}') => {
                self.levels.pop();
                (self.comma_seen, self.item_seen) = (false, true);
                return Step::To(start + 1);
            }
            Some(b'"') => {}
            Some(_) => {
                // the object is given up; what stands here may be an event of what is around it
                self.levels.pop();
                return Step::To(start);
            }
        }
        let Ok(key) = scan_string(&data[start..], 1, &mut Notes::default()) else { return more(self) };
        let key = key.bytes(&data[start..]);
        let colon = skip_blank(data, start + 1 + key.len() + 1);
        let value = skip_blank(data, colon + 1);
        let Some(&byte) = data.get(value) else { return more(self) };
        if data[colon] != b':' {
            return Step::To(colon);
        }
        if matches!(byte, b'[' | b'{') && K::slot(key) == Some(K::CONTAINER) {
            return self.enter(data, start, value, self.offset + (start - at) as u64, sink);
        }
        self.levels.push(Level::Skipped { depth: 0, in_string: false, after_backslash: false });
        Step::To(value)
    }

    /// Passes over a value, or as much of it as has come.
    fn skip_value(&mut self, data: &[u8], at: usize) -> Step {
        let Some(Level::Skipped { depth, in_string, after_backslash }) = self.levels.last_mut() else {
            return Step::More;
        };
        for (place, &byte) in data.iter().enumerate().skip(at) {
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
                    return Step::To(if byte == b']' { place + 1 } else { place });
                }
                _ => {}
            }
        }
        Step::To(data.len())
    }
}

/// What is shown of the text at `start`.
fn first_bytes(data: &[u8], start: usize) -> &[u8] {
    &data[start..data.len().min(start + TEXT_LEN)]
}
