//! Sentences and numbers about what is pointed at or selected: their form, and those of instants and counters.
//!
//! Promises: every text that the page shows about a thing of the trace or a time is made here and in the files
//! beside (`details_of_slice`, `details_of_thread`); the page only places it. Times are relative to the start of
//! the trace unless a label says otherwise.
//! Does not do: reading arguments; who can read the input has them (see `args_tree`).

use serde::Serialize;

use super::display_list::MarkOwner;
use super::item::{Item, instants_of};
use super::quantity::Quantity;
use super::titles::{Title, counted, process_title, track_title};
use crate::names::NameId;
use crate::trace::{CounterId, ProcessId, Trace, TrackId};
use crate::units::Ns;

/// What stands beside the pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tip {
    /// The name.
    pub title: String,
    /// What is to be said about it, a line each.
    pub lines: Vec<String>,
}

/// What stands in the panel of the selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The name.
    pub title: String,
    /// What needs saying before the facts, such as that a slice has no end; empty if nothing does.
    pub notice: String,
    /// What is known about it.
    pub facts: Vec<Fact>,
    /// What it is made of or stands in, as links.
    pub lists: Vec<Listing>,
    /// The selection in one sentence, for those who hear it.
    pub spoken: String,
}

/// A table of things that can be gone to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What they are.
    pub title: String,
    /// A head for each column.
    pub heads: Vec<&'static str>,
    /// A line for each of them.
    pub rows: Vec<Line>,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where its first cell leads, if anywhere.
    pub item: Option<Item>,
    /// A text for each column.
    pub cells: Vec<String>,
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// How much or which.
    pub value: String,
}

impl Fact {
    /// A fact.
    pub fn new(label: &str, value: impl Into<String>) -> Self {
        Fact { label: label.to_owned(), value: value.into() }
    }
}

impl Tip {
    /// A title alone.
    pub fn of_title(title: Title) -> Self {
        let lines = if title.note.is_empty() { Vec::new() } else { vec![title.note] };
        Tip { title: title.text, lines }
    }
}

/// About the instant under the pointer, the first of `count` in its bin.
pub fn instant_tip(trace: &Trace, owner: MarkOwner, index: u32, count: u32) -> Tip {
    let instants = instants_of(trace, owner);
    let at = index as usize;
    let mut lines = vec![since_start(trace, instants.time(at))];
    if count > 1 {
        lines.insert(0, format!("{}, first shown", counted(count.into(), "instant")));
    }
    Tip { title: trace.names().shown(instants.name(at)).to_owned(), lines }
}

/// All about an instant.
pub fn instant_details(trace: &Trace, owner: MarkOwner, index: u32) -> Details {
    let instants = instants_of(trace, owner);
    let (name, time) = (instants.name(index as usize), instants.time(index as usize));
    let mut facts: Vec<Fact> = times(trace, time).into();
    facts.extend(named(trace, name));
    match owner {
        MarkOwner::Trace => facts.push(Fact::new("Of", "the whole trace")),
        MarkOwner::Process(id) => {
            let id = ProcessId::from_index(id as usize);
            facts.push(Fact::new("Process", titled(process_title(trace, id))));
        }
        MarkOwner::Track(id) => facts.extend(place(trace, TrackId::from_index(id as usize))),
    }
    let title = trace.names().shown(name).to_owned();
    let spoken = format!("{title}, instant at {}", since_start(trace, time));
    Details { title, facts, spoken, ..Details::default() }
}

/// About a counter at `time`. O(log n).
pub fn counter_tip(trace: &Trace, id: CounterId, time: i64) -> Tip {
    let counter = &trace.counters()[id.index()];
    let title = trace.counter_label(counter);
    let value = counter
        .value_at(time)
        .map_or("no value yet".to_owned(), |value| Quantity::of(trace, counter).text(value));
    Tip { lines: vec![value, since_start(trace, time)], title }
}

/// All about a counter at `time`. O(samples / 64).
pub fn counter_details(trace: &Trace, id: CounterId, time: i64) -> Details {
    let counter = &trace.counters()[id.index()];
    let title = trace.counter_label(counter);
    let quantity = Quantity::of(trace, counter);
    let mut facts = Vec::new();
    facts.extend(counter.value_at(time).map(|value| Fact::new("Value here", quantity.exact(value))));
    facts.push(Fact::new("Time", since_start(trace, time)));
    if let Some(all) = counter.extremes(0..counter.len()) {
        facts.push(Fact::new("Smallest", quantity.exact(all.min)));
        facts.push(Fact::new("Largest", quantity.exact(all.max)));
        facts.push(Fact::new("Last", quantity.exact(counter.value(counter.len() - 1))));
    }
    facts.push(Fact::new("Samples", crate::units::grouped(counter.len() as i128)));
    facts.push(Fact::new("Process", titled(process_title(trace, counter.process))));
    let value = counter.value_at(time).map_or("no value yet".to_owned(), |value| quantity.text(value));
    let spoken = format!("{title}, {value} at {}", since_start(trace, time));
    Details { title, facts, spoken, ..Details::default() }
}

/// A time as the crosshair says it: from the start of the trace.
pub fn since_start(trace: &Trace, time: i64) -> String {
    let zero = trace.span().map_or(0, |span| span.0);
    Ns(time.saturating_sub(zero)).to_string()
}

/// A stretch of time that the reader has marked: "1.25 ms from 3 ms to 4.25 ms".
pub fn range_text(trace: &Trace, from: i64, to: i64) -> String {
    let length = Ns(to.saturating_sub(from));
    format!("{length} from {} to {}", since_start(trace, from), since_start(trace, to))
}

pub(super) fn named(trace: &Trace, name: NameId) -> Vec<Fact> {
    let category = trace.names().category(name);
    if category.is_empty() { Vec::new() } else { vec![Fact::new("Category", category)] }
}

pub(super) fn times(trace: &Trace, time: i64) -> [Fact; 2] {
    let zero = trace.span().map_or(0, |span| span.0);
    [Fact::new("Start", both(time.saturating_sub(zero))), Fact::new("In the file", Ns(time).exact())]
}

pub(super) fn place(trace: &Trace, id: TrackId) -> [Fact; 2] {
    [
        Fact::new("Thread", titled(track_title(trace, id))),
        Fact::new("Process", short_process(trace, trace.track(id).process)),
    ]
}

/// The process with its id and without its labels, which may fill a page.
pub(super) fn short_process(trace: &Trace, id: ProcessId) -> String {
    let title = process_title(trace, id);
    let note = title.note.split(" · ").next().unwrap_or_default().to_owned();
    titled(Title { note, ..title })
}

/// Rounded and to the nanosecond: "1.25 ms (1,250,400 ns)".
pub(super) fn both(ns: i64) -> String {
    let (short, exact) = (Ns(ns).to_string(), Ns(ns).exact());
    if short == exact { short } else { format!("{short} ({exact})") }
}

pub(super) fn titled(title: Title) -> String {
    if title.note.is_empty() { title.text } else { format!("{} ({})", title.text, title.note) }
}

#[cfg(test)]
mod tests {
    use super::super::sample::small_trace;
    use super::*;

    fn lines(facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|fact| format!("{}: {}", fact.label, fact.value)).collect()
    }

    #[test]
    fn counters_and_instants_are_described_where_the_pointer_is() {
        let trace = small_trace();
        let counter = trace.processes()[0].counters[0];
        assert_eq!(counter_tip(&trace, counter, 500).lines, ["no value yet", "-500 ns"]);
        assert_eq!(counter_tip(&trace, counter, 5_000).lines, ["238.4 MB", "4 µs"]);
        let tip = instant_tip(&trace, MarkOwner::Track(1), 0, 1);
        assert_eq!((tip.title.as_str(), tip.lines[0].as_str()), ("spill", "1.2 µs"));
        let facts = instant_details(&trace, MarkOwner::Process(0), 0).facts;
        assert_eq!(lines(&facts)[2], "Process: process 1");
        assert_eq!(range_text(&trace, 1_500, 3_500), "2 µs from 500 ns to 2.5 µs");
    }
}
