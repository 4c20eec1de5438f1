//! The chart's backend: shapes go into a picture in memory, texts to plotters' canvas.
//!
//! Left to itself plotters measures a text by putting a styled element into the page, which the page's policy
//! forbids and which lays the page out anew for each label. The canvas can answer that by itself.
//!
//! And lines of steps, which all of ours are, cost the canvas a call for each step: for nine series of a
//! thousand steps that is a tenth of a second where there is no graphics card. As pixels in memory they are a
//! millisecond, and the plot goes to the canvas as one picture.
//!
//! Does not do: texts inside the plot, which the picture would cover; the chart's labels stand left of it.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, rasterizer,
};
use plotters_canvas::CanvasBackend;

use crate::view::{PixelRect, Raster, Rgb};

use super::surface::Surface;

/// A canvas and a picture that plotters can draw on.
pub struct ChartBackend<'a> {
    canvas: CanvasBackend,
    surface: &'a Surface,
    raster: &'a mut Raster,
    /// Where the plot begins, in device pixels.
    plot: i32,
}

type Error = <CanvasBackend as DrawingBackend>::ErrorType;
type Drawn = Result<(), DrawingErrorKind<Error>>;

impl<'a> ChartBackend<'a> {
    /// A backend for `surface`, on which the plot begins at `plot_px`; `raster` is room for the picture.
    pub fn new(surface: &'a Surface, raster: &'a mut Raster, plot_px: f64) -> Option<Self> {
        let canvas = CanvasBackend::with_canvas_object(surface.canvas().clone())?;
        // canvases are at most some thousand pixels wide and high
        raster.resize(surface.canvas().width() as usize, surface.canvas().height() as usize);
        Some(ChartBackend { canvas, surface, raster, plot: surface.snap(plot_px) as i32 })
    }

    fn paint(&mut self, rect: PixelRect, BackendColor { alpha, rgb: (red, green, blue) }: BackendColor) {
        let color = Rgb(red, green, blue);
        if alpha >= 1.0 { self.raster.fill(rect, color) } else { self.raster.blend(rect, color, alpha) }
    }
}

impl DrawingBackend for ChartBackend<'_> {
    type ErrorType = Error;

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Error>> {
        let font = format!("{} {}px {}", style.style().as_str(), style.size(), style.family().as_str());
        // a line of text is as high as its font is large; labels are at most some hundred pixels wide
        Ok((self.surface.width_in(text, &font).ceil() as u32, style.size().ceil() as u32))
    }

    fn get_size(&self) -> (u32, u32) {
        self.canvas.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.canvas.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.surface.show_from(self.raster, self.plot);
        self.canvas.present()
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.paint(PixelRect { left: x, top: y, right: x + 1, bottom: y + 1 }, color);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        if !fill {
            return rasterizer::draw_rect(self, from, to, style, fill);
        }
        if from.0 < self.plot {
            self.canvas.draw_rect(from, to, style, fill)?; // where the labels stand
        }
        let rect = PixelRect { left: from.0, top: from.1, right: to.0 + 1, bottom: to.1 + 1 };
        self.paint(rect, style.color());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        let width = style.stroke_width() as i32; // a few pixels
        for ends in path.windows(2) {
            let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
            if x0 != x1 && y0 != y1 {
                rasterizer::draw_line(self, ends[0], ends[1], style)?;
                continue;
            }
            let (left, top) = (x0.min(x1) - width / 2, y0.min(y1) - width / 2);
            let (right, bottom) = (left + (x1 - x0).abs() + width, top + (y1 - y0).abs() + width);
            self.paint(PixelRect { left, top, right, bottom }, style.color());
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        let BackendColor { alpha, rgb: (red, green, blue) } = style.color();
        if self.raster.blend_steps(&path, Rgb(red, green, blue), alpha) {
            return Ok(());
        }
        rasterizer::fill_polygon(self, &path, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        self.canvas.draw_text(text, style, at)
    }
}
