//! Jumps of all tangential forces at once: Newton's method on the forces inside their discs and on the angles of those on the rims.
//!
//! Inside a disc a force is free; on the rim of radius `r` it moves along the tangent `τ`, and what presses it outward, `λ = −n·g` with the distance
//! `g = o + C t`, counts as a spring `λ/r` along `τ` (the curvature of the rim). The matrix is symmetric and positive semidefinite. What leaves its
//! disc stops at the rim; sweeps in between let go what wants inside. A jump counts only where the energy falls, so that sweeps and jumps end where
//! sweeps alone would.

use crate::contact::dense_cholesky::DenseCholesky;
use crate::contact::disc_problem::{DiscProblem, within};

/// Added to the diagonal, over its largest entry, so that repeated contacts share what they carry.
const REGULAR: f64 = 1e-10;
/// So many times as much is added where a jump goes too far (Levenberg 1944), and as much less where it goes all the way.
const MORE: f64 = 30.0;
/// Most that is added.
const MOST_DAMPING: f64 = 1.0;
/// How near the rim counts as on it.
const ON_RIM: f64 = 1e-12;
/// A factor is kept while a jump leaves this share of the error.
const GOOD: f64 = 0.3;
/// Least share of a jump on which the energy has to fall.
const LEAST_SHARE: f64 = 0.1;
/// Factors in a jump.
const ATTEMPTS: u32 = 4;

/// Where a force is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Its disc is a point.
    Nowhere,
    Inside,
    Rim,
}

/// A number that a jump changes: a contact moves along a direction.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    contact: usize,
    direction: [f64; 2],
    /// of the rim, m/N
    spring: f64,
}

/// Keeps its factor while the same contacts are on the rims.
#[derive(Debug, Default)]
pub struct DiscNewton {
    places: Vec<Place>,
    factored: Vec<Place>,
    unknowns: Vec<Unknown>,
    cholesky: DenseCholesky,
    /// of a unit force along an unknown, m/N
    column: Vec<f64>,
    step: Vec<f64>,
    force: Vec<f64>,
    distances: Vec<f64>,
    /// what is added besides [`REGULAR`]
    damping: f64,
}

impl DiscNewton {
    /// The compliance is another one.
    pub fn forget(&mut self) {
        self.factored.clear();
        self.damping = 0.0;
    }

    /// Moves `force` and the `distances` that belong to it, where that comes nearer; `false`, and no change, where it does not.
    pub fn jump(
        &mut self,
        problem: &DiscProblem<'_>,
        force: &mut [f64],
        distances: &mut [f64],
        yielding: &[f64],
    ) -> bool {
        self.find_unknowns(problem, force, distances);
        if self.unknowns.is_empty() {
            return false;
        }
        let before = error(problem, force, distances, yielding);
        let mut counts = false;
        for _ in 0..ATTEMPTS {
            let known = self.factored == self.places;
            if !known && !self.factor(problem) {
                return false;
            }
            counts = self.attempt(problem, force, distances, yielding, before);
            if counts {
                break;
            }
        }
        if counts {
            force.copy_from_slice(&self.force);
            distances.copy_from_slice(&self.distances);
        }
        counts
    }

    fn find_unknowns(&mut self, problem: &DiscProblem<'_>, force: &[f64], distances: &[f64]) {
        self.places.clear();
        self.unknowns.clear();
        for (contact, &limit) in problem.limits.iter().enumerate() {
            let [x, y] = [force[2 * contact], force[2 * contact + 1]];
            let length = (x * x + y * y).sqrt();
            let place = if limit <= 0.0 {
                Place::Nowhere
            } else if length < limit * (1.0 - ON_RIM) {
                Place::Inside
            } else {
                Place::Rim
            };
            self.places.push(place);
            let inside = |direction| Unknown {
                contact,
                direction,
                spring: 0.0,
            };
            match place {
                Place::Nowhere => {}
                Place::Inside => self.unknowns.extend([[1.0, 0.0], [0.0, 1.0]].map(inside)),
                Place::Rim => {
                    let [nx, ny] = [x / length, y / length];
                    let outward = -(nx * distances[2 * contact] + ny * distances[2 * contact + 1]);
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
        let size = problem.offsets.len();
        let diagonal = (0..size).map(|k| problem.row(k)[k]);
        let damping = (REGULAR + self.damping) * diagonal.fold(0.0, f64::max);
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
            self.factored.clone_from(&self.places);
        }
        done
    }

    /// The jump with the factor there is; whether it comes nearer.
    fn attempt(
        &mut self,
        problem: &DiscProblem<'_>,
        force: &[f64],
        distances: &[f64],
        yielding: &[f64],
        before: f64,
    ) -> bool {
        self.step.clear();
        self.step.extend(self.unknowns.iter().map(|u| {
            let ([x, y], at) = (u.direction, 2 * u.contact);
            -(distances[at] * x + distances[at + 1] * y)
        }));
        self.cholesky.solve(&mut self.step);
        self.force.clear();
        self.force.extend_from_slice(force);
        for (u, step) in self.unknowns.iter().zip(&self.step) {
            self.force[2 * u.contact] += u.direction[0] * step;
            self.force[2 * u.contact + 1] += u.direction[1] * step;
        }
        for (c, (place, &limit)) in self.places.iter().zip(problem.limits).enumerate() {
            let [x, y] = [self.force[2 * c], self.force[2 * c + 1]];
            let [x, y] = match place {
                Place::Nowhere => continue,
                Place::Inside => within(x, y, limit),
                // along the tangent from the rim: never shorter than the radius
                Place::Rim => {
                    let scale = limit / (x * x + y * y).sqrt();
                    [x * scale, y * scale]
                }
            };
            (self.force[2 * c], self.force[2 * c + 1]) = (x, y);
        }
        problem.distances(&self.force, &mut self.distances);
        let share = self.share(force, distances);
        if share < LEAST_SHARE {
            self.damping = (MORE * (REGULAR + self.damping)).min(MOST_DAMPING);
            self.factored.clear();
            return false;
        }
        if share < 1.0 {
            let towards = |x: &mut f64, from: &f64| *x = from + share * (*x - from);
            (self.force.iter_mut().zip(force)).for_each(|(x, from)| towards(x, from));
            (self.distances.iter_mut().zip(distances)).for_each(|(x, from)| towards(x, from));
        }
        let after = error(problem, &self.force, &self.distances, yielding);
        if after > GOOD * before {
            self.factored.clear();
            if share >= 1.0 {
                self.damping /= MORE;
            }
        }
        true
    }

    /// Share of the way to the new forces on which the energy falls.
    fn share(&self, force: &[f64], distances: &[f64]) -> f64 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        let ways = self
            .force
            .iter()
            .zip(force)
            .zip(distances)
            .zip(&self.distances);
        for (((to, from), d), e) in ways {
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

/// Largest distance by which a contact alone would move (m).
fn error(problem: &DiscProblem<'_>, force: &[f64], distances: &[f64], yielding: &[f64]) -> f64 {
    let each = yielding.iter().enumerate().map(|(c, &yielding)| {
        let [x, y] = problem.wanted(c, force, distances, yielding);
        let (dx, dy) = (x - force[2 * c], y - force[2 * c + 1]);
        (dx * dx + dy * dy).sqrt() * yielding
    });
    each.fold(0.0, f64::max)
}
