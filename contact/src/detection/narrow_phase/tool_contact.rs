//! Contact points of a body that touch a tool.

use pliant_core::contact::Tool;

use crate::detection::cached_contact::{CachedContact, contacts_of_pair};
use crate::detection::candidate::{Candidate, Partner};
use crate::detection::continuous::tool_along_motion;
use crate::detection::detection_body::{DetectionBody, near_distance};
use crate::detection::found::FoundContacts;
use crate::detection::key::tool_key;
use crate::detection::narrow_phase::held_points::HeldPoints;

impl FoundContacts {
    /// Points of `body` that touch `tool`, number `index`, within `duration` seconds. `last_contacts` are those of the last frame, ascending by key. Points that are `held` are left out.
    ///
    /// Where the tool touched the body then, a deep point that was not in contact came to the tool from inside the body, and is left out: the tool goes through a thin part there. If both of its sides were pushed, it would hang on
    /// the tool.
    pub fn against_tool(
        &mut self,
        body: DetectionBody<'_>,
        (index, tool): (u32, &Tool),
        (held, last_contacts): (&HeldPoints<'_>, &[CachedContact]),
        duration: f64,
    ) {
        let last = contacts_of_pair(last_contacts, tool_key(body.index, index, 0));
        let was_in_contact = |point: usize| {
            let key = tool_key(body.index, index, point as u32);
            last.binary_search_by_key(&key, |c| c.key).is_ok()
        };
        let travel = (tool.end.position - tool.begin.position).norm() / duration;
        let near = near_distance(
            body.shape.spacing,
            body.deformed.max_speed + travel,
            duration,
        );
        let center = body.deformed.bounds.center();
        let radius = 0.5 * body.deformed.bounds.diagonal();
        if tool.signed_distance(&center).0 > near + radius {
            return;
        }
        let (friction, kinetic_friction) = tool.friction.coefficients().unwrap_or_default();
        for (point, x) in body.deformed.positions.iter().enumerate() {
            if tool.signed_distance(x).0 > near || held.contain(body.shape.vertices[point]) {
                continue;
            }
            let surface_velocity = tool.velocity_at(x, duration);
            let relative = body.deformed.velocities[point] - surface_velocity;
            let spacing = body.shape.spacing;
            let Some((distance, gradient, moved)) = tool_along_motion(
                tool,
                x,
                (&relative, body.deformed.max_relative_speed),
                spacing,
                duration,
            ) else {
                continue;
            };
            let is_deep = tool.is_deep(distance);
            if is_deep && !last.is_empty() && !was_in_contact(point) {
                continue;
            }
            let inward = -body.deformed.normals[point];
            // points on the far side of the body are not in contact. A deep point leaves along the normal of the skin, or along that of a half-space, which has no far side
            let is_beyond = distance < 0.0 && tool.shape.inner_radius() == f64::INFINITY;
            let normal = if is_beyond || gradient.dot(&inward) > 0.0 {
                gradient
            } else if is_deep {
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
                gap: distance - normal.dot(&moved),
                surface_velocity,
                relative,
                friction,
                kinetic_friction,
                from: from as u32,
                split: to as u32,
                to: to as u32,
                compliance: [self.compliance(body.shape, from..to), 0.0],
            });
        }
    }
}
