//! A model with inertia whose steps can be taken in turn with those of other models.

use crate::boundary::BoundaryConditions;
use crate::contact::Pose;
use crate::math::Vec3;
use crate::mesh::{SkinEmbedding, SkinPart};
use crate::model::budget::{BudgetClaim, Foreseen};
use crate::model::deformable::DeformableModel;
use crate::model::degradation::Degradation;
use crate::model::degradation_levels::DegradationLevel;
use crate::model::energy::EnergyAccount;
use crate::model::error::StepError;
use crate::model::frame::WorkBudget;
use crate::model::parted_surface::PartedSurface;
use crate::model::touched_places::TouchedPlaces;

/// A model whose nodes have mass and velocity, taken step by step. Contact between bodies changes the velocities of all of them at once, between
/// [`SteppedModel::kick`] and [`SteppedModel::drift`].
///
/// ```text
/// adapt → settle_steps (→ recover_inverted → settle_steps) → follow_contact → gather → begin → (kick → velocities_mut by contact → drift) × steps → end
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

    /// Share of the impulse of a fast contact that its own forces spread over the whole body within one step, 0 to 1; 0 for a body that cannot move
    /// rigidly.
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

    /// A number that changes whenever the nodes behind the skin do: [`SteppedModel::rows_of`] and inverse masses have to be asked for again then. 0 where
    /// they never change.
    fn revision(&self) -> u64 {
        0
    }

    /// Nodes and weights behind some skin vertices now; those of [`SteppedModel::embedding`] where these never change.
    fn rows_of(&self, vertices: &[u32]) -> SkinEmbedding {
        self.embedding().of_vertices(vertices)
    }

    /// A number that changes whenever [`SteppedModel::parted_surface`] does; 0 where that never changes.
    fn partings(&self) -> u64 {
        0
    }

    /// The surface by which others touch the body since it was cut or has broken, and until it is whole again; `None` while it is whole. The state that a snapshot keeps decides it alone,
    /// so that a restored body is touched in the same places. The nodes of such a body never change ([`SteppedModel::revision`] is 0).
    fn parted_surface(&self) -> Option<PartedSurface> {
        None
    }

    /// Before a frame of `duration` seconds: changes the body's resolution, so that it is fine where it touches something and costs no more than `budget`.
    /// A body whose resolution never changes does nothing.
    fn adapt(
        &mut self,
        _duration: f64,
        _boundary: &BoundaryConditions,
        _touched: &TouchedPlaces,
        _budget: WorkBudget,
    ) {
    }

    /// What a body whose work follows a budget brings into a common one; `None` for others.
    fn budget_claim(&self) -> Option<BudgetClaim> {
        None
    }

    /// Work units of the last frame, which had `steps` steps.
    fn work_used(&self, steps: u32) -> u64 {
        u64::from(steps) * self.node_positions().len() as u64
    }

    /// What was given up in the last frame.
    fn degradation(&self) -> Option<Degradation> {
        None
    }

    /// After [`SteppedModel::adapt`], with what the body touches in its present resolution: chooses steps for `duration` seconds with what the
    /// `level` of degradation leaves. May be called again for another level.
    fn settle_steps(
        &mut self,
        _duration: f64,
        _touched: &TouchedPlaces,
        _level: &DegradationLevel,
    ) {
    }

    /// After [`SteppedModel::settle_steps`]: how often in the coming frame its own forces act where the body is touched, if it need not follow others.
    /// Contact with tools acts as often, no matter how many steps the group takes. `None` where its forces act in every step of the group.
    fn contact_steps(&self) -> Option<u32> {
        None
    }

    /// After [`SteppedModel::settle_steps`]: contact with bodies whose forces act more often acts `steps` times in the coming frame, 0 where there is
    /// none. Own forces act at least half as often where the body is touched.
    fn follow_contact(&mut self, _steps: u32) {}

    /// What the coming frame takes with the steps that were settled, or, about, what it would take of `duration` seconds `on` another level of degradation.
    fn foreseen(&self, _on: Option<&DegradationLevel>, duration: f64) -> Foreseen {
        let steps = self.least_steps(duration);
        Foreseen {
            each_step: self.work_used(1),
            steps,
            is_coarsest: true,
            ..Foreseen::default()
        }
    }

    /// After [`SteppedModel::settle_steps`]: puts back nodes of torn elements. Whether nodes moved: contacts are found and steps settled anew then.
    fn recover_inverted(&mut self) -> bool {
        false
    }

    /// After a frame failed with any number of steps, when the body is where the frame began: takes back what may be at fault, as far as that is possible,
    /// and all motion within the body. `false` where nothing is left to try.
    fn recover(&mut self) -> bool {
        false
    }

    /// Lets a frame of `duration` seconds pass that cannot be computed because of `cause`, with the body at rest. `false` where that is not allowed: the body
    /// stops for good.
    fn hold_for(&mut self, _duration: f64, _boundary: &BoundaryConditions, _cause: &str) -> bool {
        false
    }

    /// Whether nothing touches the body until one of its frames succeeds again: too many in a row have failed.
    fn lets_go(&self) -> bool {
        false
    }

    /// After the last [`SteppedModel::settle_steps`] of a frame of `duration` seconds: constraints reach their targets in a part of it, `hastened` times as
    /// fast.
    fn gather(&mut self, _duration: f64, _hastened: f64) {}

    /// After a snapshot was restored: goes on with what the `level` of degradation leaves.
    fn resume(&mut self, _level: &DegradationLevel) {}

    /// The least number of steps from `steps` on in which a frame can be taken.
    fn fitting_steps(&self, steps: u32) -> u32 {
        steps
    }

    /// Whether half of a step's forces act when the last step is over, so that contact has to bring velocities in order once more then.
    fn ends_with_kick(&self) -> bool {
        false
    }

    /// After the last [`SteppedModel::drift`], where a body of the group ends with a kick: gives its own, if it has one.
    fn last_kick(&mut self) {}

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

    /// Writes the whole skin where the nodes are now, as many vertices as it has.
    fn write_skin(&self, out: SkinPart<'_>);

    /// Whether [`DeformableModel::write_surface`] gives a cut surface beside the skin now.
    fn draws_cut(&self) -> bool {
        false
    }

    /// Energies at the end of the last frame; impulses of contact count as work. `None` for a model that keeps no account.
    fn energy(&self) -> Option<EnergyAccount> {
        None
    }
}
