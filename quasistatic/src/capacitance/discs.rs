//! Tangential forces of many contacts within their discs: `|t| ≤ r` each, and what slides moves against its force.
//!
//! The forces minimise `½ tᵀCt + oᵀt` over the discs, where `o` are the tangential distances from sticking: a force inside its disc closes
//! its distance, one on the rim points where the tool drags the surface (the principle of maximum dissipation). Projected block
//! Gauss-Seidel in a fixed order; it needs no independent rows, so that a skin finer than its mesh is no special case.

/// What [`solve_discs`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiscReport {
    /// Passes over all contacts.
    pub sweeps: u32,
    /// Whether forces stopped changing.
    pub converged: bool,
}

/// Relative change of forces that counts as none.
const SETTLED: f64 = 1e-11;
/// Most passes.
const MOST_SWEEPS: u32 = 2_000;

/// Improves `force`, two numbers a contact, from what it holds.
///
/// `compliance` is symmetric and positive semidefinite, `2k × 2k` row by row; `limits` holds the `k` radii and `offsets` the `2k` distances
/// without these forces. Cost `8 k²` a pass. `distances` keeps memory and returns the distances under the forces.
pub fn solve_discs(
    compliance: &[f64],
    offsets: &[f64],
    limits: &[f64],
    force: &mut [f64],
    distances: &mut Vec<f64>,
) -> DiscReport {
    let size = offsets.len();
    let row = |k: usize| &compliance[k * size..(k + 1) * size];
    distances.clear();
    distances.extend_from_slice(offsets);
    let shift = |distances: &mut [f64], k: usize, change: f64| {
        if change != 0.0 {
            for (d, c) in distances.iter_mut().zip(row(k)) {
                *d += c * change;
            }
        }
    };
    for (k, &f) in force.iter().enumerate() {
        shift(distances, k, f);
    }
    let largest = limits.iter().fold(0.0_f64, |a, r| a.max(*r));
    let mut report = DiscReport::default();
    while report.sweeps < MOST_SWEEPS {
        report.sweeps += 1;
        let mut change = 0.0_f64;
        for (c, &limit) in limits.iter().enumerate() {
            let (a, b) = (2 * c, 2 * c + 1);
            // the larger eigenvalue of the contact's own block
            let (p, q, s) = (row(a)[a], row(b)[b], row(a)[b]);
            let stiffest = 0.5 * (p + q) + (0.25 * (p - q).powi(2) + s * s).sqrt();
            if stiffest.is_nan() || stiffest <= 0.0 {
                continue;
            }
            let mut x = force[a] - distances[a] / stiffest;
            let mut y = force[b] - distances[b] / stiffest;
            let length = x.hypot(y);
            if length > limit {
                (x, y) = (x * (limit / length), y * (limit / length));
            }
            let (dx, dy) = (x - force[a], y - force[b]);
            shift(distances, a, dx);
            shift(distances, b, dy);
            (force[a], force[b]) = (x, y);
            change = change.max(dx.abs()).max(dy.abs());
        }
        if change <= SETTLED * largest {
            report.converged = true;
            break;
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_hold_inside_and_drag_on_the_rim() {
        // contacts on a line of an elastic body, some held weakly
        let k = 12;
        let size = 2 * k;
        let mut compliance = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..size {
                let apart = (i / 2).abs_diff(j / 2) as f64;
                let same = if i % 2 == j % 2 { 1.0 } else { 0.1 };
                compliance[i * size + j] = same / (1.0 + apart);
            }
        }
        let offsets: Vec<f64> = (0..size).map(|i| 0.3 * (1.7 * i as f64).sin()).collect();
        let limits: Vec<f64> = (0..k).map(|c| 0.05 + 0.6 * (c % 4) as f64).collect();
        let (mut force, mut distances) = (vec![0.0; size], Vec::new());
        let report = solve_discs(&compliance, &offsets, &limits, &mut force, &mut distances);
        assert!(report.converged, "{report:?}");
        let (mut inside, mut rim) = (0, 0);
        for c in 0..k {
            let (t, d) = (
                [force[2 * c], force[2 * c + 1]],
                [distances[2 * c], distances[2 * c + 1]],
            );
            let length = t[0].hypot(t[1]);
            assert!(length <= limits[c] * (1.0 + 1e-12));
            if length < limits[c] * (1.0 - 1e-9) {
                inside += 1;
                assert!(d[0].hypot(d[1]) < 1e-8, "a force inside its disc holds");
            } else {
                rim += 1;
                let along = t[0] * d[0] + t[1] * d[1];
                let across = t[0] * d[1] - t[1] * d[0];
                assert!(along < 1e-9 && across.abs() < 1e-7, "{along} {across}");
            }
        }
        assert!(inside > 0 && rim > 0);
        // the same from another start
        let mut again = vec![0.05; size];
        solve_discs(&compliance, &offsets, &limits, &mut again, &mut distances);
        assert!(force.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-8));
    }

    #[test]
    fn repeated_contacts_share_their_load() {
        // the same contact twice: forces are not unique, their sum is
        let compliance = [
            1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0,
        ];
        let offsets = [-1.0, 0.5, -1.0, 0.5];
        let (mut force, mut distances) = (vec![0.0; 4], Vec::new());
        let report = solve_discs(
            &compliance,
            &offsets,
            &[5.0, 5.0],
            &mut force,
            &mut distances,
        );
        assert!(report.converged);
        assert!((force[0] + force[2] - 1.0).abs() < 1e-9);
        assert!((force[1] + force[3] + 0.5).abs() < 1e-9);
    }
}
