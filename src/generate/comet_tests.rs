//! Whole traces: what `comet` promises, checked line by line.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::comet::{CometFormat, CometOptions, CometTrace, Leak};

fn generate(seed: u64, options: CometOptions) -> Vec<u8> {
    let mut trace = CometTrace::new(seed, options);
    let mut text = Vec::new();
    while trace.next_block(&mut text) {}
    text
}

fn sized(size: u64) -> CometOptions {
    CometOptions { size, ..CometOptions::default() }
}

struct Event {
    name: String,
    phase: char,
    tid: u64,
    ts: u64,
    value: Option<u64>,
}

fn events(text: &[u8]) -> Vec<Event> {
    let text = std::str::from_utf8(text).expect("the text is UTF-8");
    let body = text.strip_prefix("[ ").expect("it starts with a bracket and a space");
    body.lines().map(event).collect()
}

fn event(line: &str) -> Event {
    let object = line.strip_suffix(',').expect("a comma ends each line");
    let value: Value = serde_json::from_str(object).expect(line);
    assert_eq!((&value["cat"], &value["pid"]), (&Value::from("PERF"), &Value::from(1)));
    let name = value["name"].as_str().expect(line).to_owned();
    Event {
        phase: value["ph"].as_str().expect(line).chars().next().expect(line),
        tid: value["tid"].as_u64().expect(line),
        ts: value["ts"].as_u64().expect(line),
        value: value.get("args").map(|args| args[&name].as_u64().expect(line)),
        name,
    }
}

fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn the_first_64_kib_of_seed_1_are_pinned() {
    let text = generate(1, sized(10_000_000));
    assert_eq!(fnv(&text[..64 << 10]), PINNED, "the same seed must give the same bytes for ever");
}

/// A new value means that every trace anyone named by its seed has changed.
const PINNED: u64 = 0x648f_4190_3c74_da7b;

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let text = generate(1, sized(300_000));
    assert!(text == generate(1, sized(300_000)));
    assert!(text != generate(2, sized(300_000)));
}

#[test]
fn the_size_is_met_within_a_line() {
    for size in [1_000, 65_536, 65_700, 1_000_000] {
        let text = generate(3, sized(size));
        let missing = size.checked_sub(text.len() as u64).expect("it never passes the size");
        assert!(missing < 200, "{missing} of {size} bytes missing");
        assert!(text.ends_with(b"},\n"));
    }
}

#[test]
fn a_size_without_room_for_a_line_gives_nothing() {
    assert_eq!(generate(1, sized(0)), b"");
    assert_eq!(generate(1, sized(50)), b"");
}

#[test]
fn blocks_hold_whole_lines_and_stay_small() {
    let mut trace = CometTrace::new(4, sized(500_000));
    let mut block = Vec::new();
    let mut blocks = 0;
    while trace.next_block(&mut block) {
        assert!(block.ends_with(b"},\n") && block.len() < (64 << 10) + 200);
        block.clear();
        blocks += 1;
    }
    assert_eq!(blocks, 8);
    assert!(!trace.next_block(&mut block) && block.is_empty());
}

#[test]
fn every_line_parses_and_time_never_goes_back_on_a_thread() {
    for (seed, format) in [(1, CometFormat::Four), (2, CometFormat::Three), (3, CometFormat::Four)] {
        let text = generate(seed, CometOptions { format, ..sized(3_000_000) });
        let mut last = HashMap::new();
        for event in events(&text) {
            let before = last.insert(event.tid, event.ts).unwrap_or(0);
            assert!(event.ts >= before, "{} < {before} on {}", event.ts, event.tid);
        }
    }
}

#[test]
fn lines_are_about_a_hundred_bytes_long() {
    for format in [CometFormat::Three, CometFormat::Four] {
        let text = generate(1, CometOptions { format, ..sized(3_000_000) });
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        let average = text.len() / lines;
        assert!((88..112).contains(&average), "{average} bytes in {format:?}");
    }
}

#[test]
fn a_10_mb_trace_has_every_oddity() {
    for seed in 1..=6 {
        let events = events(&generate(seed, sized(10_000_000)));
        let mut open: HashMap<u64, Vec<&str>> = HashMap::new();
        let mut last: HashMap<u64, &Event> = HashMap::new();
        let mut found: HashSet<&str> = HashSet::new();
        let mut latest = 0;
        for event in &events {
            if event.ts < latest {
                found.insert("a line out of order");
            }
            latest = latest.max(event.ts);
            let stack = open.entry(event.tid).or_default();
            match event.phase {
                'B' => stack.push(&event.name),
                'E' => match stack.iter().rposition(|name| *name == event.name) {
                    Some(at) if at + 1 < stack.len() && stack[at + 1].starts_with("executePlan") => {
                        found.insert("a plan left open");
                        stack.truncate(at);
                    }
                    Some(at) => stack.truncate(at),
                    None => {
                        // its own, or a spill that an insert from elsewhere cut short
                        assert!(event.name.starts_with("shuffle_"), "{}", event.name);
                        found.insert("an end without a begin");
                    }
                },
                'C' => {
                    let about = event.name.strip_prefix("thread_").map(|rest| rest.split('_').next());
                    if about.is_some_and(|owner| owner != Some(&event.tid.to_string())) {
                        found.insert("a release logged by another thread");
                    }
                }
                other => panic!("phase {other}"),
            }
            let previous = last.insert(event.tid, event);
            if previous.is_some_and(|p| (p.phase, event.phase, p.ts) == ('B', 'E', event.ts)) {
                found.insert("a span of no length");
            }
        }
        if (60..76).any(|tid| open.get(&tid).is_some_and(|stack| !stack.is_empty())) {
            found.insert("frames open at the end");
        }
        if (20..36).any(|tid| open.get(&tid).is_some_and(|stack| !stack.is_empty())) {
            found.insert("a begin without an end");
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                "a begin without an end",
                "a line out of order",
                "a plan left open",
                "a release logged by another thread",
                "a span of no length",
                "an end without a begin",
                "frames open at the end",
            ],
            "seed {seed}"
        );
    }
}

#[test]
fn a_10_mb_trace_has_every_name() {
    let kind = |name: &str| match name {
        name if name.starts_with("executePlan(") => "executePlan".to_owned(),
        name if name.starts_with("getNextBatch[JVM] stage=") => "getNextBatch".to_owned(),
        name => name.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
    };
    let kind = |name: &str| kind(name.strip_prefix("thread_").unwrap_or(name));
    let names = |format| {
        let text = generate(1, CometOptions { format, ..sized(10_000_000) });
        let set: HashSet<String> = events(&text).iter().map(|event| kind(&event.name)).collect();
        set
    };
    let three = names(CometFormat::Three);
    for name in "createPlan executePlan getNextBatch decodeShuffleBlock writeSortedFileNative \
                 sortRowPartitionsNative shuffle_insert_batch shuffle_spill shuffle_write \
                 comet_unsafe_shuffle_writer jemalloc_allocated _comet_memory_reserved \
                 _comet_jvm_shuffle jvm_heap_used"
        .split_whitespace()
    {
        assert!(three.contains(name), "no {name}");
    }
    let mut new: Vec<String> = names(CometFormat::Four).difference(&three).cloned().collect();
    new.sort_unstable();
    let added = ["comet_memory_reserved_total", "jvm_arrow_allocated", "jvm_arrow_imported"];
    assert_eq!(new, [&added[..], &["native_allocated"]].concat());
}

/// Allocator minus the total of all pools, in MiB, in the order of the file.
fn excess(events: &[Event]) -> Vec<u64> {
    let mut allocated = HashMap::new();
    let mut excess = Vec::new();
    for event in events {
        match (event.name.as_str(), event.value) {
            ("jemalloc_allocated", Some(value)) => _ = allocated.insert(event.tid, value),
            ("comet_memory_reserved_total", Some(total)) => {
                excess.push((allocated[&event.tid].saturating_sub(total)) >> 20);
            }
            _ => {}
        }
    }
    excess
}

#[test]
fn the_excess_grows_in_the_third_quarter_and_stays() {
    let excess = excess(&events(&generate(1, sized(10_000_000))));
    let least = |from: usize, to: usize| {
        excess[excess.len() * from / 100..excess.len() * to / 100].iter().min().copied().unwrap()
    };
    let quiet = least(20, 40);
    assert!(quiet < 150, "{quiet} MiB");
    assert!((quiet + 80..quiet + 400).contains(&least(58, 62)), "{} MiB", least(58, 62));
    assert!(least(80, 100) > quiet + 380, "{} MiB", least(80, 100));
}

#[test]
fn a_leak_is_as_large_as_asked() {
    let leak = |bytes_per_call| {
        let leak = Leak { name: "decodeShuffleBlock".to_owned(), bytes_per_call };
        events(&generate(1, CometOptions { leak: Some(leak), ..sized(500_000) }))
    };
    let (dry, leaking) = (leak(1_000_000), leak(1_000_008));
    let mut calls = 0;
    for (dry, leaking) in dry.iter().zip(&leaking) {
        assert_eq!(dry.name, leaking.name, "only values differ");
        calls += u64::from(dry.name == "decodeShuffleBlock" && dry.phase == 'E');
        if dry.name == "jemalloc_allocated" {
            assert_eq!(leaking.value.unwrap() - dry.value.unwrap(), 8 * calls);
        }
    }
    assert!(calls > 100);
}
