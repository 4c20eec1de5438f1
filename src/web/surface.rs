//! A surface: one canvas, in CSS pixels outside and in whole device pixels inside; and a brush for what is
//! painted in memory first.
//!
//! Promises: edges fall on device pixels, so nothing is blurred at any pixel ratio; the drawing buffer is
//! touched only when the size really changes, since that clears it.
//! Knows nothing of: traces.

use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::view::{PixelRect, Raster, Rgb};

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
    /// The surface of `canvas`: an opaque one, which spares the browser blending it with the page.
    pub fn new(canvas: HtmlCanvasElement) -> Self {
        let options = object([("alpha", false.into())]);
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

    /// Takes a size in CSS pixels. True when it changed: what was drawn is gone then.
    pub fn resize(&mut self, width: f64, height: f64, ratio: f64) -> bool {
        let before = (self.width, self.height, self.ratio);
        (self.width, self.height, self.ratio) = (width.max(1.0), height.max(1.0), ratio);
        // canvases are at most some thousand pixels wide
        let size = (self.snap(self.width) as u32, self.snap(self.height) as u32);
        if (self.canvas.width(), self.canvas.height()) != size {
            self.canvas.set_width(size.0);
            self.canvas.set_height(size.1);
        }
        before != (self.width, self.height, self.ratio)
    }

    /// `px` in whole device pixels.
    #[inline]
    pub fn snap(&self, px: f64) -> f64 {
        (px * self.ratio).round()
    }

    /// Shows a picture in place of everything on the canvas.
    pub fn show(&self, raster: &Raster) {
        self.show_from(raster, 0);
    }

    /// Shows a picture from the column `left` on, and leaves what is left of that as it is.
    pub fn show_from(&self, raster: &Raster, left: i32) {
        let (width, height) = (raster.width() as u32, raster.height()); // some thousand pixels
        // fails only for a picture without pixels, of which there is nothing to show
        let Ok(data) = ImageData::new_with_u8_clamped_array(Clamped(raster.bytes()), width) else { return };
        let (left, rest) = (f64::from(left), f64::from(width) - f64::from(left));
        let put = CanvasRenderingContext2d::put_image_data_with_dirty_x_and_dirty_y_and_dirty_width_and_dirty_height;
        let _ = put(&self.context, &data, 0.0, 0.0, left, 0.0, rest, height as f64);
    }

    /// What is filled from now on has this colour.
    pub fn color(&self, css: &str) {
        self.context.set_fill_style_str(css);
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

    /// Width of a text in this CSS font, in device pixels.
    pub fn width_in(&self, text: &str, font: &str) -> f64 {
        self.context.set_font(font);
        self.context.measure_text(text).map_or(0.0, |size| size.width())
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

/// Paints into a picture, in CSS pixels.
pub struct Brush<'a> {
    /// The picture.
    pub raster: &'a mut Raster,
    ratio: f64,
}

impl<'a> Brush<'a> {
    /// A brush for a picture that is to be shown on `surface`, whose size it takes.
    pub fn new(raster: &'a mut Raster, surface: &Surface) -> Self {
        // canvases are at most some thousand pixels wide and high
        raster.resize(surface.snap(surface.width) as usize, surface.snap(surface.height) as usize);
        Brush { raster, ratio: surface.ratio }
    }

    /// `px` in whole device pixels.
    #[inline]
    pub fn snap(&self, px: f64) -> i32 {
        // a place is at most some screens away; the cast saturates
        (px * self.ratio).round() as i32
    }

    /// Fills a rectangle, at least a device pixel in both directions.
    #[inline]
    pub fn fill(&mut self, x: f64, y: f64, width: f64, height: f64, color: Rgb) {
        let (left, top) = (self.snap(x), self.snap(y));
        let (right, bottom) = (self.snap(x + width).max(left + 1), self.snap(y + height).max(top + 1));
        self.raster.fill(PixelRect { left, top, right, bottom }, color);
    }
}

/// The CSS font of this size and weight.
pub fn font(size_px: f64, weight: u32) -> String {
    format!("{weight} {size_px}px {FAMILY}")
}
