//! The memory timeline on its canvas: plotters draws the lines, a mark follows the pointer.
//!
//! Does not do: choosing series and values (see `view::memory_chart`); the legend is the page's.

use wasm_bindgen::JsValue;

use crate::view::{ChartData, ChartLook, Raster, Viewport, draw_memory_chart};

use super::canvas::GUTTER_PX;
use super::chart_backend::ChartBackend;
use super::convert::{list, object};
use super::surface::{FAMILY, Surface};
use super::theme::Theme;

/// What there is to draw, and what the reader has hidden of it.
#[derive(Default)]
pub struct Chart {
    data: Option<ChartData>,
    hidden: Vec<bool>,
    /// The pools of threads are layers.
    pub stacked: bool,
    /// Room for the picture.
    raster: Raster,
    /// What the canvas shows.
    painted: Option<Painted>,
}

/// What a chart looks like depends on this, its data and what is hidden.
#[derive(PartialEq)]
struct Painted {
    view: Viewport,
    size: (f64, f64, f64),
    background: String,
}

impl Chart {
    /// Takes new data; hidden series stay hidden.
    pub fn accept(&mut self, data: ChartData) {
        self.hidden.resize(data.series.len(), false);
        self.data = Some(data);
        self.painted = None;
    }

    /// There is data that has not been painted yet.
    pub fn is_fresh(&self) -> bool {
        self.painted.is_none() && self.data.is_some()
    }

    /// Hides a series, or shows it again; behind the last one stands the switch for layers. True when that was it.
    pub fn toggle(&mut self, series: usize) -> bool {
        let layers = self
            .data
            .as_ref()
            .filter(|data| data.can_stack)
            .map(|data| data.readings(&Viewport::fit(0, 1, 1.0), None).len());
        if layers == Some(series) {
            self.stacked = !self.stacked;
            self.hidden.clear(); // what was hidden stands elsewhere now
            return true;
        }
        if let Some(hidden) = self.hidden.get_mut(series) {
            *hidden = !*hidden;
            self.painted = None;
        }
        false
    }

    /// Draws the lines, if they are not there as they should be.
    pub fn paint(&mut self, surface: &Surface, view: &Viewport, theme: &Theme) {
        let size = (surface.width(), surface.height(), surface.ratio());
        let wanted = Some(Painted { view: *view, size, background: theme.background.clone() });
        if self.painted == wanted {
            return;
        }
        self.painted = wanted;
        let backend = ChartBackend::new(surface, &mut self.raster, GUTTER_PX);
        let (Some(data), Some(backend)) = (&self.data, backend) else { return };
        let look = ChartLook {
            view: *view,
            gutter_px: GUTTER_PX,
            ratio: surface.ratio(),
            theme: &theme.palette,
            font: FAMILY,
            hidden: &self.hidden,
        };
        // a canvas gives no errors; what is missing then is a chart, and everything else goes on
        let _ = draw_memory_chart(backend, data, &look);
    }

    /// The series with their values at `x`; `key` changes when anything but the values does.
    pub fn legend(&self, view: &Viewport, theme: &Theme, x: Option<f64>) -> JsValue {
        let readings = self.data.as_ref().map(|data| data.readings(view, x)).unwrap_or_default();
        let color =
            |color: Option<u8>| color.map_or_else(String::new, |color| theme.palette.line_color(color).css());
        let is_shown = |at: usize| self.hidden.get(at) != Some(&true);
        let mut key = theme.background.clone();
        for (at, reading) in readings.iter().enumerate() {
            key.push_str(&reading.label);
            key.push(if is_shown(at) { '+' } else { '-' });
        }
        let mut series: Vec<JsValue> = Vec::new();
        for (at, reading) in readings.into_iter().enumerate() {
            series.push(object([
                ("label", reading.label.into()),
                ("title", reading.about.into()),
                ("color", color(reading.color).into()),
                ("button", reading.color.is_some().into()),
                ("shown", is_shown(at).into()),
                ("value", reading.value.into()),
            ]));
        }
        if self.data.as_ref().is_some_and(|data| data.can_stack) {
            key.push(if self.stacked { '+' } else { '-' });
            series.push(object([
                ("label", if self.stacked { "pools as a sum" } else { "pools by thread" }.into()),
                ("title", "Shows the pools of the threads as layers, or their sum".into()),
                ("color", "".into()),
                ("button", true.into()),
                ("shown", true.into()),
                ("value", "".into()),
            ]));
        }
        object([("series", list(series)), ("key", key.into())])
    }
}
