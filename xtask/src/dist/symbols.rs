//! What a Linux program requires of the system.

/// The newest version of glibc that the symbols of an ELF file require, as (major, minor); `None` if they require none. Versions are strings such as `GLIBC_2.34` in the string table, which
/// stripping keeps.
pub fn newest_glibc(bytes: &[u8]) -> Option<(u32, u32)> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    const PREFIX: &[u8] = b"\0GLIBC_";
    let found = bytes
        .windows(PREFIX.len())
        .enumerate()
        .filter(|(_, w)| *w == PREFIX);
    found
        .filter_map(|(at, _)| version(&bytes[at + PREFIX.len()..]))
        .max()
}

/// Whether a 64-bit ELF file requests a dynamic linker. A static program does not.
pub fn names_an_interpreter(bytes: &[u8]) -> bool {
    const INTERPRETER: u64 = 3;
    let number = |at: usize, length: usize| -> Option<u64> {
        let part = bytes.get(at..at.checked_add(length)?)?;
        Some(
            part.iter()
                .rev()
                .fold(0, |sum, &b| (sum << 8) | u64::from(b)),
        )
    };
    let kinds = || -> Option<Vec<u64>> {
        let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
        let at = |i: u64| usize::try_from(table.checked_add(i.checked_mul(size)?)?).ok();
        (0..count).map(|i| number(at(i)?, 4)).collect()
    };
    bytes.starts_with(b"\x7fELF") && kinds().is_none_or(|kinds| kinds.contains(&INTERPRETER))
}

/// The version before a NUL: `2.34`, or `2.2.5`, whose last part is ignored.
fn version(bytes: &[u8]) -> Option<(u32, u32)> {
    let end = bytes.iter().take(16).position(|&b| b == 0)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut parts = text.split('.').map(|p| p.parse().ok());
    Some((parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::{names_an_interpreter, newest_glibc};

    #[test]
    fn the_newest_version_counts_as_a_number() {
        let file = b"\x7fELF ...\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(file), Some((2, 34)));
        assert_eq!(newest_glibc(b"\x7fELF\0"), None);
        assert_eq!(newest_glibc(b"MZ\0GLIBC_2.34\0"), None);
    }

    #[test]
    fn an_interpreter_is_a_segment_of_its_kind() {
        let with = |kind: u8| {
            let mut file = vec![0; 64 + 56];
            file[..4].copy_from_slice(b"\x7fELF");
            (file[32], file[54], file[56], file[64]) = (64, 56, 1, kind);
            file
        };
        assert!(names_an_interpreter(&with(3)));
        assert!(!names_an_interpreter(&with(1)));
        // a truncated table or an empty file does not count as a static program
        assert!(names_an_interpreter(&with(1)[..60]));
        assert!(!names_an_interpreter(b"MZ"));
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn this_test_needs_some_glibc() {
        let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        assert!(newest_glibc(&own).is_some_and(|v| v >= (2, 17)));
        assert!(names_an_interpreter(&own));
    }
}
