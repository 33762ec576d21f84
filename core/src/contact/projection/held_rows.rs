//! Vertices that are held in the same directions: solved together, and only those of them that do not follow from others.
//!
//! Many skin vertices that are held at once, as by a hand, may hang on few nodes. Gauss–Seidel then converges slowly, and takes back less of an error in a substep than the
//! correction of positions asks for. As impulses are carried on to the next substep, that is an integral control whose gain is too low: it swings up without bound. Coarse
//! elements were thrown about with ten thousand newtons by a hand that held them still.
//!
//! All directions have the same matrix `G = J M⁻¹ Jᵀ`. Pivoted Gram–Schmidt on the rows of `J M^(-1/2)` finds independent rows and the factor `L` of their `G = L Lᵀ`.

use super::row::Row;
use crate::boundary::ConstrainedDirections;
use crate::math::Vec3;
use crate::mesh::WeightedRows;

/// Least part of a row, as a square, that does not follow from those before it. With equal masses a node beside a held one is held, too, where held vertices reach 40 % of the
/// way to it.
///
/// Vertices of a patch that is smaller than an element have nearly the same row. To hold their small differences, too, is to hold nodes far outside of the patch: a coarse bunny
/// whose ears were held felt eight times too much with 1e-3, and three times with 0.1. With the default budget the forces of four bodies changed by up to 7 %.
const LEAST_OWN: f64 = 0.3;
/// Most rows times nodes that are solved together. Larger sets are held by many nodes, and are left to the sweeps.
const MOST: usize = 200_000;

/// The held rows of a frame. What was found is kept while rows, embedding and masses stay as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct HeldRows {
    /// all rows of held vertices
    held: Vec<u32>,
    /// those that are solved, in the order of `factor`, by their places in `held`
    solved: Vec<u32>,
    /// `L`, row after row, each as long as `solved`
    factor: Vec<f64>,
    /// weights over roots of masses of all held rows, with the row and the node that they belong to: now, and when the factor was made
    now: Vec<(u32, u32, f64)>,
    seen: Vec<(u32, u32, f64)>,
    /// for each held row: what does not follow from solved ones, its square now and at first, and its part along each solved one
    own: Vec<f64>,
    squares: Vec<[f64; 2]>,
    along: Vec<f64>,
    /// impulses that are solved for
    impulses: Vec<Vec3>,
}

impl HeldRows {
    /// Takes over the rows of a frame that are held in `directions`, and takes the mass from each of a held vertex that follows from others. `places` has for each row the places
    /// of its nodes among those that are touched, whose inverse masses (1/kg) are given, and their weights.
    pub fn begin_frame(
        &mut self,
        directions: ConstrainedDirections,
        rows: &mut [Row],
        places: &WeightedRows,
        inverse_masses: &[f64],
    ) {
        self.held.clear();
        let is_held = |row: &Row| row.is_held() && row.directions == directions && row.mass > 0.0;
        let held = rows.iter().enumerate().filter(|(_, row)| is_held(row));
        self.held.extend(held.map(|(k, _)| k as u32));
        if self.held.len() < 2 || self.held.len() * inverse_masses.len() > MOST {
            self.held.clear();
            self.solved.clear();
            self.seen.clear();
            return;
        }
        self.now.clear();
        for (k, &row) in self.held.iter().enumerate() {
            let (places, weights) = places.row(row as usize);
            for (&place, w) in places.iter().zip(weights) {
                let weight = w * inverse_masses[place as usize].sqrt();
                self.now.push((k as u32, place, weight));
            }
        }
        if self.now != self.seen {
            std::mem::swap(&mut self.now, &mut self.seen);
            self.factorise(inverse_masses.len());
        }
        for &row in &self.held {
            rows[row as usize].mass = 0.0;
        }
        for &k in &self.solved {
            let row = &mut rows[self.held[k as usize] as usize];
            (row.mass, row.is_solved) = (self.squares[k as usize][1].recip(), true);
        }
    }

    /// Gram–Schmidt, the row next that has most of its own.
    fn factorise(&mut self, nodes: usize) {
        let count = self.held.len();
        self.solved.clear();
        self.own.clear();
        self.own.resize(count * nodes, 0.0);
        for &(k, place, weight) in &self.seen {
            self.own[k as usize * nodes + place as usize] += weight;
        }
        self.squares.clear();
        let rows = self.own.chunks_exact(nodes);
        self.squares.extend(rows.map(|row| {
            let square: f64 = row.iter().map(|x| x * x).sum();
            [square; 2]
        }));
        self.along.clear();
        let share = |[now, first]: [f64; 2]| now / first;
        loop {
            // the first of equals; what is solved has nothing of its own left
            let by_share =
                |a: &usize, b: &usize| share(self.squares[*a]).total_cmp(&share(self.squares[*b]));
            let next = (0..count).rev().max_by(by_share);
            let Some(next) = next.filter(|k| share(self.squares[*k]) >= LEAST_OWN) else {
                break;
            };
            let length = self.squares[next][0].sqrt();
            let (before, rest) = self.own.split_at_mut(next * nodes);
            let (direction, after) = rest.split_at_mut(nodes);
            direction.iter_mut().for_each(|x| *x /= length);
            let first = self.along.len();
            self.along.resize(first + count, 0.0);
            let others = before.chunks_exact_mut(nodes).enumerate();
            let others = others.chain((next + 1..).zip(after.chunks_exact_mut(nodes)));
            for (k, row) in others {
                if self.squares[k][0] <= 0.0 {
                    // solved, or nothing of its own is left
                    continue;
                }
                let part: f64 = row.iter().zip(&*direction).map(|(a, b)| a * b).sum();
                row.iter_mut()
                    .zip(&*direction)
                    .for_each(|(a, b)| *a -= part * b);
                self.squares[k][0] -= part * part;
                self.along[first + k] = part;
            }
            self.along[first + next] = length;
            self.squares[next][0] = 0.0;
            self.solved.push(next as u32);
        }
        self.factor.clear();
        let steps = self.solved.len();
        for &row in &self.solved {
            let parts = (0..steps).map(|step| self.along[step * count + row as usize]);
            self.factor.extend(parts);
        }
    }

    /// Gives the rows the velocities that they want, by impulses on the touched nodes, whose velocities (m/s) and inverse masses (1/kg) are `local`. `places` are as above.
    pub fn project(
        &mut self,
        rows: &mut [Row],
        local: &mut [(Vec3, f64)],
        places: &WeightedRows,
        step: f64,
    ) {
        let nodes = |row: usize| {
            let (places, weights) = places.row(row);
            places.iter().map(|k| *k as usize).zip(weights)
        };
        let (held, x) = (&self.held, &mut self.impulses);
        let solved = || self.solved.iter().map(|k| held[*k as usize] as usize);
        x.clear();
        x.extend(solved().map(|row| {
            let before: Vec3 = nodes(row).map(|(k, w)| local[k].0 * *w).sum();
            let row = &rows[row];
            row.directions.part(&(row.held_velocity(step) - before))
        }));
        solve(&self.factor, x);
        for (row, impulse) in solved().zip(&*x) {
            for (k, w) in nodes(row) {
                let (velocity, inverse_mass) = &mut local[k];
                *velocity += impulse * (*w * *inverse_mass);
            }
            rows[row].impulse += impulse;
        }
    }
}

/// Solves `L Lᵀ x = b`, with `b` in the place of `x`.
fn solve(factor: &[f64], x: &mut [Vec3]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            let known = x[j];
            x[i] -= known * factor[i * n + j];
        }
        x[i] /= factor[i * n + i];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            let known = x[j];
            x[i] -= known * factor[j * n + i];
        }
        x[i] /= factor[i * n + i];
    }
}
