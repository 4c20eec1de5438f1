//! A frame: from what is on screen to the list of what to draw.
//!
//! Promises: the same trace, layout and request give the same list; it works on a trace that is still loading.
//! Does not do: colours in RGB, fitting of labels, painting, remembering.
//! Costs: pixels × visible rows × log(slices of a row). 10 million slices in one row at 2,000 pixels: see
//! `benches/frame.rs`.

use std::collections::HashMap;
use std::ops::Range;

use super::bins::{Bins, Piece};
use super::display_list::{
    ChartRun, DisplayList, FADED, MERGED, MarkOwner, MarkRun, NO_TEXT, RowRun, SELECTED, Strip, StripKind,
    UNFINISHED, Window,
};
use super::labels::{MIN_LABEL_PX, clipped};
use super::layout::Layout;
use super::palette::{color_by_text, color_of};
use super::place::{COUNTER_PX, INSTANTS_PX, Place, ROW_PX, What};
use super::titles::{Title, counter_title, counters_title, process_title, track_title};
use super::viewport::{Viewport, distance};
use crate::names::NameId;
use crate::trace::{CounterId, Instants, Row, SliceRef, Trace, TrackId};

/// How far one list may be zoomed into before the next one comes: labels that fit by then are in it.
const ZOOM_AHEAD: f64 = 2.0;
/// Least share of full strength that a merged rectangle is drawn with: a lone short slice must stay visible.
const LEAST_ALPHA: f64 = 80.0;

/// What is on screen.
#[derive(Clone, Copy, Debug)]
pub struct FrameRequest<'a> {
    /// The time on screen.
    pub view: Viewport,
    /// First pixel of the content on screen.
    pub top: i32,
    /// Pixels of content on screen.
    pub height: i32,
    /// How much is added on each side of the screen, in screens: 1 lets a list serve while the reader pans
    /// and zooms, 0 gives an answer several times as fast.
    pub margin: f64,
    /// The selected slice.
    pub selected: Option<SliceRef>,
    /// By name index: what a search found. Everything else is faded.
    pub found: Option<&'a [bool]>,
}

/// Everything to draw for `request`.
pub fn frame(trace: &Trace, layout: &Layout, request: &FrameRequest) -> DisplayList {
    let mut frame = Frame::new(trace, layout, request);
    let (top, bottom) = (frame.list.window.top, frame.list.window.bottom);
    for place in layout.visible(top, bottom) {
        frame.place(place);
    }
    frame.list
}

/// A list in the making.
struct Frame<'a> {
    trace: &'a Trace,
    request: &'a FrameRequest<'a>,
    bins: Bins,
    list: DisplayList,
    /// By name index; [`NO_COLOR`] where nobody asked yet.
    colors: Vec<u8>,
    labels: HashMap<NameId, u32>,
}

/// Not a colour number: the palette has fewer.
const NO_COLOR: u8 = u8::MAX;

impl<'a> Frame<'a> {
    fn new(trace: &'a Trace, layout: &Layout, request: &'a FrameRequest) -> Self {
        let view = &request.view;
        // casts from f64 saturate; a screen is less than 2^63 ns wide
        let more_ns = (view.span_ns() * request.margin).ceil() as i64;
        let more_px = (f64::from(request.height) * request.margin).ceil() as i32;
        let (from, to) = (view.start().0.saturating_sub(more_ns), view.end().0.saturating_add(more_ns));
        let bins = Bins::new(from, to, view.bin_ns(), trace.end());
        let origin = bins.from;
        let relative = |time: i64| distance(origin, time);
        let window = Window {
            origin,
            from: 0.0,
            to: relative(bins.to),
            bin_ns: bins.bin_ns,
            top: request.top.saturating_sub(more_px).max(0),
            bottom: request.top.saturating_add(request.height).saturating_add(more_px).min(layout.height()),
            content_height: layout.height(),
            trace_start: relative(trace.span().map_or(0, |span| span.0)),
            trace_end: relative(bins.trace_end),
        };
        let list = DisplayList { window, ..DisplayList::default() };
        let colors = vec![NO_COLOR; trace.names().len()];
        Frame { trace, request, bins, list, colors, labels: HashMap::new() }
    }

    fn place(&mut self, place: &Place) {
        let trace = self.trace;
        match place.what {
            What::Process(id) => {
                self.strip(place, StripKind::Process, id.index(), process_title(trace, id));
            }
            What::Counters(id) => {
                self.strip(place, StripKind::Counters, id.index(), counters_title(trace, id));
            }
            What::Counter(id) => {
                self.strip(place, StripKind::Counter, id.index(), counter_title(trace, id));
                self.chart(place, id);
            }
            What::Instants(process) => {
                let (id, instants, owner) = match process {
                    Some(id) => {
                        (id.index(), &trace.process(id).instants, MarkOwner::Process(id.index() as u32))
                    }
                    None => (0, trace.instants(), MarkOwner::Trace),
                };
                let title = Title { text: "instants".to_owned(), note: String::new() };
                self.strip(place, StripKind::Instants, id, title);
                self.marks(instants, owner, place.y);
            }
            What::Track { id, above } => {
                self.strip(place, StripKind::Track, id.index(), track_title(trace, id));
                if above > 0 {
                    self.marks(&trace.track(id).instants, MarkOwner::Track(id.index() as u32), place.y);
                }
                self.rows(place, id);
            }
        }
    }

    fn strip(&mut self, place: &Place, kind: StripKind, id: usize, title: Title) {
        let mut text = |text: &str| {
            if text.is_empty() { NO_TEXT } else { self.list.texts.push(clipped(text)) }
        };
        let (title, note) = (text(&title.text), text(&title.note));
        let id = id as u32; // processes, tracks and counters have 32 bits
        self.list.strips.push(Strip {
            y: place.y,
            height: place.height,
            kind,
            id,
            title,
            note,
            fold: place.fold,
        });
    }

    fn rows(&mut self, place: &Place, id: TrackId) {
        let track = self.trace.track(id);
        let (top, bottom) = (self.list.window.top, self.list.window.bottom);
        for (lane, depth, y) in place.rows(track, top, bottom) {
            let first = self.list.rects.t0.len() as u32;
            let selected = self
                .request
                .selected
                .filter(|slice| slice.track == id && slice.lane == lane && slice.depth == depth);
            let row = &track.lanes[lane as usize].rows[depth as usize];
            let bins = self.bins;
            bins.pieces(row, |piece| self.rect(row, &piece, selected.map(|slice| slice.index as usize)));
            let end = self.list.rects.t0.len() as u32;
            let track = id.index() as u32;
            self.list.rows.push(RowRun { track, lane, depth, y, height: ROW_PX, first, end });
        }
    }

    fn rect(&mut self, row: &Row, piece: &Piece, selected: Option<usize>) {
        let Range { start: first, end } = piece.slices.clone();
        let (start, stop) = (row.start(first), row.end(end - 1, self.bins.trace_end));
        let is_merged = end - first > 1;
        let name = row.name(piece.shown);
        let is_found = self.request.found.is_none_or(|found| found.get(name.index()) == Some(&true));
        let flags = [
            (is_merged, MERGED),
            (row.dur(piece.shown).is_none(), UNFINISHED),
            (selected.is_some_and(|at| piece.slices.contains(&at)), SELECTED),
            (!is_found, FADED),
        ];
        let length = distance(start, stop);
        let alpha = if is_merged { alpha(piece.covered as f64 / length) } else { u8::MAX };
        let label = if !is_merged && length >= self.least_label_ns() { self.label(name) } else { NO_TEXT };
        let color = self.color(name);
        let rects = &mut self.list.rects;
        rects.t0.push(distance(self.bins.from, start));
        rects.t1.push(distance(self.bins.from, stop));
        rects.color.push(color);
        rects.alpha.push(alpha);
        rects.flags.push(flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum());
        rects.label.push(label);
        rects.count.push((end - first) as u32); // a row holds fewer than 2^32 slices
        rects.index.push(piece.shown as u32);
    }

    fn chart(&mut self, place: &Place, id: CounterId) {
        let counter = &self.trace.counters()[id.index()];
        let steps = &mut self.list.steps;
        let first = steps.t.len() as u32;
        let (bins, color) = (self.bins, color_by_text(&self.trace.counter_label(counter)));
        bins.steps(counter, |step| {
            steps.t.push(distance(bins.from, step.time));
            steps.min.push(step.min);
            steps.max.push(step.max);
            steps.last.push(step.last);
        });
        let all = counter.extremes(0..counter.len());
        let (low, high) = all.map_or((0.0, 0.0), |all| (all.min.min(0.0), all.max.max(0.0)));
        let high = if high > low { high } else { low + 1.0 };
        let end = steps.t.len() as u32;
        let (counter, y) = (id.index() as u32, place.y);
        self.list.charts.push(ChartRun { counter, y, height: COUNTER_PX, color, low, high, first, end });
    }

    fn marks(&mut self, instants: &Instants, owner: MarkOwner, y: i32) {
        let first = self.list.ticks.t.len() as u32;
        let bins = self.bins;
        bins.instants(instants, |group| {
            let name = instants.name(group.start);
            let (color, label) = (self.color(name), self.label(name));
            let ticks = &mut self.list.ticks;
            ticks.t.push(distance(bins.from, instants.time(group.start)));
            ticks.index.push(group.start as u32);
            ticks.count.push(group.len() as u32);
            ticks.color.push(color);
            ticks.label.push(label);
        });
        let end = self.list.ticks.t.len() as u32;
        self.list.marks.push(MarkRun { owner, y, height: INSTANTS_PX, first, end });
    }

    fn color(&mut self, name: NameId) -> u8 {
        let known = &mut self.colors[name.index()];
        if *known == NO_COLOR {
            *known = color_of(self.trace.names(), name);
        }
        *known
    }

    fn label(&mut self, name: NameId) -> u32 {
        let (texts, names) = (&mut self.list.texts, self.trace.names());
        *self.labels.entry(name).or_insert_with(|| texts.push(clipped(names.shown(name))))
    }

    fn least_label_ns(&self) -> f64 {
        MIN_LABEL_PX / ZOOM_AHEAD * self.request.view.ns_per_px()
    }
}

/// How strongly to draw what covers this share of its rectangle; no length at all counts as covered.
fn alpha(share: f64) -> u8 {
    let share = if share.is_nan() { 1.0 } else { share.clamp(0.0, 1.0) };
    (LEAST_ALPHA + (255.0 - LEAST_ALPHA) * share).round() as u8
}
