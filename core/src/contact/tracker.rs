//! Which skin vertices touch which tool, from frame to frame, and the constraints that follow.

use std::collections::BTreeMap;

use crate::boundary::DisplacementConstraint;
use crate::contact::tool::Tool;
use crate::math::Vec3;
use crate::mesh::{SurfaceFrame, SurfaceMesh};

/// Skin vertices that are moved along a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Grab {
    /// Name as the scene writes it.
    pub name: String,
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest when the frame begins, m.
    pub begin: Vec3,
    /// Displacement from rest when the frame ends, m.
    pub end: Vec3,
    /// Own displacement of each vertex besides the common one, m, in the order of `vertices`; empty for none. A hand that takes hold of
    /// a deformed body keeps its shape.
    pub offsets: Vec<Vec3>,
    /// Displacement of each vertex when the frame begins and when it ends, m, in the order of `vertices`, in place of `begin` and `end`; empty
    /// where all vertices move alike. Offsets are added to it, too.
    pub own_displacements: Vec<[Vec3; 2]>,
}

impl Grab {
    /// Displacement of vertex `k` of `vertices` when the frame begins and when it ends, without its offset, m.
    pub fn displacement_of(&self, k: usize) -> [Vec3; 2] {
        let own = self.own_displacements.get(k).copied();
        own.unwrap_or([self.begin, self.end])
    }
}

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
#[derive(Debug, Clone, Default)]
pub struct ContactTracker {
    touched: BTreeMap<(usize, u32), Touch>,
    owners: Vec<Owner>,
    constraints: Vec<DisplacementConstraint>,
    claimed: Vec<bool>,
    /// positions of the last update, m; none before the first
    seen: Vec<[f32; 3]>,
    /// Vertices wanted by two owners since the start.
    pub contested: u64,
    /// Contacts dropped since the start because a tool jumped by more than a fifth of the body.
    pub teleports: u64,
}

#[derive(Debug, Clone, Copy)]
struct Touch {
    normal: Vec3,
    idle_frames: u8,
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
        self.claimed.resize(body.skin.vertex_count(), false);
        let mut wanted: Vec<(DisplacementConstraint, Owner)> = Vec::new();
        for (index, grab) in grabs.iter().enumerate() {
            for (k, &vertex) in grab.vertices.iter().enumerate() {
                if self.claim(vertex, body) {
                    let own = grab.offsets.get(k).copied().unwrap_or_else(Vec3::zeros);
                    let held_at = body.skin.positions[vertex as usize] + own;
                    let [begin, end] = grab.displacement_of(k);
                    let constraint = DisplacementConstraint::held(vertex, held_at + end)
                        .moving((end - begin) / duration);
                    wanted.push((constraint, Owner::Grab(index)));
                }
            }
        }
        let push = |(_, tool): &(usize, &Tool)| !tool.shape.is_blade();
        for (index, tool) in tools.iter().enumerate().filter(push) {
            if (tool.end.position - tool.begin.position).norm() > 0.2 * body.diagonal {
                self.teleports += 1;
                self.touched.retain(|(owner, _), _| *owner != index);
                continue;
            }
            self.detect(body, index, tool);
        }
        self.seen.clone_from(&body.frame.positions);
        let touched = std::mem::take(&mut self.touched);
        for (&(index, vertex), touch) in &touched {
            if !self.claim(vertex, body) {
                continue;
            }
            let tool = &tools[index];
            let here = body.frame.position(vertex as usize);
            let depth = -tool.signed_distance(&here).0;
            let target = here + touch.normal * depth;
            let constraint = DisplacementConstraint {
                friction: tool.friction,
                ..DisplacementConstraint::contact(vertex, target, touch.normal)
                    .moving(tool.velocity_at(&target, duration))
            };
            wanted.push((constraint, Owner::Tool(index)));
        }
        self.touched = touched;
        wanted.sort_by_key(|(c, _)| c.vertex);
        self.constraints.clear();
        self.owners.clear();
        for (constraint, owner) in wanted {
            self.constraints.push(constraint);
            self.owners.push(owner);
        }
        (&self.constraints, &self.owners)
    }

    /// Tells which constraints carried force, N, in the order of the last [`ContactTracker::update`].
    pub fn settle(&mut self, reactions: &[Vec3]) {
        for ((constraint, owner), reaction) in
            self.constraints.iter().zip(&self.owners).zip(reactions)
        {
            if let Owner::Tool(index) = owner
                && let Some(touch) = self.touched.get_mut(&(*index, constraint.vertex))
            {
                touch.idle_frames = if reaction.norm_squared() > 0.0 {
                    0
                } else {
                    touch.idle_frames.saturating_add(1)
                };
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

    fn claim(&mut self, vertex: u32, body: &TouchedBody<'_>) -> bool {
        let slot = vertex as usize;
        if body.held[slot] {
            return false;
        }
        if self.claimed[slot] {
            self.contested += 1;
            return false;
        }
        self.claimed[slot] = true;
        true
    }

    /// How far a vertex at `here` (m) has come since the last update, m.
    fn travel(&self, vertex: u32, here: Vec3) -> Vec3 {
        match self.seen.get(vertex as usize) {
            Some(seen) => here - Vec3::from(seen.map(f64::from)),
            None => Vec3::zeros(),
        }
    }

    fn detect(&mut self, body: &TouchedBody<'_>, index: usize, tool: &Tool) {
        let reach = tool.shape.outer_radius() + body.margin;
        let center = tool.end.position;
        for vertex in 0..body.skin.vertex_count() as u32 {
            if body.held[vertex as usize] {
                continue;
            }
            let here = body.frame.position(vertex as usize);
            let known = self.touched.get(&(index, vertex)).copied();
            let ahead = match body.has_inertia {
                true => self.travel(vertex, here),
                false => Vec3::zeros(),
            };
            let reach = reach + ahead.norm();
            if known.is_none() && (here - center).norm_squared() > reach * reach {
                continue;
            }
            let (distance, gradient) = tool.signed_distance(&here);
            if let Some(touch) = known
                && (touch.idle_frames >= 2 && distance > 0.0
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
            let inward = -body.frame.normal(vertex as usize);
            let agreement = gradient.dot(&inward);
            // a vertex of the far side is not touched; a deep one keeps its direction, or takes the skin's
            let normal = if agreement >= 0.5 {
                gradient
            } else if let Some(touch) = known {
                touch.normal
            } else if agreement > 0.0 {
                gradient
            } else if distance < -0.5 * tool.shape.inner_radius() {
                inward
            } else {
                continue;
            };
            let idle_frames = known.map_or(0, |t| t.idle_frames);
            self.touched.insert(
                (index, vertex),
                Touch {
                    normal,
                    idle_frames,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::Friction;
    use crate::contact::tool::{Pose, ToolShape};
    use crate::mesh::procedural::{CellStyle, box_surface};

    fn ball(height: f64, before: f64) -> Tool {
        Tool {
            name: "ball".into(),
            shape: ToolShape::Sphere { radius: 0.3 },
            friction: Friction::None,
            begin: Pose::at(Vec3::new(0.0, before, 0.0)),
            end: Pose::at(Vec3::new(0.0, height, 0.0)),
        }
    }

    fn touched<'a>(
        skin: &'a SurfaceMesh,
        frame: &'a SurfaceFrame,
        held: &'a [bool],
    ) -> TouchedBody<'a> {
        TouchedBody {
            skin,
            frame,
            held,
            diagonal: 3.0_f64.sqrt(),
            margin: 0.01,
            has_inertia: true,
        }
    }

    #[test]
    fn a_ball_touches_the_top_only_and_lets_go_after_two_idle_frames() {
        let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
        let frame = SurfaceFrame::at_rest(&skin);
        let held = vec![false; skin.vertex_count()];
        let body = touched(&skin, &frame, &held);
        let mut tracker = ContactTracker::default();
        let (constraints, owners) = tracker.update(&body, &[ball(0.75, 0.8)], &[], 0.1);
        assert!(!constraints.is_empty());
        assert!(owners.iter().all(|o| *o == Owner::Tool(0)));
        for c in constraints {
            assert!((skin.positions[c.vertex as usize].y - 0.5).abs() < 1e-12);
            assert!((c.velocity - Vec3::new(0.0, -0.5, 0.0)).norm() < 1e-12);
            // the target lies on the ball
            let (distance, _) = ball(0.75, 0.8).signed_distance(&c.target);
            assert!(distance.abs() < 1e-6);
        }
        let zero = vec![Vec3::zeros(); constraints.len()];
        // the tool has left: candidates stay for two frames without force, then go
        for _ in 0..2 {
            let count = tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1).0.len();
            assert!(count > 0);
            tracker.settle(&zero[..count.min(zero.len())]);
        }
        assert_eq!(
            tracker.update(&body, &[ball(0.82, 0.82)], &[], 0.1).0.len(),
            0
        );
    }

    #[test]
    fn grabs_win_over_tools_and_jumps_drop_contacts() {
        let skin = box_surface(Vec3::repeat(1.0), [4, 4, 4], CellStyle::Kuhn);
        let frame = SurfaceFrame::at_rest(&skin);
        let held = vec![false; skin.vertex_count()];
        let body = touched(&skin, &frame, &held);
        let top: Vec<u32> = (0..skin.vertex_count() as u32)
            .filter(|&v| skin.positions[v as usize].y > 0.49)
            .collect();
        let grab = Grab {
            name: "g".into(),
            vertices: top.clone(),
            begin: Vec3::zeros(),
            end: Vec3::y() * 0.1,
            offsets: Vec::new(),
            own_displacements: Vec::new(),
        };
        let mut tracker = ContactTracker::default();
        let (constraints, owners) = tracker.update(&body, &[ball(0.75, 0.8)], &[grab], 0.1);
        assert_eq!(constraints.len(), top.len());
        assert!(owners.iter().all(|o| *o == Owner::Grab(0)));
        assert!(tracker.contested > 0);
        let mut tracker = ContactTracker::default();
        assert!(
            tracker
                .update(&body, &[ball(0.75, 3.0)], &[], 0.1)
                .0
                .is_empty()
        );
        assert_eq!(tracker.teleports, 1);
    }

    #[test]
    fn vertices_of_a_grab_may_have_places_and_velocities_of_their_own() {
        let skin = box_surface(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
        let frame = SurfaceFrame::at_rest(&skin);
        let held = vec![false; skin.vertex_count()];
        let body = TouchedBody {
            has_inertia: false,
            ..touched(&skin, &frame, &held)
        };
        let own = [[0.0, 0.1], [0.5, 0.2]].map(|[begin, end]| [Vec3::x() * begin, Vec3::y() * end]);
        let offset = Vec3::z() * 0.25;
        let grab = Grab {
            name: "g".into(),
            vertices: vec![2, 5],
            begin: Vec3::zeros(),
            end: Vec3::z(),
            offsets: vec![offset; 2],
            own_displacements: own.to_vec(),
        };
        let mut tracker = ContactTracker::default();
        let (constraints, _) = tracker.update(&body, &[], &[grab], 0.1);
        assert_eq!(constraints.len(), 2);
        for (constraint, [begin, end]) in constraints.iter().zip(own) {
            let rest = skin.positions[constraint.vertex as usize];
            assert_eq!(constraint.target, rest + offset + end);
            assert_eq!(constraint.velocity, (end - begin) / 0.1);
        }
    }
}
