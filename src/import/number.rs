//! Decimal text to exact integers: times to nanoseconds, ids to 64 bits.
//!
//! Promises: no floating point on the way; what is beyond the last decimal is rounded half away from zero.

use super::json_scan::{Kind, Value};

/// The number in `value` times 10^`scale`, as [`scaled`]; `None` for what is no number or string of one.
#[inline]
pub fn time(value: Value, text: &[u8], scale: u32) -> Option<i64> {
    match value.whole() {
        Some(whole) => whole.checked_mul(10_i64.pow(scale)),
        None if holds_number(value) => scaled(value.bytes(text), scale as i32),
        None => None,
    }
}

/// The integer in `value`, as [`integer`]; `None` for what is no number or string of one.
#[inline]
pub fn id(value: Value, text: &[u8]) -> Option<i128> {
    match value.whole() {
        Some(whole) => Some(i128::from(whole)),
        None if holds_number(value) => integer(value.bytes(text)),
        None => None,
    }
}

/// The sample in `value`, as [`float`]; `None` for what is no number or string of one.
pub fn sample(value: Value, text: &[u8]) -> Option<f64> {
    match value.whole() {
        // up to 2^53 an f64 holds every integer, so the cast is exact
        Some(whole) if whole < 1 << 53 => Some(whole as f64),
        _ if holds_number(value) => float(value.bytes(text)),
        _ => None,
    }
}

fn holds_number(value: Value) -> bool {
    matches!(value.kind, Kind::Number | Kind::String)
}

/// The value of the decimal number `text` times 10^`scale`, rounded half away from zero.
///
/// `None` when the text is no number or the result does not fit into 64 bits.
pub fn scaled(text: &[u8], scale: i32) -> Option<i64> {
    if let Some(whole) = plain_digits(text) {
        return whole.checked_mul(10_i64.checked_pow(u32::try_from(scale).ok()?)?);
    }
    let decimal = Decimal::parse(text)?;
    let (value, dropped) = decimal.shifted(scale)?;
    let value = value + i128::from(dropped >= b'5');
    i64::try_from(if decimal.is_negative { -value } else { value }).ok()
}

/// The integer that `text` writes, also as `1.0` or `1e3`, from -2^63 to 2^64 - 1.
pub fn integer(text: &[u8]) -> Option<i128> {
    if let Some(whole) = plain_digits(text) {
        return Some(i128::from(whole));
    }
    let decimal = Decimal::parse(text)?;
    let (value, _) = decimal.shifted(0).filter(|_| decimal.is_whole())?;
    let value = if decimal.is_negative { -value } else { value };
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

/// The value of `text` as a float: a counter's sample.
pub fn float(text: &[u8]) -> Option<f64> {
    Decimal::parse(text)?;
    str::from_utf8(text.trim_ascii()).ok()?.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The value of text that is digits alone and surely fits.
#[inline]
fn plain_digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    text.iter().try_fold(0_i64, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then_some(value * 10 + i64::from(digit))
    })
}

/// A number taken apart: digits without a point, and where the point stands.
struct Decimal<'a> {
    is_negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i32,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a [u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let (is_negative, text) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (whole, mut rest) = text.split_at(digits(text));
        let mut fraction: &[u8] = &[];
        if let [b'.', after @ ..] = rest {
            (fraction, rest) = after.split_at(digits(after));
        }
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', exponent @ ..] => clamped_exponent(exponent)?,
            _ => return None,
        };
        Some(Decimal { is_negative, whole, fraction, exponent })
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// The whole part after moving the point `scale` to the right, and the first digit dropped.
    fn shifted(&self, scale: i32) -> Option<(i128, u8)> {
        let point = self.whole.len() as i64 + i64::from(self.exponent) + i64::from(scale);
        let (mut value, mut dropped) = (0_i128, b'0');
        let mut taken = 0_i64;
        for digit in self.digits() {
            if taken == point {
                dropped = digit;
                break;
            }
            if taken > point {
                break;
            }
            value = value * 10 + i128::from(digit - b'0');
            taken += 1;
            if value > i128::from(u64::MAX) {
                return None;
            }
        }
        while taken < point && value > 0 {
            value *= 10;
            taken += 1;
            if value > i128::from(u64::MAX) {
                return None;
            }
        }
        Some((value, dropped))
    }

    /// True when no digit other than zero stands behind the point.
    fn is_whole(&self) -> bool {
        let point = self.whole.len() as i64 + i64::from(self.exponent);
        self.digits().zip(0_i64..).all(|(digit, at)| at < point || digit == b'0')
    }
}

/// An exponent, held within what can matter: a longer one is zero or too large whatever the digits.
fn clamped_exponent(text: &[u8]) -> Option<i32> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size =
        digits.iter().fold(0_i32, |size, digit| (size * 10 + i32::from(digit - b'0')).min(100_000_000));
    Some(if is_negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_become_exact_nanoseconds() {
        let cases: [(&str, Option<i64>); 20] = [
            ("0", Some(0)),
            ("1", Some(1000)),
            ("-1.5", Some(-1500)),
            ("1.0005", Some(1001)),
            ("-1.0005", Some(-1001)),
            ("1.00049", Some(1000)),
            ("1699236267071060", Some(1_699_236_267_071_060_000)),
            ("1699236267071060.123", Some(1_699_236_267_071_060_123)),
            ("9223372036854775.807", Some(i64::MAX)),
            ("-9223372036854775.808", Some(i64::MIN)),
            ("9223372036854775.808", None),
            ("1e3", Some(1_000_000)),
            ("1.5E-3", Some(2)),
            ("1e-99999999999", Some(0)),
            ("0e99999999999", Some(0)),
            ("1e30", None),
            (" 5 ", Some(5000)),
            ("+5.", Some(5000)),
            (".5", Some(500)),
            ("0.0000000000000000000000000000001", Some(0)),
        ];
        for (text, ns) in cases {
            assert_eq!(scaled(text.as_bytes(), 3), ns, "{text}");
        }
        for text in ["", "-", ".", "abc", "12abc", "1e", "0x10", "1 2"] {
            assert_eq!(scaled(text.as_bytes(), 3), None, "{text}");
        }
    }

    #[test]
    fn other_units_scale_as_exactly() {
        assert_eq!(scaled(b"10109225730", 0), Some(10_109_225_730));
        assert_eq!(scaled(b"1.5", 0), Some(2));
        assert_eq!(scaled(b"1.5", 6), Some(1_500_000));
    }

    #[test]
    fn ids_keep_64_bits_and_may_be_written_as_decimals() {
        assert_eq!(integer(b"05809"), Some(5809));
        assert_eq!(integer(b"1.0"), Some(1));
        assert_eq!(integer(b"1e3"), Some(1000));
        assert_eq!(integer(b"18446744073709551615"), Some(i128::from(u64::MAX)));
        assert_eq!(integer(b"18446744073709551616"), None);
        assert_eq!(integer(b"-9223372036854775808"), Some(i128::from(i64::MIN)));
        assert_eq!(integer(b"1.5"), None);
        assert_eq!(integer(b"abc"), None);
    }

    #[test]
    fn samples_read_like_numbers() {
        assert_eq!(float(b"+10.5"), Some(10.5));
        assert_eq!(float(b"050"), Some(50.0));
        assert_eq!(float(b"-.75"), Some(-0.75));
        assert_eq!(float(b"246."), Some(246.0));
        assert_eq!(float(b"9007199254740993"), Some(9_007_199_254_740_992.0));
        assert_eq!(float(b"1e400"), None);
        assert_eq!(float(b"inf"), None);
        assert_eq!(float(b"1.5e"), None);
    }
}
