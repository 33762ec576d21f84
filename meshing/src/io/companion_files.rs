//! Files that belong to a mesh file: TetGen's three files, the buffers of glTF.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::error::ReadError;
use super::memory_files::kept_file;

/// Longest file that is read: vertex numbers and places then fit 32 bits.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

pub(super) fn refuse_too_large(bytes: u64) -> Result<(), ReadError> {
    if bytes > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge {
            bytes,
            limit: MAX_FILE_BYTES,
        });
    }
    Ok(())
}

/// The content of a regular file, or of one that is kept in memory.
pub(super) fn open(path: &Path) -> Result<Vec<u8>, ReadError> {
    if let Some(kept) = kept_file(path) {
        refuse_too_large(kept.len() as u64)?;
        return Ok(kept.to_vec());
    }
    let failed = |error: std::io::Error| {
        let path = path.to_path_buf();
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::FileNotFound { path },
            ErrorKind::PermissionDenied => ReadError::NoPermission { path },
            ErrorKind::IsADirectory => ReadError::NotAFile { path },
            _ => ReadError::Unreadable {
                path,
                reason: error.to_string(),
            },
        }
    };
    let file_metadata = std::fs::metadata(path).map_err(failed)?;
    if !file_metadata.is_file() {
        let path = path.to_path_buf();
        return Err(ReadError::NotAFile { path });
    }
    refuse_too_large(file_metadata.len())?;
    std::fs::read(path).map_err(failed)
}

/// Finds the files that belong to a mesh file by its path; there is none when it was read from memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompanionFiles<'a> {
    pub path: Option<&'a Path>,
}

impl CompanionFiles<'_> {
    /// The file of this relative name in the folder of the mesh file or below. Names that lead out of it are refused.
    pub fn named(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let name = Path::new(name);
        let inside = name
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !inside {
            return Err(ReadError::unsupported(
                format!("the file {} outside its folder", name.display()),
                "put it beside the mesh file and correct the name",
            ));
        }
        let missing = || {
            let path = name.to_path_buf();
            ReadError::FileNotFound { path }.in_companion(name)
        };
        let folder = self.path.ok_or_else(missing)?;
        open(&folder.with_file_name(name)).map_err(|e| e.in_companion(name))
    }

    /// The file with the same name, but another extension; `None` where there is none.
    pub fn sibling(&self, extension: &str) -> Result<Option<Sibling>, ReadError> {
        let Some(path) = self.path else {
            return Ok(None);
        };
        let path = path.with_extension(extension);
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        match open(&path) {
            Ok(bytes) => Ok(Some(Sibling { name, bytes })),
            Err(ReadError::FileNotFound { .. }) => Ok(None),
            Err(error) => Err(error.in_companion(&name)),
        }
    }
}

/// A file next to the mesh file.
#[derive(Debug)]
pub(super) struct Sibling {
    /// Without its folder.
    pub name: PathBuf,
    pub bytes: Vec<u8>,
}
