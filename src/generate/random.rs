//! Chance, in integers only: uniform numbers, skewed amounts, rare events.
//!
//! Promises: the same seed gives the same numbers on every platform and in every build.
//! Does not: use floats (`exp` and `ln` differ between libm and wasm), or serve security.

/// A splitmix64 stream.
pub(super) struct Random(u64);

/// 2^(n/8) in 1024ths.
const EIGHTHS: [u64; 8] = [1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878];

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Evenly in `0..n`, for `n` up to 2³².
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((self.bits() >> 32) * n) >> 32
    }

    /// Evenly in `low..high`.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low)
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// About `median`, with the long tail of durations and sizes (log-normal in shape).
    ///
    /// The sum of 32 coin flips stands for the normal distribution; each flip more or less is
    /// `spread` eighths of a doubling. Two thirds lie within a factor of 1.6 for spread 2 and
    /// 2.7 for spread 4; with medians below 2³⁰ and spreads up to 4 nothing overflows.
    pub(super) fn skewed(&mut self, median: u64, spread: u32) -> u64 {
        let bits = self.bits();
        let flips = i64::from((bits & 0xFFFF_FFFF).count_ones()) - 16;
        let eighths = flips * i64::from(spread);
        let part = EIGHTHS[usize::try_from(eighths.rem_euclid(8)).expect("0 to 7")];
        // evenly between this step and the next, or all durations would be one of 33
        let fine = 1024 + (((bits >> 32) * (93 * u64::from(spread))) >> 32);
        let amount = (median * part * fine) >> 20;
        let octaves = eighths.div_euclid(8);
        if octaves < 0 { amount >> -octaves } else { amount << octaves }
    }
}

/// Something that happens early in a trace and then ever more seldom.
///
/// A fixed chance would leave a small trace without the oddity and bury a large one in it:
/// spans that never end pile up, each pushing the rest of its thread one row down.
pub(super) struct Rare {
    until: u64,
    gap: u64,
}

impl Rare {
    /// First after `gap` to twice `gap` chances.
    pub(super) fn new(gap: u64, random: &mut Random) -> Self {
        Self { until: random.between(gap, 2 * gap), gap }
    }

    /// Counts one chance; the distance to the next time grows by half.
    pub(super) fn happens(&mut self, random: &mut Random) -> bool {
        if self.until > 0 {
            self.until -= 1;
            return false;
        }
        self.gap = (self.gap + self.gap / 2).min(1 << 31);
        self.until = random.between(self.gap, 2 * self.gap);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        let mut random = Random::new(1234567);
        assert_eq!(random.bits(), 6457827717110365317);
        assert_eq!(random.bits(), 3203168211198807973);
    }

    #[test]
    fn skewed_amounts_lie_around_their_median_with_a_long_tail() {
        let mut random = Random::new(7);
        let mut amounts: Vec<u64> = (0..10_001).map(|_| random.skewed(1000, 4)).collect();
        amounts.sort_unstable();
        assert!((900..1500).contains(&amounts[5000]), "median {}", amounts[5000]);
        assert!(amounts[9900] > 5 * amounts[5000], "99th of 100: {}", amounts[9900]);
        assert!(amounts[100] < amounts[5000] / 5, "1st of 100: {}", amounts[100]);
    }

    #[test]
    fn the_widest_skew_of_the_largest_median_does_not_overflow() {
        let mut random = Random::new(3);
        let largest = (0..100_000).map(|_| random.skewed((1 << 30) - 1, 4)).max();
        assert!(largest < Some(1 << 40));
    }

    #[test]
    fn rare_things_happen_soon_and_then_seldom() {
        let mut random = Random::new(5);
        let mut rare = Rare::new(100, &mut random);
        let times: Vec<u32> = (0..1_000_000).filter(|_| rare.happens(&mut random)).collect();
        assert!(times[0] < 200);
        assert!(times.len() > 10 && times.len() < 30, "{} times", times.len());
    }
}
