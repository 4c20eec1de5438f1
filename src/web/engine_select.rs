//! The engine's part in selecting: where a key leads, and all about what is selected.
//!
//! Promises: steps are taken one after another from where the last one led, however fast keys are pressed.
//! Does not do: sentences (see `view::Item`), elements.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::view::{
    Details, Item, Led, Line, Listing, Step, StepWindow, hidden_by, is_folded, memory_at, memory_while,
    place_of, step,
};

use super::convert::{self, index, list, number, object, time};
use super::engine::Engine;

const STEPS: [Step; 10] = [
    Step::Left,
    Step::Right,
    Step::Up,
    Step::Down,
    Step::First,
    Step::Last,
    Step::Next,
    Step::Previous,
    Step::Enter,
    Step::Fold,
];

#[wasm_bindgen]
impl Engine {
    /// A few words on what the pointer is on.
    pub fn tip(&self, item: &JsValue) -> JsValue {
        let item = Item::from_js(item).filter(|item| item.is_in(self.trace()));
        convert::plain(&item.map(|item| item.tip(self.trace())))
    }

    /// Selects an item and says all there is to know about it, arguments included, which are read from the file
    /// again; `null` when nothing is selected then. `reveal` when it may be anywhere.
    pub fn details(&mut self, item: &JsValue, reveal: bool) -> JsValue {
        self.selected = Item::from_js(item).filter(|item| item.is_in(self.trace()));
        self.selected.map_or(JsValue::NULL, |item| self.select(item, reveal))
    }

    /// Selects what a key of the screen leads to, and says the same about it; `undefined` when it leads nowhere, and `null` when nothing
    /// is selected then.
    pub fn step(&mut self, asked: &JsValue) -> JsValue {
        let pixels = |name: &str| number(asked, name).unwrap_or(0.0) as i32; // casts from f64 saturate
        let window = StepWindow {
            from: time(asked, "from").unwrap_or(0),
            to: time(asked, "to").unwrap_or(0),
            top: pixels("top"),
            bottom: pixels("bottom"),
        };
        let Some(taken) = index(asked, "step").and_then(|at| STEPS.get(at as usize)) else {
            return JsValue::UNDEFINED;
        };
        let from = self.selected.filter(|item| item.is_in(self.trace()));
        match step(self.trace(), &self.layout, from, *taken, window) {
            Some(Led::To(item)) => self.select(item, true),
            Some(Led::Folds(fold, title)) => {
                self.folds.toggle(fold);
                self.arrange();
                self.select(title, true)
            }
            None => from.map_or(JsValue::NULL, |_| JsValue::UNDEFINED),
        }
    }

    /// Opens or closes a row of the arguments and gives all rows that are to be seen then.
    pub fn unfold(&mut self, id: u32) -> JsValue {
        self.args.toggle(id);
        convert::plain(&Some(self.args.rows()))
    }

    /// The arguments of the selection as JSON.
    pub fn args_text(&self) -> String {
        self.args.text().to_owned()
    }
}

impl Engine {
    fn select(&mut self, item: Item, reveal: bool) -> JsValue {
        while let Some(fold) = hidden_by(self.trace(), &self.layout, item).filter(|_| reveal) {
            self.folds.toggle(fold);
            self.arrange();
        }
        self.selected = Some(item);
        let mut details = item.details(self.trace());
        let members = self.members(item);
        if members.is_none() {
            details.notice.push_str(
                " Its arguments can't be read: the file is gone or has changed since it was opened.",
            );
        }
        self.args = crate::view::ArgsTree::new(&members.unwrap_or_default());
        let times = item.times(self.trace());
        details.lists.extend(times.and_then(|(from, to)| memory_at(&self.chart, self.trace(), from, to)));
        details.lists.extend(item.slice().and_then(|slice| memory_while(self.trace(), slice)));
        match is_folded(&self.layout, item) {
            Some(true) => details.spoken.push_str(", folded"),
            Some(false) => details.spoken.push_str(", open"),
            None => {}
        }
        let place = place_of(self.trace(), &self.layout, item);
        let pixels = |value: Option<i32>| value.map_or(JsValue::UNDEFINED, JsValue::from);
        let at = |value: Option<i64>| value.map_or(JsValue::UNDEFINED, JsValue::from);
        let answer = self.told(&details);
        for (name, value) in [
            ("item", item.to_js()),
            ("reveal", reveal.into()),
            ("start", at(times.map(|times| times.0))),
            ("end", at(times.map(|times| times.1))),
            ("y", pixels(place.map(|place| place.0))),
            ("height", pixels(place.map(|place| place.1))),
            ("content", self.layout.height().into()),
        ] {
            convert::set(&answer, name, &value);
        }
        answer.into()
    }

    fn told(&self, details: &Details) -> js_sys::Object {
        let facts = convert::plain(&Some(&details.facts));
        let args = convert::plain(&Some(self.args.rows()));
        let told = object([
            ("title", details.title.as_str().into()),
            ("notice", details.notice.trim_start().into()),
            ("facts", facts),
            ("lists", list(details.lists.iter().map(listing))),
            ("args", args),
            ("spoken", details.spoken.as_str().into()),
        ]);
        told.unchecked_into()
    }
}

fn listing(of: &Listing) -> JsValue {
    let line = |line: &Line| {
        let item = line.item.map_or(JsValue::UNDEFINED, Item::to_js);
        object([("item", item), ("cells", list(line.cells.iter().map(String::as_str)))])
    };
    object([
        ("title", of.title.as_str().into()),
        ("heads", list(of.heads.iter().copied())),
        ("rows", list(of.rows.iter().map(line))),
    ])
}
