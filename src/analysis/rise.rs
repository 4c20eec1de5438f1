//! From where to where the level of a series rises, and how.
//!
//! ```text
//! level      ▁▁▁▁▁▁▂▂▂▃▃▄▄▅▅▆▆▆▆▆        ▁▁▁▁▁▁▅▅▅▅▅▅▅▅▅▇▇▇▇
//! fit        ──────╱──────╱─────         in steps, little of it given back
//! ```
//!
//! Promises: `None` unless the levels carry it. Costs: O(points) and a constant some milliseconds.

use super::level::{Level, WINDOWS, kept, levels};
use super::robust::{autocorrelation, deviation, mann_kendall, median, theil_sen};
use super::series::{Series, span};

/// Windows that must have a point, and points that there must be for each of them.
const LEAST_WINDOWS: usize = 30;
const POINTS_A_WINDOW: usize = 3;
/// A rise within fewer windows is a jump: the levels cannot tell how fast it was.
const LEAST_RISE: usize = 6;
/// Standard deviations by which rising pairs of levels must outnumber falling ones: values without any order do
/// so once in a thousand runs.
const LEAST_TREND: f64 = 3.1;
/// The growth must be so many times the usual distance of the levels from the fit.
const LEAST_EFFECT: f64 = 3.0;
/// And so many bytes: below that nobody looks for it.
const LEAST_BYTES: f64 = 1_048_576.0;
/// A longer rise is taken while its fit is that little worse than the best.
const AS_GOOD: f64 = 1.05;
/// A rise in steps must be so many times what was given back of it at any time.
const LEAST_KEPT: f64 = 3.0;
/// Steps begin and end where this part of the rise is done, and where as much is left.
const EDGE: f64 = 0.02;

/// How a level rises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Along a line, by so many bytes a minute.
    Steady(f64),
    /// In steps, and it never comes back.
    Steps,
    /// At once, so that it has no speed.
    Jump,
}

/// Where a series rises, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rise {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) bytes: f64,
    pub(super) shape: Shape,
}

/// The rise of `series`, if there is one.
pub(super) fn rise(series: &Series) -> Option<Rise> {
    let points = series.points();
    let levels = levels(points, WINDOWS);
    if levels.len() < LEAST_WINDOWS || points.len() < POINTS_A_WINDOW * WINDOWS {
        return None;
    }
    let values: Vec<f64> = levels.iter().map(|level| level.bytes).collect();
    if mann_kendall(&values) < LEAST_TREND {
        return None;
    }
    let run = (points[0].0, points[points.len() - 1].0);
    along_a_line(&levels, run).or_else(|| in_steps(&levels, kept(series, WINDOWS).points()))
}

/// Flat, a straight line, flat: if that is what the levels are.
fn along_a_line(levels: &[Level], run: (i64, i64)) -> Option<Rise> {
    let fit = best_fit(&smoothed(levels));
    let rest: Vec<f64> = levels.iter().map(|level| level.bytes - fit.at(level.at)).collect();
    let is_jump = fit.to - fit.from < LEAST_RISE;
    let inside = levels.iter().filter(|level| (fit.from..fit.to).contains(&level.window));
    let slope = match is_jump {
        true => fit.slope,
        false => theil_sen(&inside.map(|level| (level.at, level.bytes)).collect::<Vec<_>>()),
    };
    let [from, to] = [fit.from, fit.to].map(|window| window as f64 / WINDOWS as f64);
    let bytes = slope * (to - from);
    let [from, to] = [from, to].map(|part| time_at(part, run));
    let shape = if is_jump { Shape::Jump } else { Shape::Steady(bytes / span(from, to) * 60e9) };
    stands_out(bytes, &rest).then_some(Rise { from, to, bytes, shape })
}

/// What was kept, if little was ever given back: the level may rise in any way, but a tooth of a saw is no growth.
fn in_steps(levels: &[Level], kept: &[(i64, i64)]) -> Option<Rise> {
    let (first, last) = (kept.first()?.1, kept.last()?.1);
    let bytes = (last - first) as f64;
    let (mut highest, mut given_back) = (f64::NEG_INFINITY, 0.0_f64);
    for level in levels {
        highest = highest.max(level.bytes);
        given_back = given_back.max(highest - level.bytes);
    }
    let at = |part: f64| first + (bytes * part) as i64;
    // from the last window before it rises to the first after it has risen
    let from = kept.partition_point(|point| point.1 <= at(EDGE)).saturating_sub(1);
    let to = kept.partition_point(|point| point.1 < at(1.0 - EDGE)).min(kept.len() - 1);
    let is_told = bytes >= LEAST_BYTES.max(LEAST_KEPT * given_back);
    is_told.then(|| Rise { from: kept[from].0, to: kept[to].0, bytes, shape: Shape::Steps })
}

/// Whether a rise is large against what the levels do around its fit.
fn stands_out(bytes: f64, rest: &[f64]) -> bool {
    // neighbours that are alike count as fewer values, each of which could be so far off
    let alike = autocorrelation(rest).clamp(0.0, 0.95);
    let fewer = ((1.0 + alike) / (1.0 - alike)).sqrt();
    bytes >= LEAST_BYTES.max(LEAST_EFFECT * fewer * deviation(rest.iter().copied()))
}

fn time_at(part: f64, (first, last): (i64, i64)) -> i64 {
    first.saturating_add((part * span(first, last)).round() as i64)
}

/// Each level as the middle one of itself and its neighbours, so that a single one bends no fit.
fn smoothed(levels: &[Level]) -> Vec<Level> {
    let middle = |at: usize| {
        let around = &levels[at.saturating_sub(1)..(at + 2).min(levels.len())];
        median(&mut around.iter().map(|level| level.bytes).collect::<Vec<_>>())
    };
    levels.iter().enumerate().map(|(at, level)| Level { bytes: middle(at), ..*level }).collect()
}

/// A level that is flat up to a window, then goes in a straight line to another, and is flat from there.
#[derive(Clone, Copy, Debug)]
struct Fit {
    from: usize,
    to: usize,
    start: f64,
    slope: f64,
}

impl Fit {
    /// The least-squares fit for a rise from the beginning of one window to that of another.
    fn new(levels: &[Level], from: usize, to: usize) -> Fit {
        let flat = Fit { from, to, start: 0.0, slope: 1.0 };
        let n = levels.len() as f64;
        let (mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0);
        for level in levels {
            let along = flat.at(level.at);
            x += along;
            y += level.bytes;
            xx += along * along;
            xy += along * level.bytes;
        }
        let width = n * xx - x * x;
        let slope = if width > 0.0 { (n * xy - x * y) / width } else { 0.0 };
        Fit { start: (y - slope * x) / n, slope, ..flat }
    }

    fn at(&self, at: f64) -> f64 {
        let [from, to] = [self.from, self.to].map(|window| window as f64 / WINDOWS as f64);
        self.start + self.slope * (at.clamp(from, to) - from)
    }

    /// The sum of all distances from it.
    fn cost(&self, levels: &[Level]) -> f64 {
        levels.iter().map(|level| (level.bytes - self.at(level.at)).abs()).sum()
    }
}

/// Of all rises, the longest that fits about as well as the best one.
fn best_fit(levels: &[Level]) -> Fit {
    let ranges = (0..WINDOWS).flat_map(|from| (from + 1..=WINDOWS).map(move |to| (from, to)));
    let fits: Vec<(Fit, f64)> =
        ranges.map(|(from, to)| Fit::new(levels, from, to)).map(|fit| (fit, fit.cost(levels))).collect();
    let least = fits.iter().map(|fit| fit.1).fold(f64::INFINITY, f64::min);
    let good = fits.iter().filter(|fit| fit.1 <= least * AS_GOOD);
    // of equally long ones the better
    let longest = good.max_by(|a, b| (a.0.to - a.0.from).cmp(&(b.0.to - b.0.from)).then(b.1.total_cmp(&a.1)));
    longest.expect("there is a range").0
}
