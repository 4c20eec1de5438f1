//! The short cut for ordered threads against the rule for all: random records, the same rows.

use super::args::Args;
use super::builder::TraceBuilder;
use super::fault::{FaultKind, Faults};
use super::nest::{Record, What, nest};
use super::{At, Id, Lane};
use crate::names::{NameId, Names, StrId, mix};

/// A small generator; a failing seed is in the assertion's message.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0, 0) % limit
    }
}

type Line = (i64, What, u8, u8);

/// Records whose times mostly ascend in small steps, so that equal times, crossings and strays are common.
fn records(seed: u64, steps_back: bool) -> Vec<Line> {
    let mut random = Random(seed << 20);
    let mut ts = 0;
    let kinds = 1 + random.below(5);
    (0..random.below(24))
        .map(|_| {
            ts += random.below(3) as i64;
            if steps_back && random.below(8) == 0 {
                ts -= random.below(6) as i64;
            }
            let what = match random.below(kinds * 2) {
                0..=2 => What::Begin,
                3..=5 => What::End,
                6 => What::Complete(None),
                _ => What::Complete(Some(random.below(5) as i64)),
            };
            (ts, what, random.below(4) as u8, random.below(3) as u8)
        })
        .collect()
}

/// Name 0 and category 0 are missing.
fn name(names: &mut Names, name: u8, category: u8) -> NameId {
    let [name, category] = [name, category].map(|number| match number {
        0 => StrId::EMPTY,
        number => names.intern(&number.to_string()),
    });
    names.name(name, category, StrId::EMPTY)
}

fn dump(lanes: &[Lane], names: &Names, end: i64) -> String {
    let mut text = String::new();
    for (lane, rows) in lanes.iter().enumerate() {
        for (depth, row) in rows.rows.iter().enumerate() {
            for at in 0..row.len() {
                let (start, dur, end) = (row.start(at), row.dur(at), row.end(at, end));
                let (name, summed) = (names.shown(row.name(at)), row.summed(at));
                text += &format!("{lane}.{depth} {name} {start} {dur:?} to {end} sums {summed}\n");
            }
        }
    }
    text
}

fn counts(faults: &Faults) -> Vec<u64> {
    FaultKind::ALL.map(|kind| faults.of(kind).count)[..4].to_vec()
}

/// The records through the builder, and whether the short cut was left.
fn built(lines: &[Line]) -> (String, Vec<u64>) {
    let mut builder = TraceBuilder::default();
    let track = builder.thread(Id::Number(1), Id::Number(1));
    for (offset, &(ts, what, n, c)) in lines.iter().enumerate() {
        let at = At { ts, offset: offset as u64 };
        let name = name(builder.names(), n, c);
        match what {
            What::Begin => builder.begin(track, at, name, None),
            What::End => builder.end(track, at, name, None),
            What::Complete(dur) => builder.complete(track, at, dur, name, None),
        }
        if offset % 5 == 0 {
            builder.snapshot();
        }
    }
    let (trace, faults) = builder.finish();
    (dump(&trace.track(track).lanes, trace.names(), trace.end()), counts(&faults))
}

fn nested(lines: &[Line]) -> (String, Vec<u64>) {
    let (mut names, mut args, mut faults) = (Names::default(), Args::default(), Faults::default());
    let ends = lines.iter().map(|&(ts, what, ..)| match what {
        What::Complete(Some(dur)) => ts + dur,
        _ => ts,
    });
    let last = ends.max().unwrap_or(0);
    let mut records: Vec<Record> = lines
        .iter()
        .enumerate()
        .map(|(at, &(ts, what, n, c))| Record::new(ts, what, name(&mut names, n, c), None, at as u64))
        .collect();
    let lanes = nest(&mut records, last, &mut names, Some(&mut args), &mut faults);
    (dump(&lanes, &names, last), counts(&faults))
}

#[test]
fn the_short_cut_gives_what_the_rule_gives() {
    for seed in 0..60_000 {
        let lines = records(seed, seed % 2 == 1);
        let (expected, found) = (nested(&lines), built(&lines));
        assert_eq!(found, expected, "seed {seed}: {lines:?}");
    }
}

/// Every slice is there, none overlaps its neighbour, and each lies inside one of the row above.
#[test]
fn rows_hold_every_slice_once_and_nest() {
    for seed in 0..20_000 {
        let lines = records(seed, true);
        let mut builder = TraceBuilder::default();
        let track = builder.thread(Id::Number(1), Id::Number(1));
        for (offset, &(ts, what, n, c)) in lines.iter().enumerate() {
            let (at, name) = (At { ts, offset: offset as u64 }, name(builder.names(), n, c));
            match what {
                What::Begin => builder.begin(track, at, name, None),
                What::End => builder.end(track, at, name, None),
                What::Complete(dur) => builder.complete(track, at, dur, name, None),
            }
        }
        let (trace, _) = builder.finish();
        let track = trace.track(track);
        let slices = lines.iter().filter(|line| line.1 != What::End).count();
        assert_eq!(track.slices(), slices as u64, "seed {seed}");
        for lane in &track.lanes {
            for (depth, row) in lane.rows.iter().enumerate() {
                for at in 0..row.len() {
                    let (start, end) = (row.start(at), row.end(at, trace.end()));
                    assert!(start <= end, "seed {seed}");
                    assert!(at == 0 || row.end(at - 1, trace.end()) <= start, "seed {seed}: {lines:?}");
                    let holds = |parent: &super::Row| {
                        (0..parent.len())
                            .any(|up| parent.start(up) <= start && end <= parent.end(up, trace.end()))
                    };
                    assert!(depth == 0 || holds(&lane.rows[depth - 1]), "seed {seed}: {lines:?}");
                }
            }
        }
    }
}
