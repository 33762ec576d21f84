//! Several bodies as one model: its state and its public methods.

use std::sync::{Arc, Mutex};

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{Pose, PushedVertex, Tool, ToolWrench};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::{
    ContactCounts, OwnContact, StepError, SteppedModel, TouchedPlaces, WorkBudget,
};

use crate::detection::{FoundContacts, Partner, Sweep, parts_of_key};
use crate::group::state::{CutDrawing, FrozenBody, Governing, SleepState, SleepingSkin};
use crate::options::{BodyContact, GroupOptions};
use crate::solver::Solver;
use crate::surface::{ContactShape, DeformedSurface};

/// Bodies of one method, of the same or of different assets, stepped together. To the outside it is one model whose skin is all skins, one after the
/// other. All take as many steps a frame as the one that needs most; contact acts on each of them no more often than its own forces can follow.
///
/// ```
/// use pliant_contact::{BodyGroup, GroupOptions};
/// use pliant_core::boundary::BoundaryConditions;
/// use pliant_core::contact::Pose;
/// use pliant_core::math::Vec3;
/// use pliant_core::model::{DeformableModel, FrameRequest, StepError, SteppedModel};
///
/// /// Drops `upper` onto `lower` for a second; the mean force of the last frame that carries it, N.
/// fn stack<M: SteppedModel>(lower: M, upper: M) -> Result<Vec3, StepError> {
///     let homes = vec![Pose::at(Vec3::zeros()), Pose::at(Vec3::new(0.0, 0.3, 0.0))];
///     let mut group = BodyGroup::new(vec![lower, upper], homes, GroupOptions::default());
///     let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
///     for _ in 0..60 {
///         group.advance(FrameRequest::new(1.0 / 60.0, &gravity))?;
///     }
///     Ok(group.force_between(1, 0))
/// }
/// ```
pub struct BodyGroup<M> {
    pub(super) models: Vec<M>,
    pub(super) options: GroupOptions,
    pub(super) contacts: Vec<BodyContact>,
    /// what notes call each body; empty where they name none
    pub(super) names: Vec<String>,
    /// for each body the first one with the same skin
    pub(super) first_alike: Vec<usize>,
    pub(super) shapes: Vec<Arc<ContactShape>>,
    /// [`SteppedModel::revision`] of each body when its contact points were attached
    pub(super) attached_revisions: Vec<u64>,
    /// [`SteppedModel::parted_surface_revision`] of each body when its shape was made
    pub(super) parted_surface_revisions: Vec<u64>,
    /// places where each body is touched when a frame begins; for bodies that change their resolution
    pub(super) touched: Vec<TouchedPlaces>,
    /// share of each body in the budget of the frame
    pub(super) budgets: Vec<WorkBudget>,
    pub(super) governing: Governing,
    /// how often in a frame the forces of each body act where it is touched; 0 for one that sleeps
    pub(super) contact_steps: Vec<u32>,
    /// the same of the fastest body that each one touches, where that is faster; 0 for none
    pub(super) faster_steps: Vec<u32>,
    /// contact with tools acts on each body in every `2^level`-th step
    pub(super) stride_levels: Vec<u8>,
    /// factor by which each body shortens its own steps while the present frame is repeated: 1 unless it failed
    pub(super) retry_factors: Vec<u32>,
    pub(super) homes: Vec<Pose>,
    pub(super) skin: Arc<SurfaceMesh>,
    /// first skin vertex of each body, and the number of all
    pub(super) starts: Vec<u32>,
    pub(super) deformed: Vec<DeformedSurface>,
    pub(super) found: Vec<FoundContacts>,
    /// skin of each body, where it sleeps
    pub(super) sleeping_skins: Vec<SleepingSkin>,
    pub(super) drawing: Mutex<CutDrawing>,
    pub(super) sleep: Vec<SleepState>,
    pub(super) may_sleep: Vec<bool>,
    pub(super) pushed: Vec<bool>,
    pub(super) settling: Vec<bool>,
    pub(super) outcomes: Vec<Result<(), StepError>>,
    pub(super) frozen: Vec<FrozenBody>,
    /// bodies that are on hold for the present frame
    pub(super) on_hold: Vec<usize>,
    pub(super) boundaries: Vec<BoundaryConditions>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) centers: Vec<Vec3>,
    /// [`SteppedModel::spread_within_step`] of each body at its stride, 0 where it sleeps
    pub(super) spread: Vec<f64>,
    /// largest closing speed of the contacts of each body, m/s
    pub(super) closing: Vec<f64>,
    pub(super) sweep: Sweep,
    pub(super) solver: Solver,
    /// slot of each node of each body, or [`crate::solver::NONE`]
    pub(super) slot_of: Vec<Vec<u32>>,
    pub(super) tools: Vec<Tool>,
    pub(super) wrenches: Vec<ToolWrench>,
    /// energy that contact took since the last reset, J
    pub(super) lost_in_contact: f64,
    pub(super) reactions: Vec<Vec3>,
    pub(super) support_reactions: Vec<Vec3>,
    /// first support of each body among all; bodies of one skin share their supports
    pub(super) support_starts: Vec<usize>,
    pub(super) gravity: Vec3,
    pub(super) counts: ContactCounts,
    /// deepest penetration at the end of the last frame, m
    pub(super) violation: f64,
}

impl<M: SteppedModel> BodyGroup<M> {
    /// The bodies.
    pub fn models(&self) -> &[M] {
        &self.models
    }

    /// The bodies, to be changed; all of them wake.
    pub fn models_mut(&mut self) -> &mut [M] {
        self.wake_all();
        &mut self.models
    }

    /// Takes over positions and velocities that were set from outside.
    pub fn touch_up(&mut self) {
        self.wake_all();
        self.attach();
        self.update_parted_bodies();
        self.refresh(true);
    }

    /// Those of them that are awake.
    pub(super) fn awake(&self) -> impl Iterator<Item = &M> {
        let awake = self.models.iter().zip(&self.sleep);
        awake.filter(|(_, sleep)| !sleep.asleep).map(|(m, _)| m)
    }

    /// Whether none of them is.
    pub(super) fn all_asleep(&self) -> bool {
        self.sleep.iter().all(|r| r.asleep)
    }

    /// Whether body `body` sleeps.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.sleep.get(body).is_some_and(|r| r.asleep)
    }

    /// Force of body `b` on body `a`, mean over the last frame in which one of them was awake, N.
    pub fn force_between(&self, a: usize, b: usize) -> Vec3 {
        let mut force = Vec3::zeros();
        for cached in &self.solver.cached {
            match parts_of_key(cached.key) {
                (body, Partner::Body(other), _) if (body, other) == (a as u32, b as u32) => {
                    force += cached.force;
                }
                (body, Partner::Body(other), _) if (other, body) == (a as u32, b as u32) => {
                    force -= cached.force;
                }
                _ => {}
            }
        }
        force
    }

    /// Bodies that stopped at their last good frame, in the order in which that happened. [`pliant_core::model::DeformableModel::reset`] frees them.
    pub fn frozen(&self) -> &[FrozenBody] {
        &self.frozen
    }
}

impl<M: SteppedModel> OwnContact for BodyGroup<M> {
    fn set_tools(&mut self, tools: &[Tool]) {
        self.tools.clear();
        self.tools.extend_from_slice(tools);
    }

    fn write_pushed(&self, out: &mut Vec<PushedVertex>) {
        out.clear();
        if self.tools.iter().all(|tool| tool.adhesion.is_none()) {
            return;
        }
        let sticks = |pushed: &PushedVertex| {
            let tool = self.tools.get(pushed.tool);
            tool.is_some_and(|tool| tool.adhesion.is_some())
        };
        let pushed = self.solver.cached.iter().filter_map(|cached| {
            let (body, Partner::Tool(tool), point) = parts_of_key(cached.key) else {
                return None;
            };
            let body = body as usize;
            // a damaged snapshot may name points that do not exist
            let vertex = *self.shapes.get(body)?.vertices.get(point as usize)?;
            let range = self.starts[body]..self.starts[body + 1];
            // behind the skin come the vertices that a cut has exposed
            let vertex = range.start + vertex;
            range.contains(&vertex).then_some(PushedVertex {
                tool: tool as usize,
                vertex,
                force: cached.force,
            })
        });
        out.extend(pushed.filter(sticks));
    }

    fn wrenches(&self) -> &[ToolWrench] {
        &self.wrenches
    }

    fn contact_counts(&self) -> ContactCounts {
        self.counts
    }
}
