//! What a counter counts, guessed from its name, and its values as text.
//!
//! Promises: a name with a word for memory counts bytes unless it says another unit or a number of things.
//! Does not do: converting; values of the trace are in bytes already.

use super::ticks::{ValueTick, byte_ticks, number_ticks};
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

impl Quantity {
    /// What a counter with this label counts.
    pub fn of(label: &str) -> Quantity {
        let words = words(label);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if has(&MEMORY) && !has(&OTHER) { Quantity::Bytes } else { Quantity::Number }
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
        bytes.iter().for_each(|label| assert_eq!(Quantity::of(label), Quantity::Bytes, "{label}"));
        numbers.iter().for_each(|label| assert_eq!(Quantity::of(label), Quantity::Number, "{label}"));
    }

    #[test]
    fn values_print_with_their_unit() {
        assert_eq!(Quantity::Bytes.text(321_650_688.0), "306.8 MB");
        assert_eq!(Quantity::Bytes.exact(321_650_688.0), "306.8 MB (321,650,688 bytes)");
        assert_eq!(Quantity::Number.text(1250.0), "1,250");
        assert_eq!(Quantity::Number.text(0.25), "0.25");
    }
}
