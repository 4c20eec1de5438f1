//! The ruler: the time axis over the rows, and its lines through them.

use crate::units::Ns;
use crate::view::time_ticks;

use super::canvas::{BAR_PX, GUTTER_PX, Picture, RULER_PX, TEXT_PX};
use super::surface::Surface;

/// Lines through the rows, below everything else.
pub fn grid(surface: &Surface, picture: &Picture) {
    surface.color(&picture.theme.line);
    let height = surface.height() - RULER_PX;
    for tick in time_ticks(picture.view, zero(picture)) {
        if tick.x >= 0.0 {
            surface.fill(GUTTER_PX + tick.x, RULER_PX, 1.0 / surface.ratio(), height);
        }
    }
}

/// The ruler itself, above everything else.
pub fn ruler(surface: &Surface, picture: &Picture) {
    surface.color(&picture.theme.gutter);
    surface.fill(0.0, 0.0, surface.width(), RULER_PX);
    surface.font(TEXT_PX - 1.0, 400);
    for tick in time_ticks(picture.view, zero(picture)) {
        surface.color(&picture.theme.line);
        surface.fill(GUTTER_PX + tick.x, RULER_PX - 7.0, 1.0, 7.0);
        // a label that the edge would cut is left out
        if tick.x + 4.0 + surface.text_width(&tick.label) <= picture.view.width_px() + BAR_PX {
            surface.color(&picture.theme.faint);
            surface.text(&tick.label, GUTTER_PX + tick.x + 4.0, RULER_PX / 2.0);
        }
    }
    // a label that began left of the plot
    surface.color(&picture.theme.gutter);
    surface.fill(0.0, 0.0, GUTTER_PX - 1.0, RULER_PX);
    surface.color(&picture.theme.faint);
    surface.text(&span(picture), 10.0, RULER_PX / 2.0);
    surface.color(&picture.theme.line);
    surface.fill(0.0, RULER_PX - 1.0, surface.width(), 1.0);
    surface.fill(GUTTER_PX - 1.0, 0.0, 1.0, RULER_PX);
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
