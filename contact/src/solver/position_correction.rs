//! Penetrations are taken back by displacements of rigid bodies.

use crate::solver::gauss_seidel::{SWEEPS, Solver};
use crate::solver::rigid_projection::RigidProjection;
use crate::solver::row::{NONE, StepRule};

impl Solver {
    /// Whether [`Solver::part`] has something to do.
    pub fn is_deep(&self, rule: &StepRule) -> bool {
        self.all_rows()
            .any(|row| row.parted && row.gap < -rule.slop)
    }

    /// Finds rigid displacements that take penetrations back and make no new ones: projected Gauss-Seidel on positions. Nothing gains speed.
    pub fn part(&mut self, rule: &StepRule) {
        let Self { rows, movers, .. } = self;
        movers.iter_mut().for_each(RigidProjection::stop);
        for row in rows.iter_mut().flatten().filter(|row| row.parted) {
            row.rigid_compliance = 0.0;
            for side in row.sides.iter().filter(|s| s.body != NONE) {
                row.rigid_compliance +=
                    movers[side.body as usize].compliance(&side.arm, &row.normal)[0];
            }
        }
        for sweep in 0..SWEEPS {
            let mut largest = 0.0_f64;
            let count = rows.iter().map(Vec::len).sum();
            let mut ahead = rows.iter_mut().flatten();
            for _ in 0..count {
                // in alternating directions
                let next = if sweep % 2 == 0 {
                    ahead.next()
                } else {
                    ahead.next_back()
                };
                let Some(row) = next.filter(|row| row.parted) else {
                    continue;
                };
                let compliance = row.rigid_compliance;
                let mut moved = 0.0;
                for side in row.sides.iter().filter(|s| s.body != NONE) {
                    let mover = &movers[side.body as usize];
                    moved += side.sign * row.normal.dot(&mover.velocity_at(&side.arm));
                }
                let wanted = if row.gap >= 0.0 {
                    -row.gap
                } else {
                    row.taken_back(rule)
                };
                let parting = (row.parting + (wanted - moved) / compliance).max(0.0);
                let change = parting - row.parting;
                if change != 0.0 {
                    row.parting = parting;
                    let change = row.normal * change;
                    for side in row.sides.iter().filter(|s| s.body != NONE) {
                        movers[side.body as usize].push(&side.arm, &(change * side.sign));
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
