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
/// Columns that are kept at a time.
const AT_ONCE: usize = 3;
/// Bytes in front of the records.
const HEADER: usize = 48;

/// Opened, the file gives whole columns or none, and takes new ones.
pub const COLUMNS: Reader = Reader {
    name: "columns",
    files: || {
        [0, AT_ONCE, LAYOUT.columns]
            .map(|columns| {
                let path = place();
                let _ = std::fs::remove_file(&path);
                let journal = FileJournal::new(&path);
                assert!(journal.open(&LAYOUT).expect("opened"));
                for first in (0..columns).step_by(AT_ONCE) {
                    journal.keep(first, &numbers(first)).expect("kept");
                }
                std::fs::read(&path).expect("a file")
            })
            .into()
    },
    seal: |bytes| {
        let mut at = HEADER;
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
                Some(place) => place.copy_from_slice(&sum),
                None => return,
            }
            at = end + 16;
        }
    },
    judge: |limits, bytes| {
        let path = place();
        std::fs::write(&path, bytes).expect("written");
        let open = |_: &[u8]| {
            // what it holds without continuing the bake is told, too
            let _ = open_baked_file(bytes);
            let journal = FileJournal::new(&path);
            match journal.open(&LAYOUT).map_err(|e| e.to_string())? {
                true => Ok(journal),
                false => Err("another process bakes".to_string()),
            }
        };
        let complaint = limits.complaint(bytes, open, |journal| {
            let mut out = vec![0; AT_ONCE * LAYOUT.height * LAYOUT.bytes];
            for first in 0..LAYOUT.columns {
                let _ = journal.load(first, &mut out);
            }
            let kept = journal.keep(0, &numbers(0));
            let is_there = kept.is_ok() && journal.load(0, &mut out) && out == numbers(0);
            (!is_there).then(|| "lost columns that were kept after it".into())
        });
        let foreign = std::fs::read(&path).is_ok_and(|after| after == bytes);
        match complaint {
            // a file that is no journal stays as it is
            None if !bytes.starts_with(&b"PLNTPART"[..bytes.len().min(8)]) && !foreign => {
                Some("changed a file that is not its own".into())
            }
            other => other,
        }
    },
    tokens: &[],
};

/// Read as the cache's file without remarks.
pub const REFERENCE: Reader = Reader {
    name: "reference",
    files: || {
        let run = |frames: usize, kept: usize| RecordedRun {
            nodes: 700,
            seconds: 1.5,
            forces: vec![(0..frames).map(|k| 0.1 * k as f64).collect(), vec![]],
            probes: vec![vec![Vec3::new(1.0, 2.0, 3.0); frames]],
            surfaces: vec![vec![[0.5, 1.5, 2.5], [3.0, 4.0, 5.0]]; kept],
            surface_frames: (0..kept as u32).map(|k| 5 * k + 1).collect(),
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

/// Columns from this one on.
fn numbers(first: usize) -> Vec<u8> {
    let length = AT_ONCE * LAYOUT.height * LAYOUT.bytes;
    (0..length).map(|k| (7 * k + first) as u8).collect()
}

/// Where the file of columns lies: one for each thread, so that tests do not meet.
fn place() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let thread = std::thread::current().id();
    folder.path().join(format!("{thread:?}.columns"))
}
