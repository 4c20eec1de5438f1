//! Bytes as they come, compressed or not, to text.

use super::gzip::{Gzip, MAGIC};

/// Tells gzip from text by the first two bytes, and decodes it.
#[derive(Debug)]
pub enum Unpack {
    /// The first bytes, until there are two.
    First(Vec<u8>),
    Plain,
    Gzip(Box<Gzip>),
}

impl Default for Unpack {
    fn default() -> Self {
        Unpack::First(Vec::new())
    }
}

impl Unpack {
    /// Takes the next bytes; `take` gets the text in pieces.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) {
        match self {
            Unpack::Plain => take(bytes),
            Unpack::Gzip(gzip) => gzip.feed(bytes, take),
            Unpack::First(first) => {
                first.extend_from_slice(bytes);
                if first.len() < MAGIC.len() {
                    return;
                }
                let first = std::mem::take(first);
                *self = if first.starts_with(&MAGIC) { Unpack::Gzip(Box::default()) } else { Unpack::Plain };
                self.feed(&first, take);
            }
        }
    }

    /// Takes the end of the input; says what is wrong with the compressed data, if anything is.
    pub fn finish(&mut self, mut take: impl FnMut(&[u8])) -> Option<&'static str> {
        match self {
            Unpack::Plain => None,
            Unpack::Gzip(gzip) => gzip.finish(),
            Unpack::First(first) => {
                take(&std::mem::take(first));
                None
            }
        }
    }
}
