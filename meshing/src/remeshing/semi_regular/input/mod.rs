//! The input surface as the remesh needs it: long edges split, sharp lines known, places on it addressable.

pub(crate) mod crease;
pub(crate) mod domain;
mod planar;
pub(crate) mod refine;
