//! From the contacts that were found to rows of the solver.

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::{Candidate, Found, Partner, key_of};
use crate::group::body_group::BodyGroup;
use crate::solver::{NO_SIDE, NONE, Row, Side, half_and_element, place};

/// Contacts that slide or close by less than this share of the contact spacing a frame are moved apart without a change of speed. Faster ones are
/// parted by their impulses, which keep angular momentum.
const SLOW: f64 = 0.1;

/// Effective mass, kg; zero where nothing can move.
fn inverse_or_zero(compliance: f64) -> f64 {
    if compliance > 0.0 {
        1.0 / compliance
    } else {
        0.0
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Rows of this frame, with slots for the nodes that they hold.
    pub(crate) fn assemble(&mut self, step: f64, duration: f64) {
        self.share_impulses(step);
        for &(body, node) in self.solver.owners.iter().flatten() {
            self.slot_of[body as usize][node as usize] = NONE;
        }
        self.solver.begin_frame();
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

    /// Adds the row of a contact, where one of its sides is awake. Returns whether that is so.
    fn add_row(&mut self, found: &Found, c: &Candidate, duration: f64) -> bool {
        let a = c.body as usize;
        let (other, partner_awake) = match c.partner {
            Partner::Body(b) => (b as usize, !self.rest[b as usize].asleep),
            Partner::Tool(_) => (a, false),
        };
        let own_awake = !self.rest[a].asleep;
        if !own_awake && !partner_awake {
            return false;
        }
        let from = self.solver.entries.len() as u32;
        // along the normal and across
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
            self.hold_nodes(body, local, entries);
        }
        // every side that moves has a rigid part
        let both_rigid = sides
            .iter()
            .zip([own_awake, partner_awake])
            .all(|(side, awake)| awake == (side.body != NONE));
        let mut relative = -c.surface_velocity;
        for side in sides.iter().filter(|s| s.body != NONE) {
            let motion = &self.solver.motions[side.body as usize];
            relative += (motion.velocity + motion.angular_velocity.cross(&side.arm)) * side.sign;
        }
        let spacing = self.shapes[a].spacing.min(self.shapes[other].spacing);
        let slow = relative.norm() * duration < SLOW * spacing;
        let closing = -c.normal.dot(&c.relative);
        let of = |body: usize| self.solver.halves.of(body);
        let across = own_awake && partner_awake && of(a) != of(other);
        // as often as the faster one of two bodies that move
        let strides = [(a, own_awake), (other, partner_awake)];
        let strides = strides.iter().filter(|side| side.1);
        let stride_level = strides.map(|side| self.stride_levels[side.0]).min();
        let class = match (across, own_awake) {
            (true, _) => 2,
            (false, true) => of(a),
            (false, false) => of(other),
        };
        self.solver.rows[class].push(Row {
            left: match c.partner {
                Partner::Body(_) => (-c.gap - closing.max(0.0) * duration).max(0.0),
                Partner::Tool(_) => 0.0,
            },
            from,
            to: self.solver.entries.len() as u32,
            stride_level: stride_level.unwrap_or(0),
            mass: inverse_or_zero(compliance[0]),
            sliding_mass: inverse_or_zero(compliance[1]),
            parted: slow && both_rigid,
            sides,
            parting: 0.0,
            rigid_compliance: 0.0,
            normal: c.normal,
            gap: c.gap,
            friction: c.friction,
            kinetic: c.kinetic,
            surface_velocity: c.surface_velocity,
            impulse: Vec3::zeros(),
            sum: Vec3::zeros(),
            key: key_of(c),
        });
        true
    }

    /// The rigid part of a body on one side of a contact: its own or that of the partner. Self-contact does not move the body rigidly.
    fn side(&self, c: &Candidate, body: usize, is_own: bool) -> Side {
        let mover = &self.solver.movers[body];
        if mover.share <= 0.0 || c.partner == Partner::Body(c.body) {
            return NO_SIDE;
        }
        // each side where its own surface is
        let at = self.now[c.body as usize].positions[c.point as usize];
        Side {
            body: body as u32,
            projection: self.solver.projection_of[body],
            sign: if is_own { 1.0 } else { -1.0 },
            arm: if is_own { at } else { at - c.normal * c.gap } - mover.center,
        }
    }

    /// Adds the entries of a row on nodes of a body, which feel the share `local` of its impulses where these act; nodes get slots.
    fn hold_nodes(&mut self, body: usize, local: f64, entries: &[(u32, f64)]) {
        let half = self.solver.halves.of(body);
        for &(node, weight) in entries {
            let slot = &mut self.slot_of[body][node as usize];
            if *slot == NONE {
                *slot = place(half, self.solver.slots[half].len());
                let inverse = self.shapes[body].inverse_mass[node as usize];
                self.solver.slots[half].push([0.0, 0.0, 0.0, inverse * local]);
                self.solver.owners[half].push((body as u32, node));
            }
            self.solver.entries.push((*slot, weight));
        }
    }
}
