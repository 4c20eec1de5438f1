//! Reads short stretches of a file that lie near each other, and of what a gzip file holds.
//!
//! Promises: a stretch comes whole or not at all.
//! Costs: one read for each 64 KiB, 4 MiB of memory, however many stretches lie in them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;

/// Bytes of a block. A read of 64 KiB costs little more than one of 4 KiB.
const BLOCK: u64 = 1 << 16;
/// Blocks kept: slices in the order of time jump between the places where their threads were written.
const KEPT: usize = 64;

/// A file as blocks, the last ones used at hand.
#[derive(Debug)]
pub struct Blocks {
    file: File,
    /// Number and content, the one used last in front.
    kept: Vec<(u64, Vec<u8>)>,
}

impl Blocks {
    /// No block is read yet.
    pub fn new(file: File) -> Self {
        Blocks { file, kept: Vec::new() }
    }

    /// `len` bytes at `offset`, or fewer where the file ends before.
    pub fn read(&mut self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let end = offset.saturating_add(len);
        if len > BLOCK {
            return self.read_file(offset, len);
        }
        let mut bytes = Vec::with_capacity(len as usize);
        for number in offset / BLOCK..end.div_ceil(BLOCK) {
            let start = number * BLOCK;
            let block = self.block(number)?;
            // both below BLOCK, so they fit an index
            let cut = |at: u64| (at.clamp(start, start + BLOCK) - start) as usize;
            let (from, to) = (cut(offset).min(block.len()), cut(end).min(block.len()));
            bytes.extend_from_slice(&block[from..to]);
        }
        Ok(bytes)
    }

    fn block(&mut self, number: u64) -> io::Result<&[u8]> {
        match self.kept.iter().position(|block| block.0 == number) {
            Some(at) => self.kept[..=at].rotate_right(1),
            None => {
                let bytes = self.read_file(number * BLOCK, BLOCK)?;
                self.kept.truncate(KEPT - 1);
                self.kept.insert(0, (number, bytes));
            }
        }
        Ok(&self.kept[0].1)
    }

    fn read_file(&mut self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(offset))?;
        (&mut self.file).take(len).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// What a gzip file holds, decoded again from its beginning up to the place that is asked for.
pub struct Decoded {
    decoder: MultiGzDecoder<BufReader<File>>,
    at: u64,
}

impl Decoded {
    /// Nothing is decoded yet.
    pub fn new(file: File) -> io::Result<Self> {
        Ok(Decoded { decoder: decoder(file)?, at: 0 })
    }

    /// `len` bytes at `offset`, or fewer where the text ends before. O(offset) when it goes back.
    pub fn read(&mut self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        if offset < self.at {
            let file = self.decoder.get_ref().get_ref().try_clone()?;
            *self = Decoded::new(file)?;
        }
        self.at += io::copy(&mut (&mut self.decoder).take(offset - self.at), &mut io::sink())?;
        let mut bytes = Vec::new();
        // what was decoded before the stream broke off is there all the same
        let read = (&mut self.decoder).take(len).read_to_end(&mut bytes);
        self.at += bytes.len() as u64;
        match read {
            Err(error) if bytes.is_empty() => Err(error),
            _ => Ok(bytes),
        }
    }
}

fn decoder(mut file: File) -> io::Result<MultiGzDecoder<BufReader<File>>> {
    file.seek(SeekFrom::Start(0))?;
    Ok(MultiGzDecoder::new(BufReader::new(file)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A file without a name that holds `bytes`.
    fn file(name: &str, bytes: &[u8]) -> File {
        let path = std::env::temp_dir().join(format!("flameline-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file
    }

    fn text() -> Vec<u8> {
        (0..40_000).flat_map(|n: u32| format!("{n:05} ").into_bytes()).collect()
    }

    #[test]
    fn stretches_come_whole_across_borders_and_end_with_the_file() {
        let text = text();
        let mut blocks = Blocks::new(file("blocks", &text));
        let border = BLOCK as usize;
        let last = text.len();
        let ranges = [
            0..10,
            border - 3..border + 3,
            border..2 * border,
            1..last,
            5..5,
            border - 1..border,
            last - 9..last,
        ];
        for range in ranges {
            let read = blocks.read(range.start as u64, range.len() as u64).unwrap();
            assert!(read == text[range.clone()], "{range:?}");
        }
        assert_eq!(blocks.read(last as u64 - 2, 100).unwrap(), text[last - 2..]);
        assert!(blocks.read(last as u64 + 9, 100).unwrap().is_empty());
    }

    #[test]
    fn blocks_that_are_used_again_stay_and_the_others_go() {
        let text = vec![b'x'; (KEPT + 10) * BLOCK as usize];
        let mut blocks = Blocks::new(file("kept", &text));
        for number in 0..(KEPT + 10) as u64 {
            blocks.read(number * BLOCK, 8).unwrap();
            blocks.read(0, 8).unwrap();
        }
        assert_eq!(blocks.kept.len(), KEPT);
        assert_eq!(blocks.kept[0].0, 0);
    }

    #[test]
    fn decoded_text_can_be_read_forwards_and_backwards() {
        let text = text();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        let mut packed = encoder.finish().unwrap();
        packed.truncate(packed.len() - 4);
        let mut decoded = Decoded::new(file("decoded", &packed)).unwrap();
        for at in [100, 100_000, 7, 200_000, 239_995] {
            let read = decoded.read(at as u64, 12).unwrap();
            assert_eq!(read, text[at..(at + 12).min(text.len())], "{at}");
        }
    }
}
