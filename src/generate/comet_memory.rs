//! The memory of an invented executor: pools, the allocator above them, the JVM's heap.
//!
//! Promises: `allocated` is what the pools hold, a tenth more, what batches in flight take,
//! and what is kept for good; so a call that keeps n bytes raises it by exactly n.
//! Does not: model pages, fragmentation or a limit; nothing here ever fails.
//!
//! ```text
//! allocated  ──╭────╮──╭──────   base + pools + 1/10 + in flight + kept
//! pools      ──╯    ╰──╯         what the tasks reserved
//! ```

use super::comet_lines::Counter;
use super::random::Random;

/// Most task threads a trace can have.
pub(super) const MAX_THREADS: usize = 16;

const MIB: u64 = 1 << 20;
/// What the process allocates before the first task.
const BASE: u64 = 38 * MIB;
/// Where the garbage collector steps in.
const HEAP_LIMIT: u64 = 3 * 1024 * MIB;

/// One executor's memory; all amounts in bytes.
pub(super) struct Memory {
    pools: [u64; MAX_THREADS],
    in_flight: [u64; MAX_THREADS],
    jvm_shuffle: [u64; MAX_THREADS],
    /// Which threads hold on to the stage's shared pool.
    sharing: [bool; MAX_THREADS],
    shared_pool: u64,
    kept: u64,
    heap: u64,
}

impl Memory {
    pub(super) fn new(random: &mut Random) -> Self {
        Self {
            pools: [0; MAX_THREADS],
            in_flight: [0; MAX_THREADS],
            jvm_shuffle: [0; MAX_THREADS],
            sharing: [false; MAX_THREADS],
            shared_pool: 0,
            kept: 0,
            heap: random.between(250 * MIB, 450 * MIB),
        }
    }

    /// Sets what the thread's own pool holds.
    pub(super) fn reserve(&mut self, thread: usize, bytes: u64) {
        self.pools[thread] = bytes;
    }

    /// Registers a pool of `bytes` that every sharing thread reports in full.
    pub(super) fn share(&mut self, thread: usize, bytes: u64) {
        self.sharing[thread] = bytes > 0;
        self.shared_pool = self.shared_pool.max(bytes);
    }

    /// Sets what the thread's current batch takes beside its pool.
    pub(super) fn carry(&mut self, thread: usize, bytes: u64) {
        self.in_flight[thread] = bytes;
    }

    /// The thread's last plan goes, and with it what it had reserved.
    pub(super) fn release(&mut self, thread: usize) {
        self.pools[thread] = 0;
        self.in_flight[thread] = 0;
        self.sharing[thread] = false;
        if !self.sharing.contains(&true) {
            self.shared_pool = 0;
        }
    }

    /// Adds rows to the thread's columnar shuffle.
    pub(super) fn fill_shuffle(&mut self, thread: usize, bytes: u64) {
        self.jvm_shuffle[thread] += bytes;
    }

    /// The thread's columnar shuffle was written out.
    pub(super) fn empty_shuffle(&mut self, thread: usize) {
        self.jvm_shuffle[thread] = 0;
    }

    /// Bytes that are allocated for good and belong to no pool.
    pub(super) fn keep(&mut self, bytes: u64) {
        self.kept += bytes;
    }

    /// Keeps as many bytes as are missing to `bytes` in all.
    pub(super) fn keep_up_to(&mut self, bytes: u64) {
        self.kept = self.kept.max(bytes);
    }

    /// What the counter would log now on this thread.
    pub(super) fn read(&mut self, counter: Counter, thread: usize, random: &mut Random) -> u64 {
        match counter {
            Counter::JemallocAllocated => self.allocated(),
            Counter::NativeAllocated => self.requested(),
            Counter::ThreadReserved => self.reserved(thread),
            Counter::ReservedTotal => self.reserved_total(),
            Counter::JvmHeapUsed => self.heap_used(random),
            Counter::JvmArrowAllocated => MIB + self.flying() / 3,
            Counter::JvmArrowImported => self.flying() / 2,
            Counter::ThreadJvmShuffle => self.jvm_shuffle[thread],
        }
    }

    fn reserved(&self, thread: usize) -> u64 {
        self.pools[thread] + if self.sharing[thread] { self.shared_pool } else { 0 }
    }

    fn reserved_total(&self) -> u64 {
        self.pools.iter().sum::<u64>() + self.shared_pool
    }

    /// What the allocator says, rounding to its size classes included.
    fn allocated(&self) -> u64 {
        let reserved = self.reserved_total();
        BASE + reserved + reserved / 10 + self.flying() + self.kept
    }

    /// What the program asked for: a little less.
    fn requested(&self) -> u64 {
        let reserved = self.reserved_total();
        BASE + reserved + reserved / 12 + self.flying() + self.kept - MIB
    }

    /// The heap after some more garbage: a saw-tooth.
    fn heap_used(&mut self, random: &mut Random) -> u64 {
        self.heap += random.skewed(3 * MIB, 3);
        if self.heap > HEAP_LIMIT {
            self.heap = random.between(500 * MIB, 800 * MIB);
        }
        self.heap
    }

    fn flying(&self) -> u64 {
        self.in_flight.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_pool_is_reported_by_each_thread_and_counted_once() {
        let mut memory = Memory::new(&mut Random::new(1));
        memory.reserve(0, 100);
        memory.share(0, 7);
        memory.share(1, 7);
        assert_eq!([memory.reserved(0), memory.reserved(1), memory.reserved(2)], [107, 7, 0]);
        assert_eq!(memory.reserved_total(), 107);
        memory.release(0);
        assert_eq!(memory.reserved_total(), 7);
        memory.release(1);
        assert_eq!(memory.reserved_total(), 0);
    }

    #[test]
    fn kept_bytes_raise_the_allocator_by_exactly_as_much() {
        let mut memory = Memory::new(&mut Random::new(1));
        let (allocated, requested) = (memory.allocated(), memory.requested());
        memory.keep(12_345);
        assert_eq!(memory.allocated() - allocated, 12_345);
        assert_eq!(memory.requested() - requested, 12_345);
        assert_eq!(memory.reserved_total(), 0);
    }

    #[test]
    fn the_heap_rises_and_falls() {
        let mut random = Random::new(1);
        let mut memory = Memory::new(&mut random);
        let heap: Vec<u64> = (0..5_000).map(|_| memory.heap_used(&mut random)).collect();
        let falls = heap.windows(2).filter(|pair| pair[1] < pair[0]).count();
        assert!((3..30).contains(&falls), "{falls} collections");
        assert!(heap.iter().all(|&used| used <= HEAP_LIMIT));
    }
}
