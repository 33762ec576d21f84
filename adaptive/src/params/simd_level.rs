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

impl SimdLevel {
    /// All levels, `auto` first.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Portable, Self::Avx2, Self::Avx512];

    /// The name used on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}
