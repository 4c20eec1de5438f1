//! Which function a slice is a call of: names of one text are one function, whatever their category.
//!
//! Promises: functions are numbered as they appear. Costs: O(1) a slice, four bytes a name.

use std::collections::HashMap;

use crate::names::{NameId, StrId};
use crate::trace::Trace;

/// The functions met so far.
#[derive(Default)]
pub(super) struct Functions {
    by_name: Vec<u32>,
    by_text: HashMap<StrId, u32>,
    names: Vec<StrId>,
}

const UNKNOWN: u32 = u32::MAX;

impl Functions {
    /// The number of the function with this name.
    pub(super) fn of(&mut self, id: NameId, trace: &Trace) -> u32 {
        if id.index() >= self.by_name.len() {
            self.by_name.resize(id.index() + 1, UNKNOWN);
        }
        let known = &mut self.by_name[id.index()];
        if *known == UNKNOWN {
            let name = trace.names().entry(id).name;
            let next = self.names.len() as u32; // fewer than there are names
            *known = *self.by_text.entry(name).or_insert(next);
            if *known == next {
                self.names.push(name);
            }
        }
        *known
    }

    /// The names, in the order of their numbers.
    pub(super) fn into_names(self) -> Vec<StrId> {
        self.names
    }
}
