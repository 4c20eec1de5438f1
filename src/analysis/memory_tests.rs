//! The rules of the memory report, each with the smallest file that shows it.

use super::memory::*;

const MB: u64 = 1 << 20;

/// A pool's name.
const POOL: &str = "thread_7_comet_memory_reserved";

fn report(rules: Rules, events: &[(&str, u64, u64, Option<u64>)]) -> MemoryReport {
    let mut analysis = MemoryAnalysis::default();
    for &(name, ts, tid, value) in events {
        analysis.take(name, ts, tid, value);
    }
    analysis.report(Some(rules))
}

/// The points as time and excess.
fn points(report: &MemoryReport) -> Vec<(u64, u64)> {
    report.points.iter().map(|point| (point.ts_us, point.excess())).collect()
}

#[test]
fn a_point_is_listed_when_it_is_a_peak_or_a_second_later_and_time_that_goes_back_is_no_later() {
    let mut events = vec![(POOL, 0, 1, Some(100))];
    for (ts, allocated) in [
        (0, 110),
        (1, 109),
        (2, 110),
        (1_000_002, 105),
        (1_000_003, 105),
        (1_000_004, 105),
        (5, 109),
        (6, 111),
    ] {
        events.push(("jemalloc_allocated", ts, 1, Some(allocated)));
    }
    let first = report(Rules::V1, &events);
    assert_eq!(points(&first), [(0, 10), (2, 10), (1_000_003, 5), (6, 11)]);
    assert_eq!((first.peak_excess, first.peak_allocated, first.peak_pool_total), (11, 111, 100));
    assert_eq!(points(&report(Rules::V4, &events)), points(&first));
}

#[test]
fn a_reservation_of_zero_is_no_sample_by_v1_and_one_by_v4() {
    let events = [
        (POOL, 1, 1, Some(5)),
        ("jemalloc_allocated", 2, 1, Some(9)),
        (POOL, 3, 1, Some(0)),
        (POOL, 4, 1, None),
    ];
    assert_eq!(points(&report(Rules::V1, &events)), [(2, 4)]);
    // the last event sets nothing and is still a moment to compare at
    assert_eq!(points(&report(Rules::V4, &events)), [(2, 4), (3, 9), (4, 9)]);
}

#[test]
fn a_pool_is_its_whole_name_and_its_last_value_counts_whoever_logs_it() {
    let events = [
        ("thread_20_comet_memory_reserved", 1, 20, Some(5)),
        ("thread_100_comet_memory_reserved", 2, 1, Some(7)),
        ("thread_3_comet_memory_reserved", 3, 3, Some(1)),
        ("thread_3_comet_memory_reserved", 4, 99, Some(2)),
        ("x_comet_memory_reserved_y", 5, 1, Some(3)),
        ("thread_3_comet_jvm_shuffle", 6, 1, Some(1000)),
        ("thread_4_comet_memory_reserved", 7, 1, None),
    ];
    for rules in [Rules::V1, Rules::V4] {
        let report = report(rules, &events);
        let names: Vec<_> = report.final_pools.iter().map(|pool| (&*pool.0, pool.1)).collect();
        assert_eq!(
            names,
            [
                ("thread_100_comet_memory_reserved", 7),
                ("thread_20_comet_memory_reserved", 5),
                ("thread_3_comet_memory_reserved", 2),
                ("x_comet_memory_reserved_y", 3),
            ]
        );
        assert_eq!((report.final_total, report.threads_with_pools, report.counter_events), (17, 4, 7));
    }
}

#[test]
fn the_total_is_one_more_pool_by_v1_and_stands_for_all_by_v4() {
    let events = [(POOL, 1, 1, Some(5)), (POOL_TOTAL, 2, 1, Some(4)), ("jemalloc_allocated", 3, 1, Some(6))];
    let first = report(Rules::V1, &events);
    assert_eq!((first.final_total, first.threads_with_pools, first.peak_pool_total), (9, 2, 9));
    let newer = report(Rules::V4, &events);
    assert_eq!((newer.final_total, newer.threads_with_pools), (4, 1));
    assert_eq!((newer.pool_source, newer.comparisons), (PoolSource::Total, 0));
}

#[test]
fn an_allocation_waits_for_the_next_total_of_its_own_thread_and_is_used_once() {
    let events = [
        ("native_allocated", 1, 7, Some(50)),
        ("native_allocated", 2, 8, Some(90)),
        (POOL_TOTAL, 3, 9, Some(0)),
        (POOL_TOTAL, 4, 7, Some(20)),
        (POOL_TOTAL, 5, 7, Some(1)),
        (POOL_TOTAL, 6, 8, None),
        (POOL_TOTAL, 2_000_000, 8, Some(85)),
    ];
    let report = report(Rules::V4, &events);
    assert_eq!(points(&report), [(4, 30), (2_000_000, 5)]);
    assert_eq!((report.comparisons, report.peak_pool_total, report.peak_allocated), (2, 85, 90));
}

#[test]
fn a_better_counter_starts_over_and_the_other_one_is_counted_and_ignored() {
    let events = [
        (POOL, 1, 1, Some(100 * MB)),
        ("jemalloc_allocated", 2, 1, Some(300 * MB)),
        (POOL, 3, 1, Some(40 * MB)),
        ("native_allocated", 4, 1, Some(50 * MB)),
        ("jemalloc_allocated", 5, 1, Some(900 * MB)),
    ];
    let newer = report(Rules::V4, &events);
    assert_eq!(newer.allocation_counter, Some("native_allocated"));
    assert_eq!(points(&newer), [(4, 10 * MB)]);
    assert_eq!((newer.peak_allocated, newer.peak_pool_total, newer.counter_events), (50 * MB, 40 * MB, 5));
    assert_eq!(report(Rules::V1, &events).peak_allocated, 900 * MB);
    // what was waiting for a total is forgotten as well
    let waiting = [
        ("jemalloc_allocated", 1, 1, Some(9)),
        ("native_allocated", 2, 2, Some(5)),
        (POOL_TOTAL, 3, 1, Some(1)),
    ];
    assert_eq!(report(Rules::V4, &waiting).comparisons, 0);
}

#[test]
fn the_rules_are_chosen_by_the_counters_that_were_met() {
    let rules = |name: &str| {
        let mut analysis = MemoryAnalysis::default();
        analysis.take(name, 1, 1, None);
        analysis.report(None).rules
    };
    for name in
        ["jemalloc_allocated", POOL, "jvm_heap_used", "jvm_arrow_allocated", "x_comet_memory_reserved_total"]
    {
        assert_eq!(rules(name), Rules::V1, "{name}");
    }
    assert_eq!(rules("native_allocated"), Rules::V4);
    assert_eq!(rules(POOL_TOTAL), Rules::V4);
    assert!(MemoryAnalysis::default().report(Some(Rules::V4)).lacks_allocation_counter());
    assert!(!MemoryAnalysis::default().report(None).lacks_allocation_counter());
}

#[test]
fn sums_wrap() {
    let events = [
        ("a_comet_memory_reserved", 1, 1, Some(u64::MAX)),
        ("b_comet_memory_reserved", 2, 1, Some(3)),
        ("jemalloc_allocated", 3, 1, Some(5)),
    ];
    // by v4 the peaks begin with the counter of allocation
    for (rules, peak) in [(Rules::V1, u64::MAX), (Rules::V4, 2)] {
        let report = report(rules, &events);
        assert_eq!((report.final_total, report.peak_pool_total, report.peak_excess), (2, peak, 3));
    }
}
