//! Damaged lines through our reader and through `serde_json`, into the structure that Comet's tool reads.

use std::collections::HashMap;

use serde::Deserialize;

use super::tests::{Event, events};
use crate::names::mix;

/// What Comet's tool reads a line into.
#[derive(Deserialize)]
struct Documented {
    name: String,
    ph: String,
    tid: u64,
    ts: u64,
    #[serde(default)]
    args: HashMap<String, serde_json::Value>,
}

/// The documented rules for one line, step by step.
fn documented(line: &str) -> Option<Event> {
    let text = line.trim().trim_start_matches("[ ").trim_start_matches('[').trim_end_matches(',');
    if !text.contains(r#""ph": "C""#) {
        return None;
    }
    let event: Documented = serde_json::from_str(text).ok().filter(|event: &Documented| event.ph == "C")?;
    let value = event.args.get(&event.name).map(|value| value.as_u64().unwrap_or(0));
    Some((event.name, event.ts, event.tid, value))
}

/// A small generator; a failing line is in the assertion's message.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix(self.0, 0) % limit as u64) as usize
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const VALUES: &[&str] = &[
    "0",
    "7",
    "-1",
    "-0",
    "01",
    "1.5",
    "2.0",
    "1e3",
    "1E+2",
    "1e",
    "1.",
    ".5",
    "+1",
    "18446744073709551615",
    "18446744073709551616",
    "184467440737095516199.0",
    "1844674407370955161.99",
    "1e308",
    "1e309",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "17976931348623158079e289",
    "0e999",
    "0.0e99999999999",
    "1e-400",
    "1e99999999999",
    "1e-99999999999",
    "null",
    "true",
    "falsee",
    "NaN",
    "\"\"",
    r#""C""#,
    r#""n""#,
    r#""\u0043""#,
    r#""\ud83d\ude00""#,
    r#""\ud800""#,
    r#""\udc00""#,
    r#""\ud800\u0041""#,
    r#""\ud800x""#,
    r#""\q""#,
    r#""\/""#,
    "\"\t\"",
    "\"é\"",
    "[]",
    "{}",
    "[1,]",
    "[,1]",
    "[1 2]",
    r#"{"n":1}"#,
    r#"{"n":1,"n":-2}"#,
    r#"{"n":{"n":[{}, [ ]]}}"#,
    r#"{"n" : 5 , "m":"\u006e"}"#,
    r#"{"\u006e":5}"#,
    r#"{"n":1,}"#,
    r#"{"ph": "C"}"#,
    r#"{"n" 1}"#,
    r#"{n:1}"#,
    "{]",
    "[}",
];
const KEYS: &[&str] = &["name", "ph", "tid", "ts", "args", "cat", "pid", r"n\u0061me", r"\ud800", "x"];
const PIECES: &[&str] = &[
    "\"",
    "\\",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "[ ",
    " ",
    "\t",
    "\r",
    "\u{a0}",
    "\u{85}",
    "\u{2003}",
    "\u{feff}",
    "\u{1}",
    "\0",
    "é",
    "0",
    "-",
    ".",
    "e",
    "C",
    r#""ph": "C""#,
    r#""ph":"C""#,
    ", ",
    "},",
    "null",
    r"\u00",
    r"\ud8",
    "n",
];

/// A line that is often an event, and often nearly one.
fn line(random: &mut Random) -> String {
    let mut members = vec![
        (r#""name""#.to_owned(), random.of(&["\"n\"", "\"n\"", r#""\u006e""#, "\"thread_1_é\""]).to_owned()),
        (r#""ph""#.to_owned(), random.of(&["\"C\"", "\"C\"", "\"C\"", "\"C\"", "\"C\"", "\"B\""]).to_owned()),
        (r#""tid""#.to_owned(), random.of(&["1", "1", "62"]).to_owned()),
        (r#""ts""#.to_owned(), random.of(&["2", "2", "1000000"]).to_owned()),
        (
            r#""args""#.to_owned(),
            random.of(&[r#"{ "n": 7 }"#, r#"{"n":7}"#, "{}", r#"{"n":1.5,"o":[]}"#]).to_owned(),
        ),
    ];
    for _ in 0..[0, 0, 1, 1, 2, 3][random.below(6)] {
        let at = random.below(members.len());
        match random.below(6) {
            0 => drop(members.remove(at)),
            1 => members.insert(at, members[random.below(members.len())].clone()),
            2 => members.insert(at, (format!("\"{}\"", random.of(KEYS)), random.of(VALUES).to_owned())),
            3 => members[at].1 = random.of(VALUES).to_owned(),
            4 => {
                let (open, close) = if random.below(2) == 0 { ("[", "]") } else { ("{\"n\":", "}") };
                let depth = random.below(4) + if random.below(4) == 0 { 122 } else { 0 };
                let inner = random.of(VALUES);
                members[at].1 = [&open.repeat(depth), inner, &close.repeat(depth)].concat();
            }
            _ => {
                let other = random.below(members.len());
                members.swap(at, other);
            }
        }
        if members.is_empty() {
            break;
        }
    }
    let as_array = random.below(20) == 0;
    let items: Vec<String> = members
        .into_iter()
        .map(|(key, value)| {
            if as_array {
                value
            } else {
                [&key, random.of(&[": ", ": ", ": ", ": ", ": ", ": ", ":"]), &value].concat()
            }
        })
        .collect();
    let (open, close) = if as_array { ("\u{20} [", "]") } else { ("{ ", " }") };
    let mut line = [
        random.of(&["", "", "", "", "[ ", "[", "[ [ ", "[[", "[  ", "\u{a0}"]),
        open,
        &items.join(random.of(&[", ", ","])),
        close,
        random.of(&[",", ",", ",", ",", "", ",,", ", ", " ,", "]", "\r"]),
    ]
    .concat();
    if as_array {
        line = line.replacen("{}", r#"{"ph": "C"}"#, 1);
    }
    if random.below(4) == 0 {
        damage(&mut line, random);
    }
    // a line feed would make two lines of it
    line.replace('\n', " ")
}

/// Takes out, doubles or puts in a few bytes.
fn damage(line: &mut String, random: &mut Random) {
    for _ in 0..1 + random.below(2) {
        let places: Vec<usize> = line.char_indices().map(|place| place.0).collect();
        if places.is_empty() {
            return;
        }
        let from = places[random.below(places.len())];
        let to = places.iter().copied().find(|&to| to >= from + random.below(4)).unwrap_or(from);
        let piece = match random.below(3) {
            0 => String::new(),
            1 => line[from..to].repeat(2),
            _ => random.of(PIECES).to_owned(),
        };
        line.replace_range(from..to, &piece);
    }
}

#[test]
fn damaged_lines_are_taken_and_left_as_serde_json_does() {
    let mut random = Random(1 << 40);
    let (mut taken, mut with_value) = (0, 0);
    const LINES: usize = 200_000;
    for _ in 0..LINES {
        let line = line(&mut random);
        let expected = documented(&line);
        taken += usize::from(expected.is_some());
        with_value +=
            usize::from(expected.as_ref().is_some_and(|event| event.3.is_some_and(|value| value > 0)));
        let ours = events(line.as_bytes());
        assert_eq!(ours.0.first(), expected.as_ref(), "{line:?} {:?}", ours.1);
        assert!(ours.0.len() <= 1, "{line:?}");
    }
    assert!(taken > LINES / 5 && taken < LINES * 4 / 5, "{taken} of {LINES} are taken");
    assert!(with_value > LINES / 20, "{with_value} of {LINES} have a value");
}

#[test]
fn damaged_lines_of_comet_are_read_as_serde_json_reads_them() {
    let mut random = Random(3 << 40);
    let mut taken = 0;
    const LINES: usize = 100_000;
    for _ in 0..LINES {
        let number = |random: &mut Random| {
            let digits = [1, 2, 7, 18, 19, 20, 21][random.below(7)];
            (0..digits).map(|_| char::from(b'0' + random.below(10) as u8)).collect::<String>()
        };
        let name = random.of(&["jemalloc_allocated", "thread_62_comet_memory_reserved", "n", "é", ""]);
        let [tid, ts, value] = [0; 3].map(|_| number(&mut random));
        let mut line = [
            "{ \"name\": \"",
            name,
            "\", \"cat\": \"PERF\", \"ph\": \"C\", \"pid\": 1, \"tid\": ",
            &tid,
            ", \"ts\": ",
            &ts,
            ", \"args\": { \"",
            name,
            "\": ",
            &value,
            " } },",
        ]
        .concat();
        if random.below(3) > 0 {
            damage(&mut line, &mut random);
        }
        let line = line.replace('\n', " ");
        let expected = documented(&line);
        taken += usize::from(expected.is_some());
        // the short cut takes a line that is ended, the strict reader the other one
        let both = [&line, "\n", &line].concat();
        let found = events(both.as_bytes()).0;
        assert_eq!(found, [expected.clone(), expected].into_iter().flatten().collect::<Vec<_>>(), "{line:?}");
    }
    assert!(taken > LINES / 10 && taken < LINES * 9 / 10, "{taken} of {LINES} are taken");
}

#[test]
fn values_nest_as_deep_as_serde_json_lets_them() {
    for depth in 120..132 {
        for (open, close) in [("[", "]"), ("{\"x\":", "}")] {
            let nested = [&open.repeat(depth), "1", &close.repeat(depth)].concat();
            for key in ["\"args\": {\"n\":1,\"x\"", "\"y\": {\"x\""] {
                let line = [r#"{"name":"n","ph": "C","tid":1,"ts":2,"#, key, ":", &nested, "}}"].concat();
                assert_eq!(events(line.as_bytes()).0.first(), documented(&line).as_ref(), "{depth} {key}");
            }
        }
    }
}

#[test]
fn numbers_near_the_largest_float_are_judged_as_serde_json_judges_them() {
    let mut random = Random(2 << 40);
    let mut refused = 0;
    for _ in 0..50_000 {
        let digits = |random: &mut Random, len: usize| -> String {
            (0..len).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
        };
        let whole = ["1", "17976931348623157", "9", "0"][random.below(4)].to_owned();
        let whole = if whole == "0" {
            whole
        } else {
            [whole, {
                let len = random.below(8);
                digits(&mut random, len)
            }]
            .concat()
        };
        let fraction = {
            let len = 1 + random.below(24);
            digits(&mut random, len)
        };
        let power = (308_i64 - whole.len() as i64 + random.below(4) as i64).to_string();
        let number = [&whole, ".", &fraction, "e", &power].concat();
        let line = [r#"{"name":"n","ph": "C","tid":1,"ts":2,"args":{"n":"#, &number, "}}"].concat();
        let expected = documented(&line);
        refused += usize::from(expected.is_none());
        assert_eq!(events(line.as_bytes()).0.first(), expected.as_ref(), "{line}");
    }
    assert!(refused > 5_000 && refused < 45_000, "{refused}");
}
