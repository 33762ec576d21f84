//! No bytes make a reader panic or take memory that was not allowed.

use pliant_fuzzing::{Plan, Random};

use super::super::bytes::{ByteWriter, checksum};
use super::super::{ReadLimits, StreamError, StreamReader, StreamSpec, read, write};
use super::bodies::{Body, BodyKind, body, renumbered};
use crate::transform::{MissingNeighbours, TransformSpec, WaveletAreas, WaveletBasis};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Damaged copies of all streams in the test command.
const ROUNDS: u64 = 8000;
const SMALL: ReadLimits = ReadLimits {
    memory_bytes: 64 << 20,
};

fn small_stream() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    stream_with(TransformSpec::default())
}

fn stream_with(transform: TransformSpec) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let kind = BodyKind {
        levels: 2,
        columns: Some(12),
        epsilon: 0.1,
        transform,
        ..BodyKind::default()
    };
    of_body(&body(&kind)?)
}

/// One for each rule of weights: those of vertices in coarse means, and those of neighbours outside of the domain.
fn streams_of_rules() -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
    let mut streams = Vec::new();
    for areas in [WaveletAreas::Nodal, WaveletAreas::Unit] {
        for missing in [MissingNeighbours::Renormalise, MissingNeighbours::Zero] {
            streams.push(stream_with(TransformSpec {
                areas,
                missing,
                ..TransformSpec::default()
            })?);
        }
    }
    Ok(streams)
}

/// One with a listed hierarchy, columns that belong to rows, and butterflies.
fn other_stream() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let kind = BodyKind {
        levels: 2,
        size: 1,
        epsilon: 0.1,
        transform: TransformSpec {
            basis: WaveletBasis::ModifiedButterfly,
            ..TransformSpec::default()
        },
        ..BodyKind::default()
    };
    of_body(&renumbered(&kind)?)
}

fn of_body(body: &Body) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let spec = StreamSpec {
        columns_per_packet: 5,
        ..body.spec()
    };
    Ok(write(&body.matrix, &body.source(), b"skin", &spec)?)
}

/// Begin and end of each part that has a checksum behind it: header, extra block, packets.
fn sealed_parts(bytes: &[u8]) -> Vec<(usize, usize)> {
    let length = |at: usize| {
        let part = bytes.get(at..at + 8).and_then(|b| b.first_chunk::<8>());
        part.map_or(0, |b| u64::from_le_bytes(*b) as usize)
    };
    let mut parts = vec![(0, 16 + length(8))];
    let extra = parts[0].1 + 8;
    parts.push((extra, extra + 8 + length(extra)));
    while let Some(begin) = parts.last().map(|p| p.1 + 8).filter(|b| *b < bytes.len()) {
        parts.push((begin, begin + 17 + length(begin + 9)));
    }
    parts
}

/// Makes all checksums right again, so that damage gets further than to them.
fn seal(bytes: &mut [u8], parts: &[(usize, usize)]) {
    for &(begin, end) in parts {
        let sum = checksum(&bytes[begin..end]).to_le_bytes();
        bytes[end..end + 8].copy_from_slice(&sum);
    }
}

#[test]
fn a_stream_that_ends_anywhere_is_a_coarser_one_or_names_the_place() -> Outcome {
    let bytes = small_stream()?;
    let parts = sealed_parts(&bytes);
    let first_packet = parts[2].0;
    let mut level = None;
    for end in 0..=bytes.len() {
        match read(&bytes[..end], &SMALL) {
            Ok(content) => {
                assert!(end >= first_packet);
                assert!(content.available_level >= level, "{end}");
                level = content.available_level;
                assert_eq!(content.complete, end == bytes.len());
            }
            Err(error) => {
                assert!(end < first_packet, "{end}: {error}");
                let truncated =
                    matches!(error, StreamError::Truncated { offset, .. } if offset <= end);
                assert!(truncated, "{end}: {error}");
            }
        }
    }
    assert_eq!(level, Some(2));
    Ok(())
}

#[test]
fn a_flipped_bit_is_noticed() -> Outcome {
    let bytes = small_stream()?;
    let whole = read(&bytes, &SMALL)?;
    for k in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[k] ^= 1 << (k % 8);
        // a packet that claims to be longer looks like one that has not arrived
        if let Ok(content) = read(&damaged, &SMALL) {
            assert!(!content.complete, "byte {k}");
            assert!(content.matrix.kept_blocks() < whole.matrix.kept_blocks());
        }
    }
    Ok(())
}

#[test]
fn damage_behind_right_checksums_does_no_harm() -> Outcome {
    let plan = Plan::from_environment();
    let mut random = Random::new(plan.seed());
    let mut streams = streams_of_rules()?;
    streams.push(other_stream()?);
    let parts: Vec<_> = streams.iter().map(|bytes| sealed_parts(bytes)).collect();
    let mut counts = vec![[0_u64; 3]; streams.len()];
    for number in plan.cases(ROUNDS) {
        let which = (number % streams.len() as u64) as usize;
        let (bytes, parts) = (&streams[which], &parts[which]);
        let [rounds, refused, read_on] = &mut counts[which];
        *rounds += 1;
        let mut damaged = bytes.clone();
        // half of them in the header and the extra block, whose bytes decide about sizes
        let in_header = random.below(2) == 0;
        let end = if in_header { parts[1].1 } else { bytes.len() };
        for _ in 0..=random.below(3) {
            let at = random.below(end);
            damaged[at] = match random.below(4) {
                0 => 0,
                1 => 0xff,
                _ => damaged[at] ^ (1 << random.below(8)),
            };
        }
        seal(&mut damaged, parts);
        match read(&damaged, &SMALL) {
            Ok(content) => {
                *read_on += 1;
                assert!(content.matrix.bytes() < 64 << 20);
            }
            Err(_) => *refused += 1,
        }
    }
    for [rounds, refused, read_on] in counts {
        assert!(
            refused > rounds / 8 && read_on > rounds / 8,
            "{rounds} {refused} {read_on}"
        );
        println!("pgf: {rounds} damaged streams: {refused} refused, {read_on} read");
    }
    Ok(())
}

#[test]
fn a_damaged_packet_adds_nothing_and_stays_refused() -> Outcome {
    let bytes = small_stream()?;
    let parts = sealed_parts(&bytes);
    let mut noticed = 0;
    for &(begin, end) in &parts[2..] {
        let mut damaged = bytes.clone();
        // a packet that ends early: its decoder runs out of bytes
        let half = (end - begin - 17) / 2;
        damaged.splice(begin + 17 + half..end, []);
        damaged[begin + 9..begin + 17].copy_from_slice(&(half as u64).to_le_bytes());
        seal(&mut damaged, &[(begin, begin + 17 + half)]);
        let before = read(&bytes[..begin], &SMALL)?;
        let mut reader = StreamReader::open(&damaged, &SMALL)?;
        let refused = loop {
            match reader.next_packet() {
                Ok(Some(packet)) if packet.end <= begin => continue,
                other => break other,
            }
        };
        if let Err(error) = refused {
            noticed += 1;
            assert_eq!(reader.matrix(), before.matrix);
            assert_eq!(reader.next_packet(), Err(error));
            assert_eq!(reader.available_level(), before.available_level);
        }
    }
    // the last columns of a level may have nothing to say
    assert!(noticed + 2 > parts[2..].len(), "{noticed}");
    Ok(())
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random::new(7);
    for length in 0..400 {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert!(read(&bytes, &SMALL).is_err());
        for (byte, magic) in bytes.iter_mut().zip(*b"GFW1\x01\0\0\0") {
            *byte = magic;
        }
        assert!(read(&bytes, &SMALL).is_err());
    }
}

/// A header with this body.
fn header(body: &ByteWriter) -> Vec<u8> {
    let mut out = ByteWriter(b"GFW1\x01\0\0\0".to_vec());
    out.value(body.0.len() as u64);
    out.bytes(&body.0);
    out.append_checksum(0);
    out.0
}

/// The numbers before the hierarchy.
fn preamble(basis: u8) -> ByteWriter {
    let mut body = ByteWriter(vec![basis, 1, 0, 3]);
    body.value(0.05_f64);
    body.value(0.02_f32);
    body.value(512_u32);
    body
}

#[test]
fn absurd_sizes_are_refused_before_there_is_room_for_them() {
    let huge = [
        1 << 20,
        u64::from(u32::MAX),
        1 << 40,
        u64::MAX >> 1,
        u64::MAX,
    ];
    for size in huge {
        for part in 0..3 {
            let mut body = preamble(0);
            body.varint(if part == 0 { size } else { 3 });
            body.varint(if part == 1 { size } else { 1 });
            // one triangle 0 1 2, no levels, all inside, no areas
            body.bytes(&[0, 2, 2, 0, 7, 0]);
            body.varint(if part == 2 { size } else { 0 });
            body.bytes(&[0; 64]);
            let refused = read(&header(&body), &ReadLimits::default());
            assert!(
                matches!(refused, Err(StreamError::Damaged { .. })),
                "{part} {size} {refused:?}"
            );
        }
        let mut bytes = b"GFW1\x01\0\0\0".to_vec();
        bytes.extend(size.to_le_bytes());
        bytes.extend([0; 64]);
        let refused = read(&bytes, &ReadLimits::default());
        assert!(
            matches!(refused, Err(StreamError::Truncated { .. })),
            "{refused:?}"
        );
    }
    // sixteen levels of a triangle need 6 GiB of triangles, and more bytes than there are for the domain
    for levels in [10, 16, 17, 255] {
        let mut body = preamble(0);
        body.bytes(&[3, 1, 0, 2, 2, levels]);
        body.bytes(&[0; 1 << 16]);
        let refused = read(&header(&body), &ReadLimits::default());
        assert!(refused.is_err(), "{levels}");
    }
}

/// The rows of the inverse transform grow with the square of a fan: 20,000 triangles would need 20 GB.
#[test]
fn a_fan_of_many_triangles_is_held_to_the_limit() {
    let triangles = 20_000_i64;
    for basis in [0, 1, 2] {
        let mut body = preamble(basis);
        body.varint(triangles as u64 + 1);
        body.varint(triangles as u64);
        let mut last = 0;
        for t in 0..triangles {
            for corner in [0, 1 + t, 1 + (t + 1) % triangles] {
                body.signed(corner - last);
                last = corner;
            }
        }
        body.bytes(&[1, 0]);
        // 20,001 vertices and 40,000 edges
        body.bytes(&[0xff; 7501]);
        body.bytes(&[0, 0]);
        let refused = read(&header(&body), &ReadLimits::default());
        assert!(
            matches!(refused, Err(StreamError::OverLimit { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn the_limit_of_the_caller_holds() -> Outcome {
    let bytes = small_stream()?;
    let mut reasons = Vec::new();
    for kilobytes in (0..4000).step_by(2) {
        let limits = ReadLimits {
            memory_bytes: kilobytes << 10,
        };
        match read(&bytes, &limits) {
            Err(StreamError::OverLimit {
                what,
                needed,
                limit,
                ..
            }) => {
                assert!(needed > limit);
                if reasons.last() != Some(&what) {
                    reasons.push(what);
                }
            }
            Err(other) => return Err(other.into()),
            Ok(_) => {
                assert_eq!(reasons.len(), 4, "{reasons:?}");
                return Ok(());
            }
        }
    }
    Err("a small stream needs 4 MB".into())
}
