//! Vertices that are held in the same directions: a linearly independent subset of their rows is solved directly.
//!
//! Many skin vertices that are held at once, as by a hand, may depend on few nodes. Gauss–Seidel then converges slowly, and corrects less of an error in a substep than
//! stabilisation asks for. Impulses are kept for the next substep, so this is an integral control whose gain is too low: it oscillates without bound. A hand that held coarse
//! elements still threw them about with ten thousand newtons.
//!
//! All directions have the same matrix `G = J M⁻¹ Jᵀ`. Pivoted Gram–Schmidt on the rows of `J M^(-1/2)` finds independent rows and the Cholesky factor `L` of their `G = L Lᵀ`.

use super::row::Row;
use crate::boundary::ConstrainedDirections;
use crate::math::Vec3;
use crate::mesh::WeightedRows;

/// A row counts as independent where at least this share of its squared norm is orthogonal to the rows before it. With equal masses, a node beside a held one is held, too,
/// where held vertices reach 40 % of the way to it.
///
/// Vertices of a patch that is smaller than an element have nearly the same row. Holding their small differences, too, holds nodes far outside of the patch: the reactions of a
/// coarse bunny that was held at its ears were eight times too large with 1e-3, and three times with 0.1. With the default budget, the forces of four bodies changed by up to 7 %.
const MIN_INDEPENDENT_SHARE: f64 = 0.3;
/// Most rows times nodes that are solved directly. Larger sets depend on many nodes, and are left to the sweeps.
const MAX_MATRIX_ENTRIES: usize = 200_000;

/// The rows of a frame that are held in the same directions. The factor is kept while rows, embedding and masses stay as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct HeldRows {
    /// numbers of all these rows
    held: Vec<u32>,
    /// the independent rows, in the order of `factor`, as indices into `held`
    independent: Vec<u32>,
    /// `L`, row after row, each as long as `independent`
    factor: Vec<f64>,
    /// nonzero entries of `J M^(-1/2)` as (index into `held`, local node, value): of this frame, and those that were factorised
    entries: Vec<(u32, u32, f64)>,
    factorised_entries: Vec<(u32, u32, f64)>,
    /// for each held row its component orthogonal to the independent rows so far, and the squared norm of this component: now, and before any was taken out
    residuals: Vec<f64>,
    squared_norms: Vec<[f64; 2]>,
    /// projections of all held rows onto each independent one
    projections: Vec<f64>,
    /// solution of the triangular systems: an impulse for each independent row, N·s
    impulses: Vec<Vec3>,
}

impl HeldRows {
    /// Takes the rows of a frame that are held in `directions`. Rows that depend on others get an effective mass of zero. `local_rows` has for each row the local indices of its
    /// nodes, and their weights; `inverse_masses` (1/kg) are those of the local nodes.
    pub fn begin_frame(
        &mut self,
        directions: ConstrainedDirections,
        rows: &mut [Row],
        local_rows: &WeightedRows,
        inverse_masses: &[f64],
    ) {
        self.held.clear();
        let is_held =
            |row: &Row| row.is_held() && row.directions == directions && row.effective_mass > 0.0;
        let held = rows.iter().enumerate().filter(|(_, row)| is_held(row));
        self.held.extend(held.map(|(k, _)| k as u32));
        if self.held.len() < 2 || self.held.len() * inverse_masses.len() > MAX_MATRIX_ENTRIES {
            self.held.clear();
            self.independent.clear();
            self.factorised_entries.clear();
            return;
        }
        self.entries.clear();
        for (k, &row) in self.held.iter().enumerate() {
            for (node, w) in local_rows.entries(row as usize) {
                let entry = w * inverse_masses[node as usize].sqrt();
                self.entries.push((k as u32, node, entry));
            }
        }
        if self.entries != self.factorised_entries {
            std::mem::swap(&mut self.entries, &mut self.factorised_entries);
            self.factorise(inverse_masses.len());
        }
        for &row in &self.held {
            rows[row as usize].effective_mass = 0.0;
        }
        for &k in &self.independent {
            let row = &mut rows[self.held[k as usize] as usize];
            row.effective_mass = self.squared_norms[k as usize][1].recip();
            row.is_solved_directly = true;
        }
    }

    /// Gram–Schmidt; the pivot is the row with the largest orthogonal share.
    fn factorise(&mut self, nodes: usize) {
        let count = self.held.len();
        self.independent.clear();
        self.residuals.clear();
        self.residuals.resize(count * nodes, 0.0);
        for &(k, node, entry) in &self.factorised_entries {
            self.residuals[k as usize * nodes + node as usize] += entry;
        }
        self.squared_norms.clear();
        let rows = self.residuals.chunks_exact(nodes);
        self.squared_norms.extend(rows.map(|row| {
            let square: f64 = row.iter().map(|x| x * x).sum();
            [square; 2]
        }));
        self.projections.clear();
        let share = |[orthogonal, all]: [f64; 2]| orthogonal / all;
        loop {
            // of equals the first; independent rows have a share of zero
            let by_share = |a: &usize, b: &usize| {
                share(self.squared_norms[*a]).total_cmp(&share(self.squared_norms[*b]))
            };
            let pivot = (0..count).rev().max_by(by_share);
            let pivot = pivot.filter(|k| share(self.squared_norms[*k]) >= MIN_INDEPENDENT_SHARE);
            let Some(pivot) = pivot else {
                break;
            };
            let length = self.squared_norms[pivot][0].sqrt();
            let (before, rest) = self.residuals.split_at_mut(pivot * nodes);
            let (direction, after) = rest.split_at_mut(nodes);
            direction.iter_mut().for_each(|x| *x /= length);
            let first = self.projections.len();
            self.projections.resize(first + count, 0.0);
            let others = before.chunks_exact_mut(nodes).enumerate();
            let others = others.chain((pivot + 1..).zip(after.chunks_exact_mut(nodes)));
            for (k, row) in others {
                if self.squared_norms[k][0] <= 0.0 {
                    // independent already, or wholly dependent
                    continue;
                }
                let projection: f64 = row.iter().zip(&*direction).map(|(a, b)| a * b).sum();
                row.iter_mut()
                    .zip(&*direction)
                    .for_each(|(a, b)| *a -= projection * b);
                self.squared_norms[k][0] -= projection * projection;
                self.projections[first + k] = projection;
            }
            self.projections[first + pivot] = length;
            self.squared_norms[pivot][0] = 0.0;
            self.independent.push(pivot as u32);
        }
        self.factor.clear();
        let size = self.independent.len();
        for &row in &self.independent {
            let entries = (0..size).map(|column| self.projections[column * count + row as usize]);
            self.factor.extend(entries);
        }
    }

    /// Brings the independent rows to their target velocities by impulses on the local nodes, given as velocity (m/s) and inverse mass (1/kg). `local_rows` are those of
    /// [`HeldRows::begin_frame`].
    pub fn project(
        &mut self,
        rows: &mut [Row],
        local_nodes: &mut [(Vec3, f64)],
        local_rows: &WeightedRows,
        step: f64,
    ) {
        let nodes = |row: usize| {
            let (nodes, weights) = local_rows.row(row);
            nodes.iter().map(|k| *k as usize).zip(weights)
        };
        let (held, impulses) = (&self.held, &mut self.impulses);
        let independent = || self.independent.iter().map(|k| held[*k as usize] as usize);
        impulses.clear();
        impulses.extend(independent().map(|row| {
            let before: Vec3 = nodes(row).map(|(k, w)| local_nodes[k].0 * *w).sum();
            let row = &rows[row];
            row.directions.part(&(row.target_velocity(step) - before))
        }));
        solve(&self.factor, impulses);
        for (row, impulse) in independent().zip(&*impulses) {
            for (k, w) in nodes(row) {
                let (velocity, inverse_mass) = &mut local_nodes[k];
                *velocity += impulse * (*w * *inverse_mass);
            }
            rows[row].impulse += impulse;
        }
    }
}

/// Solves `L Lᵀ x = b` in place: `x` holds `b` on entry.
fn solve(factor: &[f64], x: &mut [Vec3]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            let solved = x[j];
            x[i] -= solved * factor[i * n + j];
        }
        x[i] /= factor[i * n + i];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            let solved = x[j];
            x[i] -= solved * factor[j * n + i];
        }
        x[i] /= factor[i * n + i];
    }
}
