//! Columns as bytes: what a display list is written into and read from on the other side.
//!
//! Promises: little-endian, every column behind its length; reading broken bytes gives an error and never panics.
//! Knows nothing of: what the columns mean.

/// Bytes that are not what the writer of this version makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where reading stopped.
    pub offset: usize,
}

/// A number that can stand in a column.
pub(super) trait Word: Copy {
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
    fn take(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($($kind:ty),*) => {$(
        impl Word for $kind {
            const SIZE: usize = size_of::<$kind>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn take(bytes: &[u8]) -> Self {
                <$kind>::from_le_bytes(bytes.try_into().expect("the reader cuts words to their size"))
            }
        }
    )*};
}

word!(u8, u32, i32, i64, f32, f64);

/// Writes columns one after another.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn one<T: Word>(&mut self, value: T) {
        value.put(&mut self.bytes);
    }

    pub fn column<T: Word>(&mut self, values: &[T]) {
        self.one(values.len() as u32); // a column of a list is far below 2^32 long
        self.bytes.reserve(values.len() * T::SIZE);
        values.iter().for_each(|value| value.put(&mut self.bytes));
    }

    /// A table of plain structs, a column for each of its numbers.
    pub fn table<R, const N: usize>(&mut self, rows: &[R], columns: [fn(&R) -> i64; N]) {
        self.one(rows.len() as u32);
        for column in columns {
            rows.iter().for_each(|row| column(row).put(&mut self.bytes));
        }
    }

    pub fn text(&mut self, text: &str) {
        self.column(text.as_bytes());
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what [`Writer`] wrote.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, offset: 0 }
    }

    pub fn one<T: Word>(&mut self) -> Result<T, Broken> {
        self.take(T::SIZE).map(T::take)
    }

    pub fn column<T: Word>(&mut self) -> Result<Vec<T>, Broken> {
        let len = self.one::<u32>()? as usize;
        let size = len.checked_mul(T::SIZE).ok_or_else(|| self.broken())?;
        Ok(self.take(size)?.chunks_exact(T::SIZE).map(T::take).collect())
    }

    /// The rows of a table, each as its numbers.
    pub fn table<const N: usize>(&mut self) -> Result<Vec<[i64; N]>, Broken> {
        let len = self.one::<u32>()? as usize;
        let size = len.checked_mul(8).ok_or_else(|| self.broken())?;
        if size.checked_mul(N).is_none_or(|all| all > self.bytes.len() - self.offset) {
            return Err(self.broken());
        }
        let mut rows = vec![[0; N]; len];
        for column in 0..N {
            let values = self.take(size)?.chunks_exact(8).map(i64::take);
            rows.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
        }
        Ok(rows)
    }

    pub fn text(&mut self) -> Result<String, Broken> {
        let offset = self.offset;
        String::from_utf8(self.column::<u8>()?).map_err(|_| Broken { offset })
    }

    /// The error for what was found here.
    pub fn broken(&self) -> Broken {
        Broken { offset: self.offset }
    }

    /// Fails unless everything has been read.
    pub fn end(&self) -> Result<(), Broken> {
        if self.offset == self.bytes.len() { Ok(()) } else { Err(self.broken()) }
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], Broken> {
        let end = self.offset.checked_add(size).filter(|&end| end <= self.bytes.len());
        let bytes = &self.bytes[self.offset..end.ok_or_else(|| self.broken())?];
        self.offset += size;
        Ok(bytes)
    }
}
