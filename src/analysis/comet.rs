//! Which of Comet's counters a name is, and what it stands for when counters are compared.
//!
//! Promises: a counter is recognised by its whole name, in every version of Comet's recorder.
//! Does not do: units (old whole megabytes are bytes in the trace already), words for people.

use crate::trace::{CounterId, ProcessId, Trace};

/// What a counter stands for when counters are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What the process has allocated.
    Allocated,
    /// What the pools have reserved, by the process's own count.
    Reserved,
    /// What the pools have reserved, added up here.
    ReservedSum,
    /// Anything else.
    Other,
}

/// A kind of counter that Comet records; the first of two that say the same is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CometCounter {
    /// What native code has allocated.
    NativeAllocated,
    /// What jemalloc has handed out.
    JemallocAllocated,
    /// All pools of the process, shared ones once.
    ReservedTotal,
    /// The pools of one thread.
    ThreadReserved,
    /// The Java heap.
    JvmHeap,
    /// A columnar shuffle writer's memory.
    JvmShuffle,
    /// Arrow on the JVM side.
    ArrowAllocated,
    /// Arrow arrays that came from native code.
    ArrowImported,
    /// Spark's task memory manager.
    SparkTask,
}

impl CometCounter {
    /// Every kind, in the order of a legend.
    pub const ALL: [CometCounter; 9] = [
        CometCounter::NativeAllocated,
        CometCounter::JemallocAllocated,
        CometCounter::ReservedTotal,
        CometCounter::ThreadReserved,
        CometCounter::JvmHeap,
        CometCounter::JvmShuffle,
        CometCounter::ArrowAllocated,
        CometCounter::ArrowImported,
        CometCounter::SparkTask,
    ];

    /// The kind of the counter of this name; `None` for one that is not Comet's.
    pub fn of(name: &str) -> Option<CometCounter> {
        let kind = match name {
            "native_allocated" => CometCounter::NativeAllocated,
            "jemalloc_allocated" => CometCounter::JemallocAllocated,
            "comet_memory_reserved_total" => CometCounter::ReservedTotal,
            "jvm_heap_used" | "jvm_heapUsed" => CometCounter::JvmHeap,
            "jvm_arrow_allocated" => CometCounter::ArrowAllocated,
            "jvm_arrow_imported" => CometCounter::ArrowImported,
            name if is_numbered(name, "thread_", "_comet_memory_reserved") => CometCounter::ThreadReserved,
            name if is_numbered(name, "task_memory_comet_", "") => CometCounter::ThreadReserved,
            name if is_numbered(name, "thread_", "_comet_jvm_shuffle") => CometCounter::JvmShuffle,
            name if is_numbered(name, "comet_shuffle_", "") => CometCounter::JvmShuffle,
            name if is_numbered(name, "task_memory_spark_", "") => CometCounter::SparkTask,
            _ => return None,
        };
        Some(kind)
    }

    /// What it stands for in comparisons.
    pub fn role(self) -> Role {
        match self {
            CometCounter::NativeAllocated | CometCounter::JemallocAllocated => Role::Allocated,
            CometCounter::ReservedTotal => Role::Reserved,
            CometCounter::ThreadReserved => Role::ReservedSum,
            _ => Role::Other,
        }
    }

    /// The counters of this kind in `process`, in the order in which they appeared.
    pub fn in_process(self, trace: &Trace, process: ProcessId) -> Vec<CounterId> {
        let is_it = |id: &CounterId| {
            let group = trace.counter_group(&trace.counters()[id.index()]);
            CometCounter::of(trace.names().text(group.name)) == Some(self)
        };
        trace.process(process).counters.iter().copied().filter(is_it).collect()
    }
}

/// True for a name of this form with a number between its ends.
fn is_numbered(name: &str, start: &str, end: &str) -> bool {
    let number = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
