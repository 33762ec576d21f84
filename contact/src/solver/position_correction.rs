//! Penetrations are corrected by rigid displacements of bodies.

use crate::solver::gauss_seidel::{SWEEPS, Solver};
use crate::solver::rigid_projection::RigidProjection;
use crate::solver::row::{NONE, StepRule};

impl Solver {
    /// Whether [`Solver::correct_positions`] has something to do.
    pub fn needs_position_correction(&self, rule: &StepRule) -> bool {
        self.all_rows()
            .any(|row| row.is_position_corrected && row.gap < -rule.slop)
    }

    /// Finds rigid displacements that reduce penetrations and make no new ones, by projected Gauss-Seidel on positions. Velocities do not change.
    pub fn correct_positions(&mut self, rule: &StepRule) {
        let Self {
            rows, rigid_bodies, ..
        } = self;
        rigid_bodies.iter_mut().for_each(RigidProjection::clear);
        for row in rows
            .iter_mut()
            .flatten()
            .filter(|row| row.is_position_corrected)
        {
            row.rigid_compliance = 0.0;
            for side in row.sides.iter().filter(|s| s.body != NONE) {
                row.rigid_compliance +=
                    rigid_bodies[side.body as usize].compliance(&side.arm, &row.normal)[0];
            }
        }
        for sweep in 0..SWEEPS {
            let mut largest = 0.0_f64;
            let count = rows.iter().map(Vec::len).sum();
            let mut remaining = rows.iter_mut().flatten();
            for _ in 0..count {
                // in alternating directions
                let next = if sweep % 2 == 0 {
                    remaining.next()
                } else {
                    remaining.next_back()
                };
                let Some(row) = next.filter(|row| row.is_position_corrected) else {
                    continue;
                };
                let compliance = row.rigid_compliance;
                let mut moved = 0.0;
                for side in row.sides.iter().filter(|s| s.body != NONE) {
                    let rigid_body = &rigid_bodies[side.body as usize];
                    moved += side.sign * row.normal.dot(&rigid_body.velocity_at(&side.arm));
                }
                let target = if row.gap >= 0.0 {
                    -row.gap
                } else {
                    row.corrected_depth(rule)
                };
                let correction = (row.correction + (target - moved) / compliance).max(0.0);
                let change = correction - row.correction;
                if change != 0.0 {
                    row.correction = correction;
                    let change = row.normal * change;
                    for side in row.sides.iter().filter(|s| s.body != NONE) {
                        rigid_bodies[side.body as usize]
                            .apply_impulse(&side.arm, &(change * side.sign));
                    }
                    largest = largest.max(change.amax() * compliance);
                }
            }
            if largest < 0.1 * rule.slop {
                break;
            }
        }
    }
}
