//! A body with small strains in equilibrium: linear elasticity on one level of finite elements.

use std::sync::Arc;

use pliant_adaptive::LodHierarchy;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::inspect::{Capabilities, Inspect, ModelStats};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot,
    StepError,
};

use super::contact_compliance::ContactCompliance;
use super::contact_forces::{ContactRow, solve};
use super::linear_level::LinearLevel;

/// Name of this model.
const KIND: &str = "linear";
/// Why a frame fails once the work was cancelled.
const CANCELLED: &str = "it was cancelled";

/// Linear elasticity on one level. The factor of its stiffness gives the displacements by gravity and loads, and the compliance of touched vertices; the forces of contacts follow from that.
pub(in crate::reference) struct LinearBody {
    level: LinearLevel,
    compliance: ContactCompliance,
    /// says when to stop
    progress: Progress,
    /// forces of gravity and loads on the nodes, N, and the displacements by them, m
    loads: (Vec<Vec3>, Vec<Vec3>),
    /// displacements of all nodes, m
    moved: Vec<Vec3>,
    /// force of each touched vertex, by its number, N
    forces: Vec<Vec3>,
    reactions: Vec<Vec3>,
    support_reactions: Vec<Vec3>,
    /// s since reset
    time: f64,
}

impl LinearBody {
    /// The body on level `index`, at rest; `None` where some part of it has no support, or the factor would be too large.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so. Frames fail when it is cancelled later.
    pub(in crate::reference) fn new(
        hierarchy: Arc<LodHierarchy>,
        index: usize,
        progress: &Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let level = LinearLevel::new(hierarchy, index, progress)?;
        Ok(level.map(|level| {
            let rest = vec![Vec3::zeros(); level.level().node_count()];
            Self {
                compliance: ContactCompliance::new(level.skin().vertex_count()),
                progress: progress.clone(),
                loads: (rest.clone(), rest.clone()),
                moved: rest,
                forces: Vec::new(),
                reactions: Vec::new(),
                support_reactions: vec![Vec3::zeros(); level.support_count()],
                time: 0.0,
                level,
            }
        }))
    }

    /// The level.
    #[cfg(test)]
    pub(super) fn level(&self) -> &LinearLevel {
        &self.level
    }

    /// Displacements of the nodes, m.
    #[cfg(test)]
    pub(super) fn displacements(&self) -> &[Vec3] {
        &self.moved
    }

    fn failed(&self, cause: &str) -> StepError {
        StepError::Diverged {
            method: KIND,
            time: self.time,
            cause: cause.into(),
        }
    }
}

impl DeformableModel for LinearBody {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        self.level.skin()
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let FrameRequest {
            duration, boundary, ..
        } = request;
        let loads = self.level.loads(boundary);
        if loads != self.loads.0 {
            let moved = self.level.displacements(loads.clone());
            self.loads = (loads, moved);
        }
        let constraints = boundary.displacements();
        let vertices = constraints.iter().map(|c| c.vertex);
        let vertices: Vec<u32> = vertices.filter(|v| self.level.can_move(*v)).collect();
        let compliance = &mut self.compliance;
        let added = compliance.add(&vertices, &self.level, &self.progress);
        added.map_err(|Cancelled| self.failed(CANCELLED))?;
        // those that can move, as (number of the constraint, number among the touched vertices)
        let mut touched = Vec::new();
        let mut rows = Vec::new();
        for (k, constraint) in constraints.iter().enumerate() {
            let Some(number) = self.compliance.number(constraint.vertex) else {
                continue;
            };
            touched.push((k, number));
            rows.push(ContactRow {
                constraint: *constraint,
                free: self.level.skin_position(constraint.vertex, &self.loads.1),
                last: self.level.skin_position(constraint.vertex, &self.moved),
                force: self.forces.get(number).copied().unwrap_or_default(),
            });
        }
        let mut matrix = Vec::with_capacity(touched.len() * touched.len());
        for &(_, i) in &touched {
            matrix.extend(touched.iter().map(|&(_, j)| self.compliance.block(i, j)));
        }
        let solved = solve(&mut rows, &matrix, duration, &self.progress);
        let has_converged = solved.map_err(|Cancelled| self.failed(CANCELLED))?;
        let mut nodal = self.loads.0.clone();
        for row in &rows {
            self.level
                .add_force(row.constraint.vertex, &row.force, &mut nodal);
        }
        let moved = self.level.displacements(nodal.clone());
        if !moved.iter().all(|x| x.iter().all(|c| c.is_finite())) {
            return Err(self.failed("a displacement is not finite"));
        }
        self.moved = moved;
        self.support_reactions = self.level.support_forces(&self.moved, &nodal);
        self.forces.clear();
        self.reactions.clear();
        self.reactions.resize(constraints.len(), Vec3::zeros());
        for (&(k, number), row) in touched.iter().zip(&rows) {
            self.reactions[k] = row.force;
            if self.forces.len() <= number {
                self.forces.resize(number + 1, Vec3::zeros());
            }
            self.forces[number] = row.force;
        }
        self.time += duration;
        let violation = |c: &ContactRow| {
            let vertex = c.constraint.vertex;
            let position = self.level.skin_position(vertex, &self.moved);
            c.constraint.violation(&position)
        };
        Ok(FrameReport {
            substeps: 1,
            work_used: self.moved.len() as u64,
            degraded: (!has_converged).then_some(Degradation::CoarserConstraints),
            max_violation: rows.iter().map(violation).fold(0.0, f64::max),
            energy: None,
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        let skin = self.level.skin();
        out.set(skin, |v| self.level.skin_position(v as u32, &self.moved));
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn reset(&mut self) {
        self.moved.fill(Vec3::zeros());
        self.forces.clear();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        self.time = 0.0;
    }

    fn snapshot(&self) -> StateSnapshot {
        let all = self.moved.iter().chain(&self.forces);
        StateSnapshot {
            kind: KIND,
            values: all.flat_map(|x| [x.x, x.y, x.z]).collect(),
        }
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let vectors = snapshot.values.chunks_exact(3);
        let vectors: Vec<Vec3> = vectors.map(Vec3::from_column_slice).collect();
        let nodes = self.moved.len();
        if snapshot.kind != KIND || vectors.len() < nodes {
            return Err(SnapshotMismatch);
        }
        let (moved, forces) = vectors.split_at(nodes);
        self.reset();
        self.moved.copy_from_slice(moved);
        self.forces.extend_from_slice(forces);
        Ok(())
    }
}

impl Inspect for LinearBody {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            free_bodies: false,
            inertia: false,
            friction: true,
            large_rotations: false,
        }
    }

    fn stats(&self) -> ModelStats {
        let level = self.level.level();
        ModelStats {
            active_nodes: level.node_count(),
            total_nodes: level.node_count(),
            elements: level.mesh.tets.len(),
            ..ModelStats::default()
        }
    }
}
