//! Arguments as a tree that opens bit by bit.
//!
//! ```text
//! {"rows":8192,"plan":{"name":"Scan","files":["a","b"]}}      rows   8192
//!                                                             plan   { 2 members }      ◀ opens
//! ```
//!
//! Promises: any depth without recursion, and any number of entries: no more are given than the reader has asked
//! for, a hundred of each list at first. Values stand as the file has them, a number to its last digit.
//! Does not do: reading the file; lenient JSON has been made strict before it comes here.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;

use super::titles::counted;
use crate::json::{decode_string, push_string};
use crate::units::grouped;

/// Entries of a list that are shown at first. A thousand would push everything else out of the panel.
const FIRST: usize = 100;
/// Entries that a list shows by the next steps.
const STEP: usize = 1_000;
/// Trees of at most so many values are shown open: a panel or two.
const SMALL: usize = 60;
/// Longer strings are cut, at so many characters.
const LONG: usize = 400;
const CUT: usize = 300;

/// The arguments of a selection, and which of them are open.
#[derive(Clone, Debug, Default)]
pub struct ArgsTree {
    text: String,
    nodes: Vec<Node>,
    /// Containers that are open, and strings that are shown whole.
    open: HashSet<u32>,
    /// How many entries a container shows, where that is not the first hundred.
    shown: HashMap<u32, usize>,
}

/// A line of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgRow {
    /// What to toggle when the reader wants it open, closed or longer.
    pub id: u32,
    /// How deep it stands.
    pub level: u32,
    /// Its key, or its place in an array.
    pub key: String,
    /// Its value.
    pub text: String,
    /// What the value is: "string", "number", "word", "object", "array" or "more".
    pub kind: &'static str,
    /// Whether it is open; none for what can't be.
    pub open: Option<bool>,
    /// What the button at its end says; empty where there is none.
    pub more: String,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    /// The key with its quotes; none in an array.
    key: Option<Range<usize>>,
    /// Its place in its container.
    place: usize,
    value: Range<usize>,
    /// Entries of a container.
    count: usize,
    /// The first node that is no longer inside.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    String,
    Number,
    Word,
}

impl ArgsTree {
    /// The tree of these members: key and strict JSON value.
    pub fn new(members: &[(String, String)]) -> Self {
        let mut text = String::from("{");
        for (at, (key, value)) in members.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            push_string(&mut text, key);
            text.push(':');
            text.push_str(value);
        }
        text.push('}');
        let nodes = nodes_of(text.as_bytes());
        let open = if nodes.len() <= SMALL { 0..nodes.len() as u32 } else { 0..1 };
        let is_container = |&at: &u32| nodes[at as usize].kind.is_container();
        ArgsTree { open: open.filter(is_container).collect(), text, nodes, shown: HashMap::new() }
    }

    /// True when there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// All arguments as one JSON object.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Opens or closes what a row's id stands for, or shows more of it.
    pub fn toggle(&mut self, id: u32) {
        let node = id / 2;
        if id % 2 == 1 {
            let shown = self.shown.entry(node).or_insert(FIRST);
            *shown = *shown / STEP * STEP + STEP;
        } else if !self.open.remove(&node) {
            self.open.insert(node);
        }
    }

    /// What is to be seen. O(rows given).
    pub fn rows(&self) -> Vec<ArgRow> {
        let mut rows = Vec::new();
        let Some(root) = self.nodes.first() else { return rows };
        // the containers around `at`: which, where it ends, how many of its entries were given
        let mut around: Vec<(usize, usize, usize)> = vec![(0, root.end, 0)];
        let mut at = 1;
        while let Some(&(container, end, given)) = around.last() {
            let level = around.len() as u32 - 1; // a level for each bracket of a text
            let shown = self.shown.get(&(container as u32)).copied().unwrap_or(FIRST);
            if at >= end {
                around.pop();
                continue;
            }
            if given == shown {
                rows.push(more_row(container, self.nodes[container].count - given, level));
                at = end;
                continue;
            }
            around.last_mut().into_iter().for_each(|inner| inner.2 += 1);
            rows.push(self.row(at, level));
            let node = &self.nodes[at];
            if node.kind.is_container() && self.is_open(at) {
                around.push((at, node.end, 0));
                at += 1;
            } else {
                at = node.end;
            }
        }
        rows
    }

    fn row(&self, at: usize, level: u32) -> ArgRow {
        let node = &self.nodes[at];
        let key = match &node.key {
            Some(key) => self.string(key),
            None => node.place.to_string(),
        };
        let key = if key.is_empty() { "\"\"".to_owned() } else { key };
        let (mut more, mut open) = (String::new(), None);
        let text = match node.kind {
            Kind::Object if node.count == 0 => "{ }".to_owned(),
            Kind::Array if node.count == 0 => "[ ]".to_owned(),
            Kind::Object => format!("{{ {} }}", counted(node.count as u64, "member")),
            Kind::Array => format!("[ {} ]", counted(node.count as u64, "item")),
            Kind::Number | Kind::Word => self.text[node.value.clone()].to_owned(),
            Kind::String => {
                let text = self.string(&node.value);
                let length = text.chars().count();
                if length <= LONG {
                    format!("\"{text}\"")
                } else if self.is_open(at) {
                    more = "Show less".to_owned();
                    format!("\"{text}\"")
                } else {
                    more = format!("Show all {} characters", grouped(length as i128));
                    format!("\"{}…", text.chars().take(CUT).collect::<String>())
                }
            }
        };
        if node.kind.is_container() && node.count > 0 {
            open = Some(self.is_open(at));
        }
        ArgRow { id: 2 * at as u32, level, key, text, kind: node.kind.name(), open, more }
    }

    fn is_open(&self, at: usize) -> bool {
        self.open.contains(&(at as u32)) // a text in the browser's memory has fewer than 2^31 values
    }

    fn string(&self, quoted: &Range<usize>) -> String {
        let inner = self.text.as_bytes().get(quoted.start + 1..quoted.end - 1).unwrap_or_default();
        decode_string(inner).0.into_owned()
    }
}

impl Kind {
    fn of(byte: u8) -> Kind {
        match byte {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b'-' | b'0'..=b'9' => Kind::Number,
            _ => Kind::Word,
        }
    }

    fn is_container(self) -> bool {
        matches!(self, Kind::Object | Kind::Array)
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Object => "object",
            Kind::Array => "array",
            Kind::String => "string",
            Kind::Number => "number",
            Kind::Word => "word",
        }
    }
}

fn more_row(container: usize, left: usize, level: u32) -> ArgRow {
    let more = format!("{} more", grouped(left as i128));
    let (key, text) = (String::new(), String::new());
    ArgRow { id: 2 * container as u32 + 1, level, key, text, kind: "more", open: None, more }
}

/// The values of a strict JSON text, each container followed by what is inside.
fn nodes_of(text: &[u8]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut key = None;
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if byte == b'}' || byte == b']' {
            at += 1;
            if let Some(closed) = open.pop() {
                (nodes[closed].value.end, nodes[closed].end) = (at, nodes.len());
            }
            continue;
        }
        if byte == b',' || byte == b':' || byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let kind = Kind::of(byte);
        let value = at..value_end(text, at, kind);
        at = value.end;
        let around = open.last().copied();
        if around.is_some_and(|around| nodes[around].kind == Kind::Object) && key.is_none() {
            key = Some(value);
            continue;
        }
        let place = around.map_or(0, |around| nodes[around].count);
        if let Some(around) = around {
            nodes[around].count += 1;
        }
        if kind.is_container() {
            open.push(nodes.len());
        }
        nodes.push(Node { kind, key: key.take(), place, value, count: 0, end: nodes.len() + 1 });
    }
    nodes
}

/// Where the value at `at` ends; a container's first byte.
fn value_end(text: &[u8], at: usize, kind: Kind) -> usize {
    match kind {
        Kind::Object | Kind::Array => at + 1,
        Kind::String => {
            let mut end = at + 1;
            while end < text.len() && text[end] != b'"' {
                end += if text[end] == b'\\' { 2 } else { 1 };
            }
            (end + 1).min(text.len())
        }
        Kind::Number | Kind::Word => {
            let length = text[at..].iter().take_while(|byte| !b",:{}[]\" \n\r\t".contains(byte)).count();
            at + length.max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::merged_members;

    fn tree(json: &str) -> ArgsTree {
        ArgsTree::new(&merged_members(&[json.as_bytes()]))
    }

    fn lines(tree: &ArgsTree) -> Vec<String> {
        let line = |row: ArgRow| {
            let state = row.open.map_or("", |open| if open { "▾" } else { "▸" });
            let parts =
                [state.to_owned(), row.key, row.text, row.more].into_iter().filter(|part| !part.is_empty());
            format!("{}{}", "  ".repeat(row.level as usize), parts.collect::<Vec<_>>().join(" "))
        };
        tree.rows().into_iter().map(line).collect()
    }

    #[test]
    fn a_small_tree_is_open_and_closes() {
        let mut tree = tree(
            r#"{"rows":18446744073709551615,"plan":{"name":"a\n\"b\"","files":[1,true,null],"none":{}},"x":[]}"#,
        );
        let open = [
            "rows 18446744073709551615",
            "▾ plan { 3 members }",
            "  name \"a\n\"b\"\"",
            "  ▾ files [ 3 items ]",
            "    0 1",
            "    1 true",
            "    2 null",
            "  none { }",
            "x [ ]",
        ];
        assert_eq!(lines(&tree), open);
        let kinds: Vec<_> = tree.rows().iter().map(|row| row.kind).collect();
        assert_eq!(
            kinds,
            ["number", "object", "string", "array", "number", "word", "word", "object", "array"]
        );
        let plan = tree.rows()[1].id;
        tree.toggle(plan);
        assert_eq!(lines(&tree), [open[0], "▸ plan { 3 members }", open[8]]);
        tree.toggle(plan);
        assert_eq!(lines(&tree), open);
        assert!(tree.text().starts_with("{\"rows\":18446744073709551615,\"plan\":{"));
    }

    #[test]
    fn long_lists_open_in_steps() {
        let json = format!("{{\"ids\":[{}],\"after\":1}}", vec!["7"; 2_500].join(","));
        let mut tree = tree(&json);
        assert_eq!(lines(&tree), ["▸ ids [ 2,500 items ]", "after 1"]);
        tree.toggle(tree.rows()[0].id);
        for (rows, more) in [(100, "2,400 more"), (1_000, "1,500 more"), (2_000, "500 more")] {
            let shown = tree.rows();
            assert_eq!(shown.len(), rows + 3);
            assert_eq!((shown[rows + 1].more.as_str(), shown[rows + 1].level), (more, 1));
            assert_eq!(shown[rows + 2].key, "after");
            tree.toggle(shown[rows + 1].id);
        }
        assert_eq!(tree.rows().len(), 2_502);
    }

    #[test]
    fn long_strings_are_cut_until_the_reader_wants_all() {
        let mut tree = tree(&format!("{{\"sql\":\"{}\"}}", "é".repeat(1_000)));
        assert_eq!(tree.rows()[0].more, "Show all 1,000 characters");
        assert_eq!(tree.rows()[0].text.chars().count(), 302);
        tree.toggle(tree.rows()[0].id);
        assert_eq!((tree.rows()[0].more.as_str(), tree.rows()[0].text.chars().count()), ("Show less", 1_002));
    }

    #[test]
    fn any_depth_opens_without_a_stack() {
        let depth = 100_000;
        let mut tree = tree(&[r#"{"a":"#.repeat(depth), "1".to_owned(), "}".repeat(depth)].concat());
        assert_eq!(lines(&tree), ["▸ a { 1 member }"]);
        (0..depth as u32).for_each(|node| tree.toggle(2 * (node + 1)));
        assert_eq!(tree.rows().len(), depth);
        assert_eq!(tree.rows().last().map(|row| row.level as usize), Some(depth - 1));
    }

    #[test]
    fn what_is_no_object_or_not_there_is_shown_as_such() {
        assert!(tree("{}").is_empty());
        assert!(ArgsTree::default().is_empty());
        assert_eq!(ArgsTree::default().rows(), []);
        assert_eq!(lines(&tree("[1,2]")), ["▾ args [ 2 items ]", "  0 1", "  1 2"]);
        assert_eq!(lines(&tree(r#"{"":"x","b":"#)), ["\"\" \"x\"", "b null"]);
    }
}
