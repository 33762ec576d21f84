//! Columns of a bake that was stopped, and reference runs.

use std::path::PathBuf;
use std::sync::OnceLock;

use pliant_core::asset::{AssetKey, KeyHasher};
use pliant_core::math::Vec3;
use pliant_quasistatic::bake::ColumnLayout;
use pliant_simulation::build::{BakedFile, open_baked_file};
use pliant_simulation::journal::{ColumnJournal, FileJournal};
use pliant_simulation::reference::RecordedRun;
use tempfile::TempDir;

use super::Reader;

/// Columns of six numbers of four bytes.
const LAYOUT: ColumnLayout = ColumnLayout {
    height: 6,
    columns: 9,
    bytes: 4,
    key: AssetKey(77),
};
/// Columns that are stored at a time.
const BLOCK: usize = 3;
/// Size of the header in front of the records, bytes.
const HEADER_BYTES: usize = 48;

/// An opened file gives whole columns or none, and accepts new ones.
pub const COLUMNS: Reader = Reader {
    name: "columns",
    files: || {
        [0, BLOCK, LAYOUT.columns]
            .map(|columns| {
                let path = columns_path();
                let _ = std::fs::remove_file(&path);
                let journal = FileJournal::new(&path);
                assert!(journal.open(&LAYOUT).expect("opened"));
                for first in (0..columns).step_by(BLOCK) {
                    journal.keep(first, &column_bytes(first)).expect("kept");
                }
                std::fs::read(&path).expect("a file")
            })
            .into()
    },
    seal: |bytes| {
        let mut at = HEADER_BYTES;
        let length = |bytes: &[u8], at: usize| {
            let word = bytes.get(at + 8..)?.first_chunk::<8>()?;
            usize::try_from(u64::from_le_bytes(*word)).ok()
        };
        while let Some(end) = length(bytes, at).and_then(|n| n.checked_add(at + 16)) {
            let Some(columns) = bytes.get(at + 16..end) else {
                return;
            };
            let mut hasher = KeyHasher::new("columns", 1);
            hasher.bytes("numbers", columns);
            let sum = hasher.finish().0.to_le_bytes();
            match bytes.get_mut(end..end + 16) {
                Some(checksum) => checksum.copy_from_slice(&sum),
                None => return,
            }
            at = end + 16;
        }
    },
    judge: |limits, bytes| {
        let path = columns_path();
        std::fs::write(&path, bytes).expect("written");
        let open = |_: &[u8]| {
            // its content can be read without continuing the bake, too
            let _ = open_baked_file(bytes);
            let journal = FileJournal::new(&path);
            match journal.open(&LAYOUT).map_err(|e| e.to_string())? {
                true => Ok(journal),
                false => Err("another process bakes".to_string()),
            }
        };
        let complaint = limits.complaint(bytes, open, |journal| {
            let mut out = vec![0; BLOCK * LAYOUT.height * LAYOUT.bytes];
            for first in 0..LAYOUT.columns {
                let _ = journal.load(first, &mut out);
            }
            let stored = journal.keep(0, &column_bytes(0));
            let is_stored = stored.is_ok() && journal.load(0, &mut out) && out == column_bytes(0);
            (!is_stored).then(|| "lost columns that were kept after it".into())
        });
        let is_unchanged = std::fs::read(&path).is_ok_and(|after| after == bytes);
        match complaint {
            // a file that is no journal has to stay unchanged
            None if !bytes.starts_with(&b"PLNTPART"[..bytes.len().min(8)]) && !is_unchanged => {
                Some("changed a file that is not its own".into())
            }
            other => other,
        }
    },
    tokens: &[],
};

/// A reference run as a file of the cache without notes.
pub const REFERENCE: Reader = Reader {
    name: "reference",
    files: || {
        let run = |frames: usize, stored: usize| RecordedRun {
            nodes: 700,
            seconds: 1.5,
            forces: vec![(0..frames).map(|k| 0.1 * k as f64).collect(), vec![]],
            probes: vec![vec![Vec3::new(1.0, 2.0, 3.0); frames]],
            surfaces: vec![vec![[0.5, 1.5, 2.5], [3.0, 4.0, 5.0]]; stored],
            surface_frames: (0..stored as u32).map(|k| 5 * k + 1).collect(),
        };
        [run(0, 0), run(20, 3)].map(|run| run.to_bytes()).into()
    },
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| match open_baked_file(bytes) {
            Ok(opened) => match opened.content {
                BakedFile::Reference(run) => Ok(Some(run)),
                _ => Ok(None),
            },
            Err(error) => Err(error.to_string()),
        };
        limits.complaint(bytes, read, |run| {
            let run = run?;
            let _ = run.frames();
            for frame in 0..40 {
                let _ = run.surface(frame);
            }
            (run.surfaces.len() != run.surface_frames.len())
                .then(|| "gave surfaces without their frames".into())
        })
    },
    tokens: &[],
};

/// Bytes of a block of columns from column `first` on.
fn column_bytes(first: usize) -> Vec<u8> {
    let length = BLOCK * LAYOUT.height * LAYOUT.bytes;
    (0..length).map(|k| (7 * k + first) as u8).collect()
}

/// Path of the file of columns. Each thread has its own, so that tests do not share a file.
fn columns_path() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let thread = std::thread::current().id();
    folder.path().join(format!("{thread:?}.columns"))
}
