//! Kicks of one group, and the drift between them.

use pliant_core::math::Vec3;

use crate::params::Scheme;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::events::frame_totals::FrameTotals;
use crate::step::multirate::groups::group::Group;

impl CutDynamics {
    /// Forces of group `k` at tick `now`; a tick is a step of level `deepest`.
    pub(crate) fn evaluate(&mut self, k: usize, now: u32, tick: f64, deepest: u8) {
        let Self {
            groups,
            positions,
            velocities,
            node_ticks,
            inverse_masses,
            params,
            ..
        } = self;
        let (slower, rest) = groups.split_at_mut(k);
        let Some(group) = rest.first_mut() else {
            return;
        };
        if params.scheme == Scheme::NodeJump {
            group.set_state(positions, velocities);
            group.evaluate();
            return;
        }
        let step = |g: &Group| tick * f64::from(1_u32 << (deepest - g.level()));
        let factor = |g: &Group| {
            let ticks = 1 << (deepest - g.level());
            let passed = f64::from(now % ticks) / f64::from(ticks);
            0.5 * step(g).powi(2) * passed * (1.0 - passed)
        };
        for &n in group.masters() {
            drift_one(n as usize, now, tick, positions, velocities, node_ticks);
        }
        group.advance(positions, step(group), slower, factor, inverse_masses);
        group.evaluate();
    }

    /// Drifts node `n` to tick `now` if it moves; a tick lasts `tick` seconds.
    pub(crate) fn drift(&mut self, n: u32, now: u32, tick: f64) {
        let n = n as usize;
        if self.inverse_masses[n] > 0.0 {
            let (positions, velocities) = (&mut self.positions, &self.velocities);
            drift_one(n, now, tick, positions, velocities, &mut self.node_ticks);
        }
    }

    pub(crate) fn kick(&mut self, k: usize, step: f64, gravity: &Vec3, totals: &mut FrameTotals) {
        let jumps = self.params.scheme == Scheme::NodeJump;
        let group = &self.groups[k];
        let fall = gravity * step;
        for ((&n, force), is_finest) in group
            .masters()
            .iter()
            .zip(group.master_forces())
            .zip(&group.is_finest)
        {
            let n = n as usize;
            let w = self.inverse_masses[n];
            if jumps && !is_finest {
                continue;
            }
            if *is_finest {
                self.velocities[n] += (force + self.loads[n]) * (w * step) + fall * self.weights[n];
            } else {
                self.velocities[n] += force * (w * step);
            }
        }
        let held = group.held().iter().zip(group.held_forces());
        for ((&n, force), acts_on_support) in held.zip(&group.acts_on_support) {
            if let Some(support) = self.forest.support(n)
                && *acts_on_support
            {
                totals.support_impulses[support] += force * step;
            }
        }
        totals.dissipated += step * group.evaluation.viscous_power * group.power_share;
        totals.blended = totals.blended.max(group.evaluation.blended);
    }

    pub(crate) fn work_of_loads(&self, k: usize, step: f64) -> f64 {
        let group = &self.groups[k];
        let mut work = 0.0;
        for (&n, is_finest) in group.masters().iter().zip(&group.is_finest) {
            if *is_finest {
                work += step * self.loads[n as usize].dot(&self.velocities[n as usize]);
            }
        }
        work
    }
}

/// Drifts node `n` to tick `now`; a tick lasts `tick` seconds.
fn drift_one(
    n: usize,
    now: u32,
    tick: f64,
    positions: &mut [Vec3],
    velocities: &[Vec3],
    node_ticks: &mut [u32],
) {
    if node_ticks[n] != now {
        let elapsed = f64::from(now.wrapping_sub(node_ticks[n])) * tick;
        positions[n] += velocities[n] * elapsed;
        node_ticks[n] = now;
    }
}
