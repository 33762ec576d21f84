//! Parameters of a wavelet transform.

pub use pliant_core::scene::{WaveletAreas, WaveletBasis};

/// How neighbours outside of the domain are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingNeighbours {
    /// The other weights are scaled to a sum of one: constants have no details.
    #[default]
    Renormalise,
    /// By zero: exact at supports, where displacements vanish. It compresses better there, but constants have details.
    Zero,
}

/// Parameters of a wavelet transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransformSpec {
    /// The predictor.
    pub basis: WaveletBasis,
    /// Whether coarse values are updated, so that every wavelet has a vanishing integral. Without it they are samples.
    pub lifted: bool,
    /// How neighbours outside of the domain are replaced.
    pub missing: MissingNeighbours,
    /// Weights of vertices in coarse means.
    pub areas: WaveletAreas,
}

impl TransformSpec {
    /// Linear wavelets without lifting, whose hats interpolate.
    pub const HATS: Self = Self {
        basis: WaveletBasis::Linear,
        lifted: false,
        missing: MissingNeighbours::Renormalise,
        areas: WaveletAreas::Nodal,
    };
}

impl Default for TransformSpec {
    fn default() -> Self {
        Self {
            basis: WaveletBasis::Linear,
            lifted: true,
            missing: MissingNeighbours::Renormalise,
            areas: WaveletAreas::Nodal,
        }
    }
}
