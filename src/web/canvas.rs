//! Canvas: paints a display list under a transform.
//!
//! ```text
//! ┌ ruler ───────────────────────────┐   shapes first, in memory, shown as one picture;
//! │ gutter │ rows, counters, instants │   then all texts, by the canvas
//! └────────┴──────────────────────────┘
//! ```
//!
//! Promises: draws only what is on screen; the list may be older than the view, it is drawn where it belongs.
//! Does not do: deciding what to draw, remembering, the marks of the pointer (see `marks`).
//! Costs: the screen's pixels once, and some 20 ns a rectangle.

use crate::view::{
    CharWidths, ChartRun, DisplayList, FADED, FoldState, MarkRun, Raster, RowRun, Strip, StripKind,
    UNFINISHED, Viewport,
};

use super::ruler;
use super::surface::{Brush, Surface};
use super::theme::{SHADES, Theme};

/// Height of the ruler.
pub const RULER_PX: f64 = 26.0;
/// Width of the names at the left.
pub const GUTTER_PX: f64 = 256.0;
/// Width of the scroll bar at the right.
pub const BAR_PX: f64 = 14.0;
/// Size of all text on the timeline.
pub const TEXT_PX: f64 = 12.0;
/// Room on both sides of a label.
const LABEL_INSET_PX: f64 = 4.0;
/// The shade of the area under a counter.
const AREA_SHADE: usize = 5;
/// The shade of a slice without an end.
const UNFINISHED_SHADE: usize = 8;
/// The shade of what a search did not find.
const FADED_SHADE: usize = 3;

/// What there is to paint and how.
pub struct Picture<'a> {
    /// The list.
    pub list: &'a DisplayList,
    /// The time on screen; its width is that of the plot.
    pub view: &'a Viewport,
    /// Pixels of a nanosecond, and where the list's zero stands: a multiplication and an addition for each
    /// edge, since the module has no instruction for both at once.
    pub scale: f64,
    /// See `scale`.
    pub shift: f64,
    /// First pixel of content on screen.
    pub top: f64,
    /// The system's colours.
    pub theme: &'a Theme,
    /// Widths of characters in the font of labels.
    pub widths: &'a CharWidths,
}

/// Paints all of the timeline; `raster` is room for the picture.
pub fn paint(surface: &Surface, raster: &mut Raster, picture: &Picture) {
    let (width, height) = (surface.width(), surface.height());
    let mut brush = Brush::new(raster, surface);
    brush.fill(0.0, 0.0, width, height, picture.theme.palette.background);
    picture.bands(&mut brush, surface);
    ruler::grid(&mut brush, surface, picture);
    picture.list.charts.iter().for_each(|run| picture.chart(&mut brush, surface, run));
    picture.list.marks.iter().for_each(|run| picture.instants(&mut brush, surface, run));
    picture.rects(&mut brush, surface);
    picture.gutter(&mut brush, surface);
    ruler::shapes(&mut brush, surface, picture);
    surface.show(raster);
    surface.clipped(GUTTER_PX, RULER_PX, width - GUTTER_PX, height - RULER_PX, || picture.labels(surface));
    surface.clipped(0.0, RULER_PX, GUTTER_PX, height - RULER_PX, || picture.titles(surface));
    ruler::texts(surface, picture);
}

impl Picture<'_> {
    /// Where a time of the list stands, between just outside the left and just outside the right.
    #[inline]
    pub fn x(&self, time: f64) -> f64 {
        let x = time * self.scale + self.shift;
        GUTTER_PX + x.clamp(-2.0, self.view.width_px() + 2.0)
    }

    /// Where a pixel of the content stands.
    #[inline]
    pub fn y(&self, y: i32) -> f64 {
        RULER_PX + f64::from(y) - self.top
    }

    /// True when nothing of what is so high stands on screen.
    pub fn is_off(&self, surface: &Surface, y: i32, height: i32) -> bool {
        let y = self.y(y);
        y + f64::from(height) <= RULER_PX || y >= surface.height()
    }

    fn text(&self, at: u32) -> Option<&str> {
        self.list.texts.text(at)
    }

    /// Backgrounds of headers, and the lines between places.
    fn bands(&self, brush: &mut Brush, surface: &Surface) {
        let palette = &self.theme.palette;
        for strip in &self.list.strips {
            if self.is_off(surface, strip.y, strip.height) {
                continue;
            }
            let (y, height) = (self.y(strip.y), f64::from(strip.height));
            if strip.kind == StripKind::Process {
                brush.fill(0.0, y, surface.width(), height, palette.header);
            }
            brush.fill(0.0, y + height - 1.0, surface.width(), 0.5, palette.line);
        }
    }

    /// The rectangles of all rows: each row is a line of pixels, copied down.
    fn rects(&self, brush: &mut Brush, surface: &Surface) {
        let (left, right) = (brush.snap(GUTTER_PX), brush.snap(GUTTER_PX + self.view.width_px()));
        for row in self.rows_on(surface) {
            let (y, bottom) = (brush.snap(self.y(row.y)), brush.snap(self.y(row.y + row.height - 1)));
            let first = y.max(brush.snap(RULER_PX));
            if first < bottom {
                // on the picture by the line above
                self.bars(brush, row, first as usize);
                brush.raster.repeat(first as usize, bottom, left, right);
            }
        }
    }

    fn bars(&self, brush: &mut Brush, row: &RowRun, line: usize) {
        let rects = &self.list.rects;
        for at in row.first as usize..row.end as usize {
            let (x, end) = (brush.snap(self.x(rects.t0[at])), brush.snap(self.x(rects.t1[at])));
            // neighbours of one colour stay apart as soon as there is room for it
            let gap = i32::from(end - x > 3);
            let covered = usize::from(rects.alpha[at]) * (SHADES - 1) / 255;
            let shade = match rects.flags[at] {
                flags if flags & FADED != 0 => FADED_SHADE,
                flags if flags & UNFINISHED != 0 => covered.min(UNFINISHED_SHADE),
                _ => covered,
            };
            let color = self.theme.shade(rects.color[at], shade);
            brush.raster.run(line, x, (end - gap).max(x + 1), color);
        }
    }

    /// Names on the rectangles that have room; a slice that begins left of the screen has its name at the edge.
    fn labels(&self, surface: &Surface) {
        let rects = &self.list.rects;
        surface.font(TEXT_PX, 400);
        surface.color(&self.theme.on_fill);
        for row in self.rows_on(surface) {
            let middle = self.y(row.y) + f64::from(row.height - 1) / 2.0;
            for at in row.first as usize..row.end as usize {
                let Some(label) = self.text(rects.label[at]) else { continue };
                let (x, end) = (self.x(rects.t0[at]).max(GUTTER_PX), self.x(rects.t1[at]));
                if let Some(text) = self.widths.fit(label, end - x - 2.0 * LABEL_INSET_PX) {
                    surface.text(&text.shown(), x + LABEL_INSET_PX, middle);
                }
            }
        }
    }

    /// A counter as an area under steps; between the least and the greatest of a bin it is darker.
    fn chart(&self, brush: &mut Brush, surface: &Surface, run: &ChartRun) {
        if self.is_off(surface, run.y, run.height) {
            return;
        }
        let steps = &self.list.steps;
        let (bottom, height) = (self.y(run.y + run.height) - 2.0, f64::from(run.height) - 6.0);
        let span = (run.high - run.low).max(f64::MIN_POSITIVE);
        let y = |value: f64| bottom - ((value - run.low) / span).clamp(0.0, 1.0) * height;
        let until = self.x(self.list.window.to.min(self.list.window.trace_end));
        let columns = |draw: &mut dyn FnMut(f64, f64, usize)| {
            for at in run.first as usize..run.end as usize {
                let next = if at + 1 < run.end as usize { self.x(steps.t[at + 1]) } else { until };
                let x = self.x(steps.t[at]);
                if next > GUTTER_PX && x < GUTTER_PX + self.view.width_px() && next > x {
                    draw(x.max(GUTTER_PX), next, at);
                }
            }
        };
        let (area, line) = (self.theme.shade(run.color, AREA_SHADE), self.theme.fill(run.color));
        columns(&mut |x, next, at| {
            let top = y(steps.last[at]);
            brush.fill(x, top, next - x, bottom - top, area);
        });
        columns(&mut |x, next, at| brush.fill(x, y(steps.last[at]), next - x, 1.0, line));
        columns(&mut |x, _, at| {
            let top = y(steps.max[at]);
            brush.fill(x, top, 1.0, y(steps.min[at]) - top, line);
        });
    }

    /// Instants as small flags.
    fn instants(&self, brush: &mut Brush, surface: &Surface, run: &MarkRun) {
        if self.is_off(surface, run.y, run.height) {
            return;
        }
        let ticks = &self.list.ticks;
        let (y, height) = (self.y(run.y) + 2.0, f64::from(run.height) - 4.0);
        for at in run.first as usize..run.end as usize {
            let x = self.x(ticks.t[at]);
            let color = self.theme.fill(ticks.color[at]);
            brush.fill(x, y, 1.0, height, color);
            brush.fill(x, y, 5.0, height / 2.0, color);
        }
    }

    /// What lies behind the names of processes, threads and counters.
    fn gutter(&self, brush: &mut Brush, surface: &Surface) {
        let palette = &self.theme.palette;
        brush.fill(0.0, RULER_PX, GUTTER_PX - 1.0, surface.height(), palette.gutter);
        for strip in self.strips_on(surface) {
            let (y, height) = (self.y(strip.y), f64::from(strip.height));
            if strip.kind == StripKind::Process {
                brush.fill(0.0, y, GUTTER_PX, height - 1.0, palette.header);
            }
            brush.fill(0.0, y + height - 1.0, GUTTER_PX, 0.5, palette.line);
            if strip.fold != FoldState::Fixed {
                self.triangle(brush, indent(strip) - 1.0, self.middle(strip), strip.fold == FoldState::Open);
            }
        }
        brush.fill(GUTTER_PX - 1.0, 0.0, 1.0, surface.height(), palette.line);
    }

    /// A small triangle of rows: pointing down when open, right when closed.
    fn triangle(&self, brush: &mut Brush, x: f64, middle: f64, open: bool) {
        let color = self.theme.palette.faint;
        for step in 0..4 {
            let (at, size) = (f64::from(step), 8.0 - 2.0 * f64::from(step));
            match open {
                true => brush.fill(x + at, middle - 2.0 + at, size, 1.0, color),
                false => brush.fill(x + 2.0 + at, middle - 4.0 + at, 1.0, size, color),
            }
        }
    }

    /// Names of processes, threads and counters.
    fn titles(&self, surface: &Surface) {
        for strip in self.strips_on(surface) {
            self.title(surface, strip);
        }
    }

    fn title(&self, surface: &Surface, strip: &Strip) {
        let is_process = strip.kind == StripKind::Process;
        let (x, middle) = (indent(strip) + 14.0, self.middle(strip));
        // bold is a twelfth wider than what was measured
        let room = (GUTTER_PX - x - 10.0) * if is_process { 0.92 } else { 1.0 };
        let fitted = self.widths.fit(self.text(strip.title).unwrap_or(""), room);
        let title = fitted.map(|title| title.shown()).unwrap_or_default();
        surface.font(TEXT_PX, if is_process { 600 } else { 400 });
        surface.color(&self.theme.text);
        surface.text(&title, x, middle);
        let Some(note) = self.text(strip.note) else { return };
        let after = x + surface.text_width(&title) + 8.0;
        surface.font(TEXT_PX - 1.0, 400);
        surface.color(&self.theme.faint);
        if let Some(note) = self.widths.fit(note, GUTTER_PX - after - 8.0) {
            surface.text(&note.shown(), after, middle);
        }
    }

    /// Where a strip's title stands: at its first row, which stays on screen while any of the strip is.
    fn middle(&self, strip: &Strip) -> f64 {
        let (y, height) = (self.y(strip.y), f64::from(strip.height));
        let line = height.min(22.0);
        (y + line / 2.0).max(RULER_PX + line / 2.0).min(y + height - line / 2.0)
    }

    fn strips_on<'a>(&'a self, surface: &'a Surface) -> impl Iterator<Item = &'a Strip> {
        self.list.strips.iter().filter(|strip| !self.is_off(surface, strip.y, strip.height))
    }

    fn rows_on<'a>(&'a self, surface: &'a Surface) -> impl Iterator<Item = &'a RowRun> {
        self.list.rows.iter().filter(|row| !self.is_off(surface, row.y, row.height))
    }
}

/// Where a strip's sign stands.
fn indent(strip: &Strip) -> f64 {
    if strip.kind == StripKind::Process { 10.0 } else { 20.0 }
}
