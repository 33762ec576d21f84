//! Signed integers of any size as adaptive bits: the length in bits, the sign, and the bits below the leading one (the gamma code of Elias, 1975, with adaptive
//! probabilities).

use super::bit::AdaptiveBit;
use super::range::BinaryCoder;

/// Lengths that have models: those of all 32-bit numbers.
const LENGTHS: usize = 33;
/// Number of bits behind the leading one that have a model for each value. Lower bits have one model for each place.
const MODELLED_BITS: u32 = 2;

/// The models of one context.
#[derive(Debug, Clone)]
pub(in crate::stream) struct IntegerModel {
    length: [AdaptiveBit; LENGTHS],
    /// For each context of the sign.
    sign: [AdaptiveBit; 3],
    /// For each length the bits behind the leading one, as a tree.
    leading: [[AdaptiveBit; 1 << MODELLED_BITS]; LENGTHS],
    /// The bits below, by place.
    low_bits: [AdaptiveBit; LENGTHS],
}

impl Default for IntegerModel {
    fn default() -> Self {
        Self {
            length: [AdaptiveBit::default(); LENGTHS],
            sign: [AdaptiveBit::default(); 3],
            leading: [[AdaptiveBit::default(); 1 << MODELLED_BITS]; LENGTHS],
            low_bits: [AdaptiveBit::default(); LENGTHS],
        }
    }
}

impl IntegerModel {
    /// Codes a number. `sign` is the context of its sign: 0, 1 or 2.
    #[inline(always)]
    pub fn code<C: BinaryCoder>(&mut self, coder: &mut C, value: i32, sign: usize) -> i32 {
        let magnitude = value.unsigned_abs();
        let length = u32::BITS - magnitude.leading_zeros();
        let mut coded_length = 0;
        while coded_length < LENGTHS as u32 - 1
            && coder.code(
                length > coded_length,
                &mut self.length[coded_length as usize],
            )
        {
            coded_length += 1;
        }
        if coded_length == 0 {
            return 0;
        }
        let negative = coder.code(value < 0, &mut self.sign[sign]);
        let decoded = self.code_lower_bits(coder, magnitude, coded_length);
        // the smallest number has a magnitude that does not fit
        if negative {
            0_i32.wrapping_sub_unsigned(decoded)
        } else {
            decoded as i32
        }
    }

    /// The bits below the leading one of a magnitude of `length` bits.
    #[inline(always)]
    fn code_lower_bits<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        magnitude: u32,
        length: u32,
    ) -> u32 {
        let mut decoded = 1_u32;
        let mut tree = 1;
        let leading = &mut self.leading[length as usize];
        for place in (0..length - 1).rev() {
            let bit = magnitude >> place & 1 == 1;
            let model = if length - 1 - place <= MODELLED_BITS {
                &mut leading[tree]
            } else {
                &mut self.low_bits[place as usize]
            };
            let bit = coder.code(bit, model);
            decoded = decoded << 1 | u32::from(bit);
            tree = (tree << 1 | usize::from(bit)) & ((1 << MODELLED_BITS) - 1);
        }
        decoded
    }
}

#[cfg(test)]
mod tests {
    use super::super::range::{RangeDecoder, RangeEncoder};
    use super::*;

    #[test]
    fn every_size_of_number_comes_back() {
        let mut numbers: Vec<i32> = vec![0, 1, -1, 2, -2, 3, 4, 127, -128, 255, i32::MAX, i32::MIN];
        numbers.extend((0..31).flat_map(|k| [1 << k, -(1 << k), (1 << k) - 1]));
        let mut encoder = RangeEncoder::new();
        let mut model = IntegerModel::default();
        for (k, &x) in numbers.iter().enumerate() {
            model.code(&mut encoder, x, k % 3);
        }
        let bytes = encoder.finish();
        let mut decoder = RangeDecoder::new(&bytes);
        let mut model = IntegerModel::default();
        for (k, &x) in numbers.iter().enumerate() {
            assert_eq!(model.code(&mut decoder, 0, k % 3), x);
        }
    }
}
