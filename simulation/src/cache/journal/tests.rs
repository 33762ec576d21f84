//! Files of finished columns.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pliant_core::asset::{AssetKey, BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_quasistatic::bake::{
    BakeControl, BakeShare, ColumnJournal, ColumnLayout, Published, bake_controlled,
};
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticParams};

use super::records::{HEADER_BYTES, Records, Storage, header};
use super::{FileJournal, MergedJournals};
use crate::world::testing::box_on_floor;

const HEADER: usize = HEADER_BYTES as usize;

/// A disk of `room` bytes.
#[derive(Clone)]
struct Disk {
    bytes: Arc<Mutex<Cursor<Vec<u8>>>>,
    room: usize,
}

impl Disk {
    fn lock(&self) -> std::sync::MutexGuard<'_, Cursor<Vec<u8>>> {
        self.bytes.lock().expect("no panic")
    }
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.lock().read(out)
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.lock().seek(to)
    }
}

impl Write for Disk {
    fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
        let mut bytes = self.lock();
        let free = self.room.saturating_sub(bytes.position() as usize);
        if free == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        bytes.write(&from[..from.len().min(free)])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Storage for Disk {
    fn truncate(&mut self, length: u64) -> std::io::Result<()> {
        self.lock().get_mut().truncate(length as usize);
        Ok(())
    }
}

fn layout(key: u128) -> ColumnLayout {
    ColumnLayout {
        height: 6,
        columns: 9,
        bytes: 4,
        key: AssetKey(key),
    }
}

#[test]
fn records_come_back_and_a_full_disk_keeps_those_that_fitted() {
    let disk = Disk {
        bytes: Arc::default(),
        room: HEADER + 2 * (32 + 24) + 20,
    };
    let path = Path::new("x.part");
    let open = |disk: &Disk, key| {
        Records::open(Box::new(disk.clone()), path, &layout(key)).expect("opens")
    };
    assert_eq!(header(&layout(1)).len(), HEADER);
    let mut journal = open(&disk, 1);
    journal.append(path, 0, &[1; 24]).expect("room");
    journal.append(path, 6, &[2; 24]).expect("room");
    let full = journal.append(path, 3, &[3; 24]).expect_err("no room");
    assert_eq!(full.code(), "JournalUnwritable");
    assert!(full.to_string().contains("\n  remedy: "), "{full}");
    drop(journal);
    let mut journal = open(&disk, 1);
    assert_eq!(journal.records.len(), 2);
    let mut out = [0; 24];
    assert!(journal.load(6, &mut out) && out == [2; 24]);
    assert!(!journal.load(3, &mut out));
    // damage ends the file, another key empties it
    let damaged = HEADER + 16 + 56;
    disk.lock().get_mut()[damaged] ^= 1;
    assert_eq!(open(&disk, 1).records.len(), 1);
    assert_eq!(open(&disk, 2).records.len(), 0);
    disk.lock().get_mut()[0] = b'x';
    let foreign = Records::open(Box::new(disk.clone()), path, &layout(2));
    assert_eq!(
        foreign.err().map(|e| e.code()),
        Some("JournalForeign".into())
    );
}

fn body(young: f64) -> BodyGeometry {
    let material = Material::isotropic(young, 0.3);
    box_on_floor(Vec3::new(0.3, 0.2, 0.3), [9, 6, 9], material)
}

/// Bakes, and stops after `tasks` columns were published.
fn bake(
    geometry: &BodyGeometry,
    journal: &dyn ColumnJournal,
    share: Option<BakeShare>,
    tasks: usize,
) -> Result<GreensAsset, BakeError> {
    let progress = Progress::new();
    let left = Mutex::new(tasks);
    let publish = |what: Published| {
        let mut left = left.lock().expect("no panic");
        *left = left.saturating_sub(usize::from(matches!(what, Published::Columns(_))));
        if *left == 0 {
            progress.cancel();
        }
    };
    let control = BakeControl {
        journal: Some(journal),
        share,
        publish: Some(&publish),
        ..BakeControl::new(&progress)
    };
    bake_controlled(geometry, &QuasistaticParams::default(), &control).map(|(asset, _)| asset)
}

fn code(baked: Result<GreensAsset, BakeError>) -> Option<String> {
    baked.err().map(|e| e.code())
}

#[test]
fn a_bake_that_was_stopped_goes_on_and_files_of_others_are_left_alone() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("x.columns");
    let geometry = body(1e4);
    let plain = QuasistaticParams::default();
    let whole = pliant_quasistatic::bake::bake(&geometry, &plain, &Progress::new());
    let whole = whole.expect("bakes");
    let run =
        |geometry: &BodyGeometry, tasks| bake(geometry, &FileJournal::new(&path), None, tasks);
    assert_eq!(code(run(&geometry, 2)), Some("Cancelled".into()));
    // a crash in the middle of a record
    let file = File::options().write(true).open(&path).expect("writable");
    let length = file.metadata().expect("a file").len();
    assert!(length > 1000);
    file.set_len(length - 7).expect("cut");
    drop(file);
    assert!(run(&geometry, usize::MAX).expect("goes on") == whole);
    // all there: read, not solved; while another holds it, solved; for another body begun anew
    assert!(run(&geometry, usize::MAX).expect("reads") == whole);
    let held = File::open(&path).expect("there");
    held.lock().expect("held");
    assert!(run(&geometry, usize::MAX).expect("without") == whole);
    drop(held);
    assert!(run(&body(2e4), usize::MAX).expect("anew") != whole);

    std::fs::write(&path, b"my thesis").expect("written");
    assert_eq!(
        code(run(&geometry, usize::MAX)),
        Some("JournalForeign".into())
    );
    assert_eq!(std::fs::read(&path).expect("there"), b"my thesis");
    let nowhere = FileJournal::new(&folder.path().join("no-such-folder/x.columns"));
    let refused = bake(&geometry, &nowhere, None, usize::MAX);
    assert_eq!(code(refused), Some("JournalUnwritable".into()));
}

#[test]
fn shares_of_four_make_one_asset_with_the_bits_of_one_process() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let geometry = body(1e4);
    let plain = QuasistaticParams::default();
    let whole = pliant_quasistatic::bake::bake(&geometry, &plain, &Progress::new());
    let paths: Vec<PathBuf> = (0..4)
        .map(|part| folder.path().join(format!("{part}.columns")))
        .collect();
    let mut columns = 0;
    for (part, path) in paths.iter().enumerate() {
        let share = Some(BakeShare { part, of: 4 });
        let done = bake(&geometry, &FileJournal::new(path), share, usize::MAX);
        let Err(BakeError::ShareDone { columns: own, .. }) = done else {
            panic!("a share is no asset: {done:?}");
        };
        columns += own;
    }
    let whole = whole.expect("bakes");
    assert_eq!(columns, 3 * whole.nodes());
    let merged = bake(&geometry, &MergedJournals::new(&paths), None, usize::MAX);
    assert!(merged.expect("merges") == whole);
    // one that is missing is solved, one of another body is refused and stays as it is
    let three = MergedJournals::new(&paths[..3]);
    assert!(bake(&geometry, &three, None, usize::MAX).expect("merges") == whole);
    let before = std::fs::read(&paths[0]).expect("there");
    let other = bake(&body(2e4), &MergedJournals::new(&paths), None, usize::MAX);
    assert_eq!(code(other), Some("JournalForeign".into()));
    assert_eq!(std::fs::read(&paths[0]).expect("there"), before);
    let gone = MergedJournals::new(&[folder.path().join("none")]);
    let refused = bake(&geometry, &gone, None, usize::MAX);
    assert_eq!(code(refused), Some("JournalUnwritable".into()));
}
