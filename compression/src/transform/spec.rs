//! Parameters of a wavelet transform.

/// How a new vertex is predicted from the coarser level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WaveletBasis {
    /// The mean of the two ends of its edge.
    #[default]
    Linear,
    /// The eight-point butterfly (Dyn, Levin, Gregory 1990) with the same weights at every vertex.
    Butterfly,
    /// The butterfly with other weights around vertices whose valence is not six (Zorin, Schröder, Sweldens 1996).
    ModifiedButterfly,
}

impl WaveletBasis {
    /// All bases; files number them in this order.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Butterfly, Self::ModifiedButterfly];
}

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
}

impl TransformSpec {
    /// Linear wavelets without lifting, whose hats interpolate.
    pub const HATS: Self = Self {
        basis: WaveletBasis::Linear,
        lifted: false,
        missing: MissingNeighbours::Renormalise,
    };
}

impl Default for TransformSpec {
    fn default() -> Self {
        Self {
            basis: WaveletBasis::Linear,
            lifted: true,
            missing: MissingNeighbours::Renormalise,
        }
    }
}
