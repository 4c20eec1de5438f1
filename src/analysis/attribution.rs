//! Which functions ran while memory grew: the growth of a series of bytes, shared among all names of slices.
//!
//! The growth between two points is first split by time: the part of it in which no thread ran anything belongs
//! to nobody. The rest is shared among the innermost slices of all threads by the time that they ran.
//! `docs/attribution.md` has the rule with examples, and what it cannot tell.
//!
//! Promises: what functions own and what nobody owns add up to last value less first, to the byte, and so does
//! the growth between any two points. The same trace gives the same numbers on every machine.
//! Does not do: choosing the series; words.
//! Costs: one sweep in the order of time. O(slices × log lanes + points × functions that run at once); memory for
//! names, lanes and open slices.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::functions::Functions;
use super::series::{Series, between, portion, span};
use super::walk::{LaneWalk, Step};
use crate::names::StrId;
use crate::trace::{ProcessId, Trace};

/// A growth, shared among functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// Every function with a call in the time looked at, in the order in which they appeared.
    pub functions: Vec<FunctionMemory>,
    /// Bytes of the time in which no thread ran anything.
    pub nothing_running: i64,
    /// Last value less first: the sum of all that functions own and of what nobody owns.
    pub total: i64,
}

/// What memory did while a function ran. All in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionMemory {
    /// The slices' name.
    pub name: StrId,
    /// How many slices of the name there are.
    pub calls: u64,
    /// The change while each of them ran, added up; one inside another of its name counts with that one.
    pub net: i64,
    /// The largest change while one of them ran.
    pub largest: i64,
    /// Its share of the growth: of the time in which it was the innermost on its thread.
    pub own: i64,
}

/// Shares the growth of `series` among the slices of `process`.
pub fn attribute(trace: &Trace, process: ProcessId, series: &Series) -> Attribution {
    attribute_within(trace, process, series, i64::MIN, i64::MAX)
}

/// The same from `from` to `to`: points and slices outside of it count nothing.
pub fn attribute_within(
    trace: &Trace,
    process: ProcessId,
    series: &Series,
    from: i64,
    to: i64,
) -> Attribution {
    let points = series.within(from, to);
    let mut sweep = Sweep::new(points.points(), (from, to));
    let mut lanes = Lanes::new(trace, process);
    while let Some((time, lane, step)) = lanes.next() {
        if time > to {
            break;
        }
        sweep.go_to(time);
        lanes.take(time, lane, step, trace, &mut sweep);
    }
    sweep.go_to(i64::MAX);
    lanes.close(&mut sweep);
    sweep.finish(points.change())
}

/// All lanes of a process, walked together.
struct Lanes<'a> {
    lanes: Vec<OpenLane<'a>>,
    threads: Vec<Thread>,
    /// When each lane's next step is; the soonest on top.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
    functions: Functions,
}

struct OpenLane<'a> {
    walk: LaneWalk<'a>,
    thread: u32,
    /// Which of its thread's lanes it is.
    place: u32,
    open: Vec<Call>,
}

#[derive(Clone, Copy)]
struct Call {
    function: u32,
    start: i64,
    /// The value when it began.
    value: i64,
    is_recursive: bool,
    is_unfinished: bool,
    /// Unfinished, and its name has begun again: it must have ended before.
    is_over: bool,
    /// Which function runs while this is the innermost open slice: its own, unless it is over.
    runs: Option<u32>,
}

/// A thread runs the innermost slice of its first lane that has one.
#[derive(Default)]
struct Thread {
    first_lane: u32,
    busy: BTreeSet<u32>,
    innermost: Option<u32>,
}

impl<'a> Lanes<'a> {
    fn new(trace: &'a Trace, process: ProcessId) -> Self {
        let (mut lanes, mut threads) = (Vec::new(), Vec::new());
        for &track in &trace.process(process).tracks {
            let thread = threads.len() as u32;
            threads.push(Thread { first_lane: lanes.len() as u32, ..Thread::default() });
            for (lane, place) in trace.track(track).lanes.iter().zip(0..) {
                lanes.push(OpenLane { walk: LaneWalk::new(lane), thread, place, open: Vec::new() });
            }
        }
        let first = |(lane, id): (&OpenLane, u32)| lane.walk.peek().map(|next| Reverse((next.0, id)));
        let waiting = lanes.iter().zip(0..).filter_map(first).collect();
        Lanes { lanes, threads, waiting, functions: Functions::default() }
    }

    /// The next step of all: when, in which lane, and which.
    fn next(&self) -> Option<(i64, u32, Step)> {
        let &Reverse((_, id)) = self.waiting.peek()?;
        let (time, step) = self.lanes[id as usize].walk.peek()?;
        Some((time, id, step))
    }

    fn take(&mut self, time: i64, id: u32, step: Step, trace: &Trace, sweep: &mut Sweep) {
        let lane = &mut self.lanes[id as usize];
        match step {
            Step::Begin(depth, at) => {
                let row = lane.walk.row(depth);
                let function = self.functions.of(row.name(at), trace);
                let is_recursive = lane.enclosing(function, time, sweep);
                let is_unfinished = row.dur(at).is_none();
                let (value, runs) = (sweep.value_at(time), Some(function));
                let mut call =
                    Call { function, start: time, value, is_recursive, is_unfinished, is_over: false, runs };
                lane.walk.take(time, step);
                // nothing but its own name follows inside: its end is lost, and nobody knows how long it ran
                if let (true, Some((_, Step::Begin(below, inside)))) = (is_unfinished, lane.walk.peek()) {
                    let name = lane.walk.row(below).name(inside);
                    call.is_over = below > depth && self.functions.of(name, trace) == function;
                }
                if call.is_over {
                    sweep.ended(call, time);
                    call.runs = lane.runs();
                }
                lane.open.push(call);
            }
            Step::End => {
                let call = lane.open.pop().expect("what ends has begun");
                if !call.is_over {
                    sweep.ended(call, time);
                }
                lane.walk.take(time, step);
            }
        }
        match (lane.walk.peek(), self.waiting.peek_mut()) {
            (Some(next), Some(mut top)) => *top = Reverse((next.0, id)),
            (None, Some(top)) => _ = std::collections::binary_heap::PeekMut::pop(top),
            (_, None) => {}
        }
        self.choose_innermost(id, sweep);
    }

    fn choose_innermost(&mut self, id: u32, sweep: &mut Sweep) {
        let lane = &self.lanes[id as usize];
        let thread = &mut self.threads[lane.thread as usize];
        match lane.runs() {
            None => _ = thread.busy.remove(&lane.place),
            Some(_) => _ = thread.busy.insert(lane.place),
        }
        let first = thread.busy.first().map(|place| &self.lanes[(thread.first_lane + place) as usize]);
        let innermost = first.and_then(OpenLane::runs);
        if innermost != thread.innermost {
            sweep.changed(thread.innermost, innermost);
            thread.innermost = innermost;
        }
    }

    /// Ends what is still open when the time that is looked at is over.
    fn close(&mut self, sweep: &mut Sweep) {
        for call in self.lanes.iter_mut().flat_map(|lane| lane.open.drain(..)) {
            if !call.is_over {
                sweep.ended(call, i64::MAX);
            }
        }
        sweep.names = std::mem::take(&mut self.functions).into_names();
    }
}

impl OpenLane<'_> {
    /// Whether `function`, which begins now, is inside another call of its own; one without an end is over then.
    fn enclosing(&mut self, function: u32, time: i64, sweep: &mut Sweep) -> bool {
        // from the inside out, since recursion repeats itself soon
        let Some(at) = self.open.iter().rposition(|call| call.function == function) else { return false };
        let call = self.open[at];
        if !call.is_unfinished {
            return true;
        }
        if !call.is_over {
            sweep.ended(call, time);
            self.open[at].is_over = true;
            for at in at..self.open.len() {
                let below = at.checked_sub(1).and_then(|below| self.open[below].runs);
                let call = &mut self.open[at];
                call.runs = if call.is_over { below } else { call.runs };
            }
        }
        call.is_recursive
    }

    fn runs(&self) -> Option<u32> {
        self.open.last().and_then(|call| call.runs)
    }
}

/// The series' points and what has been shared so far.
struct Sweep<'a> {
    points: &'a [(i64, i64)],
    /// The point up to which growth has been shared is before this one.
    next: usize,
    range: (i64, i64),
    functions: Vec<Sums>,
    names: Vec<StrId>,
    /// Functions with time since the last point, or that run.
    touched: Vec<u32>,
    running: u32,
    /// Since when as many threads run as do.
    since: i64,
    /// Time since the last point in which any thread ran.
    busy: f64,
    now: i64,
    nothing_running: i64,
}

#[derive(Clone, Default)]
struct Sums {
    calls: u64,
    net: i64,
    largest: Option<i64>,
    own: i64,
    /// Threads on which it is the innermost, since when, and their time since the last point.
    running: u32,
    since: i64,
    weight: f64,
    is_touched: bool,
}

impl<'a> Sweep<'a> {
    fn new(points: &'a [(i64, i64)], range: (i64, i64)) -> Self {
        Sweep {
            points,
            next: 0,
            range,
            functions: Vec::new(),
            names: Vec::new(),
            touched: Vec::new(),
            running: 0,
            since: i64::MIN,
            busy: 0.0,
            now: i64::MIN,
            nothing_running: 0,
        }
    }

    /// Time goes on to `time`; growth up to the last point before is shared.
    fn go_to(&mut self, time: i64) {
        while let Some(&(at, _)) = self.points.get(self.next).filter(|point| point.0 <= time) {
            self.now = at;
            self.share();
            self.next += 1;
        }
        self.now = time;
    }

    /// The value now, on the line between the points around.
    fn value_at(&self, time: i64) -> i64 {
        match (self.next.checked_sub(1).map(|at| self.points[at]), self.points.get(self.next)) {
            (Some(last), Some(&next)) => between(last, next, time),
            (Some(last), None) => last.1,
            (None, first) => first.map_or(0, |point| point.1),
        }
    }

    fn ended(&mut self, call: Call, time: i64) {
        let (from, to) = self.range;
        if time < from || call.start > to {
            return;
        }
        let change = self.value_at(time) - call.value;
        let sums = self.sums(call.function);
        sums.calls += 1;
        sums.largest = Some(sums.largest.map_or(change, |largest| largest.max(change)));
        if !call.is_recursive {
            sums.net = sums.net.saturating_add(change);
        }
    }

    /// A thread runs another function, or none.
    fn changed(&mut self, from: Option<u32>, to: Option<u32>) {
        let now = self.now;
        if let Some(from) = from {
            let sums = self.sums(from);
            sums.settle(now);
            sums.running -= 1;
        }
        if let Some(to) = to {
            let sums = self.sums(to);
            sums.settle(now);
            sums.running += 1;
            if !std::mem::replace(&mut sums.is_touched, true) {
                self.touched.push(to);
            }
        }
        if from.is_none() != to.is_none() {
            self.settle();
            self.running = if to.is_some() { self.running + 1 } else { self.running - 1 };
        }
    }

    fn settle(&mut self) {
        if self.running > 0 {
            self.busy += span(self.since, self.now);
        }
        self.since = self.now;
    }

    /// Shares what the series has grown from the last point to this one.
    fn share(&mut self) {
        self.settle();
        let now = self.now;
        let mut all = 0.0;
        for &function in &self.touched {
            let sums = &mut self.functions[function as usize];
            sums.settle(now);
            all += sums.weight;
        }
        if let Some(before) = self.next.checked_sub(1).map(|at| self.points[at]) {
            let (time, value) = self.points[self.next];
            let growth = value - before.1;
            let theirs = portion(growth, self.busy.min(span(before.0, time)), span(before.0, time));
            let theirs = if all > 0.0 { theirs } else { 0 };
            self.nothing_running += growth - theirs;
            // rounding what was given so far, and not each part, makes the parts add up
            let (mut weight, mut given) = (0.0, 0);
            for &function in &self.touched {
                let sums = &mut self.functions[function as usize];
                weight += sums.weight;
                let until = if all > 0.0 { portion(theirs, weight, all) } else { 0 };
                sums.own += until - given;
                given = until;
            }
        }
        self.busy = 0.0;
        let functions = &mut self.functions;
        self.touched.retain(|&function| {
            let sums = &mut functions[function as usize];
            sums.weight = 0.0;
            sums.is_touched = sums.running > 0;
            sums.is_touched
        });
    }

    fn sums(&mut self, function: u32) -> &mut Sums {
        let at = function as usize;
        if at >= self.functions.len() {
            self.functions.resize(at + 1, Sums::default());
        }
        &mut self.functions[at]
    }

    fn finish(self, total: i64) -> Attribution {
        let functions = self.names.into_iter().zip(self.functions);
        let seen = functions.filter(|(_, sums)| sums.calls > 0).map(|(name, sums)| FunctionMemory {
            name,
            calls: sums.calls,
            net: sums.net,
            largest: sums.largest.unwrap_or(0),
            own: sums.own,
        });
        Attribution { functions: seen.collect(), nothing_running: self.nothing_running, total }
    }
}

impl Sums {
    fn settle(&mut self, now: i64) {
        if self.running > 0 {
            self.weight += f64::from(self.running) * span(self.since, now);
        }
        self.since = now;
    }
}
