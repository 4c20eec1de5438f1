//! The memory timeline: its series over a stretch of time, at most one step a bin.
//!
//! ```text
//! trace ─▶ MemoryChart (which series; sums read once) ─▶ ChartData ─▶ draw_memory_chart, readings
//! ```
//!
//! Promises: a chart's height is that of the whole trace, so lines keep theirs while panning; a data set can be
//! drawn again for every view inside its window.
//! Does not do: drawing (see `memory_draw`), remembering which series are hidden.
//! Costs: bins × series, and see `pool_sum` for those that are sums.

use serde::Serialize;

use super::bins::{Bins, Step};
use super::display_list::Steps;
use super::memory_series::{SeriesSet, series_of};
use super::quantity::Quantity;
use super::viewport::{Viewport, distance};
use super::wire::{Broken, Reader, Writer};
use crate::analysis::Role;
use crate::trace::Trace;

/// The chart of a trace; lives beside it and grows with it.
#[derive(Clone, Debug, Default)]
pub struct MemoryChart {
    set: Option<SeriesSet>,
    counters: usize,
    /// Times of what the report lists, ascending.
    marks: Vec<i64>,
    peak: Option<i64>,
}

/// What to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartData {
    /// Zero of all times, in ns as in the file.
    pub origin: i64,
    /// End of what is covered, relative to the origin.
    pub to: f64,
    /// Where the last values end: the end of the trace.
    pub trace_end: f64,
    /// What values are.
    pub quantity: Quantity,
    /// Times at which the report found more allocated than reserved, at most one a bin.
    pub marks: Vec<f64>,
    /// That of them at which it was most.
    pub peak: Option<f64>,
    /// The series in the order of the legend.
    pub series: Vec<ChartSeries>,
}

/// A line of the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// Name.
    pub label: String,
    /// What it means, in a sentence.
    pub about: String,
    /// Number in the theme's line colours.
    pub color: u8,
    /// Whether it is filled down to zero.
    pub is_area: bool,
    /// What it stands for in comparisons.
    pub role: Role,
    /// Largest value in the whole trace.
    pub max: f64,
    /// Its values.
    pub steps: Steps,
}

/// A line of the legend: what a series is and how much it is under the crosshair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// Name of the series, or of what is computed from several.
    pub label: String,
    /// What it means.
    pub about: String,
    /// Value; empty where there is none yet.
    pub value: String,
    /// Number in the theme's line colours; none for what is computed.
    pub color: Option<u8>,
}

impl MemoryChart {
    /// Takes what has been loaded since; `is_final` when nothing more will come.
    pub fn update(&mut self, trace: &Trace, is_final: bool) {
        let counters = trace.counters().len();
        // which are the largest of an unknown trace's counters is only known at the end
        if self.set.is_none() || self.counters != counters || is_final {
            self.counters = counters;
            self.set = Some(series_of(trace));
        }
        for series in self.set.iter_mut().flat_map(|set| &mut set.series) {
            if series.source.counters().len() > 1 {
                series.source.update(trace, is_final);
            }
        }
    }

    /// True when its series are sizes.
    pub fn counts_bytes(&self) -> bool {
        self.set.as_ref().is_some_and(|set| set.quantity == Quantity::Bytes)
    }

    /// Marks these times, which ascend; at `peak`, one of them, the excess is greatest.
    pub fn mark(&mut self, times: Vec<i64>, peak: Option<i64>) {
        (self.marks, self.peak) = (times, peak);
    }

    /// The series around `view`, with `margin` screens on each side.
    pub fn data(&self, trace: &Trace, view: &Viewport, margin: f64) -> ChartData {
        let more = (view.span_ns() * margin).ceil() as i64; // casts from f64 saturate
        let (from, to) = (view.start().0.saturating_sub(more), view.end().0.saturating_add(more));
        let bins = Bins::new(from, to, view.bin_ns(), trace.end());
        let relative = |time: i64| distance(bins.from, time);
        let set = self.set.iter().flat_map(|set| &set.series);
        let series = set.map(|series| {
            let mut steps = Steps::default();
            let mut push = |step: Step| {
                steps.t.push(relative(step.time));
                steps.min.push(step.min);
                steps.max.push(step.max);
                steps.last.push(step.last);
            };
            let max = match series.source.counters() {
                [one] => {
                    let counter = &trace.counters()[one.index()];
                    bins.steps(counter, &mut push);
                    counter.extremes(0..counter.len()).map_or(0.0, |all| all.max)
                }
                _ => {
                    series.source.steps(trace, &bins, &mut push);
                    series.source.max()
                }
            };
            let (label, about) = (series.label.clone(), series.about.clone());
            let (color, is_area, role) = (series.color, series.is_area, series.role);
            ChartSeries { label, about, color, is_area, role, max, steps }
        });
        let inside = |time: &i64| (bins.from..bins.to).contains(time);
        let bin = |time: i64| time.div_euclid(bins.bin_ns);
        let peak = self.peak.filter(inside);
        let mut marks: Vec<i64> = self.marks.iter().copied().filter(inside).collect();
        // one a bin is all that can be seen of them, and of those of its bin the peak
        marks.retain(|&time| Some(time) == peak || peak.is_none_or(|peak| bin(peak) != bin(time)));
        marks.dedup_by_key(|time| bin(*time));
        ChartData {
            marks: marks.into_iter().map(relative).collect(),
            peak: peak.map(relative),
            origin: bins.from,
            to: relative(bins.to),
            trace_end: relative(trace.end()),
            quantity: self.set.as_ref().map_or(Quantity::Number, |set| set.quantity),
            series: series.collect(),
        }
    }
}

impl ChartData {
    /// What stands in place of the chart when there is nothing to draw.
    pub fn notice(&self) -> &'static str {
        if self.series.is_empty() { "This trace has no counters." } else { "" }
    }

    /// True when all of `view` is covered.
    pub fn covers(&self, view: &Viewport) -> bool {
        view.x_of(self.origin) <= 1.0 && view.x_of_relative(self.origin, self.to) >= view.width_px() - 1.0
    }

    /// The legend, with the values at `x` of `view`, or without when the pointer is nowhere. Of series that
    /// can be compared the difference follows.
    pub fn readings(&self, view: &Viewport, x: Option<f64>) -> Vec<Reading> {
        let time = x.map(|x| view.relative_at(x, self.origin));
        let value = |series: &ChartSeries| time.and_then(|time| series.value_at(time));
        let mut readings: Vec<Reading> = self
            .series
            .iter()
            .map(|series| Reading {
                label: series.label.clone(),
                about: series.about.clone(),
                value: value(series).map_or_else(String::new, |value| self.quantity.text(value)),
                color: Some(series.color),
            })
            .collect();
        if let Some((allocated, reserved)) = self.compared() {
            let above =
                value(allocated).zip(value(reserved)).map(|(allocated, reserved)| allocated - reserved);
            readings.push(Reading {
                label: "not reserved".to_owned(),
                about: format!(
                    "{} less {}: steady is normal, growing is a leak or memory outside the pools.",
                    allocated.label, reserved.label
                ),
                value: above.map_or_else(String::new, |above| self.quantity.text(above)),
                color: None,
            });
        }
        readings
    }

    /// What was allocated and what was reserved, where there is one of each to compare.
    pub fn compared(&self) -> Option<(&ChartSeries, &ChartSeries)> {
        let of = |role| self.series.iter().filter(move |series| series.role == role);
        let is_one_run = of(Role::ReservedSum).count() <= 1 && of(Role::Reserved).count() <= 1;
        let reserved = of(Role::Reserved).next().or_else(|| of(Role::ReservedSum).next())?;
        Some((of(Role::Allocated).next()?, reserved)).filter(|_| is_one_run)
    }

    /// The data as bytes, for [`decode`](Self::decode) on the other side.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.one(self.origin);
        out.one(self.to);
        out.one(self.trace_end);
        out.one(self.quantity as u8);
        out.column(&self.marks);
        out.one(self.peak.unwrap_or(f64::NAN));
        out.one(self.series.len() as u32); // some ten at most
        for series in &self.series {
            out.text(&series.label);
            out.text(&series.about);
            [series.color, u8::from(series.is_area), series.role as u8]
                .into_iter()
                .for_each(|byte| out.one(byte));
            out.one(series.max);
            [&series.steps.t, &series.steps.min, &series.steps.max, &series.steps.last]
                .into_iter()
                .for_each(|column| out.column(column));
        }
        out.into_bytes()
    }

    /// The data that [`encode`](Self::encode) wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, Broken> {
        let mut from = Reader::new(bytes);
        let (origin, to, trace_end) = (from.one()?, from.one()?, from.one()?);
        let quantity =
            if from.one::<u8>()? == Quantity::Bytes as u8 { Quantity::Bytes } else { Quantity::Number };
        let (marks, peak) = (from.column()?, from.one::<f64>()?);
        let peak = Some(peak).filter(|peak| !peak.is_nan());
        let count = from.one::<u32>()?;
        let series = (0..count).map(|_| ChartSeries::decode(&mut from)).collect::<Result<_, _>>()?;
        from.end()?;
        Ok(ChartData { origin, to, trace_end, quantity, marks, peak, series })
    }
}

impl ChartSeries {
    /// The value that holds at a time relative to the data's origin.
    pub fn value_at(&self, time: f64) -> Option<f64> {
        let step = self.steps.t.partition_point(|&start| start <= time).checked_sub(1)?;
        Some(self.steps.last[step])
    }

    fn decode(from: &mut Reader) -> Result<Self, Broken> {
        let (label, about, color) = (from.text()?, from.text()?, from.one()?);
        let (is_area, role) = (from.one::<u8>()? == 1, from.one::<u8>()?);
        let roles = [Role::Allocated, Role::Reserved, Role::ReservedSum, Role::Other];
        let role = roles.into_iter().find(|&known| known as u8 == role).ok_or_else(|| from.broken())?;
        let max = from.one()?;
        let steps =
            Steps { t: from.column()?, min: from.column()?, max: from.column()?, last: from.column()? };
        let lengths = [steps.min.len(), steps.max.len(), steps.last.len()];
        if lengths.iter().any(|&length| length != steps.t.len()) {
            return Err(from.broken());
        }
        Ok(ChartSeries { label, about, color, is_area, role, max, steps })
    }
}
