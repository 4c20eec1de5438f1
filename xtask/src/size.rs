//! Size: what the module weighs, as it is and as a server would send it.
//!
//! Knows nothing of: what is in the module.

use std::fmt;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::{Result, Tried, cannot};
use crate::settings::FILE;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub raw: u64,
    pub gzip: u64,
}

impl Size {
    pub fn of(file: &Path) -> Result<Self> {
        let bytes = std::fs::read(file).tried("read", file)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        let packed = packed.tried("compress", file)?;
        Ok(Self { raw: bytes.len() as u64, gzip: packed.len() as u64 })
    }

    /// A kilobyte is 1,000 bytes, here and in the message.
    pub fn within(self, max_gzip_kb: Option<u64>) -> Result<()> {
        match max_gzip_kb {
            Some(limit) if self.gzip > limit.saturating_mul(1000) => cannot(format!(
                "the module is too large: {self}, and max_gzip_kb in {FILE} is {limit}; make it \
                 smaller, or raise the limit if the growth is worth it to everybody who opens the \
                 page"
            )),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kb = |bytes: u64| format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100);
        write!(f, "{}, {} after gzip", kb(self.raw), kb(self.gzip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_over_the_limit_fails_with_both_numbers() {
        let size = Size { raw: 900_000, gzip: 300_001 };
        assert_eq!(size.within(None), Ok(()));
        assert_eq!(size.within(Some(301)), Ok(()));
        let message = size.within(Some(300)).expect_err("it passed").to_string();
        assert!(message.contains("300.0 kB after gzip"), "{message}");
        assert!(message.contains("max_gzip_kb in wasm-pack.toml is 300"), "{message}");
    }
}
