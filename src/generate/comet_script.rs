//! What one task does, as a list of steps: an opening, rounds, a closing.
//!
//! ```text
//! createPlan │ getNextBatch > executePlan > decodeShuffleBlock … counters │ … │ release
//!   opening  │                      one round                             │ … │ closing
//! ```
//!
//! Promises: the order of events is that of Comet's own code, unbalanced spans included.
//! Does not: write lines, keep time or know of other tasks; steps are carried out in `comet`.

use super::comet_lines::Counter;
use super::comet_plans::{INNER, Plan, Span, Work};
use super::random::{Random, Rare};

/// One thing that happens on a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Microseconds since the step before; ignored by steps that write nothing.
    pub(super) wait_us: u64,
    /// The thread that logs the event.
    pub(super) tid: u32,
    pub(super) deed: Deed,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Begin(Span),
    End(Span),
    Log(Counter),
    // These write nothing; amounts in bytes.
    Reserve(u64),
    Share(u64),
    Carry(u64),
    FillShuffle(u64),
    EmptyShuffle,
    Release,
}

/// A task: which plan, on which threads, how far.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) plan: &'static Plan,
    pub(super) stage: u32,
    pub(super) tid: u32,
    /// The tokio worker that usually runs the plan's futures, and one it may migrate to.
    pub(super) workers: [u32; 2],
    /// A thread that sometimes logs the release instead of the task's own.
    pub(super) listener: u32,
    pub(super) round: u64,
    pub(super) rounds: u64,
    /// The most its pool will hold, in bytes.
    pub(super) peak: u64,
    pub(super) panicked: bool,
}

/// Oddities that every trace has and none has many of.
pub(super) struct Oddities {
    pub(super) panic: Rare,
    pub(super) migration: Rare,
    pub(super) foreign_release: Rare,
}

/// Writes steps for one task.
pub(super) struct Script<'a> {
    pub(super) steps: &'a mut Vec<Step>,
    pub(super) random: &'a mut Random,
    pub(super) oddities: &'a mut Oddities,
    pub(super) task: &'a mut Task,
    /// Whether the counters of format 4 exist.
    pub(super) format_4: bool,
}

impl Script<'_> {
    /// From `createPlan` to the first round.
    pub(super) fn opening(&mut self) {
        let plan = self.task.plan;
        self.span(Span::CREATE_PLAN, 400);
        self.silent(Deed::Share(plan.shared));
        match plan.work {
            Work::Scan | Work::Decode => {}
            Work::Columnar => {
                self.begin(20, Span::UNSAFE_WRITER);
                self.log(Counter::ThreadJvmShuffle);
            }
            Work::InsertHere => {
                self.span(Span::CREATE_PLAN, 250);
                self.begin(30, Span::NextBatch(self.task.stage));
                self.begin(12, plan.span);
            }
            Work::InsertOnWorkers => {
                self.begin(30, Span::NextBatch(self.task.stage));
                self.begin(12, plan.span);
            }
        }
    }

    /// One batch. `tide` (0 to 1024) is how full the pools of this stage are by now.
    pub(super) fn round(&mut self, tide: u64) {
        let task = &mut *self.task;
        let slope = (task.round + 1).min(task.rounds - task.round) * 2;
        let hold = (task.peak * slope / task.rounds / 1024 * tide).min(task.peak);
        task.round += 1;
        self.silent(Deed::Reserve(hold));
        let plan = self.task.plan;
        match plan.work {
            Work::Scan => self.batch(plan.span, 0, plan.batch_us),
            Work::Decode => self.batch(plan.span, 16, plan.batch_us),
            Work::Columnar => {
                self.batch(plan.span, 10, plan.batch_us);
                let rows = self.random.skewed(3 << 20, 3);
                self.silent(Deed::FillShuffle(rows));
            }
            Work::InsertHere => {
                self.batch(INNER, 12, plan.batch_us);
                self.insert([self.task.tid; 2], hold);
                if self.random.one_in(3) {
                    // the busy poll's hundredth turn
                    self.log(Counter::ThreadReserved);
                }
            }
            Work::InsertOnWorkers => {
                for _ in 0..self.random.between(4, 12) {
                    self.insert(self.task.workers, hold);
                }
            }
        }
    }

    /// From the last round to the release of the plan.
    pub(super) fn closing(&mut self) {
        match self.task.plan.work {
            Work::Scan | Work::Decode => {}
            Work::Columnar => self.close_columnar(),
            Work::InsertHere => {
                self.span(Span::WRITE, 2_500);
                self.finish_batch(self.task.plan.span, 20);
                self.silent(Deed::Reserve(1 << 16));
                self.log(Counter::ThreadReserved);
                self.log_jvm();
            }
            Work::InsertOnWorkers => {
                let worker = self.task.workers[0];
                self.on(worker, 90, Deed::Begin(Span::WRITE));
                self.on(worker, 2_500, Deed::End(Span::WRITE));
                self.finish_batch(self.task.plan.span, 60);
            }
        }
        self.silent(Deed::Release);
        let foreign = self.oddities.foreign_release.happens(self.random);
        let tid = if foreign { self.task.listener } else { self.task.tid };
        self.on(tid, 5, Deed::Log(Counter::ThreadReserved));
        self.log_jvm();
    }

    fn close_columnar(&mut self) {
        if !self.task.panicked {
            self.log(Counter::ThreadJvmShuffle);
            self.span(Span::SORT_ROWS, 700);
            for _ in 0..self.random.between(1, 4) {
                self.span(Span::WRITE_SORTED, 1_200);
            }
        }
        self.end(15, Span::UNSAFE_WRITER);
        self.silent(Deed::EmptyShuffle);
    }

    /// `getNextBatch` around `execute` around up to twice `blocks` shuffle blocks.
    fn batch(&mut self, execute: Span, blocks: u64, batch_us: u64) {
        self.begin(8, Span::NextBatch(self.task.stage));
        self.begin(12, execute);
        let mut left = self.random.skewed(batch_us, 4);
        let blocks = self.random.below(2 * blocks + 1);
        for _ in 0..blocks {
            let pause = self.random.below(left / blocks + 1);
            left -= pause / 2;
            self.on(self.task.tid, pause / 2, Deed::Begin(Span::DECODE));
            // most blocks are small: begin and end often share their microsecond
            self.end(2, Span::DECODE);
        }
        let balanced = self.task.plan.work != Work::InsertHere;
        if balanced && self.oddities.panic.happens(self.random) {
            // the native span stays open, Java's `finally` ends the outer one
            self.task.panicked = true;
            self.task.round = self.task.rounds;
            self.on(self.task.tid, left, Deed::End(Span::NextBatch(self.task.stage)));
        } else {
            self.finish_batch(execute, left);
        }
    }

    /// From the end of `execute` to the counters that the JVM logs after a batch.
    fn finish_batch(&mut self, execute: Span, wait_us: u64) {
        let carried = self.random.skewed(3 << 20, 3);
        self.silent(Deed::Carry(carried));
        self.on(self.task.tid, wait_us, Deed::End(execute));
        self.log(Counter::JemallocAllocated);
        if self.format_4 {
            self.log(Counter::NativeAllocated);
        }
        self.log(Counter::ThreadReserved);
        if self.format_4 {
            self.log(Counter::ReservedTotal);
        }
        self.end(6, Span::NextBatch(self.task.stage));
        self.log_jvm();
    }

    /// One batch goes into the shuffle, begun on the first of `tids`; now and then its future
    /// wakes up on the second.
    fn insert(&mut self, tids: [u32; 2], hold: u64) {
        self.on(tids[0], 40, Deed::Begin(Span::INSERT));
        if self.random.one_in(40) {
            self.on(tids[0], 60, Deed::Begin(Span::SPILL));
            self.on(tids[0], 9_000, Deed::End(Span::SPILL));
            self.silent(Deed::Reserve(hold / 4));
        }
        let migrates = tids[0] != tids[1] && self.oddities.migration.happens(self.random);
        let end = tids[usize::from(migrates)];
        self.on(end, 250, Deed::End(Span::INSERT));
    }

    fn log_jvm(&mut self) {
        self.log(Counter::JvmHeapUsed);
        if self.format_4 {
            self.log(Counter::JvmArrowAllocated);
            self.log(Counter::JvmArrowImported);
        }
    }

    fn span(&mut self, span: Span, typical_us: u64) {
        self.begin(15, span);
        self.end(typical_us, span);
    }

    fn begin(&mut self, typical_us: u64, span: Span) {
        let wait_us = self.random.skewed(typical_us, 4);
        self.push(self.task.tid, wait_us, Deed::Begin(span));
    }

    fn end(&mut self, typical_us: u64, span: Span) {
        let wait_us = self.random.skewed(typical_us, 4);
        self.push(self.task.tid, wait_us, Deed::End(span));
    }

    /// A counter comes in the same microsecond or the next.
    fn log(&mut self, counter: Counter) {
        let wait_us = u64::from(self.random.one_in(4));
        self.push(self.task.tid, wait_us, Deed::Log(counter));
    }

    fn on(&mut self, tid: u32, typical_us: u64, deed: Deed) {
        let wait_us = self.random.skewed(typical_us, 3);
        self.push(tid, wait_us, deed);
    }

    fn silent(&mut self, deed: Deed) {
        self.push(self.task.tid, 0, deed);
    }

    fn push(&mut self, tid: u32, wait_us: u64, deed: Deed) {
        self.steps.push(Step { wait_us, tid, deed });
    }
}
