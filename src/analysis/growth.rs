//! Whether memory that no pool accounts for keeps growing: from when to when, how, and who ran meanwhile.
//!
//! Promises: `None` unless the levels carry it. `docs/attribution.md` has the rules, the rates of error measured,
//! and what is not seen.
//! Does not do: choosing the series; words.
//! Costs: O(points) and a constant some milliseconds; then one attribution and one look for who is followed.

use super::attribution::{Attribution, attribute};
use super::follow::{Follow, follow};
use super::level::level;
use super::rise::{Rise, Shape, rise};
use super::series::Series;
use crate::names::StrId;
use crate::trace::{ProcessId, Trace};

/// A growth that the data carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// When the level begins to rise, in ns as in the file.
    pub from: i64,
    /// When it stops.
    pub to: i64,
    /// How much it rises between them.
    pub bytes: i64,
    /// How it rises.
    pub shape: Shape,
    /// The change of the level from about `from` to about `to`, shared among the functions that ran.
    pub shares: Attribution,
    /// The function whose calls it follows, if it follows those of one closely.
    pub follows: Option<Follow>,
}

impl Growth {
    /// How fast it rises between `from` and `to`; only along a line there is a speed.
    pub fn bytes_per_minute(&self) -> Option<f64> {
        match self.shape {
            Shape::Steady(speed) => Some(speed),
            Shape::Steps | Shape::Jump => None,
        }
    }

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
    let Rise { from, to, bytes, shape } = rise(series)?;
    let shares = attribute(trace, process, &around(&level(series), from, to));
    let best = follow(trace, process, series).into_iter().next();
    let follows = best.filter(Follow::is_clear);
    Some(Growth { from, to, bytes: bytes.round() as i64, shape, shares, follows })
}

/// The points from the last before `from` to the first after `to`.
fn around(series: &Series, from: i64, to: i64) -> Series {
    let points = series.points();
    let start = points.partition_point(|point| point.0 < from).saturating_sub(1);
    let end = (points.partition_point(|point| point.0 <= to) + 1).min(points.len());
    Series::from_points(points[start..end].iter().copied())
}
