//! Times and sizes as types, and the one place that turns them into text.
//!
//! Promises: `Ns` and `Bytes` print with a unit a reader of traces expects ("1.25 ms", "306.8 MB").
//! Does not do: rounding for arithmetic; every sum stays an exact integer.

use std::fmt;

/// A point in time or a length of time in nanoseconds; negative before the trace's zero point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ns(pub i64);

/// A size in bytes; prints in binary multiples, as Comet's own report does (1 MB = 1,048,576 B).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Bytes(pub f64);

impl Ns {
    /// `self` to the full nanosecond with thousands separated: "1,250,000 ns".
    pub fn exact(self) -> String {
        format!("{} ns", grouped(i128::from(self.0)))
    }
}

impl Ns {
    /// As on a clock, to the second: "3:10", "1:03:10".
    pub fn clock(self) -> String {
        let (sign, all) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs() / 1_000_000_000);
        let (hours, minutes, seconds) = (all / 3_600, all / 60 % 60, all % 60);
        match hours {
            0 => format!("{sign}{minutes}:{seconds:02}"),
            _ => format!("{sign}{hours}:{minutes:02}:{seconds:02}"),
        }
    }
}

impl fmt::Display for Ns {
    /// Three significant digits or more, trailing zeros dropped: "850 ns", "1.25 ms", "12.3 s".
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.unsigned_abs();
        let (unit, scale) = match size {
            0..1_000 => return write!(out, "{} ns", self.0),
            1_000..1_000_000 => ("µs", 1e3),
            1_000_000..1_000_000_000 => ("ms", 1e6),
            _ => ("s", 1e9),
        };
        // a f64 holds 2^53 ns (104 days) exactly; beyond that the rounding is far below a digit shown
        write!(out, "{} {unit}", significant(self.0 as f64 / scale))
    }
}

impl fmt::Display for Bytes {
    /// One decimal from a kilobyte on: "812 B", "4.0 KB", "306.8 MB", "1.5 GB".
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, scale) = match self.0.abs() {
            size if size < 1024.0 => return write!(out, "{} B", self.0),
            size if size < 1_048_576.0 => ("KB", 1024.0),
            size if size < 1_073_741_824.0 => ("MB", 1_048_576.0),
            _ => ("GB", 1_073_741_824.0),
        };
        write!(out, "{:.1} {unit}", self.0 / scale)
    }
}

/// `value` with at least three significant digits and no trailing zeros after the point.
fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// An integer with a comma between groups of three digits: "-1,250,000".
pub fn grouped(value: i128) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    if value < 0 {
        text.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_print_in_the_unit_a_reader_expects() {
        let cases = [
            (0, "0 ns"),
            (-850, "-850 ns"),
            (1_000, "1 µs"),
            (1_250_000, "1.25 ms"),
            (12_340_000, "12.3 ms"),
            (999_400_000, "999 ms"),
            (61_000_000_000, "61 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(Ns(ns).to_string(), text);
        }
        assert_eq!(Ns(-1_250_000).exact(), "-1,250,000 ns");
        let clock = [0, 190, 3_790, -61].map(|seconds| Ns(seconds * 1_000_000_000).clock());
        assert_eq!(clock, ["0:00", "3:10", "1:03:10", "-1:01"]);
    }

    #[test]
    fn sizes_print_in_binary_multiples() {
        let cases =
            [(812.0, "812 B"), (4096.0, "4.0 KB"), (321_703_116.8, "306.8 MB"), (1_610_612_736.0, "1.5 GB")];
        for (bytes, text) in cases {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
