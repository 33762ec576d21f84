//! Cholesky factors of small dense systems, through faer.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::{MatMut, MatRef, Par};

/// `H = L Lᵀ` of a symmetric positive definite matrix; memory is kept between factorisations.
#[derive(Default)]
pub struct DenseCholesky {
    size: usize,
    /// Column by column, L on and below the diagonal.
    values: Vec<f64>,
    memory: Option<MemBuffer>,
    memory_size: usize,
}

impl std::fmt::Debug for DenseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseCholesky")
            .field("size", &self.size)
            .finish()
    }
}

impl DenseCholesky {
    /// Factors a matrix on the calling thread; cost `n³/3` flops. `write` fills its columns one after the other, each from the diagonal on.
    /// `false`, without a factor, where it is not positive definite.
    pub fn factor(&mut self, size: usize, mut write: impl FnMut(usize, &mut [f64])) -> bool {
        self.size = 0;
        // entries above the diagonal are never read
        self.values.resize(size * size, 0.0);
        for (k, column) in self.values.chunks_exact_mut(size.max(1)).enumerate() {
            write(k, &mut column[k..]);
        }
        let memory = match &mut self.memory {
            Some(memory) if self.memory_size >= size => memory,
            slot => {
                self.memory_size = size + size / 2;
                slot.insert(MemBuffer::new(cholesky_in_place_scratch::<f64>(
                    self.memory_size,
                    Par::Seq,
                    Default::default(),
                )))
            }
        };
        let outcome = cholesky_in_place(
            MatMut::from_column_major_slice_mut(&mut self.values, size, size),
            Default::default(),
            Par::Seq,
            MemStack::new(memory),
            Default::default(),
        );
        if outcome.is_ok() {
            self.size = size;
        }
        outcome.is_ok()
    }

    /// Replaces `right` (of the factored size) by the solution; cost `2n²` flops.
    pub fn solve(&mut self, right: &mut [f64]) {
        let (size, Some(memory)) = (self.size, &mut self.memory) else {
            return;
        };
        if size == 0 || right.len() != size {
            return;
        }
        solve_in_place(
            MatRef::from_column_major_slice(&self.values, size, size),
            MatMut::from_column_major_slice_mut(right, size, 1),
            Par::Seq,
            MemStack::new(memory),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_satisfy_the_system_and_an_indefinite_one_is_refused() {
        let entry = |i: usize, j: usize| {
            let distance = i.abs_diff(j) as f64;
            1.0 / (1.0 + distance * distance) + if i == j { 0.5 } else { 0.0 }
        };
        let mut cholesky = DenseCholesky::default();
        for size in [0, 1, 5, 90, 40] {
            let fill = |k: usize, column: &mut [f64]| {
                (column.iter_mut().enumerate()).for_each(|(i, c)| *c = entry(k + i, k));
            };
            assert!(cholesky.factor(size, fill));
            let right: Vec<f64> = (0..size).map(|k| k as f64 - 3.0).collect();
            let mut x = right.clone();
            cholesky.solve(&mut x);
            for (i, b) in right.iter().enumerate() {
                let row: f64 = (0..size).map(|j| entry(i, j) * x[j]).sum();
                assert!((row - b).abs() < 1e-11);
            }
        }
        assert!(!cholesky.factor(3, |k, column| column[0] = 1.0 - k as f64));
    }
}
