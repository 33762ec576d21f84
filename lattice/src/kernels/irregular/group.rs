//! The numbers of a particle or of a piece: four groups of four.

/// Four numbers of a particle, the last unused.
pub(crate) type Quad = [f32; 4];
/// The numbers of a particle or piece.
pub(crate) type Group = [Quad; 4];

/// The empty sum.
pub(crate) const ZERO_GROUP: Group = [[0.0; 4]; 4];
