//! The sum of several counters over time, and what of it a bin shows.
//!
//! ```text
//! pool 1   ▁▁▁▃▃▃▃▃▁▁▁        walked together, sample by sample in the order of time:
//! pool 2   ▁▂▂▂▂▁▁▁▁▁▁        the sum changes by what one of them changes
//! sum      ▁▂▂▄▄▃▃▃▁▁▁
//! ```
//!
//! Promises: samples of one time count together, a counter before its first sample counts nothing.
//! Does not do: more than it must: a wide window is answered from blocks of 16 steps, made once.
//! Costs: a window of few samples O(samples × log counters), of many O(blocks); 2 bytes a sample held.

use super::bins::{Bins, Step};
use crate::analysis::sum_steps;
use crate::trace::{Counter, CounterId, Trace};

/// Steps in a block. At 64 a window of the most samples that are still walked would look coarse.
const BLOCK: usize = 16;
/// Samples of a window that are walked, in some 5 ms; more are answered from blocks.
const WALKED: usize = 1 << 17;

/// Counters that are added up.
#[derive(Clone, Debug, Default)]
pub struct PoolSum {
    counters: Vec<CounterId>,
    blocks: Vec<Step>,
    /// Samples that the blocks hold.
    held: usize,
}

impl PoolSum {
    /// The sum of these counters; [`update`](Self::update) reads them.
    pub fn new(counters: Vec<CounterId>) -> Self {
        PoolSum { counters, ..PoolSum::default() }
    }

    /// Which counters are added up.
    pub fn counters(&self) -> &[CounterId] {
        &self.counters
    }

    /// Makes the blocks anew when the counters have half as many samples again, or `is_final` and any more:
    /// O(samples × log counters) each time, so about three times that over a whole file.
    pub fn update(&mut self, trace: &Trace, is_final: bool) {
        let counters = self.of(trace);
        let samples = counters.iter().map(|counter| counter.len()).sum();
        let has_grown = samples > self.held + self.held / 2 || (is_final && samples != self.held);
        if !has_grown {
            return;
        }
        self.held = samples;
        self.blocks.clear();
        let mut count = 0;
        sum_steps(&counters, i64::MIN, i64::MAX, |time, sum| {
            match self.blocks.last_mut().filter(|_| count % BLOCK != 0) {
                Some(block) => add(block, sum),
                None => self.blocks.push(Step { time, min: sum, max: sum, last: sum }),
            }
            count += 1;
        });
    }

    /// The sum's largest value, as far as it was read.
    pub fn max(&self) -> f64 {
        self.blocks.iter().map(|block| block.max).fold(0.0, f64::max)
    }

    /// The sum as steps, at most one a bin, from the one that holds at the window's start.
    pub fn steps(&self, trace: &Trace, bins: &Bins, emit: impl FnMut(Step)) {
        let counters = self.of(trace);
        let in_window = |counter: &&Counter| counter.first_at(bins.to) - counter.first_at(bins.from);
        let mut grouping = Grouping { bins, open: None, emit };
        if counters.iter().map(in_window).sum::<usize>() <= WALKED {
            sum_steps(&counters, bins.from, bins.to, |time, sum| {
                grouping.take(Step { time, min: sum, max: sum, last: sum })
            });
        } else {
            let first = self.blocks.partition_point(|block| block.time < bins.from).saturating_sub(1);
            let blocks = self.blocks[first..].iter();
            blocks.take_while(|block| block.time < bins.to).for_each(|&block| grouping.take(block));
        }
        grouping.finish();
    }

    fn of<'a>(&self, trace: &'a Trace) -> Vec<&'a Counter> {
        self.counters.iter().map(|id| &trace.counters()[id.index()]).collect()
    }
}

/// Puts steps of one bin together.
struct Grouping<'a, F> {
    bins: &'a Bins,
    open: Option<Step>,
    emit: F,
}

impl<F: FnMut(Step)> Grouping<'_, F> {
    fn take(&mut self, step: Step) {
        match &mut self.open {
            Some(open) if step.time < self.bins.next_after(open.time) => {
                open.min = open.min.min(step.min);
                open.max = open.max.max(step.max);
                open.last = step.last;
            }
            open => {
                if let Some(done) = open.replace(step) {
                    (self.emit)(done);
                }
            }
        }
    }

    fn finish(mut self) {
        if let Some(done) = self.open.take() {
            (self.emit)(done);
        }
    }
}

fn add(block: &mut Step, sum: f64) {
    block.min = block.min.min(sum);
    block.max = block.max.max(sum);
    block.last = sum;
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Random, sample};
    use super::*;
    use crate::trace::TraceBuilder;

    fn pools(random: &mut Random, pools: i64, samples: i64) -> (Trace, PoolSum) {
        let mut builder = TraceBuilder::default();
        let mut time = 0;
        for _ in 0..samples {
            let pool = random.between(1, pools);
            let name = format!("thread_{pool}_comet_memory_reserved");
            sample(&mut builder, &name, time, random.between(0, 1 << 20) as f64);
            time += random.between(0, 6);
        }
        let trace = builder.finish().0;
        let mut sum = PoolSum::new((0..trace.counters().len()).map(CounterId::from_index).collect());
        sum.update(&trace, true);
        (trace, sum)
    }

    /// The sum at every time that has a sample, by asking every counter.
    fn all_sums(trace: &Trace, sum: &PoolSum) -> Vec<(i64, f64)> {
        let counters = trace.counters().iter();
        let mut times: Vec<i64> =
            counters.flat_map(|counter| (0..counter.len()).map(|at| counter.time(at))).collect();
        times.sort_unstable();
        times.dedup();
        let sum_at = |time| sum.of(trace).iter().filter_map(|counter| counter.value_at(time)).sum();
        times.into_iter().map(|time| (time, sum_at(time))).collect()
    }

    #[test]
    fn steps_equal_those_of_asking_every_counter_at_every_time() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let pool_count = random.between(1, 12);
            let (trace, sum) = pools(&mut random, pool_count, 400);
            let all = all_sums(&trace, &sum);
            let end = trace.end();
            for _ in 0..10 {
                let from = random.between(-20, end);
                let bins = Bins::new(from, from + random.between(1, end), 1 << random.between(0, 8), end);
                let mut steps = Vec::new();
                sum.steps(&trace, &bins, |step| steps.push(step));
                let first = all.partition_point(|entry| entry.0 < bins.from).saturating_sub(1);
                let inside: Vec<_> = all[first..].iter().filter(|entry| entry.0 < bins.to).collect();
                let naive: Vec<Step> = inside
                    .chunk_by(|a, b| a.0.div_euclid(bins.bin_ns) == b.0.div_euclid(bins.bin_ns))
                    .map(|group| Step {
                        time: group[0].0,
                        min: group.iter().map(|entry| entry.1).fold(f64::INFINITY, f64::min),
                        max: group.iter().map(|entry| entry.1).fold(f64::NEG_INFINITY, f64::max),
                        last: group[group.len() - 1].1,
                    })
                    .collect();
                assert_eq!(steps, naive, "seed {seed}, {bins:?}");
            }
        }
    }

    #[test]
    fn a_window_of_many_samples_is_answered_from_blocks_with_the_same_extremes() {
        let mut random = Random::new(1);
        let (trace, sum) = pools(&mut random, 8, 2 * WALKED as i64);
        let bins = Bins::new(0, trace.end() + 1, 1 << 12, trace.end());
        let mut steps = Vec::new();
        sum.steps(&trace, &bins, |step| steps.push(step));
        let all = all_sums(&trace, &sum);
        let max = all.iter().map(|entry| entry.1).fold(0.0, f64::max);
        assert_eq!(steps.iter().map(|step| step.max).fold(0.0, f64::max), max);
        assert_eq!(sum.max(), max);
        assert_eq!(steps.last().unwrap().last, all.last().unwrap().1);
        assert!(steps.len() as i64 <= trace.end() / (1 << 12) + 2);
    }

    #[test]
    fn blocks_are_made_anew_only_when_there_is_much_more() {
        let mut builder = TraceBuilder::default();
        sample(&mut builder, "pool", 0, 1.0);
        let mut sum = PoolSum::new(vec![CounterId::from_index(0)]);
        sum.update(builder.trace(), false);
        assert_eq!(sum.held, 1);
        (1..1000).for_each(|n| sample(&mut builder, "pool", n, 1.0));
        sum.update(builder.trace(), false);
        (1000..1200).for_each(|n| sample(&mut builder, "pool", n, 2.0));
        sum.update(builder.trace(), false);
        assert_eq!((sum.held, sum.max()), (1000, 1.0));
        sum.update(builder.trace(), true);
        assert_eq!((sum.held, sum.max()), (1200, 2.0));
    }
}
