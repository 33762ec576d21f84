//! A `.tar.gz` (POSIX ustar in gzip) whose bytes depend on its files alone: no times, no owners.

use miniz_oxide::deflate::compress_to_vec;

use super::contents::Entry;

/// Bytes of a block.
const BLOCK: usize = 512;
/// Compression: the level that gzip takes, too.
const LEVEL: u8 = 6;

/// The archive of these files, below a folder `name`.
///
/// # Errors
/// A path of more than 100 bytes, which the format has no place for.
pub fn tar_gz(name: &str, entries: &[Entry]) -> Result<Vec<u8>, String> {
    let tar = tar(name, entries)?;
    // deflate, no flags, no time, no level, unknown system
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    out.extend(compress_to_vec(&tar, LEVEL));
    out.extend(crc32(&tar).to_le_bytes());
    // of the length, the lowest 32 bits
    out.extend((tar.len() as u32).to_le_bytes());
    Ok(out)
}

fn tar(name: &str, entries: &[Entry]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for entry in entries {
        let mode = if entry.runs { "0000755" } else { "0000644" };
        let path = format!("{name}/{}", entry.path);
        if path.len() > 100 {
            return Err(format!("{path} is too long for the archive"));
        }
        out.extend(header(&path, mode, entry.bytes.len()));
        out.extend_from_slice(&entry.bytes);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    Ok(out)
}

fn header(path: &str, mode: &str, size: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put =
        |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, path);
    put(100, mode);
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{size:011o}"));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\u{0}00");
    let sum: u32 = block.iter().map(|&b| u32::from(b)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\u{0} ").as_bytes());
    block
}

/// The checksum of gzip (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256_u32)
        .map(|k| {
            (0..8).fold(k, |c, _| {
                if c & 1 == 1 {
                    0xedb8_8320 ^ (c >> 1)
                } else {
                    c >> 1
                }
            })
        })
        .collect();
    !bytes.iter().fold(!0_u32, |c, &b| {
        table[((c ^ u32::from(b)) & 255) as usize] ^ (c >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        vec![
            Entry::text("README.md", "read me\n".repeat(200)),
            Entry {
                runs: true,
                ..Entry::text("bin/tool", "#!/bin/sh\necho it runs\n".into())
            },
        ]
    }

    #[test]
    fn the_checksum_is_that_of_gzip() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        assert_eq!(tar_gz("a", &entries()), tar_gz("a", &entries()));
        assert_ne!(tar_gz("a", &entries()), tar_gz("b", &entries()));
        assert!(tar_gz(&"a".repeat(100), &entries()).is_err());
    }

    #[test]
    fn what_is_packed_is_unpacked_by_tar() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.tar.gz");
        let bytes = tar_gz("a", &entries()).expect("an archive");
        std::fs::write(&file, bytes).expect("a file");
        let mut tar = std::process::Command::new("tar");
        let run = tar
            .arg("xzf")
            .arg(&file)
            .arg("-C")
            .arg(folder.path())
            .output();
        let Ok(run) = run else {
            // nobody has to read it
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                b"left out: unpacking (no `tar` on the search path)\n",
            );
            return;
        };
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        for entry in entries() {
            let unpacked = folder.path().join("a").join(&entry.path);
            assert_eq!(
                std::fs::read(&unpacked).expect("a file"),
                entry.bytes,
                "{}",
                entry.path
            );
        }
    }
}
