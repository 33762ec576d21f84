//! A model with inertia whose steps can be taken in turn with those of others.

use crate::boundary::BoundaryConditions;
use crate::contact::tool::{Pose, Tool};
use crate::contact::wrench::ToolWrench;
use crate::math::Vec3;
use crate::mesh::SkinEmbedding;
use crate::model::{DeformableModel, EnergyAccount, StepError};

/// A model whose nodes have mass and velocity, taken step by step: contact between bodies changes the velocities of all of them at once, between
/// [`SteppedModel::kick`] and [`SteppedModel::drift`].
///
/// ```text
/// begin → (kick → velocities_mut by contact → drift) × steps → end
/// ```
pub trait SteppedModel: DeformableModel + Sync {
    /// Nodes and weights behind each skin vertex.
    fn embedding(&self) -> &SkinEmbedding;

    /// Inverse mass of each node, 1/kg; zero where a support holds it.
    fn inverse_masses(&self) -> &[f64];

    /// Node positions, world, m.
    fn node_positions(&self) -> &[Vec3];

    /// Node velocities, m/s.
    fn node_velocities(&self) -> &[Vec3];

    /// Node positions, m, and velocities, m/s, for impulses between kick and drift.
    fn nodes_mut(&mut self) -> (&[Vec3], &mut [Vec3]);

    /// Node velocities, for impulses between kick and drift, m/s.
    fn node_velocities_mut(&mut self) -> &mut [Vec3] {
        self.nodes_mut().1
    }

    /// Distance between points of contact that suits the resolution, m.
    fn contact_spacing(&self) -> f64;

    /// Distance along the skin within which a body does not touch itself, m.
    fn exclusion_distance(&self) -> f64;

    /// Share of the impulse of a fast contact that its own forces spread over the whole body within one step, 0 to 1; 0 for what cannot move as a
    /// whole.
    fn spread_within_step(&self) -> f64 {
        0.0
    }

    /// Moves each node from where it is by `change`, m; velocities stay.
    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3);

    /// Puts the body at rest and moves it rigidly by `pose` from where it was baked; time and accounts begin anew.
    fn place(&mut self, pose: &Pose);

    /// Stops all nodes.
    fn stop(&mut self);

    /// Back to where the last [`SteppedModel::begin`] found it.
    fn undo(&mut self);

    /// Fewest equal steps that a frame of `duration` seconds needs.
    fn least_steps(&self, duration: f64) -> u32;

    /// Begins a frame of `duration` seconds with the constraints, loads and gravity of `boundary`, to be taken in `steps` equal steps, at least
    /// [`SteppedModel::least_steps`]: the body is the same material for any number.
    ///
    /// # Errors
    /// [`StepError`] when constraints do not fit the body.
    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError>;

    /// Changes the velocities by all forces of step `step`, its own constraints included.
    fn kick(&mut self, step: u32);

    /// Moves the nodes by their velocities for one step.
    fn drift(&mut self);

    /// Ends the frame: reactions are ready.
    ///
    /// # Errors
    /// [`StepError::Diverged`]; [`SteppedModel::undo`] then gives the last good state.
    fn end(&mut self) -> Result<(), StepError>;

    /// Step of the last frame in which its own forces went wrong, before contact could hand that on to others; `None` where nothing did, or where
    /// that is not known.
    fn failed_step(&self) -> Option<u32> {
        None
    }

    /// Energies at the end of the last frame; impulses of contact count as work. `None` for a model that keeps no account.
    fn energy(&self) -> Option<EnergyAccount> {
        None
    }
}

/// A model that finds its contacts with tools by itself.
pub trait OwnContact {
    /// Tools of the next frame, with their poses at its beginning and end.
    fn set_tools(&mut self, tools: &[Tool]);

    /// Force and torque on each tool, mean over the last frame, in the order of the tools.
    fn wrenches(&self) -> &[ToolWrench];

    /// Figures of the last frame.
    fn contact_counts(&self) -> ContactCounts;
}

/// Figures of contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactCounts {
    /// Bodies.
    pub bodies: usize,
    /// Bodies that rest and are not computed.
    pub asleep: usize,
    /// Pairs of bodies whose boxes overlap.
    pub pairs: usize,
    /// Contact rows.
    pub rows: usize,
    /// Deepest penetration at the beginning of the frame, m.
    pub depth: f64,
    /// Wall time for finding contacts, ms. Never enters a result.
    pub find_ms: f64,
    /// Wall time for the rows that follow from them, ms. Never enters a result.
    pub rows_ms: f64,
    /// Wall time for impulses, ms. Never enters a result.
    pub solve_ms: f64,
    /// Wall time for the bodies' own steps, ms. Never enters a result.
    pub step_ms: f64,
    /// Wall time for contact points and skins where they are afterwards, ms. Never enters a result.
    pub surface_ms: f64,
    /// Wall time of the whole frame, ms. Never enters a result.
    pub frame_ms: f64,
}
