//! A binary range coder: bits and their probabilities in, bytes out, and back (Martin 1979; the carry is that of LZMA, Pavlov 2001).

use super::bit::AdaptiveBit;

/// Below this range a byte is shifted out.
const MIN_RANGE: u32 = 1 << 24;
/// Bytes that the decoder reads ahead. Up to this many zeros at the end are not written.
const READ_AHEAD: usize = 4;

/// One side of the coder, so that a model is written once for both.
pub(in crate::stream) trait BinaryCoder {
    /// The encoder writes `bit` and returns it. The decoder does not look at `bit` and returns the one that was written.
    fn code(&mut self, bit: bool, model: &mut AdaptiveBit) -> bool;
}

/// Bits to bytes.
#[derive(Debug)]
pub(in crate::stream) struct RangeEncoder {
    low: u64,
    range: u32,
    /// The last byte that a carry can still change.
    cached: u8,
    /// Number of bytes 0xff behind it, which a carry turns to zero.
    pending_ones: usize,
    /// False until the first byte, which has no meaning, was shifted out.
    started: bool,
    bytes: Vec<u8>,
}

impl RangeEncoder {
    pub fn new() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            cached: 0,
            pending_ones: 0,
            started: false,
            bytes: Vec::new(),
        }
    }

    /// The bytes of all bits so far.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift_out_byte();
        }
        // the decoder reads zeros behind the end
        for _ in 0..READ_AHEAD {
            self.bytes.pop_if(|byte| *byte == 0);
        }
        self.bytes
    }

    fn shift_out_byte(&mut self) {
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if top != 0xff || carry != 0 {
            if self.started {
                self.bytes.push(self.cached.wrapping_add(carry));
            }
            self.started = true;
            let ones = 0xff_u8.wrapping_add(carry);
            self.bytes
                .extend(std::iter::repeat_n(ones, self.pending_ones));
            self.pending_ones = 0;
            self.cached = top;
        } else {
            self.pending_ones += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }
}

impl BinaryCoder for RangeEncoder {
    #[inline(always)]
    fn code(&mut self, bit: bool, model: &mut AdaptiveBit) -> bool {
        let bound = model.split(self.range);
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        model.update(bit);
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.shift_out_byte();
        }
        bit
    }
}

/// Bytes to bits. Behind the end of its bytes the decoder reads zeros and counts them.
#[derive(Debug)]
pub(in crate::stream) struct RangeDecoder<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
}

impl<'a> RangeDecoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes,
            at: 0,
            range: u32::MAX,
            code: 0,
        };
        for _ in 0..4 {
            decoder.code = (decoder.code << 8) | decoder.next_byte();
        }
        decoder
    }

    /// Whether more was read than an encoder can have written, so that the bytes are damaged.
    pub fn is_exhausted(&self) -> bool {
        self.at > self.bytes.len().saturating_add(READ_AHEAD)
    }

    /// Whether the end has been read, as it is after the last bit.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() && !self.is_exhausted()
    }

    #[inline(always)]
    fn next_byte(&mut self) -> u32 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at = self.at.saturating_add(1);
        u32::from(byte)
    }
}

impl BinaryCoder for RangeDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, _bit: bool, model: &mut AdaptiveBit) -> bool {
        let bound = model.split(self.range);
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        model.update(bit);
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.code = (self.code << 8) | self.next_byte();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(k: u32) -> u32 {
        k.wrapping_mul(2_654_435_761) >> 16
    }

    #[test]
    fn bits_come_back_whatever_their_share_of_ones() {
        for share in [0, 1, 700, 32_768, 65_535] {
            let bits: Vec<bool> = (0..20_000).map(|k| noise(k) & 0xffff < share).collect();
            let mut encoder = RangeEncoder::new();
            let mut models = [AdaptiveBit::default(); 3];
            for (k, &bit) in bits.iter().enumerate() {
                encoder.code(bit, &mut models[k % 3]);
            }
            let bytes = encoder.finish();
            let mut decoder = RangeDecoder::new(&bytes);
            let mut models = [AdaptiveBit::default(); 3];
            for (k, &bit) in bits.iter().enumerate() {
                assert_eq!(decoder.code(false, &mut models[k % 3]), bit, "{share} {k}");
            }
            assert!(decoder.is_at_end());
        }
    }

    #[test]
    fn rare_bits_cost_little() {
        let mut encoder = RangeEncoder::new();
        let mut model = AdaptiveBit::default();
        for k in 0..100_000_u32 {
            encoder.code(k % 100 == 0, &mut model);
        }
        // the entropy of one in a hundred is 0.0808 bits: 1,010 bytes; the short memory costs a quarter more
        let bytes = encoder.finish().len();
        assert!((1000..1300).contains(&bytes), "{bytes}");
    }

    #[test]
    fn bits_behind_the_end_are_noticed() {
        let mut decoder = RangeDecoder::new(&[1, 2, 3]);
        let mut model = AdaptiveBit::default();
        for _ in 0..200_000 {
            decoder.code(false, &mut model);
        }
        assert!(decoder.is_exhausted() && !decoder.is_at_end());
    }
}
