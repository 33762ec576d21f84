//! The baked lattice: constant data of a body, and its form as bytes.

mod bytes;
pub(crate) mod changed;
pub(crate) mod lattice_asset;
pub(crate) mod lists;
pub(crate) mod region;
pub(crate) mod sites;
pub(crate) mod sum_plan;

pub use lattice_asset::LatticeAsset;
