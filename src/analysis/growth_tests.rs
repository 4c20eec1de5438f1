//! What is called growth and what is not, on made-up series of which the truth is known.

use super::attribution_tests::comet;
use super::growth::*;
use super::rise::Shape;
use super::series::Series;
use crate::generate::comet::Leak;
use crate::trace::{Trace, TraceBuilder};
use crate::view::sample::{Random, slice};

const MB: f64 = 1_048_576.0;
const MINUTE: i64 = 60_000_000_000;

/// Ten minutes, a point every half a second; `level` by the part of the run that is over.
fn series(points: i64, mut level: impl FnMut(f64) -> f64) -> Series {
    let run = 10 * MINUTE;
    let value = |n: i64| (n * run / points, level(n as f64 / points as f64).round() as i64);
    Series::from_points((0..points).map(value))
}

/// One thread that runs `first` in the first half of the ten minutes and `second` in the other.
fn halves() -> Trace {
    let mut builder = TraceBuilder::default();
    slice(&mut builder, 1, 0, Some(5 * MINUTE), "first");
    slice(&mut builder, 1, 5 * MINUTE, Some(5 * MINUTE), "second");
    builder.finish().0
}

fn found(series: &Series) -> Option<Growth> {
    let trace = halves();
    growth(&trace, trace.ordered_processes()[0], series)
}

/// Evenly from 0 to 1.
fn even(random: &mut Random) -> f64 {
    random.between(0, 1 << 30) as f64 / f64::from(1 << 30)
}

/// Work in flight: nothing as often as not, and then up to 40 MB.
fn in_flight(random: &mut Random) -> f64 {
    (even(random) * 80.0 - 40.0).max(0.0) * MB
}

#[test]
fn noise_without_growth_is_called_growth_once_in_hundred_runs_at_most() {
    let runs = 400;
    let mut called = [0; 4];
    for seed in 0..runs {
        let mut random = Random::new(seed);
        let plain = series(1_200, |_| (100.0 + 10.0 * even(&mut random)) * MB);
        let above = series(1_200, |_| 100.0 * MB + in_flight(&mut random));
        let (mut slow, mut slower) = (0.0, 0.0);
        // keeps half its value over half a window, and over two windows
        let slow = series(1_200, |_| {
            slow = 0.933 * slow + even(&mut random) - 0.5;
            (100.0 + 10.0 * slow) * MB
        });
        let slower = series(1_200, |_| {
            slower = 0.983 * slower + even(&mut random) - 0.5;
            (100.0 + 10.0 * slower) * MB
        });
        for (count, series) in called.iter_mut().zip([plain, above, slow, slower]) {
            *count += u64::from(found(&series).is_some());
        }
    }
    println!("called growth in {runs} runs: {called:?}");
    assert!(called.iter().take(3).all(|&count| count <= runs / 100), "{called:?}");
    assert!(called[3] <= runs / 20, "{called:?}");
}

#[test]
fn a_saw_tooth_that_comes_back_to_its_level_is_no_growth() {
    for teeth in [2.0, 3.0, 4.0, 7.0, 12.5, 30.0, 100.0] {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let saw = series(1_200, |part| (100.0 + 200.0 * (part * teeth).fract() + even(&mut random)) * MB);
            assert_eq!(found(&saw), None, "{teeth} teeth, seed {seed}");
        }
    }
}

#[test]
fn a_leak_is_found_in_noise_with_its_speed() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        // 12 MB a minute below up to 40 MB of work in flight
        let leak = series(1_200, |part| (100.0 + 120.0 * part) * MB + in_flight(&mut random));
        let growth = found(&leak).unwrap_or_else(|| panic!("seed {seed}"));
        let speed = growth.bytes_per_minute().unwrap_or_else(|| panic!("seed {seed}: a jump")) / MB;
        assert!((11.0..13.0).contains(&speed), "seed {seed}: {speed}");
        let minutes = (growth.to - growth.from) as f64 / MINUTE as f64;
        assert!(minutes > 9.0, "seed {seed}: {minutes}");
        assert!((growth.bytes as f64 / MB / speed - minutes).abs() < 0.01, "the speed times the time");
    }
}

#[test]
fn a_leak_in_the_middle_third_is_found_there() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let level = |part: f64| 100.0 + 300.0 * (part - 1.0 / 3.0).clamp(0.0, 1.0 / 3.0);
        let leak = series(1_200, |part| level(part) * MB + in_flight(&mut random));
        let growth = found(&leak).unwrap_or_else(|| panic!("seed {seed}"));
        let [from, to] = [growth.from, growth.to].map(|time| time as f64 / (10 * MINUTE) as f64);
        assert!((from - 1.0 / 3.0).abs() < 0.06 && (to - 2.0 / 3.0).abs() < 0.06, "seed {seed}: {from} {to}");
        let speed = growth.bytes_per_minute().unwrap_or_else(|| panic!("seed {seed}: a jump")) / MB;
        assert!((26.0..34.0).contains(&speed), "seed {seed}: {speed}");
    }
}

#[test]
fn a_jump_is_told_as_one_and_has_no_speed() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let jump = series(1_200, |part| {
            let level = if part < 0.62 { 100.0 } else { 180.0 };
            level * MB + in_flight(&mut random)
        });
        let growth = found(&jump).unwrap_or_else(|| panic!("seed {seed}"));
        assert_eq!(growth.shape, Shape::Jump, "seed {seed}");
        assert!((70.0..90.0).contains(&(growth.bytes as f64 / MB)), "seed {seed}: {}", growth.bytes);
        let at = 62 * MINUTE / 10;
        assert!(growth.from <= at + MINUTE / 6 && at - MINUTE / 6 <= growth.to, "seed {seed}");
    }
}

#[test]
fn steps_that_stay_are_growth_and_follow_the_calls_that_make_them() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut builder = TraceBuilder::default();
        let (mut kept, mut points) = (0.0, Vec::new());
        for n in 0..1_200 {
            // beside a thread that always runs one works in two stretches, and keeps 0.4 MB a call
            let time = n * MINUTE / 120;
            let works = (200..320).contains(&n) || (700..760).contains(&n);
            for call in 0..if works { random.between(0, 8) } else { 0 } {
                slice(&mut builder, 2, time + call * 1_000_000, Some(500_000), "insert");
                kept += 0.4 * MB;
            }
            slice(&mut builder, 1, time, Some(MINUTE / 120), "wait");
            points.push((time, (100.0 * MB + kept + in_flight(&mut random)) as i64));
        }
        let trace = builder.finish().0;
        let series = Series::from_points(points.into_iter());
        let growth = growth(&trace, trace.ordered_processes()[0], &series)
            .unwrap_or_else(|| panic!("seed {seed}: no growth"));
        assert_eq!(growth.shape, Shape::Steps, "seed {seed}");
        assert!((growth.bytes as f64 / kept - 1.0).abs() < 0.05, "seed {seed}: {} of {kept}", growth.bytes);
        let [from, to] = [growth.from, growth.to].map(|time| time as f64 / (MINUTE as f64 / 120.0));
        assert!((180.0..221.0).contains(&from) && (740.0..781.0).contains(&to), "seed {seed}: {from} {to}");
        let follows = growth.follows.unwrap_or_else(|| panic!("seed {seed}: it follows nothing"));
        assert_eq!(trace.names().text(follows.name), "insert", "seed {seed}");
        assert!(follows.fit > 0.9, "seed {seed}: {}", follows.fit);
        assert!((0.36..0.44).contains(&(follows.bytes_per_call / MB)), "seed {seed}: {follows:?}");
    }
}

#[test]
fn little_data_and_small_or_falling_levels_say_nothing() {
    assert_eq!(found(&Series::default()), None);
    assert_eq!(found(&series(1, |_| MB)), None);
    assert_eq!(found(&series(100, |part| 1000.0 * part * MB)), None, "fewer than three points a window");
    assert_eq!(found(&series(1_200, |part| 0.5 * part * MB)), None, "half a megabyte in all");
    assert_eq!(found(&series(1_200, |part| 1000.0 * (1.0 - part) * MB)), None);
    assert_eq!(found(&series(1_200, |_| 100.0 * MB)), None);
    let at_one_time = Series::from_points((0..500).map(|n| (7, n << 20)));
    assert_eq!(found(&at_one_time), None);
}

#[test]
fn the_growth_is_shared_among_what_ran_meanwhile() {
    let mut random = Random::new(1);
    let trace = halves();
    // from 2.5 to 7.5 minutes: half of it while each of them ran
    let level = |part: f64| 100.0 + 400.0 * (part - 0.25).clamp(0.0, 0.5);
    let leak = series(6_000, |part| (level(part) + even(&mut random)) * MB);
    let growth = growth(&trace, trace.ordered_processes()[0], &leak).expect("there is growth");
    assert_eq!(growth.shares.nothing_running, 0);
    let (_, share) = growth.top().expect("one has grown");
    assert!((0.48..0.52).contains(&share), "{share}");
    let sum: i64 = growth.shares.functions.iter().map(|function| function.own).sum();
    assert_eq!(sum, growth.shares.total);
}

#[test]
fn the_plan_that_keeps_memory_in_a_made_up_run_is_named() {
    for seed in 1..6 {
        let trace = comet(seed, None);
        let process = trace.ordered_processes()[0];
        let growth =
            growth(&trace, process, &Series::excess(&trace, process).unwrap()).expect("it keeps 480 MB");
        let (name, share) = growth.top().expect("one ran");
        let name = trace.names().text(name);
        assert_eq!(name, "executePlan(Projection,ShuffleScan,Sort,SortMergeJoin,Window)", "seed {seed}");
        assert!(share > 0.5, "seed {seed}: {share}");
        assert!((380..600).contains(&(growth.bytes >> 20)), "seed {seed}: {} MB", growth.bytes >> 20);
    }
}

#[test]
fn made_up_runs_without_a_leak_show_no_growth() {
    let quiet = Leak { name: "no such span".to_owned(), bytes_per_call: 0 };
    let called = (1..21).filter(|&seed| {
        let trace = comet(seed, Some(quiet.clone()));
        let process = trace.ordered_processes()[0];
        growth(&trace, process, &Series::excess(&trace, process).unwrap()).is_some()
    });
    assert_eq!(called.collect::<Vec<u64>>(), [0; 0]);
}
