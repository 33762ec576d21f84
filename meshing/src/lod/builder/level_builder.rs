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

/// Nodes of all meshes made from which on nothing is tried again.
const MOST_SPENT: usize = 300_000;
/// Volume over that of the body, and its inverse, from which on a level is another body.
const SWOLLEN: f64 = 1.5;
/// Nodes of a level that shows the body, over those that were expected, at least.
const LEAST_OF_GUESS: f64 = 0.7;

/// Share of the surface of a part that a level may miss.
const CUT_SHORT: f64 = 0.25;
/// Surface farther than so many edges from the boundary of a level is missed, if that is more than [`LOST_DISTANCE`] diagonals.
const MISSED: f64 = 0.75;

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
    /// nodes of the levels built, and of those known to come
    pub(crate) work: Cell<(f64, f64)>,
    /// nodes of all meshes made, those that were given up as well
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
        let volume = solid.volume();
        if volume <= 1e-12 * diagonal.powi(3) {
            return Err(MeshingError::NoVolume);
        }
        let components = match solid.border() {
            Some(skin) => significant_sets(skin, solid.part_of_triangle()),
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

    /// What of the surface is on the border of the body: all of it, unless shells lie in each other.
    pub(crate) fn skin(&self) -> &SurfaceMesh {
        self.solid.border().unwrap_or(self.surface)
    }

    /// Components of a level as they are compared with those of the body: of a body of several parts, those that hold much of it.
    pub(crate) fn components_of(&self, level: &Level) -> usize {
        if self.solid.parts() > 1 {
            significant_components(&level.mesh.boundary().surface)
        } else {
            level.shape.components
        }
    }

    /// Parts of a body of several of which a level does not show more than [`CUT_SHORT`] of the surface: how many, and a place on the one of which most is missing.
    pub(crate) fn lost_parts(&self, level: &Level) -> Option<(usize, Vec3)> {
        if self.solid.parts() < 2 {
            return None;
        }
        let boundary = level.mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let far = (LOST_DISTANCE * self.diagonal).max(MISSED * level.boundary_edge);
        let skin = self.skin();
        let is_lost: Vec<bool> = (0..skin.triangles.len())
            .into_par_iter()
            .map(|t| {
                let center = skin.corners(t).iter().sum::<Vec3>() / 3.0;
                tree.closest_within(&center, far).is_none()
            })
            .collect();
        // area of each part, of what is lost of it, and where
        let mut areas = vec![(0.0, 0.0, Vec3::zeros()); self.solid.parts()];
        for (t, (&part, is_lost)) in self
            .solid
            .part_of_triangle()
            .iter()
            .zip(is_lost)
            .enumerate()
        {
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
        areas.retain(|(all, lost, _)| *lost > CUT_SHORT * all);
        let most = areas.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((areas.len(), most.2))
    }

    /// Handles of a level beyond those of the body; 0 where shells lie in each other, which hides how many the body has.
    pub(crate) fn extra_handles(&self, level: &Level) -> i64 {
        match self.solid.border() {
            Some(_) => 0,
            None => level.shape.genus - self.shape.genus,
        }
    }

    /// Whether so much was made that only what is necessary should follow.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get() > MOST_SPENT
    }

    /// Refuses a body that a level swells or loses although even `most_nodes` nodes would leave its mean wall thinner than an edge.
    pub(crate) fn require_walls(
        &self,
        level: &Level,
        most_nodes: usize,
    ) -> Result<(), MeshingError> {
        let wall = 2.0 * self.volume / self.skin().area();
        let nodes = level.mesh.nodes.len() as f64;
        // a level that has lost the body has few nodes, which says nothing about finer ones
        let scale = (nodes / self.nodes_at(level.edge_mean)).max(LEAST_OF_GUESS);
        if !(1.0 / SWOLLEN..=SWOLLEN).contains(&level.volume_ratio)
            && scale * self.nodes_at(wall) > most_nodes as f64
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

    /// Announces levels with so many nodes in all.
    pub(crate) fn plan(&self, nodes: f64) {
        let (done, to_come) = self.work.get();
        self.work.set((done, to_come + nodes));
        self.show();
    }

    /// Shows the share of the work that is done; the time of a level grows with its nodes.
    pub(crate) fn show(&self) {
        let (done, to_come) = self.work.get();
        self.progress.stage("tetrahedra");
        self.progress.set_fraction(done / (done + to_come).max(1.0));
    }

    /// About as many nodes as a level with edges of length `edge` (m) has.
    pub(crate) fn nodes_at(&self, edge: f64) -> f64 {
        let h = SPACING_OVER_EDGE * edge;
        spacing::count_guess(self.volume, self.skin().area(), h)
    }

    /// About as many nodes as a level with edges of length `edge` (m) has, judged by those of another one.
    pub(crate) fn nodes_like(&self, level: &Level, edge: f64) -> f64 {
        let scale = level.mesh.nodes.len() as f64 / self.nodes_at(level.edge_mean);
        self.nodes_at(edge) * scale
    }

    /// About as many nodes as a level for `goal` has.
    pub(crate) fn nodes_of(&self, goal: Goal) -> f64 {
        match goal {
            Goal::Tets(TetTarget::Nodes(n)) | Goal::Boundary(n) => n as f64,
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => self.nodes_at(edge),
        }
    }
}
