//! The pointer over a pane: hand, camera, or the vertex that a click picks.

use egui::{Modifiers, PointerButton, Rect, Ui};
use pliant_simulation::setup::{Setup, SetupTool};
use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use crate::input::camera;
use crate::input::hand::Hand;
use crate::input::mode::HandMode;
use crate::input::under::{Under, pointer_ray};
use crate::panels::Context;
use crate::state::UiState;

/// Force of a pull across the diagonal of the body, over Young's modulus times the square of the diagonal. The wheel scales it. A choice: On the dragon of `welcome` a drag
/// across a tenth of the diagonal pulls with 1.7 N, and its poke presses with 2.6 N.
const PULL_FORCE_SCALE: f64 = 0.005;

/// Distance from the origin of the scene's tool that follows the pointer to the side that the hand presses, m: the radius of a ball, and for a tool that carries others that
/// of the foremost one. `None` without such a tool, and for one that has no ball inside. Cost: a pass over the corners of a tool that is a mesh.
pub fn reach_of_pointer_tool(snapshot: &WorldSnapshot, hand: &Hand) -> Option<f64> {
    let setup = snapshot.setup.as_ref()?;
    let k = setup
        .tools
        .iter()
        .position(SetupTool::is_moved_by_pointer)?;
    // the pointer does not turn the tool
    let turn = snapshot.tools.get(k).map(|tool| tool.end.orientation);
    let direction = hand.poke_direction();
    let local_direction = turn.map_or(direction, |turn| turn.inverse() * direction);
    let ball = setup.tools[k].shape.inner_radius();
    (ball.is_finite() && ball > 0.0).then(|| setup.reach(k, &local_direction))
}

/// Handles the pointer over pane `k`, whose picture fills `rect`; `edge` is the mean edge length of the skin, m.
pub fn over_pane(
    ui: &Ui,
    k: usize,
    rect: Rect,
    response: &egui::Response,
    cx: &mut Context<'_>,
    edge: f64,
) {
    let snapshot = cx.snapshot;
    let (Some(setup), Some(pane)) = (&snapshot.setup, snapshot.panes.get(k)) else {
        return;
    };
    let (state, commands) = (&mut *cx.state, &mut *cx.commands);
    let (place, modifiers, scroll) = ui.input(|i| {
        (
            i.pointer.interact_pos(),
            i.modifiers,
            i.smooth_scroll_delta().y,
        )
    });
    let at = place.unwrap_or(rect.center()) - rect.min;
    let under = Under {
        skin: setup.skin(),
        frame: &pane.frame,
        diagonal: setup.diagonal,
        edge,
        pull_stiffness: PULL_FORCE_SCALE * setup.geometry.material.elastic.young * setup.diagonal,
        ray: pointer_ray(&state.camera, at, rect.size()),
    };
    // a touch deletes what came after the moment that is shown: a click that picks a vertex there is none
    let waits = snapshot.timeline.is_in_the_past() && state.hand_mode != HandMode::Cut;
    let pressed = |button: PointerButton| match waits {
        true => response.drag_started_by(button),
        false => response.contains_pointer() && ui.input(|i| i.pointer.button_pressed(button)),
    };
    if let Some((button, mode)) = pressed_button(state.hand_mode, setup, modifiers, pressed)
        && !modifiers.shift
        && state.hand.pane().is_none()
        && pane.state == PaneState::Ready
    {
        state.cut_trail.clear();
        state.hand_button = Some(button);
        let reach = reach_of_pointer_tool(snapshot, &state.hand);
        state.hand.press(k, &under, mode, reach, commands);
    }
    let buttons = [
        PointerButton::Primary,
        PointerButton::Secondary,
        PointerButton::Middle,
    ];
    let holds = state.hand.pane() == Some(k);
    for button in buttons {
        let taken = holds && state.hand_button == Some(button);
        if pressed(button) && !taken && state.camera_drag.is_none() {
            state.camera_drag = Some((k, button));
        }
    }
    if holds {
        let is_cutting = state.hand.mode() == Some(HandMode::Cut);
        let follows = state.hand.line().is_some() || is_cutting;
        let is_down = |button| ui.input(|i| i.pointer.button_down(button));
        if state.hand_button.is_some_and(is_down) {
            if response.dragged() || follows {
                state.hand.drag(&under);
                if is_cutting && state.cut_trail.last() != Some(&at) {
                    state.cut_trail.push(at);
                }
            }
        } else {
            state.hand.release(commands);
        }
    }
    if let Some((_, button)) = state.camera_drag.filter(|(pane, _)| *pane == k) {
        drag_camera(ui, button, modifiers, rect.height(), state);
    }
    if response.double_clicked() && state.hand.pane().is_none() {
        state.aim(setup);
    }
    pick(k, rect, response, &under, state, modifiers);
    if response.contains_pointer() && scroll != 0.0 {
        let diagonal = setup.diagonal;
        if !state.hand.scroll(scroll, diagonal) {
            camera::scroll(&mut state.camera, scroll, diagonal);
        }
    }
}

/// The button that went down, and what the hand does with it.
fn pressed_button(
    mode: HandMode,
    setup: &Setup,
    modifiers: Modifiers,
    pressed: impl Fn(PointerButton) -> bool,
) -> Option<(PointerButton, HandMode)> {
    if pressed(PointerButton::Primary) {
        let mode = match modifiers.command {
            true => mode.with_control(),
            false => mode,
        };
        return Some((PointerButton::Primary, mode));
    }
    // the check passes over all vertices, therefore it comes last
    let pulls =
        pressed(PointerButton::Secondary) && modifiers.command && HandMode::Pull.is_possible(setup);
    pulls.then_some((PointerButton::Secondary, HandMode::Pull))
}

/// The camera follows the pointer over a pane of `height` points until `button` is up.
fn drag_camera(
    ui: &Ui,
    button: PointerButton,
    modifiers: Modifiers,
    height: f32,
    state: &mut UiState,
) {
    if ui.input(|i| i.pointer.button_down(button)) {
        let delta = ui.input(|i| i.pointer.delta());
        let what = camera::drag_of_button(button, modifiers);
        camera::drag(&mut state.camera, what, delta, height);
    } else {
        state.camera_drag = None;
    }
}

/// A click picks the skin vertex under the pointer, or none beside the body. The command picks, too. The hand handles the click independently.
fn pick(
    k: usize,
    rect: Rect,
    response: &egui::Response,
    under: &Under<'_>,
    state: &mut UiState,
    modifiers: Modifiers,
) {
    if response.contains_pointer()
        && let Some(at) = response.hover_pos()
    {
        state.picked.over = Some((k, at - rect.min));
    }
    if response.clicked() && modifiers.is_none() && state.hand_mode != HandMode::Cut {
        state.picked.vertex = under.vertex();
    }
    let place = match state.picked.over {
        Some((over, at)) => (over == k).then_some(at),
        None => Some(0.5 * rect.size()),
    };
    if let Some(at) = place.filter(|_| state.picked.is_requested) {
        let ray = pointer_ray(&state.camera, at, rect.size());
        let there = Under { ray, ..*under };
        // beside the body the command keeps the picked vertex
        state.picked.vertex = there.vertex().or(state.picked.vertex);
        state.picked.is_requested = false;
    }
}

#[cfg(test)]
mod tests {
    use egui::{Event, Pos2, Sense, Vec2};
    use egui_kittest::Harness;
    use pliant_core::math::Vec3;
    use pliant_simulation::command::Command;

    use super::*;
    use crate::testing::setup_mut;

    struct Fixture {
        snapshot: WorldSnapshot,
        state: UiState,
        commands: Vec<Command>,
    }

    const MIDDLE: Pos2 = Pos2::new(200.0, 200.0);
    const CORNER: Pos2 = Pos2::new(12.0, 12.0);

    /// A pane that looks at the front of a box which is held somewhere.
    fn harness() -> Harness<'static, Fixture> {
        let mut snapshot = crate::testing::snapshot();
        setup_mut(&mut snapshot).held[0] = true;
        let mut state = UiState::default();
        state.camera.target = Vec3::zeros();
        (state.camera.yaw, state.camera.pitch, state.camera.distance) = (0.0, 0.0, 1.0);
        let fixture = Fixture {
            snapshot,
            state,
            commands: Vec::new(),
        };
        let mut window = Harness::builder()
            .with_size([400.0, 400.0])
            .with_step_dt(1.0 / 60.0)
            .build_ui_state(
                |ui, fixture: &mut Fixture| {
                    let rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(400.0));
                    let id = ui.scope_id().with("pane");
                    let response = ui.interact(rect, id, Sense::click_and_drag());
                    let mut cx = Context {
                        snapshot: &fixture.snapshot,
                        state: &mut fixture.state,
                        commands: &mut fixture.commands,
                    };
                    over_pane(ui, 0, rect, &response, &mut cx, 0.05);
                },
                fixture,
            );
        window.run_steps(2);
        window
    }

    fn button(
        window: &mut Harness<'static, Fixture>,
        pos: Pos2,
        button: PointerButton,
        pressed: bool,
        modifiers: Modifiers,
    ) {
        window.hover_at(pos);
        let event = Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        };
        window.event_modifiers(event, modifiers);
        window.run_steps(2);
    }

    fn click(window: &mut Harness<'static, Fixture>, pos: Pos2) {
        let left = PointerButton::Primary;
        for pressed in [true, false] {
            button(window, pos, left, pressed, Modifiers::NONE);
        }
    }

    /// The middle of the front.
    fn is_middle(window: &Harness<'static, Fixture>) -> bool {
        let fixture = window.state();
        let setup = fixture.snapshot.setup.as_ref().expect("a scene");
        let place = |v: u32| setup.skin().positions[v as usize];
        let picked = fixture.state.picked.vertex;
        picked.is_some_and(|v| (place(v) - Vec3::z() * 0.1).norm() < 1e-9)
    }

    #[test]
    fn a_click_picks_a_vertex_and_one_beside_the_body_picks_none() {
        let mut window = harness();
        click(&mut window, MIDDLE);
        assert!(is_middle(&window), "{:?}", window.state().state.picked);
        // the grab in between was released
        assert_eq!(window.state().commands.last(), Some(&Command::Release));
        click(&mut window, CORNER);
        assert_eq!(window.state().state.picked.vertex, None);
        // in this mode a click cuts
        window.state_mut().state.hand_mode = HandMode::Cut;
        click(&mut window, MIDDLE);
        assert_eq!(window.state().state.picked.vertex, None);
    }

    #[test]
    fn in_the_past_a_click_touches_nothing_and_a_drag_takes_the_skin() {
        let mut window = harness();
        let timeline = &mut window.state_mut().snapshot.timeline;
        (timeline.now, timeline.last, timeline.end) = (3, 9, 9);
        click(&mut window, MIDDLE);
        assert!(is_middle(&window), "{:?}", window.state().state.picked);
        assert!(window.state().commands.is_empty());
        let left = PointerButton::Primary;
        button(&mut window, MIDDLE, left, true, Modifiers::NONE);
        assert_eq!(window.state().state.hand.mode(), None);
        window.hover_at(MIDDLE + Vec2::new(20.0, 0.0));
        window.run_steps(2);
        assert_eq!(window.state().state.hand.mode(), Some(HandMode::Grab));
        button(&mut window, MIDDLE, left, false, Modifiers::NONE);
        assert_eq!(window.state().commands.last(), Some(&Command::Release));
    }

    #[test]
    fn the_command_picks_where_the_pointer_was_last() {
        let mut window = harness();
        window.state_mut().state.picked.is_requested = true;
        window.run_steps(2);
        assert!(is_middle(&window), "the pointer was nowhere yet");
        window.hover_at(CORNER);
        window.run_steps(2);
        window.state_mut().state.picked.is_requested = true;
        window.run_steps(2);
        assert!(is_middle(&window), "nothing is there");
        assert!(!window.state().state.picked.is_requested);
        let over = window.state().state.picked.over;
        assert_eq!(over, Some((0, CORNER.to_vec2())));
        // another pane's turn
        window.state_mut().state.picked.vertex = None;
        window.state_mut().state.picked.over = Some((1, MIDDLE.to_vec2()));
        window.remove_cursor();
        window.run_steps(2);
        window.state_mut().state.picked.is_requested = true;
        window.run_steps(2);
        assert_eq!(window.state().state.picked.vertex, None);
    }

    #[test]
    fn control_and_the_right_button_pull_and_without_it_the_camera_turns() {
        let right = PointerButton::Secondary;
        let mut window = harness();
        button(&mut window, MIDDLE, right, true, Modifiers::COMMAND);
        let state = &window.state().state;
        assert_eq!(state.hand.mode(), Some(HandMode::Pull));
        assert!(state.camera_drag.is_none());
        window.hover_at(MIDDLE + Vec2::new(40.0, 0.0));
        window.run_steps(2);
        let (_, pointer) = window.state().state.hand.line().expect("a line");
        assert!(pointer.x > 0.01 && pointer.y.abs() < 1e-6, "{pointer}");
        button(&mut window, MIDDLE, right, false, Modifiers::NONE);
        assert_eq!(window.state().state.hand.mode(), None);
        assert_eq!(window.state().commands.last(), Some(&Command::Release));
        button(&mut window, MIDDLE, right, true, Modifiers::NONE);
        let state = &window.state().state;
        assert!(state.hand.mode().is_none() && state.camera_drag.is_some());
        // a body that nothing holds is not pulled
        let mut window = harness();
        let snapshot = &mut window.state_mut().snapshot;
        setup_mut(snapshot).held.fill(false);
        button(&mut window, MIDDLE, right, true, Modifiers::COMMAND);
        assert_eq!(window.state().state.hand.mode(), None);
    }
}
