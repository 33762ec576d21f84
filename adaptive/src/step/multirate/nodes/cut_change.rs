//! From one cut to the next, between frames.

use pliant_core::math::Vec3;

use crate::cut::{Cut, Operators, Transition, total_momentum};
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group_state::GroupState;
use crate::step::multirate::prepared_cut::PreparedCut;

impl CutDynamics {
    /// Changes the cut as `change` says, between frames. New active nodes start where the old cut interpolated them; momentum is restored, and
    /// energy does not rise (`cut/transition.rs`). Returns the change of strain plus kinetic energy, J.
    pub fn change_cut(&mut self, change: impl FnOnce(&mut Cut)) -> f64 {
        let mut cut = self.cut.clone();
        change(&mut cut);
        if cut.states() == self.cut.states() {
            return 0.0;
        }
        let prepared = self.prepare(cut);
        self.switch_to(prepared, |_| Vec3::zeros())
    }

    /// Prepares a cut through the same forest, to be taken by [`CutDynamics::switch_to`].
    pub(crate) fn prepare(&mut self, mut cut: Cut) -> PreparedCut {
        let interface = self.params.interface;
        let (blend, operators) = PreparedCut::operators_of(&mut cut);
        let coupling = self.steps.element_coupling(&cut, &operators, interface);
        PreparedCut {
            cut,
            blend,
            operators,
            coupling,
        }
    }

    /// The second part of [`CutDynamics::change_cut`]. `last_impulse` is the change of velocity of a node by the last impulse of constraints, m/s.
    ///
    /// Half of that impulse belongs to the next frame. Without it the velocities of a touched node and its neighbours differ by half an impulse, and nodes interpolated between
    /// them would start with a part of that difference, which is spurious energy. So all start with the whole impulse. The momentum of a free body is restored afterwards.
    pub(crate) fn switch_to(
        &mut self,
        prepared: PreparedCut,
        last_impulse: impl Fn(usize) -> Vec3,
    ) -> f64 {
        let PreparedCut {
            cut,
            blend,
            operators,
            coupling,
        } = prepared;
        let old: Vec<u32> = self.operators.active().to_vec();
        let momentum = (!self.is_supported)
            .then(|| total_momentum(&self.masses, &old, &self.positions, &self.velocities));
        for &n in &old {
            self.velocities[n as usize] += last_impulse(n as usize) * 0.5;
        }
        let elastic_before = self.elastic_energy();
        let energy = elastic_before + self.kinetic_energy();
        let new = cut.active_nodes().filter(|&n| !self.cut.is_active(n));
        let interpolation = Operators::for_nodes(&self.cut, new);
        for values in [
            &mut self.positions,
            &mut self.velocities,
            &mut self.mean_velocities,
        ] {
            interpolation.forward(values);
        }
        (self.cut, self.blend, self.operators) = (cut, blend, operators);
        (self.new_coupling, self.pending) = (Some(coupling), None);
        self.update_masses();
        self.operators.forward(&mut self.positions);
        let changed: Vec<bool> = self
            .operators
            .active()
            .iter()
            .map(|n| old.binary_search(n).is_err())
            .collect();
        let elastic = self.relax_new_nodes(&changed, elastic_before);
        let active = self.operators.active();
        for &n in active {
            if self.forest.support(n).is_some() {
                self.velocities[n as usize] = Vec3::zeros();
            }
        }
        let transition = Transition {
            masses: &self.masses,
            nodes: active,
            positions: &self.positions,
            momentum,
            energy,
            elastic,
        };
        let after = transition.carry_over(&changed, &mut self.velocities);
        self.operators.forward(&mut self.velocities);
        self.half_step_velocities.copy_from_slice(&self.velocities);
        self.has_new_cut = true;
        self.group_state = GroupState::Changed;
        self.forces_are_current = false;
        after - energy
    }
}
