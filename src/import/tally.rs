//! Scanning alone, for the benches: every field found, names interned, numbers exact, and no trace built.

use super::containers::{Containers, Sink};
use super::json_scan::{Fields, Keys, Notes};
use super::names_cache::NamesCache;
use super::number;
use super::report::ProblemKind;
use crate::names::Names;

/// Sums that prove that everything was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub events: u64,
    /// Different names.
    pub names: u64,
    /// Sum of all times in ns, wrapping.
    pub times: i64,
    /// Sum of all thread ids, wrapping.
    pub threads: i64,
}

/// Scans `bytes`, given in pieces of 4 MiB.
pub fn tally(bytes: &[u8]) -> Tally {
    let (mut containers, mut counting) = (Containers::<Wanted, 8>::default(), Counting::default());
    for piece in bytes.chunks(4 << 20) {
        containers.feed(piece, &mut counting);
    }
    containers.finish(&mut counting);
    Tally { names: counting.names.len() as u64, ..counting.tally }
}

struct Wanted;

impl Keys<8> for Wanted {
    const CONTAINER: usize = 7;
    fn slot(key: &[u8]) -> Option<usize> {
        Some(match key {
            b"name" => 0,
            b"cat" => 1,
            b"ph" => 2,
            b"pid" => 3,
            b"tid" => 4,
            b"ts" => 5,
            b"args" => 6,
            b"traceEvents" => Self::CONTAINER,
            _ => return None,
        })
    }
}

#[derive(Default)]
struct Counting {
    names: Names,
    cache: NamesCache,
    tally: Tally,
}

impl Sink<8> for Counting {
    fn event(&mut self, text: &[u8], _offset: u64, fields: &Fields<8>, _notes: &Notes) {
        let [name, cat, ph] = [0, 1, 2].map(|slot| fields.get(slot).bytes(text));
        self.cache.name(&mut self.names, name, cat);
        self.tally.events += u64::from(!ph.is_empty());
        let time = number::time(fields.get(5), text, 3).unwrap_or(0);
        self.tally.times = self.tally.times.wrapping_add(time);
        for slot in [3, 4] {
            let id = number::id(fields.get(slot), text).unwrap_or(0);
            self.tally.threads = self.tally.threads.wrapping_add(id as i64);
        }
    }

    fn session(&mut self, _offset: u64, _text: &[u8]) {}

    fn item(&mut self) {}

    fn problem(&mut self, _kind: ProblemKind, _offset: u64, _text: &[u8]) {}
}
