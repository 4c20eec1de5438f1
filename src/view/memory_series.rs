//! Which series the memory timeline shows: Comet's by what they mean, of other traces those of memory.
//!
//! Promises: every process and session that has counters is shown; each series says in one sentence what it is.
//! Does not do: reading samples, units (Comet's old whole megabytes are bytes in the trace already).

use super::pool_sum::PoolSum;
use super::quantity::{Quantity, is_memory};
use super::titles::{process_title, run_of};
use crate::analysis::{CometCounter, Role};
use crate::trace::{CounterId, ProcessId, Trace};

/// Series of a trace that is not Comet's; more would not be told apart.
const MOST_OTHERS: usize = 6;

/// A line of the chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is called: "allocator", "session 2 · JVM heap".
    pub label: String,
    /// What it means.
    pub about: String,
    /// Number in the theme's line colours.
    pub color: u8,
    /// Whether it is filled down to zero.
    pub is_area: bool,
    /// What it does for the readings.
    pub role: Role,
    /// Where its values come from.
    pub source: PoolSum,
}

/// All series of a chart and what they count.
#[derive(Clone, Debug)]
pub struct SeriesSet {
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
    /// What all of them count.
    pub quantity: Quantity,
}

/// What a kind of Comet's counters is called, and what it means.
pub(super) fn words_for(kind: CometCounter) -> (&'static str, &'static str) {
    match kind {
        CometCounter::NativeAllocated => (
            "native allocator",
            "Memory that native code has allocated in the whole process, whichever thread logged it.",
        ),
        CometCounter::JemallocAllocated => (
            "allocator",
            "Memory that jemalloc has handed out in the whole process, whichever thread logged it.",
        ),
        CometCounter::ReservedTotal => (
            "reserved in all",
            "Memory that the pools of the whole process have reserved, shared pools counted once.",
        ),
        CometCounter::ThreadReserved => (
            "sum of pools",
            "Memory that the threads' pools have reserved, added up; a pool that threads share counts for each of them.",
        ),
        CometCounter::JvmHeap => ("JVM heap", "Memory in use on the Java heap."),
        CometCounter::JvmShuffle => (
            "shuffle",
            "Memory that columnar shuffle writers hold on the JVM side, added up over all threads.",
        ),
        CometCounter::ArrowAllocated => {
            ("Arrow, allocated", "Memory that Arrow has allocated on the JVM side.")
        }
        CometCounter::ArrowImported => {
            ("Arrow, imported", "Memory of Arrow arrays that the JVM side has taken over from native code.")
        }
        CometCounter::SparkTask => (
            "Spark task memory",
            "Memory that Spark's task memory managers have given out, added up over all threads.",
        ),
    }
}

/// The series for `trace` as far as it is loaded. O(counters).
pub fn series_of(trace: &Trace) -> SeriesSet {
    let comet = comet_series(trace);
    if !comet.is_empty() {
        return SeriesSet { series: comet, quantity: Quantity::Bytes };
    }
    other_series(trace)
}

fn comet_series(trace: &Trace) -> Vec<Series> {
    let mut series = Vec::new();
    for process in trace.ordered_processes() {
        for (kind, color) in CometCounter::ALL.into_iter().zip(0..) {
            let ids = kind.in_process(trace, process);
            if ids.is_empty() {
                continue;
            }
            let (label, about) = words_for(kind);
            series.push(Series {
                label: format!("{}{label}", prefix(trace, process)),
                about: about.to_owned(),
                color,
                is_area: kind.role() == Role::Allocated,
                role: kind.role(),
                source: PoolSum::new(ids),
            });
        }
    }
    series
}

/// The counters of memory, else the first few of whatever kind; the largest of each process first.
fn other_series(trace: &Trace) -> SeriesSet {
    let all: Vec<CounterId> =
        trace.ordered_processes().into_iter().flat_map(|process| trace.ordered_counters(process)).collect();
    let counter = |id: CounterId| &trace.counters()[id.index()];
    let label = |id: CounterId| trace.counter_label(counter(id));
    let memory: Vec<_> = all.iter().copied().filter(|&id| is_memory(&label(id))).collect();
    let is_bytes = |&id: &CounterId| Quantity::of(trace, counter(id)) == Quantity::Bytes;
    let mut shown = if memory.is_empty() { all } else { memory };
    // one axis has one unit
    let quantity = if shown.iter().all(is_bytes) { Quantity::Bytes } else { Quantity::Number };
    if quantity == Quantity::Bytes {
        let max = |id: CounterId| counter(id).extremes(0..counter(id).len()).map_or(0.0, |all| all.max);
        shown.sort_by(|&a, &b| max(b).total_cmp(&max(a)));
    }
    shown.truncate(MOST_OTHERS);
    let labels: Vec<String> = shown.iter().map(|&id| label(id)).collect();
    let shared = shared_words(&labels);
    let series = shown.iter().zip(&labels).zip(0..).map(|((&id, label), color)| {
        let process = trace.counters()[id.index()].process;
        Series {
            about: format!("The counter “{label}” of {}.", process_title(trace, process).text),
            label: format!("{}{}", prefix(trace, process), &label[shared..]),
            color,
            is_area: color == 0,
            role: Role::Other,
            source: PoolSum::new(vec![id]),
        }
    });
    SeriesSet { series: series.collect(), quantity }
}

/// Bytes of the words that all labels begin with: "memory_usage rss" and "memory_usage vms" differ in the last.
fn shared_words(labels: &[String]) -> usize {
    let [first, others @ ..] = labels else { return 0 };
    if others.is_empty() {
        return 0;
    }
    let words = first.match_indices(' ').map(|(at, _)| at + 1).take_while(|&end| {
        others.iter().all(|other| other.len() > end && other.as_bytes()[..end] == first.as_bytes()[..end])
    });
    words.last().unwrap_or(0)
}

/// Whose series it is, where there are several to tell apart.
fn prefix(trace: &Trace, process: ProcessId) -> String {
    let with_counters = trace.processes().iter().filter(|process| !process.counters.is_empty());
    let session = trace.process(process).session;
    let in_session = with_counters.clone().filter(|process| process.session == session).count();
    match (with_counters.count(), in_session) {
        (0 | 1, _) => String::new(),
        (_, 1) => format!("{} · ", run_of(trace, session).join(" · ")),
        _ => format!("{} · ", process_title(trace, process).text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use crate::trace::TraceBuilder;

    fn labels(names: &[&str]) -> Vec<String> {
        let mut builder = TraceBuilder::default();
        names.iter().zip(0..).for_each(|(name, n)| sample(&mut builder, name, n, n as f64));
        series_of(builder.trace()).series.into_iter().map(|series| series.label).collect()
    }

    #[test]
    fn comet_counters_are_shown_by_what_they_mean() {
        let names = [
            "thread_3_comet_jvm_shuffle",
            "thread_12_comet_memory_reserved",
            "jvm_heap_used",
            "thread_3_comet_memory_reserved",
            "jemalloc_allocated",
            "comet_memory_reserved_total",
            "jvm_arrow_imported",
        ];
        let shown =
            ["allocator", "reserved in all", "sum of pools", "JVM heap", "shuffle", "Arrow, imported"];
        assert_eq!(labels(&names), shown);
        let old = ["task_memory_comet_17", "jvm_heapUsed", "task_memory_spark_17", "comet_shuffle_17"];
        assert_eq!(labels(&old), ["sum of pools", "JVM heap", "shuffle", "Spark task memory"]);
    }

    #[test]
    fn other_traces_show_what_counts_bytes_else_what_there_is() {
        assert_eq!(labels(&["queue depth", "rss", "heap size"]), ["heap size", "rss"]);
        assert_eq!(labels(&["heap used", "heap size"]), ["size", "used"]);
        assert_eq!(labels(&["b", "a 10", "a 9"]), ["a 9", "a 10", "b"]);
        assert_eq!(labels(&[]), [""; 0]);
        assert_eq!(labels(&["1", "2", "3", "4", "5", "6", "7", "8"]).len(), MOST_OTHERS);
    }

    #[test]
    fn each_session_has_its_own_series() {
        let mut builder = TraceBuilder::default();
        for _ in 0..2 {
            builder.start_session();
            sample(&mut builder, "jemalloc_allocated", 1, 1.0);
        }
        let set = series_of(builder.trace());
        let labels: Vec<_> = set.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!(labels, ["session 1 · allocator", "session 2 · allocator"]);
    }
}
