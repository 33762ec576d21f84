//! Violations of elasticity by foreign columns.

use faer::{Mat, Side};

use crate::greens::matrix::GreensMatrix;

/// Violations of elasticity by foreign columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignReport {
    /// Free vertices of the skin.
    pub free: usize,
    /// Free vertices that have columns.
    pub known: usize,
    /// Frobenius norm of the antisymmetric part of the compliances between known vertices, over that of the whole (reciprocity; 0 for a conservative body).
    pub asymmetry: f64,
    /// The two vertices that differ most.
    pub worst_pair: [u32; 2],
    /// Whether every force does positive work.
    pub positive_definite: bool,
    /// The most negative eigenvalue of the compliances over the largest, approximately; zero where they are positive definite.
    pub most_negative: f64,
    /// Largest displacement of a held vertex over the largest of all: supports do not move.
    pub held_motion: f64,
    /// Columns whose own vertex is not the one that moves most.
    pub not_dominant: usize,
}

impl ForeignReport {
    /// A sentence for each violation, for the user.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.known < self.free {
            notes.push(format!(
                "{} of {} free vertices have no column: contact there is refused",
                self.free - self.known,
                self.free
            ));
        }
        if self.asymmetry > 1e-6 {
            notes.push(format!(
                "the columns are not reciprocal: {:.2} % antisymmetric, most between vertices {} and {}; the symmetric part is used",
                100.0 * self.asymmetry,
                self.worst_pair[0],
                self.worst_pair[1]
            ));
        }
        if !self.positive_definite {
            notes.push(format!(
                "the columns are not positive definite (eigenvalue {:.1e} of the largest): some pushes yield energy",
                self.most_negative
            ));
        }
        if self.held_motion > 1e-6 {
            notes.push(format!(
                "supported vertices move by {:.2} % of the largest displacement in the columns",
                100.0 * self.held_motion
            ));
        }
        if self.not_dominant > 0 {
            notes.push(format!(
                "{} columns move another vertex more than the one that is pushed",
                self.not_dominant
            ));
        }
        notes
    }
}

/// Antisymmetric share of the compliances between known vertices, and the pair that differs most.
pub(super) fn asymmetry(known: &[(u32, usize)], values: &[f64], height: usize) -> (f64, [u32; 2]) {
    let entry = |to: u32, r: usize, column: usize, c: usize| {
        values[(3 * column + c) * height + 3 * to as usize + r]
    };
    let (mut antisymmetric, mut all, mut worst) = (0.0, 0.0, (-1.0, [0, 0]));
    for (i, &(v, of_v)) in known.iter().enumerate() {
        for &(w, of_w) in &known[i..] {
            let mut pair_difference = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    let (a, b) = (entry(v, r, of_w, c), entry(w, c, of_v, r));
                    pair_difference += 0.5 * (a - b) * (a - b);
                    all += a * a + b * b;
                }
            }
            antisymmetric += pair_difference;
            if pair_difference > worst.0 {
                worst = (pair_difference, [v, w]);
            }
        }
    }
    (
        f64::sqrt(antisymmetric / f64::max(all, f64::MIN_POSITIVE)),
        worst.1,
    )
}

/// Power iterations for the most negative eigenvalue.
const ITERATIONS: usize = 60;

/// Whether the compliances between known nodes are positive definite; if not, also the approximate ratio of the most negative eigenvalue to the largest.
pub(super) fn definiteness(matrix: &GreensMatrix) -> (bool, f64) {
    let known: Vec<usize> = (0..matrix.nodes())
        .filter(|&n| matrix.has_column(n as u32))
        .collect();
    let block = Mat::from_fn(3 * known.len(), 3 * known.len(), |r, c| {
        matrix.block(known[r / 3], known[c / 3])[(r % 3, c % 3)]
    });
    if block.llt(Side::Lower).is_ok() {
        return (true, 0.0);
    }
    // the eigenvalue farthest from `shift` by repeated products
    let dominant_eigenvalue = |shift: f64| {
        let mut x = Mat::from_fn(block.nrows(), 1, |r, _| {
            1.0 + 0.1 * ((r * 7919) % 101) as f64
        });
        let mut value = 0.0;
        for _ in 0..ITERATIONS {
            let size = x.norm_l2();
            if size <= 0.0 {
                break;
            }
            x = &x * faer::Scale(1.0 / size);
            let y = &block * &x - &x * faer::Scale(shift);
            value = (x.transpose() * &y)[(0, 0)];
            x = y;
        }
        value + shift
    };
    let largest = dominant_eigenvalue(0.0);
    let least = if largest < 0.0 {
        largest
    } else {
        dominant_eigenvalue(largest)
    };
    (false, least / largest.abs().max(f64::MIN_POSITIVE))
}
