//! LZ4 blocks (Collet 2011, "LZ4 block format description"): literals and copies of earlier output.

/// Fills `out` from a block; the number of bytes written, `None` for a damaged block.
pub(crate) fn decompress(mut block: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut at = 0_usize;
    loop {
        let (&token, rest) = block.split_first()?;
        block = rest;
        let literals = length(usize::from(token >> 4), &mut block)?;
        let (run, rest) = block.split_at_checked(literals)?;
        out.get_mut(at..at.checked_add(literals)?)?
            .copy_from_slice(run);
        at += literals;
        block = rest;
        // the last sequence has no copy
        if block.is_empty() {
            return Some(at);
        }
        let (&[low, high], rest) = block.split_first_chunk()?;
        block = rest;
        let back = usize::from(u16::from_le_bytes([low, high]));
        let count = length(usize::from(token & 15), &mut block)?.checked_add(4)?;
        let from = at.checked_sub(back).filter(|_| back > 0)?;
        // source and target of the copy may overlap
        for k in 0..count {
            *out.get_mut(at + k)? = *out.get(from + k)?;
        }
        at += count;
    }
}

/// A length that fills its four bits continues in bytes, up to the first that is not 255.
fn length(start: usize, block: &mut &[u8]) -> Option<usize> {
    let mut length = start;
    if start < 15 {
        return Some(length);
    }
    loop {
        let (&byte, rest) = block.split_first()?;
        *block = rest;
        length = length.checked_add(usize::from(byte))?;
        if byte < 255 {
            return Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_copies_and_overlapping_copies() {
        // "abc", three back for 4 + 15 + 1, then five literals
        let mut block = vec![0x3f, b'a', b'b', b'c', 3, 0, 1, 0x50];
        block.extend(b"12345");
        let mut out = [0; 28];
        assert_eq!(decompress(&block, &mut out), Some(28));
        assert_eq!(&out, b"abcabcabcabcabcabcabcab12345");
        assert_eq!(decompress(&block, &mut out[..27]), None);
        for end in 0..block.len() {
            let cut = decompress(&block[..end], &mut out);
            assert!(cut.is_none_or(|n| n < 28), "{end}");
        }
        assert_eq!(decompress(&[0x10, b'a', 2, 0], &mut out), None);
        assert_eq!(decompress(&[0x10, b'a', 0, 0], &mut out), None);
    }
}
