//! Perfetto's tests: rows of its tables, the reading of single values, and lanes.

use serde_json::{Map, Value, json};

use super::{Expectation, Row, Scope, columns, items, row};

/// Their columns and ours.
const SLICE: &[(&str, &str)] = &[
    ("name", "name"),
    ("ts_ns", "ts_ns"),
    ("dur_ns", "dur_ns"),
    ("depth", "depth"),
    ("parent", "parent"),
    ("pid", "pid"),
    ("tid", "tid"),
    ("process_name", "process"),
    ("thread_name", "thread"),
    ("args", "args"),
];

/// What the test expects; `text` gives the case's input, which may be only a piece of JSON.
pub fn expectation(case: &Value, text: impl Fn() -> String) -> Expectation {
    let expected = &case["expected"];
    match case["level"].as_str() {
        Some("json-value") => return json_value(expected, &text()),
        Some("tokenizer-fragment") => return fragment(expected, &text()),
        _ => {}
    }
    let rows = items(&expected["rows"]);
    match expected["kind"].as_str().unwrap_or_default() {
        "counters" => {
            let names = [("name", "name_and_key"), ("ts_ns", "ts_ns"), ("value", "value")];
            let samples = rows.iter().map(|row| columns(row, &names));
            Expectation::of("counters", samples.collect(), Scope::Whole)
        }
        "ordering rows" => {
            let of = |kind: &str, id: &str| {
                let rows = rows.iter().filter(|row| row["type"] == kind);
                rows.map(|row| columns(row, &[("id", id), ("hint", "sort_index")])).collect()
            };
            let threads = of("thread", "tid");
            let processes = Expectation::of("processes", of("process", "pid"), Scope::Sequence);
            processes.and("threads", threads, Scope::Sequence)
        }
        "process names" => {
            let rows = rows.iter().map(|row| columns(row, &[("pid", "pid"), ("name", "process")]));
            Expectation::of("processes", rows.collect(), Scope::Whole)
        }
        "overflow lanes" => lanes(expected),
        "slice with flow counts (aggregate, one row)" => {
            Expectation::of("slices", rows.iter().map(slice).collect(), Scope::Part)
        }
        "slices"
        | "slices in id order"
        | "slices with depth"
        | "slices with thread time"
        | "thread/process slices" => {
            Expectation::of("on threads", rows.iter().map(slice).collect(), Scope::Whole)
        }
        _ => Expectation::default(),
    }
}

fn slice(source: &Value) -> Row {
    let mut slice = columns(source, SLICE);
    if slice.get("dur_ns") == Some(&json!(-1)) {
        slice.insert("dur_ns".to_owned(), Value::Null);
    }
    // a row joined with its arguments has none when the key is null
    if source.get("flat_key") == Some(&Value::Null) {
        slice.insert("args".to_owned(), json!({}));
    }
    slice
}

fn lanes(expected: &Value) -> Expectation {
    let lane = |name: &Value, lane: &Value| row([("name", name.clone()), ("lane", lane.clone())]);
    let same = items(&expected["same_lane"]).iter().map(|name| lane(name, &json!(0)));
    let each = expected["lanes"].as_object().into_iter().flatten();
    let each = each.map(|(name, number)| lane(&json!(name), number));
    Expectation::of("slices", same.chain(each).collect(), Scope::Whole)
}

/// A value as the parser reads it: here, as an argument of an event.
fn json_value(expected: &Value, text: &str) -> Expectation {
    let text = text.trim().trim_end_matches(',');
    let input = Some(format!(r#"[{{"ph":"i","ts":0,"args":{{"value":{text}}}}}]"#));
    if expected["error"] == true {
        let problem = row([("kind", json!("bad_event")), ("count", json!(1))]);
        return Expectation { input, ..Expectation::of("problems", vec![problem], Scope::Part) };
    }
    let pair = |pair: &Value| (pair[0].as_str().unwrap_or_default().to_owned(), pair[1].clone());
    let value = if let Some(fields) = expected["fields"].as_array() {
        fields.iter().map(pair).collect::<Map<_, _>>().into()
    } else if let Some(fields) = expected["recursive"].as_array() {
        // each object holds the next field
        let nested =
            fields.iter().rev().map(pair).reduce(|inner, (key, _)| (key, json!({ inner.0: inner.1 })));
        nested.map_or(json!({}), |(key, value)| json!({ key: value }))
    } else {
        expected["value"].clone()
    };
    let instant = row([("args", json!({ "value": value }))]);
    Expectation { input, ..Expectation::of("instants", vec![instant], Scope::Whole) }
}

/// A key of the outer object whose value is skipped: what stands behind it is read.
fn fragment(expected: &Value, text: &str) -> Expectation {
    if expected["result"] != "key" {
        return Expectation::default();
    }
    let event = r#""traceEvents":[{"ph":"X","name":"behind","pid":1,"tid":1,"ts":1,"dur":2}]"#;
    let slice = row([("name", json!("behind")), ("ts_ns", json!(1000)), ("dur_ns", json!(2000))]);
    let input = Some(format!("{{{text}{event}}}"));
    Expectation { input, ..Expectation::of("slices", vec![slice], Scope::Whole) }
}
