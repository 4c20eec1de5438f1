//! What a line says: a counter's event, or why it is none.
//!
//! Promises: takes and leaves what Comet's own tool takes and leaves, which reads a line into
//! `{ name: string, ph: string, tid: u64, ts: u64, args: object (may be missing) }` with `serde`.
//! Does not do: finding lines, or knowing which counters matter.

use std::borrow::Cow;

use super::strict::{Care, Kind, NotJson, Reader};

/// A counter's event that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterEvent<'a> {
    /// The counter.
    pub name: Cow<'a, str>,
    /// The time as written; whoever wrote the file knows the unit.
    pub ts: u64,
    /// The thread that wrote it.
    pub tid: u64,
    /// What its arguments have under the counter's name; nothing when they have no such key.
    pub value: Option<CounterValue>,
}

/// The value of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterValue {
    /// An unsigned integer of 64 bits.
    Unsigned(u64),
    /// Anything else.
    Other,
}

impl CounterValue {
    /// The number that Comet's tool takes it for.
    pub fn as_counted(self) -> u64 {
        match self {
            CounterValue::Unsigned(value) => value,
            CounterValue::Other => 0,
        }
    }
}

/// Why a line is no counter's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is one of another phase, and nothing is lost.
    OtherPhase,
    /// It is not JSON, or not one object.
    NotJson,
    /// `name`, `ph`, `tid` or `ts` is missing.
    Missing,
    /// One of the fields stands twice.
    Twice,
    /// `ts` is a fraction, negative or no number.
    Ts,
    /// `tid` is a fraction, negative or no number.
    Tid,
    /// `name` or `ph` is no string, or `args` no object.
    Type,
}

impl From<NotJson> for Refused {
    fn from(_: NotJson) -> Self {
        Refused::NotJson
    }
}

/// The fields, as far as they have been met.
#[derive(Default)]
struct Fields<'a> {
    name: Option<Cow<'a, str>>,
    ph: Option<Cow<'a, str>>,
    tid: Option<u64>,
    ts: Option<u64>,
    args: Option<Args<'a>>,
}

enum Args<'a> {
    /// Read when the name was known.
    Read(Option<CounterValue>),
    /// They stand here, before the name.
    At(Reader<'a>),
}

/// The order in which an array gives the fields.
const FIELDS: [&str; 5] = ["name", "ph", "tid", "ts", "args"];

/// Reads the text of a line, without what stands around the event.
pub fn counter_event(text: &str) -> Result<CounterEvent<'_>, Refused> {
    let mut reader = Reader::new(text);
    let mut fields = Fields::default();
    match reader.peek() {
        Some(b'{') => {
            reader.expect(b'{')?;
            let mut is_first = true;
            while reader.another(b'}', is_first)? {
                is_first = false;
                let key = reader.string()?;
                reader.expect(b':')?;
                fields.read(&key, &mut reader)?;
            }
        }
        // serde gives a structure's fields from an array too
        Some(b'[') => {
            reader.expect(b'[')?;
            for at in 0.. {
                if !reader.another(b']', at == 0)? {
                    break;
                }
                let key = FIELDS.get(at).ok_or(NotJson)?;
                fields.read(key, &mut reader).map_err(|_| NotJson)?;
            }
        }
        _ => return Err(Refused::NotJson),
    }
    match reader.peek() {
        None => fields.event(),
        Some(_) => Err(Refused::NotJson),
    }
}

impl<'a> Fields<'a> {
    /// Reads the value of `key`.
    fn read(&mut self, key: &str, reader: &mut Reader<'a>) -> Result<(), Refused> {
        match key {
            "name" => set(&mut self.name, text(reader)?),
            "ph" => set(&mut self.ph, text(reader)?),
            "tid" => set(&mut self.tid, unsigned(reader, Refused::Tid)?),
            "ts" => set(&mut self.ts, unsigned(reader, Refused::Ts)?),
            "args" => {
                if reader.peek() != Some(b'{') {
                    reader.value(Care::Ignored)?;
                    return Err(Refused::Type);
                }
                let args = match &self.name {
                    Some(name) => Args::Read(value_of(name, reader)?),
                    None => {
                        let start = reader.clone();
                        value_of("", reader)?;
                        Args::At(start)
                    }
                };
                set(&mut self.args, args)
            }
            _ => reader.value(Care::Ignored).map(|_| ()).map_err(Refused::from),
        }
    }

    fn event(self) -> Result<CounterEvent<'a>, Refused> {
        let (Some(name), Some(ph), Some(tid), Some(ts)) = (self.name, self.ph, self.tid, self.ts) else {
            return Err(Refused::Missing);
        };
        if ph != "C" {
            return Err(Refused::OtherPhase);
        }
        let value = match self.args {
            None => None,
            Some(Args::Read(value)) => value,
            Some(Args::At(mut reader)) => value_of(&name, &mut reader)?,
        };
        Ok(CounterEvent { name, ts, tid, value })
    }
}

fn set<T>(field: &mut Option<T>, value: T) -> Result<(), Refused> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(Refused::Twice),
    }
}

fn text<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>, Refused> {
    if reader.peek() == Some(b'"') {
        return Ok(reader.string()?);
    }
    reader.value(Care::Ignored)?;
    Err(Refused::Type)
}

fn unsigned(reader: &mut Reader<'_>, refused: Refused) -> Result<u64, Refused> {
    match reader.value(Care::Ignored)? {
        Kind::Unsigned(value) => Ok(value),
        _ => Err(refused),
    }
}

/// Reads an object; the value under `name`, the last one if there are several.
fn value_of(name: &str, reader: &mut Reader<'_>) -> Result<Option<CounterValue>, NotJson> {
    let mut found = None;
    reader.expect(b'{')?;
    let mut is_first = true;
    while reader.another(b'}', is_first)? {
        is_first = false;
        let is_it = reader.string()? == name;
        reader.expect(b':')?;
        let kind = reader.value(Care::Kept)?;
        if is_it {
            found = Some(match kind {
                Kind::Unsigned(value) => CounterValue::Unsigned(value),
                _ => CounterValue::Other,
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Refused {
        counter_event(text).expect_err(text)
    }

    fn value(args: &str) -> Option<CounterValue> {
        let text = format!(r#"{{"name":"n","ph":"C","tid":1,"ts":2,"args":{args}}}"#);
        counter_event(&text).unwrap_or_else(|refused| panic!("{text}: {refused:?}")).value
    }

    #[test]
    fn an_event_is_read_whatever_the_order_of_its_fields() {
        let event = CounterEvent { name: "n".into(), ts: 2, tid: 1, value: Some(CounterValue::Unsigned(7)) };
        for text in [
            r#"{ "name": "n", "cat": "PERF", "ph": "C", "pid": 1, "tid": 1, "ts": 2, "args": { "n": 7 } }"#,
            r#"{"args":{"x":[],"n":7},"ts":2,"tid":1,"ph":"C","name":"n"}"#,
            r#" {"n\u0061me":"\u006e","ph":"\u0043","tid":1,"ts":2,"args":{"\u006e":7},"x":[{"ts":[]}]} "#,
            r#"["n","C",1,2,{"n":7}]"#,
        ] {
            assert_eq!(counter_event(text), Ok(event.clone()), "{text}");
        }
        let largest = r#"{"name":"","ph":"C","tid":18446744073709551615,"ts":0}"#;
        let event = CounterEvent { name: "".into(), ts: 0, tid: u64::MAX, value: None };
        assert_eq!(counter_event(largest), Ok(event));
    }

    #[test]
    fn a_value_counts_when_it_is_an_unsigned_integer_and_the_last_of_its_key() {
        assert_eq!(value("{}"), None);
        assert_eq!(value(r#"{"m":1}"#), None);
        assert_eq!(value(r#"{"n":1,"n":2}"#), Some(CounterValue::Unsigned(2)));
        for other in ["-1", "-0", "1.0", "1e3", "18446744073709551616", "\"5\"", "null", "[5]", "true"] {
            assert_eq!(value(&[r#"{"n":1,"n":"#, other, "}"].concat()), Some(CounterValue::Other), "{other}");
        }
    }

    #[test]
    fn fields_must_be_there_once_and_of_their_type() {
        assert_eq!(refused(r#"{"name":"n","ph":"C","tid":1}"#), Refused::Missing);
        assert_eq!(refused(r#"{"name":"n","ph":"C","tid":1,"ts":2,"ts":2}"#), Refused::Twice);
        assert_eq!(refused(r#"{"name":"n","ph":"C","tid":1,"ts":2,"args":{},"args":{}}"#), Refused::Twice);
        for ts in ["1.5", "2.0", "-1", "-0", "1e3", "\"1\"", "null", "18446744073709551616"] {
            assert_eq!(refused(&format!(r#"{{"name":"n","ph":"C","tid":1,"ts":{ts}}}"#)), Refused::Ts);
            assert_eq!(refused(&format!(r#"{{"name":"n","ph":"C","ts":1,"tid":{ts}}}"#)), Refused::Tid);
        }
        assert_eq!(refused(r#"{"name":1,"ph":"C","tid":1,"ts":2}"#), Refused::Type);
        assert_eq!(refused(r#"{"name":"n","ph":"C","tid":1,"ts":2,"args":null}"#), Refused::Type);
        assert_eq!(refused(r#"{"name":"n","ph":"B","tid":1,"ts":2}"#), Refused::OtherPhase);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "1",
            "null",
            "\"ph\"",
            "{",
            r#"{"name":"n","ph":"C","tid":1,"ts":2"#,
            r#"{"name":"n","ph":"C","tid":1,"ts":2} ]"#,
            r#"{"name":"n","ph":"C","tid":1,"ts":2,}"#,
            r#"{"name":"n","ph":"C","tid":01,"ts":2}"#,
            r#"{"name":"n","ph":"C","tid":1,"ts":2,"x":}"#,
            r#"{,"name":"n","ph":"C","tid":1,"ts":2}"#,
            r#"{"name":"n" "ph":"C","tid":1,"ts":2}"#,
            r#"{"name":"\ud800","ph":"C","tid":1,"ts":2}"#,
            r#"{"name":"\q","ph":"C","tid":1,"ts":2}"#,
            "{\"name\":\"a\tb\",\"ph\":\"C\",\"tid\":1,\"ts\":2}",
            r#"{"name":"n","ph":"C","tid":1,"ts":2,"x":NaN}"#,
            r#"{"name":"n","ph":"C","tid":1,"ts":2,"args":{"x":1e400}}"#,
        ] {
            assert_eq!(refused(text), Refused::NotJson, "{text}");
        }
        // what nobody keeps may be a number that no float holds, or half a character
        assert!(counter_event(r#"{"name":"n","ph":"C","tid":1,"ts":2,"x":[1e400,"\ud800"]}"#).is_ok());
    }
}
