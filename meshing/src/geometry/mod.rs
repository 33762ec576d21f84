//! Questions about surfaces that every other part asks: inside or outside, how far apart, do triangles cross, where is it sharp.

pub(crate) mod border;
pub(crate) mod component_volumes;
pub(crate) mod distance;
pub(crate) mod fidelity;
pub(crate) mod marching_tetrahedra;
pub(crate) mod ray_crossings;
pub(crate) mod self_intersection;
pub(crate) mod sharp_features;
pub(crate) mod solid;
pub(crate) mod thin_parts;
pub(crate) mod triangle_crossing;
pub(crate) mod winding;
pub(crate) mod windings;
