//! The rules for lines, each in words with an example, and what a reader that is fed in pieces must keep.

use super::*;

/// Name, time, thread, and the value under the name.
pub type Event = (String, u64, u64, Option<u64>);
type Counts = Vec<(&'static str, u64)>;

/// The events of `text`, fed whole, and what was skipped.
pub fn events(text: &[u8]) -> (Vec<Event>, Counts) {
    events_of([text])
}

fn events_of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Event>, Counts) {
    let (mut lines, mut found) = (CometLines::default(), Vec::new());
    let mut take = |event: &CounterEvent<'_>| {
        let value = event.value.map(CounterValue::as_counted);
        found.push((event.name.clone().into_owned(), event.ts, event.tid, value));
    };
    pieces.into_iter().for_each(|piece| lines.feed(piece, &mut take));
    lines.finish(&mut take);
    (found, lines.skipped().iter().collect())
}

const EVENT: &str =
    r#"{ "name": "n", "cat": "PERF", "ph": "C", "pid": 1, "tid": 1, "ts": 2, "args": { "n": 7 } }"#;

/// How many events `line` gives and why it gives none.
fn told(line: &str) -> (usize, String) {
    let (found, skipped) = events(line.as_bytes());
    for event in &found {
        assert_eq!(event, &("n".to_owned(), 2, 1, Some(7)), "{line}");
    }
    (
        found.len(),
        skipped.iter().map(|(reason, count)| format!("{reason} {count}")).collect::<Vec<_>>().join(", "),
    )
}

fn is_taken(before: &str, after: &str) {
    assert_eq!(told(&[before, EVENT, after].concat()), (1, String::new()), "{before:?} {after:?}");
}

fn is_skipped(line: &str, reason: &str) {
    assert_eq!(told(line), (0, format!("{reason} 1")), "{line}");
}

#[test]
fn white_space_around_a_line_is_any_that_unicode_knows() {
    for blank in [" ", "\t", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2003}", "\u{3000}"] {
        is_taken(blank, "");
        is_taken("", &[",", blank].concat());
    }
    // a byte order mark is none
    is_skipped(&["\u{feff}", EVENT].concat(), "not_json");
}

#[test]
fn brackets_before_an_event_are_dropped_first_those_with_a_blank() {
    for before in ["[ ", "[", "[ [ ", "[ [", "[[", "[ [ [[[", "[  ", "[\t"] {
        is_taken(before, ",");
    }
    // behind a bracket without a blank, one with a blank is a bracket and a blank before an event; more is too much
    is_taken("[[ ", ",");
    is_skipped(&["[[ [ ", EVENT].concat(), "not_json");
}

#[test]
fn commas_behind_an_event_are_dropped_but_no_bracket() {
    for after in ["", ",", ",,,", " ,", "\t,", ",\r"] {
        is_taken("", after);
    }
    for after in [" ]", "]", ",]", ", ,", "\u{a0},", " x"] {
        is_skipped(&[EVENT, after].concat(), "not_json");
    }
}

#[test]
fn empty_lines_and_lone_brackets_are_nothing() {
    for line in ["", " ", "[", "]", "[ ", " [ ", ",", "[ ,", "\r"] {
        assert_eq!(told(line), (0, String::new()), "{line:?}");
    }
    assert_eq!(told(&["[\r\n", EVENT, ",\r\n]\r\n"].concat()), (1, String::new()));
}

#[test]
fn the_phase_is_written_with_one_blank_or_the_line_is_not_read() {
    for phase in [r#""ph":"C""#, r#""ph":  "C""#, r#""ph" : "C""#, "\"ph\":\t\"C\""] {
        is_skipped(&EVENT.replace(r#""ph": "C""#, phase), "ph_spacing");
    }
    // wherever the text stands, it makes the line worth reading
    assert_eq!(told(r#"{"name":"n","ph":"C","tid":1,"ts":2,"args":{"n":7,"ph": "C"}}"#), (1, String::new()));
    assert_eq!(told(r#"{"name":"n","ph":"B","tid":1,"ts":2,"args":{"ph": "C"}}"#), (0, String::new()));
    assert_eq!(told(r#"{"name":"n","ph":"B","tid":1,"ts":2,"cat":"C"}"#), (0, String::new()));
    is_skipped(r#"  "ph": "C","#, "not_json");
}

#[test]
fn fields_are_there_once_and_of_their_type() {
    let with = |from: &str, to: &str| EVENT.replace(from, to);
    for ts in ["2.0", "-2", "2e0", "\"2\"", "18446744073709551616"] {
        is_skipped(&with(r#""ts": 2"#, &[r#""ts": "#, ts].concat()), "bad_ts");
        is_skipped(&with(r#""tid": 1"#, &[r#""tid": "#, ts].concat()), "bad_tid");
    }
    is_skipped(&with(r#""ts": 2, "#, ""), "missing_field");
    is_skipped(&with(r#""pid": 1"#, r#""ts": 2"#), "duplicate_field");
    is_skipped(&with(r#"{ "n": 7 }"#, "[]"), "bad_type");
    is_skipped(&with(r#""name": "n""#, r#""name": 5"#), "bad_type");
    is_skipped(&with(r#""name": "n""#, r#""name": "a"b""#), "not_json");
    is_skipped(&with("7 } }", "7 "), "not_json");
    // what nobody reads may stand twice and be anything
    assert_eq!(told(&with(r#""pid": 1"#, r#""cat": [1.5e400, {"ts": "\ud800"}]"#)), (1, String::new()));
}

#[test]
fn a_value_that_is_no_unsigned_integer_counts_as_nothing_and_is_told() {
    for value in ["-7", "7.0", "\"7\"", "null", "{}"] {
        let (found, skipped) = events(EVENT.replace("7", value).as_bytes());
        assert_eq!(found, [("n".to_owned(), 2, 1, Some(0))], "{value}");
        assert_eq!(skipped, [("bad_value", 1)]);
    }
    let (found, skipped) = events(EVENT.replace(r#""n": 7"#, r#""m": 7"#).as_bytes());
    assert_eq!((found, skipped), (vec![("n".to_owned(), 2, 1, None)], vec![]));
}

#[test]
fn a_line_that_is_no_utf_8_is_skipped_alone() {
    let lines =
        [b"\xff\n", EVENT.as_bytes(), b",\n", &EVENT.as_bytes()[..5], b"\xc3\n", EVENT.as_bytes()].concat();
    let (found, skipped) = events(&lines);
    assert_eq!((found.len(), skipped), (2, vec![("bad_utf8", 2)]));
}

#[test]
fn any_split_of_the_bytes_gives_the_same() {
    let lines = [
        "[ ",
        EVENT,
        ",\r\n",
        "[\n",
        "{\"ph\":\"B\"}\n\n",
        "é \u{85}",
        EVENT,
        "\n\u{a0}",
        EVENT,
        ",\u{2003}\n",
        r#"{"ph":"C"}"#,
        "\n",
        r#"{"ph": "C"}"#,
        "\n",
        EVENT,
    ];
    let text = [lines.concat().as_bytes(), b"\xff\n", EVENT.as_bytes()].concat();
    let whole = events(&text);
    assert_eq!(whole.0.len(), 3, "{:?}", whole.1);
    for cut in 0..text.len() {
        assert_eq!(events_of([&text[..cut], &text[cut..]]), whole, "{cut}");
    }
    for step in 1..100 {
        assert_eq!(events_of(text.chunks(step)), whole, "{step}");
    }
}

#[test]
fn a_line_may_have_as_many_bytes_as_is_said_and_a_longer_one_is_dropped_alone() {
    for (len, is_read) in
        [(MAX_LINE - 1, true), (MAX_LINE, true), (MAX_LINE + 1, false), (3 * MAX_LINE, false)]
    {
        let long = [EVENT, &" ".repeat(len - EVENT.len())].concat();
        let text = [EVENT, "\n", &long, "\n", EVENT, "\n", &long].concat();
        let expected = (if is_read { 4 } else { 2 }, if is_read { vec![] } else { vec![("long_line", 2)] });
        for step in [text.len(), MAX_LINE, 65_537, 4096] {
            let (found, skipped) = events_of(text.as_bytes().chunks(step));
            assert_eq!((found.len(), skipped), expected, "{len} {step}");
        }
    }
}

#[test]
fn no_more_is_kept_than_one_line_however_long_the_text() {
    let block = [EVENT, ",\n"].concat().repeat(1000);
    let (mut lines, mut count) = (CometLines::default(), 0);
    for nth in 0..400_u64 {
        // from here on one line without an end
        let piece = if nth < 200 { &*block } else { block.trim_end() };
        let piece = if nth < 200 { piece.to_owned() } else { piece.replace('\n', " ") };
        lines.feed(piece.as_bytes(), |_| count += 1);
        assert!(lines.lines.carry.capacity() <= MAX_LINE, "{nth}");
    }
    lines.finish(|_| count += 1);
    assert_eq!((count, lines.skipped().count(SkipReason::LongLine)), (200_000, 1));
    assert_eq!(lines.lines.carry.capacity(), 0);
}

#[test]
fn gzip_is_read_and_its_damage_told() {
    use std::io::Write as _;
    let text = [EVENT, ",\n"].concat().repeat(1000);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    for step in [1, 7, packed.len()] {
        let (found, skipped) = events_of(packed.chunks(step));
        assert_eq!((found.len(), skipped), (1000, vec![]), "{step}");
    }
    let (found, skipped) = events(&packed[..packed.len() - 8]);
    assert_eq!((found.len(), skipped), (1000, vec![("bad_gzip", 1)]));
    assert_eq!(events(&packed[..1]).1, [("bad_utf8", 0); 0]);
}
