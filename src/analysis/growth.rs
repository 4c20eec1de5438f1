//! Whether memory that no pool accounts for keeps growing: from when to when, how fast, and who ran meanwhile.
//!
//! ```text
//! excess   ╷ ╷  ╷╷  ╷ ╷ ╷│ ╷││╷│ │ │ │      work in flight comes and goes above the level
//! level    ▁▁▁▁▁▁▁▁▁▁▁▁▂▂▃▃▄▄▅▅▆▆▆▆▆▆▆▆     the least value of each of 60 windows
//! fit      ────────────╱──────╱────────     flat, a straight line, flat
//!                    from    to
//! ```
//!
//! Promises: `None` unless the levels carry it; a jump is told as one and has no speed. `docs/attribution.md` has the rules,
//! the rates of error measured, and what is not seen.
//! Does not do: choosing the series; words.
//! Costs: O(points) and a constant some milliseconds; then one attribution.

use super::attribution::{Attribution, attribute};
use super::robust::{autocorrelation, deviation, mann_kendall, median, theil_sen};
use super::series::{Series, span};
use crate::names::StrId;
use crate::trace::{ProcessId, Trace};

/// Equal stretches of time into which a run is cut.
pub const WINDOWS: usize = 60;
/// Windows for sharing the growth are so many times finer: shorter ones follow more of the ups and downs.
const FINER: usize = 4;
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

/// A growth that the data carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// When the level begins to rise, in ns as in the file.
    pub from: i64,
    /// When it stops.
    pub to: i64,
    /// How much it rises between them.
    pub bytes: i64,
    /// How fast it rises between them; `None` for a jump, which has no speed.
    pub bytes_per_minute: Option<f64>,
    /// The change of the level from about `from` to about `to`, shared among the functions that ran.
    pub shares: Attribution,
}

impl Growth {
    /// The function with the largest share of the growth, and that share: 0 to 1, more where others have shrunk.
    pub fn top(&self) -> Option<(StrId, f64)> {
        let top = self.shares.functions.iter().max_by_key(|function| function.own)?;
        // the fitted growth is positive, that of two levels may still not be
        let is_told = top.own > 0 && self.shares.total > 0;
        is_told.then(|| (top.name, top.own as f64 / self.shares.total as f64))
    }
}

/// The growth of `series`, if there is one.
pub fn growth(trace: &Trace, process: ProcessId, series: &Series) -> Option<Growth> {
    let Rise { from, to, bytes, is_jump } = rise(series)?;
    let shares = attribute(trace, process, &around(&level(series), from, to));
    let bytes_per_minute = (!is_jump).then(|| bytes / span(from, to) * 60e9);
    Some(Growth { from, to, bytes: bytes.round() as i64, bytes_per_minute, shares })
}

/// The level of a series: the least point of each of 240 equal stretches of its time. The ups and downs above it
/// are no growth, and sharing each of them would bury what is. O(points).
pub fn level(series: &Series) -> Series {
    let points = series.points();
    let [first, last] = [points.first(), points.last()].map(|point| point.map_or(0, |point| point.0));
    let levels = levels(points, first, last, WINDOWS * FINER);
    // a level is a value of the series: whole, and exact
    Series::from_points(levels.into_iter().map(|level| (level.time, level.bytes as i64)))
}

/// The points from the last before `from` to the first after `to`.
fn around(series: &Series, from: i64, to: i64) -> Series {
    let points = series.points();
    let start = points.partition_point(|point| point.0 < from).saturating_sub(1);
    let end = (points.partition_point(|point| point.0 <= to) + 1).min(points.len());
    Series::from_points(points[start..end].iter().copied())
}

/// Where a series rises, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rise {
    from: i64,
    to: i64,
    bytes: f64,
    is_jump: bool,
}

/// The level of a window: when and where in the run, 0 to 1, its least value is, and how much that is.
#[derive(Clone, Copy, Debug)]
struct Level {
    window: usize,
    time: i64,
    at: f64,
    bytes: f64,
}

fn rise(series: &Series) -> Option<Rise> {
    let points = series.points();
    let (first, last) = (points.first()?.0, points.last()?.0);
    let levels = levels(points, first, last, WINDOWS);
    if levels.len() < LEAST_WINDOWS || points.len() < POINTS_A_WINDOW * WINDOWS {
        return None;
    }
    let fit = best_fit(&smoothed(&levels));
    let values: Vec<f64> = levels.iter().map(|level| level.bytes).collect();
    let rest: Vec<f64> = levels.iter().map(|level| level.bytes - fit.at(level.at)).collect();
    let trend = mann_kendall(&values);
    // neighbours that are alike count as fewer values, each of which could be so far off
    let alike = autocorrelation(&rest).clamp(0.0, 0.95);
    let fewer = ((1.0 + alike) / (1.0 - alike)).sqrt();
    let is_jump = fit.to - fit.from < LEAST_RISE;
    let inside = levels.iter().filter(|level| (fit.from..fit.to).contains(&level.window));
    let slope = match is_jump {
        true => fit.slope,
        false => theil_sen(&inside.map(|level| (level.at, level.bytes)).collect::<Vec<_>>()),
    };
    let [from, to] = [fit.from, fit.to].map(|window| window as f64 / WINDOWS as f64);
    let bytes = slope * (to - from);
    let least = LEAST_BYTES.max(LEAST_EFFECT * fewer * deviation(rest.into_iter()));
    let time = |part: f64| first.saturating_add((part * span(first, last)).round() as i64);
    (trend >= LEAST_TREND && bytes >= least).then(|| Rise { from: time(from), to: time(to), bytes, is_jump })
}

/// The least value of each window that has one.
fn levels(points: &[(i64, i64)], first: i64, last: i64, windows: usize) -> Vec<Level> {
    let run = span(first, last).max(1.0);
    let mut levels: Vec<Level> = Vec::with_capacity(windows);
    for &(time, value) in points {
        let (at, bytes) = (span(first, time) / run, value as f64);
        let window = ((at * windows as f64) as usize).min(windows - 1);
        match levels.last_mut() {
            Some(level) if level.window == window => {
                if bytes < level.bytes {
                    (level.time, level.at, level.bytes) = (time, at, bytes);
                }
            }
            _ => levels.push(Level { window, time, at, bytes }),
        }
    }
    levels
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
