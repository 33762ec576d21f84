//! Laws of damaged recordings: a result or an error, never a panic, and never more memory than the bytes can hold.

use std::path::Path;

use pliant_core::asset::bytes::temporary_path;
use pliant_fuzzing::{Counting, Limits, Plan, Random, Target, fuzz, peak_of};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::RecordingError;
use crate::file::RecordingFile;
use crate::format::chunk::{HEAD_BYTES, SUM_BYTES};
use crate::reader::Recording;
use crate::testing::{Sample, cut_sample, sample};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads a whole recording, and checks what was read.
fn read_safely(bytes: &[u8]) -> Result<(), RecordingError> {
    let recording = Recording::read(bytes)?;
    for method in 0..recording.header.methods.len() {
        for surface in recording.surfaces(method) {
            let surface = surface?;
            assert_eq!(surface.surface.positions.len(), recording.skin.rest.len());
            if let Some(cut) = &surface.surface.cut {
                assert_eq!(cut.positions.len(), cut.skin.rest.len());
                let corners = cut.skin.triangles.as_flattened();
                assert!(corners.iter().all(|v| (*v as usize) < cut.positions.len()));
            }
        }
    }
    Ok(())
}

#[test]
fn a_recording_is_read_back_to_the_bit() {
    for every in [0, 1, 2, 3, 50] {
        let sample = cut_sample(8, every);
        let bytes = sample.bytes();
        let recording = Recording::read(&bytes).expect("whole");
        assert_eq!(recording.header, sample.header);
        assert_eq!(recording.frames, sample.frames);
        assert_eq!(recording.summary, sample.summary);
        if every > 0 {
            assert_eq!(recording.skin, sample.skin);
        }
        let kept: Vec<usize> = recording.surface_frames().collect();
        assert_eq!(kept.len(), recording.surface_count());
        for method in 0..2 {
            let found = recording.surfaces(method).map(|s| s.expect("whole"));
            let found: Vec<_> = found.collect();
            assert_eq!(found.len(), kept.len());
            for surface in found {
                let expected = &sample.surfaces[surface.frame][method];
                assert_eq!(&surface.surface, expected);
                assert_eq!(surface.time, sample.frames[surface.frame].time);
            }
        }
    }
}

#[test]
fn every_truncation_is_noticed_with_its_offset() {
    let bytes = cut_sample(6, 2).bytes();
    for length in 0..bytes.len() {
        let error = read_safely(&bytes[..length]).expect_err("truncated");
        match (&error, length) {
            (RecordingError::NotARecording, 0) => {}
            (RecordingError::Truncated { offset, .. }, _) => assert_eq!(*offset, length as u64),
            _ => panic!("{length}: {error}"),
        }
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(read_safely(&longer).is_err());
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = cut_sample(4, 1).bytes();
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = read_safely(&changed).expect_err("flipped");
        assert!(error.offset().is_some(), "{error}");
        assert!(error.to_string().contains("remedy"), "{error}");
    }
}

/// Offsets of complete chunks, and the lengths of their contents.
fn chunks(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 12;
    let length = |at: usize| {
        let word = bytes.get(at + 4..)?.first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*word)).ok()?;
        let end = length.checked_add(at + HEAD_BYTES + SUM_BYTES)?;
        (end <= bytes.len()).then_some(length)
    };
    while let Some(length) = length(at) {
        found.push((at, length));
        at += HEAD_BYTES + length + SUM_BYTES;
    }
    found
}

/// Damage with correct checksums: a reader must not trust the contents.
#[test]
fn damage_gives_an_error_or_a_whole_recording() {
    let plan = Plan::from_environment();
    fuzz(&Recordings, &plan, &std::env::temp_dir());
}

struct Recordings;

impl Target for Recordings {
    fn name(&self) -> &str {
        "recording"
    }

    fn files(&self) -> Vec<Vec<u8>> {
        let samples = [
            cut_sample(6, 1),
            cut_sample(2, 1),
            sample(6, 3),
            sample(3, 0),
        ];
        samples.map(|sample| sample.bytes()).into()
    }

    fn fix_checksums(&self, bytes: &mut Vec<u8>) {
        for (at, length) in chunks(bytes) {
            let end = at + HEAD_BYTES + length;
            let sum = xxh3_64(&bytes[at..end]).to_le_bytes();
            bytes[end..end + SUM_BYTES].copy_from_slice(&sum);
        }
    }

    fn check(&self, bytes: &[u8]) -> Option<String> {
        // packed bytes may unpack to 1032 times their length, and are unpacked in steps
        let limits = Limits {
            bytes_per_byte: 4 * 1032,
            ..Limits::default()
        };
        let read = |bytes: &[u8]| read_safely(bytes).map_err(|e| e.to_string());
        limits.complaint(bytes, read, |()| None)
    }
}

/// Changes of single bytes of one chunk, whose checksum is corrected: most of them are refused for other reasons than a checksum.
#[test]
fn changes_with_a_correct_checksum_are_noticed() {
    let plan = Plan::from_environment();
    let files = Recordings.files();
    let (mut refused, mut cases) = (0, 0);
    for number in plan.cases(3_000) {
        let mut random = Random::new(plan.seed().wrapping_mul(1 << 32).wrapping_add(number));
        let mut bytes = random.pick(&files).cloned().expect("a file");
        let all = chunks(&bytes);
        // headers and skins have the lengths that matter most
        let choice = if number % 4 == 0 { 2 } else { all.len() };
        let (at, length) = all[random.below(choice)];
        for _ in 0..=random.below(3) {
            let place = at + HEAD_BYTES + random.below(length);
            bytes[place] = match random.below(3) {
                0 => [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                _ => bytes[place] ^ (1 << random.below(8)),
            };
        }
        Recordings.fix_checksums(&mut bytes);
        let damaged = read_safely(&bytes).err();
        let by_checksum = matches!(damaged, Some(RecordingError::Damaged { .. }));
        assert!(!by_checksum, "{damaged:?}");
        refused += usize::from(damaged.is_some());
        cases += 1;
    }
    assert!(refused > cases / 3, "{refused} of {cases}");
}

#[test]
fn absurd_lengths_take_no_memory() {
    let bytes = sample(2, 1).bytes();
    for (at, _) in chunks(&bytes) {
        for length in [u64::MAX, u64::MAX / 2, 1 << 40, bytes.len() as u64] {
            let mut changed = bytes.clone();
            changed[at + 4..at + 12].copy_from_slice(&length.to_le_bytes());
            let error = read_safely(&changed).expect_err("absurd");
            assert!(matches!(error, RecordingError::Truncated { .. }), "{error}");
        }
    }
    // a header with more vertices than the file can hold: far more, and a number whose memory would be allowed
    for vertices in [u32::MAX, 500_000] {
        let mut absurd = sample(1, 1);
        absurd.header.vertices = vertices;
        let content = crate::format::header::write_header(&absurd.header);
        let (at, length) = chunks(&bytes)[0];
        let mut changed = bytes[..at].to_vec();
        let kind = crate::format::chunk::Kind::Header;
        changed.extend(crate::format::chunk::chunk_bytes(kind, &content));
        changed.extend(&bytes[at + HEAD_BYTES + length + SUM_BYTES..]);
        let (result, peak) = peak_of(|| read_safely(&changed));
        let error = result.expect_err("absurd");
        let what = "skin at rest";
        let is_told = matches!(error, RecordingError::Invalid { what: w, .. } if w == what);
        assert!(is_told, "{error}");
        assert!(peak < 100_000, "{vertices} vertices took {peak} bytes");
    }
}

#[test]
fn other_files_and_later_versions_are_refused_by_name() {
    let bytes = sample(1, 1).bytes();
    let error = read_safely(b"v 0 0 0\n").expect_err("a mesh");
    assert_eq!(error, RecordingError::NotARecording);
    let mut later = bytes.clone();
    later[8..12].copy_from_slice(&3_u32.to_le_bytes());
    let error = read_safely(&later).expect_err("later");
    assert_eq!(error, RecordingError::NewerVersion { found: 3 });
    assert_eq!(
        error.to_string(),
        "this recording has version 3; this program reads version 2\n  remedy: use the program that wrote it, or a later one"
    );
    // version 1 is the same without cuts
    let mut earlier = bytes;
    earlier[8..12].copy_from_slice(&1_u32.to_le_bytes());
    assert_eq!(read_safely(&earlier), Ok(()));
    earlier[8..12].copy_from_slice(&0_u32.to_le_bytes());
    let error = read_safely(&earlier).expect_err("none");
    assert!(matches!(
        error,
        RecordingError::Invalid {
            what: "version",
            ..
        }
    ));
}

/// Offsets and lengths of the chunks of a kind.
fn of_kind(bytes: &[u8], kind: [u8; 4]) -> Vec<(usize, usize)> {
    let all = chunks(bytes).into_iter();
    all.filter(|(at, _)| bytes[*at..at + 4] == kind).collect()
}

#[test]
fn only_cut_bodies_have_chunks_of_cuts_and_triangles_only_when_they_change() {
    let whole = sample(9, 1).bytes();
    assert!(of_kind(&whole, *b"CUTT").is_empty() && of_kind(&whole, *b"CUTP").is_empty());
    let cut = cut_sample(9, 1).bytes();
    assert_eq!(of_kind(&cut, *b"CUTT").len(), 2);
    assert_eq!(of_kind(&cut, *b"CUTP").len(), 5);
    let recording = Recording::read(&cut).expect("whole");
    assert!(recording.has_cuts(1) && !recording.has_cuts(0));
    // without the chunks of cuts the bytes are those of the whole body
    let mut rest = cut[..12].to_vec();
    for (at, length) in chunks(&cut) {
        if !cut[at..].starts_with(b"CUT") {
            rest.extend(&cut[at..at + HEAD_BYTES + length + SUM_BYTES]);
        }
    }
    assert_eq!(rest, whole);
    // frames between two cuts share their triangles
    let surfaces: Vec<_> = recording.surfaces(1).map(|s| s.expect("whole")).collect();
    let skin = |k: usize| surfaces[k].surface.cut.as_ref().map(|cut| &cut.skin);
    let same = |a: usize, b: usize| {
        skin(a)
            .zip(skin(b))
            .is_some_and(|(a, b)| std::sync::Arc::ptr_eq(a, b))
    };
    assert!(same(2, 3) && !same(3, 4) && same(4, 6) && skin(7).is_none());
}

#[test]
fn an_inconsistent_cut_is_refused() {
    let bytes = cut_sample(4, 1).bytes();
    let [(at, length)] = of_kind(&bytes, *b"CUTT")[..] else {
        panic!("one cut")
    };
    let what = |read: Result<(), RecordingError>| match read {
        Err(RecordingError::Invalid { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    let changed = |place: usize, value: u32| {
        let mut changed = bytes.clone();
        let place = at + HEAD_BYTES + place;
        changed[place..place + 4].copy_from_slice(&value.to_le_bytes());
        Recordings.fix_checksums(&mut changed);
        what(read_safely(&changed))
    };
    assert_eq!(changed(0, 0), "order of chunks");
    assert_eq!(changed(4, 3), "number of vertices");
    assert_eq!(changed(4, u32::MAX), "cut at rest");
    assert_eq!(changed(8, u32::MAX), "triangles");
    let without = |(at, length): (usize, usize)| {
        let rest = &bytes[at + HEAD_BYTES + length + SUM_BYTES..];
        what(read_safely(&[&bytes[..at], rest].concat()))
    };
    // positions without triangles, and triangles without positions
    assert_eq!(without((at, length)), "cut surface");
    assert_eq!(without(of_kind(&bytes, *b"CUTP")[0]), "order of chunks");
    // and the writer refuses one
    let mut sample = cut_sample(4, 1);
    if let Some(cut) = &mut sample.surfaces[2][1].cut {
        cut.positions.pop();
    }
    let mut writer = crate::RecordingWriter::new(Vec::new(), sample.header.clone(), &sample.skin)
        .expect("memory");
    let mut results = sample.frames.iter().zip(&sample.surfaces);
    assert!(results.any(|(frame, surfaces)| writer.frame(frame, surfaces).is_err()));
}

/// A file to which all frames of a sample were given.
fn filled(path: &Path, sample: &Sample) -> RecordingFile {
    let file = RecordingFile::create(path, sample.header.clone(), &sample.skin);
    let mut file = file.expect("begun");
    for (frame, surfaces) in sample.frames.iter().zip(&sample.surfaces) {
        let surfaces = match file.wants_surfaces() {
            true => surfaces.clone(),
            false => Vec::new(),
        };
        file.frame(frame.clone(), surfaces).expect("written");
    }
    file
}

#[test]
fn a_file_is_written_completely_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/run.plrec");
    let sample = sample(20, 2);
    for is_complete in [true, false] {
        let file = filled(&path, &sample);
        assert!(temporary_path(&path).exists());
        if is_complete {
            let bytes = file.finish(sample.summary.clone()).expect("written");
            assert_eq!(bytes, sample.bytes().len() as u64);
        } else {
            drop(file);
        }
        // the first file is still there after the second was dropped
        assert_eq!(std::fs::read(&path).expect("there"), sample.bytes());
        assert!(!temporary_path(&path).exists());
    }
    let (below_a_file, folder) = (path.join("below-a-file.plrec"), folder.path().join("new"));
    for blocked in [below_a_file, folder] {
        let error = RecordingFile::reserve(&blocked);
        assert!(matches!(error, Err(RecordingError::Unwritable { .. })));
        let error = RecordingFile::create(&blocked, sample.header.clone(), &sample.skin);
        assert!(matches!(error, Err(RecordingError::Unwritable { .. })));
        assert!(!temporary_path(&blocked).exists());
    }
}

#[cfg(unix)]
#[test]
fn a_recording_at_a_link_is_written_where_the_link_leads_and_leaves_nothing_beside_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let (real, link) = (kept.join("run.plrec"), folder.path().join("run.plrec"));
    std::fs::create_dir(&kept).expect("a folder");
    std::fs::write(&real, b"older").expect("written");
    std::os::unix::fs::symlink(&real, &link).expect("a link");
    let sample = sample(2, 1);
    RecordingFile::reserve(&link).expect("reserved");
    let file = filled(&link, &sample);
    file.finish(sample.summary.clone()).expect("written");
    let is_link = std::fs::symlink_metadata(&link).expect("there");
    assert!(is_link.is_symlink());
    assert_eq!(std::fs::read(&real).expect("there"), sample.bytes());
    for (place, entries) in [(folder.path(), 2), (kept.as_path(), 1)] {
        let found = std::fs::read_dir(place).expect("a folder");
        assert_eq!(found.count(), entries, "{}", place.display());
    }
}
