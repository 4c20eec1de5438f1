//! Words: what the page says about reading a file, in sentences.
//!
//! Knows nothing of: elements; where a sentence stands on the page is the page's business.

use wasm_bindgen::JsValue;

use crate::export::Info;
use crate::import::{ImportError, Imported, ProblemKind};
use crate::units::{Bytes, Ns, grouped};

use super::convert::{integer, list, object, set};

/// Letters of an address that are shown.
const LONGEST_ADDRESS: usize = 200;

/// What is being read, and how far.
pub struct Reading {
    /// The files' names, as far as reading has come.
    pub names: Vec<String>,
    /// Their size in bytes.
    pub size: f64,
    /// How many of them have been read.
    pub fed: f64,
    /// When that began.
    pub began_ms: f64,
}

/// Why reading ended, if not at the end of the file.
pub struct Ending {
    /// The reader cancelled.
    pub cancelled: bool,
    /// The browser could not read on, and said this.
    pub broken: Option<String>,
    /// When reading ended.
    pub now_ms: f64,
}

impl Reading {
    /// "a.json", "a.json and 2 more".
    pub fn title(&self) -> String {
        match &self.names[..] {
            [] => String::new(),
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        }
    }

    fn rate(&self, now_ms: f64) -> String {
        // a duration of nothing would be a rate of infinity
        let ms = (now_ms - self.began_ms).max(1.0);
        format!("{}/s", Bytes((self.fed / ms * 1000.0).round()))
    }

    fn is_whole(&self) -> bool {
        self.fed >= self.size
    }
}

/// "34.5 MB of 100.0 MB · 250,000 events · 410.2 MB/s".
pub fn progress(reading: &Reading, events: u64, now_ms: f64) -> String {
    let of = format!("{} of {}", Bytes(reading.fed), Bytes(reading.size));
    format!("{of} · {} · {}", counted(events, "event"), reading.rate(now_ms))
}

/// What is on the page once a file is read, or as much of it as there was.
pub fn summary(reading: &Reading, imported: &Imported, why: &Ending) -> JsValue {
    let info = info_of(imported);
    let number = |key: &str| info.numbers.iter().find(|number| number.0 == key).map_or(0, |number| number.1);
    let problems: u64 = imported.report.problems.iter().map(|problem| problem.count).sum();
    let mut status = vec![reading.title(), Bytes(reading.fed).to_string()];
    status.push(counted(imported.events, "event"));
    status.push(counted(number("slices"), "slice"));
    status.push(counted(number("threads"), "thread"));
    status.push(if problems == 0 { "no problems".to_owned() } else { counted(problems, "problem") });
    let took = Ns(((why.now_ms - reading.began_ms) * 1e6) as i64); // no reading lasts 292 years
    status.push(format!("read in {took} ({})", reading.rate(why.now_ms)));
    let rows = imported.report.problems.iter().map(|problem| {
        let offset = problem.first_offset.map_or_else(String::new, |at| place(imported, at));
        list([problem.message(), grouped(i128::from(problem.count)), offset, problem.first_text.clone()])
    });
    let kinds = imported.report.problems.len();
    object([
        ("state", "ready".into()),
        ("title", reading.title().into()),
        ("status", status.join(" · ").into()),
        ("message", "".into()),
        ("notice", notice(reading, imported, why).into()),
        ("problemsTitle", problems_title(problems).into()),
        ("problemsButton", if kinds == 0 { "Problems".into() } else { format!("Problems ({kinds})").into() }),
        ("problemHeads", list(["What happened", "Times", "First at byte", "Text there"])),
        ("problems", list(rows)),
        ("info", info_object(&info)),
    ])
}

/// Where something stands: "1,234", or "a.json 1,234" when there are several files.
fn place(imported: &Imported, offset: u64) -> String {
    let sources = imported.trace.sources();
    match imported.trace.source_at(offset).filter(|_| sources.len() > 1) {
        Some(source) => format!("{} {}", source.name, grouped(i128::from(offset - source.offset))),
        None => grouped(i128::from(offset)),
    }
}

/// What is on the page when a file is no trace.
pub fn refusal(reading: &Reading, error: &ImportError, why: &Ending) -> JsValue {
    let name = reading.title();
    let message = match &why.broken {
        Some(reason) => format!("{name} could not be read: {reason}"),
        None => format!("{name}\n{error}."),
    };
    bare("error", &message)
}

/// What is on the page when reading was cancelled before there was anything.
pub fn nothing() -> JsValue {
    bare("empty", "")
}

/// What the page says when this module has failed.
pub fn panic_message(what: &str) -> String {
    format!(
        "Flameline made a mistake and had to give up on this file; its reader has been started afresh.\n\
         What went wrong: {what}"
    )
}

/// What the page says when it can't open what `?url=` names; `why` is what the page found.
pub fn address_refused(address: &str, why: &str) -> String {
    // a data: address holds a whole file
    let address = match address.char_indices().nth(LONGEST_ADDRESS) {
        Some((at, _)) => format!("{}…", &address[..at]),
        None => address.to_owned(),
    };
    match why {
        "elsewhere" => format!(
            "{address} is not opened: ?url= opens files of this page's own host only, since the page talks to nobody \
             else. Download the file and drop it here."
        ),
        "one file" => format!(
            "{address} is not opened: this page is a single file and fetches nothing. Drop the file here or choose it."
        ),
        _ => format!("{address} can't be opened: {why}"),
    }
}

/// "1 slice", "37 slices", "1,250 slices".
fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(i128::from(count)))
}

fn problems_title(problems: u64) -> String {
    match problems {
        0 => "No problems: everything in the file was read as it stands".to_owned(),
        1 => "1 problem in the file".to_owned(),
        _ => format!("{} problems in the file", grouped(i128::from(problems))),
    }
}

fn notice(reading: &Reading, imported: &Imported, why: &Ending) -> String {
    let part = || format!("{} of {} are shown", Bytes(reading.fed), Bytes(reading.size));
    if let Some(reason) = &why.broken {
        return format!("The file could not be read to its end ({reason}): {}.", part());
    }
    if why.cancelled && !reading.is_whole() {
        return format!("Reading was cancelled: {}.", part());
    }
    if imported.trace.span().is_some() {
        return String::new();
    }
    match imported.report.of(ProblemKind::Empty) {
        Some(problem) => problem.message(),
        None => "The file holds no events that can be shown; what there is instead stands under Problems."
            .to_owned(),
    }
}

fn bare(state: &str, message: &str) -> JsValue {
    object([
        ("state", state.into()),
        ("title", "".into()),
        ("status", message.into()),
        ("message", message.into()),
        ("notice", "".into()),
        ("problemsTitle", "".into()),
        ("problemsButton", "Problems".into()),
        ("problemHeads", list(Vec::<JsValue>::new())),
        ("problems", list(Vec::<JsValue>::new())),
        ("info", JsValue::NULL),
    ])
}

/// The overview that `flameline info` gives.
fn info_of(imported: &Imported) -> Info {
    let problems = imported.report.problems.iter().map(|problem| crate::export::Problem {
        kind: problem.kind.name().to_owned(),
        count: problem.count,
        first_offset: problem.first_offset,
        first_text: problem.first_text.clone(),
        message: problem.message(),
    });
    let reading = crate::export::Reading {
        format: imported.format.name().to_owned(),
        bytes: imported.bytes,
        events: imported.events,
        problems: problems.collect(),
    };
    Info::new(&imported.trace, &reading)
}

/// The same keys and values as `flameline info --json` prints.
fn info_object(info: &Info) -> JsValue {
    let out = js_sys::Object::new();
    set(&out, "format", &info.format.as_str().into());
    for &(key, number) in &info.numbers {
        set(&out, key, &integer(i128::from(number)));
    }
    for (key, time) in [("first_ns", info.span.map(|s| s.0)), ("last_ns", info.span.map(|s| s.1))] {
        set(&out, key, &time.map_or(JsValue::NULL, |time| integer(i128::from(time))));
    }
    let problems = js_sys::Object::new();
    for problem in &info.problems {
        set(&problems, &problem.kind, &integer(i128::from(problem.count)));
    }
    set(&out, "problems", &problems);
    out.into()
}
