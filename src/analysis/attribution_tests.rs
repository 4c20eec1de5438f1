//! Attribution against the slowest way to say the same, and on traces of which the truth is known.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::*;
use crate::generate::comet::{CometOptions, CometTrace, Leak};
use crate::import::{Import, ImportOptions};
use crate::names::StrId;
use crate::trace::{At, CounterId, Id, ProcessId, SliceRef, Trace, TraceBuilder, TrackId};
use crate::view::sample::{Random, at, sample, slice};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Up to four threads of two processes: nested, crossing, empty and unfinished slices; a counter with gaps.
fn random_trace(random: &mut Random) -> Trace {
    let mut builder = TraceBuilder::default();
    let mut names = NAMES.map(|name| builder.names().intern(name));
    names[5] = StrId::EMPTY;
    for tid in 0..random.between(1, 4) {
        let pid = i128::from(tid == 3);
        let track = builder.thread(Id::Number(pid), Id::Number(tid.into()));
        let mut ts = random.between(0, 60);
        for _ in 0..random.between(0, 40) {
            let text = names[random.between(0, 5) as usize];
            let name = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
            let at = At { ts, offset: 0 };
            match random.between(0, 9) {
                0..3 => builder.begin(track, at, name, None),
                3..6 => builder.end(track, at, name, None),
                6 => builder.complete(track, at, None, name, None),
                _ => builder.complete(track, at, Some(random.between(0, 30)), name, None),
            }
            ts += random.between(0, 12);
        }
    }
    let process = builder.process(Id::Number(0));
    let key = builder.names().intern("memory");
    let (series, _) = builder.series(process, key, StrId::EMPTY, key);
    let mut ts = random.between(0, 50);
    for _ in 0..random.between(0, 60) {
        builder.sample(series, ts, random.between(-1_000, 1_000_000) as f64);
        ts += random.between(0, 25);
    }
    builder.finish().0
}

/// Every slice of a process: which, its name, and when it has ended at the latest.
fn slices(trace: &Trace, process: ProcessId) -> HashMap<SliceRef, (StrId, i64)> {
    let mut found = HashMap::new();
    for &track in &trace.process(process).tracks {
        for (lane, place) in trace.track(track).lanes.iter().zip(0..) {
            for (row, depth) in lane.rows.iter().zip(0..) {
                for at in 0..row.len() {
                    let slice = SliceRef { track, lane: place, depth, index: at as u32 };
                    let name = trace.names().entry(row.name(at)).name;
                    found.insert(slice, (name, row.start(at) + row.summed(at)));
                }
            }
        }
    }
    // an unfinished one is over when its name begins inside it; if nothing else did before, it was over at once
    for (slice, (name, _)) in found.clone() {
        for above in callers(trace, slice) {
            let end = found.get_mut(&above).expect("all are there");
            if end.0 == name && trace.row(above).dur(above.index as usize).is_none() {
                let before = SliceRef { index: slice.index.wrapping_sub(1), ..slice };
                let is_first = slice.index == 0 || parent(trace, before) != Some(above);
                let over = if is_first && slice.depth == above.depth + 1 { above } else { slice };
                end.1 = end.1.min(trace.row(over).start(over.index as usize));
            }
        }
    }
    found
}

fn callers(trace: &Trace, slice: SliceRef) -> impl Iterator<Item = SliceRef> {
    std::iter::successors(parent(trace, slice), |&slice| parent(trace, slice))
}

/// The names of the innermost slices of all threads that run through the nanosecond from `time` on.
fn innermost(trace: &Trace, slices: &HashMap<SliceRef, (StrId, i64)>, time: i64) -> Vec<StrId> {
    let mut running: HashMap<TrackId, (u32, Reverse<u32>, StrId)> = HashMap::new();
    for (slice, &(name, end)) in slices {
        if trace.row(*slice).start(slice.index as usize) <= time && time < end {
            let this = (slice.lane, Reverse(slice.depth), name);
            let best = running.entry(slice.track).or_insert(this);
            *best = (*best).min(this);
        }
    }
    running.into_values().map(|best| best.2).collect()
}

/// What each function owns and what nobody owns, by looking at every thread in every nanosecond.
fn by_brute_force(trace: &Trace, process: ProcessId, series: &Series) -> (HashMap<StrId, f64>, f64) {
    let (mut own, mut nobody) = (HashMap::new(), 0.0);
    let slices = slices(trace, process);
    for pair in series.points().windows(2) {
        let [(from, before), (to, after)] = [pair[0], pair[1]];
        let (growth, length) = ((after - before) as f64, (to - from) as f64);
        let (mut weights, mut all, mut idle) = (HashMap::<StrId, f64>::new(), 0.0, 0.0);
        for time in from..to {
            let running = innermost(trace, &slices, time);
            idle += f64::from(u8::from(running.is_empty()));
            all += running.len() as f64;
            running.into_iter().for_each(|name| *weights.entry(name).or_default() += 1.0);
        }
        nobody += growth * idle / length;
        for (name, weight) in weights {
            *own.entry(name).or_default() += growth * (length - idle) / length * weight / all;
        }
    }
    (own, nobody)
}

/// Calls, net and largest of each function, by asking for each slice.
fn calls_by_slice(trace: &Trace, process: ProcessId, series: &Series) -> HashMap<StrId, (u64, i64, i64)> {
    let mut found = HashMap::new();
    let slices = slices(trace, process);
    for (slice, &(name, end)) in &slices {
        let change = series.value_at(end) - series.value_at(trace.row(*slice).start(slice.index as usize));
        let entry = found.entry(name).or_insert((0, 0, i64::MIN));
        entry.0 += 1;
        entry.2 = entry.2.max(change);
        let has_end = |above: &SliceRef| trace.row(*above).dur(above.index as usize).is_some();
        if !callers(trace, *slice).filter(has_end).any(|above| slices[&above].0 == name) {
            entry.1 += change;
        }
    }
    found
}

#[test]
fn shares_add_up_to_the_byte_and_equal_those_of_looking_at_every_nanosecond() {
    let (mut owned, mut idle) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let trace = random_trace(&mut random);
        let series = Series::of_counter(&trace, CounterId::from_index(0));
        let process = trace.counters()[0].process;
        let whole = attribute(&trace, process, &series);
        let cut = random.between(0, 400);
        let parts = [(i64::MIN, cut), (cut, cut + 200), (0, 0)];
        let ranges = parts.map(|(from, to)| {
            (series.within(from, to), attribute_within(&trace, process, &series, from, to))
        });
        for (series, found) in [(series.clone(), whole.clone())].into_iter().chain(ranges) {
            let sum: i64 = found.functions.iter().map(|function| function.own).sum();
            assert_eq!(sum + found.nothing_running, found.total, "seed {seed}");
            assert_eq!(found.total, series.change(), "seed {seed}");
            let (mut own, nobody) = by_brute_force(&trace, process, &series);
            // each interval is rounded by less than a byte
            let close = |found: i64, exact: f64| (found as f64 - exact).abs() <= series.points().len() as f64;
            assert!(close(found.nothing_running, nobody), "seed {seed}");
            for function in &found.functions {
                let exact = own.remove(&function.name).unwrap_or(0.0);
                assert!(close(function.own, exact), "seed {seed}: {function:?}, not {exact}");
            }
            assert!(own.is_empty(), "seed {seed}: {own:?} has no function");
            owned += found.functions.iter().filter(|function| function.own != 0).count();
            idle += usize::from(found.nothing_running != 0);
        }
        let calls = calls_by_slice(&trace, process, &series);
        assert_eq!(whole.functions.len(), calls.len(), "seed {seed}");
        for function in &whole.functions {
            let found = (function.calls, function.net, function.largest);
            assert_eq!(found, calls[&function.name], "seed {seed}: {function:?}");
        }
    }
    assert!(owned > 1_500 && idle > 300, "the traces have something to share: {owned}, {idle}");
}

fn one<'a>(trace: &Trace, found: &'a Attribution, name: &str) -> &'a FunctionMemory {
    let is_it = |function: &&FunctionMemory| trace.names().text(function.name) == name;
    found.functions.iter().find(is_it).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_caller_does_not_take_what_its_callee_has_and_two_threads_share() {
    let mut builder = TraceBuilder::default();
    slice(&mut builder, 1, 0, Some(100), "caller");
    slice(&mut builder, 1, 20, Some(60), "callee");
    slice(&mut builder, 2, 50, Some(50), "other");
    for (ts, value) in [(0, 0.0), (20, 10.0), (50, 310.0), (100, 810.0), (200, 1_000.0)] {
        sample(&mut builder, "jemalloc_allocated", ts, value);
    }
    let trace = builder.finish().0;
    let process = trace.ordered_processes()[0];
    let found = attribute(&trace, process, &Series::allocated(&trace, process).unwrap());
    let of = |name| one(&trace, &found, name);
    // of the 500 of 50 to 100, half went to the other thread, 3/10 to the callee, 2/10 to the caller
    assert_eq!((of("callee").own, of("callee").net), (300 + 150, 300 + 300));
    assert_eq!((of("caller").own, of("caller").net), (10 + 100, 810));
    assert_eq!((of("other").own, of("other").net, of("other").largest), (250, 500, 500));
    assert_eq!((found.nothing_running, found.total), (190, 1_000));
}

#[test]
fn recursion_counts_once_and_the_largest_call_is_known() {
    let mut builder = TraceBuilder::default();
    slice(&mut builder, 1, 0, Some(100), "f");
    slice(&mut builder, 1, 10, Some(80), "g");
    slice(&mut builder, 1, 20, Some(60), "f");
    slice(&mut builder, 1, 100, Some(10), "f");
    for (ts, value) in [(0, 0.0), (100, 1_000.0), (110, 900.0)] {
        sample(&mut builder, "jemalloc_allocated", ts, value);
    }
    let trace = builder.finish().0;
    let process = trace.ordered_processes()[0];
    let found = attribute(&trace, process, &Series::allocated(&trace, process).unwrap());
    let f = one(&trace, &found, "f");
    assert_eq!((f.calls, f.net, f.largest), (3, 900, 1_000));
    assert_eq!(one(&trace, &found, "g").own, 200);
}

#[test]
fn an_unfinished_call_is_over_when_its_function_begins_again() {
    let mut builder = TraceBuilder::default();
    let track = builder.thread(Id::Number(1), Id::Number(1));
    let text = builder.names().intern("insert");
    let name = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
    let text = builder.names().intern("spill");
    let inner = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
    // nothing is known of the first but that it began
    builder.begin(track, at(0), name, None);
    // the second was there until its spill ended, and may have been until it began again
    builder.begin(track, at(100), name, None);
    builder.begin(track, at(110), inner, None);
    builder.end(track, at(120), inner, None);
    builder.begin(track, at(500), name, None);
    builder.end(track, at(510), name, None);
    builder.begin(track, at(900), name, None);
    builder.end(track, at(920), name, None);
    for (ts, value) in [(0, 0.0), (1_000, 1_000.0)] {
        sample(&mut builder, "jemalloc_allocated", ts, value);
    }
    let trace = builder.finish().0;
    let process = trace.ordered_processes()[0];
    let found = attribute(&trace, process, &Series::allocated(&trace, process).unwrap());
    let insert = one(&trace, &found, "insert");
    assert_eq!((insert.calls, insert.net, insert.largest, insert.own), (4, 430, 400, 420));
    assert_eq!(found.nothing_running, 570);
}

#[test]
fn the_excess_is_taken_when_the_pools_have_spoken() {
    let mut builder = TraceBuilder::default();
    for (ts, allocated, reserved) in
        [(1_000, 150.0, 100.0), (9_000_000, 400.0, 350.0), (9_500_000, 500.0, 350.0)]
    {
        sample(&mut builder, "jemalloc_allocated", ts, allocated);
        sample(&mut builder, "thread_1_comet_memory_reserved", ts + 3_000, reserved - 50.0);
        sample(&mut builder, "thread_2_comet_memory_reserved", ts, 50.0);
    }
    sample(&mut builder, "thread_1_comet_memory_reserved", 20_000_000, 0.0);
    sample(&mut builder, "jemalloc_allocated", 30_000_000, 60.0);
    let trace = builder.finish().0;
    let process = trace.ordered_processes()[0];
    let excess = Series::excess(&trace, process).expect("both are there");
    // the first two threads' samples of one moment come one after another: the first that comes decides
    let expected = [(1_000, 100), (9_000_000, 300), (9_500_000, 150), (30_000_000, 10)];
    assert_eq!(excess.points(), expected);
    assert_eq!(excess.value_at(9_250_000), 225);
    assert_eq!((excess.value_at(0), excess.value_at(i64::MAX)), (100, 10));
}

#[test]
fn sessions_are_processes_of_their_own_and_missing_counters_say_nothing() {
    let mut builder = TraceBuilder::default();
    for value in [10.0, 20.0] {
        builder.start_session();
        sample(&mut builder, "jemalloc_allocated", 0, 0.0);
        slice(&mut builder, 1, 0, Some(10), "work");
        sample(&mut builder, "jemalloc_allocated", 10, value);
    }
    let trace = builder.finish().0;
    let totals = trace.ordered_processes().into_iter().map(|process| {
        assert_eq!(Series::excess(&trace, process), None, "there are no pools");
        let found = attribute(&trace, process, &Series::allocated(&trace, process).unwrap());
        (found.total, one(&trace, &found, "work").own)
    });
    assert_eq!(totals.collect::<Vec<_>>(), [(10, 10), (20, 20)]);
}

#[test]
fn times_at_the_ends_of_the_clock_do_no_harm() {
    let mut builder = TraceBuilder::default();
    let track = builder.thread(Id::Number(1), Id::Number(1));
    let text = builder.names().intern("long");
    let name = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
    builder.begin(track, at(i64::MIN), name, None);
    builder.end(track, at(i64::MAX), name, None);
    for (ts, value) in [(i64::MIN, 0.0), (0, 1e300), (i64::MAX, f64::NAN)] {
        sample(&mut builder, "jemalloc_allocated", ts, value);
    }
    let trace = builder.finish().0;
    let process = trace.ordered_processes()[0];
    let found = attribute(&trace, process, &Series::allocated(&trace, process).unwrap());
    let sum: i64 = found.functions.iter().map(|function| function.own).sum();
    assert_eq!((sum + found.nothing_running, found.total), (0, 0));
}

/// A made-up run of Comet.
pub fn comet(seed: u64, leak: Option<Leak>) -> Trace {
    let mut made = CometTrace::new(seed, CometOptions { size: 10_000_000, leak, ..Default::default() });
    let (mut import, mut block) = (Import::new(ImportOptions::default()), Vec::new());
    while made.next_block(&mut block) {
        import.feed(&block).unwrap();
        block.clear();
    }
    import.finish().unwrap().trace
}

/// The share of each function in the excess of a made-up run of Comet, largest first.
fn leaking(name: &str, bytes_per_call: u64, seed: u64) -> Vec<(String, i64)> {
    let leak = Some(Leak { name: name.to_owned(), bytes_per_call });
    let trace = comet(seed, leak);
    let process = trace.track(TrackId::from_index(0)).process;
    let found = attribute(&trace, process, &level(&Series::excess(&trace, process).unwrap()));
    let functions = found.functions.iter();
    let mut shares: Vec<_> =
        functions.map(|function| (trace.names().text(function.name).to_owned(), function.own)).collect();
    shares.sort_by_key(|share| -share.1);
    shares
}

#[test]
fn a_function_that_leaks_is_the_first_by_a_clear_margin() {
    for (name, bytes_per_call) in [
        ("executePlan(ShuffleScan,Sort)", 2 << 20),
        ("executePlan(HashAgg,ShuffleScan)", 2 << 20),
        ("executePlan(Filter,HashAgg,NativeScan)", 1 << 20),
    ] {
        for seed in 1..4 {
            let shares = leaking(name, bytes_per_call, seed);
            println!("{name}, seed {seed}: {:?}", &shares[..3]);
            assert_eq!(shares[0].0, name, "seed {seed}: {:?}", &shares[..4]);
            assert!(shares[0].1 > shares[1].1 * 5 / 4, "{name}, seed {seed}: {:?}", &shares[..4]);
        }
    }
}

#[test]
fn a_function_that_leaks_beside_others_is_ranked_first_by_its_calls() {
    for (name, bytes_per_call) in [
        // on workers, for a plan that waits for them on another thread, and in plans of their own thread
        ("shuffle_insert_batch", 400_000),
        ("shuffle_insert_batch", 1 << 20),
        ("shuffle_spill", 8_000_000),
        ("decodeShuffleBlock", 100_000),
        ("createPlan", 4_000_000),
        ("shuffle_write", 8_000_000),
        ("executePlan(HashAgg,NativeScan,ShuffleWriter)", 40_000_000),
        ("executePlan(HashAgg,ShuffleScan)", 2_000_000),
    ] {
        for seed in 1..6 {
            let trace = comet(seed, Some(Leak { name: name.to_owned(), bytes_per_call }));
            let process = trace.track(TrackId::from_index(0)).process;
            let series = Series::excess(&trace, process).unwrap();
            let shares = attribute(&trace, process, &level(&series));
            let follows = follow(&trace, process, &series);
            let order = by_suspicion(&shares, Some(&shares), &follows);
            let first = trace.names().text(shares.functions[order[0]].name);
            let told = |follow: &Follow| (trace.names().text(follow.name), follow.fit, follow.bytes_per_call);
            let told: Vec<_> = follows.iter().take(3).map(told).collect();
            println!("{name}, seed {seed}: {told:?}");
            assert_eq!(first, name, "seed {seed}: {told:?}");
            assert!((told[0].2 / bytes_per_call as f64 - 1.0).abs() < 0.25, "seed {seed}: {told:?}");
            let growth = growth(&trace, process, &series).unwrap_or_else(|| panic!("{name}, seed {seed}"));
            assert_eq!(growth.follows, Some(follows[0]), "{name}, seed {seed}");
        }
    }
}
