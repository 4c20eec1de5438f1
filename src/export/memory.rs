//! The Comet memory report as text, as JSON, and of several files as a table.
//!
//! Promises: by rules v1 the text is that of Comet's own `analyze_trace`, byte for byte;
//! by rules v4 too, but for its notices; JSON keys never change.
//! Does not do: deciding which rules; the report comes with them.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::memory::{MemoryReport, POOL_TOTAL, PoolSource, Rules};
use crate::json;

/// A file's report and what was skipped in it: reason and count.
#[derive(Clone, Debug)]
pub struct MemoryOfFile {
    /// The name as given.
    pub file: String,
    /// The report.
    pub report: MemoryReport,
    /// What was skipped.
    pub skipped: Vec<(&'static str, u64)>,
}

/// What stands in a report by rules v4 when the file has no total.
const SUM_NOTICE: &str = "\
WARNING: without comet_memory_reserved_total in the file, reservations are added up thread by thread.
  A pool that several threads share is in the sum once for each of them, which makes it too large.
  A thread is in the sum only from its first own report on, which makes it too small before.
  So what follows can be wrong either way, most of all the excess.
  Traces of newer versions of Comet have the total.
";

/// Bytes as the report writes them: in MB of 1,048,576 with one decimal, ties to even.
fn mb(bytes: u64) -> String {
    // the division is exact, and so is the rounding of the decimal text
    format!("{:.1} MB", bytes as f64 / 1_048_576.0)
}

/// Writes the report of one file.
pub fn write_memory_report(mut out: impl Write, report: &MemoryReport) -> io::Result<()> {
    // rules v1 know one counter, and call it by half its name in some places
    let (counter, peak, width) = match report.rules {
        Rules::V1 => ("jemalloc", "jemalloc allocated", 14),
        Rules::V4 => {
            let counter = report.allocation_counter.unwrap_or_default();
            (counter, counter, 18)
        }
    };
    writeln!(out, "=== Comet Trace Memory Analysis ===\n")?;
    writeln!(out, "Counter events parsed: {}", report.counter_events)?;
    match (report.rules, report.pool_source) {
        (Rules::V1, _) => writeln!(out, "Threads with memory pools: {}", report.threads_with_pools)?,
        (Rules::V4, source) => {
            writeln!(out, "Allocation counter:    {counter}")?;
            match source {
                PoolSource::Total => writeln!(out, "Pool total source:     {POOL_TOTAL} (process-wide)")?,
                PoolSource::Sum => {
                    let threads = report.threads_with_pools;
                    write!(out, "Pool total source:     sum of {threads} per-thread counters\n{SUM_NOTICE}")?;
                }
            }
        }
    }
    writeln!(out, "Peak {peak}:   {}", mb(report.peak_allocated))?;
    writeln!(out, "Peak pool total:           {}", mb(report.peak_pool_total))?;
    writeln!(out, "Peak excess ({counter} - pool): {}\n", mb(report.peak_excess))?;
    if report.rules == Rules::V4 && report.comparisons == 0 {
        writeln!(out, "{}", nothing_to_compare(report.pool_source))?;
    } else if report.points.is_empty() {
        writeln!(out, "OK: {counter} never exceeded the total pool reservation.")?;
    } else {
        let count = report.points.len();
        writeln!(out, "WARNING: {counter} exceeded pool reservation at {count} sampled points:\n")?;
        writeln!(out, "{:>14}  {counter:>width$}  {:>14}  {:>14}", "Time (us)", "pool_total", "excess")?;
        writeln!(out, "{}", "-".repeat(48 + width))?;
        for point in &report.points {
            let [allocated, total, excess] = [point.allocated, point.pool_total, point.excess()].map(mb);
            writeln!(out, "{:>14}  {allocated:>width$}  {total:>14}  {excess:>14}", point.ts_us)?;
        }
    }
    writeln!(out, "\n--- Final per-thread pool reservations ---\n")?;
    for (name, bytes) in &report.final_pools {
        writeln!(out, "  {name}: {}", mb(*bytes))?;
    }
    writeln!(out, "\n  Total: {}", mb(report.final_total))
}

fn nothing_to_compare(source: PoolSource) -> &'static str {
    match source {
        PoolSource::Sum => "NOTHING TO COMPARE: no thread has reported the reservation of its pools.",
        PoolSource::Total => {
            "NOTHING TO COMPARE: no total follows what was allocated as reported by the same thread."
        }
    }
}

/// Writes what the reports say in a line each.
pub fn write_memory_table(mut out: impl Write, files: &[MemoryOfFile]) -> io::Result<()> {
    let mut rows = vec![
        [
            "File",
            "Allocation counter",
            "Peak allocated",
            "Peak pool total",
            "Peak excess",
            "Points",
            "Final total",
        ]
        .map(str::to_owned),
    ];
    rows.extend(files.iter().map(|MemoryOfFile { file, report, .. }| {
        let counter = report.allocation_counter.unwrap_or("none").to_owned();
        let [allocated, pools, excess, last] =
            [report.peak_allocated, report.peak_pool_total, report.peak_excess, report.final_total].map(mb);
        [file.clone(), counter, allocated, pools, excess, report.points.len().to_string(), last]
    }));
    let widths: Vec<usize> =
        (0..7).map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
    writeln!(out, "=== All files ===\n")?;
    for (nth, row) in rows.iter().enumerate() {
        let [first, second] = [0, 1].map(|at| format!("{:<1$}", row[at], widths[at]));
        write!(out, "{first}  {second}")?;
        for at in 2..7 {
            write!(out, "  {:>1$}", row[at], widths[at])?;
        }
        writeln!(out)?;
        if nth == 0 {
            writeln!(out, "{}", "-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1)))?;
        }
    }
    Ok(())
}

impl MemoryOfFile {
    /// One JSON object on one line.
    pub fn json(&self) -> String {
        let MemoryOfFile { file, report, skipped } = self;
        let mut out = String::from("{\"file\":");
        json::push_string(&mut out, file);
        let rules = match report.rules {
            Rules::V1 => "v1",
            Rules::V4 => "v4",
        };
        let source = match report.pool_source {
            PoolSource::Sum => "per_thread_sum",
            PoolSource::Total => POOL_TOTAL,
        };
        let _ = write!(out, ",\"rules\":\"{rules}\",\"counter_events\":{}", report.counter_events);
        out.push_str(",\"allocation_counter\":");
        match report.allocation_counter {
            Some(counter) => json::push_string(&mut out, counter),
            None => out.push_str("null"),
        }
        let _ = write!(out, ",\"pool_source\":\"{source}\"");
        for (key, number) in [
            ("threads_with_pools", report.threads_with_pools),
            ("peak_allocated", report.peak_allocated),
            ("peak_pool_total", report.peak_pool_total),
            ("peak_excess", report.peak_excess),
        ] {
            let _ = write!(out, ",\"{key}\":{number}");
        }
        push_list(&mut out, "points", &report.points, |out, point| {
            let (ts, allocated, total, excess) =
                (point.ts_us, point.allocated, point.pool_total, point.excess());
            let _ = write!(
                out,
                "{{\"ts_us\":{ts},\"allocated\":{allocated},\"pool_total\":{total},\"excess\":{excess}}}"
            );
        });
        push_list(&mut out, "final", &report.final_pools, |out, (name, bytes)| {
            out.push_str("{\"name\":");
            json::push_string(out, name);
            let _ = write!(out, ",\"bytes\":{bytes}}}");
        });
        let _ = write!(out, ",\"final_total\":{},\"skipped\":{{", report.final_total);
        for (at, (reason, count)) in skipped.iter().enumerate() {
            let _ = write!(out, "{}\"{reason}\":{count}", if at > 0 { "," } else { "" });
        }
        out.push_str("}}");
        out
    }
}

fn push_list<T>(out: &mut String, key: &str, items: &[T], push: impl Fn(&mut String, &T)) {
    let _ = write!(out, ",\"{key}\":[");
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        push(out, item);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn megabytes_are_rounded_to_one_decimal_and_ties_to_even() {
        let cases = [
            (0, "0.0 MB"),
            (52_428, "0.0 MB"),
            (52_429, "0.1 MB"),
            (262_144, "0.2 MB"),
            (786_432, "0.8 MB"),
            (1_310_720, "1.2 MB"),
            (1_835_008, "1.8 MB"),
            (321_703_117, "306.8 MB"),
            (u64::MAX, "17592186044416.0 MB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(mb(bytes), text, "{bytes}");
        }
    }
}
