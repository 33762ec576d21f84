//! The hand of the user: it grabs the skin, pulls at it with a force, pokes it with the scene's tool, and cuts. Pointer events become commands.

use pliant_core::inspect::pick;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfacePoint};
use pliant_simulation::command::Command;

use super::mode::HandMode;
use super::under::{Under, mean_displacement, neighbourhood, smooth_normal};

/// Depth of a poke that is held, as a share of the body's diagonal.
const POKE_DEPTH: f64 = 0.04;
/// Deepest poke that the wheel can set, as a share of the diagonal.
const MAX_POKE_DEPTH: f64 = 0.10;
/// Fastest motion of the hand, in diagonals of the body per simulated second. It keeps the hand from jumping.
const MAX_HAND_SPEED: f64 = 1.0;
/// Farthest pull, in diagonals.
const MAX_PULL_DISTANCE: f64 = 0.35;
/// Weakest and strongest pull that the wheel can set, as factors of the usual one.
const STRENGTH_RANGE: [f64; 2] = [0.01, 100.0];
/// Height above the skin where a poke starts and ends, as a share of the diagonal.
const HOVER_HEIGHT: f64 = 0.02;
/// Simulated time from the first touch to the full depth, and back, s.
const PRESS_TIME: f64 = 0.4;
const RETRACT_TIME: f64 = 0.2;

/// What the hand does now.
#[derive(Debug, Clone, Default)]
pub enum Hand {
    /// Nothing.
    #[default]
    Free,
    /// Holds skin vertices.
    Grabbing {
        /// Pane in which the action started.
        pane: usize,
        /// Where the skin was taken.
        at: SurfacePoint,
        /// That point at that moment, m.
        point: Vec3,
        /// Depth of that point along the view, m.
        depth: f64,
        /// Where the pointer is now at that depth, m.
        pointer: Vec3,
        /// Displacement of the held vertices at that moment, m.
        start: Vec3,
        /// Displacement where the pointer is, m.
        target: Vec3,
        /// Displacement that was sent last, m.
        sent: Vec3,
    },
    /// Pulls at skin vertices with a force.
    Pulling {
        /// Pane in which the action started.
        pane: usize,
        /// Where the skin was taken.
        at: SurfacePoint,
        /// That point at that moment, m.
        point: Vec3,
        /// Depth of that point along the view, m.
        depth: f64,
        /// Where the pointer is now at that depth, m.
        pointer: Vec3,
        /// Force for each metre that the pointer is away from `point`, N/m.
        stiffness: f64,
        /// Factor on the stiffness that the wheel has set.
        strength: f64,
        /// Force that was sent last, N.
        sent: Vec3,
    },
    /// Drags the edge of a blade.
    Cutting {
        /// Pane in which the action started.
        pane: usize,
        /// Ends of the edge under the pointer, m.
        target: [Vec3; 2],
        /// The same that were sent last.
        sent: [Vec3; 2],
    },
    /// Presses or retracts the tool.
    Poking {
        /// Pane in which the action started.
        pane: usize,
        /// The skin when the button went down. The tool slides on it.
        initial_frame: SurfaceFrame,
        /// Touched point, m.
        point: Vec3,
        /// Outward normal there.
        normal: Vec3,
        /// Where the tool was sent last, m; `None` before the first time.
        sent: Option<Vec3>,
        /// Present depth, m; negative above the skin.
        depth: f64,
        /// Depth that the tool moves to, m.
        target: f64,
        /// Whether the button was released, so that the tool moves back.
        is_retracting: bool,
    },
}

impl Hand {
    /// Whether the hand holds or presses something.
    pub fn is_busy(&self) -> bool {
        !matches!(self, Self::Free)
    }

    /// Whether the hand holds the skin.
    pub fn is_grabbing(&self) -> bool {
        matches!(self, Self::Grabbing { .. })
    }

    /// Whether the hand pulls at the skin with a force.
    pub fn is_pulling(&self) -> bool {
        matches!(self, Self::Pulling { .. })
    }

    /// Whether the hand presses the scene's tool.
    pub fn is_poking(&self) -> bool {
        matches!(self, Self::Poking { .. })
    }

    /// Where the skin was taken, and where the pointer is now (m), while the hand holds the skin or pulls at it.
    pub fn line(&self) -> Option<(&SurfacePoint, &Vec3)> {
        match self {
            Self::Grabbing { at, pointer, .. } | Self::Pulling { at, pointer, .. } => {
                Some((at, pointer))
            }
            Self::Free | Self::Cutting { .. } | Self::Poking { .. } => None,
        }
    }

    /// Whether the hand drags a blade.
    pub fn is_cutting(&self) -> bool {
        matches!(self, Self::Cutting { .. })
    }

    /// Direction in which a tool is pressed (unit, world): into the skin; down where the hand does not poke.
    pub fn poke_direction(&self) -> Vec3 {
        match self {
            Self::Poking { normal, .. } => -*normal,
            _ => -Vec3::y(),
        }
    }

    /// The pane that the hand works in.
    pub fn pane(&self) -> Option<usize> {
        match self {
            Self::Free => None,
            Self::Grabbing { pane, .. }
            | Self::Pulling { pane, .. }
            | Self::Cutting { pane, .. }
            | Self::Poking { pane, .. } => Some(*pane),
        }
    }

    /// The button went down over pane `pane`. Returns whether it met the skin; if not, the drag belongs to the camera. `tool_reach` (m) is the
    /// distance from the origin of the scene's tool to the side that it presses with; `None` without such a tool.
    pub fn press(
        &mut self,
        pane: usize,
        under: &Under<'_>,
        mode: HandMode,
        tool_reach: Option<f64>,
        commands: &mut Vec<Command>,
    ) -> bool {
        if under.frame.positions.len() != under.skin.vertex_count() {
            return false;
        }
        if mode == HandMode::Cut {
            let edge = under.blade_edge();
            commands.push(Command::MoveBlade(edge));
            *self = Self::Cutting {
                pane,
                target: edge,
                sent: edge,
            };
            return true;
        }
        let Some((depth, at)) = pick(under.skin, under.frame, &under.ray) else {
            return false;
        };
        let point = under.frame.point(under.skin, &at);
        match (mode, tool_reach) {
            (HandMode::Poke, Some(_)) => {
                *self = Self::Poking {
                    pane,
                    initial_frame: under.frame.clone(),
                    point,
                    normal: smooth_normal(under.skin, under.frame, &at),
                    sent: None,
                    depth: -HOVER_HEIGHT * under.diagonal,
                    target: POKE_DEPTH * under.diagonal,
                    is_retracting: false,
                };
            }
            (HandMode::Pull, _) => {
                let vertices = neighbourhood(under, &point);
                commands.push(Command::Pull { vertices });
                *self = Self::Pulling {
                    pane,
                    at,
                    point,
                    depth,
                    pointer: point,
                    stiffness: under.pull_stiffness,
                    strength: 1.0,
                    sent: Vec3::zeros(),
                };
            }
            _ => {
                let vertices = neighbourhood(under, &point);
                let start = mean_displacement(under, &vertices);
                commands.push(Command::Grab {
                    vertices,
                    displacement: start,
                });
                *self = Self::Grabbing {
                    pane,
                    at,
                    point,
                    depth,
                    pointer: point,
                    start,
                    target: start,
                    sent: start,
                };
            }
        }
        true
    }

    /// The pointer moved with the button down; [`Self::advance`] follows it.
    pub fn drag(&mut self, under: &Under<'_>) {
        match self {
            Self::Free => {}
            Self::Grabbing {
                point,
                depth,
                pointer,
                start,
                target,
                ..
            } => {
                // the direction of a camera ray is scaled to unit depth: this is the plane parallel to the picture
                *pointer = under.ray.at(*depth);
                let pull = *pointer - *point;
                *target = *start + pull.cap_magnitude(MAX_PULL_DISTANCE * under.diagonal);
            }
            Self::Pulling { depth, pointer, .. } => *pointer = under.ray.at(*depth),
            Self::Cutting { target, .. } => *target = under.blade_edge(),
            Self::Poking {
                initial_frame,
                point,
                normal,
                is_retracting,
                ..
            } => {
                if !*is_retracting
                    && let Some((_, at)) = pick(under.skin, initial_frame, &under.ray)
                {
                    *point = initial_frame.point(under.skin, &at);
                    *normal = smooth_normal(under.skin, initial_frame, &at);
                }
            }
        }
    }

    /// The wheel turned by `scroll` points while the button is down: a poke goes deeper, a pull becomes stronger. Returns whether the hand used it.
    pub fn scroll(&mut self, scroll: f32, diagonal: f64) -> bool {
        match self {
            Self::Poking { target, .. } => {
                *target = (*target + f64::from(scroll) * 2e-4 * diagonal)
                    .clamp(0.0, MAX_POKE_DEPTH * diagonal);
            }
            Self::Pulling { strength, .. } => {
                let [weakest, strongest] = STRENGTH_RANGE;
                *strength =
                    (*strength * (f64::from(scroll) * 4e-3).exp()).clamp(weakest, strongest);
            }
            Self::Free | Self::Grabbing { .. } | Self::Cutting { .. } => {}
        }
        self.is_busy()
    }

    /// The button went up.
    pub fn release(&mut self, commands: &mut Vec<Command>) {
        match self {
            Self::Poking { is_retracting, .. } => {
                *is_retracting = true;
                return;
            }
            Self::Cutting { target, sent, .. } if target != sent => {
                commands.push(Command::MoveBlade(*target));
            }
            Self::Free | Self::Grabbing { .. } | Self::Pulling { .. } | Self::Cutting { .. } => {}
        }
        self.drop_all(commands);
    }

    /// `dt` seconds of simulated time have passed: hand and tool follow the pointer at a bounded speed. `tool_reach` as in [`Self::press`].
    pub fn advance(
        &mut self,
        dt: f64,
        tool_reach: Option<f64>,
        diagonal: f64,
        commands: &mut Vec<Command>,
    ) {
        let dt = dt.clamp(0.0, 0.1);
        let reach = MAX_HAND_SPEED * diagonal * dt;
        match self {
            Self::Free => {}
            Self::Grabbing { target, sent, .. } => {
                let step = (*target - *sent).cap_magnitude(reach);
                if step != Vec3::zeros() {
                    *sent += step;
                    commands.push(Command::MoveGrab(*sent));
                }
            }
            Self::Pulling {
                point,
                pointer,
                stiffness,
                strength,
                sent,
                ..
            } => {
                let stiffness = *stiffness * *strength;
                let offset = (*pointer - *point).cap_magnitude(MAX_PULL_DISTANCE * diagonal);
                let step = (offset * stiffness - *sent).cap_magnitude(reach * stiffness);
                if step != Vec3::zeros() {
                    *sent += step;
                    commands.push(Command::MovePull(*sent));
                }
            }
            Self::Cutting { target, sent, .. } => {
                if target != sent {
                    *sent = *target;
                    commands.push(Command::MoveBlade(*sent));
                }
            }
            Self::Poking {
                point,
                normal,
                sent,
                depth,
                target,
                is_retracting,
                ..
            } => {
                let Some(tool_reach) = tool_reach else {
                    self.drop_all(commands);
                    return;
                };
                let start = -HOVER_HEIGHT * diagonal;
                let (goal, time) = if *is_retracting {
                    (start, RETRACT_TIME)
                } else {
                    (*target, PRESS_TIME)
                };
                let step = (POKE_DEPTH + HOVER_HEIGHT) * diagonal * dt / time;
                *depth += (goal - *depth).clamp(-step, step);
                if *is_retracting && *depth <= start {
                    self.drop_all(commands);
                    return;
                }
                let goal = *point + *normal * (tool_reach - *depth);
                let place = sent.map_or(goal, |at| at + (goal - at).cap_magnitude(reach));
                if *sent != Some(place) {
                    *sent = Some(place);
                    commands.push(Command::MoveTool(Some(place)));
                }
            }
        }
    }

    /// Lets go of everything at once.
    pub(crate) fn drop_all(&mut self, commands: &mut Vec<Command>) {
        match self {
            Self::Free => {}
            Self::Grabbing { .. } | Self::Pulling { .. } => commands.push(Command::Release),
            Self::Cutting { .. } => commands.push(Command::LiftBlade),
            Self::Poking { .. } => commands.push(Command::MoveTool(None)),
        }
        *self = Self::Free;
    }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
