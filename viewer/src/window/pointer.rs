//! The pointer over a pane: hand, camera, or the vertex that a click picks.

use egui::{Modifiers, PointerButton, Rect, Ui};
use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use crate::input::camera::{self, Drag};
use crate::input::hand::PointerTool;
use crate::input::mode::HandMode;
use crate::input::under::{Under, pointer_ray};
use crate::panels::Context;
use crate::state::UiState;

/// Force of a pull across the diagonal of the body over Young's modulus times the square of the diagonal: pulls that the wheel has not changed bend bodies about as far as pokes do.
const PULL: f64 = 0.02;

/// The scene's tool that follows the pointer.
pub fn pointer_tool(snapshot: &WorldSnapshot) -> Option<PointerTool> {
    let setup = snapshot.setup.as_ref()?;
    let tool = setup.tools.iter().find(|t| t.follows_pointer)?;
    PointerTool::new(&tool.shape)
}

/// Takes what the pointer does over pane `k`, whose picture fills `rect`; `edge` is the mean edge length of the skin, m.
pub fn over_pane(
    ui: &Ui,
    k: usize,
    rect: Rect,
    response: &egui::Response,
    cx: &mut Context<'_>,
    edge: f64,
) {
    let tool = pointer_tool(cx.snapshot);
    let (Some(setup), Some(pane)) = (&cx.snapshot.setup, cx.snapshot.panes.get(k)) else {
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
        pull_stiffness: PULL * setup.geometry.material.elastic.young * setup.diagonal,
        ray: pointer_ray(&state.camera, at, rect.size()),
    };
    let pressed = |button: PointerButton| {
        response.contains_pointer() && ui.input(|i| i.pointer.button_pressed(button))
    };
    let can_pull = HandMode::Pull.is_possible(setup);
    let begun = if pressed(PointerButton::Primary) {
        let mode = match modifiers.command {
            true => state.hand_mode.with_control(),
            false => state.hand_mode,
        };
        Some((PointerButton::Primary, mode))
    } else if pressed(PointerButton::Secondary) && modifiers.command && can_pull {
        Some((PointerButton::Secondary, HandMode::Pull))
    } else {
        None
    };
    if let Some((button, mode)) = begun
        && !modifiers.shift
        && !state.hand.is_busy()
        && pane.state == PaneState::Ready
    {
        state.cut_trail.clear();
        state.hand_button = button;
        state.hand.press(k, &under, mode, tool, commands);
    }
    let buttons = [
        PointerButton::Primary,
        PointerButton::Secondary,
        PointerButton::Middle,
    ];
    let holds = state.hand.pane() == Some(k);
    for button in buttons {
        let taken = holds && button == state.hand_button;
        if pressed(button) && !taken && state.camera_drag.is_none() {
            state.camera_drag = Some((k, button));
        }
    }
    if holds {
        let follows = state.hand.line().is_some() || state.hand.is_cutting();
        if ui.input(|i| i.pointer.button_down(state.hand_button)) {
            if response.dragged() || follows {
                state.hand.drag(&under);
                if state.hand.is_cutting() && state.cut_trail.last() != Some(&at) {
                    state.cut_trail.push(at);
                }
            }
        } else {
            state.hand.release(commands);
        }
    }
    if let Some((pane, button)) = state.camera_drag
        && pane == k
    {
        if ui.input(|i| i.pointer.button_down(button)) {
            let delta = ui.input(|i| i.pointer.delta());
            let what = camera::meaning(button, modifiers).unwrap_or(Drag::Orbit);
            camera::drag(&mut state.camera, what, delta, rect.height());
        } else {
            state.camera_drag = None;
        }
    }
    if response.double_clicked() && state.hand.pane().is_none() {
        state.aim(setup);
    }
    pick(k, rect, response, &under, state, modifiers);
    if response.contains_pointer() && scroll != 0.0 {
        let diagonal = setup.diagonal;
        if !state.hand.scroll(scroll, diagonal) {
            camera::scroll(&mut state.camera, scroll);
        }
    }
}

/// A click picks the skin vertex under the pointer, or none beside the body; so does the command. What a click does besides, the hand knows.
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
    if let Some(at) = place.filter(|_| state.picked.is_wanted) {
        let ray = pointer_ray(&state.camera, at, rect.size());
        let there = Under { ray, ..*under };
        // beside the body the command leaves what was picked before
        state.picked.vertex = there.vertex().or(state.picked.vertex);
        state.picked.is_wanted = false;
    }
}
