//! Gzip, also of several members, in pieces cut anywhere.
//!
//! Promises: what can be decoded is passed on before the first damage; zeros behind the last member are padding.
//! Costs: 64 KiB of window; a piece of 16 KiB gives at most 16 MiB at once (the format's limit is 1:1032).

use std::io::Write;

use flate2::write::MultiGzDecoder;

/// A stream of gzip members being decoded.
#[derive(Debug)]
pub struct Gzip {
    decoder: MultiGzDecoder<Vec<u8>>,
    damage: Option<String>,
}

/// Compressed bytes decoded at once.
const PIECE: usize = 16 << 10;

/// The first bytes of gzip.
pub const MAGIC: [u8; 2] = [0x1F, 0x8B];

impl Default for Gzip {
    fn default() -> Self {
        Gzip { decoder: MultiGzDecoder::new(Vec::new()), damage: None }
    }
}

impl Gzip {
    /// Decodes the next bytes; `take` gets the text in pieces.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) {
        for piece in bytes.chunks(PIECE) {
            if self.damage.is_some() {
                return;
            }
            let result = self.decoder.write_all(piece);
            self.pass_on(&mut take);
            if let Err(error) = result {
                let is_padding = piece.last() == Some(&0) && error.to_string().contains("header");
                self.damage = (!is_padding).then(|| error.to_string());
                if is_padding {
                    self.damage = Some(String::new());
                }
            }
        }
    }

    /// Takes the end of the input; says what is wrong with the compressed data, if anything is.
    pub fn finish(&mut self, mut take: impl FnMut(&[u8])) -> Option<String> {
        let result = match self.damage {
            None => self.decoder.try_finish().map_err(|error| error.to_string()),
            Some(_) => Ok(()),
        };
        self.pass_on(&mut take);
        let damage = self.damage.take().or(result.err());
        damage.filter(|text| !text.is_empty())
    }

    fn pass_on(&mut self, take: &mut impl FnMut(&[u8])) {
        let decoded = self.decoder.get_mut();
        if !decoded.is_empty() {
            take(decoded);
            decoded.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(bytes: &[u8], step: usize) -> (Vec<u8>, Option<String>) {
        let (mut gzip, mut text) = (Gzip::default(), Vec::new());
        bytes.chunks(step).for_each(|piece| gzip.feed(piece, |decoded| text.extend_from_slice(decoded)));
        let damage = gzip.finish(|decoded| text.extend_from_slice(decoded));
        (text, damage)
    }

    #[test]
    fn members_follow_each_other_wherever_the_bytes_are_cut() {
        let bytes = [packed(b"one "), packed(b""), packed(b"two")].concat();
        for step in 1..=bytes.len() {
            assert_eq!(unpack(&bytes, step), (b"one two".to_vec(), None), "{step}");
        }
    }

    #[test]
    fn a_cut_stream_gives_what_is_whole_and_says_so() {
        let text = b"0123456789".repeat(10_000);
        let bytes = packed(&text);
        let (decoded, damage) = unpack(&bytes[..bytes.len() - 9], 7);
        assert!(text.starts_with(&decoded));
        assert!(damage.is_some());
    }

    #[test]
    fn zeros_behind_the_last_member_are_padding_but_other_bytes_are_damage() {
        let padded = [packed(b"text"), vec![0; 512]].concat();
        assert_eq!(unpack(&padded, 1000), (b"text".to_vec(), None));
        let damaged = [packed(b"text"), b"rubbish and more rubbish".to_vec()].concat();
        let (text, damage) = unpack(&damaged, 1000);
        assert_eq!(text, b"text");
        assert!(damage.is_some());
    }
}
