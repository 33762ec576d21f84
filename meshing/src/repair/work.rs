//! The surface under repair, step by step.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::numbers::counted;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::validate::{Topology, topology};

use super::error::{RepairError, flat, length, middle, vertices};
use super::repaired::{RepairStep, Repaired};
use super::steps::{faces, orient, split, weld};
use crate::geometry::component_volumes::component_of_triangle;

/// Tolerances of welding that are tried in turn, as shares of the diagonal.
pub(crate) const WELD_TOLERANCES: [f64; 2] = [1e-6, 1e-5];

/// A surface that encloses a volume less than this share of its box diagonal cubed is flat.
pub(crate) const FLAT_VOLUME_SHARE: f64 = 1e-9;

/// The first fault of a surface that is not a closed, oriented manifold.
pub(crate) fn remaining_fault(surface: &SurfaceMesh, topology: &Topology) -> RepairError {
    if let Some(edge) = topology.boundary_edges.first() {
        RepairError::SkinOpen {
            holes: topology.boundary_loops,
            edges: topology.boundary_edges.len(),
            at: middle(surface, *edge),
        }
    } else if let Some(edge) = topology.non_manifold_edges.first() {
        RepairError::NonManifold {
            edges: topology.non_manifold_edges.len(),
            at: middle(surface, *edge),
        }
    } else if let Some(edge) = topology.misoriented_edges.first() {
        RepairError::Misoriented {
            edges: topology.misoriented_edges.len(),
            at: middle(surface, *edge),
        }
    } else {
        let pinch = topology.non_manifold_vertices.first().copied().unwrap_or(0);
        RepairError::Pinched {
            pinches: topology.non_manifold_vertices.len(),
            at: middle(surface, [pinch, pinch]),
        }
    }
}

/// The surface under repair and what was done to it.
pub(crate) struct Work {
    pub(crate) surface: SurfaceMesh,
    pub(crate) steps: Vec<RepairStep>,
    /// vertices without a triangle that were dropped
    pub(crate) unreferenced: usize,
}

impl Work {
    /// The surface as it is, before any repair.
    pub(crate) fn new(raw: &SurfaceMesh) -> Self {
        Self {
            surface: raw.clone(),
            steps: Vec::new(),
            unreferenced: 0,
        }
    }

    /// The solid, if the oriented surface is one.
    pub(crate) fn finish(mut self, progress: &Progress) -> Result<Repaired, RepairError> {
        progress.set_fraction(0.8);
        let topology = topology(&self.surface);
        if !topology.is_sound() {
            return Err(remaining_fault(&self.surface, &topology));
        }
        self.turn_outwards(progress)?;
        self.remove_flat();
        let unreferenced = self.unreferenced + weld::drop_unreferenced(&mut self.surface);
        let message = "without a triangle: dropped";
        self.step("DroppedUnreferenced", unreferenced, "vertex", message);
        self.unless_flat()
    }

    /// The solid that a closed surface bounds, if it has a volume.
    pub(crate) fn unless_flat(self) -> Result<Repaired, RepairError> {
        let (volume, diagonal) = (self.surface.volume(), self.surface.bounds().diagonal());
        if volume.is_nan() || volume <= FLAT_VOLUME_SHARE * diagonal.powi(3) {
            return Err(flat(&self.surface, volume));
        }
        Ok(Repaired {
            surface: self.surface,
            steps: self.steps,
        })
    }

    /// Records that `count` times a `thing` was repaired; `what` describes which, and what was done.
    pub(crate) fn step(&mut self, code: &'static str, count: usize, thing: &str, what: &str) {
        if count == 0 {
            return;
        }
        let existing = self.steps.iter_mut().find(|s| s.code == code);
        let count = count + existing.as_ref().map_or(0, |s| s.count);
        let things = match thing {
            "vertex" => vertices(count),
            _ => counted(count, thing),
        };
        let message = format!("{things} {what}");
        match existing {
            Some(step) => (step.count, step.message) = (count, message),
            None => self.steps.push(RepairStep {
                code,
                count,
                message,
            }),
        }
    }

    pub(crate) fn weld_equal(&mut self) {
        let same = weld::equal_positions(&self.surface.positions);
        let joined = weld::merge(&mut self.surface, &same);
        let message = "joined with others at the same place";
        self.step("Welded", joined, "vertex", message);
    }

    pub(crate) fn drop_faces(&mut self) {
        let flat = faces::drop_degenerate(&mut self.surface);
        let message = "without area: dropped";
        self.step("DroppedDegenerate", flat, "face", message);
        let walls = faces::drop_walls(&mut self.surface);
        let message = "of walls with two sides, which bound nothing: dropped";
        self.step("DroppedWalls", walls, "face", message);
        let twice = faces::drop_duplicates(&mut self.surface);
        let message = "with the same vertices as others: dropped";
        self.step("DroppedDuplicate", twice, "face", message);
    }

    /// Joins vertices of open edges within the smallest tolerance that closes the surface, else within 1e-6 if that leaves fewer open edges.
    pub(crate) fn weld_near(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let open = topology(&self.surface).boundary_edges;
        let candidates = sorted_set(open.iter().flatten().copied());
        let diagonal = self.surface.bounds().diagonal();
        if open.is_empty() || diagonal == 0.0 {
            return Ok(());
        }
        let mut accepted: Option<(Self, usize, f64)> = None;
        for share in WELD_TOLERANCES {
            let near = weld::near_positions(
                &self.surface.positions,
                &candidates,
                share * diagonal,
                progress,
            )?;
            let Some(near) = near else {
                break;
            };
            let mut trial = Self {
                surface: self.surface.clone(),
                steps: self.steps.clone(),
                unreferenced: self.unreferenced,
            };
            let joined = weld::merge(&mut trial.surface, &near);
            trial.drop_faces();
            let left = topology(&trial.surface);
            let better = left.boundary_edges.len() < open.len();
            if !trial.surface.triangles.is_empty()
                && better
                && (left.is_closed() || share == WELD_TOLERANCES[0])
            {
                accepted = Some((trial, joined, share * diagonal));
            }
            if left.is_closed() {
                break;
            }
        }
        if let Some((mut better, joined, tolerance)) = accepted {
            let message = format!(
                "of open edges joined with others within {}",
                length(tolerance)
            );
            better.step("WeldedNear", joined, "vertex", &message);
            *self = better;
        }
        Ok(())
    }

    /// Orients neighbours consistently, and separates parts that touch.
    pub(crate) fn orient(&mut self, progress: &Progress) -> Result<(), RepairError> {
        for _ in 0..2 {
            progress.check()?;
            let flipped = orient::make_consistent(&mut self.surface).map_err(|edge| {
                let at = middle(&self.surface, edge);
                RepairError::NotOrientable { at }
            })?;
            let message = "turned to agree with neighbours";
            self.step("FlippedFaces", flipped, "face", message);
            let now = topology(&self.surface);
            if !now.is_closed() || now.is_manifold() {
                break;
            }
            let added = split::split_fans(&mut self.surface);
            let message = "added where parts touch in a point or an edge";
            self.step("SplitPinches", added, "vertex", message);
            if added == 0 {
                break;
            }
        }
        Ok(())
    }

    fn turn_outwards(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        // no two components of a sound surface share a vertex
        let component = component_of_triangle(&self.surface);
        let turned = orient::outwards(&mut self.surface, &component, progress)?;
        let message = "inside out: turned";
        self.step("TurnedComponents", turned, "component", message);
        Ok(())
    }

    fn remove_flat(&mut self) {
        let turned = faces::flip_flat(&mut self.surface);
        let message = "turned to remove faces without area";
        self.step("RemovedFlat", turned, "diagonal", message);
        let left = (0..self.surface.triangles.len())
            .filter(|&t| faces::is_degenerate(self.surface.corners(t)))
            .count();
        let message = "without area could not be removed";
        self.step("KeptDegenerate", left, "face", message);
    }
}
