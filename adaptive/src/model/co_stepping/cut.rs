//! Frames of a cut taken in turn with other bodies: what [`crate::model::co_stepping::stepped_model`] does for one level.
//!
//! Contact between bodies is a reason for refinement as tools are. Frames are halved only, so that all bodies meet at the same times: contact acts as often as the
//! fastest elements around a touched node of any of them fire, and what is faster elsewhere fires within these steps. Elements around a touched node fire together.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{Foreseen, TouchedPlaces};
use pliant_core::ladder::Rung;
use pliant_core::math::Vec3;
use pliant_core::model::{Degradation, EnergyAccount, StepError, WorkBudget};

use crate::model::AdaptiveModel;
use crate::model::cut_body::adapt::Paid;
use crate::model::cut_body::cut_body::{CutBody, RETRY_LEVELS, TOUCH_STEP};
use crate::model::divergence;
use crate::params::Scheme;
use crate::step::multirate::{Beat, ContactPart, Forecast};

/// A body whose nodes move by less than this share of its finest edge a frame rests.
const STILL: f64 = 1e-3;
/// What each step takes of an active node, in tetrahedron evaluations, and so many others as one.
const NODE_UNITS: usize = 2;
const UNTOUCHED: usize = 4;
/// What settling levels and packing groups anew takes of an element. Steps of bodies that touch each other change often, so that their cuts keep room for that.
const REPACK_UNITS: u64 = 80;

/// What a cut keeps for frames that it takes in turn with other bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct CutTurns {
    /// nodes behind constraints and touched places, ascending
    quick: Vec<u32>,
    /// fastest step level around a touched node: contact acts as often
    pub(crate) level: u8,
    /// whether something touched the body when the frame began, and whether contact is among it and not only constraints
    is_touched: bool,
    meets: bool,
    /// longest time between firings of elements that constraints hold, s
    longest: f64,
    /// what the frame takes as its steps are settled, and whether something is given up then
    forecast: Forecast,
    is_lowered: bool,
    /// whether groups were packed anew for it
    is_repacked: bool,
    beat: Beat,
    /// ticks of a step
    stride: u32,
    /// whether its own frame failed and elements have to be faster when it is taken again
    pub(crate) hurries: bool,
    /// how often the body was to recover from the present frame
    pub(crate) recovered: u8,
}

impl CutTurns {
    /// Numbers of a snapshot: the level.
    pub(crate) const SAVED: usize = 1;

    pub(crate) fn reset(&mut self) {
        self.restore(&[0.0]);
    }

    /// As a frame ended that left these numbers.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        self.quick.clear();
        self.level = saved.first().map_or(0, |level| *level as u8);
        (self.is_touched, self.hurries, self.is_lowered) = (false, false, false);
    }
}

impl AdaptiveModel {
    /// Does something with the cut, where one moves.
    pub(crate) fn with_cut<R>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut CutBody) -> R,
    ) -> Option<R> {
        let mut body = self.cut.take()?;
        let result = act(self, &mut body);
        self.cut = Some(body);
        Some(result)
    }

    /// The cut follows what touches it, before a frame of `duration` seconds.
    pub(crate) fn adapt_together(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        boundary: &BoundaryConditions,
        touched: &TouchedPlaces,
        budget: WorkBudget,
    ) {
        self.book_loss(body);
        self.take_gravity(body, boundary);
        body.has_changed = false;
        body.turns.recovered = 0;
        let constraints = boundary.displacements();
        let (forest, skin) = (&body.dynamics.forest, &self.asset.skin);
        body.focus.look_at(forest, skin, constraints, touched);
        let still = STILL * forest.level(forest.level_count() - 1).0.spacing / duration;
        let d = &body.dynamics;
        let speeds = d
            .operators
            .active()
            .iter()
            .map(|&n| d.velocities[n as usize].norm());
        let rests = constraints.iter().all(|c| c.velocity == Vec3::zeros())
            && speeds.fold(0.0, f64::max) < still;
        // contact with others is paid already
        let paid = Paid {
            rows: constraints.len(),
            reserve: REPACK_UNITS,
            is_held: constraints.len() + touched.len() > 0 && rests,
            // what contact spares on a rung is not for finer elements
            may_grow: !body.turns.is_lowered,
        };
        self.adapt_cut(body, paid, budget, duration);
        body.attach(boundary);
        body.ease();
    }

    /// What was taken since the last frame ended is lost.
    fn book_loss(&mut self, body: &CutBody) {
        if let Some(left) = self.together.take_left() {
            self.dissipated += left - body.dynamics.kinetic_energy();
        }
    }
}

impl CutBody {
    /// Steps of all elements for a frame of `duration` seconds with what `rung` leaves, with those around touched nodes together.
    pub(crate) fn settle_together(&mut self, duration: f64, touched: &TouchedPlaces, rung: &Rung) {
        let moves = |n: u32| self.dynamics.inverse_masses[n as usize] > 0.0;
        let turns = &mut self.turns;
        turns.is_touched = !touched.is_empty() || !self.constraints.is_empty();
        turns.quick.clear();
        let nodes = touched.rows().flatten().map(|e| e.0);
        turns.quick.extend(nodes.filter(|&n| moves(n)));
        turns.quick.extend_from_slice(&self.touched);
        turns.quick.sort_unstable();
        turns.quick.dedup();
        turns.longest = match self.constraints.is_empty() {
            true => f64::INFINITY,
            false => TOUCH_STEP,
        };
        (turns.meets, turns.is_lowered) = (!touched.is_empty(), *rung != Rung::FULL);
        let dynamics = &mut self.dynamics;
        dynamics.steps.only_halve(true);
        dynamics.take_rung(rung);
        dynamics.settle_steps(duration, &turns.quick, turns.longest);
        turns.forecast = dynamics.forecast(&turns.quick, turns.longest);
    }

    /// Goes on as with what `rung` leaves.
    pub(crate) fn resume_together(&mut self, rung: &Rung) {
        self.turns.is_lowered = *rung != Rung::FULL;
        self.dynamics.resume_rung(rung);
    }

    /// What a frame takes as its steps are settled, or about on another rung.
    pub(crate) fn foreseen_together(&self, on: Option<&Rung>, duration: f64) -> Foreseen {
        let turns = &self.turns;
        let forecast = match on {
            None => turns.forecast,
            Some(rung) => self.dynamics.forecast_on(rung, duration, turns.longest),
        };
        let finer = self.dynamics.cut.evaluated_counts().iter().skip(1);
        let is_repacked = on.is_some() || !self.dynamics.has_groups;
        Foreseen {
            work: self.price(forecast) + self.repacking(is_repacked),
            each_step: self.step_units(),
            elements: self.dynamics.operators.evaluated().len() as u64,
            steps: match turns.meets {
                true => forecast.impulses as u32,
                false => 1,
            },
            is_coarsest: finer.copied().all(|count| count == 0),
            is_damped: self.dynamics.constants.is_damped(),
        }
    }

    fn repacking(&self, is_repacked: bool) -> u64 {
        let elements = self.dynamics.operators.evaluated().len() as u64;
        REPACK_UNITS * elements * u64::from(is_repacked)
    }

    /// Work of a frame of `steps` steps in a group.
    pub(crate) fn units_together(&self, steps: u32) -> u64 {
        self.units() + self.repacking(self.turns.is_repacked) + self.step_units() * u64::from(steps)
    }

    /// What each step of a group takes of a body besides its firings.
    fn step_units(&self) -> u64 {
        let d = &self.dynamics;
        let nodes = NODE_UNITS * d.operators.active().len();
        (nodes + d.forest.node_count() / UNTOUCHED) as u64
    }

    /// Groups of the steps that were settled last; constraints go `hastened` times as fast.
    pub(crate) fn gather_together(&mut self, duration: f64, hastened: f64) {
        self.turns.is_repacked = !self.dynamics.has_groups;
        self.dynamics.gather();
        self.turns.level = match self.turns.meets {
            true => self.dynamics.level_around(&self.turns.quick),
            false => 0,
        };
        let now = self.turns.forecast;
        let whole = match self.turns.is_lowered {
            true => (self.dynamics).forecast_on(&Rung::FULL, duration, self.turns.longest),
            false => now,
        };
        let [whole, now] = [whole, now].map(|f| self.price(f));
        self.exceed(whole, now);
        self.hasten(hastened);
    }

    /// Most of an impulse that is handed on within a step of the present frame, see [`pliant_core::contact::SteppedModel::spread_within_step`]; for a free body.
    pub(crate) fn handed_on(&self, neighbours: f64) -> f64 {
        let d = &self.dynamics;
        let steps = self.turns.beat.ticks() / self.turns.stride.max(1);
        let own = (d.mean_firings() / f64::from(steps.max(1))).min(1.0);
        let nodes = d.operators.active().len() as f64;
        let corners = 4 * d.operators.evaluated().len();
        own * own * ((1.0 + neighbours * corners as f64 / nodes) / nodes).min(1.0)
    }

    /// What a body of a group gave up by itself in the last frame: resolution.
    pub(crate) fn given_up(&self) -> Option<Degradation> {
        self.withheld.then_some(Degradation::RefinementWithheld)
    }

    /// A constraint acts on this node.
    fn is_held(&self, node: usize) -> bool {
        self.touched.binary_search(&(node as u32)).is_ok()
    }
}

impl AdaptiveModel {
    /// Begins a frame of a cut in `steps` equal steps.
    pub(crate) fn begin_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        steps: u32,
    ) -> Result<(), StepError> {
        body.save_good();
        if self.params.scheme != Scheme::ElementImpulses {
            let cause = "nodes with steps of their own cannot be stepped together with other bodies: adaptive.scheme has to be `element-impulses`";
            return Err(self.diverged(cause.to_string()));
        }
        let dynamics = &mut body.dynamics;
        if std::mem::take(&mut body.turns.hurries) {
            dynamics.hurry(RETRY_LEVELS);
        }
        if !dynamics.has_groups {
            dynamics.regroup();
        }
        if !dynamics.is_fresh {
            dynamics.refresh();
        }
        if let Some(cause) = divergence::cut_refusal(dynamics) {
            return Err(self.diverged(cause));
        }
        // impulses of contact closed the last frame, but for those of constraints
        if body.constraints.is_empty() {
            dynamics.lead.copy_from_slice(&dynamics.velocities);
        }
        let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
        let (constraints, embedding) = (&body.constraints, &body.embedding);
        self.projection
            .begin_frame(constraints, embedding, w, x, duration);
        self.contact
            .begin_frame_of(dynamics.operators.active(), x.len());
        let held = !self.projection.is_empty();
        let part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: None,
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        let beat = dynamics.begin_turns(duration, steps, &part, &mut body.fired);
        body.turns.stride = beat.ticks() / steps.max(1);
        body.turns.beat = beat;
        self.last_step = duration / f64::from(steps.max(1));
        self.substeps = beat.ticks();
        Ok(())
    }

    /// Kicks at the beginning of step `step`.
    pub(crate) fn kick_cut(&mut self, body: &mut CutBody, step: u32) {
        let (beat, now) = (body.turns.beat, step * body.turns.stride);
        let dynamics = &mut body.dynamics;
        dynamics.drift_all(&beat, now);
        self.contact.before(match now {
            0 => &dynamics.lead,
            _ => &dynamics.velocities,
        });
        let held = !self.projection.is_empty();
        let mut part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: None,
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        dynamics.push(&beat, now, &self.gravity, &mut part, &mut body.fired);
        self.contact.kicked(&dynamics.velocities);
        dynamics.bind(&beat, now, &mut part, &mut None, &mut body.fired);
    }

    /// Moves on to the next step, with what fires on the way.
    pub(crate) fn drift_cut(&mut self, body: &mut CutBody, step: u32) {
        let (beat, stride) = (body.turns.beat, body.turns.stride);
        let dynamics = &mut body.dynamics;
        self.work += self.contact.after(&dynamics.velocities, &dynamics.masses);
        let held = !self.projection.is_empty();
        let mut part = ContactPart {
            projection: held.then_some(&mut self.projection),
            work: held.then_some(&mut self.contact),
            nodes: &body.touched,
            longest: TOUCH_STEP,
        };
        let way = (step * stride, (step + 1) * stride);
        dynamics.drift_from(&beat, way, &self.gravity, &mut part, &mut body.fired);
    }

    /// Half of the kicks, at the end of the frame.
    pub(crate) fn last_kick_of_cut(&mut self, body: &mut CutBody) {
        let dynamics = &mut body.dynamics;
        self.contact.before(&dynamics.velocities);
        dynamics.end_turns(&body.turns.beat, &self.gravity, &mut body.fired);
        self.contact.kicked(&dynamics.velocities);
    }

    /// Ends a frame whose last kick was given: its account.
    ///
    /// # Errors
    /// What is wrong with the state.
    pub(crate) fn end_cut(
        &mut self,
        body: &mut CutBody,
        duration: f64,
    ) -> Result<EnergyAccount, String> {
        let dynamics = &mut body.dynamics;
        self.work += self
            .contact
            .after_end(&dynamics.velocities, &dynamics.masses);
        dynamics.follow();
        self.time += duration;
        self.dissipated += body.fired.dissipated;
        self.work += body.fired.work;
        self.collect_reactions(body, duration);
        let kinetic = body
            .dynamics
            .kinetic_energy_between(|n| match body.is_held(n) {
                // half of the impulse of a constraint belongs to the next frame
                true => self.contact.kick(n),
                false => Vec3::zeros(),
            });
        let energy = self.account_of(body, kinetic);
        match divergence::cut_symptom(self, body, &energy) {
            Some(what) => Err(what),
            None => {
                body.turns.hurries = false;
                body.standing.row = body.standing.row.saturating_sub(1);
                body.fade.pass(duration, &[]);
                if body.monitor.look(&energy, body.turns.is_touched) {
                    body.dynamics.steps.set_lift(body.monitor.lift());
                    body.dynamics.needs_settling = true;
                }
                self.substeps = body.fired.ticks;
                self.blended = body.fired.blended;
                self.scan.near_inverted = body.dynamics.steps.near_inverted();
                Ok(energy)
            }
        }
    }

    /// What is left of a frame that failed, with the cause: the body is where the frame began.
    pub(crate) fn fail_cut(
        &mut self,
        body: &mut CutBody,
        too_fast: Option<String>,
        duration: f64,
    ) -> String {
        let why = divergence::cut_cause(body, too_fast, duration);
        body.freeze();
        body.turns.hurries = true;
        why
    }
}
