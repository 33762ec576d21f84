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

/// The hand of the user: what it does now, and the pane in which that started.
#[derive(Debug, Clone, Default)]
pub struct Hand(Option<(usize, Action)>);

#[derive(Debug, Clone)]
enum Action {
    /// Holds skin vertices.
    Grab {
        held: Held,
        /// displacement of the held vertices when they were taken, m
        start: Vec3,
        /// displacement that was sent last, m
        sent: Vec3,
    },
    /// Pulls at skin vertices with a force.
    Pull {
        held: Held,
        /// force for each metre that the pointer is away from the held point, N/m
        stiffness: f64,
        /// factor on the stiffness that the wheel has set
        strength: f64,
        /// force that was sent last, N
        sent: Vec3,
    },
    /// Drags the edge of a blade.
    Cut {
        /// ends of the edge under the pointer, m
        target: [Vec3; 2],
        /// the same that were sent last
        sent: [Vec3; 2],
    },
    /// Presses or retracts the tool.
    Poke {
        /// the skin when the button went down. The tool slides on it
        initial_frame: SurfaceFrame,
        /// touched point, m
        point: Vec3,
        /// outward normal there
        normal: Vec3,
        /// where the tool was sent last, m; `None` before the first time
        sent: Option<Vec3>,
        /// present depth, m; negative above the skin
        depth: f64,
        /// depth that the tool moves to, m
        target: f64,
        /// whether the button was released, so that the tool moves back
        is_retracting: bool,
    },
}

/// A point of the skin that the hand has taken.
#[derive(Debug, Clone)]
struct Held {
    at: SurfacePoint,
    /// where it was when it was taken, m
    point: Vec3,
    /// its depth along the view, m
    depth: f64,
    /// where the pointer is now at that depth, m
    pointer: Vec3,
}

impl Held {
    /// How far the pointer is from where the point was taken, at most as far as a pull goes, m.
    fn offset(&self, diagonal: f64) -> Vec3 {
        let offset = self.pointer - self.point;
        offset.cap_magnitude(MAX_PULL_DISTANCE * diagonal)
    }
}

impl Hand {
    /// What the hand does; `None` while it is free.
    pub fn mode(&self) -> Option<HandMode> {
        let (_, action) = self.0.as_ref()?;
        Some(match action {
            Action::Grab { .. } => HandMode::Grab,
            Action::Pull { .. } => HandMode::Pull,
            Action::Cut { .. } => HandMode::Cut,
            Action::Poke { .. } => HandMode::Poke,
        })
    }

    /// The pane that the hand works in.
    pub fn pane(&self) -> Option<usize> {
        self.0.as_ref().map(|(pane, _)| *pane)
    }

    /// Where the skin was taken, and where the pointer is now (m), while the hand holds the skin or pulls at it.
    pub fn line(&self) -> Option<(&SurfacePoint, &Vec3)> {
        match &self.0 {
            Some((_, Action::Grab { held, .. } | Action::Pull { held, .. })) => {
                Some((&held.at, &held.pointer))
            }
            _ => None,
        }
    }

    /// Direction in which a tool is pressed (unit, world): into the skin; down where the hand does not poke.
    pub fn poke_direction(&self) -> Vec3 {
        match &self.0 {
            Some((_, Action::Poke { normal, .. })) => -*normal,
            _ => -Vec3::y(),
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
            let (target, sent) = (edge, edge);
            self.0 = Some((pane, Action::Cut { target, sent }));
            return true;
        }
        let Some((depth, at)) = pick(under.skin, under.frame, &under.ray) else {
            return false;
        };
        let point = under.frame.point(under.skin, &at);
        let held = Held {
            at,
            point,
            depth,
            pointer: point,
        };
        let action = match (mode, tool_reach) {
            (HandMode::Poke, Some(_)) => Action::Poke {
                initial_frame: under.frame.clone(),
                point,
                normal: smooth_normal(under.skin, under.frame, &held.at),
                sent: None,
                depth: -HOVER_HEIGHT * under.diagonal,
                target: POKE_DEPTH * under.diagonal,
                is_retracting: false,
            },
            (HandMode::Pull, _) => {
                let vertices = neighbourhood(under, &point);
                commands.push(Command::Pull { vertices });
                Action::Pull {
                    held,
                    stiffness: under.pull_stiffness,
                    strength: 1.0,
                    sent: Vec3::zeros(),
                }
            }
            _ => {
                let vertices = neighbourhood(under, &point);
                let start = mean_displacement(under, &vertices);
                commands.push(Command::Grab {
                    vertices,
                    displacement: start,
                });
                Action::Grab {
                    held,
                    start,
                    sent: start,
                }
            }
        };
        self.0 = Some((pane, action));
        true
    }

    /// The pointer moved with the button down; [`Self::advance`] follows it.
    pub fn drag(&mut self, under: &Under<'_>) {
        let Some((_, action)) = &mut self.0 else {
            return;
        };
        match action {
            Action::Grab { held, .. } | Action::Pull { held, .. } => {
                // the direction of a camera ray is scaled to unit depth: this is the plane parallel to the picture
                held.pointer = under.ray.at(held.depth);
            }
            Action::Cut { target, .. } => *target = under.blade_edge(),
            Action::Poke {
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
        match &mut self.0 {
            Some((_, Action::Poke { target, .. })) => {
                *target = (*target + f64::from(scroll) * 2e-4 * diagonal)
                    .clamp(0.0, MAX_POKE_DEPTH * diagonal);
            }
            Some((_, Action::Pull { strength, .. })) => {
                let [weakest, strongest] = STRENGTH_RANGE;
                *strength =
                    (*strength * (f64::from(scroll) * 4e-3).exp()).clamp(weakest, strongest);
            }
            _ => {}
        }
        self.0.is_some()
    }

    /// The button went up.
    pub fn release(&mut self, commands: &mut Vec<Command>) {
        match &mut self.0 {
            Some((_, Action::Poke { is_retracting, .. })) => {
                *is_retracting = true;
                return;
            }
            Some((_, Action::Cut { target, sent })) if target != sent => {
                commands.push(Command::MoveBlade(*target));
            }
            _ => {}
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
        let Some((_, action)) = &mut self.0 else {
            return;
        };
        let dt = dt.clamp(0.0, 0.1);
        let reach = MAX_HAND_SPEED * diagonal * dt;
        match action {
            Action::Grab { held, start, sent } => {
                let target = *start + held.offset(diagonal);
                let step = (target - *sent).cap_magnitude(reach);
                if step != Vec3::zeros() {
                    *sent += step;
                    commands.push(Command::MoveGrab(*sent));
                }
            }
            Action::Pull {
                held,
                stiffness,
                strength,
                sent,
            } => {
                let stiffness = *stiffness * *strength;
                let step = held.offset(diagonal) * stiffness - *sent;
                let step = step.cap_magnitude(reach * stiffness);
                if step != Vec3::zeros() {
                    *sent += step;
                    commands.push(Command::MovePull(*sent));
                }
            }
            Action::Cut { target, sent } => {
                if target != sent {
                    *sent = *target;
                    commands.push(Command::MoveBlade(*sent));
                }
            }
            Action::Poke {
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
        commands.extend(self.0.take().map(|(_, action)| match action {
            Action::Grab { .. } | Action::Pull { .. } => Command::Release,
            Action::Cut { .. } => Command::LiftBlade,
            Action::Poke { .. } => Command::MoveTool(None),
        }));
    }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
