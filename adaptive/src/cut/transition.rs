//! From one cut to the next: momentum is kept, and energy does not rise.

use pliant_core::math::Vec3;

use crate::force::rigid_motion::RigidMotion;

/// Mass, linear and angular momentum (about the origin) of some nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// kg.
    pub mass: f64,
    /// kg m/s.
    pub linear: Vec3,
    /// kg m²/s.
    pub angular: Vec3,
}

/// Momentum of `nodes` of `masses` (kg).
pub fn total_momentum(
    masses: &[f64],
    nodes: &[u32],
    positions: &[Vec3],
    velocities: &[Vec3],
) -> Momentum {
    let (mut mass, mut linear, mut angular) = (0.0, Vec3::zeros(), Vec3::zeros());
    for &n in nodes {
        let n = n as usize;
        let p = velocities[n] * masses[n];
        mass += masses[n];
        linear += p;
        angular += positions[n].cross(&p);
    }
    Momentum {
        mass,
        linear,
        angular,
    }
}

/// What a transition has to preserve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transition {
    /// Momentum of the active nodes before; `None` where supports hold the body, which take up the difference.
    pub momentum: Option<Momentum>,
    /// Strain and kinetic energy before, J.
    pub energy: f64,
    /// Strain energy after, J: positions do not change any more.
    pub elastic: f64,
}

/// Corrects the velocities of the new active nodes so that momentum is kept, and energy does not rise.
///
/// `velocities` hold, for every node, the value that the old cut gave it. First one rigid velocity restores linear and angular momentum (nothing else
/// changes); then, where the energy is above that before, the velocity relative to the rigid motion is scaled down: that of the `changed` nodes first, and if
/// that is not enough, that of all. Returns strain plus kinetic energy after, J.
pub fn carry_over(
    masses: &[f64],
    nodes: &[u32],
    changed: &[bool],
    positions: &[Vec3],
    velocities: &mut [Vec3],
    before: &Transition,
) -> f64 {
    let body = Body {
        masses,
        nodes,
        positions,
    };
    if let Some(momentum) = &before.momentum {
        body.restore(velocities, momentum);
    }
    let mut excess = before.elastic + body.kinetic(velocities) - before.energy;
    for only_changed in [true, false] {
        if excess <= 0.0 {
            break;
        }
        let rigid = body.rigid(velocities, before.momentum.is_some());
        let mut kinetic = 0.0;
        let moves = |k: usize| !only_changed || changed[k];
        for (k, &n) in nodes.iter().enumerate() {
            if moves(k) {
                let u = velocities[n as usize] - rigid.at(&positions[n as usize]);
                kinetic += 0.5 * masses[n as usize] * u.norm_squared();
            }
        }
        let share = if kinetic > 0.0 {
            (1.0 - excess / kinetic).max(0.0).sqrt()
        } else {
            1.0
        };
        for (k, &n) in nodes.iter().enumerate() {
            if moves(k) {
                let r = rigid.at(&positions[n as usize]);
                let v = &mut velocities[n as usize];
                *v = r + (*v - r) * share;
            }
        }
        if let Some(momentum) = &before.momentum {
            body.restore(velocities, momentum);
        }
        excess = before.elastic + body.kinetic(velocities) - before.energy;
    }
    before.energy + excess
}

struct Body<'a> {
    masses: &'a [f64],
    nodes: &'a [u32],
    positions: &'a [Vec3],
}

impl Body<'_> {
    fn kinetic(&self, velocities: &[Vec3]) -> f64 {
        let kinetic =
            |&n: &u32| 0.5 * self.masses[n as usize] * velocities[n as usize].norm_squared();
        self.nodes.iter().map(kinetic).sum()
    }

    fn with_momentum(&self, linear: &Vec3, angular: &Vec3) -> RigidMotion {
        let points = self.nodes.iter().map(|&n| {
            let n = n as usize;
            (self.positions[n], self.masses[n])
        });
        RigidMotion::with_momentum(points, linear, angular)
    }

    fn momentum(&self, velocities: &[Vec3]) -> Momentum {
        total_momentum(self.masses, self.nodes, self.positions, velocities)
    }

    fn rigid(&self, velocities: &[Vec3], is_free: bool) -> RigidMotion {
        if is_free {
            let present = self.momentum(velocities);
            self.with_momentum(&present.linear, &present.angular)
        } else {
            RigidMotion::none()
        }
    }

    fn restore(&self, velocities: &mut [Vec3], target: &Momentum) {
        let present = self.momentum(velocities);
        let linear = target.linear - present.linear;
        let angular = target.angular - present.angular;
        let rigid = self.with_momentum(&linear, &angular);
        for &n in self.nodes {
            velocities[n as usize] += rigid.at(&self.positions[n as usize]);
        }
    }
}
