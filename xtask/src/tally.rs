//! Tally: how many tests passed and failed, read from what the runners print.
//!
//! Knows cargo's `test result:` line and the totals of node's runner (TAP and spec form).
//! Knows nothing of: which tests there are; a runner's exit code counts besides, not instead.

use std::fmt;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Tally {
    pub fn see(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("test result: ") {
            for part in rest.split(['.', ';']) {
                match part.trim().split_once(' ') {
                    Some((n, "passed")) => self.passed += number(n),
                    Some((n, "failed")) => self.failed += number(n),
                    Some((n, "ignored")) => self.skipped += number(n),
                    _ => {}
                }
            }
        } else if let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) {
            match rest.split_once(' ') {
                Some(("pass", n)) => self.passed += number(n),
                Some(("fail" | "cancelled", n)) => self.failed += number(n),
                Some(("skipped" | "todo", n)) => self.skipped += number(n),
                _ => {}
            }
        }
    }
}

fn number(text: &str) -> u64 {
    text.trim().parse().unwrap_or(0)
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runners_are_summed() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; \
             finished in 0.01s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "ℹ tests 5",
            "ℹ pass 4",
            "ℹ fail 1",
            "# pass 10",
            "# cancelled 1",
        ] {
            tally.see(line);
        }
        assert_eq!(tally.to_string(), "18 passed, 4 failed, 1 skipped");
    }
}
