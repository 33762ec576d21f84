//! A `.tar.gz` archive whose bytes depend only on its files: no times, no owners.

use flate2::{Compression, GzBuilder};

use super::contents::Entry;

/// The archive of these files, in a folder `name`.
///
/// # Errors
/// A path that is too long for the format.
pub fn tar_gz(name: &str, entries: &[Entry]) -> Result<Vec<u8>, String> {
    // without time and file name, and with an unknown operating system
    let encoder = GzBuilder::new().write(Vec::new(), Compression::default());
    let mut tar = tar::Builder::new(encoder);
    for entry in entries {
        let path = format!("{name}/{}", entry.path);
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.bytes.len() as u64);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mode(if entry.is_executable { 0o755 } else { 0o644 });
        let header_result = header.set_path(&path).map(|()| header.set_cksum());
        let appended = header_result.and_then(|()| tar.append(&header, entry.bytes.as_slice()));
        appended.map_err(|e| format!("{path} does not fit the archive: {e}"))?;
    }
    let packed = tar.into_inner().and_then(flate2::write::GzEncoder::finish);
    packed.map_err(|e| format!("the archive cannot be packed: {e}"))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn entries() -> Vec<Entry> {
        vec![
            Entry::text("README.md", "read me\n".repeat(200)),
            Entry {
                is_executable: true,
                ..Entry::text("bin/tool", "#!/bin/sh\necho it runs\n".into())
            },
        ]
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        assert_eq!(tar_gz("a", &entries()), tar_gz("a", &entries()));
        assert_ne!(tar_gz("a", &entries()), tar_gz("b", &entries()));
        assert!(tar_gz(&"a".repeat(300), &entries()).is_err());
    }

    #[test]
    fn an_unpacked_archive_has_the_files_without_times_and_owners() {
        let bytes = tar_gz("a", &entries()).expect("an archive");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let unpacked = archive.entries().expect("an archive");
        let mut count = 0;
        for (unpacked, entry) in unpacked.zip(entries()) {
            let mut unpacked = unpacked.expect("an entry");
            let mut content = Vec::new();
            unpacked.read_to_end(&mut content).expect("its bytes");
            assert_eq!(content, entry.bytes);
            let path = unpacked.path().expect("a path").into_owned();
            assert_eq!(path, std::path::Path::new("a").join(&entry.path));
            let header = unpacked.header();
            assert_eq!(
                header.mode().expect("a mode") & 0o111 != 0,
                entry.is_executable
            );
            assert_eq!((header.mtime().ok(), header.uid().ok()), (Some(0), Some(0)));
            count += 1;
        }
        assert_eq!(count, entries().len());
    }
}
