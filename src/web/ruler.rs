//! The ruler: the time axis over the rows, and its lines through them.

use crate::units::Ns;
use crate::view::time_ticks;

use super::canvas::{BAR_PX, GUTTER_PX, Picture, RULER_PX, TEXT_PX};
use super::surface::{Brush, Surface};

/// Lines through the rows, below everything else.
pub fn grid(brush: &mut Brush, surface: &Surface, picture: &Picture) {
    let height = surface.height() - RULER_PX;
    for tick in time_ticks(picture.view, zero(picture)) {
        if tick.x >= 0.0 {
            let line = 1.0 / surface.ratio();
            brush.fill(GUTTER_PX + tick.x, RULER_PX, line, height, picture.theme.palette.line);
        }
    }
}

/// The ruler itself, above everything else.
pub fn shapes(brush: &mut Brush, surface: &Surface, picture: &Picture) {
    let palette = &picture.theme.palette;
    brush.fill(0.0, 0.0, surface.width(), RULER_PX, palette.gutter);
    for tick in time_ticks(picture.view, zero(picture)).iter().filter(|tick| tick.x >= 0.0) {
        brush.fill(GUTTER_PX + tick.x, RULER_PX - 7.0, 1.0, 7.0, palette.line);
    }
    brush.fill(0.0, RULER_PX - 1.0, surface.width(), 1.0, palette.line);
    brush.fill(GUTTER_PX - 1.0, 0.0, 1.0, RULER_PX, palette.line);
}

/// What the ruler says.
pub fn texts(surface: &Surface, picture: &Picture) {
    surface.font(TEXT_PX - 1.0, 400);
    surface.color(&picture.theme.faint);
    surface.text(&span(picture), 10.0, RULER_PX / 2.0);
    surface.clipped(GUTTER_PX, 0.0, surface.width() - GUTTER_PX, RULER_PX - 1.0, || {
        for tick in time_ticks(picture.view, zero(picture)) {
            // a label that the right edge would cut is left out
            if tick.x + 4.0 + surface.text_width(&tick.label) <= picture.view.width_px() + BAR_PX {
                surface.text(&tick.label, GUTTER_PX + tick.x + 4.0, RULER_PX / 2.0);
            }
        }
    });
}

/// The time at `x` of the plot, from the start of the trace, to the digit that a pixel is worth.
pub fn time_at(picture: &Picture, x: f64) -> String {
    let time = picture.view.time_at(x).0.saturating_sub(zero(picture));
    let (unit, scale) = match time.unsigned_abs() {
        0..1_000 => ("ns", 1.0),
        1_000..1_000_000 => ("µs", 1e3),
        1_000_000..1_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let digits = (scale / picture.view.ns_per_px().max(1.0)).log10().ceil().clamp(0.0, 9.0);
    // at most nine digits by the clamp; a f64 is exact to a pixel at any zoom that fits the ruler
    format!("{:.*} {unit}", digits as usize, time as f64 / scale)
}

/// How much time is on screen.
fn span(picture: &Picture) -> String {
    let span = Ns(picture.view.span_ns().round() as i64); // a screen is less than 2^63 ns wide
    format!("{span} on screen")
}

/// The start of the trace, where the axis has its zero.
fn zero(picture: &Picture) -> i64 {
    let window = &picture.list.window;
    window.origin.saturating_add(window.trace_start as i64) // a whole number of ns inside the trace
}
