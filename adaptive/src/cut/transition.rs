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

/// What a transition has to preserve, and the body after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transition<'a> {
    /// kg, of all nodes
    pub(crate) masses: &'a [f64],
    /// the active nodes
    pub(crate) nodes: &'a [u32],
    /// m, of all nodes: they do not change any more
    pub(crate) positions: &'a [Vec3],
    /// momentum of the active nodes before; `None` where supports hold the body, which take up the difference
    pub(crate) momentum: Option<Momentum>,
    /// strain and kinetic energy before, J
    pub(crate) energy: f64,
    /// strain energy after, J
    pub(crate) elastic: f64,
}

impl Transition<'_> {
    /// Corrects the velocities of the new active nodes so that momentum is kept, and energy does not rise.
    ///
    /// `velocities` hold, for every node, the value that the old cut gave it. First one rigid velocity restores linear and angular momentum (nothing else
    /// changes); then, where the energy is above that before, the velocity relative to the rigid motion is scaled down: that of the `changed` nodes first, and if
    /// that is not enough, that of all. Returns strain plus kinetic energy after, J.
    pub(crate) fn carry_over(&self, changed: &[bool], velocities: &mut [Vec3]) -> f64 {
        let Self {
            nodes,
            positions,
            masses,
            ..
        } = *self;
        self.restore_momentum(velocities);
        let mut excess = self.elastic + self.kinetic(velocities) - self.energy;
        for only_changed in [true, false] {
            if excess <= 0.0 {
                break;
            }
            let rigid = match self.momentum.is_some() {
                true => self.rigid(&self.momentum_of(velocities)),
                false => RigidMotion::none(),
            };
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
            self.restore_momentum(velocities);
            excess = self.elastic + self.kinetic(velocities) - self.energy;
        }
        self.energy + excess
    }

    fn kinetic(&self, velocities: &[Vec3]) -> f64 {
        let kinetic =
            |&n: &u32| 0.5 * self.masses[n as usize] * velocities[n as usize].norm_squared();
        self.nodes.iter().map(kinetic).sum()
    }

    fn momentum_of(&self, velocities: &[Vec3]) -> Momentum {
        total_momentum(self.masses, self.nodes, self.positions, velocities)
    }

    /// The rigid motion with this momentum.
    fn rigid(&self, with: &Momentum) -> RigidMotion {
        let points = self.nodes.iter().map(|&n| {
            let n = n as usize;
            (self.positions[n], self.masses[n])
        });
        RigidMotion::with_momentum(points, &with.linear, &with.angular)
    }

    /// Restores the momentum before by a rigid motion.
    fn restore_momentum(&self, velocities: &mut [Vec3]) {
        let Some(target) = self.momentum else {
            return;
        };
        let present = self.momentum_of(velocities);
        let rigid = self.rigid(&Momentum {
            linear: target.linear - present.linear,
            angular: target.angular - present.angular,
            ..target
        });
        for &n in self.nodes {
            velocities[n as usize] += rigid.at(&self.positions[n as usize]);
        }
    }
}
