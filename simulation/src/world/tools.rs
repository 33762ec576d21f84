//! Where tools and grabs are.

use pliant_core::boundary::ConstrainedDirections;
use pliant_core::contact::{Grab, Pose, Tool, ToolWrench};
use pliant_core::math::Vec3;

use super::interaction::{Interaction, PointerGrab};
use super::state::World;
use crate::setup::Setup;

impl World {
    /// Tools and grabs where their paths are now.
    pub(super) fn rebuild_tools(&mut self) {
        let time = self.time();
        self.tools.clear();
        let tools = self.setup.tools.iter().map(|tool| tool.at(time));
        self.tools.extend(tools);
        self.grabs.clear();
        self.grabs.extend(self.setup.grabs.iter().map(|g| {
            let displacement = g.path.pose(time).position;
            // a hand takes hold when it is time
            let vertices = match g.frames {
                None => g.vertices.clone(),
                Some(_) => Vec::new(),
            };
            Grab {
                name: g.name.clone(),
                vertices,
                begin: displacement,
                end: displacement,
                offsets: Vec::new(),
                own_displacements: Vec::new(),
                directions: g.directions,
            }
        }));
    }

    /// Moves tools and grabs to where they are at the time `end` (s): as a program says, else with what carries them, else with the pointer, else along their paths.
    pub(super) fn move_tools(&mut self, end: f64, interaction: &Interaction) {
        let tools = self.tools.iter_mut().zip(&self.setup.tools);
        for ((tool, script), pose) in tools.zip(&self.poses) {
            tool.begin = tool.end;
            tool.end = match (pose, interaction.tool_position) {
                (Some(pose), _) => *pose,
                (None, Some(position)) if script.is_moved_by_pointer() => Pose {
                    position,
                    orientation: tool.end.orientation,
                },
                _ => script.path.pose(end),
            };
        }
        for (k, script) in self.setup.tools.iter().enumerate() {
            if let Some(carrier) = &script.carrier
                && self.poses[k].is_none()
            {
                let place = carrier.place.pose(end);
                self.tools[k].end = self.tools[carrier.tool].end.carrying(&place);
            }
        }
        let (skin, frame) = (self.setup.skin(), &self.frame);
        // what a hand holds keeps the shape that it has
        let offset = |v: &u32, displacement: Vec3| {
            frame.position(*v as usize) - skin.positions[*v as usize] - displacement
        };
        for (grab, script) in self.grabs.iter_mut().zip(&self.setup.grabs) {
            grab.begin = grab.end;
            grab.end = script.path.pose(end).position;
            let Some(frames) = &script.frames else {
                continue;
            };
            if !frames.contains(&self.index) {
                grab.vertices.clear();
            } else if grab.vertices.is_empty() {
                grab.begin = grab.end;
                grab.vertices.extend_from_slice(&script.vertices);
                grab.offsets.clear();
                let held = script.vertices.iter();
                grab.offsets.extend(held.map(|v| offset(v, grab.end)));
            }
        }
        let scripted = self.setup.grabs.len();
        match &interaction.grab {
            None => self.grabs.truncate(scripted),
            Some(pointer) => {
                if self.grabs.len() > scripted && self.grabs[scripted].vertices == pointer.vertices
                {
                    advance_grab(&mut self.grabs[scripted], pointer);
                } else {
                    self.grabs.truncate(scripted);
                    self.grabs.push(Grab {
                        name: "pointer".to_string(),
                        offsets: (pointer.vertices.iter().enumerate())
                            .map(|(k, v)| offset(v, pointer.displacement_of(k)))
                            .collect(),
                        vertices: pointer.vertices.clone(),
                        begin: pointer.displacement,
                        end: pointer.displacement,
                        own_displacements: (pointer.own_displacements.iter())
                            .map(|own| [*own; 2])
                            .collect(),
                        directions: ConstrainedDirections::All,
                    });
                }
            }
        }
    }
}

/// Force and torque on tool `k` together with the tools that it carries, from the `wrenches` on each, about its origin.
pub(super) fn wrench_with_carried(
    k: usize,
    setup: &Setup,
    tools: &[Tool],
    wrenches: &[ToolWrench],
) -> ToolWrench {
    let mut sum = wrenches.get(k).copied().unwrap_or_default();
    for carried in setup.carried_by(k) {
        if let Some(wrench) = wrenches.get(carried) {
            let arm = tools[carried].end.position - tools[k].end.position;
            sum.add_carried(wrench, &arm);
        }
    }
    sum
}

/// The frame begins where the last one ended, and ends where the pointer holds the same vertices now.
fn advance_grab(grab: &mut Grab, pointer: &PointerGrab) {
    if !pointer.own_displacements.is_empty() || !grab.own_displacements.is_empty() {
        let common = [grab.begin, grab.end];
        let count = grab.vertices.len();
        grab.own_displacements.resize(count, common);
        for (k, [begin, end]) in grab.own_displacements.iter_mut().enumerate() {
            *begin = *end;
            *end = pointer.displacement_of(k);
        }
    }
    grab.begin = grab.end;
    grab.end = pointer.displacement;
}
