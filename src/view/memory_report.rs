//! The memory report of a file in words: what the panel beside the memory timeline says.
//!
//! Promises: numbers are those of `analysis::memory` and nothing else; what is normal and what is not is said in
//! sentences.
//! Does not do: computing, reading files.

use super::details::{Fact, since_start};
use super::item::Item;
use super::memory_by_function::{Amount, MemoryByFunction, MemoryRow, MemorySource, memory_by_function};
use super::titles::counted;
use crate::analysis::memory::{MemoryReport, PoolSource, Rules};
use crate::trace::{CounterId, ProcessId, Trace};
use crate::units::Bytes;

/// A file's report.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryWords {
    /// The file's name.
    pub title: String,
    /// What is to be said about it, a sentence or two each.
    pub sentences: Vec<String>,
    /// The numbers.
    pub facts: Vec<Fact>,
    /// Tables, those that are empty left out.
    pub tables: Vec<SortedTable>,
}

/// A table that can be sorted by each of its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedTable {
    /// What its rows are.
    pub title: String,
    /// What a reader should know of it; empty if nothing.
    pub about: String,
    /// A head for each column.
    pub heads: Vec<String>,
    /// The rows, in the order in which they are best read.
    pub rows: Vec<SortedRow>,
    /// The last rows, which stay where they are.
    pub sums: Vec<Vec<String>>,
}

/// A row of such a table.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedRow {
    /// Where its first cell leads, if anywhere.
    pub item: Option<Item>,
    /// A text for each column.
    pub cells: Vec<String>,
    /// What a column is sorted by; texts by their order in the report.
    pub keys: Vec<f64>,
}

/// What is said about a file that was read as `source` of the trace's sources.
///
/// `skipped` are the reasons for which lines were not read, with their numbers.
/// Costs: points, and for each process of the file what `analysis::attribute` does.
pub fn memory_words(
    trace: &Trace,
    source: usize,
    report: &MemoryReport,
    skipped: &[(&'static str, u64)],
) -> MemoryWords {
    let counters = report.allocation_counter.map_or_else(Vec::new, |name| counters_of(trace, source, name));
    let shares = |process| memory_by_function(trace, process, MemorySource::Allocator);
    let shared: Vec<MemoryByFunction> = processes_of(trace, source).filter_map(shares).collect();
    let grown = shared.iter().filter(|of| !of.growth.is_empty()).map(|of| match shared.len() {
        1 => of.growth.clone(),
        _ => format!("{}: {}", of.process, of.growth),
    });
    let mut sentences = sentences(trace, report);
    // after what happened and before what it may mean
    sentences.splice(1..1, grown);
    MemoryWords {
        title: trace.sources().get(source).map_or_else(String::new, |source| source.name.clone()),
        sentences,
        facts: facts(report, skipped),
        tables: shared
            .iter()
            .map(|of| by_function(of, shared.len() > 1))
            .chain([points(trace, report, &counters), finals(report)])
            .filter(|table| !table.rows.is_empty())
            .collect(),
    }
}

/// When a point was, in ns as the trace has it: the report counts in whole µs.
pub fn point_time(ts_us: u64) -> i64 {
    i64::try_from(ts_us).unwrap_or(i64::MAX).saturating_mul(1_000)
}

/// The processes of a source.
fn processes_of(trace: &Trace, source: usize) -> impl Iterator<Item = ProcessId> {
    let first = trace.sources().get(source).map_or(0, |source| source.first_session);
    let after = trace.sources().get(source + 1).map_or(u32::MAX, |next| next.first_session);
    let all = (0..trace.processes().len()).map(ProcessId::from_index);
    all.filter(move |&id| (first..after).contains(&trace.process(id).session))
}

/// The counters of this name in the processes of a source: one for each session that has it.
fn counters_of(trace: &Trace, source: usize, name: &str) -> Vec<CounterId> {
    let named = |id: &CounterId| {
        let group = trace.counter_group(&trace.counters()[id.index()]);
        trace.names().text(group.name) == name
    };
    processes_of(trace, source)
        .flat_map(|id| trace.process(id).counters.iter().copied())
        .filter(named)
        .collect()
}

/// Who ran while memory grew.
fn by_function(of: &MemoryByFunction, names_process: bool) -> SortedTable {
    let row = |(at, row): (usize, &MemoryRow)| {
        let excess = row.excess.as_ref();
        let amounts = [row.per_call.as_ref(), excess, Some(&row.own), Some(&row.net), Some(&row.largest)];
        let [per_call, excess, own, net, largest] = amounts.map(|amount| match amount {
            Some(amount) => (amount.text.clone(), amount.value as f64), // sorted by, not shown
            None => (String::new(), f64::NEG_INFINITY),
        });
        let fit = (row.fit_text.clone(), row.fit.unwrap_or(f64::NEG_INFINITY));
        let share = (row.share_text.clone(), row.share_of_excess_growth.unwrap_or(f64::NEG_INFINITY));
        let calls = (row.calls_text.clone(), row.calls as f64);
        let (cells, mut keys): (Vec<_>, Vec<_>) =
            [fit, per_call, excess, share, own, net, largest, calls].into_iter().unzip();
        keys.insert(0, -(at as f64)); // a name is sorted by its place in the order that reads best
        SortedRow { item: None, cells: [row.function.clone()].into_iter().chain(cells).collect(), keys }
    };
    let sum = |name: &str, excess: Option<&Amount>, own: &Amount| {
        let excess = excess.map_or_else(String::new, |amount| amount.text.clone());
        let texts = ["", "", &excess, "", &own.text, "", "", ""];
        [name].iter().chain(&texts).map(|text| (*text).to_owned()).collect()
    };
    let (idle, all) =
        (of.excess.as_ref().map(|of| &of.nothing_running), of.excess.as_ref().map(|of| &of.total));
    let process = if names_process { format!(" · {}", of.process) } else { String::new() };
    SortedTable {
        title: format!("Memory by function{process}"),
        about: format!(
            "Fit: how closely the excess that was kept follows the calls, 1 being in step, and what that makes a \
             call. The rest is what {} changed by, shared by time among the innermost slices that ran; it counts \
             the whole process",
            of.source
        ),
        heads: [
            "Function",
            "Fit",
            "A call",
            "Excess",
            "Share",
            "Own",
            "While it ran",
            "Largest call",
            "Calls",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: of.rows.iter().enumerate().map(row).collect(),
        sums: vec![
            sum("nothing was running", idle, &of.nothing_running),
            sum("in all: last less first", all, &of.total),
        ],
    }
}

fn sentences(trace: &Trace, report: &MemoryReport) -> Vec<String> {
    let mut said = Vec::new();
    let Some(counter) = report.allocation_counter else {
        said.push(
            "The file has no counter of what the process had allocated, so nothing can be held against the \
             pools. Comet logs native_allocated, and before that jemalloc_allocated in builds with jemalloc."
                .to_owned(),
        );
        return said;
    };
    if report.threads_with_pools == 0 {
        said.push("The file has no counter of what the memory pools had reserved.".to_owned());
    } else if report.points.is_empty() {
        said.push(format!("{counter} never exceeded what the pools had reserved at the sampled points."));
    } else {
        let worst = report.points.iter().max_by_key(|point| point.excess());
        let when = worst.map_or(0, |point| point_time(point.ts_us));
        said.push(format!(
            "At its worst, at {}, {} more was allocated than the pools had reserved.",
            since_start(trace, when),
            bytes(report.peak_excess)
        ));
        said.push(
            "A steady excess is normal: the allocator's own records, fragmentation, and Arrow buffers that no \
             pool accounts for. An excess that keeps growing is not: something leaks, or holds memory outside \
             the pools."
                .to_owned(),
        );
    }
    if report.pool_source == PoolSource::Sum && report.threads_with_pools > 1 {
        said.push(
            "The reservation is added up by thread, since the file has no comet_memory_reserved_total: a pool \
             that threads share counts once for each of them, and a thread counts from its first own sample on. \
             So the excess can be wrong either way."
                .to_owned(),
        );
    }
    said
}

fn facts(report: &MemoryReport, skipped: &[(&'static str, u64)]) -> Vec<Fact> {
    let allocated = report.allocation_counter.unwrap_or("allocated");
    let source = match report.pool_source {
        PoolSource::Total => "comet_memory_reserved_total, process-wide".to_owned(),
        PoolSource::Sum => format!("sum of {}", counted(report.threads_with_pools, "pool")),
    };
    let rules = match report.rules {
        Rules::V1 => "v1: after each sample of either",
        Rules::V4 => "v4: pairs of samples of one thread",
    };
    let mut facts = vec![
        Fact::new(&format!("Peak {allocated}"), bytes(report.peak_allocated)),
        Fact::new("Peak reserved", bytes(report.peak_pool_total)),
        Fact::new("Peak excess", bytes(report.peak_excess)),
        Fact::new("Reserved by", source),
        Fact::new("Compared by rules", rules),
        Fact::new("Counter events", crate::units::grouped(report.counter_events.into())),
    ];
    if !skipped.is_empty() {
        let reasons: Vec<String> =
            skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        facts.push(Fact::new("Not read", reasons.join(", ")));
    }
    facts
}

fn points(trace: &Trace, report: &MemoryReport, counters: &[CounterId]) -> SortedTable {
    // the report knows no sessions: a point is of the one that has a sample of anything there
    let has_sample = |id: &CounterId, time| {
        let counter = &trace.counters()[id.index()];
        let at = counter.first_at(time);
        at < counter.len() && counter.time(at) == time
    };
    let is_of = |id: &CounterId, time| {
        let process = trace.process(trace.counters()[id.index()].process);
        process.counters.iter().any(|id| has_sample(id, time))
    };
    let counter_at = |time| counters.iter().find(|id| is_of(id, time)).or(counters.first()).copied();
    let row = |point: &crate::analysis::memory::Point| {
        let time = point_time(point.ts_us);
        let sizes = [point.allocated, point.pool_total, point.excess()];
        SortedRow {
            item: counter_at(time).map(|id| Item::Counter(id, time)),
            cells: [since_start(trace, time)].into_iter().chain(sizes.map(bytes)).collect(),
            keys: [point.ts_us].into_iter().chain(sizes).map(|number| number as f64).collect(),
        }
    };
    SortedTable {
        title: format!("More allocated than reserved: {}", counted(report.points.len() as u64, "point")),
        about: "Each new peak of the excess, and else one a second".to_owned(),
        heads: ["Time", "Allocated", "Reserved", "Excess"].map(str::to_owned).to_vec(),
        rows: report.points.iter().map(row).collect(),
        sums: Vec::new(),
    }
}

fn finals(report: &MemoryReport) -> SortedTable {
    let mut pools: Vec<_> = report.final_pools.iter().enumerate().collect();
    // those that hold something first; what is left over at the end is what one looks for
    pools.sort_by_key(|(at, (_, held))| (*held == 0, *at));
    let row = |(at, (name, held)): (usize, &(String, u64))| SortedRow {
        item: None,
        cells: vec![name.clone(), bytes(*held)],
        keys: vec![at as f64, *held as f64],
    };
    let held = report.final_pools.iter().filter(|pool| pool.1 > 0).count() as u64;
    let about = match held {
        0 => "All of them are empty".to_owned(),
        _ => format!("{} not empty; a file that was cut ends before they are", counted(held, "pool")),
    };
    SortedTable {
        title: "Reserved at the end".to_owned(),
        about,
        heads: ["Pool", "Bytes"].map(str::to_owned).to_vec(),
        rows: pools.into_iter().map(row).collect(),
        sums: vec![vec!["in all".to_owned(), bytes(report.final_total)]],
    }
}

fn bytes(bytes: u64) -> String {
    Bytes(bytes as f64).to_string() // shown to a decimal
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use crate::analysis::memory::MemoryAnalysis;
    use crate::trace::{Source, TraceBuilder};

    const MB: u64 = 1 << 20;

    fn words(events: &[(&str, u64, u64)]) -> MemoryWords {
        let mut builder = TraceBuilder::default();
        builder.start_source(Source { name: "run.json".to_owned(), ..Source::default() });
        let mut analysis = MemoryAnalysis::default();
        for &(name, ts, value) in events {
            sample(&mut builder, name, point_time(ts), value as f64);
            analysis.take(name, ts, 1, Some(value));
        }
        memory_words(&builder.finish().0, 0, &analysis.report(None), &[("bad_ts", 3)])
    }

    #[test]
    fn a_point_leads_to_the_counter_at_its_time() {
        let pool = "thread_3_comet_memory_reserved";
        let words = words(&[(pool, 5, MB), ("jemalloc_allocated", 7, 4 * MB), (pool, 9, 0)]);
        assert_eq!(words.title, "run.json");
        assert!(words.sentences[0].contains("3.0 MB more was allocated"), "{:?}", words.sentences);
        let [points, finals] = &words.tables[..] else { panic!("{:?}", words.tables) };
        assert_eq!(points.rows[0].cells, ["2 µs", "4.0 MB", "1.0 MB", "3.0 MB"]);
        assert!(matches!(points.rows[0].item, Some(Item::Counter(_, 7_000))));
        assert_eq!(finals.rows[0].cells, [pool, "0 B"]);
        assert_eq!(finals.about, "All of them are empty");
        assert_eq!(words.facts.last().unwrap().value, "3 bad_ts");
    }

    #[test]
    fn a_point_of_the_second_session_leads_to_its_own_counter() {
        let mut builder = TraceBuilder::default();
        builder.start_source(Source { name: "run.json".to_owned(), ..Source::default() });
        let mut analysis = MemoryAnalysis::default();
        for (start, most) in [(0, 4), (100, 9)] {
            builder.start_session();
            for (name, ts, value) in
                [("thread_3_comet_memory_reserved", 5, MB), ("jemalloc_allocated", 7, most * MB)]
            {
                sample(&mut builder, name, point_time(start + ts), value as f64);
                analysis.take(name, start + ts, 1, Some(value));
            }
        }
        let trace = builder.finish().0;
        let words = memory_words(&trace, 0, &analysis.report(None), &[]);
        let sessions = words.tables[0].rows.iter().map(|row| match row.item {
            Some(Item::Counter(id, time)) => {
                (trace.process(trace.counters()[id.index()].process).session, time)
            }
            _ => panic!("{row:?}"),
        });
        assert_eq!(sessions.collect::<Vec<_>>(), [(0, 7_000), (1, 105_000), (1, 107_000)]);
    }

    #[test]
    fn pools_that_hold_something_come_first() {
        let name = |n: u64| format!("thread_{n}_comet_memory_reserved");
        let [one, two, three] = [1, 2, 3].map(name);
        let words = words(&[("jemalloc_allocated", 1, 1), (&one, 2, 0), (&two, 3, 5), (&three, 4, 6)]);
        assert!(words.sentences[0].contains("never exceeded"));
        let rows: Vec<_> = words.tables[0].rows.iter().map(|row| row.cells[0].as_str()).collect();
        assert_eq!(rows, [&two, &three, &one]);
    }

    #[test]
    fn without_a_counter_of_allocation_nothing_is_claimed() {
        let words = words(&[("thread_3_comet_memory_reserved", 5, MB)]);
        assert!(words.sentences[0].contains("nothing can be held against"), "{:?}", words.sentences);
        assert_eq!(words.sentences.len(), 1);
    }
}
