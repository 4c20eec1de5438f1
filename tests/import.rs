//! The importer on any bytes: cut anywhere, random, damaged.

#[path = "support/dump.rs"]
mod dump;

use std::path::PathBuf;

use dump::{dump, import};
use flameline::generate::comet::{CometOptions, CometTrace};
use flameline::import::{Import, ImportOptions};

fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let data = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let entries = ["chrome", "edge"].map(|folder| std::fs::read_dir(data.join(folder)));
    let entries = entries.into_iter().flat_map(|entries| entries.expect("the fixtures are there"));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let is_input = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name.ends_with(".json") && name.matches('.').count() == 1) || name.ends_with(".json.gz")
    };
    let mut found: Vec<_> =
        paths.filter(is_input).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    found.sort();
    assert!(found.len() > 100, "the fixtures are there");
    found
}

#[test]
fn any_split_of_the_bytes_gives_the_same_trace_and_report() {
    for (path, bytes) in fixtures() {
        let whole = dump(&import([&bytes[..]]));
        assert_eq!(dump(&import(bytes.chunks(1))), whole, "{} byte by byte", path.display());
        for cut in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(cut);
            assert_eq!(dump(&import([head, tail])), whole, "{} cut at {cut}", path.display());
        }
    }
}

#[test]
fn blocks_of_a_large_trace_can_be_cut_anywhere() {
    let text = comet(2_000_000);
    let whole = dump(&import([&text[..]]));
    for step in [61, 4095, 4096, 4097, 65_537, 1_000_003] {
        assert!(dump(&import(text.chunks(step))) == whole, "pieces of {step} bytes");
    }
}

/// Bytes of fixtures cut, doubled, swapped and overwritten: whatever comes out, it comes out for every split.
#[test]
fn damaged_input_neither_panics_nor_depends_on_the_split() {
    let fixtures = fixtures();
    let mut random = Random(20_260_101);
    for round in 0..6_000 {
        let (path, bytes) = &fixtures[random.below(fixtures.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(4) {
            damage(&mut bytes, &mut random);
        }
        let whole = dump(&import([&bytes[..]]));
        let step = 1 + random.below(40);
        let pieces = dump(&import(bytes.chunks(step)));
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(pieces, whole, "round {round}, {}, pieces of {step}: {text}", path.display());
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    const LIKELY: &[u8] = b"{}[]\",:\\ \n0-eN\x00\xFF";
    let at = random.below(bytes.len().max(1));
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at.min(bytes.len()), LIKELY[random.below(LIKELY.len())]),
        2 if at < bytes.len() => bytes[at] = LIKELY[random.below(LIKELY.len())],
        3 if at < bytes.len() => drop(bytes.remove(at)),
        _ => {
            let piece =
                bytes[at.min(bytes.len())..].iter().copied().take(random.below(60)).collect::<Vec<_>>();
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), piece);
        }
    }
}

/// Calls of random depth and length, written as begin and end or as complete events, come back as the same tree.
#[test]
fn nested_calls_come_back_as_they_were() {
    for seed in 0..400 {
        let mut random = Random(seed * 1_000);
        let mut calls = Vec::new();
        let mut time = 0;
        make_calls(&mut random, 0, &mut time, &mut calls);
        if calls.is_empty() {
            continue;
        }
        let as_pairs = seed % 2 == 0;
        let imported = import([write_calls(&calls, as_pairs).as_bytes()]).unwrap();
        let mut found = Vec::new();
        for lane in imported.trace.tracks().iter().flat_map(|track| &track.lanes) {
            for (depth, row) in lane.rows.iter().enumerate() {
                found.extend((0..row.len()).map(|at| (row.start(at), depth, row.dur(at).unwrap())));
            }
        }
        let mut expected: Vec<_> = calls.iter().map(|call| (call.start, call.depth, call.dur)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "seed {seed}");
        assert_eq!(imported.report.problems, [], "seed {seed}");
    }
}

struct Call {
    start: i64,
    dur: i64,
    depth: usize,
}

/// Adds some calls at `depth`, each with calls inside; every call takes time, so that the tree is unique.
fn make_calls(random: &mut Random, depth: usize, time: &mut i64, calls: &mut Vec<Call>) {
    for _ in 0..random.below(4) {
        *time += 1 + random.below(5_000) as i64;
        let (place, start) = (calls.len(), *time);
        calls.push(Call { start, dur: 0, depth });
        if depth < 6 {
            make_calls(random, depth + 1, time, calls);
        }
        *time += 1 + random.below(5_000) as i64;
        calls[place].dur = *time - start;
        *time += 1;
    }
}

fn write_calls(calls: &[Call], as_pairs: bool) -> String {
    let us = |ns: i64| format!("{}.{:03}", ns / 1000, ns % 1000);
    let event = |phase: &str, ts: i64, more: &str| {
        format!("{{\"ph\":\"{phase}\",\"pid\":1,\"tid\":2,\"ts\":{}{more},\"name\":\"f\"}},\n", us(ts))
    };
    let mut lines: Vec<(i64, String)> = Vec::new();
    for call in calls {
        if as_pairs {
            lines.push((call.start, event("B", call.start, "")));
            lines.push((call.start + call.dur, event("E", call.start + call.dur, "")));
        } else {
            let dur = format!(",\"dur\":{}", us(call.dur));
            lines.push((call.start, event("X", call.start, &dur)));
        }
    }
    lines.sort_by_key(|line| line.0);
    format!("[{}", lines.into_iter().map(|line| line.1).collect::<String>())
}

#[test]
fn a_million_slices_cost_at_most_18_bytes_each() {
    let mut import = Import::new(ImportOptions::default());
    import.feed(b"[").unwrap();
    for batch in 0..250_000_i64 {
        let tid = batch % 16;
        let mut lines = String::new();
        for (phase, at) in [("B", 0), ("B", 1), ("E", 4), ("B", 5), ("B", 6), ("E", 7), ("E", 8), ("E", 9)] {
            let ts = batch * 10 + at;
            lines += &format!(
                "{{ \"name\": \"f{at}\", \"cat\": \"PERF\", \"ph\": \"{phase}\", \"pid\": 1, \"tid\": {tid}, \"ts\": {ts} }},\n"
            );
        }
        // ends are named after other times than their begins: without names they close the innermost
        let lines = if batch == 0 { lines.replace("\"name\": \"f", "\"nick\": \"f") } else { lines };
        import.feed(lines.replace("\"ph\": \"E\"", "\"ph\": \"E\", \"name\": \"\"").as_bytes()).unwrap();
    }
    let trace = import.finish().unwrap().trace;
    let slices: u64 = trace.tracks().iter().map(|track| track.slices()).sum();
    assert_eq!(slices, 1_000_000);
    let per_slice = trace.slice_bytes() as f64 / slices as f64;
    assert!(per_slice <= 18.0, "{per_slice} bytes a slice");
}

#[test]
fn a_trace_shows_its_bars_while_it_loads() {
    let text = comet(1_000_000);
    let mut import = Import::new(ImportOptions::default());
    let mut shown = 0;
    for piece in text.chunks(100_000) {
        import.feed(piece).unwrap();
        import.snapshot();
        let slices: u64 = import.trace().tracks().iter().map(|track| track.slices()).sum();
        assert!(slices > shown, "each piece brings slices");
        shown = slices;
    }
}

#[test]
fn threads_that_need_sorting_are_shown_while_loading_and_complete_at_the_end() {
    let mut import = Import::new(ImportOptions::default());
    import.feed(b"[").unwrap();
    let mut shown = Vec::new();
    for at in (0..4_096_i64).rev() {
        let line =
            format!("{{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":{},\"dur\":1}},", at * 2);
        import.feed(line.as_bytes()).unwrap();
        import.snapshot();
        shown.push(import.trace().tracks().first().map_or(0, |track| track.slices()));
    }
    // the last lines may wait for more text behind them
    assert!(shown.iter().enumerate().all(|(at, &slices)| slices * 2 + 6 > at as u64), "never less than half");
    let imported = import.finish().unwrap();
    assert_eq!(imported.trace.tracks()[0].slices(), 4_096);
    assert_eq!(imported.trace.tracks()[0].lanes[0].rows.len(), 1);
}

fn comet(size: u64) -> Vec<u8> {
    let mut trace = CometTrace::new(1, CometOptions { size, ..CometOptions::default() });
    let mut text = Vec::new();
    while trace.next_block(&mut text) {}
    text
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
