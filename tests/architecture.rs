//! The house rules that a program can check: who may import whom, what stays out, how long a file may be.

use std::path::{Path, PathBuf};

/// What each module may use of ours; `docs/architecture.md` says why.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("units", &[]),
    ("names", &[]),
    ("json", &[]),
    ("generate", &[]),
    ("trace", &["units", "names", "json"]),
    ("import", &["trace", "units", "names", "json"]),
    ("analysis", &["trace", "units", "names", "json"]),
    ("view", &["analysis", "trace", "units", "names", "json"]),
    ("export", &["analysis", "trace", "units", "names", "json"]),
    ("native", &["analysis", "import", "trace", "json"]),
    (
        "web",
        &["view", "analysis", "import", "export", "generate", "trace", "units", "names", "json", "measure"],
    ),
    ("measure", &["import", "view", "generate", "trace", "names"]),
    ("bin", &["export", "native", "import", "analysis"]),
];

const MAX_LINES: usize = 500;
const MAX_BIN_LINES: usize = 120;
const MAX_JAVASCRIPT_LINES: usize = 1000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files under `folder` with one of the endings, as path from the root and text.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.map(|entry| entry.expect("a folder can be read")) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !["target", "node_modules", "dist", ".git", "data"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                found.push((path.strip_prefix(root()).expect("it is under the root").to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

/// The top module to which a source file belongs.
fn module_of(path: &Path) -> String {
    let mut parts = path.iter().skip(1).map(|part| part.to_string_lossy().into_owned());
    parts.next().unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// The top modules of ours that a text names as `crate::x`, `flameline::x` or `crate::{x, y::z}`.
fn used_modules(text: &str) -> Vec<String> {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for start in ["crate::", "flameline::"] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            let names = match rest.strip_prefix('{') {
                None => vec![rest],
                Some(list) => top_items(list),
            };
            let word =
                |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.extend(names.into_iter().map(word));
        }
    }
    found
}

/// The items of a use list up to its closing brace, without those of inner lists.
fn top_items(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&list[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

#[test]
fn no_module_uses_what_stands_to_its_left() {
    let modules: Vec<&str> = MAY_USE.iter().map(|rule| rule.0).collect();
    let mut seen = 0;
    for (path, text) in files("src", &[".rs"]) {
        let own = module_of(&path);
        // a test may look further, in a file of its own or at the end of one
        if own == "lib" || path.to_str().unwrap().ends_with("tests.rs") {
            continue;
        }
        let allowed = MAY_USE.iter().find(|rule| rule.0 == own);
        let allowed = allowed.unwrap_or_else(|| panic!("{own} has no rule in this test"));
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for used in used_modules(code).iter().filter(|used| modules.contains(&used.as_str()) && **used != own)
        {
            seen += 1;
            assert!(
                allowed.1.contains(&used.as_str()),
                "{} uses {used}, which {own} may not",
                path.display()
            );
        }
    }
    assert!(seen > 30, "the test reads the imports it is about");
}

#[test]
fn use_lists_are_read_as_the_compiler_reads_them() {
    let text = "use crate::{trace::{Row, Id}, names};\nuse crate::units::Ns;\n// use crate::web::x;\n";
    assert_eq!(used_modules(text), ["trace", "names", "units"]);
}

#[test]
fn platforms_differ_by_module_and_not_inside_one() {
    for (path, text) in files("src", &[".rs"]) {
        let is_root = path == Path::new("src/lib.rs");
        assert!(
            is_root || !text.contains("cfg(target_arch"),
            "{}: cfg only on mod lines in lib.rs",
            path.display()
        );
        let module = module_of(&path);
        if ["native", "bin"].contains(&module.as_str()) {
            continue;
        }
        for word in ["std::fs", "std::time", "std::thread", "std::env", "std::net"] {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn the_model_knows_no_format_and_the_importer_no_colour() {
    for (path, text) in files("src/trace", &[".rs"]) {
        for word in ["\"ph\"", "traceEvents", "chrome", "rgb"] {
            assert!(!text.contains(word), "{} knows {word}", path.display());
        }
    }
    for (path, text) in files("src/analysis", &[".rs"]) {
        assert!(!text.contains("format!("), "{} formats text", path.display());
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    for folder in ["src", "xtask", "tests", "benches", "examples"] {
        for (path, text) in files(folder, &[".rs"]) {
            let lines = text.lines().count();
            let max = if path.starts_with("src/bin") { MAX_BIN_LINES } else { MAX_LINES };
            assert!(lines <= max, "{} has {lines} lines, {max} at most", path.display());
            assert!(text.starts_with("//!"), "{} begins without a word on what it is", path.display());
        }
    }
}

#[test]
fn the_page_has_little_javascript_and_nothing_inline() {
    let scripts = files("www", &[".js"]);
    let lines: usize = scripts.iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= MAX_JAVASCRIPT_LINES, "{lines} lines of JavaScript");
    for (path, text) in &scripts {
        assert!(text.starts_with("// @ts-check"), "{} is not type-checked", path.display());
    }
    for (path, text) in files("www", &[".html"]) {
        for inline in ["style=", "onclick=", "<style", "javascript:"] {
            assert!(!text.contains(inline), "{} has {inline}", path.display());
        }
    }
}

#[test]
fn the_project_speaks_of_itself_only() {
    let outside = ["..", "/shared"].concat();
    for (path, text) in files(".", &[".rs", ".md", ".toml", ".js", ".mjs", ".html", ".css", ".json"]) {
        assert!(!text.contains(&outside), "{} names a folder outside", path.display());
    }
}
