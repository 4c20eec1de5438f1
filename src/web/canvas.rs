//! Canvas: paints a display list under a transform.
//!
//! ```text
//! ┌ ruler ───────────────────────────┐   rectangles sorted by colour, one fill each;
//! │ gutter │ rows, counters, instants │   labels in a second pass; gutter and ruler last
//! └────────┴──────────────────────────┘
//! ```
//!
//! Promises: draws only what is on screen; the list may be older than the view, it is drawn where it belongs.
//! Does not do: deciding what to draw, remembering, the marks of the pointer (see `marks`).
//! Costs: 0.2 µs a rectangle to issue, which is what the browser takes for a call.

use crate::view::{
    CharWidths, ChartRun, DisplayList, FADED, FoldState, MarkRun, RowRun, Strip, StripKind, UNFINISHED,
    Viewport,
};

use super::surface::Surface;
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

/// Paints all of the timeline.
pub fn paint(surface: &Surface, picture: &Picture) {
    surface.color(&picture.theme.background);
    surface.fill(0.0, 0.0, surface.width(), surface.height());
    picture.bands(surface);
    super::ruler::grid(surface, picture);
    picture.list.charts.iter().for_each(|run| picture.chart(surface, run));
    picture.list.marks.iter().for_each(|run| picture.instants(surface, run));
    picture.rects(surface);
    surface.font(TEXT_PX, 400);
    picture.labels(surface);
    picture.gutter(surface);
    super::ruler::ruler(surface, picture);
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
    fn bands(&self, surface: &Surface) {
        for strip in &self.list.strips {
            if self.is_off(surface, strip.y, strip.height) {
                continue;
            }
            let (y, height) = (self.y(strip.y), f64::from(strip.height));
            if strip.kind == StripKind::Process {
                surface.color(&self.theme.header);
                surface.fill(0.0, y, surface.width(), height);
            }
            surface.color(&self.theme.line);
            surface.fill(0.0, y + height - 1.0, surface.width(), 0.5);
        }
    }

    /// The rectangles of all rows, grouped by colour.
    fn rects(&self, surface: &Surface) {
        let mut bars: Vec<Bar> = Vec::with_capacity(self.list.rects.t0.len());
        for row in self.rows_on(surface) {
            self.bars(surface, row, &mut bars);
        }
        bars.sort_unstable_by_key(|bar| bar.paint);
        let mut paint = u16::MAX;
        for bar in &bars {
            if bar.paint != paint {
                paint = bar.paint;
                let [color, shade] = paint.to_be_bytes();
                surface.color(self.theme.shade(color, usize::from(shade)));
            }
            surface.fill_device(bar.x, bar.y, bar.width, bar.height);
        }
    }

    fn bars(&self, surface: &Surface, row: &RowRun, bars: &mut Vec<Bar>) {
        let rects = &self.list.rects;
        let (y, bottom) = (surface.snap(self.y(row.y)), surface.snap(self.y(row.y + row.height - 1)));
        let right_end = surface.snap(GUTTER_PX + self.view.width_px());
        for at in row.first as usize..row.end as usize {
            let (x, end) = (surface.snap(self.x(rects.t0[at])), surface.snap(self.x(rects.t1[at])));
            if end < surface.snap(GUTTER_PX) || x > right_end {
                continue;
            }
            // neighbours of one colour stay apart as soon as there is room for it
            let gap = if end - x > 3.0 { 1.0 } else { 0.0 };
            let covered = usize::from(rects.alpha[at]) * (SHADES - 1) / 255;
            let shade = match rects.flags[at] {
                flags if flags & FADED != 0 => FADED_SHADE,
                flags if flags & UNFINISHED != 0 => covered.min(UNFINISHED_SHADE),
                _ => covered,
            };
            let paint = u16::from_be_bytes([rects.color[at], shade as u8]); // a shade is below 16
            bars.push(Bar { paint, x, y, width: (end - x - gap).max(1.0), height: bottom - y });
        }
    }

    /// Names on the rectangles that have room; a slice that begins left of the screen has its name at the edge.
    fn labels(&self, surface: &Surface) {
        let rects = &self.list.rects;
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
    fn chart(&self, surface: &Surface, run: &ChartRun) {
        if self.is_off(surface, run.y, run.height) {
            return;
        }
        let steps = &self.list.steps;
        let (bottom, height) = (self.y(run.y + run.height) - 2.0, f64::from(run.height) - 6.0);
        let span = (run.high - run.low).max(f64::MIN_POSITIVE);
        let y = |value: f64| bottom - ((value - run.low) / span).clamp(0.0, 1.0) * height;
        let until = self.x(self.list.window.to.min(self.list.window.trace_end));
        let columns = |draw: &dyn Fn(f64, f64, usize)| {
            for at in run.first as usize..run.end as usize {
                let next = if at + 1 < run.end as usize { self.x(steps.t[at + 1]) } else { until };
                let x = self.x(steps.t[at]);
                if next > GUTTER_PX && x < GUTTER_PX + self.view.width_px() && next > x {
                    draw(x.max(GUTTER_PX), next, at);
                }
            }
        };
        surface.color(self.theme.shade(run.color, AREA_SHADE));
        columns(&|x, next, at| surface.fill(x, y(steps.last[at]), next - x, bottom - y(steps.last[at])));
        surface.color(self.theme.fill(run.color));
        columns(&|x, next, at| surface.fill(x, y(steps.last[at]), next - x, 1.0));
        columns(&|x, _, at| {
            let top = y(steps.max[at]);
            surface.fill(x, top, 1.0, y(steps.min[at]) - top);
        });
    }

    /// Instants as small flags.
    fn instants(&self, surface: &Surface, run: &MarkRun) {
        if self.is_off(surface, run.y, run.height) {
            return;
        }
        let ticks = &self.list.ticks;
        let (y, height) = (self.y(run.y) + 2.0, f64::from(run.height) - 4.0);
        for at in run.first as usize..run.end as usize {
            let x = self.x(ticks.t[at]);
            if x < GUTTER_PX {
                continue;
            }
            surface.color(self.theme.fill(ticks.color[at]));
            surface.fill(x, y, 1.0, height);
            surface.fill(x, y, 5.0, height / 2.0);
        }
    }

    /// Names of processes, threads and counters.
    fn gutter(&self, surface: &Surface) {
        surface.color(&self.theme.gutter);
        surface.fill(0.0, RULER_PX, GUTTER_PX - 1.0, surface.height());
        for strip in &self.list.strips {
            if !self.is_off(surface, strip.y, strip.height) {
                self.title(surface, strip);
            }
        }
        surface.color(&self.theme.line);
        surface.fill(GUTTER_PX - 1.0, 0.0, 1.0, surface.height());
    }

    fn title(&self, surface: &Surface, strip: &Strip) {
        let is_process = strip.kind == StripKind::Process;
        let (y, height) = (self.y(strip.y), f64::from(strip.height));
        if is_process {
            surface.color(&self.theme.header);
            surface.fill(0.0, y, GUTTER_PX, height - 1.0);
        }
        surface.color(&self.theme.line);
        surface.fill(0.0, y + height - 1.0, GUTTER_PX, 0.5);
        // a tall place has its name at its first row, which stays on screen while any of the place is
        let line = height.min(22.0);
        let middle = (y + line / 2.0).max(RULER_PX + line / 2.0).min(y + height - line / 2.0);
        let indent = if is_process { 10.0 } else { 20.0 };
        if strip.fold != FoldState::Fixed {
            surface.color(&self.theme.faint);
            self.triangle(surface, indent - 1.0, middle, strip.fold == FoldState::Open);
        }
        let x = indent + 14.0;
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

    /// A small triangle of rows: pointing down when open, right when closed.
    fn triangle(&self, surface: &Surface, x: f64, middle: f64, open: bool) {
        for step in 0..4 {
            let (at, size) = (f64::from(step), 8.0 - 2.0 * f64::from(step));
            match open {
                true => surface.fill(x + at, middle - 2.0 + at, size, 1.0),
                false => surface.fill(x + 2.0 + at, middle - 4.0 + at, 1.0, size),
            }
        }
    }

    fn rows_on<'a>(&'a self, surface: &'a Surface) -> impl Iterator<Item = &'a RowRun> {
        self.list.rows.iter().filter(|row| !self.is_off(surface, row.y, row.height))
    }
}

/// A rectangle in device pixels.
struct Bar {
    /// Colour and see-through in one number, to sort by.
    paint: u16,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}
