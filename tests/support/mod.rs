//! What the tests share: golden files.
//!
//! A golden file holds the output that is right. `BLESS=1 cargo test` rewrites all of them;
//! the difference is then reviewed like code.

use std::path::Path;

/// Compares `actual` with the golden file, or rewrites the file when `BLESS=1` is set.
///
/// On a difference the actual output is left on disk and the first differing line is shown.
#[track_caller]
pub fn check_golden(golden: &Path, actual: &[u8]) {
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(golden, actual).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read(golden).unwrap_or_default();
    if expected == actual {
        return;
    }
    let name = golden.file_name().expect("a golden file has a name");
    let left = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&left, actual).expect("the actual output can be written");
    let [expected, actual] = [&expected, actual].map(|text| String::from_utf8_lossy(text).into_owned());
    let (expected, actual) = (expected.lines(), actual.lines());
    let same = expected.clone().zip(actual.clone()).take_while(|(a, b)| a == b).count();
    panic!(
        "line {} differs from {}\n  expected: {}\n  actual:   {}\nThe whole output is in {}; BLESS=1 accepts it.",
        same + 1,
        golden.display(),
        expected.clone().nth(same).unwrap_or("(the end)"),
        actual.clone().nth(same).unwrap_or("(the end)"),
        left.display(),
    );
}
