//! Scratch: a folder for one test, gone when the test is over.

use std::fs;
use std::path::{Path, PathBuf};

pub struct Scratch(PathBuf);

impl Scratch {
    /// Tests run side by side, so each needs a name of its own.
    pub fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("flameline-xtask-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("the folder for temporary files can be written");
        Self(dir)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and the folders that it is in.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&self.0)).expect("a folder can be made");
        fs::write(&file, content).expect("a file can be written");
        file
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
