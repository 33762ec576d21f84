//! Commands of the window, carried out between frames.

use crossbeam_channel::TryRecvError;

use super::bake_job::BakeJob;
use super::command::Command;
use super::simulation::Simulation;
use super::snapshot::PaneState;
use crate::world::PointerGrab;

impl Simulation {
    /// Carries out all commands that have come; whether there was one.
    pub(super) fn take_commands(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.inbox.try_recv() {
                Ok(command) => {
                    self.carry_out(command);
                    any = true;
                }
                Err(TryRecvError::Empty) => return any,
                Err(TryRecvError::Disconnected) => {
                    self.quit = true;
                    return any;
                }
            }
        }
    }

    pub(super) fn carry_out(&mut self, command: Command) {
        match command {
            Command::Open { source, import } => {
                self.opening = Some(source.to_string_lossy().into_owned());
                self.open_error = None;
                self.job = Some(BakeJob::start(source, import, self.cache.clone()));
            }
            Command::Play => {
                self.playing = true;
                self.clock.restart();
            }
            Command::Pause => self.playing = false,
            Command::Step => {
                self.playing = false;
                self.steps_wanted += 1;
                self.clock.restart();
            }
            Command::Reset => {
                self.frames = 0;
                for pane in &mut self.panes {
                    if let Some(joining) = pane.joining.take() {
                        pane.start(joining);
                    }
                    if let Some(world) = &mut pane.world {
                        world.reset();
                        pane.state = PaneState::Ready;
                    }
                }
            }
            Command::MoveTool(position) => self.interaction.tool_position = position,
            Command::Grab {
                vertices,
                displacement,
            } => {
                self.interaction.grab = Some(PointerGrab {
                    vertices,
                    displacement,
                });
            }
            Command::MoveGrab(displacement) => {
                if let Some(grab) = &mut self.interaction.grab {
                    grab.displacement = displacement;
                }
            }
            Command::Release => self.interaction.grab = None,
            Command::SetGravity(on) => self.interaction.gravity_on = on,
            Command::SetParameter {
                method,
                name,
                value,
            } => {
                for pane in self.panes.iter_mut().filter(|l| l.method == method) {
                    if let Some(world) = &mut pane.world {
                        // a value out of range is refused by the model and the panel shows the old one again
                        let _ = world.model_mut().set_parameter(&name, value.clone());
                    }
                    pane.forget();
                }
            }
            Command::ShowQuantity { method, name } => {
                for pane in self.panes.iter_mut().filter(|l| l.method == method) {
                    pane.shown = name.clone();
                }
            }
            Command::Quit => self.quit = true,
        }
    }
}
