//! How two tables differ, in words that can be listed.
//!
//! ```text
//! on threads[2].dur_ns = null          ours, where the third row of theirs has its counterpart
//! on threads[4] is missing             a row of theirs without one
//! on threads[5] stands elsewhere       a row of theirs whose counterpart is not in its order
//! on threads has also tid 7, ts_ns 10  a row of ours without one
//! ```
//!
//! Promises: a difference shows our value and never a text of theirs: a text of ours is shown by its length.

use serde_json::Value;

use super::{Expectation, Ours, Row, Scope, Table};

/// The table that has a thread's slices and its instants: a peer that draws an instant as a slice without length
/// has them in one.
const ON_THREADS: &str = "on threads";
/// Columns that count most where rows are compared that differ.
const WEIGHTY: [&str; 5] = ["name", "ts_ns", "kind", "pid", "tid"];

/// Columns that only a slice has.
const OF_SLICES: [&str; 4] = ["depth", "parent", "self_ns", "is_unfinished"];

/// All differences, in the order of the tables.
pub fn differences(expectation: &Expectation, ours: &Ours) -> Vec<String> {
    expectation.tables.iter().flat_map(|table| of_table(table, &rows_for(table, ours))).collect()
}

/// Our rows that may be the counterparts of a table's.
fn rows_for(table: &Table, ours: &Ours) -> Vec<Row> {
    let of = |name: &str| ours.tables.get(name).cloned().unwrap_or_default();
    let (of_threads, others): (Vec<Row>, Vec<Row>) =
        of("instants").into_iter().partition(|row| row["scope"] == "thread");
    match table.name {
        ON_THREADS => {
            let mut rows = of("slices");
            rows.extend(of_threads);
            rows.sort_by_key(|row| row["ts_ns"].as_i64());
            rows
        }
        "instants of processes" => others,
        name => of(name),
    }
}

fn of_table(table: &Table, ours: &[Row]) -> Vec<String> {
    let mut partner: Vec<Option<usize>> = vec![None; table.rows.len()];
    let mut is_free = vec![true; ours.len()];
    if table.scope == Scope::Ordered {
        for (at, partner) in partner.iter_mut().enumerate().take(ours.len()) {
            (*partner, is_free[at]) = (Some(at), false);
        }
    }
    // first those that are equal, then those that have most in common
    let may_differ = table.scope != Scope::Sequence;
    for only_equal in [true, false].into_iter().filter(|only_equal| *only_equal || may_differ) {
        for (theirs, partner) in table.rows.iter().zip(&mut partner).filter(|pair| pair.1.is_none()) {
            let free = (0..ours.len()).filter(|&at| is_free[at]);
            let found = match only_equal {
                true => free.into_iter().find(|&at| unequal(theirs, &ours[at]).next().is_none()),
                false => free
                    .filter(|&at| 2 * likeness(theirs, &ours[at]) >= likeness(theirs, theirs))
                    .max_by_key(|&at| (likeness(theirs, &ours[at]), std::cmp::Reverse(at))),
            };
            if let Some(at) = found {
                (*partner, is_free[at]) = (Some(at), false);
            }
        }
    }
    let name = table.name;
    let mut found = Vec::new();
    for (nth, (theirs, partner)) in table.rows.iter().zip(&partner).enumerate() {
        match partner {
            None => found.push(format!("{name}[{nth}] is missing")),
            Some(at) => found.extend(
                unequal(theirs, &ours[*at])
                    .map(|(column, value)| format!("{name}[{nth}].{column} = {}", shown(value))),
            ),
        }
    }
    if table.scope == Scope::Sequence {
        let order: Vec<(usize, usize)> =
            partner.iter().enumerate().filter_map(|(nth, partner)| Some((nth, (*partner)?))).collect();
        let breaks = order.windows(2).filter(|pair| pair[0].1 > pair[1].1);
        found.extend(breaks.map(|pair| format!("{name}[{}] stands elsewhere", pair[1].0)));
    } else if table.scope != Scope::Part {
        let surplus = ours.iter().zip(&is_free).filter(|pair| *pair.1);
        found.extend(surplus.map(|(row, _)| format!("{name} has also {}", told_apart(row))));
    }
    found
}

/// The columns that `theirs` names and in which `ours` differs; an instant has no place among slices.
fn unequal<'a>(theirs: &'a Row, ours: &'a Row) -> impl Iterator<Item = (&'a str, &'a Value)> {
    const ABSENT: &Value = &Value::Null;
    let is_instant = ours.get("scope").is_some();
    let compared =
        theirs.iter().filter(move |(column, _)| !is_instant || !OF_SLICES.contains(&column.as_str()));
    let both = compared.map(|(column, value)| (column, value, ours.get(column).unwrap_or(ABSENT)));
    both.filter(|(_, theirs, ours)| !are_equal(theirs, ours)).map(|(column, _, ours)| (column.as_str(), ours))
}

/// How much two rows have in common.
fn likeness(theirs: &Row, ours: &Row) -> u32 {
    let weight = |column: &String| if WEIGHTY.contains(&column.as_str()) { 4 } else { 1 };
    let common = theirs
        .iter()
        .filter(|(column, value)| ours.get(column.as_str()).is_some_and(|ours| are_equal(value, ours)));
    common.map(|(column, _)| weight(column)).sum()
}

/// True when two values say the same: `1` and `1.0` do.
fn are_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || (x.is_f64() || y.is_f64()) && x.as_f64() == y.as_f64()
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(a, b)| are_equal(a, b))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, a)| y.get(key).is_some_and(|b| are_equal(a, b)))
        }
        _ => a == b,
    }
}

fn shown(value: &Value) -> String {
    match value {
        // the places of frames in a stack
        Value::String(text) if text.bytes().all(|byte| b"0123456789.?".contains(&byte)) => {
            format!("{text:?}")
        }
        Value::String(text) => format!("a text of {}", text.len()),
        Value::Object(members) => format!("{} members", members.len()),
        other => other.to_string(),
    }
}

fn told_apart(row: &Row) -> String {
    let columns = ["pid", "tid", "ts_ns", "dur_ns", "value", "count", "stack", "weight_ns"];
    let known = columns.iter().filter_map(|column| Some(format!("{column} {}", shown(row.get(*column)?))));
    known.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(rows: Value) -> Vec<Row> {
        rows.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect()
    }

    fn check(scope: Scope, theirs: Value, ours: Value, expected: &[&str]) {
        let table = Table { name: "slices", rows: rows(theirs), scope };
        assert_eq!(of_table(&table, &rows(ours)), expected);
    }

    #[test]
    fn what_differs_is_said_with_our_value() {
        let theirs =
            json!([{"name": "a", "ts_ns": 1, "dur_ns": 5, "args": {"x": [1]}}, {"name": "b", "ts_ns": 2}]);
        let a =
            |dur: Value| json!({"name": "a", "ts_ns": 1.0, "dur_ns": dur, "args": {"x": [1]}, "depth": 0});
        let b = json!({"name": "b", "ts_ns": 2});
        check(Scope::Whole, theirs.clone(), json!([b, a(json!(5))]), &[]);
        check(Scope::Whole, theirs.clone(), json!([b, a(json!(null))]), &["slices[0].dur_ns = null"]);
        check(Scope::Whole, theirs.clone(), json!([a(json!(5))]), &["slices[1] is missing"]);
        check(Scope::Whole, theirs, json!([b, b, a(json!(5))]), &["slices has also ts_ns 2"]);
        let with_args = json!([{"name": "a", "args": {"x": 1}}]);
        let other_args = json!([{"name": "a", "args": {"x": 1, "y": 2}}]);
        check(Scope::Part, with_args, other_args, &["slices[0].args = 2 members"]);
        check(
            Scope::Part,
            json!([{"name": "a", "hint": "x"}]),
            json!([{"name": "a"}]),
            &["slices[0].hint = null"],
        );
    }

    #[test]
    fn order_matters_where_it_is_asserted() {
        let (theirs, ours) =
            (json!([{"tid": 1}, {"tid": 2}, {"tid": 9}]), json!([{"tid": 2}, {"tid": 3}, {"tid": 1}]));
        let moved = ["slices[2] is missing", "slices[1] stands elsewhere"];
        check(Scope::Sequence, theirs.clone(), ours.clone(), &moved);
        let in_place = ["slices[0].tid = 2", "slices[1].tid = 3", "slices[2].tid = 1"];
        check(Scope::Ordered, theirs, ours, &in_place);
    }
}
