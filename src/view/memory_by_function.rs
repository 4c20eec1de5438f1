//! The table "memory by function", and the sentences about memory that grows.
//!
//! Promises: each number also as the text that the page shows; what functions own and what nobody owns add up to
//! the total. Does not do: computing; see `analysis` and `docs/attribution.md`.
//! Costs: two sweeps over the slices of a process, some tenths of a second for 100 MB of trace.

use serde::Serialize;

use super::details::{Fact, Line, Listing};
use super::memory_series::words_for;
use super::quantity::Quantity;
use super::titles::process_title;
use crate::analysis::{
    Attribution, CometCounter, Follow, Growth, Series, Shape, allocator, attribute, by_suspicion, follow,
    growth, level, slice_memory,
};
use crate::names::StrId;
use crate::trace::{CounterId, ProcessId, SliceRef, Trace};
use crate::units::{Bytes, Ns, grouped};

/// Other counters of memory in the details of a slice; more would not be read.
const MOST_COUNTERS: usize = 6;

/// Which memory is shared among functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySource {
    /// What Comet's process has allocated, and of it what no pool accounts for.
    Allocator,
    /// This counter.
    Counter(CounterId),
}

/// Memory by function, and whether it keeps growing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryByFunction {
    /// The process, with its session where there are several.
    pub process: String,
    /// What is shared: "native allocator", or the counter's label.
    pub source: String,
    /// Whether what no pool accounts for keeps growing, in a sentence; empty where there are no pools.
    pub growth: String,
    /// The functions: those whose calls the excess follows first where it follows one closely, else those with the
    /// largest share of the excess, else those that own most.
    pub rows: Vec<MemoryRow>,
    /// What changed while no thread ran anything.
    pub nothing_running: Amount,
    /// What changed in all: last sample less first.
    pub total: Amount,
    /// The same of what no pool accounts for.
    pub excess: Option<ExcessTotals>,
}

/// The last lines of the columns of the excess.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExcessTotals {
    /// What changed while no thread ran anything.
    pub nothing_running: Amount,
    /// What changed in all.
    pub total: Amount,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryRow {
    /// Its name.
    pub function: String,
    /// How many slices it has.
    pub calls: u64,
    /// The same as text.
    pub calls_text: String,
    /// The change while each call ran, added up.
    pub net: Amount,
    /// The largest change while one call ran.
    pub largest: Amount,
    /// Its share of the change: of the time in which it was the innermost on its thread.
    pub own: Amount,
    /// Its share of the change of what no pool accounts for.
    pub excess: Option<Amount>,
    /// The same as part of the whole, 1 being all; only where the excess has grown.
    pub share_of_excess_growth: Option<f64>,
    /// The same as text: "86 %"; empty where there is none.
    pub share_text: String,
    /// How closely the excess that was kept follows the calls: 0 to 1.
    pub fit: Option<f64>,
    /// The same as text: "0.94"; empty where there is none.
    pub fit_text: String,
    /// What fits best.
    pub per_call: Option<Amount>,
}

/// A number of bytes, or of what the counter counts, and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// The number.
    pub value: i64,
    /// As shown: "12.0 MB".
    pub text: String,
}

impl Amount {
    fn new(value: i64, quantity: Quantity) -> Self {
        // what is shown has one decimal
        Amount { value, text: quantity.text(value as f64) }
    }
}

/// The table of a process; `None` if it has no such counter.
pub fn memory_by_function(
    trace: &Trace,
    process: ProcessId,
    source: MemorySource,
) -> Option<MemoryByFunction> {
    let (id, excess) = match source {
        MemorySource::Allocator => (allocator(trace, process)?, Series::excess(trace, process)),
        MemorySource::Counter(id) => (id, None),
    };
    let counter = &trace.counters()[id.index()];
    let quantity = Quantity::of(trace, counter);
    let shares = attribute(trace, process, &Series::of_counter(trace, id));
    let of_excess = excess.as_ref().map(|series| attribute(trace, process, &level(series)));
    let grown = excess.as_ref().map(|series| growth(trace, process, series));
    let follows = excess.as_ref().map_or_else(Vec::new, |series| follow(trace, process, series));
    let name = trace.names().text(trace.counter_group(counter).name);
    let label = match (source, CometCounter::of(name)) {
        (MemorySource::Allocator, Some(kind)) => words_for(kind).0.to_owned(),
        _ => trace.counter_label(counter),
    };
    Some(MemoryByFunction {
        process: process_title(trace, process).text,
        source: label,
        growth: match grown {
            None => String::new(),
            Some(None) => "The excess shows no growth that stands out from its ups and downs.".to_owned(),
            Some(Some(growth)) => growth_sentence(trace, &growth),
        },
        rows: rows(trace, &shares, of_excess.as_ref(), &follows, quantity),
        nothing_running: Amount::new(shares.nothing_running, quantity),
        total: Amount::new(shares.total, quantity),
        excess: of_excess.map(|of_excess| ExcessTotals {
            nothing_running: Amount::new(of_excess.nothing_running, quantity),
            total: Amount::new(of_excess.total, quantity),
        }),
    })
}

fn rows(
    trace: &Trace,
    shares: &Attribution,
    of_excess: Option<&Attribution>,
    follows: &[Follow],
    quantity: Quantity,
) -> Vec<MemoryRow> {
    let excess_total = of_excess.map_or(0, |of_excess| of_excess.total);
    // both sweeps have met the same functions in the same order
    let excess_of = |at: usize| of_excess.map(|of_excess| of_excess.functions[at].own);
    let row = |at: usize| {
        let function = &shares.functions[at];
        let follow = follows.iter().find(|follow| follow.name == function.name);
        let share = excess_of(at).filter(|_| excess_total > 0).map(|own| own as f64 / excess_total as f64);
        MemoryRow {
            function: shown(trace, function.name).to_owned(),
            calls: function.calls,
            calls_text: grouped(function.calls.into()),
            net: Amount::new(function.net, quantity),
            largest: Amount::new(function.largest, quantity),
            own: Amount::new(function.own, quantity),
            excess: excess_of(at).map(|own| Amount::new(own, quantity)),
            share_of_excess_growth: share,
            share_text: share.map_or_else(String::new, percent),
            fit: follow.map(|follow| follow.fit),
            fit_text: follow.map_or_else(String::new, |follow| format!("{:.2}", follow.fit)),
            per_call: follow.map(|follow| Amount::new(follow.bytes_per_call.round() as i64, quantity)),
        }
    };
    by_suspicion(shares, of_excess, follows).into_iter().map(row).collect()
}

/// "Excess grew by 12.0 MB/min between 3:10 and 9:40, 86 % of it while `shuffle_insert_batch` ran.", or "… It follows
/// the calls of `shuffle_insert_batch` closely (fit 0.94): 390.1 KB a call."
pub fn growth_sentence(trace: &Trace, growth: &Growth) -> String {
    let (from, to) = (moment(trace, growth.from), moment(trace, growth.to));
    let bytes = Bytes(growth.bytes as f64);
    let text = match growth.shape {
        Shape::Steady(speed) => format!("Excess grew by {}/min", Bytes(speed.round())),
        Shape::Steps => format!("Excess grew by {bytes} in steps"),
        Shape::Jump => format!("Excess jumped by {bytes}"),
    };
    let text = format!("{text} between {from} and {to}");
    if let Some(Follow { name, fit, bytes_per_call }) = growth.follows {
        let (name, per_call) = (shown(trace, name), Bytes(bytes_per_call.round()));
        return format!(
            "{text}. It follows the calls of `{name}` closely (fit {fit:.2}): {per_call} a call."
        );
    }
    match growth.top() {
        Some((name, share)) => {
            format!("{text}, {} of it while `{}` ran.", percent(share), shown(trace, name))
        }
        None => text + ".",
    }
}

/// What the counters of memory did while `slice` ran, a line each. O(counters + log n).
pub fn slice_memory_facts(trace: &Trace, slice: SliceRef) -> Vec<Fact> {
    let process = trace.track(slice.track).process;
    let of_comet = CometCounter::ALL.into_iter().filter_map(|kind| {
        let ids = kind.in_process(trace, process);
        // one of many threads' would be any of them
        (ids.len() == 1).then(|| (words_for(kind).0.to_owned(), ids[0]))
    });
    let mut counters: Vec<(String, CounterId)> = of_comet.collect();
    if counters.is_empty() {
        let label = |id: CounterId| trace.counter_label(&trace.counters()[id.index()]);
        let all = trace.ordered_counters(process).into_iter();
        let memory = all.filter(|id| Quantity::of(trace, &trace.counters()[id.index()]) == Quantity::Bytes);
        counters = memory.take(MOST_COUNTERS).map(|id| (label(id), id)).collect();
    }
    let fact = |(label, id): (String, CounterId)| {
        let memory = slice_memory(trace, slice, id);
        let bytes = |value: f64| Bytes(value).to_string();
        let (start, end, peak) = (memory.start?, memory.end?, memory.peak?);
        let sign = if memory.change > 0 { "+" } else { "" };
        let mut text = format!("{sign}{} ({} to {}", bytes(memory.change as f64), bytes(start), bytes(end));
        if peak > start.max(end) {
            text.push_str(&format!(", at most {}", bytes(peak)));
        }
        text.push_str(if memory.samples == 0 { "; no sample inside)" } else { ")" });
        Some(Fact { label, value: text })
    };
    counters.into_iter().filter_map(fact).collect()
}

/// The same as a table; `None` where there is nothing to say.
pub fn memory_while(trace: &Trace, slice: SliceRef) -> Option<Listing> {
    let line = |fact: Fact| Line { item: None, cells: vec![fact.label, fact.value] };
    let rows: Vec<Line> = slice_memory_facts(trace, slice).into_iter().map(line).collect();
    let title = "Memory while it ran, of the whole process".to_owned();
    (!rows.is_empty()).then(|| Listing { title, heads: vec!["Counter", "Change"], rows })
}

fn shown(trace: &Trace, name: StrId) -> &str {
    match trace.names().text(name) {
        "" => "(unnamed)",
        name => name,
    }
}

/// A moment from the start of the trace: by the clock in a run of minutes, else with its unit.
fn moment(trace: &Trace, time: i64) -> String {
    let (first, last) = trace.span().unwrap_or((0, 0));
    let since = Ns(time.saturating_sub(first));
    if last.saturating_sub(first) >= 60_000_000_000 { since.clock() } else { since.to_string() }
}

fn percent(share: f64) -> String {
    let percent = (share * 100.0).round();
    // neither nothing nor "-0"
    if percent == 0.0 { "0 %".to_owned() } else { format!("{percent} %") }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Random, sample, slice, small_trace};
    use super::*;
    use crate::trace::{TraceBuilder, TrackId};

    const SECOND: i64 = 1_000_000_000;

    /// Ten minutes, in which `work` runs for 9 of 10 seconds and 12 MB a minute are lost from 3:00 to 8:00.
    fn leaking() -> Trace {
        let mut builder = TraceBuilder::default();
        let mut random = Random::new(1);
        for second in 0..600 {
            if second % 10 == 0 {
                slice(&mut builder, 1, second * SECOND, Some(9 * SECOND), "work");
            }
            let kept = f64::from((second as i32).clamp(180, 480) - 180) / 60.0 * 12.0;
            let flying = random.between(0, 8_000_000) as f64;
            let allocated = (kept * 1_048_576.0).round() + flying + 200e6;
            sample(&mut builder, "native_allocated", second * SECOND, allocated);
            sample(&mut builder, "comet_memory_reserved_total", second * SECOND + 2_000, 100e6);
        }
        builder.finish().0
    }

    #[test]
    fn the_table_has_numbers_texts_and_a_sentence() {
        let trace = leaking();
        let process = trace.ordered_processes()[0];
        let table = memory_by_function(&trace, process, MemorySource::Allocator).expect("there is one");
        let growth = "Excess grew by 12.1 MB/min between 2:59 and 7:59, 90 % of it while `work` ran.";
        assert_eq!(table.growth, growth);
        assert_eq!((table.source.as_str(), table.process.as_str()), ("native allocator", "process 1"));
        let [work] = &table.rows[..] else { panic!("{:?}", table.rows) };
        assert_eq!((work.function.as_str(), work.calls, work.calls_text.as_str()), ("work", 60, "60"));
        assert_eq!(work.own.value + table.nothing_running.value, table.total.value);
        let excess = table.excess.as_ref().expect("there are pools");
        let own = work.excess.as_ref().expect("there are pools").value;
        assert_eq!(own + excess.nothing_running.value, excess.total.value);
        assert_eq!(work.own.text, Bytes(work.own.value as f64).to_string());
        assert_eq!(work.share_of_excess_growth, Some(own as f64 / excess.total.value as f64));
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json["rows"][0]["own"]["value"], work.own.value);
    }

    #[test]
    fn any_counter_can_be_shared_and_one_that_is_missing_gives_no_table() {
        let mut builder = TraceBuilder::default();
        slice(&mut builder, 1, 0, Some(10), "");
        sample(&mut builder, "queue depth", 0, 1.0);
        sample(&mut builder, "queue depth", 20, 5.0);
        let trace = builder.finish().0;
        let process = trace.ordered_processes()[0];
        assert_eq!(memory_by_function(&trace, process, MemorySource::Allocator), None);
        let source = MemorySource::Counter(trace.processes()[0].counters[0]);
        let table = memory_by_function(&trace, process, source).expect("it is there");
        assert_eq!((table.rows[0].function.as_str(), table.rows[0].own.text.as_str()), ("(unnamed)", "2"));
        assert_eq!((table.nothing_running.text.as_str(), table.total.text.as_str()), ("2", "4"));
        assert_eq!((table.growth.as_str(), table.rows[0].share_text.as_str()), ("", ""));
    }

    #[test]
    fn a_jump_has_no_speed_and_short_runs_have_units() {
        let trace = small_trace();
        let shares = Attribution { total: 0, ..Attribution::default() };
        let growth =
            Growth { from: 2_000, to: 3_000, bytes: 3 << 20, shape: Shape::Jump, shares, follows: None };
        assert_eq!(growth_sentence(&trace, &growth), "Excess jumped by 3.0 MB between 1 µs and 2 µs.");
    }

    #[test]
    fn the_details_of_a_slice_tell_its_memory() {
        let trace = small_trace();
        let at = |depth, index| SliceRef { track: TrackId::from_index(0), lane: 0, depth, index };
        let text = |slice| {
            let facts = slice_memory_facts(&trace, slice);
            facts.into_iter().map(|fact| [fact.label, fact.value].join(": ")).collect::<Vec<_>>()
        };
        assert_eq!(text(at(0, 0)), ["allocator: -47.7 MB (95.4 MB to 47.7 MB, at most 286.1 MB)"]);
        assert_eq!(text(at(2, 0)), ["allocator: -39.1 KB (238.4 MB to 238.4 MB; no sample inside)"]);
    }
}
