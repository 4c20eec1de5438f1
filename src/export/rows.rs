//! How a row becomes a line: of JSON, or of CSV as RFC 4180 quotes it.
//!
//! ```text
//! {"pid":1,"tid":7,"name":"say \"hi\"","dur_ns":null}
//! 1,7,"say ""hi""",
//! ```
//!
//! Promises: a value goes to the next column of its row; numbers are exact; null is empty in CSV.
//! Does not do: CRLF. Lines end in LF in both forms, so that line tools work on the last column too.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Members;
use crate::json;
use crate::names::StrId;
use crate::trace::{Id, Trace};

/// The form of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    #[default]
    Jsonl,
    /// Comma-separated, with a header.
    Csv,
}

impl Format {
    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        match name {
            "jsonl" => Some(Format::Jsonl),
            "csv" => Some(Format::Csv),
            _ => None,
        }
    }
}

/// Writes rows, a value after the other.
pub struct Rows<'a, W> {
    out: W,
    format: Format,
    columns: Vec<&'static str>,
    with_session: bool,
    file: Option<&'a str>,
    line: String,
    filled: usize,
    scratch: String,
}

impl<'a, W: Write> Rows<'a, W> {
    pub fn new(out: W, format: Format, columns: Vec<&'static str>) -> Self {
        Rows {
            out,
            format,
            columns,
            with_session: false,
            file: None,
            line: String::new(),
            filled: 0,
            scratch: String::new(),
        }
    }

    /// Says what stands in the columns behind those of the table.
    pub fn set_tail(&mut self, with_session: bool, file: Option<&'a str>) {
        (self.with_session, self.file) = (with_session, file);
    }

    /// Writes the names of the columns, where the format has them once.
    pub fn header(&mut self) -> io::Result<()> {
        match self.format {
            Format::Jsonl => Ok(()),
            Format::Csv => writeln!(self.out, "{}", self.columns.join(",")),
        }
    }

    pub fn integer(&mut self, value: impl Into<i128>) {
        self.begin_value();
        let value: i128 = value.into();
        // infallible: a String grows
        let _ = match i64::try_from(value) {
            Ok(short) => write!(self.line, "{short}"),
            Err(_) => write!(self.line, "{value}"),
        };
    }

    /// An integer, or null.
    pub fn integer_or_null(&mut self, value: Option<impl Into<i128>>) {
        match value {
            Some(value) => self.integer(value),
            None => self.null(),
        }
    }

    /// Digits that read back as the same number, without an exponent; an integral one has no point.
    pub fn number(&mut self, value: f64) {
        if !value.is_finite() {
            return self.null();
        }
        self.begin_value();
        let _ = match value.fract() == 0.0 {
            // every digit of an integral one; adding 0 makes -0 a plain 0
            true => write!(self.line, "{:.0}", value + 0.0),
            false => write!(self.line, "{value}"),
        };
    }

    pub fn text(&mut self, value: &str) {
        self.begin_value();
        match self.format {
            Format::Jsonl => json::push_string(&mut self.line, value),
            Format::Csv => push_csv(&mut self.line, value),
        }
    }

    /// A text, or null.
    pub fn text_or_null(&mut self, trace: &Trace, value: Option<StrId>) {
        match value {
            Some(value) => self.text(trace.names().text(value)),
            None => self.null(),
        }
    }

    /// A process's or thread's id: an integer, or a text where the file gave a name.
    pub fn id(&mut self, trace: &Trace, id: Id) {
        match id {
            Id::Number(number) => self.integer(number),
            Id::Text(text) => self.text(trace.names().text(text)),
        }
    }

    pub fn null(&mut self) {
        self.begin_value();
        if self.format == Format::Jsonl {
            self.line.push_str("null");
        }
    }

    /// An object; in CSV its JSON text.
    pub fn object(&mut self, members: &Members) {
        self.begin_value();
        if self.format == Format::Jsonl {
            return push_object(&mut self.line, members);
        }
        let mut object = std::mem::take(&mut self.scratch);
        object.clear();
        push_object(&mut object, members);
        push_csv(&mut self.line, &object);
        self.scratch = object;
    }

    /// Ends the row, which belongs to `session` (from 0), and writes it.
    pub fn end(&mut self, session: Option<u32>) -> io::Result<()> {
        if self.with_session {
            self.integer_or_null(session.map(|session| i128::from(session) + 1));
        }
        if let Some(file) = self.file {
            self.text(file);
        }
        assert_eq!(self.filled, self.columns.len(), "a row fills every column of its table");
        self.line.push_str(if self.format == Format::Jsonl { "}\n" } else { "\n" });
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        self.filled = 0;
        Ok(())
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn begin_value(&mut self) {
        let column = self.columns[self.filled];
        let is_first = self.filled == 0;
        self.filled += 1;
        match self.format {
            Format::Csv if is_first => {}
            Format::Csv => self.line.push(','),
            Format::Jsonl => {
                self.line.push_str(if is_first { "{\"" } else { ",\"" });
                self.line.push_str(column);
                self.line.push_str("\":");
            }
        }
    }
}

/// Writes `members` as a JSON object.
fn push_object(out: &mut String, members: &Members) {
    out.push('{');
    for (at, (key, value)) in members.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        json::push_string(out, key);
        out.push(':');
        out.push_str(value);
    }
    out.push('}');
}

/// Writes `value` as a field: in quotes when it holds what separates fields, lines or quotes.
fn push_csv(out: &mut String, value: &str) {
    if !value.contains(['"', ',', '\n', '\r']) {
        return out.push_str(value);
    }
    out.push('"');
    for (at, piece) in value.split('"').enumerate() {
        if at > 0 {
            out.push_str("\"\"");
        }
        out.push_str(piece);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: Format, fill: impl Fn(&mut Rows<'_, &mut Vec<u8>>)) -> String {
        let mut out = Vec::new();
        let mut rows = Rows::new(&mut out, format, vec!["a", "b", "c"]);
        rows.header().unwrap();
        fill(&mut rows);
        rows.end(None).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_is_a_line_of_json() {
        let line = written(Format::Jsonl, |rows| {
            rows.integer(u64::MAX);
            rows.null();
            rows.object(&vec![("k\"".into(), "[1,null]".into()), ("l".into(), "\"x\"".into())]);
        });
        assert_eq!(line, "{\"a\":18446744073709551615,\"b\":null,\"c\":{\"k\\\"\":[1,null],\"l\":\"x\"}}\n");
    }

    #[test]
    fn csv_quotes_what_separates_fields_and_lines() {
        let line = written(Format::Csv, |rows| {
            rows.text("say \"hi\", you");
            rows.null();
            rows.object(&vec![("k".into(), "1".into())]);
        });
        assert_eq!(line, "a,b,c\n\"say \"\"hi\"\", you\",,\"{\"\"k\"\":1}\"\n");
        let line = written(Format::Csv, |rows| {
            rows.text("two\nlines");
            rows.text("a\rb");
            rows.text(" plain; ");
        });
        assert_eq!(line, "a,b,c\n\"two\nlines\",\"a\rb\", plain; \n");
    }

    #[test]
    fn numbers_are_exact_and_have_no_exponent() {
        let cases = [
            (0.1, "0.1"),
            (-0.0, "0"),
            (3.0, "3"),
            (9_007_199_254_740_994.0, "9007199254740994"),
            (18_446_744_073_709_551_616.0, "18446744073709551616"),
            (1.5e-7, "0.00000015"),
            (f64::NAN, "null"),
        ];
        for (number, text) in cases {
            let line = written(Format::Jsonl, |rows| {
                rows.number(number);
                rows.null();
                rows.null();
            });
            assert_eq!(line, format!("{{\"a\":{text},\"b\":null,\"c\":null}}\n"));
        }
    }

    #[test]
    fn the_session_counts_from_one_and_the_file_stands_last() {
        let mut out = Vec::new();
        let mut rows = Rows::new(&mut out, Format::Csv, vec!["a", "session", "file"]);
        rows.set_tail(true, Some("x,y.json"));
        rows.integer(7);
        rows.end(Some(1)).unwrap();
        rows.integer(8);
        rows.end(None).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "7,2,\"x,y.json\"\n8,,\"x,y.json\"\n");
    }
}
