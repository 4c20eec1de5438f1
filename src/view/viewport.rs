//! The viewport: the stretch of time on screen, and the only place where time becomes pixels and back.
//!
//! ```text
//! start ──────────── span_ns ───────────▶        x = (time − start) / ns_per_px
//! 0 px                              width_px
//! ```
//!
//! Promises: exact to the nanosecond at any distance from zero, since the start is an integer with a fraction
//! and arithmetic in f64 is relative to it (an epoch time as f64 alone is only good to 256 ns).
//! Does not do: vertical places (see `layout`), remembering the trace; limits come with each call.

use crate::units::Ns;

/// Least time on screen. Below it a nanosecond is hundreds of pixels wide and nothing more can appear.
const MIN_SPAN_NS: f64 = 10.0;
/// What may be shown beyond the trace on each side, as a share of it: the first and last slice stay readable.
const MARGIN: f64 = 0.05;

/// Where a viewport may be: the trace's first and last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// First time of the trace.
    pub first: i64,
    /// Last time of the trace.
    pub last: i64,
}

/// A stretch of time on so many pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    start: i64,
    /// Of a nanosecond, in 0..1.
    fraction: f64,
    span_ns: f64,
    width_px: f64,
}

impl Limits {
    /// Those of a trace with this span; a second for a trace without a timed record.
    pub fn of(span: Option<(i64, i64)>) -> Self {
        let (first, last) = span.unwrap_or((0, 1_000_000_000));
        Limits { first, last }
    }

    fn span_ns(self) -> f64 {
        distance(self.first, self.last).max(MIN_SPAN_NS)
    }

    fn margin_ns(self) -> f64 {
        self.span_ns() * MARGIN
    }
}

impl Viewport {
    /// Shows `first..=last`, with a little room on both sides.
    pub fn fit(first: i64, last: i64, width_px: f64) -> Self {
        let span = distance(first, last).max(MIN_SPAN_NS);
        let mut view =
            Viewport { start: first, fraction: 0.0, span_ns: span * 1.02, width_px: width_px.max(1.0) };
        view.move_by(-span * 0.01);
        view
    }

    /// Shows `span_ns` from `start` on; what it says is what you get, without room.
    pub fn exactly(start: i64, span_ns: f64, width_px: f64) -> Self {
        Viewport { start, fraction: 0.0, span_ns: span_ns.max(1e-3), width_px: width_px.max(1.0) }
    }

    /// First time on screen, whole nanoseconds.
    pub fn start(&self) -> Ns {
        Ns(self.start)
    }

    /// The first time that is no longer on screen, rounded up.
    pub fn end(&self) -> Ns {
        // a span is at most a bit over 2^64 ns; the cast saturates
        Ns(self.start.saturating_add((self.fraction + self.span_ns).ceil() as i64))
    }

    /// Time on screen in ns.
    pub fn span_ns(&self) -> f64 {
        self.span_ns
    }

    /// Width of the screen.
    pub fn width_px(&self) -> f64 {
        self.width_px
    }

    /// Time on a pixel.
    pub fn ns_per_px(&self) -> f64 {
        self.span_ns / self.width_px
    }

    /// The width of a bin for this zoom: the power of two nearest to a pixel, and never below a nanosecond.
    pub fn bin_ns(&self) -> i64 {
        let exponent = self.ns_per_px().log2().round().clamp(0.0, 62.0);
        1 << exponent as u32 // in 0..=62 by the line above
    }

    /// Where `time` stands, beyond 0 and the width when it is not on screen.
    pub fn x_of(&self, time: i64) -> f64 {
        self.x_of_relative(time, 0.0)
    }

    /// Where the time `relative` ns after `origin` stands.
    pub fn x_of_relative(&self, origin: i64, relative: f64) -> f64 {
        self.offset_of(origin) * self.px_per_ns() + relative * self.px_per_ns()
    }

    /// Scale and shift from times relative to `origin` to pixels: `x = relative * scale + shift`.
    pub fn transform(&self, origin: i64) -> (f64, f64) {
        (self.px_per_ns(), self.offset_of(origin) * self.px_per_ns())
    }

    /// The time at `x`, rounded down to the nanosecond.
    pub fn time_at(&self, x: f64) -> Ns {
        // casts from f64 saturate, so a pixel far outside is the first or last time there is
        Ns(self.start.saturating_add((self.fraction + x * self.ns_per_px()).floor() as i64))
    }

    /// The time at `x`, in ns from `origin`.
    pub fn relative_at(&self, x: f64, origin: i64) -> f64 {
        x * self.ns_per_px() - self.offset_of(origin)
    }

    /// Zooms by `factor` (above 1 shows less time) so that the time under `x` stays there.
    pub fn zoom(&mut self, x: f64, factor: f64, limits: Limits) {
        let span = (self.span_ns / factor).clamp(MIN_SPAN_NS, limits.span_ns() + 2.0 * limits.margin_ns());
        let share = x / self.width_px;
        let moved = share * (self.span_ns - span);
        self.span_ns = span;
        self.move_by(moved);
        self.keep_inside(limits);
    }

    /// Moves the screen by `px` to the right, so what it shows moves to the left.
    pub fn pan(&mut self, px: f64, limits: Limits) {
        self.move_by(px * self.ns_per_px());
        self.keep_inside(limits);
    }

    /// Takes a new width with the same scale and start.
    pub fn resize(&mut self, width_px: f64, limits: Limits) {
        let width_px = width_px.max(1.0);
        self.span_ns *= width_px / self.width_px;
        self.width_px = width_px;
        self.zoom(0.0, 1.0, limits);
    }

    /// Moves, without zooming, so far that `time` is on screen.
    pub fn reveal(&mut self, time: i64, limits: Limits) {
        let x = self.x_of(time);
        if !(0.0..self.width_px).contains(&x) {
            self.pan(x - self.width_px / 2.0, limits);
        }
    }

    /// True when the whole of `limits` is on screen: a growing trace then stays fitted.
    pub fn holds(&self, limits: Limits) -> bool {
        self.start <= limits.first && self.end().0 >= limits.last
    }

    fn px_per_ns(&self) -> f64 {
        self.width_px / self.span_ns
    }

    /// From the screen's start to `time`, in ns.
    fn offset_of(&self, time: i64) -> f64 {
        distance(self.start, time) - self.fraction
    }

    fn move_by(&mut self, ns: f64) {
        let moved = self.fraction + ns;
        self.start = self.start.saturating_add(moved.floor() as i64);
        self.fraction = moved - moved.floor();
    }

    /// Brings the screen back so that it shows at most half a screen, or the margin, beyond the trace.
    fn keep_inside(&mut self, limits: Limits) {
        let room = limits.margin_ns().min(self.span_ns / 2.0);
        let from_first = -self.offset_of(limits.first);
        // the largest span is the trace with both margins, so the lowest is never above the highest by more
        // than rounding, which `min` forgives
        let highest = limits.span_ns() + room - self.span_ns;
        let wanted = from_first.max(-room).min(highest);
        if wanted != from_first {
            self.start = limits.first;
            self.fraction = 0.0;
            self.move_by(wanted);
        }
    }
}

/// From `a` to `b` in ns; exact below 2^53 (104 days), and beyond that better than a pixel of what can be on screen.
#[inline]
pub(super) fn distance(a: i64, b: i64) -> f64 {
    match b.checked_sub(a) {
        Some(ns) => ns as f64,
        // 128 bits are a call of a function, and a frame asks some hundred thousand times
        None => (i128::from(b) - i128::from(a)) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An epoch in ns, where a f64 alone steps by 256.
    const EPOCH: i64 = 1_700_000_000_000_000_123;

    fn limits() -> Limits {
        Limits { first: EPOCH, last: EPOCH + 10_000_000_000 }
    }

    #[test]
    fn fitting_shows_the_whole_trace_with_a_little_room() {
        let view = Viewport::fit(EPOCH, EPOCH + 10_000_000_000, 1000.0);
        assert!(view.holds(limits()));
        assert!((view.x_of(EPOCH) - 9.8).abs() < 0.1, "{}", view.x_of(EPOCH));
        assert!(Viewport::fit(5, 5, 100.0).span_ns() >= MIN_SPAN_NS);
    }

    #[test]
    fn the_time_under_the_pointer_stays_there_while_zooming_a_million_times_in_and_out() {
        let mut view = Viewport::fit(EPOCH, EPOCH + 10_000_000_000, 1000.0);
        let x = 412.0;
        let before = view.time_at(x).0;
        for step in 0..120 {
            view.zoom(x, if step < 60 { 1.25 } else { 0.8 }, limits());
            let drift = (view.time_at(x).0 - before) as f64;
            assert!(drift.abs() <= view.ns_per_px().max(2.0), "step {step}: {drift} ns");
        }
    }

    #[test]
    fn pixels_and_times_are_each_others_inverse_at_the_deepest_zoom() {
        let mut view = Viewport::fit(EPOCH, EPOCH + 10_000_000_000, 1000.0);
        view.zoom(500.0, 1e12, limits());
        assert_eq!(view.span_ns(), MIN_SPAN_NS);
        for time in view.start().0 + 1..view.end().0 {
            assert_eq!(view.time_at(view.x_of(time) + 1e-6).0, time);
        }
        let (scale, shift) = view.transform(EPOCH);
        let x = view.x_of(EPOCH + 77);
        assert!((77.0 * scale + shift - x).abs() < 1e-2);
    }

    #[test]
    fn no_zoom_or_pan_leaves_the_trace() {
        let mut random = 9_u64;
        let mut next = |n: u64| {
            random = crate::names::mix(random, n);
            (random >> 11) as f64 / (1_u64 << 53) as f64
        };
        for first in [EPOCH, -5_000_000_000, i64::MIN / 2] {
            let limits = Limits { first, last: first.saturating_add(10_000_000_000) };
            let mut view = Viewport::fit(limits.first, limits.last, 800.0);
            for n in 0..2000 {
                match n % 3 {
                    0 => view.zoom(next(n) * 800.0, (next(n) * 4.0 - 2.0).exp(), limits),
                    1 => view.pan((next(n) - 0.5) * 4000.0, limits),
                    _ => view.resize(400.0 + next(n) * 800.0, limits),
                }
                let total = limits.span_ns();
                assert!((MIN_SPAN_NS..=total * (1.0 + 2.0 * MARGIN) + 1.0).contains(&view.span_ns()));
                let room = (total * MARGIN).min(view.span_ns() / 2.0) + 2.0;
                assert!(-view.offset_of(limits.first) >= -room);
                assert!(distance(limits.last, view.end().0) <= room);
            }
        }
    }

    #[test]
    fn the_widest_trace_there_can_be_neither_overflows_nor_panics() {
        let limits = Limits { first: i64::MIN, last: i64::MAX };
        let mut view = Viewport::fit(i64::MIN, i64::MAX, 100.0);
        view.zoom(50.0, 0.01, limits);
        view.pan(1e9, limits);
        view.pan(-1e9, limits);
        view.reveal(0, limits);
        assert!((0.0..=100.0).contains(&view.x_of(0)));
    }
}
