//! Failure: why a command stopped, in a form that a person can act on.
//!
//! Promises: one sentence or a few; what was tried, on what, what was found, what to do.
//! Knows nothing of: how it is printed, beyond the exit code that belongs to it.

use std::fmt;
use std::path::Path;

/// Why a command stopped.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line can't be understood: exit code 2, and the usage is shown.
    Usage(String),
    /// The command line is fine, the work could not be done: exit code 1.
    Cannot(String),
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Cannot(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Cannot(text) => f.write_str(text),
        }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Shorthand for the common kind.
pub fn cannot<T>(text: impl Into<String>) -> Result<T> {
    Err(Failure::Cannot(text.into()))
}

/// Adds what was tried on which path to an error of the operating system.
pub trait Tried<T> {
    fn tried(self, what: &str, path: &Path) -> Result<T>;
}

impl<T, E: fmt::Display> Tried<T> for std::result::Result<T, E> {
    fn tried(self, what: &str, path: &Path) -> Result<T> {
        self.map_err(|error| Failure::Cannot(format!("can't {what} {}: {error}", path.display())))
    }
}
