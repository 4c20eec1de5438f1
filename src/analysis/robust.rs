//! Statistics that a few wild values do not move: median, deviation from it, slope, and whether there is a trend.
//!
//! Promises: plain formulas in IEEE arithmetic, so the same numbers on every machine. An empty list gives 0.
//! Costs: median O(n); slope and trend O(n²), for some hundred values.

/// The value in the middle, of two the mean. O(n).
pub(super) fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_even = middle * 2 == values.len();
    if is_even { (lower + upper) / 2.0 } else { upper }
}

/// The usual distance from zero, as a standard deviation: 1.4826 × median of the sizes.
pub(super) fn deviation(residuals: impl Iterator<Item = f64>) -> f64 {
    1.4826 * median(&mut residuals.map(f64::abs).collect::<Vec<_>>())
}

/// The Theil–Sen slope: the median of the slopes of all pairs of points (x, y).
pub(super) fn theil_sen(points: &[(f64, f64)]) -> f64 {
    let mut slopes = Vec::with_capacity(points.len() * points.len() / 2);
    for (at, a) in points.iter().enumerate() {
        let later = points[at + 1..].iter().filter(|b| b.0 != a.0);
        slopes.extend(later.map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    median(&mut slopes)
}

/// The Mann–Kendall test: how many standard deviations the number of rising pairs lies above that of falling
/// ones, for values without order, with its correction for equal values.
pub(super) fn mann_kendall(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mut score = 0.0;
    for (at, a) in values.iter().enumerate() {
        for b in &values[at + 1..] {
            score += f64::from(i8::from(b > a) - i8::from(b < a));
        }
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let ties = sorted.chunk_by(|a, b| a == b).map(|equal| pairs_variance(equal.len() as f64)).sum::<f64>();
    let variance = (pairs_variance(n) - ties) / 18.0;
    if variance <= 0.0 {
        return 0.0;
    }
    (score - score.signum()) / variance.sqrt()
}

fn pairs_variance(n: f64) -> f64 {
    n * (n - 1.0) * (2.0 * n + 5.0)
}

/// How much a value has in common with the one before it: −1 to 1.
pub(super) fn autocorrelation(residuals: &[f64]) -> f64 {
    let n = residuals.len() as f64;
    let mean = residuals.iter().sum::<f64>() / n.max(1.0);
    let all: f64 = residuals.iter().map(|value| (value - mean) * (value - mean)).sum();
    let next: f64 = residuals.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if all > 0.0 { next / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_values_move_neither_median_nor_slope() {
        assert_eq!(median(&mut []), 0.0);
        assert_eq!(median(&mut [3.0, 1.0, 1e9]), 3.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 1e9]), 3.0);
        let mut points: Vec<(f64, f64)> = (0..50).map(|n| (f64::from(n), 3.0 * f64::from(n))).collect();
        points[10].1 = 1e9;
        points[40].1 = -1e9;
        assert!((theil_sen(&points) - 3.0).abs() < 1e-9);
        assert_eq!(deviation([1.0, -2.0, 3.0, -1e9].into_iter()), 1.4826 * 2.5);
    }

    #[test]
    fn the_trend_test_knows_rising_falling_and_level() {
        let rising: Vec<f64> = (0..20).map(f64::from).collect();
        let falling: Vec<f64> = rising.iter().rev().copied().collect();
        // 190 pairs, variance 950
        assert!((mann_kendall(&rising) - 189.0 / 950_f64.sqrt()).abs() < 1e-12);
        assert_eq!(mann_kendall(&falling), -mann_kendall(&rising));
        assert_eq!(mann_kendall(&[5.0; 20]), 0.0);
        assert_eq!(autocorrelation(&[1.0, -1.0, 1.0, -1.0]), -0.75);
    }
}
