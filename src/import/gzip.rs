//! Gzip, also of several members, in pieces cut anywhere.
//!
//! Promises: what can be decoded is passed on before the first damage; zeros behind the last member are padding.
//! Costs: a window of 32 KiB and 256 KiB for the text passed on.

use flate2::{Crc, Decompress, FlushDecompress, Status};

/// A stream of gzip members being decoded (RFC 1952).
#[derive(Debug)]
pub struct Gzip {
    state: State,
    inflate: Decompress,
    crc: Crc,
    out: Vec<u8>,
}

#[derive(Debug)]
enum State {
    /// In a member's header; its bytes so far.
    Header(Vec<u8>),
    Body,
    /// In the eight bytes behind a member's data.
    Trailer(Vec<u8>),
    /// Behind a member: another may follow, or zeros.
    Between,
    Padding,
    Damaged(&'static str),
}

/// Text passed on at once: more would need more memory, less more calls.
const PIECE: usize = 256 << 10;

/// The first bytes of gzip.
pub const MAGIC: [u8; 2] = [0x1F, 0x8B];

impl Default for Gzip {
    fn default() -> Self {
        let (inflate, crc, out) = (Decompress::new(false), Crc::new(), vec![0; PIECE]);
        Gzip { state: State::Header(Vec::new()), inflate, crc, out }
    }
}

impl Gzip {
    /// Decodes the next bytes; `take` gets the text in pieces.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(&[u8])) {
        while let Some(&byte) = bytes.first() {
            let used = match &mut self.state {
                State::Header(header) => {
                    header.push(byte);
                    match header_end(header) {
                        Ok(false) => {}
                        Ok(true) => {
                            self.inflate.reset(false);
                            self.crc.reset();
                            self.state = State::Body;
                        }
                        Err(reason) => self.state = State::Damaged(reason),
                    }
                    1
                }
                State::Body => self.inflate(bytes, &mut take),
                State::Trailer(trailer) => {
                    trailer.push(byte);
                    if let [a, b, c, d, _, _, _, _] = trailer[..] {
                        let is_right = u32::from_le_bytes([a, b, c, d]) == self.crc.sum();
                        self.state =
                            if is_right { State::Between } else { State::Damaged("the checksum is wrong") };
                    }
                    1
                }
                State::Between => {
                    self.state = if byte == 0 { State::Padding } else { State::Header(Vec::new()) };
                    0
                }
                State::Padding if byte == 0 => 1,
                State::Padding => {
                    self.state = State::Damaged("other bytes follow the compressed data");
                    0
                }
                State::Damaged(_) => return,
            };
            bytes = &bytes[used..];
        }
    }

    /// What is wrong with the compressed data, if anything is, now that no more comes.
    pub fn finish(&self) -> Option<&'static str> {
        match &self.state {
            State::Between | State::Padding => None,
            State::Header(_) | State::Body | State::Trailer(_) => Some("the compressed data is cut"),
            State::Damaged(reason) => Some(reason),
        }
    }

    /// Inflates as much as gives one piece of text; says how many bytes that took.
    fn inflate(&mut self, bytes: &[u8], take: &mut impl FnMut(&[u8])) -> usize {
        let before = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(bytes, &mut self.out, FlushDecompress::None);
        let text = &self.out[..(self.inflate.total_out() - before.1) as usize];
        self.crc.update(text);
        if !text.is_empty() {
            take(text);
        }
        match status {
            Ok(Status::StreamEnd) => self.state = State::Trailer(Vec::new()),
            Ok(Status::Ok | Status::BufError) => {}
            Err(_) => self.state = State::Damaged("the compressed data is damaged"),
        }
        (self.inflate.total_in() - before.0) as usize
    }
}

/// Whether `header` is whole: ten bytes, then what its flags announce.
fn header_end(header: &[u8]) -> Result<bool, &'static str> {
    const WRONG: &str = "other bytes follow the compressed data";
    if header.iter().zip([MAGIC[0], MAGIC[1], 8]).any(|(&byte, magic)| byte != magic) {
        return Err(WRONG);
    }
    let Some((fixed, mut rest)) = header.split_at_checked(10) else { return Ok(false) };
    let flags = fixed[3];
    if flags & 4 != 0 {
        let Some((len, extra)) = rest.split_first_chunk() else { return Ok(false) };
        let Some(after) = extra.get(usize::from(u16::from_le_bytes(*len))..) else { return Ok(false) };
        rest = after;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let Some(end) = rest.iter().position(|&byte| byte == 0) else { return Ok(false) };
            rest = &rest[end + 1..];
        }
    }
    Ok(flags & 2 == 0 || rest.len() >= 2)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use flate2::{Compression, GzBuilder};

    fn packed(text: &[u8]) -> Vec<u8> {
        let builder = GzBuilder::new().filename("trace.json").comment("made here").extra(b"abc".to_vec());
        let mut encoder = builder.write(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(bytes: &[u8], step: usize) -> (Vec<u8>, Option<&'static str>) {
        let (mut gzip, mut text) = (Gzip::default(), Vec::new());
        bytes.chunks(step).for_each(|piece| gzip.feed(piece, |decoded| text.extend_from_slice(decoded)));
        (text, gzip.finish())
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
        assert_eq!((&text[..], damage), (&b"text"[..], Some("other bytes follow the compressed data")));
        let mut wrong = packed(b"text");
        let at = wrong.len() - 8;
        wrong[at] ^= 1;
        assert_eq!(unpack(&wrong, 1000), (b"text".to_vec(), Some("the checksum is wrong")));
    }
}
