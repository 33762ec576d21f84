//! What can go wrong between a file and a raw surface.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place in a file: text formats name the line, binary ones the byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Line number, from 1.
    Line(usize),
    /// Byte offset, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Failure of a reader. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing has this name.
    #[error("there is no file {}\n  remedy: check the name and the folder", .path.display())]
    FileNotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder, a pipe or a device.
    #[error("{} is not a regular file\n  remedy: name a mesh file", .path.display())]
    NotAFile {
        /// The path as given.
        path: PathBuf,
    },
    /// The operating system refuses to open the file.
    #[error("no permission to read {}\n  remedy: change its permissions or copy it", .path.display())]
    NoPermission {
        /// The path as given.
        path: PathBuf,
    },
    /// The operating system failed to read the file.
    #[error("cannot read {}: {reason}\n  remedy: check the disk or the network share", .path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// Zero bytes, or nothing but white space.
    #[error("the file is empty\n  remedy: export the mesh again")]
    EmptyFile,
    /// Longer than 4 GiB.
    #[error(
        "the file has {bytes} bytes, more than the {limit} that fit\n  remedy: decimate the mesh before export"
    )]
    TooLarge {
        /// Its length.
        bytes: u64,
        /// The longest that is read.
        limit: u64,
    },
    /// Not one of the formats that are read.
    #[error(
        "not a mesh that can be read: {found}\n  remedy: export it as OBJ, STL, PLY, OFF or glTF; formats of simulations such as Gmsh, VTK and Abaqus are read too"
    )]
    UnknownFormat {
        /// What the first bytes look like.
        found: String,
    },
    /// A known format, but a variant of it that is not read.
    #[error("the file uses {what}, which is not read\n  remedy: {remedy}")]
    Unsupported {
        /// The variant or extension, by its name.
        what: String,
        /// What to do instead.
        remedy: String,
    },
    /// A file that belongs to the mesh file is missing or cannot be read.
    #[error("in the file {}, which belongs to it: {error}", .file.display())]
    Companion {
        /// Its name, as the mesh file writes it or as derived from the name of the mesh file.
        file: PathBuf,
        /// What is wrong with it.
        error: Box<ReadError>,
    },
    /// A statement that cannot be understood.
    #[error("{place}: {what}\n  remedy: correct the place, or export the mesh again")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong there.
        what: String,
    },
    /// The file ends too early.
    #[error(
        "the file ends at byte {byte} where {expected} should follow\n  remedy: it was cut short: copy or export it again"
    )]
    Truncated {
        /// Length of the file, or where the reader stood.
        byte: usize,
        /// What is missing.
        expected: String,
    },
    /// A face names a vertex that does not exist.
    #[error(
        "{place}: a face uses vertex {index}, but there {}\n  remedy: export the mesh again",
        are_vertices(*.vertices)
    )]
    IndexOutOfRange {
        /// Where the face stands.
        place: Place,
        /// The number as the file writes it.
        index: i64,
        /// Vertices in the file.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite, or too large for a 64-bit number.
    #[error(
        "{place}: vertex {index} has a coordinate that is not a finite number\n  remedy: remove that vertex, or export the mesh again"
    )]
    NonFinite {
        /// Where the vertex stands.
        place: Place,
        /// Number of the vertex in the file, from 0.
        index: usize,
    },
    /// The file holds no face.
    #[error(
        "the file has no triangles, only {found}\n  remedy: export a triangle surface or tetrahedra, not points, wires or cells of other kinds"
    )]
    NoTriangles {
        /// What it holds instead.
        found: String,
    },
    /// The vertices have no property of this name.
    #[error(
        "the vertices have no attribute `{name}`, only {known}\n  remedy: correct the name, or export the mesh with it"
    )]
    NoAttribute {
        /// The path as given.
        name: String,
        /// What they have.
        known: String,
    },
    /// The header claims more elements than the file has bytes.
    #[error(
        "{place}: the header claims {claimed} {what}, but the file has only {bytes} bytes\n  remedy: it is damaged: export it again"
    )]
    TooManyClaimed {
        /// Where the claim stands.
        place: Place,
        /// Kind of element.
        what: String,
        /// How many are claimed.
        claimed: u64,
        /// Length of the file.
        bytes: usize,
    },
}

pliant_core::error_code!(ReadError);

impl ReadError {
    /// What is wrong with `file`, which is named once.
    pub fn of_file(&self, file: &Path) -> String {
        match self {
            Self::FileNotFound { .. }
            | Self::NotAFile { .. }
            | Self::NoPermission { .. }
            | Self::Unreadable { .. } => self.to_string(),
            _ => format!("{}: {self}", file.display()),
        }
    }

    /// `"line 12"` or `"byte 84"`, where the error has a place in the file.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Syntax { place, .. }
            | Self::IndexOutOfRange { place, .. }
            | Self::NonFinite { place, .. }
            | Self::TooManyClaimed { place, .. } => Some(place.to_string()),
            Self::Companion { error, .. } => error.place(),
            Self::Truncated { byte, .. } => Some(Place::Byte(*byte).to_string()),
            _ => None,
        }
    }

    pub(super) fn syntax(place: Place, what: impl Into<String>) -> Self {
        Self::Syntax {
            place,
            what: what.into(),
        }
    }

    /// More elements are claimed at `place` than a file of `bytes` bytes can hold.
    pub(super) fn too_many(
        place: Place,
        what: impl Into<String>,
        claimed: u64,
        bytes: usize,
    ) -> Self {
        Self::TooManyClaimed {
            place,
            what: what.into(),
            claimed,
            bytes,
        }
    }

    pub(super) fn unsupported(what: impl Into<String>, remedy: &str) -> Self {
        Self::Unsupported {
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// The same error, found in a file next to the mesh file.
    pub(super) fn in_companion(self, file: &Path) -> Self {
        Self::Companion {
            file: file.to_path_buf(),
            error: Box::new(self),
        }
    }

    pub(super) fn truncated(byte: usize, expected: impl Into<String>) -> Self {
        Self::Truncated {
            byte,
            expected: expected.into(),
        }
    }
}

/// The end of "but there": how many vertices there are.
fn are_vertices(count: usize) -> String {
    match count {
        0 => "is none".to_string(),
        1 => "is only one".to_string(),
        _ => format!("are {count} vertices"),
    }
}
