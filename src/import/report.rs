//! What an import had to repair, skip or note: kind, count, the first place and the text there.
//!
//! Promises: every repair is counted; each kind has a sentence that a user understands.
//! Does not do: judging. A trace with a long report is still a trace.

use super::json_scan::{Notes, scan_value};

/// What happened to the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Something that can't be read as an event; skipped.
    BadEvent,
    /// A number that is none, or does not fit.
    BadNumber,
    /// Bytes that are no UTF-8, or half of a surrogate pair.
    BadUtf8,
    /// A backslash before a character that needs none.
    BadEscape,
    /// A control character inside a string.
    ControlCharacter,
    /// A comma missing, doubled or leading.
    Comma,
    /// Another run in the same file.
    Session,
    /// A record earlier than the one before it on its thread.
    TimeWentBack,
    /// The input ends inside an event.
    TruncatedFile,
    /// One of several inputs is no trace.
    NoTrace,
    /// No events at all.
    Empty,
    /// An end without a beginning.
    UnmatchedEnd,
    /// A slice closed because one around it ended.
    MisplacedEnd,
    /// A slice without an end.
    Unfinished,
    /// A slice that crosses the end of another.
    Overlap,
    /// A slice with a length below zero.
    NegativeDuration,
    /// A kind of event that is not read.
    UnsupportedPhase,
    /// An event without something it needs.
    MissingField,
    /// A counter in whole megabytes, as Comet wrote them before 0.15.
    MegabyteCounters,
    /// Times were read in another unit than the format's, as the reader asked.
    TsUnit,
}

impl ProblemKind {
    /// Every kind, in the order of a report.
    pub const ALL: [ProblemKind; 20] = [
        ProblemKind::NoTrace,
        ProblemKind::Empty,
        ProblemKind::TruncatedFile,
        ProblemKind::Session,
        ProblemKind::BadEvent,
        ProblemKind::MissingField,
        ProblemKind::BadNumber,
        ProblemKind::NegativeDuration,
        ProblemKind::UnmatchedEnd,
        ProblemKind::MisplacedEnd,
        ProblemKind::Unfinished,
        ProblemKind::Overlap,
        ProblemKind::TimeWentBack,
        ProblemKind::UnsupportedPhase,
        ProblemKind::Comma,
        ProblemKind::ControlCharacter,
        ProblemKind::BadUtf8,
        ProblemKind::BadEscape,
        ProblemKind::MegabyteCounters,
        ProblemKind::TsUnit,
    ];

    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::BadEvent => "bad_event",
            ProblemKind::BadNumber => "bad_number",
            ProblemKind::BadUtf8 => "bad_utf8",
            ProblemKind::BadEscape => "bad_escape",
            ProblemKind::ControlCharacter => "control_character",
            ProblemKind::Comma => "comma",
            ProblemKind::Session => "session",
            ProblemKind::TimeWentBack => "time_went_back",
            ProblemKind::TruncatedFile => "truncated_file",
            ProblemKind::NoTrace => "no_trace",
            ProblemKind::Empty => "empty",
            ProblemKind::UnmatchedEnd => "unmatched_end",
            ProblemKind::MisplacedEnd => "misplaced_end",
            ProblemKind::Unfinished => "unfinished",
            ProblemKind::Overlap => "overlap",
            ProblemKind::NegativeDuration => "negative_duration",
            ProblemKind::UnsupportedPhase => "unsupported_phase",
            ProblemKind::MissingField => "missing_field",
            ProblemKind::MegabyteCounters => "megabyte_counters",
            ProblemKind::TsUnit => "ts_unit",
        }
    }

    /// One sentence for the user.
    fn sentence(self) -> &'static str {
        match self {
            ProblemKind::BadEvent => {
                "Could not be read as an event and was skipped; reading went on at the next one."
            }
            ProblemKind::BadNumber => {
                "Not a number, or too large for one: the event or the value was left out."
            }
            ProblemKind::BadUtf8 => "Bytes that are no valid text were replaced by the character \u{FFFD}.",
            ProblemKind::BadEscape => {
                "A backslash stands before a character that needs none; both were kept."
            }
            ProblemKind::ControlCharacter => "A control character stands unescaped in a text; it was kept.",
            ProblemKind::Comma => {
                "A comma is missing or there is one too many; reading went on as if it were right."
            }
            ProblemKind::Session => {
                "The file holds another run, appended to the one before; it is shown as processes of its own."
            }
            ProblemKind::TimeWentBack => {
                "An event is earlier than the one before it on its thread; the thread's events were sorted."
            }
            ProblemKind::TruncatedFile => {
                "The file ends in the middle of an event; everything before it is shown."
            }
            ProblemKind::NoTrace => "A file is no trace and was left out.",
            ProblemKind::Empty => {
                "The file holds no events. Comet's recorder buffers 8 KiB and loses them when the process ends, \
                 so a short run leaves an empty file, or just \u{201c}[\u{201d}."
            }
            ProblemKind::UnmatchedEnd => "An end that fits no open slice of its thread was dropped.",
            ProblemKind::MisplacedEnd => {
                "A slice without an end of its own was closed where one around it ends."
            }
            ProblemKind::Unfinished => "A slice has no end; it is drawn faded, to the end of the trace.",
            ProblemKind::Overlap => {
                "A slice crosses the end of another on the same thread; it is drawn in a lane of its own below."
            }
            ProblemKind::NegativeDuration => "A length below zero was taken as zero.",
            ProblemKind::UnsupportedPhase => "Events of a kind that is not shown yet were left out.",
            ProblemKind::MissingField => "An event lacks something it needs and was left out.",
            ProblemKind::TsUnit => {
                "Times were read in another unit than the format's microseconds, as was asked for."
            }
            ProblemKind::MegabyteCounters => {
                "Memory counters are in whole megabytes, as Comet before 0.15 wrote them; they are shown in bytes."
            }
        }
    }
}

/// All that happened of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What happened.
    pub kind: ProblemKind,
    /// How many times.
    pub count: u64,
    /// First byte of the first event concerned, in the decoded input; `None` where it has none.
    pub first_offset: Option<u64>,
    /// Up to 120 bytes of the text there.
    pub first_text: String,
    /// What the sentence leaves open: how much, when.
    pub detail: String,
}

impl Problem {
    /// What happened, in words.
    pub fn message(&self) -> String {
        match self.detail.as_str() {
            "" => self.kind.sentence().to_owned(),
            detail => format!("{} {detail}", self.kind.sentence()),
        }
    }
}

/// Everything that an import repaired, skipped or noted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// One entry a kind that occurred, in a fixed order.
    pub problems: Vec<Problem>,
}

/// Bytes of text shown with a problem.
pub const TEXT_LEN: usize = 120;

impl ImportReport {
    /// How often a kind occurred.
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.of(kind).map_or(0, |problem| problem.count)
    }

    /// How many problems of all kinds there were.
    pub fn total(&self) -> u64 {
        self.problems.iter().map(|problem| problem.count).sum()
    }

    /// The entry of a kind that occurred.
    pub fn of(&self, kind: ProblemKind) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.kind == kind)
    }

    /// Counts `count` of a kind; `text` is the event's, and is remembered if it is the earliest.
    pub fn add(&mut self, kind: ProblemKind, count: u64, offset: Option<u64>, text: &[u8]) {
        let place = |kind| ProblemKind::ALL.iter().position(|&other| other == kind);
        let at = self.problems.partition_point(|problem| place(problem.kind) < place(kind));
        if self.problems.get(at).is_none_or(|problem| problem.kind != kind) {
            let (first_text, detail) = (String::new(), String::new());
            self.problems.insert(at, Problem { kind, count: 0, first_offset: None, first_text, detail });
        }
        let problem = &mut self.problems[at];
        let is_first = match (problem.first_offset, offset) {
            (Some(known), Some(new)) => new < known,
            (known, _) => known.is_none(),
        };
        problem.count += count;
        if is_first {
            problem.first_offset = offset;
            problem.first_text = shown_text(text);
        }
    }

    /// Says more about a kind that occurred.
    pub(super) fn explain(&mut self, kind: ProblemKind, detail: String) {
        if let Some(problem) = self.problems.iter_mut().find(|problem| problem.kind == kind) {
            problem.detail = detail;
        }
    }

    /// Says more about a kind that occurred, after what is said already.
    pub(super) fn explain_also(&mut self, kind: ProblemKind, detail: &str) {
        if let Some(problem) = self.problems.iter_mut().find(|problem| problem.kind == kind) {
            problem.detail.push_str(if problem.detail.is_empty() { "" } else { " " });
            problem.detail.push_str(detail);
        }
    }

    /// Fetches texts that are not known yet from `read`, which gives the input's bytes at an offset.
    pub fn fill_texts(&mut self, mut read: impl FnMut(u64, usize) -> Option<Vec<u8>>) {
        for problem in self.problems.iter_mut().filter(|problem| problem.first_text.is_empty()) {
            // a few bytes more, so that a character cut at the limit is seen to be whole
            if let Some(text) = problem.first_offset.and_then(|offset| read(offset, TEXT_LEN + 4)) {
                problem.first_text = shown_text(&text[..event_len(&text)]);
            }
        }
    }
}

/// Bytes of the event at the start of `text`; all of them when it goes on behind them.
fn event_len(text: &[u8]) -> usize {
    scan_value(text, 0, &mut Notes::default()).map_or(text.len(), |(_, end)| end)
}

/// The first bytes of `text` as text, cut at a character.
fn shown_text(text: &[u8]) -> String {
    let cut = &text[..text.len().min(TEXT_LEN)];
    let whole = match str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() && cut.len() < text.len() => &cut[..error.valid_up_to()],
        _ => cut,
    };
    String::from_utf8_lossy(whole).into_owned()
}
