//! The baked hierarchy of a body: constant, shared between models, and stored on disk.

use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::mesh::{Csr, SurfaceMesh};

use crate::hierarchy::{Level, parenting};

/// Poisson's ratio from which linear tetrahedra lock.
const LOCKING_RATIO: f64 = 0.45;

/// The levels of one body, coarse to fine, with all precomputed data.
#[derive(Debug, Clone, PartialEq)]
pub struct LodHierarchy {
    /// The skin, same for every level.
    pub skin: Arc<SurfaceMesh>,
    /// Material of the whole body.
    pub material: Material,
    /// Names of the supports; [`Level::held`] has the same order.
    pub supports: Vec<String>,
    /// Coarse to fine, at least one.
    pub levels: Vec<Level>,
    /// Lowest angular frequency with the supports, rad/s: of all calibrated levels, or of the coarsest where none is.
    pub lowest_frequency: f64,
    /// Notes on the levels for the user.
    pub notes: Vec<String>,
}

impl LodHierarchy {
    /// Bytes held by all levels.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum()
    }

    /// Notes on the levels and on the material.
    pub(crate) fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        let nu = self.material.elastic.poisson;
        if nu > LOCKING_RATIO {
            notes.push(format!(
                "linear tetrahedra lock at Poisson's ratio {nu}: the body is stiffer than its material\n  remedy: use a ratio of at most {LOCKING_RATIO}"
            ));
        }
        notes
    }
}

/// Fills [`Level::children`] from the parents of the next finer level.
pub(crate) fn link_children(levels: &mut [Level]) {
    for l in 1..levels.len() {
        let count = levels[l - 1].node_count();
        levels[l - 1].children = parenting::children(&levels[l].parents, count);
    }
}

/// No rows: the children of the finest level.
pub(crate) fn no_children() -> Csr {
    Csr::from_pairs(0, std::iter::empty())
}
