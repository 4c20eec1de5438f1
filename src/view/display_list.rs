//! The display list: everything a painter has to draw, in columns, and nothing that needs the trace.
//!
//! It crosses from the worker that holds the trace to the thread that paints, as one buffer, and it says what
//! it stands for, so that pointing at a rectangle needs no answer from the worker.
//!
//! ```text
//! strips   y, height, kind, title          one for each place on screen
//! rows     track, lane, depth, y   ──────▶ rects    t0 t1 colour alpha flags label count index
//! charts   counter, y, scale       ──────▶ steps    t min max last
//! marks    owner, y                ──────▶ ticks    t name count
//! ```
//!
//! Promises: within a row rectangles ascend and don't overlap; rows, charts and marks ascend by `y`;
//! times are f64 ns relative to `window.origin`; places are pixels from the top of the whole content.
//! Does not do: colours (a number of the palette), fitting labels into widths (see `labels`), painting.
//! Costs: 34 bytes a rectangle, in memory and encoded.

use super::viewport::Viewport;
use super::wire::{Broken, Reader, Writer};
use crate::trace::{SliceRef, TrackId};

/// Stands for "no text".
pub const NO_TEXT: u32 = u32::MAX;

/// The rectangle stands for several slices; its name and index are those of the longest.
pub const MERGED: u8 = 1;
/// The slice has no end; it is drawn to where it stops being known.
pub const UNFINISHED: u8 = 2;
/// It is the selected slice, or holds it.
pub const SELECTED: u8 = 4;
/// A search is on and this is not among what it found.
pub const FADED: u8 = 8;

/// What to draw, and for which part of the trace it is good.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayList {
    /// The stretch of time and of content that is covered.
    pub window: Window,
    /// Places with their titles, from the top.
    pub strips: Vec<Strip>,
    /// Rows of slices, from the top.
    pub rows: Vec<RowRun>,
    /// The rectangles of all rows.
    pub rects: Rects,
    /// Counters, from the top.
    pub charts: Vec<ChartRun>,
    /// The steps of all counters.
    pub steps: Steps,
    /// Lines of instants, from the top.
    pub marks: Vec<MarkRun>,
    /// The ticks of all lines of instants.
    pub ticks: Ticks,
    /// What titles and labels say.
    pub texts: Texts,
}

/// What a display list covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Window {
    /// Zero of all times, in ns as in the file.
    pub origin: i64,
    /// First time covered, relative to `origin`.
    pub from: f64,
    /// First time after what is covered.
    pub to: f64,
    /// Width of a bin, a power of two: what is shorter was merged.
    pub bin_ns: i64,
    /// First pixel of content covered.
    pub top: i32,
    /// First pixel of content after what is covered.
    pub bottom: i32,
    /// Height of the whole content.
    pub content_height: i32,
    /// Start of the trace, relative to `origin`.
    pub trace_start: f64,
    /// End of the trace, relative to `origin`.
    pub trace_end: f64,
}

/// A place with a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// First pixel.
    pub y: i32,
    /// Height in pixels.
    pub height: i32,
    /// What stands there.
    pub kind: StripKind,
    /// Which one: index of the process, counter or track.
    pub id: u32,
    /// The title: an index into the texts, or [`NO_TEXT`].
    pub title: u32,
    /// A fainter text beside it, or [`NO_TEXT`].
    pub note: u32,
    /// Whether it can be folded.
    pub fold: FoldState,
}

/// What stands in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripKind {
    /// The header of a process; `id` is the process.
    Process,
    /// The header over a process's counters; `id` is the process.
    Counters,
    /// A counter; `id` is the series.
    Counter,
    /// Instants of the whole trace, or of a process; `id` is the process.
    Instants,
    /// A thread with its rows; `id` is the track.
    Track,
}

/// Whether a strip can be folded, and is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldState {
    /// There is nothing to fold.
    Fixed,
    /// All of it is shown.
    Open,
    /// Only its header, or its outermost row, is shown.
    Closed,
}

/// A row of slices and which rectangles are its.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRun {
    /// Index of the track.
    pub track: u32,
    /// Lane within the track.
    pub lane: u32,
    /// Depth within the lane.
    pub depth: u32,
    /// First pixel.
    pub y: i32,
    /// Height in pixels.
    pub height: i32,
    /// First rectangle.
    pub first: u32,
    /// First rectangle that is no longer its.
    pub end: u32,
}

/// Rectangles in columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rects {
    /// Start.
    pub t0: Vec<f64>,
    /// End; equal to the start for what has no length. A painter draws at least a pixel.
    pub t1: Vec<f64>,
    /// Number in the palette.
    pub color: Vec<u8>,
    /// Covered share of a merged rectangle; 255 for one that is not merged.
    pub alpha: Vec<u8>,
    /// [`MERGED`], [`UNFINISHED`], [`SELECTED`], [`FADED`].
    pub flags: Vec<u8>,
    /// Text of the label, or [`NO_TEXT`] where none can fit before the next list comes.
    pub label: Vec<u32>,
    /// How many slices it stands for.
    pub count: Vec<u32>,
    /// Index in its row of the slice, or of the longest of those it stands for.
    pub index: Vec<u32>,
}

/// A counter and which steps are its.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartRun {
    /// Index of the series.
    pub counter: u32,
    /// First pixel.
    pub y: i32,
    /// Height in pixels.
    pub height: i32,
    /// Number in the palette.
    pub color: u8,
    /// Value at the bottom.
    pub low: f64,
    /// Value at the top.
    pub high: f64,
    /// First step.
    pub first: u32,
    /// First step that is no longer its.
    pub end: u32,
}

/// Values of counters in columns; each holds until the next one's time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Time of the first sample of the bin.
    pub t: Vec<f64>,
    /// Smallest value of the bin.
    pub min: Vec<f64>,
    /// Largest value of the bin.
    pub max: Vec<f64>,
    /// Last value of the bin: the one that holds until the next step.
    pub last: Vec<f64>,
}

/// A line of instants and which ticks are its.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRun {
    /// Whose they are.
    pub owner: MarkOwner,
    /// First pixel.
    pub y: i32,
    /// Height in pixels.
    pub height: i32,
    /// First tick.
    pub first: u32,
    /// First tick that is no longer its.
    pub end: u32,
}

/// Whose instants a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkOwner {
    /// The whole trace's.
    Trace,
    /// A process's, by index.
    Process(u32),
    /// A track's, by index.
    Track(u32),
}

/// Instants in columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// Time of the first instant of the bin.
    pub t: Vec<f64>,
    /// Its index among its owner's.
    pub index: Vec<u32>,
    /// How many instants the bin holds.
    pub count: Vec<u32>,
    /// Number in the palette.
    pub color: Vec<u8>,
    /// Its name.
    pub label: Vec<u32>,
}

/// Texts one behind another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    pub(super) all: String,
    pub(super) ends: Vec<u32>,
}

impl Texts {
    /// Adds a text and gives its number.
    pub fn push(&mut self, text: &str) -> u32 {
        self.all.push_str(text);
        self.ends.push(self.all.len() as u32); // labels are cut to hundreds of bytes before they come here
        self.ends.len() as u32 - 1
    }

    /// The text with this number; `None` for [`NO_TEXT`].
    pub fn text(&self, at: u32) -> Option<&str> {
        let at = at as usize;
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.all.get(start..end)
    }
}

impl DisplayList {
    /// True when everything on screen is in the list, so that it can be painted without a gap.
    pub fn covers(&self, view: &Viewport, top: i32, height: i32) -> bool {
        let window = &self.window;
        let from = view.x_of_relative(window.origin, window.from);
        let to = view.x_of_relative(window.origin, window.to);
        // a pixel of tolerance for the rounding of the window's ends to bins
        let in_time = from <= 1.0 && to >= view.width_px() - 1.0;
        let bottom = (top + height).min(window.content_height);
        in_time && window.top <= top.max(0) && bottom <= window.bottom
    }

    /// True when its bins are those that a new list for `view` would have.
    pub fn is_sharp(&self, view: &Viewport) -> bool {
        self.window.bin_ns == view.bin_ns()
    }

    /// The slice behind a rectangle of `row`.
    pub fn slice(&self, row: &RowRun, rect: usize) -> SliceRef {
        let track = TrackId::from_index(row.track as usize);
        SliceRef { track, lane: row.lane, depth: row.depth, index: self.rects.index[rect] }
    }

    /// The list as bytes, for [`decode`](Self::decode) on the other side.
    pub fn encode(&self) -> Vec<u8> {
        super::display_list_wire::encode(self, Writer::default())
    }

    /// The list that [`encode`](Self::encode) wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, Broken> {
        super::display_list_wire::decode(Reader::new(bytes))
    }
}
