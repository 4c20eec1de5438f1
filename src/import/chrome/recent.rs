//! What the last events named: threads by their ids, counters' series by their names.
//!
//! Promises: the same answer as the builder's; one slot for each hash, so that forgetting costs a look-up.
//! Costs: a comparison; a run has few threads and counters, and each event names one of them.

use crate::names::NameId;
use crate::trace::{CounterId, ProcessId, TrackId};

/// Slots, a power of two: more than the threads that run at once.
const SLOTS: usize = 256;

/// Threads and series named lately, in the session that is being read.
#[derive(Debug)]
pub struct Recent {
    threads: Vec<Option<(i64, i64, TrackId)>>,
    series: Vec<Option<(ProcessId, NameId, CounterId)>>,
}

impl Default for Recent {
    fn default() -> Self {
        Recent { threads: vec![None; SLOTS], series: vec![None; SLOTS] }
    }
}

impl Recent {
    /// The thread with these ids, if it was named lately.
    #[inline]
    pub fn thread(&self, pid: i64, tid: i64) -> Option<TrackId> {
        self.threads[tid as usize % SLOTS]
            .filter(|known| (known.0, known.1) == (pid, tid))
            .map(|known| known.2)
    }

    /// Remembers a thread.
    pub fn keep_thread(&mut self, pid: i64, tid: i64, track: TrackId) {
        self.threads[tid as usize % SLOTS] = Some((pid, tid, track));
    }

    /// The series of a counter without an id, whose key is the name, if it was named lately.
    #[inline]
    pub fn series(&self, process: ProcessId, name: NameId) -> Option<CounterId> {
        self.series[name.index() % SLOTS]
            .filter(|known| (known.0, known.1) == (process, name))
            .map(|known| known.2)
    }

    /// Remembers a series.
    pub fn keep_series(&mut self, process: ProcessId, name: NameId, series: CounterId) {
        self.series[name.index() % SLOTS] = Some((process, name, series));
    }
}
