//! Bytes to trace: no file, no clock, and no failure on content.
//!
//! [`Import`] takes the bytes of a file in pieces cut anywhere, finds out what they are, and gives a
//! [`Trace`] and an [`ImportReport`]. While it loads, the trace can be read at any time.
//!
//! ```
//! use flameline::import::{Import, ImportOptions};
//!
//! let mut import = Import::new(ImportOptions::default());
//! import.feed(br#"[{"name":"sort","ph":"X","pid":1,"tid":1,"ts":10,"dur":2.5}"#)?;
//! let imported = import.finish()?;
//! let row = &imported.trace.tracks()[0].lanes[0].rows[0];
//! assert_eq!((row.start(0), row.dur(0)), (10_000, Some(2_500)));
//! # Ok::<(), flameline::import::ImportError>(())
//! ```

mod chrome;
pub mod comet_lines;
mod containers;
mod gzip;
mod json_scan;
mod names_cache;
mod number;
mod repairs;
mod report;
mod sniff;
#[cfg(feature = "bench")]
mod tally;
mod unpack;

pub use report::{ImportReport, Problem, ProblemKind};
#[cfg(feature = "bench")]
pub use tally::{Tally, tally};

use crate::trace::Trace;
use chrome::ChromeImport;
use gzip::Gzip;
use sniff::{Sniffed, sniff};

/// What the caller knows about the input.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Unit of the times written in Chrome JSON.
    pub ts_unit: TsUnit,
    /// The input can't be read again (gzip, a pipe): keep the text of arguments, compressed.
    pub keep_text: bool,
}

/// Unit of the times written in Chrome JSON. The format says microseconds; some producers write others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TsUnit {
    /// Microseconds, as the format says.
    #[default]
    Us,
    /// Nanoseconds, as the first version of Comet's recorder wrote.
    Ns,
    /// Milliseconds.
    Ms,
}

impl TsUnit {
    /// The unit with this name: `us`, `ns` or `ms`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "us" => Some(TsUnit::Us),
            "ns" => Some(TsUnit::Ns),
            "ms" => Some(TsUnit::Ms),
            _ => None,
        }
    }

    fn decimals(self) -> u32 {
        match self {
            TsUnit::Ns => 0,
            TsUnit::Us => 3,
            TsUnit::Ms => 6,
        }
    }
}

/// A format that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Chrome Trace Event JSON.
    #[default]
    ChromeJson,
}

impl Format {
    /// The name in `info` and tables.
    pub fn name(self) -> &'static str {
        match self {
            Format::ChromeJson => "chrome-json",
        }
    }
}

/// How far an import has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of text read, after decoding.
    pub bytes: u64,
    /// Events read, skipped ones included.
    pub events: u64,
}

/// A trace and how it was read.
#[derive(Debug, Default)]
pub struct Imported {
    /// The trace.
    pub trace: Trace,
    /// What was repaired, skipped or noted.
    pub report: ImportReport,
    /// The format it was in.
    pub format: Format,
    /// Bytes of text, after decoding.
    pub bytes: u64,
    /// Records read, of every phase, skipped ones included.
    pub events: u64,
}

/// The input is no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// What it seems to be.
    pub found: String,
}

impl std::fmt::Display for ImportError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let found = &self.found;
        write!(out, "This is no trace: found {found}. Accepted: Chrome Trace Event JSON, plain or gzip")
    }
}

impl std::error::Error for ImportError {}

/// Reads a trace that comes in pieces.
#[derive(Debug)]
pub struct Import {
    options: ImportOptions,
    state: State,
    gzip: Option<Gzip>,
    bytes: u64,
    shown_before: Trace,
}

#[derive(Debug)]
enum State {
    /// The first bytes, as they came, until there are two: enough to tell gzip.
    First(Vec<u8>),
    /// The first bytes of text, until they tell the format.
    Head(Vec<u8>),
    Chrome(Box<ChromeImport>),
    Failed(ImportError),
}

impl Import {
    /// An import at the start of its input.
    pub fn new(options: ImportOptions) -> Self {
        let (state, shown_before) = (State::First(Vec::new()), Trace::default());
        Import { options, state, gzip: None, bytes: 0, shown_before }
    }

    /// Takes the next bytes. Fails as soon as the input is known to be no trace.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        if let State::First(first) = &mut self.state {
            first.extend_from_slice(bytes);
            if first.len() < gzip::MAGIC.len() {
                return Ok(());
            }
            let first = std::mem::take(first);
            self.begin(&first);
            self.take(&first);
        } else {
            self.take(bytes);
        }
        match &self.state {
            State::Failed(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// How far the import has come.
    pub fn progress(&self) -> Progress {
        let events = if let State::Chrome(chrome) = &self.state { chrome.event_count() } else { 0 };
        Progress { bytes: self.bytes, events }
    }

    /// The trace as far as it is loaded.
    pub fn trace(&self) -> &Trace {
        match &self.state {
            State::Chrome(chrome) => chrome.trace(),
            _ => &self.shown_before,
        }
    }

    /// True when arguments are kept in the trace, because the input is compressed or can't be read again.
    pub fn keeps_text(&self) -> bool {
        self.options.keep_text
    }

    /// Makes threads that need sorting readable while loading, each again once it has doubled.
    pub fn snapshot(&mut self) {
        if let State::Chrome(chrome) = &mut self.state {
            chrome.snapshot();
        }
    }

    /// Takes the end of the input.
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        if let State::First(first) = &mut self.state {
            let first = std::mem::take(first);
            self.begin(&first);
            self.take(&first);
        }
        let damage = self.gzip.take().and_then(|gzip| gzip.finish());
        if let State::Head(head) = &mut self.state {
            let head = std::mem::take(head);
            self.decide(head, true);
        }
        let bytes = self.bytes;
        let (mut imported, fallback) = match self.state {
            State::Chrome(chrome) => (chrome.finish(), "JSON without trace events"),
            State::Failed(error) => return Err(error),
            State::First(_) | State::Head(_) => unreachable!("the end decides the format"),
        };
        if let (Some(imported), Some(damage)) = (&mut imported, damage) {
            imported.report.add(ProblemKind::TruncatedFile, 1, Some(bytes), b"");
            let detail = format!("Reading stopped there: {damage}.");
            imported.report.explain(ProblemKind::TruncatedFile, detail);
        }
        let imported = imported.map(|imported| Imported { bytes, ..imported });
        imported.ok_or_else(|| ImportError { found: fallback.to_owned() })
    }

    fn begin(&mut self, first: &[u8]) {
        self.state = State::Head(Vec::new());
        if first.starts_with(&gzip::MAGIC) {
            self.gzip = Some(Gzip::default());
            self.options.keep_text = true;
        }
    }

    /// Takes bytes as they come, compressed or not.
    fn take(&mut self, bytes: &[u8]) {
        match self.gzip.take() {
            None => self.take_text(bytes),
            Some(mut gzip) => {
                gzip.feed(bytes, |text| self.take_text(text));
                self.gzip = Some(gzip);
            }
        }
    }

    fn take_text(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        match &mut self.state {
            State::Chrome(chrome) => chrome.feed(text),
            State::Head(head) => {
                head.extend_from_slice(text);
                let head = std::mem::take(head);
                self.decide(head, false);
            }
            State::First(_) | State::Failed(_) => {}
        }
    }

    fn decide(&mut self, head: Vec<u8>, is_all: bool) {
        self.state = match sniff(&head, is_all) {
            Sniffed::Unsure => State::Head(head),
            Sniffed::Other(found) => State::Failed(ImportError { found }),
            Sniffed::ChromeJson => {
                let mut chrome = Box::new(ChromeImport::new(&self.options));
                chrome.feed(&head);
                State::Chrome(chrome)
            }
        };
    }
}
