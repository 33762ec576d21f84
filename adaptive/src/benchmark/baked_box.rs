//! The boxes for timing whole frames.

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use crate::asset::LodHierarchy;

/// A frame, s.
pub(crate) const FRAME: f64 = 1.0 / 60.0;
/// Nodes of the largest box.
const MAX_NODES: usize = 300_000;

/// Refuses a box of too many nodes.
pub(crate) fn check_size(nodes: usize) -> Result<(), String> {
    match nodes <= MAX_NODES {
        true => Ok(()),
        false => Err(format!("{nodes} nodes are too many; at most {MAX_NODES}")),
    }
}

/// A box with levels of these cells, held at its `foot`.
pub(crate) fn baked_box(
    size: Vec3,
    levels: &[[usize; 3]],
    material: Material,
    foot: Selection,
) -> Result<LodHierarchy, String> {
    let tets = |cells: &[usize; 3]| box_tets(size, *cells, CellStyle::Alternating);
    let body = BodyGeometry::of_levels(levels.iter().map(tets), material).held_at("foot", foot);
    LodHierarchy::bake(&body, &Progress::new()).map_err(|e| e.to_string())
}
