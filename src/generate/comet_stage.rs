//! Stages: which plan runs now, until when, and how far the story is.
//!
//! Promises: map and reduce plans take turns, each in its order, so that a few MB have had
//! every kind of work; how many stages there are grows slower than the file.
//! Does not: start tasks; those in flight when a stage's bytes are written finish first.
//!
//! ```text
//! written   0 %          45 %            75 %        100 %
//! plans     map, reduce, │ KEEPER 2 of 3 │ map, reduce
//! kept      0 ───────────┴──────╱────────┴──────────
//! ```

use super::comet_plans::{KEEPER, MAP_PLANS, Plan, REDUCE_PLANS};
use super::random::Random;

/// One stage; positions are bytes written.
pub(super) struct Stage {
    /// From 1; Spark's `stage=N`.
    pub(super) number: u32,
    pub(super) plan: &'static Plan,
    from: u64,
    until: u64,
}

impl Stage {
    /// Before the first stage.
    pub(super) fn none() -> Self {
        Self { number: 0, plan: &MAP_PLANS[0], from: 0, until: 0 }
    }

    /// The stage after this one, in a file of `size` bytes of which `written` are there.
    pub(super) fn next(&self, written: u64, size: u64, tells_story: bool, random: &mut Random) -> Self {
        let number = self.number + 1;
        let in_story = (1..1024).contains(&story_done(written, size));
        let plan = if tells_story && in_story && !number.is_multiple_of(3) {
            &KEEPER
        } else {
            let plans = if number % 2 == 1 { &MAP_PLANS } else { &REDUCE_PLANS };
            &plans[(number as usize - 1) / 2 % plans.len()]
        };
        // 24 stages make a picture; longer ones than 4 MB would hide the single task
        let typical = (size / 24).clamp(60_000, 4_000_000);
        let length = random.between(typical / 2, typical * 3 / 2);
        Self { number, plan, from: written, until: written + length }
    }

    /// Whether it still has tasks to give.
    pub(super) fn has_tasks(&self, written: u64) -> bool {
        written < self.until
    }

    /// How full its tasks' pools get by now: rises from a quarter to 1024 and falls again.
    pub(super) fn tide(&self, written: u64) -> u64 {
        let length = (self.until - self.from).max(1);
        let done = (written - self.from).min(length);
        256 + 768 * (2 * done.min(length - done)) / length
    }
}

/// How much of the story has been told, in 1024ths.
pub(super) fn story_done(written: u64, size: u64) -> u64 {
    let (from, length) = (size / 100 * 45, size / 100 * 30);
    written.saturating_sub(from).min(length) * 1024 / length.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_story_runs_from_45_to_75_percent() {
        let done = [0, 449, 450, 600, 750, 1000].map(|mille| story_done(mille * 1_000_000, 1_000_000_000));
        assert_eq!(done, [0, 0, 0, 512, 1024, 1024]);
        assert_eq!(story_done(5, 0), 0);
    }

    #[test]
    fn the_tide_comes_and_goes() {
        let stage = Stage { number: 1, plan: &KEEPER, from: 1000, until: 2000 };
        assert_eq!([1000, 1500, 2000, 9000].map(|written| stage.tide(written)), [256, 1024, 256, 256]);
    }
}
