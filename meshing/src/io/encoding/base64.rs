//! Base64 back into bytes: arrays of VTU files, buffers of glTF.

/// At most `limit` bytes of a text; white space is passed over, padding may be missing or stand in the middle (where two encoded parts meet).
/// `Err` holds the position of a character that is no digit.
pub(crate) fn decode(text: &[u8], limit: usize) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(limit.min(text.len() / 4 * 3 + 3));
    let mut word = 0_u32;
    let mut digits = 0;
    for (at, &c) in text.iter().enumerate() {
        if bytes.len() >= limit {
            break;
        }
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                put(&mut bytes, word, digits);
                (word, digits) = (0, 0);
                continue;
            }
            _ if c.is_ascii_whitespace() => continue,
            _ => return Err(at),
        };
        word = word << 6 | u32::from(digit);
        digits += 1;
        if digits == 4 {
            put(&mut bytes, word, 4);
            (word, digits) = (0, 0);
        }
    }
    put(&mut bytes, word, digits);
    bytes.truncate(limit);
    Ok(bytes)
}

/// The whole bytes of a group of `digits` digits.
fn put(bytes: &mut Vec<u8>, word: u32, digits: u32) {
    let group = (word << (6 * (4 - digits))).to_be_bytes();
    bytes.extend(group.iter().skip(1).take(digits as usize * 3 / 4));
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::bytes::base64;

    use super::*;

    #[test]
    fn every_length_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..bytes.len() {
            let text = base64(&bytes[..length]);
            assert_eq!(text.len(), length.div_ceil(3) * 4);
            let back = decode(text.as_bytes(), usize::MAX);
            assert_eq!(back, Ok(bytes[..length].to_vec()));
        }
    }

    #[test]
    fn parts_may_be_padded_in_the_middle_or_not_at_all() {
        assert_eq!(decode(b"YQ==\n YmM=", 9), Ok(b"abc".to_vec()));
        assert_eq!(decode(b"YWI", 9), Ok(b"ab".to_vec()));
        assert_eq!(decode(b"YWJj", 2), Ok(b"ab".to_vec()));
        assert_eq!(decode(b"YW?j", 9), Err(2));
        assert_eq!(decode(b"=====", 9), Ok(Vec::new()));
    }
}
