//! A frame: tools move, contact becomes boundary conditions, the model advances, reactions are collected.

use pliant_core::boundary::NodalLoad;
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::contact::{Owner, ToolWrench};
use pliant_core::math::Vec3;
use pliant_core::model::{FrameReport, FrameRequest, StepError, WorkBudget};
use web_time::Instant;

use super::interaction::{Interaction, spread};
use super::metrics::{FrameMetrics, largest_pull};
use super::output::FrameOutput;
use super::pace::FramePace;
use super::pointer_blade::PointerBlade;
use super::state::World;
use super::tools::wrench_with_carried;

/// Most keys of a path within a frame at which a blade turns.
const MAX_TURNS: usize = 256;

impl World {
    /// Advances by one frame.
    ///
    /// # Errors
    /// The model's [`StepError`]; the world then stays at its last good frame.
    pub fn step_frame(&mut self, interaction: &Interaction) -> Result<&FrameOutput, StepError> {
        self.step_within(interaction, None)
    }

    /// Advances by one frame within `units` of work instead of those that the budget in processor time would give, which learns nothing from it. A frame that
    /// is taken again from the same state within the units that it had the first time gives the same bits.
    pub(crate) fn step_within(
        &mut self,
        interaction: &Interaction,
        units: Option<u64>,
    ) -> Result<&FrameOutput, StepError> {
        self.update_parameters(self.index + 1)?;
        let duration = self.setup.frame_duration();
        let end = (self.index + 1) as f64 * duration;
        self.move_tools(end, interaction);
        let started = Instant::now();
        let measures = units.is_none();
        let frame_start = self.pace.as_ref().filter(|_| measures);
        let frame_start = frame_start.map(FramePace::begin);
        self.boundary.gravity = self.gravity(interaction);
        let has_inertia = self.model.capabilities().inertia;
        let body = self.setup.touched_body(&self.frame, has_inertia);
        let (tools, grabs) = (self.tools.as_slice(), &self.grabs[..]);
        let (constraints, _) = match self.model.own_contact() {
            None => self.tracker.update(&body, tools, grabs, duration),
            // where bodies find contacts themselves, the tracker has the grabs and what sticks to tools
            Some(own) => {
                own.set_tools(tools);
                own.write_pushed(&mut self.pushed);
                let touched = (tools, &self.pushed[..]);
                self.tracker.update_stuck(&body, touched, grabs, duration)
            }
        };
        // the tracker sorts and never names a vertex twice, so that only a non-finite pose of the caller is refused here
        self.boundary
            .set_displacements(constraints.iter().copied())
            .map_err(|e| StepError::Diverged {
                method: self.name,
                time: end,
                cause: e.to_string(),
            })?;
        self.set_loads(interaction);
        self.set_blade_sweeps(interaction);
        // without a clock the budget is the model's own
        let budget = match (units, &self.pace) {
            (Some(units), _) => WorkBudget(units),
            (None, Some(pace)) => WorkBudget(pace.units()),
            (None, None) => WorkBudget::UNLIMITED,
        };
        let (model, boundary, frame) = (&mut self.model, &self.boundary, &mut self.frame);
        let mut advance = || {
            let report = model.advance(FrameRequest::new(duration, boundary).within(budget))?;
            model.write_surface(frame);
            Ok(report)
        };
        // A thread of the pool does what does not run in parallel. If the calling thread did it and waited for the pool, two cores would have three threads to
        // serve, and a frame of many short parallel sections would stall whenever the third one has to be woken.
        let report = match &self.pace {
            Some(pace) if !pace.is_shared() => advance()?,
            _ => rayon::scope(|_| advance())?,
        };
        self.tracker.record_reactions(self.model.reactions());
        self.index += 1;
        let work = report.work_used;
        self.collect(report);
        if let (Some(pace), Some(frame_start)) = (&mut self.pace, frame_start) {
            let busy = pace.since(&frame_start).as_secs_f64();
            pace.measured(work, busy);
            self.output.busy_ms = busy * 1e3;
        }
        self.output.cost_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(&self.output)
    }

    /// That of the scene, m/s². A hand can switch on the usual one where the scene has none.
    fn gravity(&self, interaction: &Interaction) -> Vec3 {
        let of_scene = self.setup.description.gravity;
        let mut hand = self.setup.hand.iter();
        let is_on = interaction.gravity_on || hand.any(|hand| hand.gravity_in(self.index));
        match is_on && of_scene == Vec3::zeros() {
            true => Vec3::new(0.0, -9.81, 0.0),
            false => of_scene,
        }
    }

    /// Loads the skin with the forces of the program, which hold for one frame, and with the pulls of hands.
    fn set_loads(&mut self, interaction: &Interaction) {
        let pulls = interaction.pull.iter();
        let pulls = pulls.map(|pull| (&pull.vertices[..], pull.force));
        let hand = self.setup.hand.iter();
        let of_hand = hand.flat_map(|hand| hand.pulls_in(self.index));
        let areas = &self.setup.areas;
        let pulls = pulls
            .chain(of_hand)
            .flat_map(|(vertices, force)| spread(vertices, force, areas));
        let loads = self.loads.drain(..);
        self.boundary.set_loads(loads.chain(pulls));
    }

    /// Gives the model the surfaces that the blades sweep in the frame.
    fn set_blade_sweeps(&mut self, interaction: &Interaction) {
        self.sweeps.clear();
        let (start, duration) = (self.time(), self.setup.frame_duration());
        let end = (self.index + 1) as f64 * duration;
        for (tool, script) in self.tools.iter().zip(&self.setup.tools) {
            let path = &script.path;
            // a pointer or a program may move it elsewhere; then only where it is at the ends of frames is known
            let is_on_path = tool.shape.is_blade()
                && (tool.begin, tool.end) == (path.pose(start), path.pose(end));
            let times = is_on_path.then(|| path.key_times(start, end).take(MAX_TURNS));
            let turns = times.into_iter().flatten();
            let turns = turns.map(|time| ((time - start) / duration, path.pose(time)));
            BladeSweep::append_of_tool(tool, turns, &mut self.sweeps);
        }
        self.sweeps
            .extend(interaction.blade.iter().map(PointerBlade::sweep));
        let of_hand = (self.setup.hand.iter()).flat_map(|hand| hand.blades_in(self.index));
        self.sweeps.extend(of_hand.map(PointerBlade::sweep_between));
        if !self.sweeps.is_empty() {
            // a quasistatic body stays whole, which was told when it was built; other bodies that cannot be cut were refused then, but a hand may try
            let _ = self.model.set_blades(&self.sweeps);
        }
    }

    /// Collects the report of the model, and sums its reactions by tool and grab.
    fn collect(&mut self, report: FrameReport) {
        let out = &mut self.output;
        out.time = self.index as f64 * self.setup.frame_duration();
        out.report = report;
        out.wrenches.clear();
        let own = self.model.own_contact();
        let finds_contacts = own.is_some();
        if let Some(own) = own {
            out.wrenches.extend_from_slice(own.wrenches());
        }
        out.wrenches.resize(self.tools.len(), ToolWrench::default());
        out.grab_forces.clear();
        out.grab_forces.resize(self.grabs.len(), Vec3::zeros());
        out.vertex_forces.clear();
        let constraints = self.boundary.displacements();
        for ((constraint, owner), reaction) in constraints
            .iter()
            .zip(self.tracker.owners())
            .zip(self.model.reactions())
        {
            out.vertex_forces.push(NodalLoad {
                vertex: constraint.vertex,
                force: *reaction,
            });
            match *owner {
                Owner::Tool(k) => {
                    // a cut may have changed the vertices
                    let v = constraint.vertex as usize;
                    let position = match v < self.frame.positions.len() {
                        true => self.frame.position(v),
                        false => constraint.target,
                    };
                    let origin = self.tools[k].end.position;
                    out.wrenches[k].add_reaction(reaction, &position, &origin);
                }
                Owner::Grab(k) => out.grab_forces[k] += reaction,
            }
        }
        // where bodies find contacts themselves, most are not among the constraints
        let pull = (!finds_contacts).then(|| largest_pull(constraints, self.model.reactions()));
        out.vertex_forces.extend_from_slice(self.boundary.loads());
        let hands = self.setup.carriers();
        let forces = hands.map(|k| {
            let wrench = wrench_with_carried(k, &self.setup, &self.tools, &out.wrenches);
            wrench.force.norm()
        });
        out.metrics = FrameMetrics {
            energy: out.report.energy,
            violation: Some(out.report.max_violation),
            pull,
            volume_change: None,
            carrier_force: forces.reduce(f64::max),
        };
        out.support_forces.clear();
        out.support_forces
            .extend_from_slice(self.model.support_reactions());
        out.probes.clear();
        let (skin, frame) = (self.setup.skin(), &self.frame);
        out.probes
            .extend(self.setup.probes.iter().map(|p| p.sample(skin, frame)));
        out.points.clear();
        self.model
            .visit_points(&mut |point| out.points.push(point.state));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::scene::Method;

    use crate::world::World;
    use crate::world::testing::{pad, setup_of, step, world_of};

    #[test]
    fn a_blade_that_goes_in_and_out_within_a_frame_cuts() {
        let pieces = |keys: &str, method: Method| {
            let text = format!(
                "gravity = [0, 0, 0]\n[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.025 }}\nlattice = {{ cell = 0.025 }}\nadaptive = {{ nodes = [27, 125] }}\n\
                 [[tool]]\nname = 'knife'\nshape = {{ blade = {{ length = 0.3 }} }}\nmotion = {{ path = 'down' }}\n\
                 [[path]]\nname = 'down'\nkeys = [{{ t = 0, at = [0, 0.1, 0] }}, {{ t = 0.1, at = [0, 0.1, 0] }}, {keys}]\n"
            );
            let mut world = world_of(&Arc::new(setup_of(text)), method);
            step(&mut world, 12);
            world.model().stats().counter("components")
        };
        // all keys are in the seventh frame of a sixtieth of a second
        let through = "{ t = 0.108, at = [0, -0.1, 0] }, { t = 0.116, at = [0, 0.1, 0] }";
        let above = "{ t = 0.108, at = [0, 0.06, 0] }, { t = 0.116, at = [0, 0.1, 0] }";
        for method in [Method::Lattice, Method::Adaptive] {
            assert_eq!(pieces(through, method), Some(2.0), "{method:?}");
            assert_eq!(pieces(above, method), Some(1.0), "{method:?}");
        }
    }

    #[test]
    fn a_held_body_moves_as_without_its_blade_until_the_blade_reaches_it_and_is_cut_then() {
        let head = "gravity = [1, -9.81, 0]\nmethods = ['adaptive']";
        let knife = "[[tool]]\nname = 'knife'\nshape = { blade = { length = 0.5 } }\nmotion = { path = 'down' }\n\
            [[path]]\nname = 'down'\nkeys = [{ t = 0, at = [0, 0.5, 0.003] }, { t = 0.2, at = [0, 0.5, 0.003] }, { t = 0.3, at = [0, -0.2, 0.003] }]\n";
        let body = pad(head, "adaptive = { nodes = [27, 125] }");
        let [mut whole, mut cut] = [body.clone(), format!("{body}{knife}")]
            .map(|text| world_of(&Arc::new(setup_of(text)), Method::Adaptive));
        let pieces = |world: &World| world.model().stats().counter("components");
        for frame in 0..24 {
            step(&mut whole, 1);
            step(&mut cut, 1);
            if frame < 12 {
                assert_eq!(whole.frame().positions, cut.frame().positions, "{frame}");
                let energies = [&whole, &cut].map(|w| w.output().report.energy);
                assert_eq!(energies[0], energies[1], "{frame}");
                assert_eq!((pieces(&whole), pieces(&cut)), (None, Some(1.0)));
            }
        }
        assert_eq!((pieces(&whole), pieces(&cut)), (None, Some(2.0)));
        assert!(cut.frame().cut.is_some());
    }
}
