//! One file: the whole page as a single HTML file that works from a disk, a mail or any host.
//!
//! ```text
//! <style> the style sheet     <script id=glue> the glue, which the worker takes from here too
//! <script id=worker>, <script id=module>: text that is not run, the module packed and in base64
//! ```
//!
//! Promises: nothing in it asks for anything else, and its own policy allows nothing else; scripts that contain
//! what would end a script element are written so that they mean the same without it; a page that asks for something
//! that is not put inside is an error.
//! Knows nothing of: how a bundle is made.

use std::fs;
use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::failure::{Result, Tried, cannot};
use crate::glue::{self, GLOBAL};
use crate::join::join;
use crate::settings;

pub const FILE: &str = "flameline.html";

/// Writes the one file into the folder of a bundle, from what is in that, unless it has more than so many times
/// 1,000 bytes.
pub fn write_one_file(dir: &Path, max_kb: Option<u64>) -> Result<()> {
    let read = |name: &str| {
        let path = dir.join(name);
        // as a browser reads it, which is what the hashes are of
        fs::read_to_string(&path).tried("read", &path).map(|text| text.replace("\r\n", "\n"))
    };
    let module = dir.join(glue::MODULE);
    let parts = Parts {
        page: read("index.html")?,
        style: read("style.css")?,
        glue: read("flameline.js")?,
        worker: read("worker.js")?,
        main: join(&dir.join("main.js"))?,
        module: packed(&fs::read(&module).tried("read", &module)?).tried("pack", &module)?,
    };
    let (path, page) = (dir.join(FILE), parts.put_together()?);
    if let Some(limit) = max_kb.filter(|limit| page.len() as u64 > limit.saturating_mul(1000)) {
        return cannot(format!(
            "{FILE} is too large: {} bytes, and max_one_file_kb in {} is {limit}",
            page.len(),
            settings::FILE
        ));
    }
    fs::write(&path, page).tried("write", &path)
}

struct Parts {
    page: String,
    style: String,
    glue: String,
    worker: String,
    main: String,
    /// Base64.
    module: String,
}

impl Parts {
    fn put_together(&self) -> Result<String> {
        // A module, since a classic script would look for its own address, which a preview in a mail program has not.
        // Its names are its own, but for one.
        let glue = format!("{}\nglobalThis.{GLOBAL} = {GLOBAL};\n", self.glue);
        let [glue, worker, main] = [&glue, &self.worker, &self.main].map(|script| inline(script));
        refuse(&self.style, "style.css", &["</style", "@import", "url("])?;
        let policy = format!(
            "default-src 'none'; script-src {} {} 'wasm-unsafe-eval'; style-src {}; worker-src blob:; \
             img-src data: blob:; base-uri 'none'; form-action 'none'",
            hash(&glue),
            hash(&main),
            hash(&self.style)
        );
        let mut page = self.page.clone();
        let before = "http-equiv=\"Content-Security-Policy\" content=\"";
        let old = between(&self.page, before, "\"")?;
        replace(&mut page, &format!("{before}{old}"), &format!("{before}{policy}"))?;
        let style = format!("<style>{}</style>", self.style);
        replace(&mut page, "<link rel=\"stylesheet\" href=\"style.css\">", &style)?;
        replace(&mut page, "<script src=\"flameline.js\" defer></script>\n", "")?;
        replace(&mut page, "<script src=\"main.js\" type=\"module\"></script>\n", "")?;
        refuse(
            &without_data(&page),
            "index.html",
            &["src=", "<link", "<base", "<iframe", "<object", "srcset="],
        )?;
        let scripts = format!(
            "<script id=\"glue\" type=\"module\">{glue}</script>\n\
             <script id=\"worker\" type=\"text/plain\">{worker}</script>\n\
             <script id=\"module\" type=\"text/plain\">{}</script>\n\
             <script type=\"module\">{main}</script>\n\
             </body>",
            self.module
        );
        replace(&mut page, "</body>", &scripts)?;
        Ok(page)
    }
}

/// A script as it can stand inside a page: the same to a reader of JavaScript, without what ends or opens
/// anything in HTML.
fn inline(script: &str) -> String {
    let mut inlined = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(at) = rest.find('<') {
        let (before, here) = rest.split_at(at + 1);
        inlined.push_str(before);
        let is_end = here.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("/script"));
        if is_end || here.starts_with("!--") {
            inlined.push('\\');
        }
        rest = here;
    }
    inlined + rest
}

/// The page without its icon, which is inside already.
fn without_data(page: &str) -> String {
    page.replace("<link rel=\"icon\" href=\"data:", "")
}

fn refuse(text: &str, name: &str, words: &[&str]) -> Result<()> {
    let lower = text.to_ascii_lowercase();
    match words.iter().find(|word| lower.contains(**word)) {
        Some(word) => cannot(format!("{name} has {word:?}, which is not put into {FILE}")),
        None => Ok(()),
    }
}

/// What a policy allows by its text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn packed(module: &[u8]) -> std::io::Result<String> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(module)?;
    Ok(STANDARD.encode(packer.finish()?))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Result<&'a str> {
    let inner = text.split_once(before).and_then(|(_, rest)| rest.split_once(after));
    match inner {
        Some((inner, _)) => Ok(inner),
        None => cannot(format!("index.html has no {before}…{after}")),
    }
}

/// Replaces what must stand there exactly once.
fn replace(page: &mut String, what: &str, with: &str) -> Result<()> {
    match page.matches(what).count() {
        1 => *page = page.replacen(what, with, 1),
        count => return cannot(format!("index.html has {count} times what must stand there once: {what}")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(main: &str) -> Parts {
        let page = "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'\">\n\
                    <link rel=\"stylesheet\" href=\"style.css\">\n<script src=\"flameline.js\" defer></script>\n\
                    <script src=\"main.js\" type=\"module\"></script>\n</head>\n<body>\n</body>\n";
        let [page, style, glue, worker, main, module] =
            [page, "p{}", "let a;", "b()", main, "AAAA"].map(str::to_owned);
        Parts { page, style, glue, worker, main, module }
    }

    #[test]
    fn everything_is_inside_and_allowed_by_its_hash() {
        let page = parts("c()").put_together().expect("a page");
        assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("connect-src"), "{page}");
        let glue = "let a;\nglobalThis.wasm_bindgen = wasm_bindgen;\n";
        for allowed in ["c()", glue, "p{}"] {
            assert!(page.contains(&hash(allowed)), "{allowed} is not allowed by {page}");
        }
        for part in ["<style>p{}</style>", ">let a;\n", ">b()</script>", ">AAAA</script>", ">c()</script>"] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
    }

    #[test]
    fn a_script_can_hold_the_end_of_a_script() {
        let page = parts("say('</script></SCRIPT ><!-- < ä </')").put_together().expect("a page");
        assert!(page.contains(">say('<\\/script><\\/SCRIPT ><\\!-- < ä </')</script>"), "{page}");
    }

    #[test]
    fn hashes_are_those_of_the_policy() {
        // from the example of the standard, for the script alert('Hello, world.');
        assert_eq!(hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn a_page_that_is_put_together_otherwise_is_an_error() {
        let mut odd = parts("");
        odd.page = odd.page.replace(" defer", "");
        let message = odd.put_together().expect_err("it was made").to_string();
        assert!(message.contains("flameline.js"), "{message}");
    }

    #[test]
    fn what_would_be_asked_for_is_an_error() {
        for more in
            ["<img src=\"a.png\">", "<LINK rel=\"preload\" href=\"a\">", "<script src=\"more.js\"></script>"]
        {
            let mut odd = parts("");
            odd.page = odd.page.replace("<body>", &format!("<body>{more}"));
            let message = odd.put_together().expect_err("it was made").to_string();
            assert!(message.contains("index.html has"), "{message}");
        }
        for style in ["@import 'a.css';", "p { background: url(a.png); }", "/* </style> */"] {
            let mut odd = parts("");
            odd.style = style.to_owned();
            let message = odd.put_together().expect_err("it was made").to_string();
            assert!(message.contains("style.css has"), "{message}");
        }
    }

    #[test]
    fn a_packed_module_unpacks_again() {
        let text = packed(&[7; 100_000]).expect("packing into memory");
        assert!(text.len() < 1000);
        let bytes = STANDARD.decode(text).expect("base64");
        let mut back = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut back).expect("gzip");
        assert_eq!(back, [7; 100_000]);
    }
}
