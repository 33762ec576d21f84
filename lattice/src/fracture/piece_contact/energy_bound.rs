//! A bound on the energy that impulses between pieces add.

use pliant_core::math::Vec3;

/// Scales down the impulses that changed velocities from `before` to `v` (m/s) if they added more kinetic energy than the moved particles have at `max_speed`
/// (m/s). Otherwise impulses that do not converge in a few sweeps, as in a heap that is crushed, would throw pieces away. Scaled
/// impulses still conserve linear and angular momentum.
pub(super) fn bound_energy(before: &[Vec3], v: &mut [Vec3], inverse_mass: &[f64], max_speed: f64) {
    // the share `s` of the impulses adds the kinetic energy `a s² + b s`
    let (mut a, mut b, mut limit) = (0.0, 0.0, 0.0);
    for ((from, to), w) in before.iter().zip(&*v).zip(inverse_mass) {
        let change = to - from;
        if *w > 0.0 && change != Vec3::zeros() {
            a += 0.5 * change.norm_squared() / w;
            b += change.dot(from) / w;
            limit += 0.5 * max_speed * max_speed / w;
        }
    }
    if a + b <= limit {
        return;
    }
    let share = ((b * b + 4.0 * a * limit).sqrt() - b) / (2.0 * a);
    for (from, to) in before.iter().zip(v) {
        *to = from + (*to - from) * share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulses_add_no_more_energy_than_separating_the_pieces_takes() {
        let before = [Vec3::x(), Vec3::new(-1.0, 0.5, 0.0), Vec3::zeros()];
        let inverse_mass = [1.0, 0.5, 0.0];
        let kick = Vec3::new(-30.0, 4.0, 1.0);
        let thrown = [before[0] + kick, before[1] - kick * 0.5, Vec3::zeros()];
        let energy = |v: &[Vec3]| 0.5 * v[0].norm_squared() + v[1].norm_squared();
        let momentum = |v: &[Vec3]| v[0] + v[1] * 2.0;
        let mut v = thrown;
        bound_energy(&before, &mut v, &inverse_mass, 0.1);
        let allowed = 0.5 * 0.1 * 0.1 * 3.0;
        assert!((energy(&v) - energy(&before) - allowed).abs() < 1e-12);
        assert!((momentum(&v) - momentum(&before)).norm() < 1e-12);
        // impulses that reduce the energy do not change
        let stopped = [
            Vec3::new(-0.1, 0.0, 0.0),
            Vec3::new(-0.45, 0.5, 0.0),
            Vec3::zeros(),
        ];
        let mut v = stopped;
        bound_energy(&before, &mut v, &inverse_mass, 0.1);
        assert_eq!(v, stopped);
    }
}
