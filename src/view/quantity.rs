//! What a counter counts, guessed from its name, and its values as text.
//!
//! Promises: a name with a word for memory counts bytes unless it says another unit or a number of things, or a
//! value has a fraction: half a byte is none, so those are megabytes or the like.
//! Does not do: converting; values of the trace are in bytes already.

use super::ticks::{ValueTick, byte_ticks, number_ticks};
use crate::trace::{Counter, Trace};
use crate::units::{Bytes, grouped};

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Sizes.
    Bytes,
    /// Anything else.
    Number,
}

/// Words that make a counter one of memory.
const MEMORY: [&str; 15] = [
    "bytes",
    "byte",
    "memory",
    "mem",
    "heap",
    "rss",
    "vms",
    "pss",
    "allocated",
    "reserved",
    "shuffle",
    "resident",
    "arrow",
    "malloc",
    "jemalloc",
];
/// Words that say that it is something else all the same.
const OTHER: [&str; 12] = [
    "count", "num", "percent", "ratio", "rate", "calls", "pages", "objects", "faults", "time", "ms", "events",
];

/// Values that are looked at for a fraction.
const LOOKED_AT: usize = 32;

impl Quantity {
    /// What this counter counts. O(1) in its samples.
    pub fn of(trace: &Trace, counter: &Counter) -> Quantity {
        let is_whole = (0..counter.len().min(LOOKED_AT)).all(|at| counter.value(at).fract() == 0.0);
        if is_whole && is_memory(&trace.counter_label(counter)) { Quantity::Bytes } else { Quantity::Number }
    }

    /// A value as text: "306.8 MB", "1,250", "0.25".
    pub fn text(self, value: f64) -> String {
        match self {
            Quantity::Bytes => Bytes(value).to_string(),
            // whole numbers below 2^53 are exact
            Quantity::Number if value.fract() == 0.0 && value.abs() < 9e15 => grouped(value as i128),
            Quantity::Number => format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        }
    }

    /// A value to the last byte: "306.8 MB (321,650,688 bytes)".
    pub fn exact(self, value: f64) -> String {
        match self {
            Quantity::Bytes if value.abs() >= 1024.0 => {
                format!("{} ({} bytes)", Bytes(value), Quantity::Number.text(value))
            }
            _ => self.text(value),
        }
    }

    /// Lines of an axis.
    pub fn ticks(self, min: f64, max: f64, count: usize) -> Vec<ValueTick> {
        match self {
            Quantity::Bytes => byte_ticks(min, max, count),
            Quantity::Number => number_ticks(min, max, count),
        }
    }
}

/// True for a label that says it counts memory, in whatever unit.
pub(super) fn is_memory(label: &str) -> bool {
    let words = words(label);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    has(&MEMORY) && !has(&OTHER)
}

/// The words of a name: cut at everything that is no letter, and where small letters turn into capitals.
fn words(label: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in label.chars() {
        let starts = !character.is_alphabetic() || (was_small && character.is_uppercase());
        if starts {
            words.push(String::new());
        }
        if character.is_alphabetic() {
            words.last_mut().expect("there is always a word").extend(character.to_lowercase());
        }
        was_small = character.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;

    #[test]
    fn what_is_counted_is_told_by_words_and_not_by_letters() {
        let bytes = [
            "jemalloc_allocated",
            "thread_12_comet_memory_reserved",
            "jvm_heapUsed",
            "Used Memory",
            "process.rss",
            "JS Heap Size",
            "bytes_allocated",
        ];
        let numbers =
            ["members", "ctr", "page faults mem", "memory_calls", "remember", "cpu percent", "queue depth"];
        bytes.iter().for_each(|label| assert!(is_memory(label), "{label}"));
        numbers.iter().for_each(|label| assert!(!is_memory(label), "{label}"));
    }

    #[test]
    fn a_fraction_is_no_number_of_bytes() {
        let mut builder = crate::trace::TraceBuilder::default();
        sample(&mut builder, "memory", 0, 178.5);
        sample(&mut builder, "heap", 0, 178.0);
        let trace = builder.trace();
        let of = |at: usize| Quantity::of(trace, &trace.counters()[at]);
        assert_eq!([of(0), of(1)], [Quantity::Number, Quantity::Bytes]);
    }

    #[test]
    fn values_print_with_their_unit() {
        assert_eq!(Quantity::Bytes.text(321_650_688.0), "306.8 MB");
        assert_eq!(Quantity::Bytes.exact(321_650_688.0), "306.8 MB (321,650,688 bytes)");
        assert_eq!(Quantity::Number.text(1250.0), "1,250");
        assert_eq!(Quantity::Number.text(0.25), "0.25");
    }
}
