//! Theme: the palette's colours in all their shades, and as the texts that a canvas takes, made once for each theme.
//!
//! Knows nothing of: which colour means what (see `view::palette`).

use crate::view::{DARK, LIGHT, Rgb, Theme as Palette};

/// Steps from the background to a full fill. Fewer would show.
pub const SHADES: usize = 16;

/// Everything a canvas is painted with.
pub struct Theme {
    /// The palette itself.
    pub palette: Palette,
    /// Behind everything.
    pub background: String,
    /// Text.
    pub text: String,
    /// Text that stands back.
    pub faint: String,
    /// Text on a fill.
    pub on_fill: String,
    shades: Vec<Rgb>,
}

impl Theme {
    /// The one for dark or for bright surroundings.
    pub fn new(is_dark: bool) -> Self {
        let palette = if is_dark { DARK } else { LIGHT };
        let shade = |at: usize| {
            let share = (at % SHADES + 1) as f64 / SHADES as f64;
            palette.fill((at / SHADES) as u8).over(palette.background, share)
        };
        Theme {
            background: palette.background.css(),
            text: palette.text.css(),
            faint: palette.faint.css(),
            on_fill: palette.on_fill.css(),
            shades: (0..usize::from(palette.fills()) * SHADES).map(shade).collect(),
            palette,
        }
    }

    /// A fill by its number in the palette and its shade; the last shade is the full colour.
    pub fn shade(&self, color: u8, shade: usize) -> Rgb {
        let known = color.min(self.palette.fills() - 1);
        self.shades[usize::from(known) * SHADES + shade.min(SHADES - 1)]
    }

    /// A fill in its full colour.
    pub fn fill(&self, color: u8) -> Rgb {
        self.shade(color, SHADES - 1)
    }
}
