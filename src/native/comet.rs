//! Reads a Comet trace for its memory report: the file's lines in their order, and nothing of them kept.
//!
//! Promises: memory for a block and for what the report lists, never for the file.

use std::path::Path;

use super::reader::{LoadError, for_each_block};
use crate::analysis::memory::MemoryAnalysis;
use crate::import::comet_lines::{CometLines, CounterEvent, CounterValue, Skipped};

/// Gathers what the memory report of the trace at `path` needs, or of stdin when that is `-`.
pub fn analyze_memory(path: &Path) -> Result<(MemoryAnalysis, Skipped), LoadError> {
    let (mut lines, mut analysis) = (CometLines::default(), MemoryAnalysis::default());
    let mut take = |event: &CounterEvent<'_>| {
        let value = event.value.map(CounterValue::as_counted);
        analysis.take(&event.name, event.ts, event.tid, value);
    };
    for_each_block(path, |block| lines.feed(block, &mut take))?;
    lines.finish(&mut take);
    Ok((analysis, lines.skipped().clone()))
}
