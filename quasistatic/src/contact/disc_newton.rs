//! Newton steps for Tresca's problem: all contacts at once, with the forces of those that stick and the angles of those that slide as unknowns.
//!
//! A sticking force is free. A sliding force moves along the tangent `τ` of its rim of radius `r`. With the slip `g = o + C t` and the normal
//! `n` of the rim, the pressure `λ = −n·g` against the rim acts like a spring `λ/r` along `τ` (the curvature of the rim). The matrix is
//! symmetric and positive semidefinite. A force that leaves its disc stops at the rim. The sweeps in between find contacts that stick again.
//! A step is taken only where the energy falls, so that the result is that of sweeps alone.

use crate::contact::dense_cholesky::DenseCholesky;
use crate::contact::disc_problem::{DiscProblem, project_to_disc};

/// Regularisation of the diagonal, as a share of its largest entry: contacts that repeat each other share their load.
const REGULARISATION: f64 = 1e-10;
/// The damping grows by this factor where a step goes too far (Levenberg 1944), and falls by it where a full step is taken.
const DAMPING_FACTOR: f64 = 30.0;
/// Largest damping, as a share of the largest diagonal entry.
const MAX_DAMPING: f64 = 1.0;
/// Distance from the rim, as a share of the radius, that counts as on it.
const RIM_TOLERANCE: f64 = 1e-12;
/// The factor is reused while a step reduces the error to at most this share.
const REUSE_REDUCTION: f64 = 0.3;
/// A step is accepted where the energy falls over at least this share of it.
const MIN_STEP_SHARE: f64 = 0.1;
/// Most factorisations for one step.
const MAX_ATTEMPTS: u32 = 4;

/// State of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The normal force allows no friction: the disc is a point.
    Frictionless,
    /// The force is inside its disc.
    Stick,
    /// The force is on the rim of its disc.
    Slip,
}

/// An unknown of the step: the force of a contact along a direction.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    contact: usize,
    direction: [f64; 2],
    /// curvature of the rim times the pressure on it, m/N
    spring: f64,
}

/// Newton steps; the factor is kept while the same contacts slide.
#[derive(Debug, Default)]
pub struct DiscNewton {
    states: Vec<State>,
    factored: Vec<State>,
    unknowns: Vec<Unknown>,
    cholesky: DenseCholesky,
    /// response to a unit force along an unknown, m/N
    column: Vec<f64>,
    step: Vec<f64>,
    force: Vec<f64>,
    slip: Vec<f64>,
    /// Levenberg's damping, besides [`REGULARISATION`]
    damping: f64,
}

impl DiscNewton {
    /// Drops the factor. Call this when the compliance changes.
    pub fn invalidate(&mut self) {
        self.factored.clear();
        self.damping = 0.0;
    }

    /// Takes a step of `force` and its `slip` where the energy falls; `false`, without any change, where it does not.
    pub fn try_step(
        &mut self,
        problem: &DiscProblem<'_>,
        force: &mut [f64],
        slip: &mut [f64],
        own_compliance: &[f64],
    ) -> bool {
        self.find_unknowns(problem, force, slip);
        if self.unknowns.is_empty() {
            return false;
        }
        let before = error(problem, force, slip, own_compliance);
        let mut accepted = false;
        for _ in 0..MAX_ATTEMPTS {
            let is_current = self.factored == self.states;
            if !is_current && !self.factor(problem) {
                return false;
            }
            accepted = self.attempt(problem, force, slip, own_compliance, before);
            if accepted {
                break;
            }
        }
        if accepted {
            force.copy_from_slice(&self.force);
            slip.copy_from_slice(&self.slip);
        }
        accepted
    }

    fn find_unknowns(&mut self, problem: &DiscProblem<'_>, force: &[f64], slip: &[f64]) {
        self.states.clear();
        self.unknowns.clear();
        for (contact, &limit) in problem.limits.iter().enumerate() {
            let [x, y] = [force[2 * contact], force[2 * contact + 1]];
            let length = (x * x + y * y).sqrt();
            let state = if limit <= 0.0 {
                State::Frictionless
            } else if length < limit * (1.0 - RIM_TOLERANCE) {
                State::Stick
            } else {
                State::Slip
            };
            self.states.push(state);
            let free = |direction| Unknown {
                contact,
                direction,
                spring: 0.0,
            };
            match state {
                State::Frictionless => {}
                State::Stick => self.unknowns.extend([[1.0, 0.0], [0.0, 1.0]].map(free)),
                State::Slip => {
                    let [nx, ny] = [x / length, y / length];
                    let outward = -(nx * slip[2 * contact] + ny * slip[2 * contact + 1]);
                    self.unknowns.push(Unknown {
                        contact,
                        direction: [-ny, nx],
                        spring: outward.max(0.0) / limit,
                    });
                }
            }
        }
    }

    fn factor(&mut self, problem: &DiscProblem<'_>) -> bool {
        self.factored.clear();
        let size = problem.free_slip.len();
        let diagonal = (0..size).map(|k| problem.row(k)[k]);
        let damping = (REGULARISATION + self.damping) * diagonal.fold(0.0, f64::max);
        let (unknowns, response) = (&self.unknowns, &mut self.column);
        response.resize(size, 0.0);
        let done = self.cholesky.factor(unknowns.len(), |k, column| {
            let Unknown {
                contact,
                direction: [x, y],
                spring,
            } = unknowns[k];
            let rows = problem
                .row(2 * contact)
                .iter()
                .zip(problem.row(2 * contact + 1));
            for (r, (a, b)) in response.iter_mut().zip(rows) {
                *r = a * x + b * y;
            }
            for (entry, other) in column.iter_mut().zip(&unknowns[k..]) {
                let [x, y] = other.direction;
                let at = 2 * other.contact;
                *entry = response[at] * x + response[at + 1] * y;
            }
            column[0] += spring + damping;
        });
        if done {
            self.factored.clone_from(&self.states);
        }
        done
    }

    /// One step with the present factor. Returns whether it is accepted.
    fn attempt(
        &mut self,
        problem: &DiscProblem<'_>,
        force: &[f64],
        slip: &[f64],
        own_compliance: &[f64],
        before: f64,
    ) -> bool {
        self.step.clear();
        self.step.extend(self.unknowns.iter().map(|u| {
            let ([x, y], at) = (u.direction, 2 * u.contact);
            -(slip[at] * x + slip[at + 1] * y)
        }));
        self.cholesky.solve(&mut self.step);
        self.force.clear();
        self.force.extend_from_slice(force);
        for (u, step) in self.unknowns.iter().zip(&self.step) {
            self.force[2 * u.contact] += u.direction[0] * step;
            self.force[2 * u.contact + 1] += u.direction[1] * step;
        }
        for (c, (state, &limit)) in self.states.iter().zip(problem.limits).enumerate() {
            let [x, y] = [self.force[2 * c], self.force[2 * c + 1]];
            let [x, y] = match state {
                State::Frictionless => continue,
                State::Stick => project_to_disc(x, y, limit),
                // along the tangent from the rim: never shorter than the radius
                State::Slip => {
                    let scale = limit / (x * x + y * y).sqrt();
                    [x * scale, y * scale]
                }
            };
            (self.force[2 * c], self.force[2 * c + 1]) = (x, y);
        }
        problem.slip(&self.force, &mut self.slip);
        let share = self.step_share(force, slip);
        if share < MIN_STEP_SHARE {
            self.damping = (DAMPING_FACTOR * (REGULARISATION + self.damping)).min(MAX_DAMPING);
            self.factored.clear();
            return false;
        }
        if share < 1.0 {
            let towards = |x: &mut f64, from: &f64| *x = from + share * (*x - from);
            (self.force.iter_mut().zip(force)).for_each(|(x, from)| towards(x, from));
            (self.slip.iter_mut().zip(slip)).for_each(|(x, from)| towards(x, from));
        }
        let after = error(problem, &self.force, &self.slip, own_compliance);
        if after > REUSE_REDUCTION * before {
            self.factored.clear();
            if share >= 1.0 {
                self.damping /= DAMPING_FACTOR;
            }
        }
        true
    }

    /// Share of the step over which the energy falls, at most 1.
    fn step_share(&self, force: &[f64], slip: &[f64]) -> f64 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        let components = self.force.iter().zip(force).zip(slip).zip(&self.slip);
        for (((to, from), d), e) in components {
            slope += (to - from) * d;
            curvature += (to - from) * (e - d);
        }
        if slope < 0.0 && curvature > 0.0 {
            (-slope / curvature).min(1.0)
        } else {
            0.0
        }
    }
}

/// Largest distance (m) of a contact from the solution of its own projected step.
fn error(problem: &DiscProblem<'_>, force: &[f64], slip: &[f64], own_compliance: &[f64]) -> f64 {
    let each = own_compliance
        .iter()
        .enumerate()
        .map(|(c, &own_compliance)| {
            let [x, y] = problem.projected_force(c, force, slip, own_compliance);
            let (dx, dy) = (x - force[2 * c], y - force[2 * c + 1]);
            (dx * dx + dy * dy).sqrt() * own_compliance
        });
    each.fold(0.0, f64::max)
}
