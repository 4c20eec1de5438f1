//! Sentences and numbers about a thread, a process and its counters: what is in them, and what took longest.
//!
//! Promises: the longest slices of a thread, each a link, at a cost that does not grow with the slices.
//! Does not do: adding up slices by name.

use std::cmp::Reverse;

use crate::analysis::{longest, whole_track};
use crate::trace::{ProcessId, Trace, Track, TrackId};
use crate::units::{Ns, grouped};

use super::details::{Details, Fact, Line, Listing, Tip, both, short_process, since_start};
use super::details_of_slice::{dur_text, name, percent};
use super::item::Item;
use super::quantity::Quantity;
use super::titles::{counted, process_title, spoken_track, track_title};

/// Slices, threads and counters that are listed.
const LISTED: usize = 10;
/// Counters that are listed: each is one line on the timeline too.
const COUNTERS: usize = 50;

/// About the thread whose title the pointer is on. O(depth).
pub fn track_tip(trace: &Trace, id: TrackId) -> Tip {
    let track = trace.track(id);
    let title = track_title(trace, id);
    let mut lines: Vec<String> = Some(title.note).into_iter().filter(|note| !note.is_empty()).collect();
    lines.push(format!("{} · busy {}", counted(track.slices(), "slice"), Ns(busy(track))));
    lines.push("Click for its longest slices".to_owned());
    Tip { title: title.text, lines }
}

/// All about a thread. O(rows · (64 + log n)).
pub fn track_details(trace: &Trace, id: TrackId) -> Details {
    let track = trace.track(id);
    let mut facts = vec![Fact::new("Slices", grouped(i128::from(track.slices())))];
    let busy = busy(track);
    if let Some((first, last)) = track.span {
        let span = last.saturating_sub(first);
        let of = if span > 0 { format!(" · {} of its time", percent(busy, span)) } else { String::new() };
        facts.push(Fact::new("Busy", format!("{}{of}", both(busy))));
        facts.push(Fact::new("First start", since_start(trace, first)));
        facts.push(Fact::new("Last end", since_start(trace, last)));
        facts.push(Fact::new("In between", both(span)));
    }
    if !track.instants.is_empty() {
        facts.push(Fact::new("Instants", grouped(track.instants.len() as i128)));
    }
    let depth = track.lanes.iter().map(|lane| lane.rows.len()).max().unwrap_or(0);
    facts.push(Fact::new("Deepest stack", counted(depth as u64, "slice")));
    if track.lanes.len() > 1 {
        let more = grouped(track.lanes.len() as i128 - 1);
        facts.push(Fact::new(
            "Lanes beside the main one",
            format!("{more}, of slices that overlap others; not in Busy"),
        ));
    }
    facts.push(Fact::new("Thread id", trace.id_text(track.tid)));
    facts.push(Fact::new("Process", short_process(trace, track.process)));
    let spoken =
        format!("{}, {}, busy {}", spoken_track(trace, id), counted(track.slices(), "slice"), Ns(busy));
    let lists = Vec::from_iter(longest_slices(trace, id));
    Details { title: track_title(trace, id).text, facts, lists, spoken, ..Details::default() }
}

/// All about a process. O(threads · rows).
pub fn process_details(trace: &Trace, id: ProcessId) -> Details {
    let process = trace.process(id);
    let tracks = trace.ordered_tracks(id);
    let slices: u64 = tracks.iter().map(|&track| trace.track(track).slices()).sum();
    let title = process_title(trace, id);
    let mut facts = vec![
        Fact::new("Threads", grouped(tracks.len() as i128)),
        Fact::new("Slices", grouped(i128::from(slices))),
    ];
    if !process.counters.is_empty() {
        facts.push(Fact::new("Counters", grouped(process.counters.len() as i128)));
    }
    if !process.instants.is_empty() {
        facts.push(Fact::new("Instants", grouped(process.instants.len() as i128)));
    }
    if let Some((first, last)) = Item::Process(id).span(trace) {
        facts.push(Fact::new("First start", since_start(trace, first)));
        facts.push(Fact::new("Last end", since_start(trace, last)));
    }
    facts.push(Fact::new("Process id", trace.id_text(process.pid)));
    facts.extend(process.labels.map(|labels| Fact::new("Labels", trace.names().text(labels))));
    let spoken = format!(
        "process {}, {}",
        title.text.trim_start_matches("process "),
        counted(tracks.len() as u64, "thread")
    );
    let lists = Vec::from_iter(busiest_threads(trace, &tracks));
    Details { title: title.text, facts, lists, spoken, ..Details::default() }
}

/// All about the counters of a process: what each counts and its last value.
pub fn counters_details(trace: &Trace, id: ProcessId) -> Details {
    let counters = trace.ordered_counters(id);
    let title = counted(counters.len() as u64, "counter");
    let line = |id: &crate::trace::CounterId| {
        let counter = &trace.counters()[id.index()];
        let quantity = Quantity::of(trace, counter);
        let largest = counter.extremes(0..counter.len()).map_or(String::new(), |all| quantity.text(all.max));
        let last =
            counter.len().checked_sub(1).map(|at| (counter.time(at), quantity.text(counter.value(at))));
        let (time, last) = last.unwrap_or_default();
        Line {
            item: Some(Item::Counter(*id, time)),
            cells: vec![trace.counter_label(counter), largest, last],
        }
    };
    let list = Listing {
        title: if counters.len() > COUNTERS {
            format!("The first {COUNTERS}")
        } else {
            "All of them".to_owned()
        },
        heads: vec!["Counter", "Largest", "Last"],
        rows: counters.iter().take(COUNTERS).map(line).collect(),
    };
    let process = short_process(trace, id);
    let spoken = format!("{title} of {process}");
    Details {
        title,
        facts: vec![Fact::new("Process", process)],
        lists: vec![list],
        spoken,
        ..Details::default()
    }
}

/// Time that the outermost slices of the main lane cover.
fn busy(track: &Track) -> i64 {
    let outermost = track.lanes.first().and_then(|lane| lane.rows.first());
    outermost.map_or(0, |row| row.covered(0..row.len()))
}

fn longest_slices(trace: &Trace, id: TrackId) -> Option<Listing> {
    let found = longest(trace, id, whole_track(trace, id), LISTED);
    let line = |slice: &crate::trace::SliceRef| {
        let start = since_start(trace, trace.row(*slice).start(slice.index as usize));
        let cells =
            vec![name(trace, *slice).to_owned(), dur_text(trace, *slice), start, slice.depth.to_string()];
        Line { item: Some(Item::Slice(*slice, 1)), cells }
    };
    (!found.is_empty()).then(|| Listing {
        title: if found.len() == 1 {
            "Its slice".to_owned()
        } else {
            format!("Its {} longest slices", found.len())
        },
        heads: vec!["Slice", "Duration", "Start", "Depth"],
        rows: found.iter().map(line).collect(),
    })
}

fn busiest_threads(trace: &Trace, tracks: &[TrackId]) -> Option<Listing> {
    let mut busiest: Vec<(i64, TrackId)> = tracks.iter().map(|&id| (busy(trace.track(id)), id)).collect();
    busiest.sort_by_key(|&(busy, _)| Reverse(busy)); // stable: equally busy ones as they stand on screen
    let line = |&(busy, id): &(i64, TrackId)| {
        let longest = longest(trace, id, whole_track(trace, id), 1);
        let longest = longest
            .first()
            .map_or(String::new(), |&slice| format!("{}, {}", name(trace, slice), dur_text(trace, slice)));
        let cells = vec![
            track_title(trace, id).text,
            Ns(busy).to_string(),
            grouped(i128::from(trace.track(id).slices())),
            longest,
        ];
        Line { item: Some(Item::Track(id)), cells }
    };
    (!busiest.is_empty()).then(|| Listing {
        title: if busiest.len() > LISTED {
            format!("Its {LISTED} busiest threads")
        } else {
            "Its threads, the busiest first".to_owned()
        },
        heads: vec!["Thread", "Busy", "Slices", "Longest slice"],
        rows: busiest.iter().take(LISTED).map(line).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::small_trace;
    use super::*;
    use crate::trace::SliceRef;

    fn table(list: &Listing) -> Vec<String> {
        list.rows.iter().map(|line| line.cells.join(" | ")).collect()
    }

    fn value<'a>(details: &'a Details, label: &str) -> &'a str {
        details.facts.iter().find(|fact| fact.label == label).map_or("", |fact| &fact.value)
    }

    #[test]
    fn a_thread_names_its_longest_slices_and_how_busy_it_was() {
        let trace = small_trace();
        let id = TrackId::from_index(0);
        let details = track_details(&trace, id);
        assert_eq!(details.title, "Executor task launch worker");
        assert_eq!(value(&details, "Slices"), "6");
        assert_eq!(value(&details, "Busy"), "9 µs (9,000 ns) · 100 % of its time");
        assert_eq!(value(&details, "Deepest stack"), "3 slices");
        let list = &details.lists[0];
        assert_eq!(list.title, "Its 6 longest slices");
        assert_eq!(
            table(list)[..3],
            [
                "executePlan(Filter,Scan) | 9 µs | 0 ns | 0",
                "shuffle_write | 5 µs | 3 µs | 1",
                "decodeShuffleBlock | 2 µs | 500 ns | 1"
            ]
        );
        let first = SliceRef { track: id, lane: 0, depth: 0, index: 0 };
        assert_eq!(list.rows[0].item, Some(Item::Slice(first, 1)));
        assert_eq!(details.spoken, "thread Executor task launch worker, 6 slices, busy 9 µs");
        assert_eq!(
            track_tip(&trace, id).lines,
            ["tid 1", "6 slices · busy 9 µs", "Click for its longest slices"]
        );
    }

    #[test]
    fn a_process_names_its_busiest_threads_first() {
        let trace = small_trace();
        let details = process_details(&trace, trace.ordered_processes()[0]);
        assert_eq!((value(&details, "Threads"), value(&details, "Slices")), ("2", "8"));
        let table = table(&details.lists[0]);
        assert_eq!(table[0], "Executor task launch worker | 9 µs | 6 | executePlan(Filter,Scan), 9 µs");
        assert!(table[1].starts_with("thread 2 | "), "{}", table[1]);
        assert_eq!(details.spoken, "process 1, 2 threads");
    }

    #[test]
    fn counters_are_listed_with_their_largest_and_last_value() {
        let trace = small_trace();
        let details = counters_details(&trace, trace.ordered_processes()[0]);
        assert_eq!(details.title, "1 counter");
        assert_eq!(table(&details.lists[0]), ["jemalloc_allocated | 286.1 MB | 47.7 MB"]);
    }
}
