//! Js code: which letters of a script are code, and which only comments, strings and patterns.
//!
//! Promises: as many bytes and lines come out as go in; what is no code is blank, the quotes included. What stands
//! between `${` and `}` in a template is code.
//! Does not do: grammar. A slash begins a pattern where no value can end before it, which is wrong only after the
//! `)` of an `if` or `while` and the `}` of a block.

/// The script with everything blank that is not code.
pub fn code_of(text: &str) -> String {
    let mut reader = Reader { text: text.as_bytes(), at: 0, out: Vec::with_capacity(text.len()) };
    reader.code(false);
    // blanks replace whole letters or bytes of one, never a part of a letter that stays
    String::from_utf8_lossy(&reader.out).into_owned()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<u8>,
}

impl Reader<'_> {
    /// Reads code to the end, or to the brace that closes a template's `${`.
    fn code(&mut self, in_template: bool) {
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1).copied();
            match (byte, next) {
                (b'/', Some(b'/')) => self.blank_until(|rest| rest.starts_with(b"\n"), 0),
                (b'/', Some(b'*')) => self.blank_until(|rest| rest.starts_with(b"*/"), 2),
                (b'/', _) if self.can_begin_a_pattern() => self.pattern(),
                (b'"' | b'\'', _) => self.string(byte),
                (b'`', _) => self.template(),
                (b'}', _) if in_template && depth == 0 => return,
                _ => {
                    depth += i32::from(byte == b'{') - i32::from(byte == b'}');
                    self.keep();
                }
            }
        }
    }

    fn keep(&mut self) {
        self.out.push(self.text[self.at]);
        self.at += 1;
    }

    fn blank(&mut self) {
        let Some(&byte) = self.text.get(self.at) else { return };
        self.out.push(if byte == b'\n' { byte } else { b' ' });
        self.at += 1;
    }

    fn blank_until(&mut self, is_end: impl Fn(&[u8]) -> bool, of_end: usize) {
        self.blank();
        self.blank(); // so that `/*/` is not both ends of a comment
        while self.at < self.text.len() && !is_end(&self.text[self.at..]) {
            self.blank();
        }
        (0..of_end).for_each(|_| self.blank());
    }

    fn string(&mut self, quote: u8) {
        self.blank();
        while let Some(&byte) = self.text.get(self.at) {
            if byte == b'\\' {
                self.blank();
            }
            self.blank();
            if byte == quote || byte == b'\n' {
                return;
            }
        }
    }

    fn pattern(&mut self) {
        let mut in_class = false;
        self.blank();
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => self.blank(),
                b'[' => in_class = true,
                b']' => in_class = false,
                _ => {}
            }
            self.blank();
            if byte == b'\n' || (byte == b'/' && !in_class) {
                return;
            }
        }
    }

    fn template(&mut self) {
        self.blank();
        while let Some(&byte) = self.text.get(self.at) {
            if self.text[self.at..].starts_with(b"${") {
                self.blank();
                self.blank();
                self.code(true);
            } else if byte == b'\\' {
                self.blank();
            }
            self.blank();
            if byte == b'`' {
                return;
            }
        }
    }

    /// True where a value can't have ended.
    fn can_begin_a_pattern(&self) -> bool {
        let before = self.out.trim_ascii_end();
        let word = before.iter().rev().take_while(|byte| is_word(**byte)).count();
        match &before[before.len() - word..] {
            b"" => !matches!(before.last(), Some(b')' | b']' | b'}')),
            word => matches!(word, b"return" | b"typeof" | b"case" | b"of" | b"in" | b"void" | b"else"),
        }
    }
}

/// True for what names consist of.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        for (text, code) in [
            ("a // import\nb", "a b"),
            ("a /* import\n */ b", "a b"),
            ("a(\"im\\\"port\", 'x')", "a( , )"),
            ("a / b / c", "a / b / c"),
            ("(/im[/]port/g)", "( g)"),
            ("return /\"/.test(a)", "return .test(a)"),
            ("`import ${ b({ c: `d` }) } e` + f", "b({ c: }) + f"),
            ("`\\``;a", ";a"),
            ("/*/ import */a", "a"),
        ] {
            let left = code_of(text).split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(left, code, "{text}");
        }
    }

    #[test]
    fn lines_and_places_stay_and_nothing_hangs() {
        for text in ["\"ä\" + ö\n`ü\n", "`${", "/*", "'", "`${`${", "a = /", "\\", ""] {
            let code = code_of(text);
            assert_eq!(code.len(), text.len(), "{text}");
            assert_eq!(code.lines().count(), text.lines().count(), "{text}");
        }
    }
}
