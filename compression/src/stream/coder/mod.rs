//! Entropy coding: adaptive bits through a range coder.

mod bit;
mod integer;
mod range;

pub(in crate::stream) use bit::AdaptiveBit;
pub(in crate::stream) use integer::IntegerModel;
pub(in crate::stream) use range::{BinaryCoder, RangeDecoder, RangeEncoder};
