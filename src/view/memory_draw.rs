//! Draws the memory timeline with plotters, on any backend: the page's canvas, or SVG in tests.
//!
//! Promises: at most five points a step; the plot's left edge and width are the timeline's, so times stand
//! under each other; no text is measured but the few labels of the axis, and those by the backend.
//! Does not do: the crosshair and the legend (the page places them), times (the timeline's ruler has them).

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::{
    ChartBuilder, DrawingAreaErrorKind, DrawingBackend, EmptyElement, IntoDrawingArea, Polygon, RGBColor,
    Rectangle, ShapeStyle,
};
use plotters::series::{AreaSeries, LineSeries};
use plotters::style::{Color, IntoFont, TextStyle};

use super::excess::excess_areas;
use super::memory_chart::{ChartData, ChartSeries};
use super::palette::{Rgb, Theme};
use super::ticks::ValueTick;
use super::viewport::Viewport;

/// How the chart is drawn.
#[derive(Clone, Copy, Debug)]
pub struct ChartLook<'a> {
    /// The time on screen; its width is that of the plot.
    pub view: Viewport,
    /// Pixels left of the plot, where the axis' labels stand.
    pub gutter_px: f64,
    /// The backend's pixels in each pixel of the above.
    pub ratio: f64,
    /// Colours.
    pub theme: &'a Theme,
    /// A CSS font family.
    pub font: &'a str,
    /// By series: whether the reader has hidden it. Those beyond the end are shown.
    pub hidden: &'a [bool],
}

/// Height of a label.
const FONT_PX: f64 = 11.0;
/// Least pixels from one line of the grid to the next.
const GRID_PX: f64 = 28.0;
/// Room above and below the plot: half of the lowest and highest label.
const EDGE_PX: f64 = 7.0;
/// Free room over the highest value, as a share of it.
const HEADROOM: f64 = 1.06;

/// Draws `data` over the whole of `backend`.
pub fn draw_memory_chart<DB: DrawingBackend>(
    backend: DB,
    data: &ChartData,
    look: &ChartLook,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let root = backend.into_drawing_area();
    let height = f64::from(root.dim_in_pixel().1) / look.ratio;
    root.fill(&color(look.theme.background))?;
    let shown: Vec<&ChartSeries> = data
        .series
        .iter()
        .enumerate()
        .filter(|(at, _)| look.hidden.get(*at) != Some(&true))
        .map(|(_, series)| series)
        .collect();
    let max = shown.iter().map(|series| series.max).fold(0.0, f64::max) * HEADROOM;
    let lowest = shown.iter().flat_map(|series| &series.steps.min).copied().fold(0.0, f64::min);
    let high = if max > lowest { max } else { lowest + 1.0 };
    // a chart has room for some ten lines
    let lines = ((height / GRID_PX) as usize).max(2);
    let axis = Axis { low: lowest, high, ticks: data.quantity.ticks(lowest, high, lines) };
    let labels = axis.ticks.clone();
    let px = |px: f64| (px * look.ratio).round() as u32; // some thousand pixels
    let plot_px = look.view.width_px() * look.ratio;
    let rest = (f64::from(root.dim_in_pixel().0) - plot_px - look.gutter_px * look.ratio).max(0.0);
    let faint = color(look.theme.faint);
    let text = TextStyle::from((look.font, FONT_PX * look.ratio).into_font()).color(&faint);
    let mut chart = ChartBuilder::on(&root)
        .margin_right(rest.round() as u32)
        .margin_top(px(EDGE_PX))
        .margin_bottom(px(EDGE_PX))
        .y_label_area_size(px(look.gutter_px))
        .x_label_area_size(0)
        .build_cartesian_2d(0.0..plot_px, axis)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_labels(lines)
        .y_max_light_lines(0)
        .y_label_formatter(&|value| label_of(&labels, *value))
        .y_label_style(text)
        .light_line_style(color(look.theme.background))
        .bold_line_style(color(look.theme.line))
        .axis_style(color(look.theme.line))
        .draw()?;
    let pen = Pen { data, look, plot_px };
    for series in shown.iter().filter(|series| series.is_area) {
        let line = color(look.theme.line_color(series.color));
        let fill =
            AreaSeries::new(pen.path(series), 0.0, line.mix(0.16)).border_style(stroke(line, look.ratio));
        chart.draw_series(fill)?;
    }
    let is_shown = |series: &ChartSeries| shown.iter().any(|other| std::ptr::eq(*other, series));
    let compared = data.compared().filter(|pair| is_shown(pair.0) && is_shown(pair.1));
    if let Some((allocated, reserved)) = compared {
        let excess = color(look.theme.excess);
        let areas = pen.between(allocated, reserved).into_iter();
        chart.draw_series(areas.map(|area| Polygon::new(area, excess.mix(0.30))))?;
    }
    for series in shown.iter().filter(|series| !series.is_area) {
        let line = color(look.theme.line_color(series.color));
        chart.draw_series(LineSeries::new(pen.path(series), stroke(line, look.ratio)))?;
    }
    if let Some((allocated, _)) = compared {
        let (edge, inner) = (color(look.theme.excess), color(look.theme.background));
        for (x, value, is_peak) in pen.marks(allocated) {
            let half = px(if is_peak { 4.0 } else { 2.0 }) as i32; // a few pixels
            let square = |half: i32, color: RGBColor| {
                EmptyElement::at((x, value)) + Rectangle::new([(-half, -half), (half, half)], color.filled())
            };
            chart.draw_series([square(half, edge)])?;
            if is_peak {
                chart.draw_series([square(half / 2, inner)])?;
            }
        }
    }
    root.present()
}

struct Pen<'a> {
    data: &'a ChartData,
    look: &'a ChartLook<'a>,
    plot_px: f64,
}

impl Pen<'_> {
    /// Where a time stands, cut at the edges of the plot.
    fn x_of(&self, time: f64) -> f64 {
        let (scale, shift) = self.look.view.transform(self.data.origin);
        ((time * scale + shift) * self.look.ratio).clamp(0.0, self.plot_px)
    }

    /// The areas between two series where the first is above the second.
    fn between(&self, upper: &ChartSeries, lower: &ChartSeries) -> Vec<Vec<(f64, f64)>> {
        excess_areas(&upper.steps, &lower.steps, |time| self.x_of(time), self.x_of(self.data.trace_end))
    }

    /// Where the report's points stand on a series, and whether one is the highest of all; those on screen.
    fn marks(&self, series: &ChartSeries) -> Vec<(f64, f64, bool)> {
        let (scale, shift) = self.look.view.transform(self.data.origin);
        let on_screen = |time: &&f64| (0.0..=self.look.view.width_px()).contains(&(**time * scale + shift));
        let placed = |time: &f64| {
            let is_peak = self.data.peak == Some(*time);
            Some((self.x_of(*time), series.value_at(*time)?, is_peak))
        };
        self.data.marks.iter().filter(on_screen).filter_map(placed).collect()
    }

    /// The line of a series in pixels of the plot and values: flat until the next step, where it runs through
    /// all values of the bin.
    fn path(&self, series: &ChartSeries) -> Vec<(f64, f64)> {
        let steps = &series.steps;
        let (scale, shift) = self.look.view.transform(self.data.origin);
        // from the step that holds at the left edge to the last that begins on screen
        let on_screen = |time: f64| time * scale + shift;
        let first = steps.t.partition_point(|&time| on_screen(time) < 0.0).saturating_sub(1);
        let end = steps.t.partition_point(|&time| on_screen(time) <= self.look.view.width_px());
        let mut path: Vec<(f64, f64)> = Vec::with_capacity(4 * (end.max(first) - first) + 1);
        let mut push = |x: f64, value: f64| {
            if path.last() != Some(&(x, value)) {
                path.push((x, value));
            }
        };
        let mut held = None;
        for at in first..end {
            let x = self.x_of(steps.t[at]);
            let (min, max, last) = (steps.min[at], steps.max[at], steps.last[at]);
            if let Some(held) = held {
                push(x, held);
            }
            // a bin that is left of the screen counts with what it ends with
            if on_screen(steps.t[at]) >= 0.0 && min < max {
                push(x, min);
                push(x, max);
            }
            push(x, last);
            held = Some(last);
        }
        if let Some(held) = held {
            push(self.x_of(self.data.trace_end), held);
        }
        path
    }
}

/// The axis of values, with lines where we want them.
struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<ValueTick>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        let length = f64::from(limit.1 - limit.0);
        limit.0 + (length * share.clamp(0.0, 1.0)).round() as i32 // within the limits by the clamp
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.value).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

fn label_of(ticks: &[ValueTick], value: f64) -> String {
    ticks.iter().find(|tick| tick.value == value).map_or_else(String::new, |tick| tick.label.clone())
}

fn color(color: Rgb) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

fn stroke(line: RGBColor, ratio: f64) -> ShapeStyle {
    line.stroke_width((1.5 * ratio).round().max(1.0) as u32)
}
