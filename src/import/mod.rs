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

use crate::trace::{Source, Trace};
use chrome::{ChromeImport, Verdict};
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

    fn words(self) -> &'static str {
        match self {
            TsUnit::Us => "microseconds",
            TsUnit::Ns => "nanoseconds",
            TsUnit::Ms => "milliseconds",
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

/// Reads a trace that comes in pieces, from one input or from several, one after another.
///
/// ```
/// use flameline::import::{Import, ImportOptions};
///
/// let mut import = Import::new(ImportOptions::default());
/// for (name, text) in [("a.json", r#"[{"ph":"i","ts":1}]"#), ("b.json", r#"[{"ph":"i","ts":2}]"#)] {
///     import.start_source(name);
///     import.feed(text.as_bytes())?;
/// }
/// let imported = import.finish()?;
/// assert_eq!(imported.trace.processes().len(), 2);
/// # Ok::<(), flameline::import::ImportError>(())
/// ```
#[derive(Debug)]
pub struct Import {
    options: ImportOptions,
    state: State,
    gzip: Option<Gzip>,
    /// The input that is read now came compressed.
    is_compressed: bool,
    bytes: u64,
    /// The input that is read now.
    name: String,
    start: u64,
    input: usize,
    has_started: bool,
    /// Whether any input was a trace, and the first that was none.
    has_trace: bool,
    refused: Option<ImportError>,
    chrome: Box<ChromeImport>,
}

#[derive(Debug)]
enum State {
    /// The first bytes, as they came, until there are two: enough to tell gzip.
    First(Vec<u8>),
    /// The first bytes of text, until they tell the format.
    Head(Vec<u8>),
    /// Events.
    Chrome,
    /// No trace; the rest of this input is not read.
    Refused(ImportError),
}

impl Import {
    /// An import at the start of its first input.
    pub fn new(options: ImportOptions) -> Self {
        Import {
            chrome: Box::new(ChromeImport::new(&options)),
            options,
            state: State::First(Vec::new()),
            gzip: None,
            is_compressed: false,
            bytes: 0,
            name: String::new(),
            start: 0,
            input: 0,
            has_started: false,
            has_trace: false,
            refused: None,
        }
    }

    /// What follows is from an input of this name. Needed before the second one only; what the first was is settled
    /// by then.
    pub fn start_source(&mut self, name: &str) {
        if self.has_started {
            self.end_source();
            self.input += 1;
        }
        name.clone_into(&mut self.name);
        (self.start, self.has_started) = (self.bytes, true);
        self.state = State::First(Vec::new());
    }

    /// Takes the next bytes. Fails as soon as the input is known to be no trace; another one may follow.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        self.has_started = true;
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
            State::Refused(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// How far the import has come.
    pub fn progress(&self) -> Progress {
        Progress { bytes: self.bytes, events: self.chrome.event_count() }
    }

    /// The trace as far as it is loaded.
    pub fn trace(&self) -> &Trace {
        self.chrome.trace()
    }

    /// Makes threads that need sorting readable while loading, each again once it has doubled.
    pub fn snapshot(&mut self) {
        self.chrome.snapshot();
    }

    /// Takes the end of the last input. Fails when none was a trace.
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        self.end_source();
        match self.refused {
            Some(error) if !self.has_trace => Err(error),
            _ => {
                if self.options.ts_unit != TsUnit::Us {
                    let report = self.chrome.report_mut();
                    report.add(ProblemKind::TsUnit, 1, None, b"");
                    report.explain(
                        ProblemKind::TsUnit,
                        format!("They were taken for {}.", self.options.ts_unit.words()),
                    );
                }
                let imported = self.chrome.finish();
                Ok(Imported { bytes: self.bytes, ..imported })
            }
        }
    }

    fn end_source(&mut self) {
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
        let refused = match &self.state {
            State::Refused(error) => Some(error.clone()),
            _ => match self.chrome.end_source() {
                Verdict::NoTrace => Some(ImportError { found: "JSON without trace events".to_owned() }),
                verdict => {
                    self.has_trace = true;
                    if verdict == Verdict::Empty {
                        self.chrome.report_mut().add(ProblemKind::Empty, 1, Some(self.start), b"");
                    }
                    None
                }
            },
        };
        let report = self.chrome.report_mut();
        if let Some(error) = refused {
            report.add(ProblemKind::NoTrace, 1, Some(self.start), b"");
            report.explain_also(ProblemKind::NoTrace, &format!("{}: found {}.", self.name, error.found));
            self.refused.get_or_insert(error);
        } else if let Some(damage) = damage {
            report.add(ProblemKind::TruncatedFile, 1, Some(self.bytes), b"");
            report.explain(ProblemKind::TruncatedFile, format!("Reading stopped there: {damage}."));
        }
    }

    fn begin(&mut self, first: &[u8]) {
        self.state = State::Head(Vec::new());
        self.is_compressed = first.starts_with(&gzip::MAGIC);
        if self.is_compressed {
            self.gzip = Some(Gzip::default());
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
            State::Chrome => self.chrome.feed(text),
            State::Head(head) => {
                head.extend_from_slice(text);
                let head = std::mem::take(head);
                self.decide(head, false);
            }
            State::First(_) | State::Refused(_) => {}
        }
    }

    fn decide(&mut self, head: Vec<u8>, is_all: bool) {
        self.state = match sniff(&head, is_all) {
            Sniffed::Unsure => State::Head(head),
            Sniffed::Other(found) => State::Refused(ImportError { found }),
            Sniffed::ChromeJson => {
                // compressed text can't be read again at a place
                let is_kept = self.options.keep_text || self.is_compressed;
                let (name, input, offset) = (self.name.clone(), self.input, self.start);
                self.chrome.start_source(Source { name, input, offset, is_kept, first_session: 0 });
                self.chrome.feed(&head);
                State::Chrome
            }
        };
    }
}
