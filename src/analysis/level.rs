//! The level of a series: what is left of it when its ups and downs are taken away.
//!
//! ```text
//! series   ╷ ╷  ╷╷  ╷ ╷ ╷│ ╷││╷│ │ │ │      work in flight comes and goes
//! level    ▁▁▁▁▁▁▂▂▁▁▁▁▂▂▃▃▄▄▅▅▄▄▆▆▆▆▆▆     the least value of each of some equal stretches
//! kept     ▁▁▁▁▁▁▁▁▁▁▁▁▂▂▃▃▄▄▄▄▄▄▆▆▆▆▆▆     the least level from there on: what was not given back any more
//! ```
//!
//! Promises: each point is a value of the series, whole and exact.
//! Costs: O(points).

use super::series::{Series, span};

/// Equal stretches of time, windows, into which a run is cut.
pub const WINDOWS: usize = 60;
/// Windows for sharing the growth are so many times finer: shorter ones follow more of the ups and downs.
pub(super) const FINER: usize = 4;

/// The level of a window: when and where in the run, 0 to 1, its least value is, and how much that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) window: usize,
    pub(super) time: i64,
    pub(super) at: f64,
    pub(super) bytes: f64,
}

/// The level of a series: the least point of each of 240 equal stretches of its time. The ups and downs above it
/// are no growth, and sharing each of them would bury what is. O(points).
pub fn level(series: &Series) -> Series {
    points(levels(series.points(), WINDOWS * FINER))
}

/// What a series never falls below any more: of the levels of so many windows the least from each on. O(points).
pub(super) fn kept(series: &Series, windows: usize) -> Series {
    let mut levels = levels(series.points(), windows);
    let mut least = f64::INFINITY;
    for level in levels.iter_mut().rev() {
        least = least.min(level.bytes);
        level.bytes = least;
    }
    points(levels)
}

/// The least value of each window that has one.
pub(super) fn levels(points: &[(i64, i64)], windows: usize) -> Vec<Level> {
    let [first, last] = [points.first(), points.last()].map(|point| point.map_or(0, |point| point.0));
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

fn points(levels: Vec<Level>) -> Series {
    // a series' values are exact as floats
    Series::from_points(levels.into_iter().map(|level| (level.time, level.bytes as i64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_never_falls_and_is_never_above_the_level() {
        let value = |n: i64| [0, 7, 3, 9, 4, 100][n as usize % 6] + n;
        let series = Series::from_points((0..600).map(|n| (n * 10, value(n))));
        let (level, kept) = (level(&series), kept(&series, WINDOWS));
        assert_eq!((level.points().len(), kept.points().len()), (240, 60));
        assert!(kept.points().is_sorted_by_key(|point| point.1));
        assert_eq!(kept.points()[0], (0, 0));
        // a window is a little less than ten points; the last begins with the 590th, and the least is the 594th's
        assert_eq!(kept.points()[59].1, (590..600).map(value).min().unwrap());
        let given_back = Series::from_points([(0, 5), (1_000, 80), (2_000, 4)].into_iter());
        assert_eq!(super::kept(&given_back, WINDOWS).points(), [(0, 4), (1_000, 4), (2_000, 4)]);
    }
}
