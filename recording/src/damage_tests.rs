//! Damaged recordings: an answer or a named error, never a panic, never more memory than the bytes can hold.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::RecordingError;
use crate::file::RecordingFile;
use crate::format::chunk::{HEAD_BYTES, SUM_BYTES};
use crate::reader::Recording;
use crate::testing::sample;

/// Marsaglia 2003, "Xorshift RNGs".
fn random() -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    }
}

/// Reads all there is; what comes out is whole.
fn read_safely(bytes: &[u8]) -> Result<(), RecordingError> {
    let recording = Recording::read(bytes)?;
    for method in 0..recording.header.methods.len() {
        for surface in recording.surfaces(method) {
            let surface = surface?;
            assert_eq!(surface.positions.len(), recording.skin.rest.len());
        }
    }
    Ok(())
}

#[test]
fn a_recording_comes_back_to_the_bit() {
    for every in [0, 1, 2, 3, 50] {
        let sample = sample(8, every);
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
                assert_eq!(&surface.positions, expected);
                assert_eq!(surface.time, sample.frames[surface.frame].time);
            }
        }
    }
}

#[test]
fn every_cut_is_noticed_and_says_where() {
    let bytes = sample(5, 2).bytes();
    for length in 0..bytes.len() {
        let error = read_safely(&bytes[..length]).expect_err("cut");
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
    let bytes = sample(3, 1).bytes();
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = read_safely(&changed).expect_err("flipped");
        assert!(error.offset().is_some(), "{error}");
        assert!(error.to_string().contains("remedy"), "{error}");
    }
}

/// Where chunks begin, and the lengths of their contents.
fn chunks(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 12;
    while at < bytes.len() {
        let length = [4, 5, 6, 7, 8, 9, 10, 11].map(|k| bytes[at + k]);
        let length = u64::from_le_bytes(length) as usize;
        found.push((at, length));
        at += HEAD_BYTES + length + SUM_BYTES;
    }
    found
}

/// Damage that has its checksum: what a reader would believe if it trusted checksums.
#[test]
fn changes_with_a_right_checksum_give_an_error_or_a_whole_recording() {
    const LIKELY: [u8; 8] = [0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff];
    let mut random = random();
    let originals = [
        sample(4, 1).bytes(),
        sample(6, 3).bytes(),
        sample(3, 0).bytes(),
    ];
    let mut refused = 0;
    for round in 0..30_000 {
        let mut bytes = originals[round % originals.len()].clone();
        let all = chunks(&bytes);
        // headers and skins have the lengths that matter most
        let choice = if round % 2 == 0 {
            all.len().min(2)
        } else {
            all.len()
        };
        let (at, length) = all[random(choice)];
        let (begin, end) = (at + HEAD_BYTES, at + HEAD_BYTES + length);
        for _ in 0..=random(3) {
            let place = begin + random(length);
            match random(3) {
                0 => bytes[place] = LIKELY[random(LIKELY.len())],
                1 => bytes[place] ^= 1 << random(8),
                _ => {
                    let last = (place + 4).min(end);
                    bytes[place..last].fill(LIKELY[random(LIKELY.len())]);
                }
            }
        }
        let sum = xxh3_64(&bytes[at..end]);
        bytes[end..end + SUM_BYTES].copy_from_slice(&sum.to_le_bytes());
        refused += usize::from(read_safely(&bytes).is_err());
    }
    assert!(refused > 10_000, "{refused}");
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
    // a header that promises more vertices than the file can hold
    let mut absurd = sample(1, 1);
    absurd.header.vertices = u32::MAX;
    let content = crate::format::header::write_header(&absurd.header);
    let (at, length) = chunks(&bytes)[0];
    let mut changed = bytes[..at].to_vec();
    let kind = crate::format::chunk::Kind::Header;
    changed.extend(crate::format::chunk::sealed(kind, &content));
    changed.extend(&bytes[at + HEAD_BYTES + length + SUM_BYTES..]);
    let error = read_safely(&changed).expect_err("absurd");
    assert!(
        matches!(
            error,
            RecordingError::Invalid {
                what: "skin at rest",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn other_files_and_later_versions_are_told_apart() {
    let bytes = sample(1, 1).bytes();
    let error = read_safely(b"v 0 0 0\n").expect_err("a mesh");
    assert_eq!(error, RecordingError::NotARecording);
    let mut later = bytes.clone();
    later[8..12].copy_from_slice(&2_u32.to_le_bytes());
    let error = read_safely(&later).expect_err("later");
    assert_eq!(error, RecordingError::NewerVersion { found: 2 });
}

#[test]
fn a_file_is_there_completely_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/run.plrec");
    let sample = sample(20, 2);
    for is_complete in [true, false] {
        let file = RecordingFile::create(&path, sample.header.clone(), &sample.skin);
        let mut file = file.expect("begun");
        assert!(RecordingFile::temporary(&path).exists());
        for (frame, surfaces) in sample.frames.iter().zip(&sample.surfaces) {
            let wanted = file.wants_surfaces();
            let surfaces = if wanted { surfaces.clone() } else { Vec::new() };
            file.frame(frame.clone(), surfaces).expect("written");
        }
        if is_complete {
            let bytes = file.finish(sample.summary.clone()).expect("written");
            assert_eq!(bytes, sample.bytes().len() as u64);
        } else {
            drop(file);
        }
        // the first one is still there after the second was given up
        assert_eq!(std::fs::read(&path).expect("there"), sample.bytes());
        assert!(!RecordingFile::temporary(&path).exists());
    }
    let blocked = path.join("below-a-file.plrec");
    let error = RecordingFile::reserve(&blocked);
    assert!(matches!(error, Err(RecordingError::Unwritable { .. })));
    let error = RecordingFile::create(&blocked, sample.header.clone(), &sample.skin);
    assert!(matches!(error, Err(RecordingError::Unwritable { .. })));
}
