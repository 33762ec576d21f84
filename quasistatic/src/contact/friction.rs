//! Coulomb friction of distributed contacts: their state, sticking or sliding, and their tangential forces.
//!
//! The normal and the tangential problem are solved in turn (Panagiotopoulos 1975): normal forces for given tangential ones by the
//! capacitance solver, tangential forces for given normal ones as Tresca's problem (`disc_problem`) with radii `μ λ`. For usual
//! coefficients, below about 0.5, an alternation leaves a tenth of the error. Slip is measured over the frame: a vertex sticks when it moves with
//! the tool under it.

use pliant_core::boundary::{ConstrainedDirections, DisplacementConstraint, Friction};
use pliant_core::math::Vec3;
use pliant_core::math::tangents::tangents;

use crate::capacitance::ContactRow;
use crate::capacitance::assemble::{ComplianceAssembly, RowSupports};
use crate::contact::conditions::Condition;
use crate::contact::disc_problem::DiscProblem;
use crate::contact::disc_solver::DiscSolver;
use crate::greens::GreensMatrix;

/// Most alternations between normal and tangential problem in a frame.
const MAX_ALTERNATIONS: usize = 40;
/// Change of displacement between two alternations, as a share of the largest displacement, that ends them.
///
/// Forces are no measure, because forces of contacts that repeat each other may change without any motion.
const CONVERGENCE_TOLERANCE: f64 = 1e-9;
/// Change that still counts as converged after the last alternation.
const ACCEPTED_CHANGE: f64 = 1e-5;
/// Distance from the rim, as a share of the radius, that counts as on it.
const RIM_TOLERANCE: f64 = 1e-7;

/// State of a contact that is kept from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionMemory {
    /// Skin vertex.
    pub vertex: u32,
    /// Whether it stuck.
    pub sticks: bool,
    /// Tangential force on the body, N.
    pub force: Vec3,
}

/// How the friction of a frame ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrictionReport {
    /// Contacts that stick.
    pub sticking: usize,
    /// Contacts that slide.
    pub sliding: usize,
    /// Whether forces and states converged.
    pub converged: bool,
}

/// One contact with friction.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Contact {
    /// Index among the chosen rows.
    row: usize,
    vertex: u32,
    tangents: [Vec3; 2],
    static_coefficient: f64,
    kinetic_coefficient: f64,
    /// Slip without contact forces, m.
    offset: [f64; 2],
    sticks: bool,
    /// Whether it went back from sliding to sticking; that is allowed once a frame.
    restuck: bool,
}

/// Solves friction; keeps memory between frames.
#[derive(Debug, Default)]
pub struct FrictionSolver {
    contacts: Vec<Contact>,
    /// Contacts that have pushed in this frame. Each has two rows behind the normal ones.
    participating: Vec<usize>,
    assembly: ComplianceAssembly,
    rows: Vec<ContactRow>,
    matrix: Vec<f64>,
    /// Part of the matrix between tangential rows.
    compliance: Vec<f64>,
    discs: DiscSolver,
    force: Vec<f64>,
    tangential: Vec<f64>,
    free_slip: Vec<f64>,
    limits: Vec<f64>,
    /// Displacement of each row by all forces, m.
    displacements: Vec<f64>,
    /// Slip at each coarse contact that the symmetric compliance does not contain, m.
    deviations: Vec<[f64; 2]>,
}

/// Positions that friction compares.
pub struct Motion<'a> {
    /// The constraint that a condition belongs to.
    pub constraint: &'a dyn Fn(&Condition) -> Option<DisplacementConstraint>,
    /// Length of the frame, s.
    pub duration: f64,
    /// Position of a skin vertex without contact forces, m.
    pub free: &'a dyn Fn(usize) -> Vec3,
    /// Its position at the end of the last frame, m.
    pub last: &'a dyn Fn(usize) -> Vec3,
}

impl FrictionSolver {
    /// Lists the contacts with friction among `chosen` rows; `memory` is sorted by vertex. False when there are none.
    pub fn gather(
        &mut self,
        motion: &Motion<'_>,
        chosen: &[&Condition],
        memory: &[FrictionMemory],
    ) -> bool {
        self.contacts.clear();
        self.participating.clear();
        self.tangential.clear();
        for (row, condition) in chosen.iter().enumerate() {
            let Some(constraint) = (motion.constraint)(condition) else {
                continue;
            };
            let Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            } = constraint.friction
            else {
                continue;
            };
            if !condition.row.unilateral || static_coefficient <= 0.0 {
                continue;
            }
            let tangents = tangents(&condition.row.direction);
            let vertex = condition.row.vertex;
            let remembered = memory
                .binary_search_by_key(&vertex, |m| m.vertex)
                .ok()
                .map(|k| memory[k]);
            let target = stick_target(&constraint, motion, remembered.is_some());
            let offset = (motion.free)(vertex as usize) - target;
            let slip = self.deviations.get(self.contacts.len());
            let slip = slip.copied().unwrap_or_default();
            self.contacts.push(Contact {
                row,
                vertex,
                tangents,
                static_coefficient,
                kinetic_coefficient: kinetic_coefficient.min(static_coefficient),
                offset: [0, 1].map(|k| offset.dot(&tangents[k]) + slip[k]),
                sticks: remembered.is_none_or(|k| k.sticks),
                restuck: false,
            });
            let force = remembered.map_or_else(Vec3::zeros, |k| k.force);
            self.tangential.extend(tangents.map(|t| force.dot(&t)));
        }
        !self.contacts.is_empty()
    }

    /// Alternates until normal and tangential forces fit. `normal` solves the chosen `rows` for the gaps that it is given and writes their
    /// forces. Forces are scaled like the compliances of `greens`: newtons times `compliance_scale`.
    ///
    /// # Errors
    /// Those of `normal`.
    pub fn solve<E>(
        &mut self,
        (greens, supports): (&GreensMatrix, RowSupports<'_>),
        rows: &[ContactRow],
        gaps: &[f64],
        compliance_scale: f64,
        force: &mut [f64],
        mut normal: impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<FrictionReport, E> {
        self.tangential
            .iter_mut()
            .for_each(|t| *t *= compliance_scale);
        self.participating.clear();
        self.displacements.clear();
        // rows of another frame remain where no contact pushes
        self.rows.clear();
        self.matrix.clear();
        self.compliance.clear();
        let mut report = FrictionReport::default();
        let mut moved_gaps = gaps.to_vec();
        for _ in 0..MAX_ALTERNATIONS {
            normal(&moved_gaps, force)?;
            let grown = self.add_pushing_contacts(greens, supports, rows, force);
            self.solve_tangential(rows.len(), force);
            let switched = self.update_states(force);
            self.gaps_under_friction(rows.len(), gaps, &mut moved_gaps);
            let (change, largest) = self.displacement_change(force);
            report.converged = !grown && !switched && change <= ACCEPTED_CHANGE * largest;
            if report.converged && change <= CONVERGENCE_TOLERANCE * largest {
                break;
            }
        }
        for (c, contact) in self.contacts.iter().enumerate() {
            if force[contact.row] > 0.0 && self.participating.contains(&c) {
                report.sticking += usize::from(contact.sticks);
                report.sliding += usize::from(!contact.sticks);
            }
        }
        Ok(report)
    }

    /// Clears the result of [`Self::measure_deviations`] at the beginning of a frame.
    pub fn clear_deviations(&mut self) {
        self.deviations.clear();
    }

    /// Measures the slip of coarse contacts minus that by the symmetric compliance. The next [`Self::gather`] of the same contacts adds it. `moved` gives the displacement of a
    /// condition under `forces` (node, N), m.
    pub fn measure_deviations(
        &mut self,
        moved: impl Fn(&ContactRow) -> f64,
        forces: &[(u32, Vec3)],
    ) {
        self.deviations.clear();
        self.deviations.resize(self.contacts.len(), [0.0; 2]);
        let normals = self.rows.len() - 2 * self.participating.len();
        for (k, &c) in self.participating.iter().enumerate() {
            for axis in 0..2 {
                let row = normals + 2 * k + axis;
                let moved = moved(&self.rows[row]);
                self.deviations[c][axis] = self.assembly.deviation(row, moved, forces);
            }
        }
    }

    /// Vertex and tangential force of each contact, scaled like the compliances, with its row and whether it sticks.
    pub fn forces(&self) -> impl Iterator<Item = (usize, u32, Vec3, bool)> {
        let parts = self.tangential.as_chunks::<2>().0;
        self.contacts.iter().zip(parts).map(|(contact, part)| {
            let force = contact.tangents[0] * part[0] + contact.tangents[1] * part[1];
            (contact.row, contact.vertex, force, contact.sticks)
        })
    }

    /// Adds contacts that push to the tangential problem; true when some are new.
    fn add_pushing_contacts(
        &mut self,
        greens: &GreensMatrix,
        supports: RowSupports<'_>,
        rows: &[ContactRow],
        force: &[f64],
    ) -> bool {
        let mut grown = false;
        for (c, contact) in self.contacts.iter().enumerate() {
            if force[contact.row] > 0.0 && !self.participating.contains(&c) {
                self.participating.push(c);
                grown = true;
            }
        }
        for (c, contact) in self.contacts.iter().enumerate() {
            if force[contact.row] <= 0.0 {
                self.tangential[2 * c..2 * c + 2].fill(0.0);
            }
        }
        if grown {
            self.participating.sort_unstable();
            self.rows.clear();
            self.rows.extend_from_slice(rows);
            for &c in &self.participating {
                let contact = self.contacts[c];
                self.rows
                    .extend(contact.tangents.map(|direction| ContactRow {
                        vertex: contact.vertex,
                        direction,
                        unilateral: false,
                    }));
            }
            self.assembly
                .assemble(greens, supports, &self.rows, &mut self.matrix);
            let size = self.rows.len();
            self.compliance.clear();
            for row in self.matrix.chunks_exact(size).skip(rows.len()) {
                self.compliance.extend_from_slice(&row[rows.len()..]);
            }
            self.discs.invalidate();
        }
        grown
    }

    /// Tangential forces for given normal ones.
    fn solve_tangential(&mut self, normals: usize, force: &[f64]) {
        let size = self.rows.len();
        self.free_slip.clear();
        self.limits.clear();
        self.force.clear();
        for (k, &c) in self.participating.iter().enumerate() {
            let contact = &self.contacts[c];
            for axis in 0..2 {
                let row = &self.matrix[(normals + 2 * k + axis) * size..][..normals];
                let pushed: f64 = row.iter().zip(force).map(|(c, f)| c * f).sum();
                self.free_slip.push(contact.offset[axis] + pushed);
                self.force.push(self.tangential[2 * c + axis]);
            }
            let coefficient = if contact.sticks {
                contact.static_coefficient
            } else {
                contact.kinetic_coefficient
            };
            self.limits.push(coefficient * force[contact.row].max(0.0));
        }
        let problem = DiscProblem {
            compliance: &self.compliance,
            free_slip: &self.free_slip,
            limits: &self.limits,
        };
        self.discs.solve(&problem, &mut self.force);
        for (k, &c) in self.participating.iter().enumerate() {
            self.tangential[2 * c..2 * c + 2].copy_from_slice(&self.force[2 * k..2 * k + 2]);
        }
    }

    /// Largest change of a row's displacement since the last call, and the largest displacement, m.
    fn displacement_change(&mut self, force: &[f64]) -> (f64, f64) {
        let size = self.rows.len();
        let (mut change, mut largest) = (0.0_f64, 0.0_f64);
        self.displacements.resize(size, 0.0);
        for (row, last) in self
            .matrix
            .chunks_exact(size.max(1))
            .zip(&mut self.displacements)
        {
            let (normals, tangents) = row.split_at(force.len());
            let pushed: f64 = normals.iter().zip(force).map(|(c, f)| c * f).sum();
            let dragged: f64 = tangents.iter().zip(&self.force).map(|(c, f)| c * f).sum();
            let now = pushed + dragged;
            change = change.max((now - *last).abs());
            largest = largest.max(now.abs());
            *last = now;
        }
        (change, largest)
    }

    /// Contacts that left their cone slide, and those that no longer slide stick; true when a coefficient changed.
    fn update_states(&mut self, force: &[f64]) -> bool {
        let mut switched = false;
        for (k, &c) in self.participating.iter().enumerate() {
            let contact = &mut self.contacts[c];
            let limit = self.limits[k];
            if force[contact.row] <= 0.0 || limit <= 0.0 {
                continue;
            }
            let size = self.tangential[2 * c].hypot(self.tangential[2 * c + 1]);
            let on_rim = size >= limit * (1.0 - RIM_TOLERANCE);
            if contact.sticks && on_rim {
                contact.sticks = false;
                switched |= contact.kinetic_coefficient < contact.static_coefficient;
            } else if !contact.sticks && !on_rim && !contact.restuck {
                (contact.sticks, contact.restuck) = (true, true);
                switched |= contact.kinetic_coefficient < contact.static_coefficient;
            }
        }
        switched
    }

    /// Gaps of the chosen rows under the tangential forces.
    fn gaps_under_friction(&self, normals: usize, gaps: &[f64], out: &mut [f64]) {
        let size = self.rows.len();
        for (i, (out, gap)) in out.iter_mut().zip(gaps).enumerate() {
            let mut sum = *gap;
            for (k, &c) in self.participating.iter().enumerate() {
                for axis in 0..2 {
                    let entry = self.matrix[i * size + normals + 2 * k + axis];
                    sum += entry * self.tangential[2 * c + axis];
                }
            }
            *out = sum;
        }
    }
}

/// Position in the tangent plane of a vertex at the end of the frame if it sticks to the tool.
///
/// It moves with the tool from its last position. A vertex that the tool reaches within the frame moves with it for the rest of the frame.
fn stick_target(
    constraint: &DisplacementConstraint,
    motion: &Motion<'_>,
    touched_before: bool,
) -> Vec3 {
    let last = (motion.last)(constraint.vertex as usize);
    let path = constraint.velocity * motion.duration;
    let share = match constraint.directions {
        ConstrainedDirections::Along(n) if !touched_before => {
            let before = (last - (constraint.target - path)).dot(&n);
            let after = (last - constraint.target).dot(&n);
            if before > 0.0 && after < 0.0 {
                -after / (before - after)
            } else {
                1.0
            }
        }
        _ => 1.0,
    };
    last + path * share
}
