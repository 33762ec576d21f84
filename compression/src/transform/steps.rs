//! One level of lifting, applied to any number of channels.

use pliant_core::mesh::WeightedRows;

use super::predict::Stencil;

/// Prediction and update of the rows that one level adds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LiftingStep {
    /// First row of the level.
    pub first: usize,
    /// Ranges in `rows` and `weights`, one more than rows of the level.
    pub offsets: Vec<u32>,
    /// Coarser rows that each row is predicted from.
    pub rows: Vec<u32>,
    pub weights: Vec<f64>,
    /// Coarser rows that each detail updates; the own row stands for a missing one.
    pub updated: Vec<[u32; 2]>,
    /// Share of the detail that is added to each of them; zero for a missing one.
    pub shares: Vec<[f64; 2]>,
    /// For each coarser row, the rows of the level whose details update it, ascending, and their shares.
    pub updaters: WeightedRows,
    /// The same numbers, row by row, where no row is predicted from more than two others.
    pub pairs: Vec<PairStep>,
}

/// Prediction and update of one row by two coarser ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairStep {
    pub predict: [u32; 2],
    pub update: [u32; 2],
    pub weights: [f64; 2],
    pub shares: [f64; 2],
}

impl LiftingStep {
    pub(super) fn new(first: usize, predictors: &[Stencil], updates: &[Stencil]) -> Self {
        let mut step = Self {
            first,
            offsets: vec![0],
            rows: Vec::new(),
            weights: Vec::new(),
            updated: Vec::new(),
            shares: Vec::new(),
            updaters: WeightedRows::default(),
            pairs: Vec::new(),
        };
        let mut updaters: Vec<Stencil> = vec![Vec::new(); first];
        for (k, (predictor, update)) in predictors.iter().zip(updates).enumerate() {
            let own = (first + k) as u32;
            for &(row, share) in update {
                updaters[row as usize].push((own, share));
            }
            step.rows.extend(predictor.iter().map(|(row, _)| *row));
            step.weights.extend(predictor.iter().map(|(_, w)| *w));
            step.offsets.push(step.rows.len() as u32);
            let part = |j: usize| update.get(j).copied().unwrap_or((own, 0.0));
            step.updated.push([part(0).0, part(1).0]);
            step.shares.push([part(0).1, part(1).1]);
        }
        step.updaters = WeightedRows::from_rows(updaters);
        if predictors.iter().all(|p| p.len() <= 2) {
            let pair = |(k, p): (usize, &Stencil)| {
                let part = |j: usize| p.get(j).copied().unwrap_or(((first + k) as u32, 0.0));
                PairStep {
                    predict: [part(0).0, part(1).0],
                    update: step.updated[k],
                    weights: [part(0).1, part(1).1],
                    shares: step.shares[k],
                }
            };
            step.pairs = predictors.iter().enumerate().map(pair).collect();
        }
        step
    }

    /// Rows of the level.
    pub fn len(&self) -> usize {
        self.updated.len()
    }

    /// The coarser rows and weights of row `k` of the level.
    pub fn predictor(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.offsets[k] as usize..self.offsets[k + 1] as usize;
        let rows = self.rows[range.clone()].iter().map(|&r| r as usize);
        rows.zip(self.weights[range].iter().copied())
    }

    /// The coarser rows that detail `k` updates, and its shares.
    pub fn update(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let pairs = self.updated[k].into_iter().zip(self.shares[k]);
        pairs
            .filter(|(_, s)| *s != 0.0)
            .map(|(row, s)| (row as usize, s))
    }

    /// Adds `sign` times the predictions to the rows of the level.
    pub fn predict(&self, data: &mut [f64], channels: usize, sign: f64) {
        for k in 0..self.len() {
            let own = (self.first + k) * channels;
            let (coarse, fine) = data.split_at_mut(own);
            for (row, weight) in self.predictor(k) {
                let values = &coarse[row * channels..(row + 1) * channels];
                for (x, value) in fine.iter_mut().zip(values) {
                    *x += sign * weight * value;
                }
            }
        }
    }

    /// Adds `sign` times the shares of the details to coarser rows.
    pub fn lift(&self, data: &mut [f64], channels: usize, sign: f64) {
        for k in 0..self.len() {
            let own = (self.first + k) * channels;
            let (coarse, fine) = data.split_at_mut(own);
            for (row, share) in self.update(k) {
                let values = &mut coarse[row * channels..(row + 1) * channels];
                for (x, detail) in values.iter_mut().zip(fine.iter()) {
                    *x += sign * share * detail;
                }
            }
        }
    }
}
