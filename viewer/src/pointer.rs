//! The pointer over a pane: hand or camera.

use egui::{PointerButton, Rect, Ui};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::PaneState;

use crate::app::App;
use crate::camera_control::{self, Drag};
use crate::interact::{HandMode, PointerTool, Under, pointer_ray};

impl App {
    pub(crate) fn pointer_tool(&self) -> Option<PointerTool> {
        let setup = self.runner.snapshot().setup.as_ref()?;
        let tool = setup.tools.iter().find(|t| t.follows_pointer)?;
        PointerTool::new(&tool.shape)
    }

    pub(crate) fn pointer(
        &mut self,
        ui: &Ui,
        k: usize,
        rect: Rect,
        response: &egui::Response,
        commands: &mut Vec<Command>,
    ) {
        let tool = self.pointer_tool();
        let snapshot = self.runner.snapshot();
        let (Some(setup), Some(pane), Some(scene_view)) =
            (&snapshot.setup, snapshot.panes.get(k), &self.view)
        else {
            return;
        };
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
            edge: scene_view.edge,
            ray: pointer_ray(&self.state.camera, at, rect.size()),
        };
        let pressed = |button: PointerButton| {
            response.contains_pointer() && ui.input(|i| i.pointer.button_pressed(button))
        };
        if pressed(PointerButton::Primary)
            && !modifiers.shift
            && !self.state.hand.is_busy()
            && pane.state == PaneState::Ready
        {
            let poke = (self.state.hand_mode == HandMode::Poke) != modifiers.command;
            let mode = if poke { HandMode::Poke } else { HandMode::Grab };
            self.state.hand.press(k, &under, mode, tool, commands);
        }
        let buttons = [
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ];
        let holds = self.state.hand.pane() == Some(k);
        for button in buttons {
            let taken = holds && button == PointerButton::Primary;
            if pressed(button) && !taken && self.state.camera_drag.is_none() {
                self.state.camera_drag = Some((k, button));
            }
        }
        if holds {
            if ui.input(|i| i.pointer.button_down(PointerButton::Primary)) {
                if response.dragged() || self.state.hand.is_grabbing() {
                    self.state.hand.drag(&under);
                }
            } else {
                self.state.hand.release(commands);
            }
        }
        if let Some((pane, button)) = self.state.camera_drag
            && pane == k
        {
            if ui.input(|i| i.pointer.button_down(button)) {
                let delta = ui.input(|i| i.pointer.delta());
                let what = camera_control::meaning(button, modifiers).unwrap_or(Drag::Orbit);
                camera_control::drag(&mut self.state.camera, what, delta, rect.height());
            } else {
                self.state.camera_drag = None;
            }
        }
        if response.double_clicked() && self.state.hand.pane().is_none() {
            self.state.aim(setup);
        }
        if response.contains_pointer() && scroll != 0.0 {
            let diagonal = setup.diagonal;
            if !self.state.hand.scroll(scroll, diagonal) {
                camera_control::scroll(&mut self.state.camera, scroll);
            }
        }
    }
}
