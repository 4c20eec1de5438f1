//! Items and questions: what the screen points at and asks for, as plain objects that cross to the engine.
//!
//! Promises: what a screen of this build wrote reads back as it was.
//! Does not do: finding what is under the pointer (see `view::hit`), texts (see `view::Item`).

use wasm_bindgen::JsValue;

use crate::trace::{CounterId, ProcessId, SliceRef, TrackId};
use crate::view::{DisplayList, Fold, Item, Layout, MarkOwner, StripKind, What};

use super::convert::{get, index, number, object, text, time};

/// What a screen asks for.
pub struct Question {
    /// First time on screen.
    pub start: i64,
    /// Time on screen in ns.
    pub span: f64,
    /// Width of the plot.
    pub width: f64,
    /// First pixel of content on screen.
    pub top: i32,
    /// Pixels of content on screen.
    pub height: i32,
    /// Show all there is in place of `start` and `span`.
    pub fit: bool,
    /// Show this in place of them.
    pub fit_item: Option<Item>,
    /// What is selected.
    pub selected: Option<Item>,
    /// What is to be folded or opened.
    pub fold: Option<FoldAt>,
    /// The pools of threads are shown as layers.
    pub stacked: bool,
}

/// What a reader folds: the strip's kind and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldAt {
    kind: u32,
    id: u32,
}

impl Item {
    /// As an object.
    pub fn to_js(self) -> JsValue {
        match self {
            Item::Slice(slice, count) => object([
                ("kind", "slice".into()),
                ("track", (slice.track.index() as u32).into()), // a track's number has 32 bits
                ("lane", slice.lane.into()),
                ("depth", slice.depth.into()),
                ("index", slice.index.into()),
                ("count", count.into()),
            ]),
            Item::Instant(owner, index, count) => {
                let (owner, id) = match owner {
                    MarkOwner::Trace => ("trace", 0),
                    MarkOwner::Process(id) => ("process", id),
                    MarkOwner::Track(id) => ("track", id),
                };
                object([
                    ("kind", "instant".into()),
                    ("owner", owner.into()),
                    ("id", id.into()),
                    ("index", index.into()),
                    ("count", count.into()),
                ])
            }
            Item::Counter(counter, at) => object([
                ("kind", "counter".into()),
                ("id", (counter.index() as u32).into()),
                ("time", at.into()),
            ]),
            Item::Track(id) => whole("thread", id.index()),
            Item::Process(id) => whole("process", id.index()),
            Item::Counters(id) => whole("counters", id.index()),
        }
    }

    /// From such an object.
    pub fn from_js(from: &JsValue) -> Option<Self> {
        match text(from, "kind")?.as_str() {
            "slice" => {
                let track = TrackId::from_index(index(from, "track")? as usize);
                let (lane, depth) = (index(from, "lane")?, index(from, "depth")?);
                let slice = SliceRef { track, lane, depth, index: index(from, "index")? };
                Some(Item::Slice(slice, index(from, "count")?))
            }
            "instant" => {
                let id = index(from, "id")?;
                let owner = match text(from, "owner")?.as_str() {
                    "process" => MarkOwner::Process(id),
                    "track" => MarkOwner::Track(id),
                    _ => MarkOwner::Trace,
                };
                Some(Item::Instant(owner, index(from, "index")?, index(from, "count")?))
            }
            kind => {
                let id = index(from, "id")? as usize;
                match kind {
                    "thread" => Some(Item::Track(TrackId::from_index(id))),
                    "process" => Some(Item::Process(ProcessId::from_index(id))),
                    "counters" => Some(Item::Counters(ProcessId::from_index(id))),
                    _ => Some(Item::Counter(CounterId::from_index(id), time(from, "time")?)),
                }
            }
        }
    }
}

impl Question {
    /// As an object.
    pub fn to_js(&self) -> JsValue {
        let item = |item: Option<Item>| item.map_or(JsValue::UNDEFINED, Item::to_js);
        object([
            ("start", self.start.into()),
            ("span", self.span.into()),
            ("width", self.width.into()),
            ("top", self.top.into()),
            ("height", self.height.into()),
            ("fit", self.fit.into()),
            ("fitItem", item(self.fit_item)),
            ("selected", item(self.selected)),
            ("foldKind", self.fold.map_or(JsValue::UNDEFINED, |fold| fold.kind.into())),
            ("foldId", self.fold.map_or(JsValue::UNDEFINED, |fold| fold.id.into())),
            ("stacked", self.stacked.into()),
        ])
    }

    /// From such an object.
    pub fn from_js(from: &JsValue) -> Self {
        let item = |name: &str| get(from, name).and_then(|item| Item::from_js(&item));
        let px = |name: &str| number(from, name).unwrap_or(0.0) as i32; // casts from f64 saturate
        let fold = index(from, "foldKind").zip(index(from, "foldId"));
        Question {
            stacked: get(from, "stacked").is_some_and(|stacked| stacked.is_truthy()),
            start: time(from, "start").unwrap_or(0),
            span: number(from, "span").unwrap_or(1.0),
            width: number(from, "width").unwrap_or(1.0),
            top: px("top"),
            height: px("height"),
            fit: get(from, "fit").is_some_and(|fit| fit.is_truthy()),
            fit_item: item("fitItem"),
            selected: item("selected"),
            fold: fold.map(|(kind, id)| FoldAt { kind, id }),
        }
    }

    /// True when the answer says what to show. A screen that fits a growing trace does so by itself.
    pub fn moves_view(&self) -> bool {
        self.fit_item.is_some()
    }
}

impl FoldAt {
    /// What can be folded at this strip of a list.
    pub fn of(list: &DisplayList, strip: usize) -> Self {
        FoldAt { kind: list.strips[strip].kind as u32, id: list.strips[strip].id }
    }

    /// The same in the layout that the list was made from.
    pub fn among(self, layout: &Layout) -> Option<Fold> {
        let place = layout.places().iter().find(|place| match place.what {
            What::Process(id) => self.is(StripKind::Process, id.index()),
            What::Counters(id) => self.is(StripKind::Counters, id.index()),
            What::Track { id, .. } => self.is(StripKind::Track, id.index()),
            What::Counter(_) | What::Instants(_) => false,
        });
        place?.folds()
    }

    fn is(self, kind: StripKind, id: usize) -> bool {
        self.kind == kind as u32 && self.id as usize == id
    }
}

fn whole(kind: &str, id: usize) -> JsValue {
    object([("kind", kind.into()), ("id", (id as u32).into())]) // numbers of things have 32 bits
}
