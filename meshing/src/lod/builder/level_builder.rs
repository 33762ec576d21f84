//! What a level should be; one body, and what is known about its levels while they are built.

use std::cell::Cell;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::geometry::fidelity::LOST_DISTANCE;
use crate::geometry::solid::MeshSolid;
use crate::lod::level::Level;
use crate::lod::shape::{Shape, significant_components, significant_sets};
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};
use crate::tetrahedralise::stuffing::spacing;
use crate::tetrahedralise::stuffing::stuff::SPACING_OVER_EDGE;

/// Work after which nothing is tried again, in nodes of all meshes made.
const MAX_WORK: usize = 300_000;
/// Largest ratio of the volume of a level to that of the body; its inverse is the smallest. Beyond these a level does not show the body.
pub(crate) const MAX_VOLUME_RATIO: f64 = 1.5;
/// Least ratio of the nodes of a level that shows the body to their estimate.
const MIN_NODES_OVER_GUESS: f64 = 0.7;

/// Largest share of the surface of a part that a level may lose.
const MAX_LOST_SHARE: f64 = 0.25;
/// Surface farther than this many edges from the boundary of a level is lost, if that is more than [`LOST_DISTANCE`] diagonals.
pub(crate) const LOST_DISTANCE_EDGES: f64 = 0.75;

/// What a level should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// A resolution; finer ones are tried where it loses parts of the body.
    Tets(TetTarget),
    /// This edge length (m), and no other.
    Edge(f64),
    /// So many nodes on the boundary.
    Boundary(usize),
}

/// Builds levels of one body.
pub(crate) struct LevelBuilder<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) mesher: &'a dyn TetMesher,
    pub(crate) progress: &'a Progress,
    pub(crate) solid: MeshSolid,
    pub(crate) components: usize,
    pub(crate) shape: Shape,
    pub(crate) volume: f64,
    pub(crate) diagonal: f64,
    /// expected nodes of the levels built, and of those announced
    pub(crate) work: Cell<(f64, f64)>,
    /// work of all meshes made, in nodes; rejected ones count, too
    pub(crate) spent: Cell<usize>,
}

impl<'a> LevelBuilder<'a> {
    pub(crate) fn new(
        surface: &'a SurfaceMesh,
        mesher: &'a dyn TetMesher,
        progress: &'a Progress,
    ) -> Result<Self, MeshingError> {
        let solid = MeshSolid::new(surface)?;
        let diagonal = surface.bounds().diagonal();
        let volume = solid.volume;
        if volume <= 1e-12 * diagonal.powi(3) {
            return Err(MeshingError::NoVolume);
        }
        let components = match solid.border() {
            Some(skin) => significant_sets(skin, &solid.border.part),
            None => significant_components(surface),
        };
        Ok(Self {
            surface,
            mesher,
            progress,
            solid,
            components,
            shape: Shape::of(surface),
            volume,
            diagonal,
            work: Cell::new((0.0, 0.0)),
            spent: Cell::new(0),
        })
    }

    /// The part of the surface that is on the border of the body: all of it, unless shells overlap.
    pub(crate) fn skin(&self) -> &SurfaceMesh {
        self.solid.border().unwrap_or(self.surface)
    }

    /// Components of a level, for comparison with those of the body. Of a body with several parts, only components with much of its volume count.
    pub(crate) fn components_of(&self, level: &Level) -> usize {
        if self.solid.border.parts > 1 {
            significant_components(&level.mesh.boundary().surface)
        } else {
            level.shape.components
        }
    }

    /// Parts of a body with several parts of whose surface a level loses more than [`MAX_LOST_SHARE`]: their number, and a point on the one that loses most.
    pub(crate) fn lost_parts(&self, level: &Level) -> Option<(usize, Vec3)> {
        if self.solid.border.parts < 2 {
            return None;
        }
        let boundary = level.mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let lost_distance =
            (LOST_DISTANCE * self.diagonal).max(LOST_DISTANCE_EDGES * level.boundary_edge);
        let skin = self.skin();
        let is_lost: Vec<bool> = (0..skin.triangles.len())
            .into_par_iter()
            .map(|t| {
                let center = skin.corners(t).iter().sum::<Vec3>() / 3.0;
                tree.closest_within(&center, lost_distance).is_none()
            })
            .collect();
        // area of each part, its lost area, and a lost point
        let mut areas = vec![(0.0, 0.0, Vec3::zeros()); self.solid.border.parts];
        for (t, (&part, is_lost)) in self.solid.border.part.iter().zip(is_lost).enumerate() {
            let Some((all, lost, place)) = areas.get_mut(part as usize) else {
                continue;
            };
            let area = 0.5 * skin.area_vector(t).norm();
            *all += area;
            if is_lost {
                *lost += area;
                *place = skin.corners(t).iter().sum::<Vec3>() / 3.0;
            }
        }
        areas.retain(|(all, lost, _)| *lost > MAX_LOST_SHARE * all);
        let worst = areas.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((areas.len(), worst.2))
    }

    /// Handles of a level beyond those of the body; 0 where shells overlap, because the genus of the body is then unknown.
    pub(crate) fn extra_handles(&self, level: &Level) -> i64 {
        match self.solid.border() {
            Some(_) => 0,
            None => level.shape.genus - self.shape.genus,
        }
    }

    /// Whether so much work is done that only necessary levels should follow.
    pub(crate) fn is_work_exhausted(&self) -> bool {
        self.spent.get() > MAX_WORK
    }

    /// Refuses a body whose volume a level misses by far, if its mean wall would be thinner than an edge even with `most_nodes` nodes.
    pub(crate) fn require_walls(
        &self,
        level: &Level,
        most_nodes: usize,
    ) -> Result<(), MeshingError> {
        let wall = 2.0 * self.volume / self.skin().area();
        let nodes = level.mesh.nodes.len() as f64;
        // a level that has lost most of the body has few nodes, from which nothing follows for finer ones
        let scale = (nodes / self.estimated_nodes(level.edge_mean)).max(MIN_NODES_OVER_GUESS);
        if !(1.0 / MAX_VOLUME_RATIO..=MAX_VOLUME_RATIO).contains(&level.volume_ratio)
            && scale * self.estimated_nodes(wall) > most_nodes as f64
        {
            return Err(MeshingError::ThinnerThanResolution {
                wall,
                edge: level.edge_mean,
                nodes: level.mesh.nodes.len(),
                ratio: level.volume_ratio,
            });
        }
        Ok(())
    }

    /// Announces levels with `nodes` nodes in all.
    pub(crate) fn plan(&self, nodes: f64) {
        let (done, to_come) = self.work.get();
        self.work.set((done, to_come + nodes));
        self.show_progress();
    }

    /// Shows the share of the work that is done: the time of a level grows with its nodes.
    pub(crate) fn show_progress(&self) {
        let (done, to_come) = self.work.get();
        self.progress.stage("tetrahedra");
        self.progress.set_fraction(done / (done + to_come).max(1.0));
    }

    /// Estimated number of nodes of a level with edges of length `edge` (m).
    pub(crate) fn estimated_nodes(&self, edge: f64) -> f64 {
        let h = SPACING_OVER_EDGE * edge;
        spacing::count_guess(self.volume, self.skin().area(), h)
    }

    /// The same, scaled by the nodes that `level` really has.
    pub(crate) fn estimated_nodes_from(&self, level: &Level, edge: f64) -> f64 {
        let scale = level.mesh.nodes.len() as f64 / self.estimated_nodes(level.edge_mean);
        self.estimated_nodes(edge) * scale
    }

    /// Estimated number of nodes of a level for `goal`.
    pub(crate) fn estimated_nodes_for(&self, goal: Goal) -> f64 {
        match goal {
            Goal::Tets(TetTarget::Nodes(n)) | Goal::Boundary(n) => n as f64,
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => self.estimated_nodes(edge),
        }
    }
}
