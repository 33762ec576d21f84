//! From what was found to rows of the solver, and the velocities in and out.

use super::BodyGroup;
use super::narrow::{Candidate, Partner};
use super::solver::Row;
use crate::contact::stepped::SteppedModel;
use crate::contact::wrench::ToolWrench;
use crate::math::Vec3;

/// A node without a slot.
pub(super) const NONE: u32 = u32::MAX;
/// Bits of a key for the contact point and for the partner.
const BITS: u32 = 20;
/// Marks a tool among partners.
const TOOL: u64 = 1 << (BITS - 1);

/// Names a contact for as long as it lasts; ascending in the order in which contacts are found.
fn key(body: usize, c: &Candidate) -> u64 {
    let partner = match c.partner {
        Partner::Body(b) => u64::from(b),
        Partner::Tool(t) => TOOL + u64::from(t),
    };
    (body as u64) << (2 * BITS) | partner << BITS | u64::from(c.point)
}

/// Body, partner and contact point of a key.
pub(super) fn taken_apart(key: u64) -> (u32, Partner, u32) {
    let mask = (1 << BITS) - 1;
    let partner = key >> BITS & mask;
    let partner = if partner >= TOOL {
        Partner::Tool((partner - TOOL) as u32)
    } else {
        Partner::Body(partner as u32)
    };
    ((key >> (2 * BITS)) as u32, partner, (key & mask) as u32)
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Rows of this frame, with slots for the nodes that they hold.
    pub(super) fn assemble(&mut self) {
        for &(body, node) in &self.solver.owners {
            self.slot_of[body as usize][node as usize] = NONE;
        }
        self.solver.begin_frame();
        let mut depth = 0.0_f64;
        for a in 0..self.models.len() {
            let found = &self.found[a];
            for c in &found.candidates {
                let (other, partner_awake) = match c.partner {
                    Partner::Body(b) => (b as usize, !self.rest[b as usize].asleep),
                    Partner::Tool(_) => (a, false),
                };
                let own_awake = !self.rest[a].asleep;
                if !own_awake && !partner_awake {
                    continue;
                }
                depth = depth.max(-c.gap);
                let from = self.solver.entries.len() as u32;
                let mut compliance = 0.0;
                for (body, awake, range, part) in [
                    (a, own_awake, c.from..c.split, c.compliance[0]),
                    (other, partner_awake, c.split..c.to, c.compliance[1]),
                ] {
                    if !awake {
                        continue;
                    }
                    compliance += part;
                    for &(node, weight) in &found.entries[range.start as usize..range.end as usize]
                    {
                        let slot = &mut self.slot_of[body][node as usize];
                        if *slot == NONE {
                            *slot = self.solver.slots.len() as u32;
                            let inverse = self.shapes[body].inverse_mass[node as usize];
                            self.solver.slots.push([0.0, 0.0, 0.0, inverse]);
                            self.solver.owners.push((body as u32, node));
                        }
                        self.solver.entries.push((*slot, weight));
                    }
                }
                self.solver.rows.push(Row {
                    from,
                    to: self.solver.entries.len() as u32,
                    mass: if compliance > 0.0 {
                        1.0 / compliance
                    } else {
                        0.0
                    },
                    normal: c.normal,
                    gap: c.gap,
                    friction: c.friction,
                    kinetic: c.kinetic,
                    surface_velocity: c.surface_velocity,
                    impulse: Vec3::zeros(),
                    sum: Vec3::zeros(),
                    key: key(a, c),
                });
            }
        }
        self.solver.warm_start();
        self.counts.depth = depth;
        self.counts.rows = self.solver.rows.len();
    }

    /// Velocities of the bodies to the slots.
    pub(super) fn take_velocities(&mut self) {
        for (slot, &(body, node)) in self.solver.slots.iter_mut().zip(&self.solver.owners) {
            let v = &self.models[body as usize].node_velocities()[node as usize];
            slot[..3].copy_from_slice(v.as_slice());
        }
    }

    /// And back.
    pub(super) fn give_velocities(&mut self) {
        for (slot, &(body, node)) in self.solver.slots.iter().zip(&self.solver.owners) {
            self.models[body as usize].node_velocities_mut()[node as usize] =
                Vec3::new(slot[0], slot[1], slot[2]);
        }
    }

    /// Mean force and torque on each tool.
    pub(super) fn collect_wrenches(&mut self, duration: f64) {
        self.wrenches.clear();
        self.wrenches
            .resize(self.tools.len(), ToolWrench::default());
        for row in &self.solver.rows {
            if let (body, Partner::Tool(tool), point) = taken_apart(row.key) {
                let here = &self.now[body as usize].positions[point as usize];
                let origin = &self.tools[tool as usize].end.position;
                self.wrenches[tool as usize].add_reaction(&(row.sum / duration), here, origin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_can_be_taken_apart() {
        let candidate = |partner| Candidate {
            point: 1234,
            partner,
            normal: Vec3::y(),
            gap: 0.0,
            surface_velocity: Vec3::zeros(),
            relative: Vec3::zeros(),
            friction: 0.0,
            kinetic: 0.0,
            from: 0,
            split: 0,
            to: 0,
            compliance: [0.0; 2],
        };
        for partner in [Partner::Body(149), Partner::Tool(7)] {
            let key = key(42, &candidate(partner));
            assert_eq!(taken_apart(key), (42, partner, 1234));
        }
    }
}
