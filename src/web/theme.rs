//! Theme: the palette's colours as the texts that a canvas takes, made once for each theme.
//!
//! Knows nothing of: which colour means what (see `view::palette`).

use crate::view::{DARK, LIGHT, Theme as Palette};

/// Steps from the background to a full fill. More would be more colour changes a frame, fewer would show.
pub const SHADES: usize = 16;

/// Everything a canvas is painted with.
pub struct Theme {
    /// The palette itself.
    pub palette: Palette,
    /// Behind everything.
    pub background: String,
    /// Behind the titles on the left.
    pub gutter: String,
    /// Behind the headers of processes.
    pub header: String,
    /// Lines between places and of the grid.
    pub line: String,
    /// Text.
    pub text: String,
    /// Text that stands back.
    pub faint: String,
    /// Text on a fill.
    pub on_fill: String,
    /// Around the selection.
    pub accent: String,
    /// The line under the pointer.
    pub crosshair: String,
    shades: Vec<String>,
}

impl Theme {
    /// The one for dark or for bright surroundings.
    pub fn new(is_dark: bool) -> Self {
        let palette = if is_dark { DARK } else { LIGHT };
        let shade = |at: usize| {
            let share = (at % SHADES + 1) as f64 / SHADES as f64;
            palette.fill((at / SHADES) as u8).over(palette.background, share).css()
        };
        Theme {
            background: palette.background.css(),
            gutter: palette.gutter.css(),
            header: palette.header.css(),
            line: palette.line.css(),
            text: palette.text.css(),
            faint: palette.faint.css(),
            on_fill: palette.on_fill.css(),
            accent: palette.accent.css(),
            crosshair: palette.crosshair.css(),
            shades: (0..usize::from(palette.fills()) * SHADES).map(shade).collect(),
            palette,
        }
    }

    /// A fill by its number in the palette and its shade; the last shade is the full colour.
    pub fn shade(&self, color: u8, shade: usize) -> &str {
        let known = color.min(self.palette.fills() - 1);
        &self.shades[usize::from(known) * SHADES + shade.min(SHADES - 1)]
    }

    /// A fill in its full colour.
    pub fn fill(&self, color: u8) -> &str {
        self.shade(color, SHADES - 1)
    }
}
