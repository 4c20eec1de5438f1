//! One event, one line, with exactly the spaces of Comet's recorder.
//!
//! ```text
//! { "name": "executePlan", "cat": "PERF", "ph": "B", "pid": 1, "tid": 60, "ts": 1082 },
//! { "name": "jvm_heap_used", "cat": "PERF", "ph": "C", "pid": 1, "tid": 60, "ts": 1090, "args": { "jvm_heap_used": 392793282 } },
//! ```
//!
//! Promises: each call appends one whole line with its comma and newline.
//! Does not: escape names (nor does the recorder), check order, or write `[`.

use super::comet_plans::Span;

/// Where and when an event was logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    /// Rust's number of the thread.
    pub(super) tid: u32,
    /// Microseconds since the recorder was created.
    pub(super) ts_us: u64,
}

/// What a counter counts; all values are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    JemallocAllocated,
    NativeAllocated,
    /// The pools registered on one thread.
    ThreadReserved,
    ReservedTotal,
    JvmHeapUsed,
    JvmArrowAllocated,
    JvmArrowImported,
    /// The columnar shuffle's allocator of one thread.
    ThreadJvmShuffle,
}

/// Appends the begin of a span.
pub(super) fn begin(out: &mut Vec<u8>, span: Span, stamp: Stamp) {
    span_line(out, span, b"\", \"cat\": \"PERF\", \"ph\": \"B\", \"pid\": 1, \"tid\": ", stamp);
}

/// Appends the end of a span.
pub(super) fn end(out: &mut Vec<u8>, span: Span, stamp: Stamp) {
    span_line(out, span, b"\", \"cat\": \"PERF\", \"ph\": \"E\", \"pid\": 1, \"tid\": ", stamp);
}

fn span_line(out: &mut Vec<u8>, span: Span, middle: &[u8], stamp: Stamp) {
    out.extend_from_slice(b"{ \"name\": \"");
    match span {
        Span::Named(name) => out.extend_from_slice(name.as_bytes()),
        Span::NextBatch(stage) => {
            out.extend_from_slice(Span::NEXT_BATCH.as_bytes());
            number(out, u64::from(stage));
        }
    }
    out.extend_from_slice(middle);
    number(out, u64::from(stamp.tid));
    out.extend_from_slice(b", \"ts\": ");
    number(out, stamp.ts_us);
    out.extend_from_slice(b" },\n");
}

/// Appends a counter's value. `owner` is the thread that a `thread_N_…` counter is about,
/// which need not be the thread that logs it.
pub(super) fn counter(out: &mut Vec<u8>, counter: Counter, owner: u32, stamp: Stamp, bytes: u64) {
    out.extend_from_slice(b"{ \"name\": \"");
    let name_start = out.len();
    counter_name(out, counter, owner);
    let name = name_start..out.len();
    out.extend_from_slice(b"\", \"cat\": \"PERF\", \"ph\": \"C\", \"pid\": 1, \"tid\": ");
    number(out, u64::from(stamp.tid));
    out.extend_from_slice(b", \"ts\": ");
    number(out, stamp.ts_us);
    out.extend_from_slice(b", \"args\": { \"");
    out.extend_from_within(name);
    out.extend_from_slice(b"\": ");
    number(out, bytes);
    out.extend_from_slice(b" } },\n");
}

fn counter_name(out: &mut Vec<u8>, counter: Counter, owner: u32) {
    let (thread, name) = match counter {
        Counter::JemallocAllocated => (false, "jemalloc_allocated"),
        Counter::NativeAllocated => (false, "native_allocated"),
        Counter::ThreadReserved => (true, "_comet_memory_reserved"),
        Counter::ReservedTotal => (false, "comet_memory_reserved_total"),
        Counter::JvmHeapUsed => (false, "jvm_heap_used"),
        Counter::JvmArrowAllocated => (false, "jvm_arrow_allocated"),
        Counter::JvmArrowImported => (false, "jvm_arrow_imported"),
        Counter::ThreadJvmShuffle => (true, "_comet_jvm_shuffle"),
    };
    if thread {
        out.extend_from_slice(b"thread_");
        number(out, u64::from(owner));
    }
    out.extend_from_slice(name.as_bytes());
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] += (value % 10) as u8; // below 10
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_recorders_spaces() {
        let mut out = Vec::new();
        let stamp = Stamp { tid: 62, ts_us: 1058 };
        begin(&mut out, Span::NextBatch(10), stamp);
        end(&mut out, Span::Named("createPlan"), Stamp { tid: 7, ts_us: 0 });
        counter(&mut out, Counter::ThreadReserved, 60, stamp, u64::MAX);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{ "name": "getNextBatch[JVM] stage=10", "cat": "PERF", "ph": "B", "pid": 1, "tid": 62, "ts": 1058 },
{ "name": "createPlan", "cat": "PERF", "ph": "E", "pid": 1, "tid": 7, "ts": 0 },
{ "name": "thread_60_comet_memory_reserved", "cat": "PERF", "ph": "C", "pid": 1, "tid": 62, "ts": 1058, "args": { "thread_60_comet_memory_reserved": 18446744073709551615 } },
"#
        );
    }
}
