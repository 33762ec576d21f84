//! Models with inertia that can be stepped in turn with other models.

use crate::boundary::BoundaryConditions;
use crate::contact::Pose;
use crate::math::Vec3;
use crate::mesh::{SkinEmbedding, SkinPart};
use crate::model::budget::{BudgetClaim, FrameCost};
use crate::model::deformable::DeformableModel;
use crate::model::degradation::Degradation;
use crate::model::degradation_levels::DegradationLevel;
use crate::model::energy::EnergyAccount;
use crate::model::error::StepError;
use crate::model::frame::WorkBudget;
use crate::model::parted_surface::PartedSurface;
use crate::model::touched_places::TouchedPlaces;

/// A model whose nodes have mass and velocity, and that is advanced step by step. Contact between bodies changes the velocities of all bodies at once, between
/// [`SteppedModel::kick`] and [`SteppedModel::drift`].
///
/// ```text
/// adapt → choose_steps (→ recover_inverted → choose_steps) → follow_contact → prepare_frame → begin → (kick → nodes_mut by contact → drift) × steps → end → part
/// ```
///
/// The crate `pliant-contact` calls these in that order. Defaults are those of a body of constant resolution that stays whole, has no budget and keeps no account of its energy;
/// such a body implements the required methods alone.
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

    /// Distance between contact points that suits the resolution, m.
    fn contact_spacing(&self) -> f64;

    /// Distance along the skin within which a body does not touch itself, m.
    fn exclusion_distance(&self) -> f64;

    /// Share (0 to 1) of the impulse of a fast contact that the forces of the model distribute over the whole body within one step of contact; 0 for a body that cannot
    /// move rigidly. A step of contact spans `stride` steps of the present frame: 1, or a power of two where [`SteppedModel::contact_steps`] is given.
    fn spread_within_step(&self, _stride: u32) -> f64 {
        0.0
    }

    /// Moves each node by the displacement (m) that `change` gives for its position; velocities stay.
    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3);

    /// Resets the body to rest and moves it rigidly by `pose` from where it was baked; time and energy accounts are reset.
    fn place(&mut self, pose: &Pose);

    /// Sets all velocities to zero.
    fn stop(&mut self);

    /// Restores the state at the last [`SteppedModel::begin`].
    fn undo(&mut self);

    /// Fewest equal steps that a frame of `duration` seconds needs.
    fn least_steps(&self, duration: f64) -> u32;

    /// A number that changes whenever the nodes behind the skin change: [`SteppedModel::rows_of`] and inverse masses are then different. 0 where
    /// they never change.
    fn revision(&self) -> u64 {
        0
    }

    /// Present nodes and weights behind some skin vertices; those of [`SteppedModel::embedding`] where these never change.
    fn rows_of(&self, vertices: &[u32]) -> SkinEmbedding {
        self.embedding().of_vertices(vertices)
    }

    /// A number that changes whenever [`SteppedModel::parted_surface`] changes; 0 where it never does.
    fn parted_surface_revision(&self) -> u64 {
        0
    }

    /// The contact surface of the body while it is cut or broken; `None` while it is whole. It depends only on the state that a snapshot keeps,
    /// so that a restored body is touched at the same points. Such a body never changes its resolution ([`SteppedModel::revision`] is 0). In parts it may have
    /// more nodes, which follow those of the whole body, and other inverse masses.
    fn parted_surface(&self) -> Option<PartedSurface> {
        None
    }

    /// Before a frame of `duration` seconds: adapts the resolution of the body, so that it is fine where the body touches something, and a frame costs no more than `budget`.
    /// Does nothing for a body of constant resolution.
    fn adapt(
        &mut self,
        _duration: f64,
        _boundary: &BoundaryConditions,
        _touched: &TouchedPlaces,
        _budget: WorkBudget,
    ) {
    }

    /// The part of the body in a common budget; `None` for a body whose work does not follow a budget.
    fn budget_claim(&self) -> Option<BudgetClaim> {
        None
    }

    /// Work units of the last frame, which had `steps` steps.
    fn work_used(&self, steps: u32) -> u64 {
        u64::from(steps) * self.node_positions().len() as u64
    }

    /// The quality that the last frame gave up, if any.
    fn degradation(&self) -> Option<Degradation> {
        None
    }

    /// After [`SteppedModel::adapt`], with the places that the body touches at its present resolution: chooses the steps for `duration` seconds on a
    /// `level` of degradation. May be called again for another level.
    fn choose_steps(
        &mut self,
        _duration: f64,
        _touched: &TouchedPlaces,
        _level: &DegradationLevel,
    ) {
    }

    /// After [`SteppedModel::choose_steps`]: how often in the coming frame its own forces act where the body is touched, if it need not follow others.
    /// Contact with tools acts as often, no matter how many steps the group takes. `None` where its forces act in every step of the group.
    fn contact_steps(&self) -> Option<u32> {
        None
    }

    /// After [`SteppedModel::choose_steps`]: contact with bodies whose forces act more often acts `steps` times in the coming frame, 0 where there is
    /// none. Own forces act at least half as often where the body is touched.
    fn follow_contact(&mut self, _steps: u32) {}

    /// The estimated cost of the coming frame with the chosen steps, or approximately that of a frame of `duration` seconds on another `level` of degradation.
    fn frame_cost(&self, _level: Option<&DegradationLevel>, duration: f64) -> FrameCost {
        let steps = self.least_steps(duration);
        FrameCost {
            each_step: self.work_used(1),
            steps,
            is_coarsest: true,
            ..FrameCost::default()
        }
    }

    /// After [`SteppedModel::choose_steps`]: moves nodes of inverted elements back. Returns whether nodes were moved: contacts and steps then have to be found anew.
    fn recover_inverted(&mut self) -> bool {
        false
    }

    /// After a frame has failed with every number of steps, with the body in the state at its beginning: undoes possible causes, as far as that is possible,
    /// and stops all motion within the body. `false` where nothing is left to try.
    fn recover(&mut self) -> bool {
        false
    }

    /// Holds the body at rest through a frame of `duration` seconds that cannot be computed because of `cause`. `false` where that is not allowed: the body
    /// stops for good.
    fn hold_at_rest(
        &mut self,
        _duration: f64,
        _boundary: &BoundaryConditions,
        _cause: &str,
    ) -> bool {
        false
    }

    /// Whether the body is released from all contact, because too many consecutive frames have failed. It is until a frame succeeds.
    fn is_released(&self) -> bool {
        false
    }

    /// After the last [`SteppedModel::choose_steps`] of a frame of `duration` seconds: prepares the frame. In slow motion constraints reach their targets in a part of the frame, `velocity_factor` times as
    /// fast.
    fn prepare_frame(&mut self, _duration: f64, _velocity_factor: f64) {}

    /// After a snapshot was restored: continues on the `level` of degradation.
    fn resume(&mut self, _level: &DegradationLevel) {}

    /// The smallest possible number of steps of a frame that is at least `steps`.
    fn fitting_steps(&self, steps: u32) -> u32 {
        steps
    }

    /// Whether a half kick follows the last step, after which contact has to correct velocities once more.
    fn ends_with_kick(&self) -> bool {
        false
    }

    /// The half kick after the last [`SteppedModel::drift`], for bodies that end with one.
    fn last_kick(&mut self) {}

    /// Begins a frame of `duration` seconds with the constraints, loads and gravity of `boundary`, in `steps` equal steps, at least
    /// [`SteppedModel::least_steps`]. The material does not depend on their number.
    ///
    /// # Errors
    /// [`StepError`] when constraints do not fit the body.
    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError>;

    /// Changes the velocities by all forces of step `step`, including the constraints of the body itself.
    fn kick(&mut self, step: u32);

    /// Changes the positions by the velocities for one step.
    fn drift(&mut self);

    /// Ends the frame and computes the reactions.
    ///
    /// # Errors
    /// [`StepError::Diverged`]; [`SteppedModel::undo`] then gives the last good state.
    fn end(&mut self) -> Result<(), StepError>;

    /// After [`SteppedModel::end`] of all bodies that are awake, where none of them has failed: cuts the body where blades crossed it in the frame, and breaks it where it is
    /// overloaded under the constraints of `boundary`. Models that do so in [`SteppedModel::end`] need nothing here; but a body whose nodes are others afterwards cannot go back
    /// when another one fails.
    fn part(&mut self, _boundary: &BoundaryConditions) {}

    /// Step of the last frame in which the forces of the body itself failed, before contact could affect other bodies; `None` where none failed, or where
    /// that is not known.
    fn failed_step(&self) -> Option<u32> {
        None
    }

    /// Writes the whole skin at the present positions of the nodes; `out` has as many vertices as the skin.
    fn write_skin(&self, out: SkinPart<'_>);

    /// Whether [`DeformableModel::write_surface`] writes a cut surface beside the skin at present.
    fn draws_cut(&self) -> bool {
        false
    }

    /// Energies at the end of the last frame; impulses of contact count as work. `None` for a model that keeps no account.
    fn energy(&self) -> Option<EnergyAccount> {
        None
    }

    /// Work of contact in the last frame, J, a part of [`EnergyAccount::work`]: the impulses between [`SteppedModel::kick`] and [`SteppedModel::drift`] times the mean of the velocities before and
    /// after the whole kick, and the potential energy that [`SteppedModel::shift`] adds. Summed over all bodies, it is less than the work of the tools by what contact dissipates. A model with an
    /// [`SteppedModel::energy`] has to implement it.
    fn contact_work(&self) -> f64 {
        0.0
    }
}
