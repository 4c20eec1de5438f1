//! Speedscope's snapshots: a profile for each thread, as the stacks that follow one another and how long each is.
//!
//! Ours are made from slices: at each moment the stack is what is open then, lane after lane, outermost first.
//! A stack is shown by the places of its frames in the snapshot's list: `0.2` is the third frame inside the first.

use serde_json::{Value, json};

use super::{Expectation, Ours, Row, Scope, items, row};

/// What the snapshot shows.
pub fn expectation(case: &Value) -> Expectation {
    let (mut profiles, mut order, mut stacks) = (Vec::new(), Vec::new(), Vec::new());
    for profile in items(&case["profiles"]) {
        let title = profile["title"].as_str().unwrap_or_default();
        profiles.push(row([("profile", json!(title))]));
        order.push(row(["pid", "tid"].map(|id| (id, json!(number_after(title, id))))));
        // samples of stacks are another table
        let is_sampled = case["origin"]["data"].as_str().is_some_and(|data| data.contains("samples"));
        for stack in items(&profile["stacks"]).iter().filter(|_| !is_sampled) {
            let frames = items(&stack["stack"]).iter().filter(|name| **name != "");
            let places =
                frames.map(|name| items(&profile["frames"]).iter().position(|frame| frame["name"] == *name));
            stacks.push(row([
                ("profile", profile["title"].clone()),
                ("stack", json!(joined(places))),
                ("weight_ns", stack["weight_ns"].clone()),
            ]));
        }
    }
    let expectation = Expectation::of("profiles", profiles, Scope::Whole);
    let expectation = expectation.and("order of threads", order, Scope::Ordered);
    if stacks.is_empty() { expectation } else { expectation.and("stacks", stacks, Scope::Ordered) }
}

/// The number behind a word of a title.
fn number_after(title: &str, word: &str) -> Option<u64> {
    let (_, rest) = title.split_once(&format!("{word} "))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Adds our profiles and stacks, the stacks in terms of the frames of `case`.
pub fn add_profiles(ours: &mut Ours, case: &Value) {
    let (mut profiles, mut order, mut stacks) = (Vec::new(), Vec::new(), Vec::new());
    let of_case = |title: &str| items(&case["profiles"]).iter().position(|it| it["title"] == title);
    for thread in &ours.tables["shown threads"] {
        let title = title(thread);
        let frames = of_case(&title).map_or(&[][..], |at| items(&case["profiles"][at]["frames"]));
        order.push(row(["pid", "tid"].map(|id| (id, thread[id].clone()))));
        profiles.push(row([("profile", json!(title))]));
        let is_of_thread = |slice: &&Row| slice["pid"] == thread["pid"] && slice["tid"] == thread["tid"];
        let slices: Vec<&Row> = ours.tables["slices"].iter().filter(is_of_thread).collect();
        for (stack, weight) in stacks_of(&slices, frames) {
            let stack =
                row([("profile", json!(title)), ("stack", json!(stack)), ("weight_ns", json!(weight))]);
            stacks.push(stack);
        }
    }
    // the order of the profiles is a table of its own
    stacks.sort_by_key(|stack| of_case(stack["profile"].as_str().unwrap_or_default()));
    ours.tables.insert("profiles", profiles);
    ours.tables.insert("order of threads", order);
    ours.tables.insert("stacks", stacks);
}

fn title(thread: &Row) -> String {
    let (pid, tid) = (&thread["pid"], &thread["tid"]);
    match (thread["process"].as_str(), thread["thread"].as_str()) {
        (Some(process), Some(name)) => format!("{process} (pid {pid}), {name} (tid {tid})"),
        (None, Some(name)) => format!("{name} (pid {pid}, tid {tid})"),
        (Some(process), None) => format!("{process} (pid {pid}, tid {tid})"),
        (None, None) => format!("pid {pid}, tid {tid}"),
    }
}

/// What is open between each two times at which something begins or ends; equal neighbours are one.
fn stacks_of(slices: &[&Row], frames: &[Value]) -> Vec<(String, i64)> {
    let start = |slice: &Row| slice["ts_ns"].as_i64().unwrap();
    let end = |slice: &Row| start(slice) + slice["summed_ns"].as_i64().unwrap();
    let mut times: Vec<i64> = slices.iter().flat_map(|slice| [start(slice), end(slice)]).collect();
    times.sort_unstable();
    times.dedup();
    let mut stacks: Vec<(String, i64)> = Vec::new();
    for pair in times.windows(2) {
        let is_open = |slice: &&&Row| start(slice) <= pair[0] && end(slice) >= pair[1];
        let mut open: Vec<&&Row> = slices.iter().filter(is_open).collect();
        open.sort_by_key(|slice| (slice["lane"].as_u64(), slice["depth"].as_u64()));
        let stack = joined(open.iter().map(|slice| frames.iter().position(|frame| is_frame(slice, frame))));
        match stacks.last_mut().filter(|last| last.0 == stack) {
            Some(last) => last.1 += pair[1] - pair[0],
            None => stacks.push((stack, pair[1] - pair[0])),
        }
    }
    stacks
}

/// True when the snapshot's frame stands for slices like this one: by name and arguments, or by place in a source.
fn is_frame(slice: &Row, frame: &Value) -> bool {
    let (name, args) = (slice["name"].as_str().unwrap(), &slice["args"]);
    if args.get("allocatedName").is_some() {
        let is_same = |key: &str, column: &str| args.get(key) == frame.get(column);
        return frame["name"] == name
            && is_same("url", "file")
            && is_same("line", "line")
            && is_same("column", "col");
    }
    let has_args = args.as_object().is_some_and(|members| !members.is_empty());
    frame["name"] == if has_args { format!("{name} {args}") } else { name.to_owned() }
}

fn joined(places: impl Iterator<Item = Option<usize>>) -> String {
    let places = places.map(|place| place.map_or("?".to_owned(), |place| place.to_string()));
    places.collect::<Vec<_>>().join(".")
}
