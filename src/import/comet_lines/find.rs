//! Finds in a block of lines the few that can hold a counter's event, many bytes at once.
//!
//! Costs: three loads and compares for 16 bytes where the machine has vectors; no line is looked at that has no `"C"`.

/// What every counter's event has in it, however it is spaced.
const PHASE: [u8; 3] = *b"\"C\"";
/// Bytes looked at in one step.
const STEP: usize = 32;

/// How a line writes its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `"ph": "C"`, as Comet writes it.
    Comet,
    /// `"ph":"C"` or with other white space: a counter's event that Comet's own tool doesn't see.
    OtherSpacing,
}

/// The first place from `from` on where `"C"` stands.
#[inline]
fn find_phase(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(window) = text.get(at..at + STEP + 2) {
        let (first, second, third) = (&window[..STEP], &window[1..STEP + 1], &window[2..STEP + 2]);
        let mut found = 0;
        for i in 0..STEP {
            found |= u8::from(first[i] == PHASE[0])
                & u8::from(second[i] == PHASE[1])
                & u8::from(third[i] == PHASE[2]);
        }
        if found != 0 {
            break;
        }
        at += STEP;
    }
    let rest = text.get(at..)?;
    rest.windows(PHASE.len()).position(|window| *window == PHASE).map(|place| at + place)
}

/// The place of the first line feed.
#[inline]
pub fn find_line_feed(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(window) = text.get(at..at + STEP) {
        if window.iter().fold(0, |found, &byte| found | u8::from(byte == b'\n')) != 0 {
            break;
        }
        at += STEP;
    }
    text[at..].iter().position(|&byte| byte == b'\n').map(|place| at + place)
}

/// Gives `take` each line of `text` that writes the phase of a counter's event, and how it does so.
///
/// `is_usual` gets the text from such a line on first; when it says how long the line is, that line is done with.
pub fn for_each_marked<T>(
    text: &[u8],
    to: &mut T,
    is_usual: impl Fn(&mut T, &[u8]) -> Option<usize>,
    take: impl Fn(&mut T, &[u8], Marker),
) {
    let mut start = 0;
    while let Some(at) = find_phase(text, start) {
        let before = &text[start..at];
        start += before.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        if let Some(len) = is_usual(to, &text[start..]) {
            start += len;
            continue;
        }
        let end = find_line_feed(&text[at..]).map_or(text.len(), |place| at + place);
        let line = &text[start..end];
        if let Some(marker) = marker(line, at - start) {
            take(to, line, marker);
        }
        start = end;
    }
}

/// How `line`, in which a first `"C"` stands at `at`, writes its phase, if it does.
fn marker(line: &[u8], at: usize) -> Option<Marker> {
    let mut found = None;
    let mut place = Some(at);
    while let Some(at) = place {
        let before = &line[..at];
        if before.ends_with(b"\"ph\": ") {
            return Some(Marker::Comet);
        }
        if before
            .trim_ascii_end()
            .strip_suffix(b":")
            .is_some_and(|key| key.trim_ascii_end().ends_with(b"\"ph\""))
        {
            found = Some(Marker::OtherSpacing);
        }
        place = find_phase(line, at + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_counters_phase_are_found_wherever_they_stand() {
        let lines = [
            r#"{ "name": "a", "ph": "B" }"#,
            r#"{ "name": "b", "ph": "C", "ts": 1 }"#,
            r#"{"name":"c","ph":"C","ts":1}"#,
            "",
            r#"{"name":"\"C\"","cat":"C","ph" :	"C"}"#,
            r#"{"cat":"C","ph":"B"}"#,
            r#"{"ph":"C","ph": "C"}"#,
            r#""C"#,
        ];
        let wanted =
            [(1, Marker::Comet), (2, Marker::OtherSpacing), (4, Marker::OtherSpacing), (6, Marker::Comet)];
        for pad in 0..2 * STEP {
            let text = [" ".repeat(pad), lines.join("\n")].concat();
            let mut found = Vec::new();
            for_each_marked(
                text.as_bytes(),
                &mut found,
                |_, _| None,
                |found, line, marker| {
                    let line = str::from_utf8(line).unwrap().trim_start_matches(' ');
                    found.push((lines.iter().position(|other| *other == line).unwrap(), marker));
                },
            );
            assert_eq!(found, wanted, "{pad}");
        }
    }

    #[test]
    fn line_feeds_are_found_at_every_place() {
        for len in 0..3 * STEP {
            let text = [vec![b'x'; len], b"\nx\n".to_vec()].concat();
            assert_eq!(find_line_feed(&text), Some(len));
            assert_eq!(find_line_feed(&text[..len]), None);
        }
    }
}
