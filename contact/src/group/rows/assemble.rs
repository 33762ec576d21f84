//! From the contacts that were found to rows of the solver.

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::{Candidate, FoundContacts, Partner, key_of};
use crate::group::body_group::BodyGroup;
use crate::solver::{NO_SIDE, NONE, Row, Side, half_and_element, packed_index};

/// Penetrations of contacts that slide or close by less than this share of the contact spacing a frame are corrected by displacements. Those of faster ones are
/// corrected by their impulses, which keep angular momentum.
const SLOW: f64 = 0.1;

/// Effective mass of a compliance (1/kg), kg; zero where nothing can move.
fn inverse_or_zero(compliance: f64) -> f64 {
    if compliance > 0.0 {
        1.0 / compliance
    } else {
        0.0
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Rows of this frame, with slots for the nodes that they act on.
    pub(crate) fn assemble(&mut self, step: f64, duration: f64) {
        self.choose_rigid_shares(step);
        for &(body, node) in self.solver.owners.iter().flatten() {
            self.slot_of[body as usize][node as usize] = NONE;
        }
        self.solver.clear_rows();
        let mut depth = 0.0_f64;
        let all = std::mem::take(&mut self.found);
        for found in &all {
            for c in &found.candidates {
                if self.add_row(found, c, duration) {
                    depth = depth.max(-c.gap);
                }
            }
        }
        self.found = all;
        self.solver.warm_start(duration);
        self.counts.depth = depth;
        self.counts.rows = self.solver.row_count();
    }

    /// Adds the row of a contact. Returns whether one of its sides is awake; there is no row otherwise.
    fn add_row(&mut self, found: &FoundContacts, c: &Candidate, duration: f64) -> bool {
        let a = c.body as usize;
        let (other, partner_awake) = match c.partner {
            Partner::Body(b) => (b as usize, !self.sleep[b as usize].asleep),
            Partner::Tool(_) => (a, false),
        };
        let own_awake = !self.sleep[a].asleep;
        if !own_awake && !partner_awake {
            return false;
        }
        let from = self.solver.entries.len() as u32;
        // along the normal and across it
        let mut compliance = [0.0; 2];
        let mut sides = [NO_SIDE; 2];
        for (side, (body, awake, range, part)) in sides.iter_mut().zip([
            (a, own_awake, c.from..c.split, c.compliance[0]),
            (other, partner_awake, c.split..c.to, c.compliance[1]),
        ]) {
            if !awake || range.is_empty() {
                continue;
            }
            let (half, element) = half_and_element(self.solver.projection_of[body]);
            let projection = &self.solver.projections[half][element];
            let local = 1.0 - projection.share;
            compliance.iter_mut().for_each(|c| *c += part * local);
            *side = self.side(c, body, range.start == c.from);
            if side.body != NONE {
                let rigid = projection.compliance(&side.arm, &c.normal);
                compliance.iter_mut().zip(rigid).for_each(|(c, r)| *c += r);
            }
            let entries = &found.entries[range.start as usize..range.end as usize];
            self.add_entries(body, local, entries);
        }
        // every side that is awake has a rigid part
        let is_rigid = sides
            .iter()
            .zip([own_awake, partner_awake])
            .all(|(side, awake)| awake == (side.body != NONE));
        let mut relative = -c.surface_velocity;
        for side in sides.iter().filter(|s| s.body != NONE) {
            let motion = &self.solver.rigid_motions[side.body as usize];
            relative += (motion.velocity + motion.angular_velocity.cross(&side.arm)) * side.sign;
        }
        let spacing = self.shapes[a].spacing.min(self.shapes[other].spacing);
        let slow = relative.norm() * duration < SLOW * spacing;
        let half_of = |body: usize| self.solver.halves.half_of(body);
        let is_between_halves = own_awake && partner_awake && half_of(a) != half_of(other);
        // as often as the faster one of two bodies that are awake
        let strides = [(a, own_awake), (other, partner_awake)];
        let strides = strides.iter().filter(|side| side.1);
        let stride_level = strides.map(|side| self.stride_levels[side.0]).min();
        let list = match (is_between_halves, own_awake) {
            (true, _) => 2,
            (false, true) => half_of(a),
            (false, false) => half_of(other),
        };
        self.solver.rows[list].push(Row {
            tolerated_penetration: match c.partner {
                Partner::Body(_) => (-c.gap - c.closing_speed().max(0.0) * duration).max(0.0),
                Partner::Tool(_) => 0.0,
            },
            from,
            to: self.solver.entries.len() as u32,
            stride_level: stride_level.unwrap_or(0),
            effective_mass: inverse_or_zero(compliance[0]),
            tangential_mass: inverse_or_zero(compliance[1]),
            is_position_corrected: slow && is_rigid,
            sides,
            correction: 0.0,
            rigid_compliance: 0.0,
            normal: c.normal,
            gap: c.gap,
            friction: c.friction,
            kinetic_friction: c.kinetic_friction,
            surface_velocity: c.surface_velocity,
            impulse: Vec3::zeros(),
            impulse_sum: Vec3::zeros(),
            key: key_of(c),
        });
        true
    }

    /// The rigid part of a body on one side of a contact: its own or that of the partner. Self-contact does not move the body rigidly.
    fn side(&self, c: &Candidate, body: usize, is_own: bool) -> Side {
        let rigid_body = &self.solver.rigid_bodies[body];
        if rigid_body.share <= 0.0 || c.partner == Partner::Body(c.body) {
            return NO_SIDE;
        }
        // each side where its own surface is
        let at = self.deformed[c.body as usize].positions[c.point as usize];
        Side {
            body: body as u32,
            projection: self.solver.projection_of[body],
            sign: if is_own { 1.0 } else { -1.0 },
            arm: if is_own { at } else { at - c.normal * c.gap } - rigid_body.center,
        }
    }

    /// Adds the entries of a row on nodes of a body, and slots for these nodes. The share `local` of the impulses acts on the nodes themselves.
    fn add_entries(&mut self, body: usize, local: f64, entries: &[(u32, f64)]) {
        let half = self.solver.halves.half_of(body);
        for &(node, weight) in entries {
            let slot = &mut self.slot_of[body][node as usize];
            if *slot == NONE {
                *slot = packed_index(half, self.solver.slots[half].len());
                let inverse = self.shapes[body].inverse_mass[node as usize];
                self.solver.slots[half].push([0.0, 0.0, 0.0, inverse * local]);
                self.solver.owners[half].push((body as u32, node));
            }
            self.solver.entries.push((*slot, weight));
        }
    }
}
