//! Views of a frame: its constraints, the wrench of a hand of several tools, the local contact model of force feedback, the control points of the skin, and why a place moves as it does.

use pliant_adaptive::inspect::{EXPLAINED, OVERRUN_ALLOWANCE};
use pliant_core::boundary::DisplacementConstraint;
use pliant_core::contact::{Owner, ToolWrench};
use pliant_core::inspect::{ParameterError, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::mesh::ControlPoints;
use pliant_quasistatic::QuasistaticModel;
use pliant_quasistatic::haptics::LocalModel;

use super::metrics::FrameMetrics;
use super::state::World;
use super::tools::wrench_with_carried;
use crate::setup::SetupTool;

impl World {
    /// Makes the adaptive method explain in its notes on which level the skin vertex nearest to `place` (m, at rest) moves, and why.
    ///
    /// # Errors
    /// [`ParameterError`] of a method that explains nothing.
    pub fn explain(&mut self, place: &Vec3) -> Result<(), ParameterError> {
        let skin = self.setup.skin();
        let distance = |v: usize| (skin.positions[v] - place).norm_squared();
        let nearest = (0..skin.vertex_count()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let value = ParameterValue::Number(nearest.unwrap_or(0) as f64);
        self.model.set_parameter(EXPLAINED, value)
    }

    /// Lets no frame of the adaptive method go beyond the budget, not even one that changes the cut, for the price of coarser cuts. Other methods have no such frames.
    pub fn keep_budget_in_every_frame(&mut self) {
        // they have no such parameter either
        let _ = self
            .model
            .set_parameter(OVERRUN_ALLOWANCE, ParameterValue::Number(0.0));
    }

    /// Frames since the start in which a tool moved by more than a fifth of the body's diagonal, one for each such tool: it touches nothing in them.
    pub(crate) fn tool_jumps(&self) -> u64 {
        self.tracker.teleports
    }

    /// All metrics of the last frame. Cost: a pass over the triangles of the skin, for the change of volume.
    pub fn metrics(&self) -> FrameMetrics {
        FrameMetrics {
            volume_change: self.volume.change(self.setup.skin(), &self.frame),
            ..self.output.metrics
        }
    }

    /// Force and torque in the last frame on tool `k` together with the tools that it carries, about its origin. Zero for a number without a tool.
    pub fn wrench_with_carried(&self, k: usize) -> ToolWrench {
        wrench_with_carried(k, &self.setup, &self.tools, &self.output.wrenches)
    }

    /// The constraints of the last frame and whose they are, by ascending vertex: candidates of tools, and what grabs hold. The model's reactions have the same order. Where bodies find
    /// contacts themselves, there are only what grabs hold and what sticks to tools; after a reset there are none.
    pub fn contacts(&self) -> impl Iterator<Item = (&DisplacementConstraint, &Owner)> {
        let constraints = self.boundary.displacements().iter();
        constraints.zip(self.tracker.owners())
    }

    /// Writes the local contact model of the last frame for the tool that follows the pointer, together with those that it carries; other contacts stay as they are.
    ///
    /// False, without a usable `out`, where there is no such tool, where the body sticks to one of them (local contact models have unilateral contacts only), or where the model has none.
    pub(crate) fn write_local_model(&mut self, out: &mut LocalModel) -> bool {
        let setup = &self.setup;
        let Some(tool) = setup.tools.iter().position(SetupTool::is_moved_by_pointer) else {
            return false;
        };
        let moves = |k: usize| k == tool || setup.carried_by(tool).any(|carried| carried == k);
        let mut sticky = setup.tools.iter().enumerate();
        if sticky.any(|(k, found)| found.adhesion.is_some() && moves(k)) {
            return false;
        }
        let Some(model) = self.model.as_any_mut() else {
            return false;
        };
        let Some(model) = model.downcast_mut::<QuasistaticModel>() else {
            return false;
        };
        let (constraints, owners) = (self.boundary.displacements(), self.tracker.owners());
        let owner_of = |vertex: u32| {
            let at = constraints
                .binary_search_by_key(&vertex, |c| c.vertex)
                .ok()?;
            match owners.get(at)? {
                Owner::Tool(k) => moves(*k).then_some(0),
                Owner::Grab(_) => None,
            }
        };
        model.write_local_model(&[self.tools[tool].end.position], owner_of, out);
        true
    }

    /// Control points of the model's binding, relative to the middle of the skin; none while the skin does not follow them.
    pub fn write_control_points(&self, out: &mut ControlPoints) {
        let mut ends = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for x in &self.frame.positions {
            for k in 0..3 {
                ends[0][k] = ends[0][k].min(x[k]);
                ends[1][k] = ends[1][k].max(x[k]);
            }
        }
        let middle = [0, 1, 2].map(|k| 0.5 * (f64::from(ends[0][k]) + f64::from(ends[1][k])));
        let finite = middle.iter().all(|c| c.is_finite());
        out.begin(&if finite { middle.into() } else { Vec3::zeros() });
        if !self.model.write_control_points(out) {
            out.offsets.clear();
        }
    }
}
