//! Memory by function, for people and programs: who ran while a process of Comet allocated, and whether what no
//! pool accounts for keeps growing.
//!
//! Promises: the keys never change; all numbers are whole bytes and add up as `docs/attribution.md` says.
//! Does not do: traces of others than Comet, which have no allocator by a name that is known.

use std::fmt::Write as _;

use crate::analysis::{
    Attribution, Follow, Growth, Series, Shape, attribute, by_suspicion, follow, growth, level,
};
use crate::json;
use crate::trace::{ProcessId, Trace};
use crate::units::{Bytes, Ns, grouped};

/// Functions that the text shows; JSON has all.
const SHOWN: usize = 20;

/// What `flameline memory` tells of one process.
struct Memory {
    process: ProcessId,
    allocated: Attribution,
    excess: Option<Excess>,
}

/// What no pool accounts for.
struct Excess {
    shares: Attribution,
    growth: Option<Growth>,
    /// The functions whose calls it follows, the best first.
    follows: Vec<Follow>,
}

/// One JSON object on one line: what memory did in each process that has an allocator.
pub fn memory_json(trace: &Trace, file: Option<&str>) -> String {
    let mut out = String::from("{");
    if let Some(file) = file {
        out.push_str("\"file\":");
        json::push_string(&mut out, file);
        out.push(',');
    }
    out.push_str("\"processes\":[");
    for (at, memory) in memories(trace).iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        let process = trace.process(memory.process);
        let _ = write!(out, "{{\"session\":{},\"pid\":", process.session);
        json::push_string(&mut out, &trace.id_text(process.pid));
        push_totals(&mut out, "allocated", &memory.allocated);
        if let Some(excess) = &memory.excess {
            push_totals(&mut out, "excess", &excess.shares);
            push_growth(&mut out, trace, excess.growth.as_ref());
        }
        out.push_str(",\"functions\":[");
        for (nth, at) in memory.order().into_iter().enumerate() {
            let function = memory.allocated.functions[at];
            out.push_str(if nth > 0 { ",{\"function\":" } else { "{\"function\":" });
            json::push_string(&mut out, trace.names().text(function.name));
            let _ = write!(out, ",\"calls\":{},\"net\":{}", function.calls, function.net);
            let _ = write!(out, ",\"largest\":{},\"own\":{}", function.largest, function.own);
            let _ = memory.excess_of(at).map(|own| write!(out, ",\"own_excess\":{own}"));
            if let Some(Follow { fit, bytes_per_call, .. }) = memory.follow_of(at) {
                let _ = write!(out, ",\"fit\":{fit:.3},\"bytes_per_call\":{bytes_per_call:.0}");
            }
            out.push('}');
        }
        out.push_str("]}");
    }
    out.push_str("]}");
    out
}

/// Lines for people, each ended.
pub fn memory_text(trace: &Trace, file: Option<&str>) -> String {
    let mut out = file.map_or_else(String::new, |file| [file, "\n"].concat());
    let memories = memories(trace);
    if memories.is_empty() {
        out.push_str("no counter of an allocator that is known\n");
    }
    let bytes = |value: i64| Bytes(value as f64).to_string();
    for (nth, memory) in memories.iter().enumerate() {
        let process = trace.process(memory.process);
        let gap = if nth > 0 { "\n" } else { "" };
        let pid = trace.id_text(process.pid);
        let _ = writeln!(out, "{gap}process {pid}, session {}", process.session + 1);
        if let Some(excess) = &memory.excess {
            let _ = writeln!(out, "growth of the excess: {}", growth_text(trace, excess.growth.as_ref()));
        }
        let mut line = |cells: [&str; 8], name: &str| {
            for (text, width) in cells.iter().zip([9, 11, 11, 11, 11, 6, 6, 10]) {
                let _ = write!(out, "{text:>width$} ");
            }
            let _ = writeln!(out, " {name}");
        };
        line(["calls", "net", "largest", "own", "excess", "", "fit", "a call"], "function");
        let excess_total = memory.excess.as_ref().map(|excess| excess.shares.total);
        let share = |own: Option<i64>| match (own, excess_total) {
            (Some(own), Some(total)) if total > 0 => {
                // a zero has no sign
                format!("{} %", (own as f64 / total as f64 * 100.0).round() + 0.0)
            }
            _ => String::new(),
        };
        let order = memory.order();
        for &at in order.iter().take(SHOWN) {
            let function = memory.allocated.functions[at];
            let [net, largest, own] = [function.net, function.largest, function.own].map(bytes);
            let excess = memory.excess_of(at);
            let cells = [grouped(function.calls.into()), net, largest, own];
            let [calls, net, largest, own] = &cells;
            let (text, share) = (excess.map_or_else(String::new, bytes), share(excess));
            let (fit, per_call) = match memory.follow_of(at) {
                Some(follow) => (format!("{:.2}", follow.fit), bytes(follow.bytes_per_call.round() as i64)),
                None => Default::default(),
            };
            let cells = [calls, net, largest, own, &text, &share, &fit, &per_call];
            line(cells.map(String::as_str), trace.names().text(function.name));
        }
        let of_excess =
            |value: fn(&Attribution) -> i64| memory.excess.as_ref().map(|excess| value(&excess.shares));
        let nobody = of_excess(|excess| excess.nothing_running);
        let (text, part) = (nobody.map_or_else(String::new, bytes), share(nobody));
        let own = bytes(memory.allocated.nothing_running);
        line(["", "", "", &own, &text, &part, "", ""], "(nothing was running)");
        let text = excess_total.map_or_else(String::new, bytes);
        let rest = order.len().saturating_sub(SHOWN);
        let name =
            if rest > 0 { format!("in all, {rest} more functions included") } else { "in all".to_owned() };
        line(["", "", "", &bytes(memory.allocated.total), &text, "", "", ""], &name);
    }
    out
}

fn memories(trace: &Trace) -> Vec<Memory> {
    let memory = |process| {
        let allocated = attribute(trace, process, &Series::allocated(trace, process)?);
        let excess = Series::excess(trace, process).map(|series| Excess {
            shares: attribute(trace, process, &level(&series)),
            growth: growth(trace, process, &series),
            follows: follow(trace, process, &series),
        });
        Some(Memory { process, allocated, excess })
    };
    trace.ordered_processes().into_iter().filter_map(memory).collect()
}

impl Memory {
    /// Both tables have met the same functions in the same order.
    fn excess_of(&self, at: usize) -> Option<i64> {
        self.excess.as_ref().map(|excess| excess.shares.functions[at].own)
    }

    fn follow_of(&self, at: usize) -> Option<&Follow> {
        let name = self.allocated.functions[at].name;
        self.excess.as_ref()?.follows.iter().find(|follow| follow.name == name)
    }

    fn order(&self) -> Vec<usize> {
        let (excess, follows) = match &self.excess {
            Some(excess) => (Some(&excess.shares), &excess.follows[..]),
            None => (None, &[][..]),
        };
        by_suspicion(&self.allocated, excess, follows)
    }
}

fn push_totals(out: &mut String, key: &str, shares: &Attribution) {
    let Attribution { total, nothing_running, .. } = shares;
    let _ = write!(out, ",\"{key}\":{{\"total\":{total},\"nothing_running\":{nothing_running}}}");
}

fn push_growth(out: &mut String, trace: &Trace, growth: Option<&Growth>) {
    let Some(growth) = growth else {
        out.push_str(",\"growth\":null");
        return;
    };
    let Growth { from, to, bytes, .. } = growth;
    let speed = growth.bytes_per_minute().map_or_else(|| "null".to_owned(), |speed| format!("{speed:.0}"));
    let shape = match growth.shape {
        Shape::Steady(_) => "steady",
        Shape::Steps => "steps",
        Shape::Jump => "jump",
    };
    let _ = write!(out, ",\"growth\":{{\"from_ns\":{from},\"to_ns\":{to},\"bytes\":{bytes}");
    let _ = write!(out, ",\"shape\":\"{shape}\",\"bytes_per_minute\":{speed}");
    if let Some((name, share)) = growth.top() {
        out.push_str(",\"top\":");
        json::push_string(out, trace.names().text(name));
        let _ = write!(out, ",\"top_share\":{share:.3}");
    }
    if let Some(Follow { name, fit, bytes_per_call }) = growth.follows {
        out.push_str(",\"follows\":");
        json::push_string(out, trace.names().text(name));
        let _ = write!(out, ",\"fit\":{fit:.3},\"bytes_per_call\":{bytes_per_call:.0}");
    }
    out.push('}');
}

fn growth_text(trace: &Trace, growth: Option<&Growth>) -> String {
    let Some(growth) = growth else { return "none that stands out".to_owned() };
    let first = trace.span().map_or(0, |span| span.0);
    let [from, to] = [growth.from, growth.to].map(|time| Ns(time.saturating_sub(first)));
    let mut text = format!("{} from {from} to {to}", Bytes(growth.bytes as f64));
    match growth.shape {
        Shape::Steady(speed) => _ = write!(text, ", {} a minute", Bytes(speed.round())),
        Shape::Steps => text.push_str(", in steps"),
        Shape::Jump => text.push_str(", a jump"),
    }
    let name_of = |name| trace.names().text(name);
    if let Some(Follow { name, fit, bytes_per_call }) = growth.follows {
        let per_call = Bytes(bytes_per_call.round());
        let _ = write!(text, ", follows the calls of {} (fit {fit:.2}, {per_call} a call)", name_of(name));
    } else if let Some((name, share)) = growth.top() {
        let _ = write!(text, ", {:.0} % of it while {} ran", share * 100.0, name_of(name));
    }
    text
}
