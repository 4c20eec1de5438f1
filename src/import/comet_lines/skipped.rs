//! What is not read of a Comet trace's counters, counted by reason.

use super::event::Refused;

/// Why something was not read, or not as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// A line that is not one JSON object.
    NotJson,
    /// An event without `name`, `ph`, `tid` or `ts`.
    MissingField,
    /// An event in which one of the fields that are read stands twice.
    DuplicateField,
    /// A `ts` that is no unsigned integer.
    BadTs,
    /// A `tid` that is no unsigned integer.
    BadTid,
    /// A `name` or `ph` that is no string, or `args` that are no object.
    BadType,
    /// A line with `"ph":"C"`: the tool reads `"ph": "C"` only.
    PhSpacing,
    /// A line that is not UTF-8.
    BadUtf8,
    /// A line longer than [`MAX_LINE`](super::MAX_LINE).
    LongLine,
    /// A counter whose value is no unsigned integer: the event counts, its value is taken as 0.
    BadValue,
    /// Compressed data that is cut or damaged; what came before is read.
    BadGzip,
}

impl SkipReason {
    /// All of them, in the order in which they are told.
    pub const ALL: [SkipReason; 11] = [
        SkipReason::NotJson,
        SkipReason::MissingField,
        SkipReason::DuplicateField,
        SkipReason::BadTs,
        SkipReason::BadTid,
        SkipReason::BadType,
        SkipReason::PhSpacing,
        SkipReason::BadUtf8,
        SkipReason::LongLine,
        SkipReason::BadValue,
        SkipReason::BadGzip,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SkipReason::NotJson => "not_json",
            SkipReason::MissingField => "missing_field",
            SkipReason::DuplicateField => "duplicate_field",
            SkipReason::BadTs => "bad_ts",
            SkipReason::BadTid => "bad_tid",
            SkipReason::BadType => "bad_type",
            SkipReason::PhSpacing => "ph_spacing",
            SkipReason::BadUtf8 => "bad_utf8",
            SkipReason::LongLine => "long_line",
            SkipReason::BadValue => "bad_value",
            SkipReason::BadGzip => "bad_gzip",
        }
    }

    /// The reason for which a line is no event; none when it is another event.
    pub(super) fn of(refused: Refused) -> Option<SkipReason> {
        match refused {
            Refused::OtherPhase => None,
            Refused::NotJson => Some(SkipReason::NotJson),
            Refused::Missing => Some(SkipReason::MissingField),
            Refused::Twice => Some(SkipReason::DuplicateField),
            Refused::Ts => Some(SkipReason::BadTs),
            Refused::Tid => Some(SkipReason::BadTid),
            Refused::Type => Some(SkipReason::BadType),
        }
    }
}

/// How often each reason was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped([u64; SkipReason::ALL.len()]);

impl Skipped {
    pub(super) fn add(&mut self, reason: SkipReason) {
        self.0[reason as usize] += 1;
    }

    /// How often `reason` was met.
    pub fn count(&self, reason: SkipReason) -> u64 {
        self.0[reason as usize]
    }

    /// The reasons that were met, with how often.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        SkipReason::ALL.into_iter().map(|reason| (reason.name(), self.count(reason))).filter(|met| met.1 > 0)
    }
}
