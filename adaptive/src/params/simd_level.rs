//! Which vector instructions single precision uses.

/// Width and kind of the vector instructions.
///
/// Levels with fused multiply-add give the same bits; [`SimdLevel::Portable`] rounds after every product and differs in the last digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimdLevel {
    /// The widest that the processor has.
    #[default]
    Auto,
    /// What every processor of the architecture has.
    Portable,
    /// Eight lanes with fused multiply-add (AVX2 and FMA).
    Avx2,
    /// Sixteen lanes with fused multiply-add (AVX-512).
    Avx512,
}
