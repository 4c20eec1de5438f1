//! Call: a child process as plain data, so that a test can compare the exact command line.
//!
//! Promises: what `Display` shows can be pasted into a shell; a call of another toolchain
//! inherits nothing of the one that runs us.
//! Knows nothing of: which commands there are and what they are for.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, Result, cannot};

/// Which Rust toolchain a child may learn of from our own environment.
///
/// `cargo run` and rustup's proxies leave their choice in the environment; a compiler of another
/// version that finds it there calls the wrong rustc, or loads the wrong libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that runs us: `cargo +nightly xtask check` means nightly.
    Same,
    /// Another one: every trace of ours is removed.
    Other,
}

/// Set by cargo or rustup for us, misleading for a child.
const NOT_FOR_CHILDREN: [&str; 8] = [
    "CARGO",
    "RUSTC",
    "RUSTDOC",
    "RUST_RECURSION_COUNT",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "OUT_DIR",
];
const NOT_FOR_OTHER_TOOLCHAINS: [&str; 4] =
    ["RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUSTDOCFLAGS", "LD_LIBRARY_PATH"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Set for the child, in this order.
    pub env: Vec<(String, String)>,
    pub toolchain: Toolchain,
    /// `None`: where we are, the root of the workspace.
    pub dir: Option<PathBuf>,
}

impl Call {
    pub fn new<S: Into<String>>(program: impl Into<PathBuf>, args: impl IntoIterator<Item = S>) -> Self {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            toolchain: Toolchain::Same,
            dir: None,
        }
    }

    /// The cargo of the toolchain that runs us.
    pub fn cargo<S: Into<String>>(args: impl IntoIterator<Item = S>) -> Self {
        Self::new("cargo", args)
    }

    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    pub fn other_toolchain(mut self) -> Self {
        self.toolchain = Toolchain::Other;
        self
    }

    /// Shows the command line, runs it, and fails if it fails.
    pub fn run(&self) -> Result<()> {
        eprintln!("$ {self}");
        let status = self.command().status();
        self.judge(status.map(|status| status.success()))
    }

    /// As `run`, and hands each line of the child's standard output on as well as printing it.
    /// Says whether the child succeeded; only a child that can't be started is a failure.
    pub fn run_watched(&self, mut line_seen: impl FnMut(&str)) -> Result<bool> {
        eprintln!("$ {self}");
        let mut child =
            self.command().stdout(Stdio::piped()).spawn().map_err(|error| self.not_started(&error))?;
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                line_seen(&line);
            }
        }
        let status = child.wait().map_err(|error| self.not_started(&error))?;
        Ok(status.success())
    }

    /// The standard output of a child that has nothing to show; `None` if it fails or isn't there.
    pub fn answer(&self) -> Option<String> {
        let output = self.command().stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(text)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        for name in NOT_FOR_CHILDREN {
            command.env_remove(name);
        }
        if self.toolchain == Toolchain::Other {
            for name in NOT_FOR_OTHER_TOOLCHAINS {
                command.env_remove(name);
            }
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    fn judge(&self, success: std::io::Result<bool>) -> Result<()> {
        match success {
            Ok(true) => Ok(()),
            Ok(false) => cannot(format!("this failed: {self}")),
            Err(error) => Err(self.not_started(&error)),
        }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::Cannot(format!("can't start {}: {error}", self.program.display()))
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", quoted(value))?;
        }
        write!(f, "{}", quoted(&self.program.to_string_lossy()))?;
        for arg in &self.args {
            write!(f, " {}", quoted(arg))?;
        }
        match &self.dir {
            Some(dir) => write!(f, "   (in {})", dir.display()),
            None => Ok(()),
        }
    }
}

/// The program's full path, if `PATH` has it.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_pasted_into_a_shell() {
        let call = Call::cargo(["rustc", "--", "it's"]).env("RUSTFLAGS", "-C a=b");
        assert_eq!(call.to_string(), r"RUSTFLAGS='-C a=b' cargo rustc -- 'it'\''s'");
    }

    #[test]
    fn another_toolchain_inherits_nothing_of_ours() {
        let removed = |call: &Call| {
            let command = call.command();
            let gone = command.get_envs().filter(|(_, value)| value.is_none());
            gone.map(|(name, _)| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let call = Call::cargo(["--version"]);
        for name in ["RUSTC", "CARGO", "RUSTDOC"] {
            assert!(removed(&call).contains(&name.to_owned()), "{name} stays");
        }
        assert!(!removed(&call).contains(&"RUSTUP_TOOLCHAIN".to_owned()));
        assert!(removed(&call.other_toolchain()).contains(&"RUSTUP_TOOLCHAIN".to_owned()));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failure = Call::new("no-such-program-anywhere", ["x"]).run().expect_err("it ran");
        assert!(failure.to_string().contains("no-such-program-anywhere"), "{failure}");
    }

    #[cfg(unix)]
    #[test]
    fn a_watched_child_is_read_line_by_line_and_may_fail() {
        let mut lines = Vec::new();
        let call = Call::new("sh", ["-c", "echo one; echo two; exit 3"]);
        assert_eq!(call.run_watched(|line| lines.push(line.to_owned())), Ok(false));
        assert_eq!(lines, ["one", "two"]);
    }
}
