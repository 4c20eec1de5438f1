//! Sentences and numbers about a slice: how long it took, what called it, what it called.
//!
//! Promises: a slice's stack is told from the root inwards, as the chart draws it from the top; a stack of any
//! depth and a slice with any number of children cost the same few lines.
//! Does not do: reading arguments; who can read the input has them.

use crate::analysis::{children, longest, parent, self_time};
use crate::trace::{SliceRef, Trace};
use crate::units::{Ns, grouped};

use super::details::{Details, Fact, Line, Listing, Tip, both, named, place, since_start, times};
use super::item::Item;
use super::titles::{counted, spoken_track};

/// Callers that are listed; of a deeper stack those next to the slice.
const CALLERS: usize = 100;
/// Children that are listed, the longest.
const CHILDREN: usize = 10;

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
    Tip { title: name(trace, slice).to_owned(), lines }
}

/// All about a slice. O((depth + children shown) · log n).
pub fn slice_details(trace: &Trace, slice: SliceRef) -> Details {
    let (row, at) = (trace.row(slice), slice.index as usize);
    let start = row.start(at);
    let above = parent(trace, slice);
    let mut facts = vec![Fact::new("Duration", dur_both(trace, slice))];
    let share = above.and_then(|above| share(trace, slice, above).map(|share| (share, above)));
    if let Some((share, above)) = &share {
        facts.push(Fact::new("Of its parent", format!("{share} of {}", name(trace, *above))));
    }
    facts.push(Fact::new("Self time", self_text(trace, slice)));
    facts.extend(times(trace, start));
    if let Some(dur) = row.dur(at) {
        facts.push(Fact::new("End", since_start(trace, start.saturating_add(dur))));
    }
    facts.extend(named(trace, row.name(at)));
    facts.extend(place(trace, slice.track));
    facts.push(Fact::new("Depth", slice.depth.to_string()));
    if slice.lane > 0 {
        facts.push(Fact::new("Lane", format!("{} (it overlaps others of its thread)", slice.lane)));
    }
    let notice = match row.dur(at) {
        Some(_) => String::new(),
        None => "This slice has no end in the file: it is drawn to where its end must lie at the latest."
            .to_owned(),
    };
    let spoken_share =
        share.map_or(String::new(), |(share, above)| format!(", {share} of {}", name(trace, above)));
    let spoken = format!(
        "{}, {}{spoken_share}, depth {}, {}",
        name(trace, slice),
        dur_text(trace, slice),
        slice.depth,
        spoken_track(trace, slice.track)
    );
    let lists = [stack(trace, slice), inside(trace, slice)].into_iter().flatten().collect();
    Details { title: name(trace, slice).to_owned(), notice, facts, lists, spoken }
}

/// The name of a slice.
pub(super) fn name(trace: &Trace, slice: SliceRef) -> &str {
    trace.names().shown(trace.row(slice).name(slice.index as usize))
}

/// "1.25 ms", "unfinished, at least 1.25 ms".
pub(super) fn dur_text(trace: &Trace, slice: SliceRef) -> String {
    let (row, at) = (trace.row(slice), slice.index as usize);
    match row.dur(at) {
        Some(dur) => Ns(dur).to_string(),
        None => format!("unfinished, at least {}", Ns(row.summed(at))),
    }
}

/// `part` of `whole` as "37.2 %".
pub(super) fn percent(part: i64, whole: i64) -> String {
    let share = part as f64 / whole as f64 * 100.0; // a ratio of what is shown with three digits
    match share {
        share if share > 0.0 && share < 0.1 => "under 0.1 %".to_owned(),
        share => format!("{} %", format!("{share:.1}").trim_end_matches(".0")),
    }
}

fn dur_both(trace: &Trace, slice: SliceRef) -> String {
    let (row, at) = (trace.row(slice), slice.index as usize);
    match row.dur(at) {
        Some(dur) => both(dur),
        None => format!("unfinished, at least {}", both(row.summed(at))),
    }
}

fn self_text(trace: &Trace, slice: SliceRef) -> String {
    let (own, all) = (self_time(trace, slice), summed(trace, slice));
    if all > 0 { format!("{} · {}", both(own), percent(own, all)) } else { both(own) }
}

/// How much of `outer` was spent in `slice`; none of an outer one that took no time.
fn share(trace: &Trace, slice: SliceRef, outer: SliceRef) -> Option<String> {
    let (part, whole) = (summed(trace, slice), summed(trace, outer));
    (whole > 0).then(|| percent(part, whole))
}

fn summed(trace: &Trace, slice: SliceRef) -> i64 {
    trace.row(slice).summed(slice.index as usize)
}

/// What encloses the slice from the root inwards, and the slice itself as the last.
fn stack(trace: &Trace, slice: SliceRef) -> Option<Listing> {
    let callers = std::iter::successors(parent(trace, slice), |&slice| parent(trace, slice));
    let mut chain: Vec<SliceRef> = callers.take(CALLERS).collect();
    let left_out = slice.depth as usize - chain.len();
    chain.reverse();
    if chain.is_empty() {
        return None;
    }
    let line = |outer: SliceRef| {
        let share = share(trace, slice, outer).unwrap_or_default();
        let cells = vec![name(trace, outer).to_owned(), dur_text(trace, outer), share];
        Line { item: Some(Item::Slice(outer, 1)), cells }
    };
    let itself = Line {
        item: None,
        cells: vec![name(trace, slice).to_owned(), dur_text(trace, slice), "100 %".into()],
    };
    let title = match left_out {
        0 => "Stack, from the root".to_owned(),
        _ => format!("Stack, without the {} outermost", grouped(left_out as i128)),
    };
    let rows = chain.into_iter().map(line).chain([itself]).collect();
    Some(Listing { title, heads: vec!["Slice", "Duration", "This slice's share"], rows })
}

/// The longest of what the slice encloses directly.
fn inside(trace: &Trace, slice: SliceRef) -> Option<Listing> {
    let range = children(trace, slice);
    let count = range.len();
    if count == 0 {
        return None;
    }
    let stretch = std::iter::once((slice.lane, slice.depth + 1, range));
    let line = |child: SliceRef| {
        let share = share(trace, child, slice).unwrap_or_default();
        Line {
            item: Some(Item::Slice(child, 1)),
            cells: vec![name(trace, child).to_owned(), dur_text(trace, child), share],
        }
    };
    let title = match count {
        1 => "1 child".to_owned(),
        2..=CHILDREN => format!("{count} children, longest first"),
        _ => format!("{CHILDREN} longest of {} children", grouped(count as i128)),
    };
    let rows = longest(trace, slice.track, stretch, CHILDREN).into_iter().map(line).collect();
    Some(Listing { title, heads: vec!["Slice", "Duration", "Share of this one"], rows })
}

#[cfg(test)]
mod tests {
    use super::super::sample::{slice as add, small_trace};
    use super::*;
    use crate::trace::{TraceBuilder, TrackId};

    fn at(track: usize, depth: u32, index: u32) -> SliceRef {
        SliceRef { track: TrackId::from_index(track), lane: 0, depth, index }
    }

    fn lines(facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|fact| format!("{}: {}", fact.label, fact.value)).collect()
    }

    fn table(list: &Listing) -> Vec<String> {
        list.rows.iter().map(|line| line.cells.join(" | ")).collect()
    }

    #[test]
    fn a_slice_is_described_to_the_nanosecond() {
        let trace = small_trace();
        let details = slice_details(&trace, at(0, 1, 1));
        assert_eq!(details.title, "shuffle_write");
        assert_eq!(
            lines(&details.facts),
            [
                "Duration: 5 µs (5,000 ns)",
                "Of its parent: 55.6 % of executePlan(Filter,Scan)",
                "Self time: 5 µs (4,996 ns) · 99.9 %",
                "Start: 3 µs (3,000 ns)",
                "In the file: 4,000 ns",
                "End: 8 µs",
                "Thread: Executor task launch worker (tid 1)",
                "Process: process 1",
                "Depth: 1",
            ]
        );
    }

    #[test]
    fn the_stack_leads_from_the_root_to_the_slice_and_each_caller_is_a_link() {
        let trace = small_trace();
        let details = slice_details(&trace, at(0, 2, 1));
        let stack = &details.lists[0];
        assert_eq!(stack.title, "Stack, from the root");
        assert_eq!(
            table(stack),
            [
                "executePlan(Filter,Scan) | 9 µs | under 0.1 %",
                "shuffle_write | 5 µs | under 0.1 %",
                "tiny | 2 ns | 100 %"
            ]
        );
        let links: Vec<_> = stack.rows.iter().map(|line| line.item).collect();
        assert_eq!(links, [Some(Item::Slice(at(0, 0, 0), 1)), Some(Item::Slice(at(0, 1, 1), 1)), None]);
        assert_eq!(details.lists.len(), 1, "it encloses nothing");
    }

    #[test]
    fn children_are_counted_and_the_longest_named() {
        let trace = small_trace();
        let lists = slice_details(&trace, at(0, 0, 0)).lists;
        assert_eq!(lists.len(), 1, "an outermost slice has no stack");
        assert_eq!(lists[0].title, "2 children, longest first");
        assert_eq!(table(&lists[0]), ["shuffle_write | 5 µs | 55.6 %", "decodeShuffleBlock | 2 µs | 22.2 %"]);
    }

    #[test]
    fn a_stack_of_any_depth_is_a_list_of_its_inner_part() {
        let mut builder = TraceBuilder::default();
        (0..5_000).for_each(|n| add(&mut builder, 1, n, Some(20_000 - 2 * n), "recursion"));
        let trace = builder.finish().0;
        let details = slice_details(&trace, at(0, 4_999, 0));
        assert_eq!(details.lists[0].rows.len(), CALLERS + 1);
        assert_eq!(details.lists[0].title, "Stack, without the 4,899 outermost");
    }

    #[test]
    fn what_is_selected_is_told_in_a_sentence() {
        let trace = small_trace();
        assert_eq!(
            slice_details(&trace, at(0, 1, 1)).spoken,
            "shuffle_write, 5 µs, 55.6 % of executePlan(Filter,Scan), depth 1, thread Executor task launch worker"
        );
        assert_eq!(slice_details(&trace, at(1, 0, 0)).spoken, "createPlan, 500 ns, depth 0, thread 2");
    }

    #[test]
    fn an_unfinished_slice_says_so() {
        let trace = small_trace();
        let details = slice_details(&trace, at(1, 0, 1));
        assert!(details.notice.contains("no end"), "{}", details.notice);
        assert!(lines(&details.facts)[0].starts_with("Duration: unfinished, at least "));
        assert!(slice_tip(&trace, at(1, 0, 1), 1).lines[0].starts_with("unfinished"));
    }

    #[test]
    fn a_merged_rectangle_says_how_many_it_stands_for() {
        let trace = small_trace();
        let tip = slice_tip(&trace, at(0, 2, 1), 1_234);
        assert_eq!(tip.title, "tiny");
        assert_eq!(tip.lines, ["1,234 slices, longest shown", "2 ns · self 2 ns"]);
    }
}
