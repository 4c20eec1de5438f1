//! Complaints about other programs: what the reporter or the maintainer says is right.

use serde_json::{Value, json};

use super::{Expectation, Scope, columns, items, row};

/// What the report expects.
pub fn expectation(case: &Value) -> Expectation {
    let expected = &case["expected"];
    let mut expectation = Expectation::default();
    if let Some(slices) = expected["slices"].as_array() {
        let names = ["name", "ts_ns", "dur_ns", "tid", "depth"].map(|name| (name, name));
        let slice = |source: &Value| {
            let mut slice = columns(source, &names);
            if source["did_not_finish"] == true {
                slice.insert("dur_ns".to_owned(), Value::Null);
            }
            slice
        };
        // where something is wrong with the input, only what is right in it is asserted
        let scope = if expected.get("errors").is_some() { Scope::Part } else { Scope::Whole };
        expectation = expectation.and("slices", slices.iter().map(slice).collect(), scope);
    }
    if expected.get("errors").is_some() {
        expectation = expectation.and("has problems", vec![row([("is_true", json!(true))])], Scope::Whole);
    }
    if let Some(threads) = expected["threads"].as_array() {
        let thread = |source: &Value| {
            let mut thread = columns(source, &[("tid", "tid"), ("name", "thread")]);
            // text that is an integer is that integer
            let tid = source["tid"].as_str().and_then(|tid| tid.parse::<i64>().ok());
            if let Some(tid) = tid {
                thread.insert("tid".to_owned(), json!(tid));
            }
            thread
        };
        expectation = expectation.and("threads", threads.iter().map(thread).collect(), Scope::Whole);
    }
    if let Some(processes) = expected["order"].as_array() {
        let process = |source: &Value| row([("process", source[0].clone())]);
        let thread =
            |process: &Value, thread: &Value| row([("process", process.clone()), ("thread", thread.clone())]);
        let threads = processes.iter().flat_map(|it| items(&it[1]).iter().map(|name| thread(&it[0], name)));
        expectation = expectation
            .and("processes", processes.iter().map(process).collect(), Scope::Ordered)
            .and("threads", threads.collect(), Scope::Ordered);
    }
    if let Some(names) = expected["visible"].as_array() {
        let named = names.iter().map(|name| row([("name", name.clone())]));
        expectation = expectation.and("on threads", named.collect(), Scope::Whole);
    }
    expectation
}
