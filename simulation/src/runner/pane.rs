//! One method and the pane that shows it.

use std::sync::Arc;

use pliant_core::inspect::{ElementShapes, ParameterInfo, ParameterValue, QuantityBuffer};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinBinding, SurfaceFrame};
use pliant_core::scene::Method;

use super::accuracy::ScriptForces;
use super::snapshot::{PaneSnapshot, PaneState, PointMark, RefusedValue, SkinDistances};
use crate::reference::Accuracy;
use crate::world::World;

/// How complete a model is, compared with the one that the scene asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    /// coarse, until a complete model replaces it
    Preview,
    /// its columns arrive while it runs; it is complete once it has all
    Partial,
    Complete,
}

/// A model that waits for a moment without contact to join the others.
pub(super) struct Joining {
    pub(super) world: World,
    pub(super) completeness: Completeness,
    /// frames of the others since it was ready
    pub(super) waited: u32,
}

/// One method of the simulation thread.
pub(super) struct MethodPane {
    pub(super) method: Method,
    pub(super) state: PaneState,
    pub(super) world: Option<World>,
    /// of the model that runs
    pub(super) completeness: Completeness,
    /// finished share of the bake while an unfinished model runs or waits for a moment without contact; 1 where the complete one waits for it
    pub(super) baked: Option<f64>,
    /// stage of that bake; empty while it waits for its turn
    pub(super) bake_stage: String,
    pub(super) joining: Option<Joining>,
    pub(super) binding: Option<Arc<SkinBinding>>,
    /// of the model that runs
    pub(super) element_shapes: Option<ElementShapes>,
    pub(super) shown: Option<String>,
    pub(super) values: QuantityBuffer,
    /// values that an unfinished model accepted, for its replacement
    pub(super) accepted_values: Vec<(String, ParameterValue)>,
    /// values that the model refused, one a parameter
    pub(super) refused: Vec<RefusedValue>,
    /// forces of the script, for the reference
    pub(super) forces: ScriptForces,
    pub(super) accuracy: Option<Accuracy>,
}

impl MethodPane {
    /// A pane that runs nothing yet.
    pub(super) fn new(method: Method, state: PaneState) -> Self {
        Self {
            method,
            state,
            world: None,
            completeness: Completeness::Complete,
            baked: None,
            bake_stage: String::new(),
            joining: None,
            binding: None,
            element_shapes: None,
            shown: None,
            values: QuantityBuffer::default(),
            accepted_values: Vec::new(),
            refused: Vec::new(),
            forces: ScriptForces::default(),
            accuracy: None,
        }
    }

    /// Starts the waiting model at rest at frame `index`. Returns the values that were set before and that it accepts; `None` where no model waits.
    pub(super) fn start(&mut self, index: u64) -> Option<Vec<(String, ParameterValue)>> {
        let Joining {
            mut world,
            completeness,
            ..
        } = self.joining.take()?;
        // a complete model may refuse what a coarse one accepted
        let mut accepted_values = self.accepted_values.clone();
        accepted_values.retain(|(name, value)| world.set_parameter(name, value.clone()).is_ok());
        if completeness == Completeness::Complete {
            self.baked = None;
            self.accepted_values.clear();
        }
        world.reset_to(index);
        self.binding = world.model().skin_binding().map(Arc::new);
        self.element_shapes = world.model().element_shapes();
        self.world = Some(world);
        self.completeness = completeness;
        self.state = PaneState::Ready;
        self.refused.clear();
        self.clear_accuracy();
        Some(accepted_values)
    }

    /// Marks a model that got its columns as they came as complete, at the end of its bake; `false` where there is none.
    pub(super) fn mark_complete(&mut self) -> bool {
        let completeness = match &mut self.joining {
            Some(joining) => &mut joining.completeness,
            None => &mut self.completeness,
        };
        if *completeness != Completeness::Partial {
            return false;
        }
        *completeness = Completeness::Complete;
        self.baked = self.joining.is_some().then_some(1.0);
        true
    }

    /// Shows nothing any more.
    pub(super) fn stop(&mut self, state: PaneState) {
        (self.world, self.joining, self.baked) = (None, None, None);
        self.completeness = Completeness::Complete;
        self.state = state;
    }

    /// Sets a parameter of the model; returns whether frames change with it. Refused values are kept for the window.
    pub(super) fn set_parameter(&mut self, name: String, value: ParameterValue) -> bool {
        let Some(world) = &mut self.world else {
            return false;
        };
        self.refused.retain(|refused| refused.name != name);
        match world.set_parameter(&name, value.clone()) {
            Ok(()) => {
                if ParameterInfo::is_observation(world.model().parameters(), &name) {
                    return false;
                }
                if self.completeness != Completeness::Complete {
                    self.accepted_values
                        .retain(|(accepted, _)| *accepted != name);
                    self.accepted_values.push((name, value));
                }
                self.clear_accuracy();
                true
            }
            Err(error) => {
                self.refused.push(RefusedValue { name, value, error });
                false
            }
        }
    }

    /// Clears forces and accuracy after a change of the model or of a parameter.
    pub(super) fn clear_accuracy(&mut self) {
        self.forces.clear();
        self.accuracy = None;
    }

    /// Copies what the window shows; `rest` is the skin of a pane that does not run. `measures` says whether metrics that take a pass over the skin are wanted.
    pub(super) fn write(&mut self, pane: &mut PaneSnapshot, rest: &SurfaceFrame, measures: bool) {
        if self.world.is_none() {
            // nothing of a pane of the scene before stays
            let frame = std::mem::take(&mut pane.frame);
            *pane = PaneSnapshot {
                frame,
                ..PaneSnapshot::waiting(self.method)
            };
        }
        pane.method = self.method;
        pane.state.clone_from(&self.state);
        pane.baked = self.baked;
        pane.bake_stage.clone_from(&self.bake_stage);
        // forces of a coarse model say nothing about the method
        let complete_accuracy = self
            .accuracy
            .as_ref()
            .filter(|_| self.completeness == Completeness::Complete);
        pane.accuracy = complete_accuracy.cloned();
        pane.distances = SkinDistances::default();
        let Some(world) = &self.world else {
            copy_frame(rest, &mut pane.frame);
            return;
        };
        copy_frame(world.frame(), &mut pane.frame);
        pane.binding.clone_from(&self.binding);
        pane.element_shapes = self.element_shapes;
        if self.binding.is_some() {
            world.write_control_points(&mut pane.control_points);
        }
        let out = world.output();
        pane.cost_ms = out.cost_ms;
        pane.tool_forces.clear();
        pane.tool_forces
            .extend(out.wrenches.iter().map(|w| w.force));
        pane.grab_force = out.grab_forces.last().copied().unwrap_or_else(Vec3::zeros);
        pane.metrics = match measures {
            true => world.metrics(),
            false => out.metrics,
        };
        pane.vertex_forces.clone_from(&out.vertex_forces);
        pane.probes.clone_from(&out.probes);
        let model = world.model();
        pane.points.clear();
        model.visit_points(&mut |point| {
            pane.points.push(PointMark {
                name: point.name.to_string(),
                place: point.rest + point.state.displacement,
                state: point.state,
            });
        });
        pane.stats = model.stats();
        pane.quantities = world.quantities().cloned().collect();
        pane.parameters = model
            .parameters()
            .iter()
            .filter_map(|info| Some((info.clone(), model.parameter(info.name).ok()?)))
            .collect();
        pane.refused.clone_from(&self.refused);
        pane.quantity = self.shown.as_ref().and_then(|name| {
            self.values.clear();
            world.sample_quantity(name, &mut self.values).ok()?;
            (self.values.scalars.len() == world.frame().positions.len())
                .then(|| (name.clone(), self.values.scalars.clone()))
        });
    }
}

fn copy_frame(from: &SurfaceFrame, to: &mut SurfaceFrame) {
    to.positions.clone_from(&from.positions);
    to.normals.clone_from(&from.normals);
    to.cut.clone_from(&from.cut);
}
