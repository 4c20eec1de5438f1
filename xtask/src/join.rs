//! Join: the page's scripts, which import one another, as one script that imports nothing.
//!
//! ```text
//! import { $ } from "./dom.js";        const { $ } = module_ui_dom_js;
//! export const size = 3;          →    const module_ui_a_js = (() => { const size = 3; return { size }; })();
//! ```
//!
//! Promises: each script runs once, after those it imports; names of one don't meet those of another; a form of
//! import or export that is not understood is an error with its place. Comments, strings and patterns are left alone.
//! Does not do: anything else about JavaScript; a script can't `await` outside of functions.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::{Result, Tried, cannot};
use crate::js_code::{code_of, is_word};

/// `main` and everything it imports.
pub fn join(main: &Path) -> Result<String> {
    let root = main.parent().unwrap_or(Path::new("")).to_owned();
    let mut joined = Joined { root, done: Vec::new(), open: Vec::new(), text: String::new() };
    joined.add(main)?;
    Ok(joined.text)
}

struct Joined {
    root: PathBuf,
    done: Vec<PathBuf>,
    /// Scripts that are being read: one of them again is a circle.
    open: Vec<PathBuf>,
    text: String,
}

impl Joined {
    fn add(&mut self, path: &Path) -> Result<()> {
        if self.done.iter().any(|done| done == path) {
            return Ok(());
        }
        if self.open.iter().any(|open| open == path) {
            return cannot(format!("{} imports itself by way of others", path.display()));
        }
        self.open.push(path.to_owned());
        let text = fs::read_to_string(path).tried("read", path)?;
        let code = code_of(&text);
        let (mut body, mut names) = (String::new(), Vec::new());
        let mut lines = text.lines().zip(code.lines()).enumerate();
        while let Some((at, (line, code))) = lines.next() {
            let (mut line, mut code) = (line.to_owned(), code.to_owned());
            let place = || format!("{}:{}", path.display(), at + 1);
            if code.starts_with("import") && words(&code) == 1 {
                while !code.contains(';') {
                    let Some((_, (more, more_code))) = lines.next() else {
                        return cannot(format!("{}: an import without an end", place()));
                    };
                    line.push_str(more);
                    code.push_str(more_code);
                }
                let Some((list, from)) = import(&line).filter(|_| words(&code) == 1) else {
                    return cannot(format!("{}: only `import {{ … }} from \"./….js\";` is joined", place()));
                };
                let from = clean(&path.parent().unwrap_or(Path::new("")).join(from));
                self.add(&from)?;
                line = format!("const {{{}}} = {};", list.replace(" as ", ": "), self.name(&from));
            } else if code.starts_with("export") && words(&code) == 1 {
                let Some((name, rest)) = export(&line).filter(|_| !names_more(&code)) else {
                    return cannot(format!("{}: this form of export is not joined", place()));
                };
                names.extend(name.map(str::to_owned));
                line = rest.to_owned();
            } else if words(&code) > 0 {
                return cannot(format!("{}: import or export can't be joined here", place()));
            }
            body.push_str(&line);
            body.push('\n');
        }
        self.text.push_str(&format!(
            "const {} = (() => {{\n{body}return {{ {} }};\n}})();\n",
            self.name(path),
            names.join(", ")
        ));
        self.open.pop();
        self.done.push(path.to_owned());
        Ok(())
    }

    /// The name under which a script's exports are known.
    fn name(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy();
        format!("module_{}", below.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_"))
    }
}

/// How often a line of code says `import` or `export`.
fn words(code: &str) -> usize {
    let is_whole = |at: usize, word: &str| {
        let (before, after) = (code[..at].bytes().last(), code[at + word.len()..].bytes().next());
        !before.is_some_and(|byte| is_word(byte) || byte == b'.') && !after.is_some_and(is_word)
    };
    let count = |word| code.match_indices(word).filter(|(at, _)| is_whole(*at, word)).count();
    count("import") + count("export")
}

/// True when one `const` has several names: `export const a = 1, b = 2;`.
fn names_more(code: &str) -> bool {
    let mut depth = 0;
    let is_const = code.starts_with("export const ");
    is_const
        && code.bytes().any(|byte| {
            depth += i32::from(b"([{".contains(&byte)) - i32::from(b")]}".contains(&byte));
            byte == b',' && depth == 0
        })
}

/// What an import names, and where from.
fn import(line: &str) -> Option<(&str, &str)> {
    let (list, from) = line.strip_prefix("import {")?.split_once("} from \"")?;
    let from = from.trim_end().strip_suffix("\";")?;
    (from.starts_with('.') && from.ends_with(".js")).then_some((list, from))
}

/// The name that a line exports, if any, and the line without `export`.
fn export(line: &str) -> Option<(Option<&str>, &str)> {
    let rest = line.strip_prefix("export ")?;
    if rest == "{};" {
        return Some((None, ""));
    }
    let kinds = ["const ", "async function ", "function ", "class "];
    let named = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = named.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '$')?;
    (end > 0).then_some((Some(&named[..end]), rest))
}

/// A path without `.` and `..` in it.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn joined(name: &str, scripts: &[(&str, &str)]) -> Result<String> {
        let root = Scratch::new(name);
        for (path, text) in scripts {
            root.write(path, text);
        }
        join(&root.path().join("main.js"))
    }

    #[test]
    fn scripts_come_after_what_they_import_and_once() {
        let text = joined(
            "join",
            &[
                (
                    "main.js",
                    "import { a as b } from \"./ui/a.js\";\nimport {\n  c\n} from \"./c.js\";\nb(c);\n",
                ),
                ("ui/a.js", "import { c } from \"../c.js\";\nexport function a(x) { return x + c; }\n"),
                ("c.js", "export const c = 1;\nexport {};\n"),
            ],
        );
        let expected = "const module_c_js = (() => {\nconst c = 1;\n\nreturn { c };\n})();\n\
                        const module_ui_a_js = (() => {\nconst { c } = module_c_js;\n\
                        function a(x) { return x + c; }\nreturn { a };\n})();\n\
                        const module_main_js = (() => {\nconst { a: b } = module_ui_a_js;\n\
                        const {  c} = module_c_js;\nb(c);\nreturn {  };\n})();\n";
        assert_eq!(text.expect("it is joined"), expected);
    }

    #[test]
    fn comments_and_strings_may_speak_of_imports() {
        let text = "// import x\n/** @type {import(\"./a.js\").A} */\nconst a = `\nimport b\nexport c`;\n\
                    export const b = (c, d) => [c, d, \"import\", a.import];\n";
        let expected = text.replace("export const", "const");
        let joined = joined("join-comments", &[("main.js", text)]).expect("it is joined");
        assert_eq!(joined, format!("const module_main_js = (() => {{\n{expected}return {{ b }};\n}})();\n"));
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_place() {
        let cases = [
            ("import * as a from \"./a.js\";", "main.js:1"),
            ("\nimport \"./a.js\";", "main.js:2"),
            ("import { a } from \"a\";", "main.js:1"),
            ("import {", "main.js:1"),
            ("export default 3;", "main.js:1"),
            ("export * from \"./a.js\";", "main.js:1"),
            ("import { a } from \"./none.js\";", "none.js"),
            ("import { a } from \"./main.js\";", "imports itself"),
            ("let a;\n  import { a } from \"./a.js\";", "main.js:2"),
            ("import{ a } from \"./a.js\";", "main.js:1"),
            ("const a = await import(\"./a.js\");", "main.js:1"),
            ("const a = import.meta.url;", "main.js:1"),
            ("export let a = 1;", "main.js:1"),
            ("export const { a } = b;", "main.js:1"),
            ("export const a = 1, b = 2;", "main.js:1"),
            ("export { a };", "main.js:1"),
            ("export {}; export default 1;", "main.js:1"),
        ];
        for (at, (text, expected)) in cases.into_iter().enumerate() {
            let message = joined(&format!("join-{at}"), &[("main.js", text)]).expect_err(text).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
