//! The engine: owns the trace, lives in the worker, and answers what the page asks.
//!
//! Promises: answers at any time, also while a file is being read; nothing it is fed makes it fail.
//! Knows nothing of: canvases, elements, clocks (the page says what time it is).

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::import::{Import, ImportError, ImportOptions, Imported, TsUnit};
use crate::json::merged_members;
use crate::trace::{Span, Trace};
use crate::view::{ArgsTree, Folds, FrameRequest, Item, Layout, Limits, MemoryChart, Viewport, frame};

use super::convert::{self, list, object};
use super::engine_report::FileMemory;
use super::items::Question;
use super::words::{self, Ending, Reading};

/// A growing trace is shown anew after so many ms: more often costs reading time and shows nothing new.
const SHOW_MS: f64 = 100.0;
/// Screens of margin on each side, so that panning needs no answer. Half while the trace still grows.
const MARGIN: f64 = 1.0;

/// Files that are read, and the trace that they become.
#[wasm_bindgen]
pub struct Engine {
    reading: Reading,
    shown_ms: f64,
    /// Gives a file's bytes from one offset to another.
    peek: Function,
    source: Source,
    pub(super) folds: Folds,
    pub(super) layout: Layout,
    pub(super) chart: MemoryChart,
    /// What is selected, and its arguments.
    pub(super) selected: Option<Item>,
    pub(super) args: ArgsTree,
    /// What is known of each file's memory.
    pub(super) memory: Vec<FileMemory>,
}

pub(super) enum Source {
    Reading(Box<Import>),
    Read(Box<Imported>),
    /// There was no trace, and there is an empty one to see.
    Nothing(Trace),
}

#[wasm_bindgen]
impl Engine {
    /// An engine for files of so many bytes in all, whose times are in `ts_unit`: `us`, `ns` or `ms`; `peek` reads in one of them, by its number in the order of
    /// [`start_file`](Self::start_file).
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, ts_unit: &str, now_ms: f64, peek: Function) -> Engine {
        let ts_unit = TsUnit::from_name(ts_unit).unwrap_or_default();
        let source =
            Source::Reading(Box::new(Import::new(ImportOptions { ts_unit, ..ImportOptions::default() })));
        Engine {
            reading: Reading { names: Vec::new(), size, fed: 0.0, began_ms: now_ms },
            shown_ms: f64::MIN,
            peek,
            source,
            folds: Folds::default(),
            layout: Layout::default(),
            chart: MemoryChart::default(),
            selected: None,
            args: ArgsTree::default(),
            memory: Vec::new(),
        }
    }

    /// What is fed from now on is a file of this name.
    pub fn start_file(&mut self, name: String) {
        if let Source::Reading(import) = &mut self.source {
            import.start_source(&name);
        }
        self.end_file();
        self.memory.push(FileMemory::new(&name));
        self.reading.names.push(name);
    }

    /// Takes the next bytes. False when no more of this file need to come.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        let Source::Reading(import) = &mut self.source else { return false };
        self.reading.fed += bytes.len() as f64;
        if let Some(file) = self.memory.last_mut() {
            file.feed(bytes);
        }
        import.feed(bytes).is_ok()
    }

    /// How far reading has come.
    pub fn progress(&mut self, now_ms: f64) -> JsValue {
        let events = match &self.source {
            Source::Reading(import) => import.progress().events,
            _ => 0,
        };
        // a screen made at once, and then whenever some time has passed
        let is_fresh = now_ms - self.shown_ms >= SHOW_MS;
        if is_fresh {
            self.shown_ms = now_ms;
        }
        object([
            ("fraction", (self.reading.fed / self.reading.size.max(1.0)).into()),
            ("text", words::progress(&self.reading, events, now_ms).into()),
            ("title", self.reading.title().into()),
            ("fresh", is_fresh.into()),
        ])
    }

    /// Takes the end of the file, or of the part that is read when the reader cancelled or the file broke off;
    /// `broken` says why it did.
    pub fn finish(&mut self, now_ms: f64, cancelled: bool, broken: Option<String>) -> JsValue {
        self.end_file();
        let source = std::mem::replace(&mut self.source, Source::Nothing(Trace::default()));
        let refused = match source {
            Source::Reading(import) => self.take_end(*import).err(),
            Source::Read(_) | Source::Nothing(_) => None,
        };
        self.arrange();
        let why = Ending { cancelled, broken, now_ms };
        match (&self.source, refused) {
            (Source::Read(imported), _) if imported.events > 0 || !cancelled => {
                let summary = words::summary(&self.reading, imported, &why);
                convert::set(summary.unchecked_ref(), "hasReport", &self.has_report().into());
                let (times, peak) = self.excess_times();
                self.chart.mark(times, peak);
                summary
            }
            (_, Some(error)) if !cancelled => words::refusal(&self.reading, &error, &why),
            _ => words::nothing(),
        }
    }

    /// What to paint for a request of the screen.
    pub fn frame(&mut self, request: &JsValue) -> JsValue {
        let question = Question::from_js(request);
        if let Some(fold) = question.fold.and_then(|fold| fold.among(&self.layout)) {
            self.folds.toggle(fold);
        }
        if let Source::Reading(import) = &mut self.source {
            import.snapshot();
        }
        self.arrange();
        let is_final = !matches!(self.source, Source::Reading(_));
        let trace = self.source.trace();
        self.chart.update(trace, is_final);
        let view = self.view_for(&question);
        let margin = if is_final { MARGIN } else { MARGIN / 2.0 };
        let limits = Limits::of(trace.span());
        let asked = FrameRequest {
            view,
            top: question.top,
            height: question.height,
            margin,
            selected: question.selected.and_then(|item| item.slice()),
            found: None,
        };
        let painted = frame(trace, &self.layout, &asked);
        let bytes = Uint8Array::from(painted.encode().as_slice());
        let lines = Uint8Array::from(self.chart.data(trace, &view, margin).encode().as_slice());
        let buffers = list([bytes.buffer(), lines.buffer()]);
        object([
            ("list", bytes.into()),
            ("chart", lines.into()),
            ("first", limits.first.into()),
            ("last", limits.last.into()),
            ("start", view.start().0.into()),
            ("span", view.span_ns().into()),
            ("moved", question.moves_view().into()),
            ("buffers", buffers),
        ])
    }
}

impl Engine {
    fn end_file(&mut self) {
        if let Some(file) = self.memory.last_mut() {
            file.finish();
        }
    }

    fn take_end(&mut self, import: Import) -> Result<(), ImportError> {
        let mut imported = import.finish()?;
        let Imported { trace, report, .. } = &mut imported;
        report.fill_texts(|offset, len| self.peek(trace, offset, len as u64));
        self.source = Source::Read(Box::new(imported));
        Ok(())
    }

    pub(super) fn trace(&self) -> &Trace {
        self.source.trace()
    }

    pub(super) fn arrange(&mut self) {
        self.layout = Layout::new(self.source.trace(), &self.folds);
    }

    /// The time on screen: what the screen says, or what it wants shown.
    fn view_for(&self, question: &Question) -> Viewport {
        let limits = Limits::of(self.source.trace().span());
        let width = question.width;
        if question.fit {
            return Viewport::fit(limits.first, limits.last, width);
        }
        let slice = question.fit_item.and_then(|item| item.span(self.source.trace()));
        match slice {
            Some((start, end)) => Viewport::fit(start, end, width),
            None => Viewport::exactly(question.start, question.span, width),
        }
    }

    /// The arguments of an item, key and JSON value, read from the file again; none when it can't be read.
    pub(super) fn members(&self, item: Item) -> Option<Vec<(String, String)>> {
        let (trace, args) = (self.trace(), self.trace().args());
        let Some(id) = item.args(trace) else { return Some(Vec::new()) };
        let text =
            |span: Span| args.kept_text(span).or_else(|| self.peek(trace, span.offset, span.len.into()));
        let texts: Vec<Vec<u8>> = args.parts(id).map(text).collect::<Option<_>>()?;
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        Some(merged_members(&texts))
    }

    /// Bytes of the files, whose offsets count on from one to the next; none of what can't be read again.
    fn peek(&self, trace: &Trace, from: u64, len: u64) -> Option<Vec<u8>> {
        let source = trace.source_at(from).filter(|source| !source.is_kept)?;
        let from = from - source.offset;
        // files are far below 2^53 bytes long, and nobody drops 2^32 of them
        let place = [source.input as f64, from as f64, (from + len) as f64].map(JsValue::from_f64);
        let bytes = self.peek.call3(&JsValue::NULL, &place[0], &place[1], &place[2]).ok()?;
        Some(bytes.dyn_into::<Uint8Array>().ok()?.to_vec())
    }
}

impl Source {
    fn trace(&self) -> &Trace {
        match self {
            Source::Reading(import) => import.trace(),
            Source::Read(imported) => &imported.trace,
            Source::Nothing(empty) => empty,
        }
    }
}
