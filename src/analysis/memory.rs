//! The Comet memory report: what the process had allocated against what its memory pools had reserved.
//!
//! Events go in as they stand in the file; the report can be asked for at any time, by either set of rules.
//!
//! ```text
//! v1   jemalloc_allocated  against  the sum of thread_N_comet_memory_reserved, after each event of either
//! v4   native_allocated, or jemalloc_allocated where there is none,
//!      against  comet_memory_reserved_total of the same thread, right behind it; or the sum as above where there is none
//! ```
//!
//! Promises: one pass for both, numbers as Comet's own `analyze_trace` gives them; sums wrap as they do there.
//! Keeps: the points that the report lists, one number for each pool and each thread. Knows nothing of: text, files.

use std::collections::{BTreeMap, HashMap};

/// The counters of what the process has allocated, the most preferred first.
pub const ALLOCATION_COUNTERS: [&str; 2] = ["native_allocated", JEMALLOC];
/// The counter of what all pools of the process have reserved together.
pub const POOL_TOTAL: &str = "comet_memory_reserved_total";
/// What the names of pools have in them.
const POOL: &str = "comet_memory_reserved";
const JEMALLOC: &str = "jemalloc_allocated";
/// A point is listed when it is later than the last one by more than this, in µs; a highest one always.
const APART_US: u64 = 1_000_000;

/// Which of Comet's rules a report follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// As first released: allocation against the sum of all pools.
    V1,
    /// As of September 2026: pairs of one thread, where the file has totals.
    V4,
}

/// What allocation is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolSource {
    /// The sum of the last values of all pools.
    Sum,
    /// The counter of the whole process.
    Total,
}

/// A moment at which more was allocated than reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// When, as the file has it.
    pub ts_us: u64,
    /// Bytes allocated.
    pub allocated: u64,
    /// Bytes reserved.
    pub pool_total: u64,
}

impl Point {
    /// By how many bytes more.
    pub fn excess(&self) -> u64 {
        self.allocated.saturating_sub(self.pool_total)
    }
}

/// The report. Sizes are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    /// The rules it follows.
    pub rules: Rules,
    /// Events of any counter.
    pub counter_events: u64,
    /// The counter of what was allocated; none when the file has none.
    pub allocation_counter: Option<&'static str>,
    /// What it was held against.
    pub pool_source: PoolSource,
    /// Pools by name; each is a thread's.
    pub threads_with_pools: u64,
    /// The most that was allocated.
    pub peak_allocated: u64,
    /// The most that was reserved.
    pub peak_pool_total: u64,
    /// The most by which allocation exceeded reservation.
    pub peak_excess: u64,
    /// How often the two could be compared by rules v4; by rules v1 nothing to compare is no excess.
    pub comparisons: u64,
    /// Moments of excess: each new or repeated peak, and others more than a second apart.
    pub points: Vec<Point>,
    /// The last value of each pool, by the bytes of their names.
    pub final_pools: Vec<(String, u64)>,
    /// The last total.
    pub final_total: u64,
}

impl MemoryReport {
    /// True when rules v4 give no report: without a counter of allocation "no excess" would be false.
    pub fn lacks_allocation_counter(&self) -> bool {
        self.rules == Rules::V4 && self.allocation_counter.is_none()
    }
}

/// Gathers what a report needs.
#[derive(Clone, Debug, Default)]
pub struct MemoryAnalysis {
    counter_events: u64,
    /// A counter was met that rules v1 do not know.
    has_newer_counters: bool,
    pools: Pools,
    first: FirstRules,
    paired: PairedRules,
}

/// The last value of every counter that has the name of a pool, that of the total included.
#[derive(Clone, Debug, Default)]
struct Pools {
    values: BTreeMap<String, u64>,
    sum: u64,
    /// The last value of [`POOL_TOTAL`], which is among the others too.
    total: Option<u64>,
}

impl Pools {
    fn set(&mut self, name: &str, value: u64) {
        let old = match self.values.get_mut(name) {
            Some(place) => std::mem::replace(place, value),
            None => self.values.insert(name.to_owned(), value).unwrap_or(0),
        };
        self.sum = self.sum.wrapping_sub(old).wrapping_add(value);
    }

    /// The sum of the threads' pools and how many they are, without the total.
    fn of_threads(&self) -> (u64, u64) {
        let count = self.values.len() as u64 - u64::from(self.total.is_some());
        (self.sum.wrapping_sub(self.total.unwrap_or(0)), count)
    }
}

/// What comparisons of allocation and reservation gave.
#[derive(Clone, Debug, Default)]
struct Excess {
    comparisons: u64,
    peak_total: u64,
    peak: u64,
    points: Vec<Point>,
}

impl Excess {
    fn see_total(&mut self, total: u64) {
        self.peak_total = self.peak_total.max(total);
    }

    fn compare(&mut self, ts_us: u64, allocated: u64, pool_total: u64) {
        self.comparisons += 1;
        if allocated <= pool_total {
            return;
        }
        let point = Point { ts_us, allocated, pool_total };
        self.peak = self.peak.max(point.excess());
        let is_apart = |last: &Point| ts_us.saturating_sub(last.ts_us) > APART_US;
        if self.points.last().is_none_or(is_apart) || point.excess() == self.peak {
            self.points.push(point);
        }
    }
}

/// Rules v1.
#[derive(Clone, Debug, Default)]
struct FirstRules {
    is_counter_seen: bool,
    allocated: u64,
    peak_allocated: u64,
    excess: Excess,
}

/// Rules v4.
#[derive(Clone, Debug, Default)]
struct PairedRules {
    /// The place of the counter in [`ALLOCATION_COUNTERS`].
    counter: Option<usize>,
    allocated: u64,
    peak_allocated: u64,
    /// By thread, what it had last reported as allocated, until its total comes.
    waiting: HashMap<u64, u64>,
    pairs: Excess,
    sums: Excess,
}

/// What a counter is to the report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The place in [`ALLOCATION_COUNTERS`].
    Allocation(usize),
    Total,
    Pool,
    Other,
}

impl Role {
    fn of(name: &str) -> Role {
        if let Some(place) = ALLOCATION_COUNTERS.iter().position(|counter| *counter == name) {
            Role::Allocation(place)
        } else if name == POOL_TOTAL {
            Role::Total
        } else if name.ends_with(POOL) || name.contains(POOL) {
            Role::Pool
        } else {
            Role::Other
        }
    }
}

impl MemoryAnalysis {
    /// Takes an event of a counter; `value` is what its arguments have under its own name, if they have it.
    pub fn take(&mut self, name: &str, ts: u64, tid: u64, value: Option<u64>) {
        self.counter_events += 1;
        let role = Role::of(name);
        match role {
            Role::Allocation(place) => self.has_newer_counters |= ALLOCATION_COUNTERS[place] != JEMALLOC,
            Role::Total => self.has_newer_counters = true,
            Role::Pool => {}
            Role::Other => return,
        }
        if let (Role::Total | Role::Pool, Some(value)) = (role, value) {
            self.pools.set(name, value);
            if role == Role::Total {
                self.pools.total = Some(value);
            }
        }
        self.first.take(role, ts, value, self.pools.sum);
        self.paired.take(role, ts, tid, value, self.pools.of_threads());
    }

    /// The report by the given rules; by default v1 as long as the file has only counters that those know.
    pub fn report(&self, rules: Option<Rules>) -> MemoryReport {
        match rules.unwrap_or(if self.has_newer_counters { Rules::V4 } else { Rules::V1 }) {
            Rules::V1 => self.first_report(),
            Rules::V4 => self.paired_report(),
        }
    }

    fn first_report(&self) -> MemoryReport {
        let FirstRules { is_counter_seen, peak_allocated, excess, .. } = &self.first;
        let pools = self.pools.values.iter();
        MemoryReport {
            rules: Rules::V1,
            counter_events: self.counter_events,
            allocation_counter: is_counter_seen.then_some(JEMALLOC),
            pool_source: PoolSource::Sum,
            threads_with_pools: pools.len() as u64,
            peak_allocated: *peak_allocated,
            peak_pool_total: excess.peak_total,
            peak_excess: excess.peak,
            comparisons: excess.comparisons,
            points: excess.points.clone(),
            final_pools: pools.map(|(name, bytes)| (name.clone(), *bytes)).collect(),
            final_total: self.pools.sum,
        }
    }

    fn paired_report(&self) -> MemoryReport {
        let PairedRules { counter, peak_allocated, pairs, sums, .. } = &self.paired;
        let (sum, threads_with_pools) = self.pools.of_threads();
        let (pool_source, excess) = match self.pools.total {
            Some(_) => (PoolSource::Total, pairs),
            None => (PoolSource::Sum, sums),
        };
        let pools = self.pools.values.iter().filter(|pool| pool.0 != POOL_TOTAL);
        MemoryReport {
            rules: Rules::V4,
            counter_events: self.counter_events,
            allocation_counter: counter.map(|place| ALLOCATION_COUNTERS[place]),
            pool_source,
            threads_with_pools,
            peak_allocated: *peak_allocated,
            peak_pool_total: excess.peak_total,
            peak_excess: excess.peak,
            comparisons: excess.comparisons,
            points: excess.points.clone(),
            final_pools: pools.map(|(name, bytes)| (name.clone(), *bytes)).collect(),
            final_total: self.pools.total.unwrap_or(sum),
        }
    }
}

impl FirstRules {
    fn take(&mut self, role: Role, ts: u64, value: Option<u64>, sum: u64) {
        match role {
            Role::Allocation(place) if ALLOCATION_COUNTERS[place] == JEMALLOC => {
                self.is_counter_seen = true;
                self.allocated = value.unwrap_or(self.allocated);
                self.peak_allocated = self.peak_allocated.max(self.allocated);
            }
            // the total is one more pool to these rules
            Role::Total | Role::Pool => {}
            Role::Allocation(_) | Role::Other => return,
        }
        self.excess.see_total(sum);
        if self.allocated > 0 && sum > 0 {
            self.excess.compare(ts, self.allocated, sum);
        }
    }
}

impl PairedRules {
    /// `threads` is the sum of the threads' pools and how many have reported.
    fn take(&mut self, role: Role, ts: u64, tid: u64, value: Option<u64>, threads: (u64, u64)) {
        match (role, value) {
            (Role::Allocation(place), value) => {
                match self.counter {
                    Some(counter) if counter < place => return,
                    Some(counter) if counter == place => {}
                    // all numbers are to come from one counter, so what came before a better one is forgotten
                    _ => *self = PairedRules { counter: Some(place), ..PairedRules::default() },
                }
                if let Some(value) = value {
                    self.allocated = value;
                    self.peak_allocated = self.peak_allocated.max(value);
                    self.waiting.insert(tid, value);
                }
            }
            (Role::Total, Some(total)) => {
                self.pairs.see_total(total);
                if let Some(allocated) = self.waiting.remove(&tid) {
                    self.pairs.compare(ts, allocated, total);
                }
            }
            _ => {}
        }
        let (sum, pools) = threads;
        self.sums.see_total(sum);
        if self.counter.is_some() && pools > 0 {
            self.sums.compare(ts, self.allocated, sum);
        }
    }
}
