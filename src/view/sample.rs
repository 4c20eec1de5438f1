//! Small traces for this folder's tests, some by hand and some at random.

use crate::names::{StrId, mix};
use crate::trace::{At, Id, Scope, Trace, TraceBuilder};

/// Numbers that look random and are the same for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(mix(seed, 0x5EED))
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0 = mix(self.0, 1);
        let width = (i128::from(high) - i128::from(low) + 1).max(1) as u128;
        (i128::from(low) + (u128::from(self.0) % width) as i128) as i64
    }
}

pub fn at(ts: i64) -> At {
    At { ts, offset: 0 }
}

/// Adds a slice of thread `tid` of process 1.
pub fn slice(builder: &mut TraceBuilder, tid: i128, start: i64, dur: Option<i64>, name: &str) {
    let track = builder.thread(Id::Number(1), Id::Number(tid));
    let text = builder.names().intern(name);
    let id = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
    builder.complete(track, at(start), dur, id, None);
}

/// Adds a sample of a counter of process 1.
pub fn sample(builder: &mut TraceBuilder, name: &str, ts: i64, value: f64) {
    let track = builder.thread(Id::Number(1), Id::Number(1));
    let process = builder.process_of(track);
    builder.counter_record(track, at(ts));
    let text = builder.names().intern(name);
    let (series, _) = builder.series(process, text, StrId::EMPTY, text);
    builder.sample(series, ts, value);
}

/// Adds an instant of thread `tid` of process 1.
pub fn instant(builder: &mut TraceBuilder, tid: i128, scope: Scope, ts: i64, name: &str) {
    let track = builder.thread(Id::Number(1), Id::Number(tid));
    let text = builder.names().intern(name);
    let id = builder.names().name(text, StrId::EMPTY, StrId::EMPTY);
    builder.instant(track, at(ts), scope, id, None);
}

/// One thread of `count` slices one after another: gaps, equal starts, no length, long ones; perhaps the last
/// one without an end.
pub fn random_row_trace(random: &mut Random, count: usize) -> Trace {
    let mut builder = TraceBuilder::default();
    let mut time = random.between(-1_000_000, 1_000_000);
    for n in 0..count {
        let dur = match random.between(0, 9) {
            0 => 0,
            1 => random.between(1_000, 50_000),
            2 => random.between(1, 1 << 34) >> random.between(0, 30),
            _ => random.between(1, 200),
        };
        let is_open = n + 1 == count && random.between(0, 2) == 0;
        slice(&mut builder, 1, time, (!is_open).then_some(dur), ["a", "b", "c"][n % 3]);
        time += dur + if random.between(0, 2) == 0 { 0 } else { random.between(0, 300) };
    }
    builder.finish().0
}

/// One counter with `count` samples.
pub fn random_counter_trace(random: &mut Random, count: usize) -> Trace {
    let mut builder = TraceBuilder::default();
    let mut time = random.between(-1_000_000, 1_000_000);
    for _ in 0..count {
        let value = random.between(0, 1000) as f64;
        sample(&mut builder, "memory", time, value);
        time += random.between(0, 100);
    }
    builder.finish().0
}

/// A trace with one of everything: two threads, depth, merged slices, an unfinished one, counters, instants.
pub fn small_trace() -> Trace {
    let mut builder = TraceBuilder::default();
    slice(&mut builder, 1, 1_000, Some(9_000), "executePlan(Filter,Scan)");
    slice(&mut builder, 1, 1_500, Some(2_000), "decodeShuffleBlock");
    slice(&mut builder, 1, 4_000, Some(5_000), "shuffle_write");
    slice(&mut builder, 1, 4_100, Some(1), "tiny");
    slice(&mut builder, 1, 4_102, Some(2), "tiny");
    slice(&mut builder, 1, 4_105, Some(1), "tiny");
    slice(&mut builder, 2, 2_000, Some(500), "createPlan");
    slice(&mut builder, 2, 6_000, None, "getNextBatch[JVM] stage=1");
    for (ts, value) in [(1_000, 100.0), (3_000, 300.0), (3_001, 250.0), (8_000, 50.0)] {
        sample(&mut builder, "jemalloc_allocated", ts, value * 1e6);
    }
    instant(&mut builder, 2, Scope::Thread, 2_200, "spill");
    instant(&mut builder, 1, Scope::Process, 5_000, "stage 1 done");
    instant(&mut builder, 1, Scope::Trace, 9_500, "end of run");
    let track = builder.thread(Id::Number(1), Id::Number(1));
    let name = builder.names().intern("Executor task launch worker");
    builder.track_mut(track).name = Some(name);
    builder.finish().0
}
