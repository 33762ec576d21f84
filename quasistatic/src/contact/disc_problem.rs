//! Friction for given normal forces, Tresca's problem: each tangential force stays within a disc, `|t| ≤ r`.
//!
//! The forces minimise `½ tᵀCt + oᵀt` over the discs, where `o` is the slip without them. Where a force lies inside its disc, the contact sticks: its
//! slip `o + C t` is zero. Where it lies on the rim, the contact slides, and the force points against the slip (principle of maximum
//! dissipation).

/// The problem of the tangential forces of some contacts, each within its disc.
#[derive(Debug, Clone, Copy)]
pub struct DiscProblem<'a> {
    /// `C` of `k` contacts, symmetric and positive semidefinite, `2k × 2k` row by row, m/N.
    pub compliance: &'a [f64],
    /// Tangential displacement of each contact against its tool without these forces, `2k` numbers, m.
    pub free_slip: &'a [f64],
    /// The `k` radii, N.
    pub limits: &'a [f64],
}

impl DiscProblem<'_> {
    /// Row of `C`, which is a column as well.
    #[inline]
    pub(super) fn row(&self, k: usize) -> &[f64] {
        let size = self.free_slip.len();
        &self.compliance[k * size..(k + 1) * size]
    }

    /// `o + C t`, m; cost `8k²` flops.
    pub fn slip(&self, force: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(self.free_slip);
        for (k, &f) in force.iter().enumerate() {
            self.shift(out, k, f);
        }
    }

    #[inline]
    fn shift(&self, slip: &mut [f64], k: usize, change: f64) {
        if change != 0.0 {
            for (d, c) in slip.iter_mut().zip(self.row(k)) {
                *d += c * change;
            }
        }
    }

    /// The larger eigenvalue of each contact's own block of `C`, m/N.
    pub(super) fn own_compliance(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend((0..self.limits.len()).map(|c| {
            let (a, b) = (2 * c, 2 * c + 1);
            let (p, q, s) = (self.row(a)[a], self.row(b)[b], self.row(a)[b]);
            0.5 * (p + q) + (0.25 * (p - q).powi(2) + s * s).sqrt()
        }));
    }

    /// The force of contact `c` after a step of its own against the present `slip`: projected Gauss-Seidel for one contact.
    #[inline]
    pub(super) fn projected_force(
        &self,
        c: usize,
        force: &[f64],
        slip: &[f64],
        own_compliance: f64,
    ) -> [f64; 2] {
        let (a, b) = (2 * c, 2 * c + 1);
        if own_compliance.is_nan() || own_compliance <= 0.0 {
            return [force[a], force[b]];
        }
        let (x, y) = (
            force[a] - slip[a] / own_compliance,
            force[b] - slip[b] / own_compliance,
        );
        project_to_disc(x, y, self.limits[c])
    }

    /// One sweep over all contacts; the largest change of a force, N.
    pub(super) fn sweep(&self, force: &mut [f64], slip: &mut [f64], own_compliance: &[f64]) -> f64 {
        let mut change = 0.0_f64;
        for (c, &own_compliance) in own_compliance.iter().enumerate() {
            let (a, b) = (2 * c, 2 * c + 1);
            let [x, y] = self.projected_force(c, force, slip, own_compliance);
            let (dx, dy) = (x - force[a], y - force[b]);
            self.shift(slip, a, dx);
            self.shift(slip, b, dy);
            (force[a], force[b]) = (x, y);
            change = change.max(dx.abs()).max(dy.abs());
        }
        change
    }
}

/// The point of a disc nearest to `(x, y)`.
#[inline]
pub(super) fn project_to_disc(x: f64, y: f64, limit: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > limit {
        [x * (limit / length), y * (limit / length)]
    } else {
        [x, y]
    }
}
