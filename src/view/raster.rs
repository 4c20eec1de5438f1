//! Raster: rectangles as pixels, in memory.
//!
//! A canvas takes half a microsecond and more for each rectangle, and without a graphics card paints it by the
//! same processor afterwards. A flame chart is nothing but rectangles that share rows, so that one line of
//! pixels says what all lines of a row are: painting it here and handing the picture over whole costs a
//! fraction of either.
//!
//! ```text
//! line(row)  ▇▇▇ ▇ ▇▇▇▇▇      each bar is a run of pixels in one line
//! repeat     ▇▇▇ ▇ ▇▇▇▇▇      which is then copied down
//! ```
//!
//! Promises: whatever is outside the picture is cut off, never written elsewhere.
//! Knows nothing of: times, traces, text.
//! Costs: four bytes a pixel; filling is bound by memory.

use std::ops::Range;

use super::palette::Rgb;

/// A picture of opaque pixels.
#[derive(Clone, Debug, Default)]
pub struct Raster {
    width: usize,
    height: usize,
    /// Red, green, blue, 255: the order of a canvas's image data.
    pixels: Vec<Pixel>,
}

type Pixel = [u8; 4];

/// A rectangle in pixels: from `left` and `top` up to but not including `right` and `bottom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelRect {
    /// First column.
    pub left: i32,
    /// First line.
    pub top: i32,
    /// First column that is no longer its.
    pub right: i32,
    /// First line that is no longer its.
    pub bottom: i32,
}

impl Raster {
    /// Takes a size. What was painted is lost when it changes.
    pub fn resize(&mut self, width: usize, height: usize) {
        if (self.width, self.height) != (width, height) {
            (self.width, self.height) = (width, height);
            self.pixels.clear();
            self.pixels.resize(width * height, pixel(Rgb(0, 0, 0)));
            self.pixels.shrink_to_fit();
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Lines.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The pixels as bytes: red, green, blue, 255, line by line from the top.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, rect: PixelRect, color: Rgb) {
        let (columns, lines) = self.inside(rect);
        let color = pixel(color);
        for line in lines {
            self.line(line, &columns).fill(color);
        }
    }

    /// Fills a rectangle so that `share` (0 to 1) of the colour lies over what is there.
    pub fn blend(&mut self, rect: PixelRect, color: Rgb, share: f64) {
        let (columns, lines) = self.inside(rect);
        let share = (share.clamp(0.0, 1.0) * 256.0).round() as u32;
        for line in lines {
            for under in self.line(line, &columns) {
                *under = mixed(*under, color, share);
            }
        }
    }

    /// Blends the inside of a polygon whose edges all run along and up and down. False, and nothing painted, when
    /// one does not.
    pub fn blend_steps(&mut self, corners: &[(i32, i32)], color: Rgb, share: f64) -> bool {
        let after = corners.iter().skip(1).chain(corners.first());
        let edges: Vec<_> = corners.iter().zip(after).collect();
        if edges.iter().any(|(from, to)| from.0 != to.0 && from.1 != to.1) {
            return false;
        }
        // where each column of pixels enters and leaves the polygon
        let mut crossings: Vec<(i32, i32)> = Vec::new();
        for (from, to) in edges {
            let columns = from.0.min(to.0).max(0)..from.0.max(to.0).min(self.width as i32);
            crossings.extend(columns.map(|x| (x, from.1)));
        }
        crossings.sort_unstable();
        for ends in crossings.chunks_exact(2) {
            let ((left, top), (_, bottom)) = (ends[0], ends[1]);
            self.blend(PixelRect { left, top, right: left + 1, bottom }, color, share);
        }
        true
    }

    /// Fills columns of a single line, to be [repeated](Self::repeat).
    #[inline]
    pub fn run(&mut self, line: usize, left: i32, right: i32, color: Rgb) {
        let columns = clip(left, self.width)..clip(right, self.width);
        if line < self.height && columns.start < columns.end {
            self.line(line, &columns).fill(pixel(color));
        }
    }

    /// Copies columns of `line` into all lines from it to `bottom`.
    pub fn repeat(&mut self, line: usize, bottom: i32, left: i32, right: i32) {
        let columns = clip(left, self.width)..clip(right, self.width);
        if columns.start >= columns.end {
            return;
        }
        let from = line * self.width + columns.start..line * self.width + columns.end;
        for to in line + 1..clip(bottom, self.height) {
            self.pixels.copy_within(from.clone(), to * self.width + columns.start);
        }
    }

    /// The part of a rectangle that is in the picture.
    fn inside(&self, rect: PixelRect) -> (Range<usize>, Range<usize>) {
        let (left, right) = (clip(rect.left, self.width), clip(rect.right, self.width));
        let (top, bottom) = (clip(rect.top, self.height), clip(rect.bottom, self.height));
        if left < right { (left..right, top..bottom) } else { (0..0, 0..0) }
    }

    #[inline]
    fn line(&mut self, line: usize, columns: &Range<usize>) -> &mut [Pixel] {
        &mut self.pixels[line * self.width + columns.start..line * self.width + columns.end]
    }
}

#[inline]
fn clip(at: i32, end: usize) -> usize {
    usize::try_from(at).map_or(0, |at| at.min(end))
}

#[inline]
fn pixel(Rgb(red, green, blue): Rgb) -> Pixel {
    [red, green, blue, u8::MAX]
}

/// `share` 256ths of a colour over a pixel.
#[inline]
fn mixed([red, green, blue, _]: Pixel, over: Rgb, share: u32) -> Pixel {
    let mix = |under: u8, over: u8| {
        // at most 255 × 256, so that the result fits a byte again
        ((u32::from(under) * (256 - share) + u32::from(over) * share + 128) >> 8) as u8
    };
    pixel(Rgb(mix(red, over.0), mix(green, over.1), mix(blue, over.2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Rgb = Rgb(255, 0, 0);
    const BLUE: Rgb = Rgb(0, 0, 255);
    const WHITE: Rgb = Rgb(255, 255, 255);

    /// A letter for each pixel: what it is painted with.
    fn picture(raster: &Raster) -> String {
        let letter = |pixel: &[u8]| match pixel {
            [255, 0, 0, 255] => 'r',
            [0, 0, 255, 255] => 'b',
            [0, 0, 0, 255] => '.',
            _ => '?',
        };
        let lines = raster.bytes().chunks(4 * raster.width());
        lines.map(|line| line.chunks(4).map(letter).chain(['\n']).collect::<String>()).collect()
    }

    fn raster(width: usize, height: usize) -> Raster {
        let mut raster = Raster::default();
        raster.resize(width, height);
        raster
    }

    const fn rect(left: i32, top: i32, right: i32, bottom: i32) -> PixelRect {
        PixelRect { left, top, right, bottom }
    }

    #[test]
    fn rectangles_are_cut_at_the_edges() {
        let mut raster = raster(5, 4);
        raster.fill(rect(-3, -3, 2, 2), RED);
        raster.fill(rect(3, 2, i32::MAX, i32::MAX), BLUE);
        for nothing in
            [rect(2, 2, 2, 9), rect(4, 1, 3, 2), rect(5, 0, 9, 4), rect(0, 4, 5, 9), rect(-9, 0, 0, 4)]
        {
            raster.fill(nothing, WHITE);
        }
        assert_eq!(picture(&raster), "rr...\nrr...\n...bb\n...bb\n");
    }

    #[test]
    fn a_line_is_copied_down_between_its_columns_only() {
        let mut raster = raster(6, 4);
        raster.run(1, 1, 3, RED);
        raster.run(1, 4, 99, BLUE);
        raster.run(9, 0, 6, BLUE);
        raster.repeat(1, 3, 2, 5);
        assert_eq!(picture(&raster), "......\n.rr.bb\n..r.b.\n......\n");
        raster.repeat(3, 99, 0, 6);
        raster.repeat(9, 12, 0, 6);
        assert_eq!(picture(&raster), "......\n.rr.bb\n..r.b.\n......\n");
    }

    #[test]
    fn a_share_of_a_colour_lies_over_what_is_there() {
        let mut raster = raster(3, 1);
        raster.fill(rect(0, 0, 3, 1), WHITE);
        raster.blend(rect(0, 0, 1, 1), RED, 0.0);
        raster.blend(rect(1, 0, 2, 1), RED, 0.5);
        raster.blend(rect(2, 0, 3, 1), RED, 1.0);
        assert_eq!(raster.bytes(), [255, 255, 255, 255, 255, 128, 128, 255, 255, 0, 0, 255]);
    }

    #[test]
    fn polygons_of_steps_are_filled_and_others_refused() {
        let mut raster = raster(6, 5);
        // two steps up and one down, over a base at 4; the last column belongs to nothing
        let steps = [(-2, 4), (-2, 3), (1, 3), (1, 1), (3, 1), (3, 2), (5, 2), (5, 4)];
        assert!(raster.blend_steps(&steps, RED, 1.0));
        assert_eq!(picture(&raster), "......\n.rr...\n.rrrr.\nrrrrr.\n......\n");
        assert!(!raster.blend_steps(&[(0, 0), (3, 0), (1, 4)], BLUE, 1.0));
        assert!(raster.blend_steps(&[], BLUE, 1.0));
        assert!(!picture(&raster).contains('b'));
    }

    #[test]
    fn a_picture_of_no_size_takes_everything_and_shows_nothing() {
        let mut raster = raster(0, 7);
        raster.fill(rect(0, 0, 9, 9), RED);
        raster.repeat(0, 7, 0, 9);
        assert!(raster.bytes().is_empty());
    }
}
