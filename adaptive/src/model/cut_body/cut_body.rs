//! A body that moves on a cut: what the model keeps for it besides its dynamics, and its frames.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::{
    Degradation, EnergyAccount, ForceTap, FrameReport, StepError, WorkBudget,
};

use crate::cut::Cut;
use crate::governor::contact_focus::ContactFocus;
use crate::governor::{Governor, Ladder};
use crate::model::AdaptiveModel;
use crate::model::co_stepping::cut::CutTurns;
use crate::model::cut_body::adapt::Paid;
use crate::model::cut_body::degradation::SlowTap;
use crate::model::cut_body::energy_monitor::EnergyMonitor;
use crate::model::cut_body::recovery::Standing;
use crate::model::cut_body::skin_fade::SkinFade;
use crate::model::divergence;
use crate::step::multirate::{ContactPart, CutDynamics, Fired};

/// Tries of a frame after the first, and levels by which all elements are faster each time.
const RETRIES: u32 = 2;
pub(crate) const RETRY_LEVELS: u8 = 2;
/// Longest time between firings of elements that a tool holds, s: forces for the hand need a kilohertz.
pub(crate) const TOUCH_STEP: f64 = 1e-3;

/// The moving cut of a model.
#[derive(Debug, Clone)]
pub(crate) struct CutBody {
    pub(crate) dynamics: CutDynamics,
    pub(crate) focus: ContactFocus,
    pub(crate) governor: Governor,
    /// nodes behind the constraints of this frame, ascending
    pub(crate) touched: Vec<u32>,
    /// the constraints, numbered by themselves, and their rows over active nodes
    pub(crate) constraints: Vec<DisplacementConstraint>,
    pub(crate) embedding: SkinEmbedding,
    pub(crate) scratch: Vec<f64>,
    pub(crate) good: [Vec<Vec3>; 4],
    pub(crate) fired: Fired,
    pub(crate) withheld: bool,
    /// splits that were wanted and refused since the last reset, once a frame
    pub(crate) refused: u64,
    /// firings a frame of a common element of the finest level: what contact will ask for, whatever the present cut
    pub(crate) contact_ticks: u64,
    /// frames in which the cut may not grow yet
    pub(crate) patience: u8,
    pub(crate) monitor: EnergyMonitor,
    pub(crate) ladder: Ladder,
    /// work of the last frame with nothing given up over what it was
    pub(crate) excess: f64,
    /// budget of the last frame, in tetrahedron evaluations
    pub(crate) budget: f64,
    /// the cut that the governor works on
    pub(crate) next: Cut,
    /// whether the rows of the constraints belong to the present cut
    pub(crate) is_attached: bool,
    /// skin vertices of these rows
    pub(crate) attached: Vec<u32>,
    /// nodes of all rows
    pub(crate) row_nodes: usize,
    /// nodes that carry a load
    pub(crate) loaded: Vec<u32>,
    /// nodes that were spikes and put back
    pub(crate) mended: u32,
    pub(crate) standing: Standing,
    /// frames in which the cut changed
    pub(crate) changes: u32,
    /// whether it changed in the present one
    pub(crate) has_changed: bool,
    /// what is left of the jumps of the skin at such frames
    pub(crate) fade: SkinFade,
    /// frames that are taken in turn with other bodies
    pub(crate) turns: CutTurns,
}

impl CutBody {
    pub(crate) fn new(dynamics: CutDynamics, governor: Governor) -> Self {
        let nodes = dynamics.forest.node_count();
        Self {
            focus: ContactFocus::new(&dynamics.forest),
            governor,
            touched: Vec::new(),
            constraints: Vec::new(),
            embedding: SkinEmbedding::from_rows(std::iter::empty()),
            scratch: vec![0.0; nodes],
            good: Default::default(),
            fired: Fired::default(),
            withheld: false,
            refused: 0,
            contact_ticks: dynamics.finest_ticks(),
            patience: 0,
            monitor: EnergyMonitor::default(),
            ladder: Ladder::default(),
            excess: 1.0,
            budget: 0.0,
            next: dynamics.cut.clone(),
            is_attached: false,
            attached: Vec::new(),
            row_nodes: 0,
            loaded: Vec::new(),
            mended: 0,
            standing: Standing::default(),
            changes: 0,
            has_changed: false,
            fade: SkinFade::new(dynamics.blend.len()),
            turns: CutTurns::default(),
            dynamics,
        }
    }

    /// Back to rest on the coarsest cut, without memory of anything.
    pub(crate) fn reset(&mut self) {
        self.dynamics.reset();
        self.focus.reset();
        self.governor.reset();
        self.fade.reset();
        self.turns.reset();
        self.fired = Fired::default();
        self.is_attached = false;
        self.monitor = EnergyMonitor::default();
        self.dynamics.steps.set_lift(0);
        self.ladder = Ladder::default();
        self.dynamics.resume_rung(&self.ladder.leaves());
        (self.patience, self.budget, self.excess) = (0, 0.0, 1.0);
        (self.changes, self.mended, self.withheld) = (0, 0, false);
        self.refused = 0;
        self.standing = Standing::default();
    }

    /// Whether constraints of the last frame hold a node.
    pub(crate) fn touches(&self, node: u32) -> bool {
        self.touched.binary_search(&node).is_ok()
    }

    /// Forgets the rows of the constraints: the cut is another.
    pub(crate) fn detach(&mut self) {
        self.is_attached = false;
    }

    /// Everything that a frame begins with, as numbers.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        self.dynamics.save(to);
        self.focus.save(to);
        self.fade.save(to);
        to.extend([f64::from(self.patience), self.budget, self.excess]);
        to.push(f64::from(self.standing.row));
        self.ladder.save(to);
        self.governor.save(to);
        self.monitor.save(to);
        to.push(f64::from(self.turns.level));
    }

    /// Numbers that [`CutBody::save`] writes.
    pub(crate) fn saved_len(&self) -> usize {
        self.dynamics.saved_len()
            + self.dynamics.forest.node_count()
            + self.fade.saved_len()
            + 4
            + Ladder::SAVED
            + Governor::SAVED
            + EnergyMonitor::SAVED
            + CutTurns::SAVED
    }

    /// Takes back what was saved; `false` where it does not fit.
    pub(crate) fn restore(&mut self, from: &[f64]) -> bool {
        if from.len() != self.saved_len() {
            return false;
        }
        let (from, turns) = from.split_at(from.len() - CutTurns::SAVED);
        self.turns.restore(turns);
        let (dynamics, rest) = from.split_at(self.dynamics.saved_len());
        if !self.dynamics.restore(dynamics) {
            return false;
        }
        let (focus, rest) = rest.split_at(self.dynamics.forest.node_count());
        let (fade, governing) = rest.split_at(self.fade.saved_len());
        self.focus.restore(focus);
        self.fade.restore(fade);
        if let [patience, budget, excess, standing, governing @ ..] = governing
            && let Some((ladder, rest)) = governing.split_first_chunk()
            && let Some((floor, monitor)) = rest.split_first_chunk()
        {
            self.ladder.restore(*ladder);
            self.governor.restore(*floor);
            self.dynamics.resume_rung(&self.ladder.leaves());
            self.standing.row = *standing as u8;
            (self.patience, self.budget, self.excess) = (*patience as u8, *budget, *excess);
            self.monitor = EnergyMonitor::restore(monitor);
            self.dynamics.steps.set_lift(self.monitor.lift());
        }
        self.detach();
        true
    }

    pub(crate) fn save_good(&mut self) {
        let d = &self.dynamics;
        for (to, from) in self
            .good
            .iter_mut()
            .zip([&d.positions, &d.velocities, &d.lead, &d.means])
        {
            to.clear();
            to.extend(d.operators.active().iter().map(|&n| from[n as usize]));
        }
    }

    /// Positions of all nodes at the beginning of the frame, m.
    pub(crate) fn good_positions(&self) -> Vec<Vec3> {
        let d = &self.dynamics;
        let mut all = d.positions.clone();
        for (&n, x) in d.operators.active().iter().zip(&self.good[0]) {
            all[n as usize] = *x;
        }
        d.operators.forward(&mut all);
        all
    }

    pub(crate) fn freeze(&mut self) {
        let d = &mut self.dynamics;
        d.cleanse();
        for (from, to) in self.good.iter().zip([
            &mut d.positions,
            &mut d.velocities,
            &mut d.lead,
            &mut d.means,
        ]) {
            for (&n, x) in d.operators.active().iter().zip(from) {
                to[n as usize] = *x;
            }
        }
        d.follow();
        d.clock.fill(0);
        d.is_fresh = false;
    }
}

impl AdaptiveModel {
    /// A frame of a body that moves on a cut; see [`pliant_core::model::DeformableModel::advance`].
    pub(crate) fn run_cut_frame(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
        mut force_tap: Option<&mut dyn ForceTap>,
    ) -> Result<FrameReport, StepError> {
        let before = (self.time, self.dissipated, self.work);
        self.together.outdate();
        self.take_gravity(body, boundary);
        body.has_changed = false;
        let constraints = boundary.displacements();
        let (forest, skin) = (&body.dynamics.forest, &self.asset.skin);
        body.focus.look(forest, skin, constraints, &self.reactions);
        let rests = constraints.iter().all(|c| c.velocity == Vec3::zeros());
        let is_held = !constraints.is_empty() && rests;
        let paid = Paid {
            rows: constraints.len(),
            reserve: 0,
            is_held,
            may_grow: true,
        };
        self.adapt_cut(body, paid, budget, duration);
        body.attach(boundary);
        let mut given_up = body.ease();
        let is_touched = !boundary.displacements().is_empty();
        let longest = if is_touched {
            TOUCH_STEP
        } else {
            f64::INFINITY
        };
        let rung = body.ladder.leaves();
        body.settle_on(&rung, duration, longest);
        if body.dynamics.steps.is_torn() {
            self.dissipated += self.mend_cut(body, false);
            body.settle_on(&rung, duration, longest);
        }
        let lived = body.take_rungs(duration, longest);
        body.dynamics.gather();
        body.save_good();
        let mut loaded = (self.time, self.dissipated, self.work);
        let (mut tries, mut is_mended) = (RETRIES, false);
        let energy = loop {
            if let Some(cause) = divergence::cut_refusal(&body.dynamics) {
                if self.may_stand(body, boundary, duration) {
                    given_up = Some(Degradation::StoodStill);
                    break self.stand_still(body, cause, lived);
                }
                return Err(self.diverged(cause));
            }
            let mut slow = force_tap.as_deref_mut().map(|tap| SlowTap {
                tap,
                stretch: duration / lived,
            });
            let tap = slow.as_mut().map(|tap| tap as &mut dyn ForceTap);
            self.try_cut_frame(body, lived, tap);
            let energy = self.cut_energy(body);
            let Some(cause) = divergence::cut_verdict(self, body, &energy, boundary, duration)
            else {
                body.standing.row = body.standing.row.saturating_sub(1);
                break energy;
            };
            body.freeze();
            let may_mend = !is_mended && divergence::too_fast(self, boundary, duration).is_none();
            if tries == 0 && may_mend {
                loaded.1 += self.mend_cut(body, true);
                (self.time, self.dissipated, self.work) = loaded;
                body.dynamics.ready(lived, &body.touched, longest);
                body.dynamics.hurry(RETRY_LEVELS);
                is_mended = true;
                continue;
            }
            if tries == 0 && self.may_stand(body, boundary, duration) {
                (self.time, self.dissipated, self.work) = loaded;
                given_up = Some(Degradation::StoodStill);
                break self.stand_still(body, cause, lived);
            }
            if tries == 0 {
                let error = self.diverged(cause);
                (self.time, self.dissipated, self.work) = before;
                return Err(error);
            }
            (self.time, self.dissipated, self.work) = loaded;
            tries -= 1;
            body.dynamics.hurry(RETRY_LEVELS);
        };
        // what the body let go of, or stood still under, pushes it with nothing
        let constraints = boundary.displacements().len();
        self.reactions.resize(constraints, Vec3::zeros());
        body.fade.pass(duration, boundary.displacements());
        if body.monitor.look(&energy, is_touched) {
            body.dynamics.steps.set_lift(body.monitor.lift());
            body.dynamics.needs_settling = true;
        }
        self.substeps = body.fired.ticks;
        self.blended = body.fired.blended;
        self.scan.near_inverted = body.dynamics.steps.near_inverted();
        let work_used = body.units();
        body.ladder.count(body.dynamics.constants.is_damped());
        Ok(FrameReport {
            substeps: self.substeps,
            work_used,
            degraded: given_up.or(body.gives_up()).or_else(|| {
                (body.withheld || work_used as f64 > body.budget)
                    .then_some(Degradation::RefinementWithheld)
            }),
            max_violation: match given_up {
                None => self.projection.violation(&body.dynamics.positions),
                Some(_) => body.violation(boundary.displacements()),
            },
            energy: Some(energy),
        })
    }

    fn try_cut_frame(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        force_tap: Option<&mut (dyn ForceTap + '_)>,
    ) {
        let dynamics = &mut body.dynamics;
        let nodes = dynamics.positions.len();
        self.projection.begin_frame(
            &body.constraints,
            &body.embedding,
            &dynamics.inverse_masses,
            &dynamics.positions,
            duration,
        );
        self.contact
            .begin_frame(&body.constraints, &body.embedding, nodes);
        let is_touched = !self.projection.is_empty();
        let mut part = ContactPart {
            projection: is_touched.then_some(&mut self.projection),
            work: is_touched.then_some(&mut self.contact),
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        let tap = force_tap.map(|tap| (tap, &mut self.substep_forces));
        dynamics.fire_into(duration, &self.gravity, &mut part, tap, &mut body.fired);
        self.time += duration;
        self.dissipated += body.fired.dissipated;
        self.work += body.fired.work;
        self.collect_reactions(body, duration);
    }

    /// Reactions of constraints and supports, mean over a frame that is over.
    pub(crate) fn collect_reactions(&mut self, body: &CutBody, duration: f64) {
        let impulses = &body.fired.support_impulses;
        for (reaction, impulse) in self.support_reactions.iter_mut().zip(impulses) {
            *reaction = -impulse / duration;
        }
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        self.add_contact_to_supports();
    }

    /// A change of gravity is work that somebody does.
    pub(crate) fn take_gravity(&mut self, body: &CutBody, boundary: &BoundaryConditions) {
        if boundary.gravity != self.gravity {
            let potential = |g| body.dynamics.potential_energy(g);
            self.work += potential(&boundary.gravity) - potential(&self.gravity);
            self.gravity = boundary.gravity;
        }
    }

    fn cut_energy(&self, body: &CutBody) -> EnergyAccount {
        let kinetic = body
            .dynamics
            .kinetic_energy_between(|n| self.contact.kick(n));
        self.account_of(body, kinetic)
    }

    /// The account of a body of that kinetic energy, J.
    pub(crate) fn account_of(&self, body: &CutBody, kinetic: f64) -> EnergyAccount {
        EnergyAccount {
            kinetic,
            elastic: body.dynamics.elastic_energy(),
            potential: body.dynamics.potential_energy(&self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }

    /// The cut, where one moves.
    pub fn cut(&self) -> Option<&CutDynamics> {
        self.cut.as_ref().map(|body| &body.dynamics)
    }

    /// The same, for studies; levels and forces are looked at anew.
    pub fn cut_mut(&mut self) -> Option<&mut CutDynamics> {
        self.cut.as_mut().map(|body| {
            body.detach();
            &mut body.dynamics
        })
    }
}

/// Held nodes of all levels with their supports, ascending.
pub(crate) fn held_nodes(dynamics: &CutDynamics) -> Vec<(u32, u32)> {
    let forest = &dynamics.forest;
    (0..forest.node_count() as u32)
        .filter_map(|n| forest.support(n).map(|s| (n, s as u32)))
        .collect()
}
