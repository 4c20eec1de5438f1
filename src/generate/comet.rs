//! An invented run of a Comet executor, as its recorder would have written it.
//!
//! Promises: the same seed and options give the same bytes everywhere. The file begins with
//! `[ `, has one event a line and no `]`, never passes the asked size and misses it by less
//! than a line. Time never goes back on a thread, but lines are not in order of time; frames
//! are open at the end; a panic leaves `executePlan` open; an insert ends on another worker.
//! Does not: write formats 1 and 2, several sessions, or anything that is not UTF-8.
//! Costs: one block of text and a few thousand pending steps, whatever the size.
//!
//! The story: stages come and go and the pools rise and fall with them. Between 45 % and 75 %
//! of the file, each call of one plan keeps memory that no pool accounts for.

use super::comet_lines::{self as lines, Stamp};
use super::comet_memory::{MAX_THREADS, Memory};
use super::comet_plans::{KEEPER, Span};
use super::comet_script::{Deed, Oddities, Script, Step, Task};
use super::comet_stage::{Stage, story_done};
use super::random::{Random, Rare};

/// Bytes after which `next_block` returns: small enough to stay in the cache.
const BLOCK: usize = 64 << 10;
/// Rust's number of the first task thread and of the first tokio worker.
const FIRST_TASK_TID: u32 = 60;
const FIRST_WORKER_TID: u32 = 20;
/// What the story's plan keeps in the end, in bytes.
const KEPT_IN_THE_END: u64 = 480 << 20;

/// Which of Comet's counters a trace has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CometFormat {
    /// Version 3: allocator, per-thread pools, heap, columnar shuffle.
    Three,
    /// Version 4: also `native_allocated`, Arrow, and the total of all pools.
    #[default]
    Four,
}

/// A function that keeps memory; it takes the place of the built-in story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The span's name as written, such as `shuffle_insert_batch`.
    pub name: String,
    /// Bytes that each of its ends adds to the allocator for good.
    pub bytes_per_call: u64,
}

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CometOptions {
    /// Size of the file in bytes, not to be passed.
    pub size: u64,
    /// Which counters it has.
    pub format: CometFormat,
    /// Which function leaks, if the test has to know.
    pub leak: Option<Leak>,
}

impl Default for CometOptions {
    /// 10 MB of format 4 with the built-in story.
    fn default() -> Self {
        Self { size: 10_000_000, format: CometFormat::default(), leak: None }
    }
}

/// A trace that is made as it is read.
///
/// ```
/// use flameline::generate::comet::{CometOptions, CometTrace};
/// let mut trace = CometTrace::new(1, CometOptions { size: 1_000_000, ..Default::default() });
/// let (mut block, mut lines) = (Vec::new(), 0);
/// while trace.next_block(&mut block) {
///     lines += block.split(|&byte| byte == b'\n').count() - 1;
///     block.clear();
/// }
/// assert!(lines > 8_000);
/// ```
pub struct CometTrace {
    options: CometOptions,
    random: Random,
    memory: Memory,
    oddities: Oddities,
    threads: Vec<Thread>,
    stage: Stage,
    /// Time of the last event on each tid: clocks of different actors meet on a worker.
    last_us: [u64; 128],
    written: u64,
    finished: bool,
}

/// A task thread and the event it will log next.
struct Thread {
    now_us: u64,
    /// When the next event reaches the file; `u64::MAX` while there is nothing to do.
    turn: u64,
    steps: Vec<Step>,
    at: usize,
    task: Option<Task>,
}

impl CometTrace {
    /// The trace of this seed.
    pub fn new(seed: u64, options: CometOptions) -> Self {
        let mut random = Random::new(seed);
        let memory = Memory::new(&mut random);
        let oddities = Oddities {
            panic: Rare::new(300, &mut random),
            migration: Rare::new(60, &mut random),
            foreign_release: Rare::new(15, &mut random),
        };
        let count = random.between(8, MAX_THREADS as u64 + 1);
        let mut trace = Self {
            options,
            random,
            memory,
            oddities,
            threads: (0..count).map(|_| Thread::idle()).collect(),
            stage: Stage::none(),
            last_us: [0; 128],
            written: 0,
            finished: false,
        };
        trace.start_stage();
        trace
    }

    /// Appends about 64 KiB of whole lines; false when nothing is left to append.
    pub fn next_block(&mut self, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        while !self.finished && out.len() - start < BLOCK {
            let line = out.len();
            if self.written == 0 {
                out.extend_from_slice(b"[ ");
            }
            self.log_next(out);
            let after = self.written + (out.len() - line) as u64;
            if after > self.options.size {
                out.truncate(line);
                self.finished = true;
            } else {
                self.written = after;
            }
        }
        out.len() > start
    }

    /// The thread whose turn it is writes its event.
    fn log_next(&mut self, out: &mut Vec<u8>) {
        let mut thread = self.first_turn();
        if self.threads[thread].turn == u64::MAX {
            self.start_stage();
            thread = self.first_turn();
        }
        let Thread { now_us, at, ref steps, .. } = self.threads[thread];
        let Step { tid, deed, .. } = steps[at];
        let last_us = &mut self.last_us[tid as usize];
        *last_us = now_us.max(*last_us);
        let stamp = Stamp { tid, ts_us: *last_us };
        match deed {
            Deed::Begin(span) => lines::begin(out, span, stamp),
            Deed::End(span) => {
                lines::end(out, span, stamp);
                self.keep(span);
            }
            Deed::Log(counter) => {
                let bytes = self.memory.read(counter, thread, &mut self.random);
                lines::counter(out, counter, task_tid(thread), stamp, bytes);
            }
            silent => unreachable!("{silent:?} is carried out by advance"),
        }
        self.threads[thread].at += 1;
        self.advance(thread);
    }

    fn first_turn(&self) -> usize {
        let turns = self.threads.iter().enumerate().map(|(thread, t)| (t.turn, thread));
        turns.min().expect("there are at least eight threads").1
    }

    /// Goes on to the thread's next event that writes something.
    fn advance(&mut self, thread: usize) {
        loop {
            let Thread { steps, at, .. } = &self.threads[thread];
            let Some(&step) = steps.get(*at) else {
                if self.refill(thread) {
                    continue;
                }
                self.threads[thread].turn = u64::MAX;
                return;
            };
            let memory = &mut self.memory;
            match step.deed {
                Deed::Reserve(bytes) => memory.reserve(thread, bytes),
                Deed::Share(bytes) => memory.share(thread, bytes),
                Deed::Carry(bytes) => memory.carry(thread, bytes),
                Deed::FillShuffle(bytes) => memory.fill_shuffle(thread, bytes),
                Deed::EmptyShuffle => memory.empty_shuffle(thread),
                Deed::Release => memory.release(thread),
                Deed::Begin(_) | Deed::End(_) | Deed::Log(_) => {
                    let actor = &mut self.threads[thread];
                    actor.now_us += step.wait_us;
                    // the time is taken before the recorder's lock, and who waits is overtaken
                    let delay = if self.random.one_in(8) { self.random.below(6) } else { 0 };
                    actor.turn = actor.now_us + delay;
                    return;
                }
            }
            self.threads[thread].at += 1;
        }
    }

    /// Plans what the thread does next; false if the stage has nothing for it.
    fn refill(&mut self, thread: usize) -> bool {
        let tide = self.stage.tide(self.written);
        let fresh = self.threads[thread].task.is_none();
        if fresh && !self.stage.has_tasks(self.written) {
            return false;
        }
        if fresh {
            self.threads[thread].task = Some(self.new_task(thread));
        }
        let Thread { steps, at, task, .. } = &mut self.threads[thread];
        steps.clear();
        *at = 0;
        let current = task.as_mut().expect("made above or still running");
        let closes = !fresh && current.round == current.rounds;
        let mut script = Script {
            steps,
            random: &mut self.random,
            oddities: &mut self.oddities,
            task: current,
            format_4: self.options.format == CometFormat::Four,
        };
        if fresh {
            script.opening();
        } else if closes {
            script.closing();
            *task = None;
        } else {
            script.round(tide);
        }
        true
    }

    fn new_task(&mut self, thread: usize) -> Task {
        let threads = self.threads.len();
        let rounds = self.random.skewed(9, 3).max(1);
        let plan = self.stage.plan;
        Task {
            plan,
            stage: self.stage.number,
            tid: task_tid(thread),
            workers: [thread, (thread + 1) % threads].map(|worker| numbered(FIRST_WORKER_TID, worker)),
            listener: task_tid((thread + threads / 2) % threads),
            round: 0,
            rounds,
            peak: self.random.skewed(plan.peak, 2),
            panicked: false,
        }
    }

    /// All threads are idle: they start on the next stage a moment later.
    fn start_stage(&mut self) {
        let tells = self.options.leak.is_none();
        self.stage = self.stage.next(self.written, self.options.size, tells, &mut self.random);
        let start_us = self.threads.iter().map(|thread| thread.now_us).max().unwrap_or(0);
        let pause_us = if self.stage.number == 1 { 0 } else { self.random.skewed(15_000, 3) };
        for thread in 0..self.threads.len() {
            self.threads[thread].now_us = start_us + pause_us + self.random.skewed(600, 4);
            self.advance(thread);
        }
    }

    /// What the end of this span adds to the memory nobody gives back.
    fn keep(&mut self, span: Span) {
        match &self.options.leak {
            Some(leak) if span.is(&leak.name) => self.memory.keep(leak.bytes_per_call),
            Some(_) => {}
            None if span == KEEPER.span => {
                let done = story_done(self.written, self.options.size);
                self.memory.keep_up_to(KEPT_IN_THE_END / 1024 * done);
            }
            None => {}
        }
    }
}

impl Thread {
    fn idle() -> Self {
        Self { now_us: 0, turn: u64::MAX, steps: Vec::new(), at: 0, task: None }
    }
}

fn task_tid(thread: usize) -> u32 {
    numbered(FIRST_TASK_TID, thread)
}

fn numbered(first: u32, thread: usize) -> u32 {
    first + thread as u32 // at most MAX_THREADS
}
