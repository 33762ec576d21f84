//! Requirements on a reader for any bytes: no panic, bounded time and memory, and a valid mesh or one clear error message.

use std::time::Duration;

use pliant_fuzzing::Limits;
use pliant_meshing::io::{MeshFile, ReadError, ReadOptions};

use super::readers::Reader;

/// Bytes that a reader may hold for each byte of the file,
pub const MOST_A_BYTE: usize = 20;
/// and beyond that: compressed arrays may unpack to 24 MiB and are converted once more, and a glTF scene may place its mesh
/// until it fills 24 MiB, however short the file.
pub const MOST_BESIDES: usize = 56 << 20;
/// A file of at most 64 KiB must be done in this processor time.
pub const LONGEST: Duration = Duration::from_secs(4);

/// Reads the bytes with and without non-finite numbers. Returns a message if the reader violates a requirement.
pub fn judge(reader: &Reader, bytes: &[u8]) -> Option<String> {
    let limits = Limits {
        bytes_per_byte: MOST_A_BYTE,
        extra_bytes: MOST_BESIDES,
        max_time: LONGEST / 2,
    };
    [false, true].into_iter().find_map(|keep_non_finite| {
        let options = ReadOptions { keep_non_finite };
        // an error is a valid result, checked below
        let read = |bytes: &[u8]| Ok(reader.read(bytes, &options));
        limits.complaint(bytes, read, |result| match result {
            Ok(file) => unsound(&file, keep_non_finite),
            Err(error) => unclear(&error, bytes.len()),
        })
    })
}

fn unsound(file: &MeshFile, keep_non_finite: bool) -> Option<String> {
    let count = file.surface.positions.len();
    let all = file.surface.triangles.iter().flatten();
    if all.into_iter().any(|&v| v as usize >= count) {
        return Some("gave a triangle a vertex that does not exist".into());
    }
    if file.surface.triangles.is_empty() {
        return Some("gave a surface without triangles".into());
    }
    let finite = |p: &pliant_core::math::Vec3| p.iter().all(|x| x.is_finite());
    if !keep_non_finite && !file.surface.positions.iter().all(finite) {
        return Some("gave a vertex that is not finite".into());
    }
    if let Some(tets) = &file.tets {
        let count = tets.nodes.len();
        if tets.tets.iter().flatten().any(|&v| v as usize >= count) {
            return Some("gave a tetrahedron a node that does not exist".into());
        }
        if !(0..tets.tets.len()).all(|t| tets.tet_volume(t) >= 0.0) {
            return Some("gave a tetrahedron with negative volume".into());
        }
    }
    None
}

/// An error is one line and a remedy, short enough to be read even with a long file name twice in it, and names a place in the file.
fn unclear(error: &ReadError, length: usize) -> Option<String> {
    let text = error.to_string();
    let (message, remedy) = text.split_once("\n  remedy: ").unwrap_or((&text, ""));
    let is_clear = !message.contains('\n') && !remedy.contains('\n') && text.len() < 1000;
    if !is_clear || message.is_empty() || remedy.is_empty() {
        return Some(format!(
            "gave an error that is not one sentence and a remedy: {text:?}"
        ));
    }
    let place = error.place().unwrap_or_default();
    let at = place
        .split_whitespace()
        .last()
        .and_then(|n| n.parse::<usize>().ok());
    // missing content is reported at the line after the last
    at.filter(|n| *n > length + 1)
        .map(|_| format!("named {place} of {length} bytes"))
}
