//! Tangential forces within discs: the friction problem for given normal forces, which Tresca's law asks (`|t| ≤ r` each).
//!
//! The forces minimise `½ tᵀCt + oᵀt` over the discs, where `o` are the tangential distances from sticking: a force inside its disc closes
//! its distance, one on the rim points where the tool drags the surface (the principle of maximum dissipation).

/// Forces within discs that are looked for.
#[derive(Debug, Clone, Copy)]
pub struct DiscProblem<'a> {
    /// `C` of `k` contacts, symmetric and positive semidefinite, `2k × 2k` row by row, m/N.
    pub compliance: &'a [f64],
    /// The `2k` distances from sticking without these forces, m.
    pub offsets: &'a [f64],
    /// The `k` radii, N.
    pub limits: &'a [f64],
}

impl DiscProblem<'_> {
    /// Row of `C`, which is a column as well.
    #[inline]
    pub(super) fn row(&self, k: usize) -> &[f64] {
        let size = self.offsets.len();
        &self.compliance[k * size..(k + 1) * size]
    }

    /// `o + C t`, m; cost `8k²` flops.
    pub fn distances(&self, force: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(self.offsets);
        for (k, &f) in force.iter().enumerate() {
            self.shift(out, k, f);
        }
    }

    #[inline]
    fn shift(&self, distances: &mut [f64], k: usize, change: f64) {
        if change != 0.0 {
            for (d, c) in distances.iter_mut().zip(self.row(k)) {
                *d += c * change;
            }
        }
    }

    /// The larger eigenvalue of each contact's own block, m/N.
    pub(super) fn yielding(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend((0..self.limits.len()).map(|c| {
            let (a, b) = (2 * c, 2 * c + 1);
            let (p, q, s) = (self.row(a)[a], self.row(b)[b], self.row(a)[b]);
            0.5 * (p + q) + (0.25 * (p - q).powi(2) + s * s).sqrt()
        }));
    }

    /// What contact `c` alone would like to have, with the present `distances` and the eigenvalue of its block.
    #[inline]
    pub(super) fn wanted(
        &self,
        c: usize,
        force: &[f64],
        distances: &[f64],
        yielding: f64,
    ) -> [f64; 2] {
        let (a, b) = (2 * c, 2 * c + 1);
        if yielding.is_nan() || yielding <= 0.0 {
            return [force[a], force[b]];
        }
        let (x, y) = (
            force[a] - distances[a] / yielding,
            force[b] - distances[b] / yielding,
        );
        within(x, y, self.limits[c])
    }

    /// One pass; the largest change of a force.
    pub(super) fn sweep(&self, force: &mut [f64], distances: &mut [f64], yielding: &[f64]) -> f64 {
        let mut change = 0.0_f64;
        for (c, &yielding) in yielding.iter().enumerate() {
            let (a, b) = (2 * c, 2 * c + 1);
            let [x, y] = self.wanted(c, force, distances, yielding);
            let (dx, dy) = (x - force[a], y - force[b]);
            self.shift(distances, a, dx);
            self.shift(distances, b, dy);
            (force[a], force[b]) = (x, y);
            change = change.max(dx.abs()).max(dy.abs());
        }
        change
    }
}

/// The nearest place within a disc.
#[inline]
pub(super) fn within(x: f64, y: f64, limit: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > limit {
        [x * (limit / length), y * (limit / length)]
    } else {
        [x, y]
    }
}
