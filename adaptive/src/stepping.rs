//! Steps of one level taken in turn with those of other bodies: the same step as in [`crate::frame`], with contact between kick and drift.
//!
//! Symplectic Euler is split where contact belongs: forces change velocities, impulses of contact change them once more, positions follow. Impulses count
//! as work, so that the account of energy closes for each body; over all bodies contact between them only takes.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{Pose, SteppedModel};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::{DeformableModel, EnergyAccount, StepError};

use crate::guard;
use crate::model::AdaptiveModel;

/// Edges along the skin within which a body does not touch itself.
const EXEMPT_EDGES: f64 = 2.5;
/// Longest distance between contact points over the diagonal of the body: what is thinned further is no longer its shape.
const CONTACT_SHARE: f64 = 0.125;
/// Neighbours of a node over its tetrahedra, and the node itself: how many nodes feel an impulse after one step.
const NEIGHBOURS: f64 = 0.5;

/// What a body remembers for frames that it takes together with others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Together {
    turn: Option<Turn>,
    start: Start,
    /// whether the rate of steps belongs to the present state
    is_rated: bool,
    /// kinetic energy of the velocities that the last frame left, J: what is missing when the next one begins was taken in between
    left: Option<f64>,
    /// energies at the end of the last frame
    account: Option<EnergyAccount>,
    /// step of the last frame in which forces went wrong
    failed: Option<u32>,
}

/// The frame that is under way.
#[derive(Debug, Clone)]
struct Turn {
    /// s
    step: f64,
    duration: f64,
    time: f64,
    /// kinetic energy without work that is an explosion, and what a joule of work adds, J
    limit: [f64; 2],
    /// a constraint that cannot be followed
    too_fast: Option<String>,
    /// what went wrong
    cause: Option<String>,
}

/// What a frame changes besides positions and velocities, as it was before.
#[derive(Debug, Clone, Default)]
struct Start {
    gravity: Vec3,
    /// dissipated, work, time, last step
    books: [f64; 4],
    rate: [f64; 3],
    is_rated: bool,
    left: Option<f64>,
    account: Option<EnergyAccount>,
    reactions: Vec<Vec3>,
    support_reactions: Vec<Vec3>,
}

impl Together {
    /// The state was changed from outside.
    pub(crate) fn outdate(&mut self) {
        self.is_rated = false;
        (self.left, self.account, self.turn) = (None, None, None);
    }
}

impl AdaptiveModel {
    /// Forces, steps and books do not belong to the present state.
    pub(crate) fn outdate(&mut self) {
        self.fresh = false;
        self.together.outdate();
    }

    /// Energy lost so far, with what was taken since the last frame ended (bodies that hardly move are slowed and stopped), J.
    pub(crate) fn booked_dissipation(&self) -> f64 {
        match self.together.left {
            Some(left) => self.dissipated + (left - self.dynamics.kinetic_energy()),
            None => self.dissipated,
        }
    }

    fn remember(&mut self) {
        self.save_good();
        let (dissipated, work) = (self.dissipated, self.work);
        let start = &mut self.together.start;
        start.gravity = self.gravity;
        start.books = [dissipated, work, self.time, self.last_step];
        start.rate = self.steps.memory();
        start.is_rated = self.together.is_rated;
        start.left = self.together.left;
        start.account = self.together.account;
        start.reactions.clone_from(&self.reactions);
        start.support_reactions.clone_from(&self.support_reactions);
    }

    /// Ends the motion of this frame, so that nothing of it reaches other bodies.
    fn give_up(&mut self, step: u32) {
        let energy = self.energy();
        let what = guard::level_symptom(self, &energy)
            .unwrap_or_else(|| format!("the kinetic energy reached {:.2e} J", energy.kinetic));
        if let Some(mut turn) = self.together.turn.take() {
            let why = guard::cause(self, turn.too_fast.take(), turn.duration);
            turn.cause = Some(format!("{what}; {why}"));
            self.together.turn = Some(turn);
        }
        self.together.failed = Some(step);
        self.freeze();
        self.dynamics.velocities.fill(Vec3::zeros());
    }

    /// Whether forces have torn the body apart.
    fn has_exploded(&self, limit: [f64; 2]) -> bool {
        let most = limit[0] + limit[1] * self.work.abs();
        let kinetic = self.dynamics.kinetic_energy();
        // not a number is no less either
        !(self.dynamics.found.viscous_power.is_finite() && kinetic <= most)
    }
}

impl SteppedModel for AdaptiveModel {
    fn embedding(&self) -> &SkinEmbedding {
        &self.asset.levels[self.level].embedding
    }

    fn inverse_masses(&self) -> &[f64] {
        &self.dynamics.inverse_masses
    }

    fn node_positions(&self) -> &[Vec3] {
        &self.dynamics.positions
    }

    fn node_velocities(&self) -> &[Vec3] {
        &self.dynamics.velocities
    }

    fn nodes_mut(&mut self) -> (&[Vec3], &mut [Vec3]) {
        // viscous forces depend on velocities
        self.fresh = false;
        (&self.dynamics.positions, &mut self.dynamics.velocities)
    }

    fn contact_spacing(&self) -> f64 {
        // a coarse level moves a skin whose shape is fine
        let diagonal = self.asset.skin.bounds().diagonal();
        let level = &self.asset.levels[self.level];
        level.spacing.min(CONTACT_SHARE * diagonal)
    }

    fn exclusion_distance(&self) -> f64 {
        EXEMPT_EDGES * self.asset.levels[self.level].spacing
    }

    fn spread_within_step(&self) -> f64 {
        if !self.held.is_empty() {
            return 0.0;
        }
        let nodes = self.dynamics.positions.len() as f64;
        let corners = 4 * self.dynamics.field.element_count();
        // a stable step hands an impulse to the neighbours, a shorter one less by the square
        let own = self.last_step * self.steps.memory()[0];
        let handed = (own * own).min(1.0);
        handed * ((1.0 + NEIGHBOURS * corners as f64 / nodes) / nodes).min(1.0)
    }

    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3) {
        for x in &mut self.dynamics.positions {
            *x += change(x);
        }
        self.fresh = false;
    }

    fn place(&mut self, pose: &Pose) {
        self.reset();
        for x in &mut self.dynamics.positions {
            *x = pose.to_world(x);
        }
    }

    fn stop(&mut self) {
        self.dynamics.velocities.fill(Vec3::zeros());
        self.fresh = false;
        let together = &mut self.together;
        match &mut together.account {
            Some(account) => {
                self.dissipated += account.kinetic;
                (account.kinetic, account.dissipated) = (0.0, self.dissipated);
                together.left = Some(0.0);
            }
            None => together.left = None,
        }
    }

    fn undo(&mut self) {
        self.freeze();
        let start = &self.together.start;
        self.gravity = start.gravity;
        [self.dissipated, self.work, self.time, self.last_step] = start.books;
        self.steps.set_memory(start.rate);
        self.reactions.clone_from(&start.reactions);
        self.support_reactions.clone_from(&start.support_reactions);
        let (is_rated, left, account) = (start.is_rated, start.left, start.account);
        let together = &mut self.together;
        (together.is_rated, together.left, together.account) = (is_rated, left, account);
        self.together.turn = None;
    }

    fn least_steps(&self, duration: f64) -> u32 {
        if self.together.is_rated {
            return self.steps.present_substeps(duration);
        }
        let scan = self.steps.scan(&self.dynamics.positions);
        self.steps.substeps_in(&scan, duration)
    }

    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError> {
        self.remember();
        self.together.failed = None;
        if self.cut.is_some() {
            let cause = "a cut through the levels cannot be stepped together with other bodies";
            return Err(self.diverged(cause.to_string()));
        }
        self.dissipated = self.booked_dissipation();
        self.take_over(boundary);
        if !self.together.is_rated {
            self.scan = self.steps.scan(&self.dynamics.positions);
            self.steps.raise(&self.scan);
        }
        self.substeps = steps.max(1);
        if let Some(cause) = guard::refusal(self) {
            return Err(self.diverged(cause));
        }
        let step = duration / f64::from(self.substeps);
        self.last_step = step;
        self.blended = 0;
        self.support_reactions.fill(Vec3::zeros());
        let asset = self.asset.clone();
        self.projection.begin_frame(
            boundary.displacements(),
            &asset.levels[self.level].embedding,
            &self.dynamics.inverse_masses,
            &self.dynamics.positions,
            duration,
        );
        self.contact
            .begin_frame_of_all(self.dynamics.positions.len());
        let rest = self.rest();
        let potential = self.dynamics.potential_energy(rest, &self.gravity).abs();
        let known = potential + self.dynamics.kinetic_energy();
        let [none, one] = [0.0, 1.0].map(|work| guard::explosion(self, known + work));
        self.together.turn = Some(Turn {
            step,
            duration,
            time: 0.0,
            limit: [none, one - none],
            too_fast: guard::too_fast(self, boundary, duration),
            cause: None,
        });
        Ok(())
    }

    fn kick(&mut self, step: u32) {
        let Some(turn) = self.together.turn.as_ref().filter(|t| t.cause.is_none()) else {
            return;
        };
        let (h, time, duration, limit) = (turn.step, turn.time, turn.duration, turn.limit);
        self.note_forces(h, h / duration);
        let dynamics = &mut self.dynamics;
        self.contact.before(&dynamics.velocities);
        dynamics.kick(h, &self.gravity);
        self.contact.kicked(&dynamics.velocities);
        if self.has_exploded(limit) {
            self.give_up(step);
            return;
        }
        if !self.projection.is_empty() {
            let dynamics = &mut self.dynamics;
            let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
            self.projection
                .project(&mut dynamics.velocities, x, w, time, h, duration);
        }
    }

    fn drift(&mut self) {
        let Some(turn) = self.together.turn.as_mut().filter(|t| t.cause.is_none()) else {
            return;
        };
        let h = turn.step;
        turn.time += h;
        let dynamics = &self.dynamics;
        self.work += self.contact.after(&dynamics.velocities, &dynamics.masses);
        self.drift_for(h);
        self.fresh = false;
    }

    fn end(&mut self) -> Result<(), StepError> {
        let Some(mut turn) = self.together.turn.take() else {
            return Ok(());
        };
        if let Some(cause) = turn.cause {
            return Err(self.diverged(cause));
        }
        self.refresh();
        let energy = self.energy();
        if let Some(what) = guard::level_symptom(self, &energy) {
            let why = guard::cause(self, turn.too_fast.take(), turn.duration);
            self.together.failed = Some(self.substeps);
            self.freeze();
            return Err(self.diverged(format!("{what}; {why}")));
        }
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        self.add_contact_to_supports();
        self.scan = self.steps.scan(&self.dynamics.positions);
        self.steps.substeps(&self.scan, turn.duration);
        let together = &mut self.together;
        together.is_rated = true;
        together.left = Some(self.dynamics.kinetic_energy());
        together.account = Some(energy);
        Ok(())
    }

    fn failed_step(&self) -> Option<u32> {
        self.together.failed
    }

    fn energy(&self) -> Option<EnergyAccount> {
        self.together.account.or_else(|| {
            // as it stands: nothing has moved it since it was set
            let dynamics = &self.dynamics;
            Some(EnergyAccount {
                kinetic: dynamics.kinetic_energy(),
                elastic: dynamics.elastic_energy(),
                potential: dynamics.potential_energy(self.rest(), &self.gravity),
                dissipated: self.dissipated,
                work: self.work,
            })
        })
    }
}
