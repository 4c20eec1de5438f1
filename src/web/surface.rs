//! A surface: one canvas, in CSS pixels outside and in whole device pixels inside.
//!
//! Promises: edges fall on device pixels, so nothing is blurred at any pixel ratio; the drawing buffer is
//! touched only when the size really changes, since that clears it.
//! Knows nothing of: traces.

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::convert::object;

/// The font of everything that is drawn: the page's own.
pub const FAMILY: &str = "system-ui, sans-serif";

/// A canvas with its context and size.
pub struct Surface {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    width: f64,
    height: f64,
    ratio: f64,
}

impl Surface {
    /// The surface of `canvas`; an opaque one spares the browser blending it with the page.
    pub fn new(canvas: HtmlCanvasElement, opaque: bool) -> Self {
        let options = object([("alpha", (!opaque).into())]);
        let context = canvas
            .get_context_with_context_options("2d", &options)
            .ok()
            .flatten()
            .and_then(|context| context.dyn_into().ok())
            .expect("a canvas that has no other context gives a 2d one");
        Surface { canvas, context, width: 1.0, height: 1.0, ratio: 1.0 }
    }

    /// The canvas itself.
    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Width in CSS pixels.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Height in CSS pixels.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Device pixels in a CSS pixel.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Takes a size in CSS pixels; what was drawn is gone if it changed.
    pub fn resize(&mut self, width: f64, height: f64, ratio: f64) {
        (self.width, self.height, self.ratio) = (width.max(1.0), height.max(1.0), ratio);
        // canvases are at most some thousand pixels wide
        let size = (self.snap(self.width) as u32, self.snap(self.height) as u32);
        if (self.canvas.width(), self.canvas.height()) != size {
            self.canvas.set_width(size.0);
            self.canvas.set_height(size.1);
        }
    }

    /// `px` in whole device pixels.
    #[inline]
    pub fn snap(&self, px: f64) -> f64 {
        (px * self.ratio).round()
    }

    /// Makes all of it transparent.
    pub fn clear(&self) {
        let (width, height) = (self.snap(self.width), self.snap(self.height));
        self.context.clear_rect(0.0, 0.0, width, height);
    }

    /// What is filled from now on has this colour.
    pub fn color(&self, css: &str) {
        self.context.set_fill_style_str(css);
    }

    /// Fills a rectangle, at least a device pixel in both directions.
    #[inline]
    pub fn fill(&self, x: f64, y: f64, width: f64, height: f64) {
        let (left, top) = (self.snap(x), self.snap(y));
        let (right, bottom) = (self.snap(x + width), self.snap(y + height));
        self.fill_device(left, top, (right - left).max(1.0), (bottom - top).max(1.0));
    }

    /// Fills a rectangle given in device pixels.
    #[inline]
    pub fn fill_device(&self, x: f64, y: f64, width: f64, height: f64) {
        self.context.fill_rect(x, y, width, height);
    }

    /// Draws the border of a rectangle, `line` CSS pixels thick, inside it.
    pub fn frame(&self, x: f64, y: f64, width: f64, height: f64, line: f64) {
        self.fill(x, y, width, line);
        self.fill(x, y + height - line, width, line);
        self.fill(x, y, line, height);
        self.fill(x + width - line, y, line, height);
    }

    /// Texts from now on have this size and weight; `y` of a text is its middle.
    pub fn font(&self, size_px: f64, weight: u32) {
        self.context.set_font(&font(size_px * self.ratio, weight));
        self.context.set_text_baseline("middle");
        self.context.set_text_align("start");
    }

    /// Draws a text from `x` on.
    pub fn text(&self, text: &str, x: f64, y: f64) {
        // `fill_text` fails for no argument that is finite
        let _ = self.context.fill_text(text, self.snap(x), self.snap(y));
    }

    /// Width of a text in the font that is set, in CSS pixels.
    pub fn text_width(&self, text: &str) -> f64 {
        self.context.measure_text(text).map_or(0.0, |size| size.width() / self.ratio)
    }

    /// Runs `draw` with everything outside the rectangle cut off.
    pub fn clipped(&self, x: f64, y: f64, width: f64, height: f64, draw: impl FnOnce()) {
        self.context.save();
        self.context.begin_path();
        let (left, top) = (self.snap(x), self.snap(y));
        self.context.rect(left, top, self.snap(x + width) - left, self.snap(y + height) - top);
        self.context.clip();
        draw();
        self.context.restore();
    }
}

/// The CSS font of this size and weight.
pub fn font(size_px: f64, weight: u32) -> String {
    format!("{weight} {size_px}px {FAMILY}")
}
