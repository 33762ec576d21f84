//! Commands of the window, carried out between frames.

use crossbeam_channel::TryRecvError;

use crate::bake_jobs::BakeJob;
use crate::command::Command;
use crate::runner::Simulation;
use crate::snapshot::PaneState;
use crate::world::PointerGrab;

impl Simulation {
    pub(super) fn take_commands(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.inbox.try_recv() {
                Ok(command) => {
                    self.obey(command);
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

    pub(super) fn obey(&mut self, command: Command) {
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
                for lane in &mut self.lanes {
                    if let Some(joining) = lane.joining.take() {
                        lane.start(joining);
                    }
                    if let Some(world) = &mut lane.world {
                        world.reset();
                        lane.state = PaneState::Ready;
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
                for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                    if let Some(world) = &mut lane.world {
                        // a value out of range is refused by the model and the panel shows the old one again
                        let _ = world.model_mut().set_parameter(&name, value.clone());
                    }
                    lane.forget();
                }
            }
            Command::ShowQuantity { method, name } => {
                for lane in self.lanes.iter_mut().filter(|l| l.method == method) {
                    lane.shown = name.clone();
                }
            }
            Command::Quit => self.quit = true,
        }
    }
}
