//! One mesh for a goal: a single call of the mesher, or several until an edge length or a boundary count is met.

use super::level_builder::{Goal, LevelBuilder};
use crate::error::MeshingError;
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::stuffing::spacing;
use crate::tetrahedralise::stuffing::stuff::{
    SPACING_OVER_EDGE, Stuffed, stuff_boundary, stuff_matched, stuff_thin_parts,
};

/// Levels with more nodes than this are tried again only when they have lost something.
pub(super) const SMALL_LEVEL_NODES: f64 = 5000.0;
/// Work of a relaxation for a feature, in nodes of a mesh.
const RELAXATION_IN_NODES: usize = 30;
/// Most meshes made for one edge length, and the logarithmic error of the mean edge at which the search ends.
const MAX_EDGE_ATTEMPTS: usize = 4;
const EDGE_TOLERANCE: f64 = 0.03;

impl LevelBuilder<'_> {
    /// One mesh with `factor` times the requested nodes and walls moved outwards by `thicken` lattice spacings.
    pub(super) fn attempt(
        &self,
        goal: Goal,
        factor: f64,
        thicken: f64,
    ) -> Result<Stuffed, MeshingError> {
        match goal {
            Goal::Tets(TetTarget::Nodes(n)) => {
                self.mesh(TetTarget::Nodes((n as f64 * factor) as usize), thicken)
            }
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => {
                self.with_edge(edge / factor.cbrt(), thicken)
            }
            Goal::Boundary(nodes) if self.mesher.is_stuffing() => {
                let made = stuff_boundary(&self.solid, self.skin(), nodes, thicken, self.progress)?;
                Ok(self.counted(made))
            }
            Goal::Boundary(nodes) => {
                let start = spacing::spacing_guess(self.skin(), 1.3 * nodes as f64);
                let (mesh, _) = spacing::search(
                    self.skin(),
                    start,
                    nodes as f64,
                    |mesh| mesh.boundary().node_of_vertex.len(),
                    |edge| match self.with_edge(edge, thicken) {
                        Ok(made) => Ok(Some(made.mesh)),
                        Err(MeshingError::NoVolume) => Ok(None),
                        Err(error) => Err(error),
                    },
                )?;
                Ok(Stuffed::of(mesh))
            }
        }
    }

    fn mesh(&self, target: TetTarget, thicken: f64) -> Result<Stuffed, MeshingError> {
        if self.mesher.is_stuffing() {
            let made = stuff_matched(&self.solid, self.skin(), target, thicken, self.progress)?;
            Ok(self.counted(made))
        } else {
            let mesh = self
                .mesher
                .tetrahedralise(self.surface, target, self.progress)?;
            Ok(Stuffed::of(mesh))
        }
    }

    /// A mesh with edges of about `edge` (m) in which parts that are too thin for its lattice are thickened; `None` where there are none.
    pub(super) fn with_thin_parts(&self, edge: f64) -> Result<Option<Stuffed>, MeshingError> {
        if !self.mesher.is_stuffing() {
            return Ok(None);
        }
        let spacing = SPACING_OVER_EDGE * edge;
        match stuff_thin_parts(&self.solid, self.skin(), spacing, self.progress) {
            Ok(made) => Ok(made.map(|made| self.counted(made))),
            Err(MeshingError::GridTooLarge { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds the work of a mesh to the work spent.
    fn counted(&self, made: Stuffed) -> Stuffed {
        let work = made.mesh.nodes.len() + RELAXATION_IN_NODES * made.matched.relaxed;
        self.spent.set(self.spent.get() + work);
        made
    }

    /// A mesh whose mean edge is `edge` (m). Meshers meet an edge length only roughly, so the requested one is corrected by the result. Large meshes are taken
    /// uncorrected.
    fn with_edge(&self, edge: f64, thicken: f64) -> Result<Stuffed, MeshingError> {
        let mut requested = edge;
        let mut best: Option<(f64, Stuffed)> = None;
        for _ in 0..MAX_EDGE_ATTEMPTS {
            let found = match self.mesh(TetTarget::Edge(requested), thicken) {
                Ok(found) => found,
                Err(MeshingError::NoVolume) if best.is_some() => break,
                Err(error) => return Err(error),
            };
            let ratio = found.mesh.mean_edge() / edge;
            let is_large = found.mesh.nodes.len() as f64 > SMALL_LEVEL_NODES;
            let edge_error = ratio.ln().abs();
            if best
                .as_ref()
                .is_none_or(|(smallest, _)| edge_error < *smallest)
            {
                best = Some((edge_error, found));
            }
            if is_large || edge_error < EDGE_TOLERANCE {
                break;
            }
            requested /= ratio;
        }
        best.map(|(_, found)| found).ok_or(MeshingError::NoVolume)
    }
}
