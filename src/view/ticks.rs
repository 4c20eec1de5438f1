//! Where the lines of a ruler stand and what they say: time in steps of 1, 2 and 5, sizes in powers of two.
//!
//! Promises: neighbouring labels differ and don't touch; a time label has as many digits as its step needs,
//! so that at the deepest zoom a nanosecond still tells two lines apart.
//! Does not do: calendar time; a trace's zero point is its first record.

use super::viewport::Viewport;

/// A line of a ruler over the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTick {
    /// Pixels from the left of the plot.
    pub x: f64,
    /// Time from the start of the trace: "1.25 ms".
    pub label: String,
}

/// A line of an axis of values.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueTick {
    /// The value.
    pub value: f64,
    /// What stands beside the line: "256 MB".
    pub label: String,
}

/// Least pixels from line to line, and how many more each character of a label asks for.
const LEAST_PX: f64 = 40.0;
const CHAR_PX: f64 = 7.5;

/// The lines of the time ruler for `view`; labels count from `zero`.
pub fn time_ticks(view: &Viewport, zero: i64) -> Vec<TimeTick> {
    let (from, to) = (view.start().0, view.end().0);
    let relative = |time: i64| i128::from(time) - i128::from(zero);
    let farthest = relative(from).unsigned_abs().max(relative(to).unsigned_abs());
    let unit = Unit::of(farthest);
    let step = steps()
        .find(|&step| {
            let chars = unit.label(farthest as i128, step).chars().count() as f64;
            step as f64 / view.ns_per_px() >= LEAST_PX + CHAR_PX * chars
        })
        .unwrap_or(i64::MAX.into());
    let first = -(-relative(from)).div_euclid(step) * step; // rounded up
    let lines = std::iter::successors(Some(first), |time| Some(time + step));
    lines
        .take_while(|&time| time <= relative(to))
        .filter_map(|time| Some((time, i64::try_from(time + i128::from(zero)).ok()?)))
        .map(|(time, absolute)| TimeTick { x: view.x_of(absolute), label: unit.label(time, step) })
        .collect()
}

/// 1, 2, 5, 10, 20, … ns.
fn steps() -> impl Iterator<Item = i128> {
    (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10_i128.pow(power)))
}

/// The unit in which all labels of a ruler are written.
#[derive(Clone, Copy)]
struct Unit {
    name: &'static str,
    digits: u32,
}

impl Unit {
    fn of(ns: u128) -> Unit {
        let (name, digits) = match ns {
            0..1_000 => ("ns", 0),
            1_000..1_000_000 => ("µs", 3),
            1_000_000..1_000_000_000 => ("ms", 6),
            _ => ("s", 9),
        };
        Unit { name, digits }
    }

    /// `time` with the digits that a ruler of this step needs.
    fn label(self, time: i128, step: i128) -> String {
        let scale = 10_i128.pow(self.digits);
        let zeros = step.to_string().bytes().rev().take_while(|&byte| byte == b'0').count() as u32;
        let decimals = self.digits.saturating_sub(zeros);
        let whole = crate::units::grouped(time.abs() / scale);
        let sign = if time < 0 { "-" } else { "" };
        if decimals == 0 {
            return format!("{sign}{whole} {}", self.name);
        }
        let part = time.abs() % scale / 10_i128.pow(self.digits - decimals);
        format!("{sign}{whole}.{part:0width$} {}", self.name, width = decimals as usize)
    }
}

/// At most `count` lines from 0 to `max` or from `min` where that is below, for sizes in bytes.
pub fn byte_ticks(min: f64, max: f64, count: usize) -> Vec<ValueTick> {
    let powers = (0..62).map(|power| f64::from(power).exp2());
    value_ticks(min, max, count, powers, |value, step| {
        let units = [("GB", 1_073_741_824.0), ("MB", 1_048_576.0), ("KB", 1024.0), ("B", 1.0)];
        let reach = max.abs().max(min.abs());
        // the largest unit in which neighbouring lines still differ within two decimals
        let fits = |scale: f64| reach >= scale && step / scale >= 0.01;
        let (name, scale) = units.into_iter().find(|unit| fits(unit.1)).unwrap_or(units[3]);
        format!("{} {name}", trimmed(value / scale))
    })
}

/// At most `count` lines for plain numbers.
pub fn number_ticks(min: f64, max: f64, count: usize) -> Vec<ValueTick> {
    let steps = (-9..19).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
    value_ticks(min, max, count, steps, |value, _| {
        let units = [("G", 1e9), ("M", 1e6), ("k", 1e3)];
        let unit = units.into_iter().find(|unit| max.abs().max(min.abs()) >= unit.1 * 10.0);
        unit.map_or_else(|| trimmed(value), |(name, scale)| format!("{}{name}", trimmed(value / scale)))
    })
}

fn value_ticks(
    min: f64,
    max: f64,
    count: usize,
    mut steps: impl Iterator<Item = f64>,
    label: impl Fn(f64, f64) -> String,
) -> Vec<ValueTick> {
    let (low, high) = (min.min(0.0), max.max(0.0));
    let Some(step) = steps.find(|step| (high - low) / step < count as f64) else { return Vec::new() };
    let first = (low / step).ceil() as i64; // at most `count` steps from zero
    let last = (high / step).floor() as i64;
    (first..=last)
        .map(|n| n as f64 * step)
        .map(|value| ValueTick { value, label: label(value, step) })
        .collect()
}

/// Up to three decimals, without trailing zeros.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[ValueTick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn time_labels_have_the_digits_of_their_step() {
        let cases = [
            (0, 0, 10_000.0, vec!["0 µs", "2 µs", "4 µs", "6 µs", "8 µs", "10 µs"]),
            (0, 10_123_456_700, 800.0, vec!["10.1234568 s", "10.1234570 s", "10.1234572 s"]),
            (1_000, 0, 10.0, vec!["-1.000 µs", "-0.998 µs", "-0.996 µs", "-0.994 µs"]),
            (0, 0, 3.6e12, vec!["0 s", "500 s", "1,000 s", "1,500 s"]),
        ];
        for (zero, start, span, expected) in cases {
            let ticks = time_ticks(&Viewport::exactly(start, span, 700.0), zero);
            let actual: Vec<_> = ticks.iter().map(|tick| tick.label.clone()).collect();
            assert_eq!(actual[..expected.len().min(actual.len())], expected[..], "{actual:?}");
        }
    }

    #[test]
    fn labels_never_touch_and_never_repeat_at_any_zoom() {
        let mut span = 10.0;
        while span < 4e18 {
            let view = Viewport::exactly(1_700_000_000_000_000_000, span, 1500.0);
            for zero in [0, 1_700_000_000_000_000_000, 1_699_999_000_000_000_000] {
                let ticks = time_ticks(&view, zero);
                assert!((3..=40).contains(&ticks.len()), "{span}: {ticks:?}");
                for pair in ticks.windows(2) {
                    let room = pair[1].x - pair[0].x;
                    assert!(room >= pair[0].label.chars().count() as f64 * 6.5, "{span}: {pair:?}");
                    assert_ne!(pair[0].label, pair[1].label);
                }
            }
            span *= 1.7;
        }
    }

    #[test]
    fn sizes_stand_at_powers_of_two_and_numbers_at_tens() {
        let gb = 1_073_741_824.0;
        assert_eq!(labels(&byte_ticks(0.0, 1.2 * gb, 5)), ["0 GB", "0.25 GB", "0.5 GB", "0.75 GB", "1 GB"]);
        assert_eq!(
            labels(&byte_ticks(0.0, 300.0 * 1_048_576.0, 5)),
            ["0 MB", "64 MB", "128 MB", "192 MB", "256 MB"]
        );
        assert_eq!(labels(&byte_ticks(0.0, 5.0, 4)), ["0 B", "2 B", "4 B"]);
        assert_eq!(labels(&number_ticks(0.0, 100.0, 6)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&number_ticks(-1.0, 1.0, 5)), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(labels(&number_ticks(0.0, 25_000.0, 4)), ["0k", "10k", "20k"]);
    }
}
