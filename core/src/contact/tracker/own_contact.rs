//! What sticks to tools of bodies that find their contacts themselves.

use crate::boundary::DisplacementConstraint;
use crate::contact::tool::Tool;
use crate::math::Vec3;

use super::vertex_contact::VertexContact;
use super::{ContactTracker, Grab, Owner, TouchedBody, keys_of};

/// A vertex of the skin that a tool pushed in the last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PushedVertex {
    /// Index of the tool.
    pub tool: usize,
    /// Vertex of the skin.
    pub vertex: u32,
    /// Force of the tool on the body, mean over the frame, N.
    pub force: Vec3,
}

impl ContactTracker {
    /// As [`ContactTracker::update`], for bodies that find their contacts themselves and told which vertices tools `pushed` in the last frame: of the tools, only what sticks to them has
    /// constraints.
    pub fn update_stuck(
        &mut self,
        body: &TouchedBody<'_>,
        (tools, pushed): (&[Tool], &[PushedVertex]),
        grabs: &[Grab],
        duration: f64,
    ) -> (&[DisplacementConstraint], &[Owner]) {
        self.begin_update(body, tools, grabs, duration);
        for (index, tool) in tools.iter().enumerate() {
            if tool.adhesion.is_none() {
                continue;
            }
            self.adhesions[index].begin_frame(tool.adhesion);
            if self.drop_after_jump(body, index, tool) {
                continue;
            }
            self.forget_distant(body, index, tool);
            for pushed in pushed.iter().filter(|pushed| pushed.tool == index) {
                self.stick_pushed(body, tool, pushed);
            }
            if self.contacts.range(keys_of(index)).next().is_none() {
                self.adhesions[index].end_contact();
            }
        }
        self.constrain_stuck(body, tools, duration);
        self.end_update()
    }

    /// Removes the contacts of tool `index` that have ended. The tool remembers what it has let go of until it was away.
    fn forget_distant(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        let limit = 4.0 * body.margin;
        self.contacts.retain(|&(owner, vertex), contact| {
            let position = body.frame.position(vertex as usize);
            owner != index || contact.sticks() || tool.signed_distance(&position).0 <= limit
        });
    }

    /// Makes a pushed vertex stick to its tool, unless the tool has let go of it.
    fn stick_pushed(&mut self, body: &TouchedBody<'_>, tool: &Tool, pushed: &PushedVertex) {
        // the tool has no friction, so that its force is along the normal
        let Some(normal) = pushed.force.try_normalize(f64::MIN_POSITIVE) else {
            return;
        };
        if body.is_held(pushed.vertex as usize) {
            return;
        }
        let sticks = self.adhesions[pushed.tool].is_sticky();
        let key = (pushed.tool, pushed.vertex);
        let new = || VertexContact::new(normal);
        let contact = self.contacts.entry(key).or_insert_with(new);
        if contact.sticks() {
            return;
        }
        contact.normal = normal;
        if sticks && !contact.is_torn_off {
            let position = body.frame.position(pushed.vertex as usize);
            contact.stick(&position, &tool.begin);
        }
    }

    /// Makes constraints of what sticks to tools. What a grab or another tool holds sticks no longer.
    fn constrain_stuck(&mut self, body: &TouchedBody<'_>, tools: &[Tool], duration: f64) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let stuck = contacts.iter_mut().filter(|(_, contact)| contact.sticks());
        for (&(index, vertex), contact) in stuck {
            if !self.claim(vertex, body) {
                contact.release();
                continue;
            }
            let position = body.frame.position(vertex as usize);
            let constraint = contact.constraint(vertex, &position, &tools[index], duration);
            self.unsorted.push((constraint, Owner::Tool(index)));
        }
        self.contacts = contacts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::{ConstrainedDirections, Friction};
    use crate::contact::Adhesion;
    use crate::mesh::SurfaceFrame;
    use crate::mesh::procedural::{CellStyle, box_surface};

    /// A plate over the body that goes from one height to another one in a frame, m.
    fn plate([from, to]: [f64; 2]) -> Tool {
        let mut plate = Tool::floor(-Vec3::y(), Friction::None);
        plate.adhesion = Some(Adhesion::Sticky { pull_limit: 1.0 });
        (plate.begin.position.y, plate.end.position.y) = (from, to);
        plate
    }

    #[test]
    fn what_a_tool_pushed_sticks_to_it_until_it_pulls_too_hard_and_again_after_it_was_away() {
        let skin = box_surface(Vec3::repeat(1.0), [4; 3], CellStyle::Kuhn);
        let frame = SurfaceFrame::at_rest(&skin);
        let body = TouchedBody {
            skin: &skin,
            frame: &frame,
            held: &[],
            diagonal: 3.0_f64.sqrt(),
            margin: 0.01,
            has_inertia: true,
        };
        let on_top = |v: &u32| skin.positions[*v as usize].y > 0.49;
        let top: Vec<u32> = (0..skin.vertex_count() as u32).filter(on_top).collect();
        let mut tracker = ContactTracker::default();
        // constraints of a frame that ends with an upward force on each vertex, N
        let mut step = |heights: [f64; 2], pushed: &[u32], force: f64| {
            let push = |&vertex: &u32| PushedVertex {
                tool: 0,
                vertex,
                force: -Vec3::y(),
            };
            let pushed: Vec<PushedVertex> = pushed.iter().map(push).collect();
            let tools = [plate(heights)];
            let (constraints, owners) =
                tracker.update_stuck(&body, (&tools[..], &pushed[..]), &[], 0.1);
            assert!(owners.iter().all(|owner| *owner == Owner::Tool(0)));
            let constraints = constraints.to_vec();
            tracker.record_reactions(&vec![Vec3::y() * force; constraints.len()]);
            constraints
        };
        assert!(step([0.5, 0.5], &[], 0.0).is_empty());
        let stuck = step([0.5, 0.51], &top[..2], 0.3);
        assert_eq!(stuck.len(), 2);
        for c in &stuck {
            let lifted = frame.position(c.vertex as usize) + Vec3::y() * 0.01;
            assert!((c.target - lifted).norm() < 1e-12);
            assert!((c.velocity - Vec3::y() * 0.1).norm() < 1e-12);
            assert_eq!(c.directions, ConstrainedDirections::All);
        }
        // 0.6 N are below the limit, and 1.2 N above
        assert_eq!(step([0.51, 0.51], &[], 0.6).len(), 2);
        assert!(step([0.51, 0.51], &top[..2], 0.0).is_empty());
        assert!(step([0.51, 0.51], &top[2..4], 0.0).is_empty());
        assert!(step([0.51, 0.6], &[], 0.0).is_empty());
        assert!(step([0.6, 0.5], &[], 0.0).is_empty());
        assert_eq!(step([0.5, 0.5], &top[..1], 0.0).len(), 1);
    }
}
