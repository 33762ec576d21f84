//! Which glibc a program for Linux needs.

/// The newest version of glibc that the symbols of an ELF file name, as (major, minor); `None` where it names none. Versions are words like `GLIBC_2.34` in the table of strings, which
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

/// `2.34` up to NUL, or `2.2.5`, whose last part does not matter.
fn version(bytes: &[u8]) -> Option<(u32, u32)> {
    let end = bytes.iter().take(16).position(|&b| b == 0)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut parts = text.split('.').map(|p| p.parse().ok());
    Some((parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::newest_glibc;

    #[test]
    fn the_newest_version_counts_as_a_number() {
        let file = b"\x7fELF ...\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0";
        assert_eq!(newest_glibc(file), Some((2, 34)));
        assert_eq!(newest_glibc(b"\x7fELF\0"), None);
        assert_eq!(newest_glibc(b"MZ\0GLIBC_2.34\0"), None);
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn this_test_needs_some_glibc() {
        let own = std::fs::read(std::env::current_exe().expect("a path")).expect("a file");
        assert!(newest_glibc(&own).is_some_and(|v| v >= (2, 17)));
    }
}
