//! The input surface as the remesh needs it: long edges split, sharp lines detected, points on it addressable.

pub(crate) mod crease;
pub(crate) mod domain;
mod planar;
pub(crate) mod refine;
