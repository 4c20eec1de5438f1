//! Loads a trace from a file or from stdin, and reads again from the file what the trace left there.
//!
//! Promises: memory for the trace and a few blocks, never for the file; stdin and gzip keep their arguments' text.
//! Does not do: deciding the format or decoding gzip; the importer does both.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::blocks::{Blocks, Decoded};
use crate::import::{Import, ImportError, ImportOptions, Imported, TsUnit};
use crate::json;
use crate::trace::{Args, ArgsId};

/// Bytes read at once: large enough that calls cost nothing, small enough for the cache.
const BLOCK: usize = 1 << 20;
/// The same for those who do little more than look at the bytes: they are still in the nearest cache then.
const SMALL_BLOCK: usize = 128 << 10;

/// A trace and where the rest of its input is.
#[derive(Debug)]
pub struct Loaded {
    /// The trace and what its reading told.
    pub imported: Imported,
    /// Reads arguments.
    pub source: ArgsSource,
}

/// Where arguments are read.
#[derive(Debug)]
pub struct ArgsSource(Option<Blocks>);

/// Why nothing could be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The file could not be opened.
    Open(PathBuf, io::Error),
    /// Reading failed after this many bytes.
    Read(PathBuf, u64, io::Error),
    /// What was read is no trace.
    Import(PathBuf, ImportError),
}

/// Loads the trace at `path`, or from stdin when that is `-`.
pub fn load(path: &Path, ts_unit: TsUnit) -> Result<Loaded, LoadError> {
    if path.as_os_str() == "-" {
        let imported = import(path, io::stdin().lock(), ImportOptions { ts_unit, keep_text: true })?;
        return Ok(Loaded { imported, source: ArgsSource(None) });
    }
    let opened = |error| LoadError::Open(path.to_owned(), error);
    let (mut file, can_be_read_again) = open(path)?;
    let keep_text = !can_be_read_again;
    let mut imported = import(path, &mut file, ImportOptions { ts_unit, keep_text })?;
    if keep_text {
        return Ok(Loaded { imported, source: ArgsSource(None) });
    }
    if imported.trace.sources().iter().any(|source| source.is_kept) {
        // the importer found gzip and keeps what would have to be decoded again
        let mut decoded = Decoded::new(file).map_err(opened)?;
        imported.report.fill_texts(|offset, len| decoded.read(offset, len as u64).ok());
        return Ok(Loaded { imported, source: ArgsSource(None) });
    }
    let mut blocks = Blocks::new(file);
    imported.report.fill_texts(|offset, len| blocks.read(offset, len as u64).ok());
    Ok(Loaded { imported, source: ArgsSource(Some(blocks)) })
}

/// Opens what is not a directory; also says whether it can be read again.
fn open(path: &Path) -> Result<(File, bool), LoadError> {
    let opened = |error| LoadError::Open(path.to_owned(), error);
    let file = File::open(path).map_err(opened)?;
    let metadata = file.metadata().map_err(opened)?;
    if metadata.is_dir() {
        return Err(opened(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    // a pipe has a path too, and what was read from it is gone
    Ok((file, metadata.is_file()))
}

/// Feeds all of `input` to an importer.
fn import(path: &Path, input: impl Read, options: ImportOptions) -> Result<Imported, LoadError> {
    let refused = |error| LoadError::Import(path.to_owned(), error);
    let mut import = Import::new(options);
    read_blocks(path, input, BLOCK, |block| import.feed(block).map_err(refused))?;
    import.finish().map_err(refused)
}

/// Gives the file at `path`, or stdin when that is `-`, to `take` block by block.
pub(super) fn for_each_block(path: &Path, mut take: impl FnMut(&[u8])) -> Result<(), LoadError> {
    let take = |block: &[u8]| {
        take(block);
        Ok(())
    };
    match path.as_os_str() == "-" {
        true => read_blocks(path, io::stdin().lock(), SMALL_BLOCK, take),
        false => read_blocks(path, open(path)?.0, SMALL_BLOCK, take),
    }
}

fn read_blocks(
    path: &Path,
    mut input: impl Read,
    block_len: usize,
    mut take: impl FnMut(&[u8]) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let mut block = vec![0; block_len];
    let mut read = 0;
    loop {
        match input.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(len) => {
                take(&block[..len])?;
                read += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(LoadError::Read(path.to_owned(), read, error)),
        }
    }
}

impl ArgsSource {
    /// The arguments `id` of the trace that holds `args`: keys, and values as JSON text.
    pub fn args_of(&mut self, args: &Args, id: ArgsId) -> io::Result<Vec<(String, String)>> {
        let mut texts = Vec::new();
        for span in args.parts(id) {
            texts.push(match (args.kept_text(span), &mut self.0) {
                (Some(text), _) => text,
                (None, Some(blocks)) => blocks.read(span.offset, u64::from(span.len))?,
                (None, None) => Vec::new(),
            });
        }
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        Ok(json::merged_members(&texts))
    }
}

impl Loaded {
    /// The arguments `id`: keys, and values as JSON text.
    pub fn args_of(&mut self, id: ArgsId) -> io::Result<Vec<(String, String)>> {
        self.source.args_of(self.imported.trace.args(), id)
    }
}

impl fmt::Display for LoadError {
    /// What was tried, what was found, what to do, and on what.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Open(path, error) => {
                write!(out, "could not open the trace: {error}; check the path: {}", path.display())
            }
            LoadError::Read(path, read, error) => write!(
                out,
                "could not read the trace beyond byte {read}: {error}; try a copy of it: {}",
                path.display()
            ),
            LoadError::Import(path, error) => {
                write!(out, "{error}: {}", path.display())
            }
        }
    }
}

impl std::error::Error for LoadError {}
