//! Kinds of output files. An existing file of another kind is not overwritten.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// A kind of file that a command writes, recognized by its content.
pub struct FileKind {
    /// name in error messages
    name: &'static str,
    /// it begins with one of these
    prefixes: &'static [&'static [u8]],
    /// it contains this
    content: &'static [u8],
}

/// What `--json=FILE` writes.
pub const JSON: FileKind = kind("JSON object of Pliant", &[b"{"], b"\n  \"pliant\": \"");
/// A recording.
pub const RECORDING: FileKind = kind("recording", &[b"PLNTRECD"], b"");
/// Green's functions, dense or compressed.
pub const GREENS: FileKind = kind("file of Green's functions", &[b"PLNTGREE", b"GFW1"], b"");
/// The cells of a lattice.
pub const CELLS: FileKind = kind(
    "file of cells",
    &[b"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "],
    b"Name=\"component\" format=\"binary\">",
);
/// Curves of frames.
pub const CURVES: FileKind = kind("table of curves", &[b"time_s"], b"");
/// Ticks of the servo loop.
pub const TRACE: FileKind = kind("trace", &[b"time,x,y,z,fx,fy,fz,mode\n"], b"");
/// The schema of scenes.
pub const SCHEMA: FileKind = kind(
    "schema of scenes",
    &[b"{\n  \"$schema\": "],
    b"\"title\": \"A scene of Pliant\"",
);
/// A picture of the window.
pub const PICTURE: FileKind = kind("picture", &[b"\x89PNG\r\n\x1a\n"], b"");
/// Statistics of the window.
pub const STATISTICS: FileKind = kind("statistics", &[b"{\n  \"frames\": "], b"\"sim_frame_ms\"");

const fn kind(
    name: &'static str,
    prefixes: &'static [&'static [u8]],
    content: &'static [u8],
) -> FileKind {
    FileKind {
        name,
        prefixes,
        content,
    }
}

impl FileKind {
    fn is_in(&self, mut file: File) -> std::io::Result<bool> {
        let longest = self.prefixes.iter().map(|begin| begin.len()).max();
        let mut bytes = Vec::new();
        let first = longest.unwrap_or(0) as u64;
        file.by_ref().take(first).read_to_end(&mut bytes)?;
        if !self.prefixes.iter().any(|begin| bytes.starts_with(begin)) {
            return Ok(false);
        }
        if self.content.is_empty() {
            return Ok(true);
        }
        file.read_to_end(&mut bytes)?;
        let mut windows = bytes.windows(self.content.len());
        Ok(windows.any(|part| part == self.content))
    }
}

/// Refuses to overwrite the existing file `path`, unless it is of this kind or empty, and a folder in its place. Pipes and devices are always allowed.
pub fn refuse_foreign(path: &Path, kind: &FileKind) -> Result<(), Failure> {
    if path.is_dir() {
        let text = format!(
            "{} is a folder, and a {} is one file",
            path.display(),
            kind.name
        );
        let hint = "give the name of a file";
        return Err(Failure::bad_input("Unwritable", text, hint).at(path.display().to_string()));
    }
    let is_device = path.starts_with("/dev") || path.starts_with("/proc");
    if is_device || std::fs::metadata(path).map_or(true, |at| !at.is_file() || at.len() == 0) {
        return Ok(());
    }
    // a file that cannot be read is refused, too
    match File::open(path).and_then(|file| kind.is_in(file)) {
        Ok(true) => Ok(()),
        _ => {
            let text = format!("{} exists and is not a {}", path.display(), kind.name);
            let hint = "choose another name, or remove it";
            Err(Failure::bad_input("FileNotOurs", text, hint).at(path.display().to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_same_kind_are_replaced_and_others_stay() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let at = folder.path().join("file");
        assert!(refuse_foreign(&at, &JSON).is_ok(), "nothing is there");
        let json = "{\n  \"command\": \"scenes\",\n  \"pliant\": \"0.1.0\"\n}\n";
        let cases: [(&[u8], &FileKind, bool); 11] = [
            (b"", &GREENS, true),
            (b"PLNTGREE....", &GREENS, true),
            (b"GFW1....", &GREENS, true),
            (b"GFW", &GREENS, false),
            (b"schema = 1\n", &GREENS, false),
            (b"PLN", &GREENS, false),
            (json.as_bytes(), &JSON, true),
            (b"{\n  \"name\": \"pliant\"\n}\n", &JSON, false),
            (b"v 0 0 0\n", &CELLS, false),
            (b"time_s,lattice.force.finger_n\n", &CURVES, true),
            (b"Dear reader", &CURVES, false),
        ];
        for (bytes, kind, is_ours) in cases {
            std::fs::write(&at, bytes).expect("written");
            let refused = refuse_foreign(&at, kind);
            assert_eq!(refused.is_ok(), is_ours, "{}: {refused:?}", kind.name);
        }
        let refused = refuse_foreign(folder.path(), &CURVES).expect_err("a folder");
        assert_eq!(refused.code, "Unwritable");
        for device in ["/dev/null", "/dev/stdout"] {
            assert!(refuse_foreign(Path::new(device), &JSON).is_ok());
        }
    }
}
