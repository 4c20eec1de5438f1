//! What the memory timeline says at the times of a selection, as a table.
//!
//! Promises: the same series and values as the legend under the pointer, whether they are on screen or not.

use crate::trace::Trace;

use super::details::{Line, Listing};
use super::memory_chart::{MemoryChart, Reading};
use super::viewport::Viewport;

/// The values at the start and the end of what is selected; none when there is no series or no value yet.
/// O(series · samples / 64).
pub fn memory_at(chart: &MemoryChart, trace: &Trace, from: i64, to: i64) -> Option<Listing> {
    let (start, end) = (readings(chart, trace, from), readings(chart, trace, to));
    let is_point = from == to;
    let value = |value: String| if value.is_empty() { "none yet".to_owned() } else { value };
    if end.iter().all(|reading| reading.value.is_empty()) {
        return None;
    }
    let line = |(start, end): (Reading, Reading)| {
        let mut cells = vec![start.label, value(start.value)];
        if !is_point {
            cells.push(value(end.value));
        }
        Line { item: None, cells }
    };
    let what = if chart.counts_bytes() { "Memory" } else { "Counters" };
    Some(Listing {
        title: if is_point { format!("{what} at this time") } else { format!("{what} over its time") },
        heads: if is_point { vec!["Series", "Value"] } else { vec!["Series", "At its start", "At its end"] },
        rows: start.into_iter().zip(end).map(line).collect(),
    })
}

fn readings(chart: &MemoryChart, trace: &Trace, time: i64) -> Vec<Reading> {
    // a view of a nanosecond holds that time and nothing else
    let view = Viewport::exactly(time, 1.0, 1.0);
    chart.data(trace, &view, 0.0).readings(&view, Some(0.0))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{sample, small_trace};
    use super::*;
    use crate::trace::TraceBuilder;

    fn table(trace: &Trace, from: i64, to: i64) -> Vec<String> {
        let mut chart = MemoryChart::default();
        chart.update(trace, true);
        let rows = memory_at(&chart, trace, from, to).map_or(Vec::new(), |list| list.rows);
        rows.iter().map(|line| line.cells.join(" | ")).collect()
    }

    #[test]
    fn memory_is_told_where_a_selection_starts_and_ends() {
        let trace = small_trace();
        assert_eq!(table(&trace, 3_000, 8_000), ["allocator | 286.1 MB | 47.7 MB"]);
        assert_eq!(table(&trace, 2_999, 3_001), ["allocator | 95.4 MB | 238.4 MB"]);
        assert_eq!(table(&trace, 500, 1_000), ["allocator | none yet | 95.4 MB"]);
        assert_eq!(table(&trace, 5_000, 5_000), ["allocator | 238.4 MB"]);
        assert_eq!(table(&trace, 0, 999), [""; 0]);
        assert_eq!(table(&Trace::default(), 0, 10), [""; 0]);
    }

    #[test]
    fn pools_are_added_up_and_compared_as_in_the_legend() {
        let mut builder = TraceBuilder::default();
        sample(&mut builder, "jemalloc_allocated", 0, 10e6);
        sample(&mut builder, "thread_1_comet_memory_reserved", 10, 2e6);
        sample(&mut builder, "thread_2_comet_memory_reserved", 20, 3e6);
        sample(&mut builder, "thread_1_comet_memory_reserved", 30, 1e6);
        let trace = builder.finish().0;
        assert_eq!(
            table(&trace, 25, 1_000_000),
            [
                "allocator | 9.5 MB | 9.5 MB",
                "sum of pools | 4.8 MB | 3.8 MB",
                "not reserved | 4.8 MB | 5.7 MB"
            ]
        );
    }
}
