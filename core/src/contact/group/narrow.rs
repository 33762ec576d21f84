//! Which contact points of a body touch another body, itself, or a tool.
//!
//! A point of one skin against the nearest place of the other (points of the skin, signed distance, outward gradient, as with tools). The distance counts along the interpolated normal, which is continuous where a point slides from triangle to triangle, so that
//! a body at rest has no reason to jump.
//!
//! Of two bodies first the points of the one are held against the surface of the other, then the other way round. In the second turn a point is
//! left out when it lies above a triangle whose three corners are held already and is no deeper than they say: its row would follow from theirs.

use crate::boundary::Friction;
use crate::contact::tool::Tool;
use crate::math::Vec3;

use super::deformed::{Deformed, Nearest};
use super::keys::{names_pair, pair_key};
use super::memory::Known;
use super::near::Scratch;
use super::shape::ContactShape;
use super::way::{Look, WAY, met};

/// Distance at which contacts are kept ready besides what may be closed within the frame, over the spacing of contact points.
pub(super) const MARGIN: f64 = 0.1;

/// How much deeper than the corners around it say a point may be, over the contact spacing, before it is held itself.
const LEEWAY: f64 = 0.02;
/// A body whose contact spacing is below this share of the other's is the finer one: all of its points are held.
const FINER: f64 = 0.8;

/// What is on the other side of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Partner {
    Body(u32),
    Tool(u32),
}

/// A contact that may carry force in this frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub body: u32,
    /// contact point of the body
    pub point: u32,
    pub partner: Partner,
    /// unit, from the partner into the body
    pub normal: Vec3,
    /// m, negative for a penetration
    pub gap: f64,
    /// of the partner's surface relative to which friction counts, m/s; zero for bodies, whose nodes say it
    pub surface_velocity: Vec3,
    /// point minus surface, m/s, when the frame begins
    pub relative: Vec3,
    pub friction: f64,
    pub kinetic: f64,
    /// entries of this candidate: own nodes, then the partner's
    pub from: u32,
    pub split: u32,
    pub to: u32,
    /// Σ w²/m of own nodes and of the partner's; all in the first where they are the same body
    pub compliance: [f64; 2],
}

/// Contacts of one body in a frame. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub candidates: Vec<Candidate>,
    /// node and signed weight
    pub entries: Vec<(u32, f64)>,
}

/// A body as detection sees it.
#[derive(Clone, Copy)]
pub(super) struct Touching<'a> {
    pub index: u32,
    pub shape: &'a ContactShape,
    pub now: &'a Deformed,
}

/// What pairs of bodies have in common.
#[derive(Clone, Copy)]
pub(super) struct PairRule<'a> {
    pub friction: f64,
    /// of the frame, s
    pub duration: f64,
    /// rows of the last frame, ascending: those that carried are not left out as readily
    pub known: &'a [Known],
}

impl<'a> PairRule<'a> {
    /// Rows that bodies `low` and `high` had in the last frame.
    fn known_of(&self, low: u32, high: u32) -> &'a [Known] {
        let from = pair_key(low, high, false, 0);
        let tail = &self.known[self.known.partition_point(|k| k.key < from)..];
        // a few dozen at most
        let count = tail.iter().take_while(|k| names_pair(k.key, from)).count();
        &tail[..count]
    }
}

fn carried(known: &[Known], key: u64) -> bool {
    let row = known.iter().find(|k| k.key == key);
    row.is_some_and(|k| k.impulse != Vec3::zeros())
}

impl Found {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.entries.clear();
    }

    /// Points of `a` that touch `b` and points of `b` that touch `a`.
    pub fn between(
        &mut self,
        a: Touching<'_>,
        b: Touching<'_>,
        rule: &PairRule<'_>,
        scratch: &mut Scratch,
    ) {
        let speed = a.now.relative_speed(b.now);
        let near = |one: &Touching<'_>| near_distance(one.shape.spacing, speed, rule.duration);
        // what is passed within the frame is looked for on the way
        let passing = (a.now.drift - b.now.drift).norm() * rule.duration;
        let fast = passing > WAY * a.shape.spacing.min(b.shape.spacing);
        let around = if fast {
            [near(&a), near(&b)]
        } else {
            [near(&a).min(b.shape.reach), near(&b).min(a.shape.reach)]
        };
        let way = if fast { speed * rule.duration } else { 0.0 };
        if a.now
            .turned
            .is_apart(&b.now.turned, around[0].max(around[1]))
        {
            return;
        }
        b.now.turned.excess(&a.now.lanes, &mut scratch.excess[0]);
        a.now.turned.excess(&b.now.lanes, &mut scratch.excess[1]);
        let known = rule.known_of(a.index, b.index);
        let first = self.candidates.len();
        scratch.held.clear();
        scratch.held.resize(a.now.positions.len(), f64::NAN);
        for (turn, (body, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let Scratch {
                excess, list, held, ..
            } = scratch;
            list.gather(&other.now.lanes, &excess[1 - turn], other.shape.reach + way);
            if list.is_empty() {
                continue;
            }
            let may_follow = turn == 1 && body.shape.spacing >= FINER * other.shape.spacing;
            for (point, _) in excess[turn]
                .iter()
                .enumerate()
                .filter(|(_, e)| **e <= around[turn])
            {
                let look = Look {
                    body,
                    other,
                    list,
                    point,
                };
                let found = look.from(&body.now.positions[point], rule.duration);
                let found = found.or_else(|| fast.then(|| look.on_the_way(rule.duration))?);
                let Some((place, relative)) = found else {
                    continue;
                };
                if may_follow {
                    let corners = place.triangle.iter().zip(place.weights);
                    let told: f64 = corners
                        .filter(|c| c.1 > 0.0)
                        .map(|(&p, w)| w * held[p as usize])
                        .sum();
                    // what carried goes when it is no deeper than the others, and comes back when it is deeper by the leeway: no coming and going
                    let key = pair_key(a.index, b.index, true, point as u32);
                    let leeway = if carried(known, key) { 0.0 } else { LEEWAY };
                    // not a number where a corner is not held
                    if place.gap >= told - leeway * other.shape.spacing {
                        continue;
                    }
                }
                self.push_pair(body, other, point, &place, relative, rule.friction);
            }
            if turn == 0 {
                for c in &self.candidates[first..] {
                    held[c.point as usize] = c.gap;
                }
            }
        }
    }

    /// Points of `body` that touch the body itself.
    pub fn within(&mut self, body: Touching<'_>, rule: &PairRule<'_>) {
        let near = near_distance(body.shape.spacing, 2.0 * body.now.speed, rule.duration);
        for (point, x) in body.now.positions.iter().enumerate() {
            let exempt = body.shape.exempt.row(point);
            let allowed = |p: u32| exempt.binary_search(&p).is_err();
            let facing = &body.now.normals[point];
            let place = body.now.nearest(body.shape, x, facing, near, allowed);
            // the triangle may reach where its nearest corner is not exempt but another one is
            let place = place.filter(|place| place.triangle.iter().all(|&p| allowed(p)));
            let place = place.and_then(|place| touching(body, body, point, place, rule.duration));
            if let Some((place, relative)) = place {
                self.push_pair(body, body, point, &place, relative, rule.friction);
            }
        }
    }

    fn push_pair(
        &mut self,
        body: Touching<'_>,
        other: Touching<'_>,
        point: usize,
        place: &Nearest,
        relative: Vec3,
        friction: f64,
    ) {
        let own = body.index == other.index;
        let from = self.entries.len();
        self.push_row(body.shape, point, 1.0, from);
        let mut split = self.entries.len();
        let first = if own { from } else { split };
        for (&p, w) in place.triangle.iter().zip(place.weights) {
            if w > 0.0 {
                self.push_row(other.shape, p as usize, -w, first);
            }
        }
        if own {
            split = self.entries.len();
        }
        let compliance = [
            self.compliance(body.shape, from..split),
            self.compliance(other.shape, split..self.entries.len()),
        ];
        self.candidates.push(Candidate {
            body: body.index,
            point: point as u32,
            partner: Partner::Body(other.index),
            normal: place.normal,
            gap: place.gap,
            surface_velocity: Vec3::zeros(),
            relative,
            friction,
            kinetic: friction,
            from: from as u32,
            split: split as u32,
            to: self.entries.len() as u32,
            compliance,
        });
    }

    /// Adds `factor` times the weights of a contact point to the entries from `first` on.
    fn push_row(&mut self, shape: &ContactShape, point: usize, factor: f64, first: usize) {
        let (nodes, weights) = shape.row(point);
        for (&n, w) in nodes.iter().zip(weights) {
            match self.entries[first..].iter_mut().find(|e| e.0 == n) {
                Some(entry) => entry.1 += factor * w,
                None => self.entries.push((n, factor * w)),
            }
        }
    }

    fn compliance(&self, shape: &ContactShape, range: std::ops::Range<usize>) -> f64 {
        let part = &self.entries[range];
        part.iter()
            .map(|(n, w)| w * w * shape.inverse_mass[*n as usize])
            .sum()
    }

    /// Points of `body` that touch `tool`, number `index`, within `duration` seconds.
    pub fn against_tool(&mut self, body: Touching<'_>, index: u32, tool: &Tool, duration: f64) {
        let travel = (tool.end.position - tool.begin.position).norm() / duration;
        let near = near_distance(body.shape.spacing, body.now.speed + travel, duration);
        let center = body.now.bounds.center();
        let radius = 0.5 * body.now.bounds.diagonal();
        if tool.signed_distance(&center).0 > near + radius {
            return;
        }
        let (friction, kinetic) = match tool.friction {
            Friction::None => (0.0, 0.0),
            Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            } => (static_coefficient, kinetic_coefficient),
        };
        for (point, x) in body.now.positions.iter().enumerate() {
            if tool.signed_distance(x).0 > near {
                continue;
            }
            let surface_velocity = tool.velocity_at(x, duration);
            let relative = body.now.velocities[point] - surface_velocity;
            let spacing = body.shape.spacing;
            let Some((distance, gradient, gone)) = met(tool, x, &relative, spacing, duration)
            else {
                continue;
            };
            let inward = -body.now.normals[point];
            // a point of the far side is not touched; a deep one leaves by the skin's own normal
            let normal = if gradient.dot(&inward) > 0.0 {
                gradient
            } else if distance < -0.5 * tool.shape.inner_radius() {
                inward
            } else {
                continue;
            };
            let from = self.entries.len();
            self.push_row(body.shape, point, 1.0, from);
            let to = self.entries.len();
            self.candidates.push(Candidate {
                body: body.index,
                point: point as u32,
                partner: Partner::Tool(index),
                normal,
                gap: distance - normal.dot(&gone),
                surface_velocity,
                relative,
                friction,
                kinetic,
                from: from as u32,
                split: to as u32,
                to: to as u32,
                compliance: [self.compliance(body.shape, from..to), 0.0],
            });
        }
    }
}

/// The place, and the velocity of the point relative to it (m/s), if the gap may be closed within `duration` seconds.
pub(super) fn touching(
    body: Touching<'_>,
    other: Touching<'_>,
    point: usize,
    place: Nearest,
    duration: f64,
) -> Option<(Nearest, Vec3)> {
    let mut relative = body.now.velocities[point];
    for (&p, w) in place.triangle.iter().zip(place.weights) {
        relative -= other.now.velocities[p as usize] * w;
    }
    let closing = -place.normal.dot(&relative);
    let limit = near_distance(body.shape.spacing, closing.max(0.0), duration);
    let touches = !(place.gap > 0.0 && place.distance > limit || place.gap < -other.shape.reach);
    touches.then_some((place, relative))
}

/// Distance that may be closed within a frame at `speed` (m/s), and a little more, m.
pub(super) fn near_distance(spacing: f64, speed: f64, duration: f64) -> f64 {
    MARGIN * spacing + speed * duration
}
