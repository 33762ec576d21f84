//! Nodes move onto the surface and its features, as far as dihedral angles allow.

pub(crate) mod angle_ranges;
mod cells;
mod feature_relaxation;
pub(crate) mod fitted_mesh;
mod flips;
mod matching;
mod meeting;
pub(crate) mod pull;
pub(crate) mod skin_fit;
