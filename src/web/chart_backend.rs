//! The chart's backend: plotters' canvas, except for how wide a text is and how steps are drawn.
//!
//! Left to itself plotters measures a text by putting a styled element into the page, which the page's policy
//! forbids and which lays the page out anew for each label. The canvas can answer that by itself.
//!
//! And except for lines of steps: as rectangles they cost a tenth of what a stroked path does, which for nine
//! series of a thousand steps is 60 ms where there is no graphics card.
//!
//! Does not do: anything else; every other call goes on to `plotters-canvas` as it is.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A canvas that plotters can draw on.
pub struct ChartBackend {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
}

type Error = <CanvasBackend as DrawingBackend>::ErrorType;
type Drawn = Result<(), DrawingErrorKind<Error>>;

impl ChartBackend {
    /// The backend of a canvas that has a 2d context, or none yet.
    pub fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(ChartBackend { inner: CanvasBackend::with_canvas_object(canvas.clone())?, context })
    }
}

impl DrawingBackend for ChartBackend {
    type ErrorType = Error;

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Error>> {
        let font = format!("{} {}px {}", style.style().as_str(), style.size(), style.family().as_str());
        self.context.set_font(&font);
        let width = self.context.measure_text(text).map_or(0.0, |size| size.width());
        // a line of text is as high as its font is large; labels are at most some hundred pixels wide
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.inner.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.inner.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.inner.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.inner.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        if !path.windows(2).all(|ends| ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1) {
            return self.inner.draw_path(path, style);
        }
        let BackendColor { rgb: (red, green, blue), alpha } = style.color();
        self.context.set_fill_style_str(&format!("rgba({red},{green},{blue},{alpha})"));
        let width = f64::from(style.stroke_width());
        let before = (width / 2.0).floor();
        for bar in bars(&path) {
            let (x, y) = (f64::from(bar.left) - before, f64::from(bar.top) - before);
            let (across, down) = (f64::from(bar.right - bar.left), f64::from(bar.bottom - bar.top));
            self.context.fill_rect(x, y, across + width, down + width);
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.inner.fill_polygon(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.inner.draw_circle(center, radius, style, fill)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        self.inner.draw_text(text, style, at)
    }
}

/// A stretch of a line of steps: along one height, or up and down at one place.
#[derive(Clone, Copy)]
struct Bar {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

/// The stretches of a path that only runs along and up and down; what follows in one direction is one.
fn bars(path: &[BackendCoord]) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::with_capacity(path.len());
    for ends in path.windows(2) {
        let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
        let bar = Bar { left: x0.min(x1), right: x0.max(x1), top: y0.min(y1), bottom: y0.max(y1) };
        match bars.last_mut() {
            Some(last) if last.left == last.right && bar.left == bar.right && last.left == bar.left => {
                (last.top, last.bottom) = (last.top.min(bar.top), last.bottom.max(bar.bottom));
            }
            Some(last) if last.top == last.bottom && bar.top == bar.bottom && last.top == bar.top => {
                (last.left, last.right) = (last.left.min(bar.left), last.right.max(bar.right));
            }
            _ => bars.push(bar),
        }
    }
    bars
}
