//! The engine's part in the memory report: reads Comet's counters beside the importer, from the same bytes.
//!
//! Does not do: sentences (see `view::memory_words`), rules (see `analysis::memory`).

use wasm_bindgen::prelude::*;

use crate::analysis::memory::{MemoryAnalysis, Point};
use crate::export::MemoryOfFile;
use crate::import::comet_lines::{CometLines, CounterEvent, CounterValue};
use crate::view::{Item, MemoryWords, SortedRow, SortedTable, memory_words, point_time};

use super::convert::{self, list, object};
use super::engine::Engine;

/// What is known of a file's memory.
#[derive(Default)]
pub(super) struct FileMemory {
    name: String,
    lines: CometLines,
    analysis: MemoryAnalysis,
}

impl FileMemory {
    pub(super) fn new(name: &str) -> Self {
        FileMemory { name: name.to_owned(), ..FileMemory::default() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.lines.feed(bytes, |event| count(&mut self.analysis, event));
    }

    pub(super) fn finish(&mut self) {
        self.lines.finish(|event| count(&mut self.analysis, event));
    }

    fn of_file(&self) -> MemoryOfFile {
        let skipped = self.lines.skipped().iter().collect();
        MemoryOfFile { file: self.name.clone(), report: self.analysis.report(None), skipped }
    }
}

fn count(analysis: &mut MemoryAnalysis, event: &CounterEvent<'_>) {
    analysis.take(&event.name, event.ts, event.tid, event.value.map(CounterValue::as_counted));
}

#[wasm_bindgen]
impl Engine {
    /// The report as `analyze_trace --json` prints it.
    pub fn memory_json(&self) -> String {
        let files = self.memory.iter().map(FileMemory::of_file);
        let served: Vec<String> =
            files.filter(|file| !file.report.lacks_allocation_counter()).map(|file| file.json()).collect();
        format!("[{}]", served.join(","))
    }

    /// The report of each file that has one, in words.
    pub fn memory_report(&self) -> JsValue {
        list(self.reports().iter().map(words))
    }
}

impl Engine {
    /// True when there is anything to report.
    pub(super) fn has_report(&self) -> bool {
        self.files_with_memory().next().is_some()
    }

    /// Times of the points at which more was allocated than reserved, in ns, ascending, and the one of the most.
    pub(super) fn excess_times(&self) -> (Vec<i64>, Option<i64>) {
        let points: Vec<Point> =
            self.memory.iter().flat_map(|file| file.analysis.report(None).points).collect();
        let peak = points.iter().max_by_key(|point| point.excess()).map(|point| point_time(point.ts_us));
        let mut times: Vec<i64> = points.iter().map(|point| point_time(point.ts_us)).collect();
        times.sort_unstable();
        times.dedup();
        (times, peak)
    }

    fn reports(&self) -> Vec<MemoryWords> {
        self.files_with_memory()
            .map(|(source, file)| memory_words(self.trace(), source, &file.report, &file.skipped))
            .collect()
    }

    /// Files that have something of Comet's in them, with the number of their source.
    fn files_with_memory(&self) -> impl Iterator<Item = (usize, MemoryOfFile)> {
        let sources = self.trace().sources().iter().enumerate();
        let files = sources.filter_map(|(at, source)| Some((at, self.memory.get(source.input)?.of_file())));
        files.filter(|(_, file)| {
            file.report.allocation_counter.is_some() || file.report.threads_with_pools > 0
        })
    }
}

fn words(of: &MemoryWords) -> JsValue {
    object([
        ("title", of.title.as_str().into()),
        ("sentences", list(of.sentences.iter().map(String::as_str))),
        ("facts", convert::plain(&Some(&of.facts))),
        ("tables", list(of.tables.iter().map(table))),
    ])
}

fn table(of: &SortedTable) -> JsValue {
    let row = |row: &SortedRow| {
        object([
            ("item", row.item.map_or(JsValue::UNDEFINED, Item::to_js)),
            ("cells", list(row.cells.iter().map(String::as_str))),
            ("keys", list(row.keys.iter().copied())),
        ])
    };
    object([
        ("title", of.title.as_str().into()),
        ("about", of.about.as_str().into()),
        ("heads", list(of.heads.iter().map(String::as_str))),
        ("rows", list(of.rows.iter().map(row))),
        ("sums", list(of.sums.iter().map(|sum| list(sum.iter().map(String::as_str))))),
    ])
}
