//! Labels: what of a text fits into so many pixels.
//!
//! Promises: a fitted text is never wider than its room, by a table of character widths that the page measures
//! once; so fitting needs no canvas, and is the same on every thread and in tests.
//! Does not do: kerning and ligatures (the page turns them off), line breaks, right-to-left text.
//! Costs: O(characters that fit).

/// Least room that is worth a label: about three characters.
pub const MIN_LABEL_PX: f64 = 20.0;
/// Characters of a name that are kept for its label; no screen shows more.
pub const MAX_LABEL_CHARS: usize = 400;
const ELLIPSIS: char = '…';

/// The width of each ASCII character in pixels, of the ellipsis, and one for all others.
#[derive(Clone, Debug)]
pub struct CharWidths {
    ascii: [f32; 128],
    ellipsis: f32,
    other: f32,
}

/// The part of a text that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitted<'a> {
    /// The beginning of the text, or all of it.
    pub text: &'a str,
    /// Whether "…" stands for the rest.
    pub is_cut: bool,
}

impl CharWidths {
    /// Widths of the characters 0..128, of "…" and of any other; missing or broken ones count as `other`.
    pub fn new(ascii: &[f32], ellipsis: f32, other: f32) -> Self {
        let usable = |width: f32| if width.is_finite() && width >= 0.0 { width } else { other };
        let mut widths = [other; 128];
        widths.iter_mut().zip(ascii).for_each(|(width, &measured)| *width = usable(measured));
        CharWidths { ascii: widths, ellipsis: usable(ellipsis), other }
    }

    /// Every character as wide as `px`.
    pub fn fixed(px: f32) -> Self {
        CharWidths::new(&[], px, px)
    }

    /// The width of a text.
    pub fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.of(character)).sum()
    }

    /// The longest beginning of `text` that fits into `room_px`, with "…" where something is left out; `None`
    /// when not even two characters fit.
    pub fn fit<'a>(&self, text: &'a str, room_px: f64) -> Option<Fitted<'a>> {
        let mut used = 0.0;
        let (mut cut, mut cut_chars) = (0, 0);
        for (at, character) in text.char_indices() {
            if used + f64::from(self.ellipsis) <= room_px {
                (cut, cut_chars) = (at, cut_chars + usize::from(at > 0));
            }
            used += self.of(character);
            if used > room_px {
                let worth = cut_chars >= 2;
                return worth.then(|| Fitted { text: text[..cut].trim_end(), is_cut: true });
            }
        }
        (!text.is_empty()).then_some(Fitted { text, is_cut: false })
    }

    fn of(&self, character: char) -> f64 {
        let width = match character {
            ELLIPSIS => self.ellipsis,
            _ => self.ascii.get(character as usize).copied().unwrap_or(self.other),
        };
        f64::from(width)
    }
}

impl Fitted<'_> {
    /// The text as it is drawn.
    pub fn shown(&self) -> String {
        if self.is_cut { format!("{}{ELLIPSIS}", self.text) } else { self.text.to_owned() }
    }
}

/// The beginning of a name that a label can show at all.
pub fn clipped(name: &str) -> &str {
    name.char_indices().nth(MAX_LABEL_CHARS).map_or(name, |(end, _)| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_exactly_where_it_stops_fitting() {
        let widths = CharWidths::fixed(5.0);
        let cases = [
            ("shuffle", 35.0, Some("shuffle")),
            ("shuffle", 34.9, Some("shuff…")),
            ("shuffle", 15.0, Some("sh…")),
            ("shuffle", 14.9, None),
            ("ab", 10.0, Some("ab")),
            ("ab", 9.9, None),
            ("a", 5.0, Some("a")),
            ("", 50.0, None),
            ("größer als", 25.0, Some("größ…")),
            ("two words", 25.0, Some("two…")),
        ];
        for (text, room, shown) in cases {
            let fitted = widths.fit(text, room).map(|fitted| fitted.shown());
            assert_eq!(fitted.as_deref(), shown, "{text} in {room}");
        }
    }

    #[test]
    fn a_fitted_text_is_never_wider_than_its_room() {
        let ascii: Vec<f32> = (0..128_u8).map(|code| 2.0 + f32::from(code % 7)).collect();
        let widths = CharWidths::new(&ascii, 8.0, 11.0);
        for text in ["executePlan(Filter,HashAgg,Projection)", "日本語のスレッド名", "il.l,i"] {
            let mut longest = 0;
            for room in 0..400 {
                let Some(fitted) = widths.fit(text, f64::from(room)) else { continue };
                assert!(widths.width(&fitted.shown()) <= f64::from(room));
                assert!(fitted.text.len() >= longest, "{text}: more room never shows less");
                longest = fitted.text.len();
            }
            assert_eq!(longest, text.len());
        }
    }

    #[test]
    fn widths_that_could_not_be_measured_fall_back() {
        let widths = CharWidths::new(&[f32::NAN, -1.0, 4.0], f32::INFINITY, 7.0);
        assert_eq!(widths.width("\0\u{1}\u{2}…é"), 7.0 + 7.0 + 4.0 + 7.0 + 7.0);
    }
}
