//! Which skin vertices touch which tool, from frame to frame, and the constraints that follow.

mod grab;
mod grip;
mod seen;
#[cfg(test)]
mod tests;
mod touch;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::boundary::DisplacementConstraint;
use crate::contact::tool::Tool;
use crate::math::Vec3;
use crate::mesh::{SurfaceFrame, SurfaceMesh};
use grip::ToolGrip;
use seen::Seen;
use touch::Touch;

pub use grab::Grab;

/// Whose constraint it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Index of a tool.
    Tool(usize),
    /// Index of a grab.
    Grab(usize),
}

/// Remembers contacts between frames.
///
/// A touched vertex stays a candidate until it was free of force in two consecutive frames or left the margin, so that a model
/// that answers within the frame (the quasistatic one) does not lose contact whenever the tool retreats.
///
/// A vertex that a tool with [`Adhesion`](crate::contact::Adhesion) has pushed sticks to it from the next frame on: it is held in all directions where it then was on the tool, until
/// the tool lets go.
///
/// What a cut has laid open ([`CutSurface::inside`](crate::mesh::surface_frame::CutSurface::inside)) is touched, too. It has other vertices after each cut, so that nothing is remembered of them, and nothing sticks to them.
#[derive(Debug, Clone, Default)]
pub struct ContactTracker {
    touched: BTreeMap<(usize, u32), Touch>,
    /// one a tool
    grips: Vec<ToolGrip>,
    wanted: Vec<(DisplacementConstraint, Owner)>,
    owners: Vec<Owner>,
    constraints: Vec<DisplacementConstraint>,
    claimed: Vec<bool>,
    seen: Seen,
    /// Contacts dropped since the start because a tool jumped by more than a fifth of the body.
    pub teleports: u64,
}

/// What detection needs to know of the body.
pub struct TouchedBody<'a> {
    /// Rest skin.
    pub skin: &'a SurfaceMesh,
    /// Skin as it is now.
    pub frame: &'a SurfaceFrame,
    /// Skin vertices that a support holds: they cannot give way and are never constrained.
    pub held: &'a [bool],
    /// Diagonal of the rest skin, m.
    pub diagonal: f64,
    /// Distance up to which a vertex counts as a candidate, m.
    pub margin: f64,
    /// Whether the body has inertia: a vertex that would be inside a tool at the end of the frame, if it went on as in the last one, counts as a candidate too. What falls is
    /// caught at the floor then, and not brought out of it in the next frame at a speed that it keeps.
    pub has_inertia: bool,
}

impl TouchedBody<'_> {
    fn is_held(&self, vertex: usize) -> bool {
        self.held.get(vertex).is_some_and(|held| *held)
    }

    /// The margin for a body with this `diagonal`, m: one with inertia may come nearer within a frame, and looks further.
    pub fn usual_margin(diagonal: f64, has_inertia: bool) -> f64 {
        diagonal * if has_inertia { 0.01 } else { 0.002 }
    }
}

impl ContactTracker {
    /// Constraints of the frame that begins now, of `duration` seconds; sorted by vertex. Owners in the same order. Blades push nothing.
    pub fn update(
        &mut self,
        body: &TouchedBody<'_>,
        tools: &[Tool],
        grabs: &[Grab],
        duration: f64,
    ) -> (&[DisplacementConstraint], &[Owner]) {
        self.claimed.clear();
        self.claimed.resize(body.frame.touchable_count(), false);
        self.wanted.clear();
        let skin = body.skin.vertex_count();
        self.touched.retain(|(_, v), _| (*v as usize) < skin);
        self.seen.compare(body.frame);
        for (index, grab) in grabs.iter().enumerate() {
            for (k, &vertex) in grab.vertices.iter().enumerate() {
                if self.claim(vertex, body) {
                    let rest = &body.skin.positions[vertex as usize];
                    let constraint = grab.constraint_of(k, rest, duration);
                    self.wanted.push((constraint, Owner::Grab(index)));
                }
            }
        }
        self.grips.resize(tools.len(), ToolGrip::default());
        let push = |(_, tool): &(usize, &Tool)| !tool.shape.is_blade();
        for (index, tool) in tools.iter().enumerate().filter(push) {
            self.grips[index].begin_frame(tool.adhesion);
            if (tool.end.position - tool.begin.position).norm() > 0.2 * body.diagonal {
                self.teleports += 1;
                self.touched.retain(|(owner, _), _| *owner != index);
                self.grips[index].leave();
                continue;
            }
            self.take_hold(body, index, tool);
            self.detect(body, index, tool);
            if self.touches_of(index).next().is_none() {
                self.grips[index].leave();
            }
        }
        self.seen.keep(body.frame);
        self.constrain_touched(body, tools, duration);
        // no vertex stands there twice
        self.wanted.sort_unstable_by_key(|(c, _)| c.vertex);
        self.constraints.clear();
        self.owners.clear();
        for (constraint, owner) in self.wanted.drain(..) {
            self.constraints.push(constraint);
            self.owners.push(owner);
        }
        (&self.constraints, &self.owners)
    }

    /// Makes constraints of what the tools touch: what sticks to one comes before what another only pushes.
    fn constrain_touched(&mut self, body: &TouchedBody<'_>, tools: &[Tool], duration: f64) {
        let mut touched = std::mem::take(&mut self.touched);
        for sticks in [true, false] {
            for (&(index, vertex), touch) in &mut touched {
                if touch.sticks() != sticks {
                    continue;
                }
                if sticks && self.claimed[vertex as usize] {
                    // somebody else holds it
                    touch.let_go();
                    continue;
                }
                if !self.claim(vertex, body) {
                    touch.pushed = false;
                    continue;
                }
                let tool = &tools[index];
                let (here, _) = body.frame.touchable(vertex as usize);
                let constraint = touch.constraint(vertex, &here, tool, duration);
                self.wanted.push((constraint, Owner::Tool(index)));
            }
        }
        self.touched = touched;
    }

    /// Tells which constraints carried force, N, in the order of the last [`ContactTracker::update`].
    pub fn settle(&mut self, reactions: &[Vec3]) {
        for ((constraint, owner), reaction) in
            self.constraints.iter().zip(&self.owners).zip(reactions)
        {
            if let Owner::Tool(index) = owner
                && let Some(touch) = self.touched.get_mut(&(*index, constraint.vertex))
                && let Some(grip) = self.grips.get_mut(*index)
            {
                touch.settle(reaction);
                grip.carry(reaction, touch);
            }
        }
        for (index, grip) in self.grips.iter_mut().enumerate() {
            if grip.lets_go() {
                let all = self.touched.range_mut(keys_of(index));
                all.for_each(|(_, touch)| touch.let_go());
            }
        }
    }

    /// Owners of the constraints of the last update.
    pub fn owners(&self) -> &[Owner] {
        &self.owners
    }

    /// Forgets all contacts.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Contacts of tool `index`.
    fn touches_of(&self, index: usize) -> impl Iterator<Item = &Touch> {
        self.touched.range(keys_of(index)).map(|(_, touch)| touch)
    }

    /// Has what tool `index` pushed in the last frame stick to it, where the tool does that.
    fn take_hold(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        if !self.grips[index].takes_hold() {
            return;
        }
        for (&(_, vertex), touch) in self.touched.range_mut(keys_of(index)) {
            if touch.pushed && !touch.sticks() {
                touch.stick(&body.frame.position(vertex as usize), &tool.begin);
            }
        }
    }

    fn claim(&mut self, vertex: u32, body: &TouchedBody<'_>) -> bool {
        let slot = vertex as usize;
        !body.is_held(slot) && !std::mem::replace(&mut self.claimed[slot], true)
    }

    fn detect(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        let reach = tool.shape.outer_radius() + body.margin;
        let center = tool.end.position;
        let has_let_go = self.grips[index].has_let_go();
        for vertex in 0..body.frame.touchable_count() as u32 {
            if body.is_held(vertex as usize) {
                continue;
            }
            let (here, outward) = body.frame.touchable(vertex as usize);
            let known = self.touched.get(&(index, vertex)).copied();
            if known.is_some_and(|touch| touch.sticks()) {
                continue;
            }
            let ahead = match body.has_inertia {
                true => self.seen.travel(vertex as usize, &here),
                false => Vec3::zeros(),
            };
            let reach = reach + ahead.norm();
            if known.is_none() && (here - center).norm_squared() > reach * reach {
                continue;
            }
            let (distance, gradient) = tool.signed_distance(&here);
            if let Some(touch) = known
                && (touch.idle_frames >= 2 && distance > 0.0 && !has_let_go
                    || distance > 4.0 * body.margin + ahead.norm())
            {
                self.touched.remove(&(index, vertex));
                continue;
            }
            let arrives =
                || ahead.norm() > body.margin && tool.signed_distance(&(here + ahead)).0 < 0.0;
            if known.is_none() && distance > body.margin && !arrives() {
                continue;
            }
            let inward = -outward;
            let agreement = gradient.dot(&inward);
            let is_skin = (vertex as usize) < body.skin.vertex_count();
            // a vertex of the far side is not touched; a deep one of the skin keeps its direction, or takes the skin's
            let normal = if agreement >= 0.5 {
                gradient
            } else if let Some(touch) = known {
                touch.normal
            } else if agreement > 0.0 {
                gradient
            } else if is_skin && distance < -0.5 * tool.shape.inner_radius() {
                inward
            } else {
                continue;
            };
            let mut touch = known.unwrap_or_else(|| Touch::new(normal));
            touch.normal = normal;
            self.touched.insert((index, vertex), touch);
        }
    }
}

/// The keys of all contacts of a tool.
fn keys_of(index: usize) -> RangeInclusive<(usize, u32)> {
    (index, 0)..=(index, u32::MAX)
}
