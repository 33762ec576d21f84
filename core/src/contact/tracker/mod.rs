//! Contacts between skin vertices and tools from frame to frame, and their constraints.

mod grab;
mod last_positions;
mod own_contact;
mod passed_vertices;
#[cfg(test)]
mod tests;
mod tool_adhesion;
mod vertex_contact;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::boundary::DisplacementConstraint;
use crate::contact::tool::Tool;
use crate::math::Vec3;
use crate::mesh::{SurfaceFrame, SurfaceMesh};
use last_positions::LastPositions;
use passed_vertices::{DeepVertex, PassedVertices};
use tool_adhesion::ToolAdhesion;
use vertex_contact::VertexContact;

pub use grab::Grab;
pub use own_contact::PushedVertex;

/// The tool or grab that a constraint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Index of a tool.
    Tool(usize),
    /// Index of a grab.
    Grab(usize),
}

/// Tracks contacts from frame to frame.
///
/// A touched vertex stays a candidate until it has no force in two consecutive frames or leaves the margin. Otherwise a model
/// that responds within the frame (the quasistatic one) would lose contact whenever the tool retreats. For a body without inertia the retreat of a tool that pushed the vertex is added to
/// the margin: the skin follows the tool, however fast it goes.
///
/// A vertex that a tool with [`Adhesion`](crate::contact::Adhesion) has pushed sticks to it from the next frame on. It is then held in all directions at its place on the tool, until
/// the tool lets go of it.
///
/// A vertex deep in a tool that came to it from inside the body is not touched until it is out: the tool goes through a thin part there.
///
/// Tools also touch what a cut has exposed ([`CutSurface::inside`](crate::mesh::surface_frame::CutSurface::inside)). These vertices are others after each cut. Nothing is remembered of them, and nothing sticks to them.
#[derive(Debug, Clone, Default)]
pub struct ContactTracker {
    /// by tool and vertex
    contacts: BTreeMap<(usize, u32), VertexContact>,
    /// one a tool
    adhesions: Vec<ToolAdhesion>,
    /// constraints of an update, not yet sorted
    unsorted: Vec<(DisplacementConstraint, Owner)>,
    owners: Vec<Owner>,
    constraints: Vec<DisplacementConstraint>,
    /// whether a vertex has its constraint in this update
    is_constrained: Vec<bool>,
    last_positions: LastPositions,
    passed: PassedVertices,
    /// Number of times that a tool lost its contacts because it jumped by more than a fifth of the body.
    pub teleports: u64,
}

/// The body as contact detection sees it.
pub struct TouchedBody<'a> {
    /// Rest skin.
    pub skin: &'a SurfaceMesh,
    /// Skin as it is now.
    pub frame: &'a SurfaceFrame,
    /// Whether a support holds each skin vertex: such a vertex cannot move and is never constrained.
    pub held: &'a [bool],
    /// Diagonal of the rest skin, m.
    pub diagonal: f64,
    /// Largest distance from a tool of a new candidate, m.
    pub margin: f64,
    /// Whether the body has inertia. Then a vertex is a candidate, too, if it would be inside a tool at the end of the frame with its motion of the last frame: a falling body is
    /// stopped at the floor. Otherwise the next frame would push it out at a speed that it keeps.
    pub has_inertia: bool,
}

impl TouchedBody<'_> {
    fn is_held(&self, vertex: usize) -> bool {
        self.held.get(vertex).is_some_and(|held| *held)
    }

    /// The margin for a body with this `diagonal`, m: larger for one with inertia, which moves by itself within a frame.
    pub fn usual_margin(diagonal: f64, has_inertia: bool) -> f64 {
        diagonal * if has_inertia { 0.01 } else { 0.002 }
    }
}

impl ContactTracker {
    /// Constraints of the frame of `duration` seconds that begins now, sorted by vertex, and their owners in the same order. Blades push nothing.
    pub fn update(
        &mut self,
        body: &TouchedBody<'_>,
        tools: &[Tool],
        grabs: &[Grab],
        duration: f64,
    ) -> (&[DisplacementConstraint], &[Owner]) {
        self.begin_update(body, tools, grabs, duration);
        self.last_positions.compare_cut(body.frame);
        self.passed.begin_update(tools.len());
        let pushes = |(_, tool): &(usize, &Tool)| !tool.shape.is_blade();
        for (index, tool) in tools.iter().enumerate().filter(pushes) {
            self.adhesions[index].begin_frame(tool.adhesion);
            if self.drop_after_jump(body, index, tool) {
                self.passed.forget(index);
                continue;
            }
            self.stick_pushed_vertices(body, index, tool);
            self.passed.release_outside(index, tool, body.frame);
            self.detect(body, index, tool);
            self.passed.store(index, tool);
            if self.contacts.range(keys_of(index)).next().is_none() {
                self.adhesions[index].end_contact();
            }
        }
        self.last_positions.store(body.frame);
        self.constrain_contacts(body, tools, duration);
        self.end_update()
    }

    /// Begins an update with the constraints of the grabs.
    fn begin_update(
        &mut self,
        body: &TouchedBody<'_>,
        tools: &[Tool],
        grabs: &[Grab],
        duration: f64,
    ) {
        self.is_constrained.clear();
        self.is_constrained
            .resize(body.frame.touchable_count(), false);
        self.unsorted.clear();
        let skin = body.skin.vertex_count();
        self.contacts.retain(|(_, v), _| (*v as usize) < skin);
        self.adhesions.resize(tools.len(), ToolAdhesion::default());
        for (index, grab) in grabs.iter().enumerate() {
            for (k, &vertex) in grab.vertices.iter().enumerate() {
                if self.claim(vertex, body) {
                    let rest = &body.skin.positions[vertex as usize];
                    let constraint = grab.constraint_of(k, rest, duration);
                    self.unsorted.push((constraint, Owner::Grab(index)));
                }
            }
        }
    }

    /// Makes a tool that jumps lose its contacts. Returns whether it does.
    fn drop_after_jump(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) -> bool {
        let jumps = (tool.end.position - tool.begin.position).norm() > 0.2 * body.diagonal;
        if jumps {
            self.teleports += 1;
            self.contacts.retain(|(owner, _), _| *owner != index);
            self.adhesions[index].end_contact();
        }
        jumps
    }

    /// Sorts the constraints by vertex.
    fn end_update(&mut self) -> (&[DisplacementConstraint], &[Owner]) {
        // no vertex occurs twice, so that the order is unique
        self.unsorted.sort_unstable_by_key(|(c, _)| c.vertex);
        self.constraints.clear();
        self.owners.clear();
        for (constraint, owner) in self.unsorted.drain(..) {
            self.constraints.push(constraint);
            self.owners.push(owner);
        }
        (&self.constraints, &self.owners)
    }

    /// Makes constraints of the contacts with tools. A tool that a vertex sticks to takes precedence over one that only pushes it.
    fn constrain_contacts(&mut self, body: &TouchedBody<'_>, tools: &[Tool], duration: f64) {
        let mut contacts = std::mem::take(&mut self.contacts);
        for sticks in [true, false] {
            for (&(index, vertex), contact) in &mut contacts {
                if contact.sticks() != sticks {
                    continue;
                }
                if sticks && self.is_constrained[vertex as usize] {
                    // another tool or a grab holds it
                    contact.release();
                    continue;
                }
                if !self.claim(vertex, body) {
                    contact.leave_out();
                    continue;
                }
                let tool = &tools[index];
                let (position, _) = body.frame.touchable(vertex as usize);
                let constraint = contact.constraint(vertex, &position, tool, duration);
                self.unsorted.push((constraint, Owner::Tool(index)));
            }
        }
        self.contacts = contacts;
    }

    /// Records the force of each constraint on the body (N), in the order of the last [`ContactTracker::update`].
    pub fn record_reactions(&mut self, reactions: &[Vec3]) {
        for ((constraint, owner), reaction) in
            self.constraints.iter().zip(&self.owners).zip(reactions)
        {
            if let Owner::Tool(index) = owner
                && let Some(contact) = self.contacts.get_mut(&(*index, constraint.vertex))
                && let Some(adhesion) = self.adhesions.get_mut(*index)
            {
                contact.record_reaction(reaction);
                adhesion.add_reaction(reaction, contact);
                if adhesion.breaks_bond(reaction, contact) {
                    contact.tear_off();
                }
            }
        }
        for (index, adhesion) in self.adhesions.iter_mut().enumerate() {
            if adhesion.update_release() {
                let all = self.contacts.range_mut(keys_of(index));
                all.for_each(|(_, contact)| contact.release());
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

    /// Makes the vertices that tool `index` pushed in the last frame stick to it, if it is sticky.
    fn stick_pushed_vertices(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        if !self.adhesions[index].is_sticky() {
            return;
        }
        for (&(_, vertex), contact) in self.contacts.range_mut(keys_of(index)) {
            if contact.is_pushed && !contact.sticks() && !contact.is_torn_off {
                contact.stick(&body.frame.position(vertex as usize), &tool.begin);
            }
        }
    }

    /// Marks a vertex as constrained; `false` where it is constrained already or a support holds it.
    fn claim(&mut self, vertex: u32, body: &TouchedBody<'_>) -> bool {
        let vertex = vertex as usize;
        !body.is_held(vertex) && !std::mem::replace(&mut self.is_constrained[vertex], true)
    }

    /// Finds new contacts of tool `index`, updates the normals of the others, and removes those that have ended.
    fn detect(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        let search_radius = tool.shape.outer_radius() + body.margin;
        let center = tool.end.position;
        let is_released = self.adhesions[index].is_released();
        // what the tool has let go of is remembered until the tool was away
        let may_forget = |contact: &VertexContact| !is_released && !contact.is_torn_off;
        for vertex in 0..body.frame.touchable_count() as u32 {
            if body.is_held(vertex as usize) {
                continue;
            }
            let (position, outward) = body.frame.touchable(vertex as usize);
            let present = self.contacts.get(&(index, vertex)).copied();
            if present.is_some_and(|contact| contact.sticks()) {
                continue;
            }
            // motion within the frame that begins, extrapolated from the last one
            let motion = match body.has_inertia {
                true => self.last_positions.displacement(vertex as usize, &position),
                false => Vec3::zeros(),
            };
            let radius = search_radius + motion.norm();
            if present.is_none() && (position - center).norm_squared() > radius * radius {
                continue;
            }
            let (distance, gradient) = tool.signed_distance(&position);
            // without inertia the skin follows a tool that retreats within the frame
            let follows = !body.has_inertia && present.is_some_and(|contact| contact.is_pushed);
            let retreat = match follows {
                true => (-tool.displacement_at(&position).dot(&gradient)).max(0.0),
                false => 0.0,
            };
            if let Some(contact) = present
                && (contact.idle_frames >= 2 && distance > 0.0 && may_forget(&contact)
                    || distance > 4.0 * body.margin + motion.norm() + retreat)
            {
                self.contacts.remove(&(index, vertex));
                continue;
            }
            let enters = || {
                motion.norm() > body.margin && tool.signed_distance(&(position + motion)).0 < 0.0
            };
            if present.is_none() && distance > body.margin && !enters() {
                continue;
            }
            if self.passed.contains(index, vertex) {
                continue;
            }
            let inward = -outward;
            let agreement = gradient.dot(&inward);
            let is_skin = (vertex as usize) < body.skin.vertex_count();
            let is_deep = is_skin && tool.is_deep(distance);
            // a vertex on the far side is not touched; a deep vertex of the skin keeps its normal, or takes that of the skin
            let normal = if agreement >= 0.5 {
                gradient
            } else if let Some(contact) = present {
                contact.normal
            } else if agreement > 0.0 {
                gradient
            } else if is_deep {
                inward
            } else {
                continue;
            };
            if present.is_none() && is_deep {
                let deep = DeepVertex {
                    position,
                    displacement: self.last_positions.displacement(vertex as usize, &position),
                    inward,
                };
                if self.passed.remember_if_passed((index, tool), vertex, &deep) {
                    continue;
                }
            }
            let mut contact = present.unwrap_or_else(|| VertexContact::new(normal));
            contact.normal = normal;
            self.contacts.insert((index, vertex), contact);
        }
    }
}

/// The keys of all contacts of a tool.
fn keys_of(index: usize) -> RangeInclusive<(usize, u32)> {
    (index, 0)..=(index, u32::MAX)
}
