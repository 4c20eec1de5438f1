//! Our reading of a trace as tables of rows.

use std::collections::BTreeMap;
use std::path::Path;

use flameline::analysis::{parent, self_time};
use flameline::import::{Imported, ProblemKind, TsUnit};
use flameline::json;
use flameline::names::NameId;
use flameline::native::{self, ArgsSource, Loaded};
use flameline::trace::{ArgsId, Id, Instants, SliceRef, Trace, Track, TrackId};
use serde_json::{Value, json};

use super::{Row, row};

/// The tables, each in the order in which it is shown.
#[derive(Debug, Default)]
pub struct Ours {
    pub tables: BTreeMap<&'static str, Vec<Row>>,
    /// Phases that are not read, and how often each was met.
    pub unsupported: BTreeMap<String, u64>,
}

impl Ours {
    /// Reads the file at `path`.
    pub fn load(path: &Path) -> Result<Self, String> {
        let loaded = native::load(path, TsUnit::Us).map_err(|error| error.to_string())?;
        let Loaded { imported, mut source } = loaded;
        Ok(Ours::new(&imported, Some(&mut source)))
    }

    /// The tables of `imported`, whose arguments are read from `source` or kept in the trace.
    pub fn new(imported: &Imported, source: Option<&mut ArgsSource>) -> Self {
        let mut walk = Walk { trace: &imported.trace, source, tables: BTreeMap::new() };
        for table in ["slices", "instants", "counters", "threads", "processes"] {
            walk.tables.insert(table, Vec::new());
        }
        walk.slices();
        walk.instants();
        walk.counters();
        walk.threads();
        let problem = |kind: &str, count: u64| row([("kind", json!(kind)), ("count", json!(count))]);
        let problems = imported.report.problems.iter();
        walk.tables.insert("problems", problems.map(|it| problem(it.kind.name(), it.count)).collect());
        let has_problems = !imported.report.problems.is_empty();
        walk.tables.insert("has problems", vec![row([("is_true", json!(has_problems))])]);
        Ours { tables: walk.tables, unsupported: unsupported(imported) }
    }
}

/// The phases that the report names as not read.
fn unsupported(imported: &Imported) -> BTreeMap<String, u64> {
    let mut problems = imported.report.problems.iter();
    let Some(problem) = problems.find(|it| it.kind == ProblemKind::UnsupportedPhase) else {
        return BTreeMap::new();
    };
    let message = problem.message();
    let (_, list) = message.split_once("By phase: ").expect("the message lists the phases");
    let phases = list.trim_end_matches('.').split(", ").filter_map(|entry| entry.split_once(' '));
    phases.map(|(phase, count)| (phase.to_owned(), count.parse().unwrap())).collect()
}

struct Walk<'a> {
    trace: &'a Trace,
    source: Option<&'a mut ArgsSource>,
    tables: BTreeMap<&'static str, Vec<Row>>,
}

impl Walk<'_> {
    fn push(&mut self, table: &'static str, row: Row) {
        self.tables.entry(table).or_default().push(row);
    }

    fn slices(&mut self) {
        let trace = self.trace;
        let mut slices: Vec<SliceRef> = Vec::new();
        for (number, track) in trace.tracks().iter().enumerate() {
            for (lane, rows) in (0..).zip(&track.lanes) {
                for (depth, row) in (0..).zip(&rows.rows) {
                    let track = TrackId::from_index(number);
                    slices.extend((0..row.len() as u32).map(|index| SliceRef { track, lane, depth, index }));
                }
            }
        }
        let at = |slice: SliceRef| (trace.row(slice), slice.index as usize);
        slices.sort_by_key(|&slice| {
            let (row, index) = at(slice);
            let length = row.dur(index).unwrap_or(i64::MAX);
            (row.start(index), std::cmp::Reverse(length), slice.track, slice.lane, slice.depth)
        });
        for &slice in &slices {
            let (cells, index) = at(slice);
            let track = trace.track(slice.track);
            let above = parent(trace, slice).map(|above| slices.iter().position(|&other| other == above));
            let mut slice_row = self.named(cells.name(index), cells.args(index));
            slice_row.extend(self.owner(track));
            slice_row.extend(row([
                ("ts_ns", json!(cells.start(index))),
                ("dur_ns", json!(cells.dur(index))),
                ("lane", json!(slice.lane)),
                ("depth", json!(slice.depth)),
                ("parent", json!(above.flatten())),
                ("summed_ns", json!(cells.summed(index))),
                ("self_ns", json!(self_time(trace, slice))),
                ("is_unfinished", json!(cells.dur(index).is_none())),
            ]));
            self.push("slices", slice_row);
        }
    }

    fn instants(&mut self) {
        let trace = self.trace;
        self.instants_of("global", Row::new(), trace.instants());
        for process in trace.processes() {
            let owner = row([("pid", id(trace, process.pid))]);
            self.instants_of("process", owner, &process.instants);
        }
        for track in trace.tracks() {
            let owner = self.owner(track);
            self.instants_of("thread", owner, &track.instants);
        }
        self.tables.entry("instants").or_default().sort_by_key(|row| row["ts_ns"].as_i64());
    }

    fn instants_of(&mut self, scope: &str, owner: Row, instants: &Instants) {
        for at in 0..instants.len() {
            let mut cells = owner.clone();
            cells.extend(self.named(instants.name(at), instants.args(at)));
            cells.extend(row([
                ("scope", json!(scope)),
                ("ts_ns", json!(instants.time(at))),
                ("dur_ns", json!(0)),
            ]));
            self.push("instants", cells);
        }
    }

    fn counters(&mut self) {
        let trace = self.trace;
        for counter in trace.counters() {
            let group = trace.counter_group(counter);
            let (name, key) = (trace.names().text(group.name), trace.names().text(counter.key));
            let id_text = trace.names().text(group.id);
            let name = if id_text.is_empty() { name.to_owned() } else { format!("{name}[{id_text}]") };
            for at in 0..counter.len() {
                let cells = row([
                    ("pid", id(trace, trace.process(counter.process).pid)),
                    ("counter", json!(name)),
                    ("key", json!(key)),
                    ("name_and_key", json!(format!("{name} {key}"))),
                    ("ts_ns", json!(counter.time(at))),
                    ("value", json!(counter.value(at))),
                ]);
                self.push("counters", cells);
            }
        }
    }

    fn threads(&mut self) {
        let trace = self.trace;
        for process_id in trace.ordered_processes() {
            let process = trace.process(process_id);
            let cells = row([
                ("pid", id(trace, process.pid)),
                ("process", json!(process.name.map(|name| trace.names().text(name)))),
                ("sort_index", json!(process.sort_index)),
            ]);
            self.push("processes", cells);
            for track in trace.ordered_tracks(process_id).into_iter().map(|id| trace.track(id)) {
                let mut cells = self.owner(track);
                cells.insert("sort_index".to_owned(), json!(track.sort_index));
                if track.slices() > 0 || !track.instants.is_empty() || track.name.is_some() {
                    self.push("shown threads", cells.clone());
                }
                self.push("threads", cells);
            }
        }
    }

    fn owner(&self, track: &Track) -> Row {
        let trace = self.trace;
        let process = trace.process(track.process);
        row([
            ("pid", id(trace, process.pid)),
            ("tid", id(trace, track.tid)),
            ("process", json!(process.name.map(|name| trace.names().text(name)))),
            ("thread", json!(track.name.map(|name| trace.names().text(name)))),
        ])
    }

    fn named(&mut self, name: NameId, args: Option<ArgsId>) -> Row {
        let names = self.trace.names();
        let hint = names.text(names.entry(name).hint);
        row([
            ("name", json!(names.shown(name))),
            ("cat", json!(names.category(name))),
            ("hint", json!(hint)),
            ("args", self.args(args)),
        ])
    }

    fn args(&mut self, id: Option<ArgsId>) -> Value {
        let Some(id) = id else { return json!({}) };
        let args = self.trace.args();
        let members = match &mut self.source {
            Some(source) => source.args_of(args, id).expect("the file is still there"),
            None => {
                let texts: Vec<Vec<u8>> = args.parts(id).filter_map(|span| args.kept_text(span)).collect();
                json::merged_members(&texts.iter().map(Vec::as_slice).collect::<Vec<_>>())
            }
        };
        let strict =
            |text: String| serde_json::from_str::<Value>(&text).expect("arguments come as strict JSON");
        members.into_iter().map(|(key, value)| (key, strict(value))).collect()
    }
}

fn id(trace: &Trace, id: Id) -> Value {
    match id {
        Id::Number(number) => serde_json::Number::from_i128(number).map_or(Value::Null, Value::Number),
        Id::Text(text) => json!(trace.names().text(text)),
    }
}
