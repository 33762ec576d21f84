//! The pointer over a pane: hand or camera.

use egui::{PointerButton, Rect, Ui};
use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use crate::input::camera::{self, Drag};
use crate::input::hand::{Hand, HandMode, PointerTool};
use crate::input::under::{Under, pointer_ray};
use crate::panels::Context;

/// The scene's tool that follows the pointer, as the hand presses it.
pub fn pointer_tool(snapshot: &WorldSnapshot, hand: &Hand) -> Option<PointerTool> {
    let setup = snapshot.setup.as_ref()?;
    let k = setup.tools.iter().position(|t| t.follows_pointer)?;
    // the pointer does not turn the tool
    let turn = snapshot.tools.get(k).map(|tool| tool.end.orientation);
    let direction = hand.poke_direction();
    let own = turn.map_or(direction, |turn| turn.inverse() * direction);
    PointerTool::new(&setup.tools[k].shape, &own)
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
    let tool = pointer_tool(cx.snapshot, &cx.state.hand);
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
        ray: pointer_ray(&state.camera, at, rect.size()),
    };
    let pressed = |button: PointerButton| {
        response.contains_pointer() && ui.input(|i| i.pointer.button_pressed(button))
    };
    if pressed(PointerButton::Primary)
        && !modifiers.shift
        && !state.hand.is_busy()
        && pane.state == PaneState::Ready
    {
        let mode = match (state.hand_mode, modifiers.command) {
            (HandMode::Cut, _) => HandMode::Cut,
            (HandMode::Poke, false) | (HandMode::Grab, true) => HandMode::Poke,
            _ => HandMode::Grab,
        };
        state.cut_trail.clear();
        state.hand.press(k, &under, mode, tool, commands);
    }
    let buttons = [
        PointerButton::Primary,
        PointerButton::Secondary,
        PointerButton::Middle,
    ];
    let holds = state.hand.pane() == Some(k);
    for button in buttons {
        let taken = holds && button == PointerButton::Primary;
        if pressed(button) && !taken && state.camera_drag.is_none() {
            state.camera_drag = Some((k, button));
        }
    }
    if holds {
        if ui.input(|i| i.pointer.button_down(PointerButton::Primary)) {
            if response.dragged() || state.hand.is_grabbing() || state.hand.is_cutting() {
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
    if response.contains_pointer() && scroll != 0.0 {
        let diagonal = setup.diagonal;
        if !state.hand.scroll(scroll, diagonal) {
            camera::scroll(&mut state.camera, scroll);
        }
    }
}
