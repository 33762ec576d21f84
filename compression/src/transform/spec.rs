//! Which wavelets.

/// How a new vertex is predicted from the level before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WaveletBasis {
    /// The mean of the two ends of its edge.
    #[default]
    Linear,
    /// The eight-point butterfly (Dyn, Levin, Gregory 1990) with the same weights at every vertex.
    Butterfly,
    /// The butterfly with weights of their own around vertices that have not six neighbours (Zorin, Schröder, Sweldens 1996).
    ModifiedButterfly,
}

/// What stands for a neighbour that is not in the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingNeighbours {
    /// The others are scaled to a sum of one: constants have no details.
    #[default]
    Renormalise,
    /// Zero: right beside supports, where displacements vanish. It compresses better there, but constants have details.
    Zero,
}

/// A wavelet transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransformSpec {
    /// The predictor.
    pub basis: WaveletBasis,
    /// Whether coarse values are updated, so that every wavelet has a vanishing integral. Without it they are samples.
    pub lifted: bool,
    /// What stands for neighbours outside the domain.
    pub missing: MissingNeighbours,
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
