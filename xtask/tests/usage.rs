//! Usage: what the program itself does with words that it doesn't know.

use std::process::{Command, Output};

fn xtask(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(args).output().expect("xtask starts")
}

#[test]
fn a_wrong_command_line_shows_the_usage_and_exits_with_2() {
    for args in [&[][..], &["nonsense"], &["serve", "--port", "x"], &["build", "--nonsense"]] {
        let output = xtask(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr.contains("Usage: cargo xtask"), "{args:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn help_is_no_error() {
    let output = xtask(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("gen-trace"));
}

#[test]
fn a_file_that_is_not_there_exits_with_1_before_anything_is_built() {
    let output = xtask(&["serve", "--open", "no-such-file.json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("no-such-file.json") && !stderr.contains("cargo rustc"), "{stderr}");
}
