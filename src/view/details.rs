//! Sentences and numbers about what is pointed at or selected.
//!
//! Promises: every text that the page shows about a slice, an instant, a counter or a time is made here; the page
//! only places it. Times are relative to the start of the trace unless a label says otherwise.
//! Does not do: reading arguments; who can read the input passes their texts.

use serde::Serialize;

use super::display_list::MarkOwner;
use super::quantity::Quantity;
use super::titles::{Title, counted, process_title, track_title};
use crate::analysis::{parent, self_time};
use crate::names::NameId;
use crate::trace::{CounterId, Instants, SliceRef, Trace, TrackId};
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Details {
    /// The name.
    pub title: String,
    /// What needs saying before the facts, such as that a slice has no end; empty if nothing does.
    pub notice: String,
    /// What is known about it.
    pub facts: Vec<Fact>,
    /// Its arguments.
    pub args: Vec<Fact>,
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

/// About the slice under the pointer, which may stand for `count` slices. O(log n).
pub fn slice_tip(trace: &Trace, slice: SliceRef, count: u32) -> Tip {
    let (row, at) = (trace.row(slice), slice.index as usize);
    let mut lines = Vec::new();
    if count > 1 {
        lines.push(format!("{}, longest shown", counted(count.into(), "slice")));
    }
    lines.push(match row.dur(at) {
        Some(dur) => format!("{} · self {}", Ns(dur), Ns(self_time(trace, slice))),
        None => format!("unfinished, at least {}", Ns(row.summed(at))),
    });
    let category = trace.names().category(row.name(at));
    if !category.is_empty() {
        lines.push(category.to_owned());
    }
    Tip { title: trace.names().shown(row.name(at)).to_owned(), lines }
}

/// All about a slice; `args` are its arguments as texts. O(depth · log n).
pub fn slice_details(trace: &Trace, slice: SliceRef, args: Vec<Fact>) -> Details {
    let (row, at) = (trace.row(slice), slice.index as usize);
    let (name, start) = (row.name(at), row.start(at));
    let mut facts = named(trace, name);
    facts.extend(times(trace, start));
    let mut notice = String::new();
    match row.dur(at) {
        Some(dur) => {
            facts.push(Fact::new("Duration", both(dur)));
            facts.push(Fact::new("End", since_start(trace, start.saturating_add(dur))));
        }
        None => {
            notice =
                "This slice has no end in the file: it is drawn to where its end must lie at the latest."
                    .to_owned();
            facts.push(Fact::new("Duration", format!("unfinished, at least {}", both(row.summed(at)))));
        }
    }
    facts.push(Fact::new("Self time", both(self_time(trace, slice))));
    facts.extend(place(trace, slice.track));
    facts.push(Fact::new("Depth", slice.depth.to_string()));
    if slice.lane > 0 {
        facts.push(Fact::new("Lane", format!("{} (it overlaps others of its thread)", slice.lane)));
    }
    let callers = callers(trace, slice);
    if !callers.is_empty() {
        facts.push(Fact::new("Inside", callers));
    }
    Details { title: trace.names().shown(name).to_owned(), notice, facts, args }
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

/// All about an instant; `args` are its arguments as texts.
pub fn instant_details(trace: &Trace, owner: MarkOwner, index: u32, args: Vec<Fact>) -> Details {
    let instants = instants_of(trace, owner);
    let (name, time) = (instants.name(index as usize), instants.time(index as usize));
    let mut facts = named(trace, name);
    facts.extend(times(trace, time));
    match owner {
        MarkOwner::Trace => facts.push(Fact::new("Of", "the whole trace")),
        MarkOwner::Process(id) => {
            let id = trace.ordered_processes().into_iter().find(|process| process.index() == id as usize);
            facts.extend(id.map(|id| Fact::new("Process", titled(process_title(trace, id)))));
        }
        MarkOwner::Track(id) => facts.extend(place(trace, TrackId::from_index(id as usize))),
    }
    Details { title: trace.names().shown(name).to_owned(), notice: String::new(), facts, args }
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
    Details { title, notice: String::new(), facts, args: Vec::new() }
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

fn named(trace: &Trace, name: NameId) -> Vec<Fact> {
    let category = trace.names().category(name);
    if category.is_empty() { Vec::new() } else { vec![Fact::new("Category", category)] }
}

fn times(trace: &Trace, time: i64) -> [Fact; 2] {
    let zero = trace.span().map_or(0, |span| span.0);
    [Fact::new("Start", both(time.saturating_sub(zero))), Fact::new("In the file", Ns(time).exact())]
}

fn place(trace: &Trace, id: TrackId) -> [Fact; 2] {
    let process = trace.track(id).process;
    [
        Fact::new("Thread", titled(track_title(trace, id))),
        Fact::new("Process", titled(process_title(trace, process))),
    ]
}

/// Rounded and to the nanosecond: "1.25 ms (1,250,400 ns)".
fn both(ns: i64) -> String {
    let (short, exact) = (Ns(ns).to_string(), Ns(ns).exact());
    if short == exact { short } else { format!("{short} ({exact})") }
}

fn titled(title: Title) -> String {
    if title.note.is_empty() { title.text } else { format!("{} ({})", title.text, title.note) }
}

/// What encloses the slice, innermost first, at most so many that a line holds them.
fn callers(trace: &Trace, slice: SliceRef) -> String {
    const SHOWN: usize = 4;
    let chain: Vec<_> =
        std::iter::successors(parent(trace, slice), |&slice| parent(trace, slice)).take(SHOWN + 1).collect();
    let names =
        chain.iter().take(SHOWN).map(|&at| trace.names().shown(trace.row(at).name(at.index as usize)));
    let mut text = names.collect::<Vec<_>>().join(" ‹ ");
    if chain.len() > SHOWN {
        text.push_str(" ‹ …");
    }
    text
}

fn instants_of(trace: &Trace, owner: MarkOwner) -> &Instants {
    match owner {
        MarkOwner::Trace => trace.instants(),
        MarkOwner::Process(id) => &trace.processes()[id as usize].instants,
        MarkOwner::Track(id) => &trace.tracks()[id as usize].instants,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::small_trace;
    use super::*;

    fn at(track: usize, depth: u32, index: u32) -> SliceRef {
        SliceRef { track: TrackId::from_index(track), lane: 0, depth, index }
    }

    fn lines(facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|fact| format!("{}: {}", fact.label, fact.value)).collect()
    }

    #[test]
    fn a_slice_is_described_to_the_nanosecond() {
        let trace = small_trace();
        let details = slice_details(&trace, at(0, 1, 1), vec![Fact::new("rows", "8192")]);
        assert_eq!(details.title, "shuffle_write");
        assert_eq!(details.args, [Fact::new("rows", "8192")]);
        assert_eq!(
            lines(&details.facts),
            [
                "Start: 3 µs (3,000 ns)",
                "In the file: 4,000 ns",
                "Duration: 5 µs (5,000 ns)",
                "End: 8 µs",
                "Self time: 5 µs (4,996 ns)",
                "Thread: Executor task launch worker (tid 1)",
                "Process: process 1",
                "Depth: 1",
                "Inside: executePlan(Filter,Scan)",
            ]
        );
    }

    #[test]
    fn an_unfinished_slice_says_so() {
        let trace = small_trace();
        let details = slice_details(&trace, at(1, 0, 1), Vec::new());
        assert!(details.notice.contains("no end"), "{}", details.notice);
        assert!(lines(&details.facts)[2].starts_with("Duration: unfinished, at least "));
        assert!(slice_tip(&trace, at(1, 0, 1), 1).lines[0].starts_with("unfinished"));
    }

    #[test]
    fn a_merged_rectangle_says_how_many_it_stands_for() {
        let trace = small_trace();
        let tip = slice_tip(&trace, at(0, 2, 1), 1_234);
        assert_eq!(tip.title, "tiny");
        assert_eq!(tip.lines, ["1,234 slices, longest shown", "2 ns · self 2 ns"]);
    }

    #[test]
    fn counters_and_instants_are_described_where_the_pointer_is() {
        let trace = small_trace();
        let counter = trace.processes()[0].counters[0];
        assert_eq!(counter_tip(&trace, counter, 500).lines, ["no value yet", "-500 ns"]);
        assert_eq!(counter_tip(&trace, counter, 5_000).lines, ["238.4 MB", "4 µs"]);
        let tip = instant_tip(&trace, MarkOwner::Track(1), 0, 1);
        assert_eq!((tip.title.as_str(), tip.lines[0].as_str()), ("spill", "1.2 µs"));
        let facts = instant_details(&trace, MarkOwner::Process(0), 0, Vec::new()).facts;
        assert_eq!(lines(&facts)[2], "Process: process 1");
        assert_eq!(range_text(&trace, 1_500, 3_500), "2 µs from 500 ns to 2.5 µs");
    }
}
