//! Sums over windows along an axis.

pub(crate) mod along_z;
pub(crate) mod direct;
pub(crate) mod folded;
pub(crate) mod line;
pub(crate) mod shifted;
pub(crate) mod terms;
