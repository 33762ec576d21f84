//! Reconstruction of a part of the rows, and of the rest on coarse levels (James and Pai 2003, level of detail).

use pliant_core::mesh::WeightedRows;

use super::lifting::{WaveletTransform, add_scaled};
use crate::error::{CompressionError, check_length};
use crate::number::Number;

/// The rows of a transform that are computed, with the level of each.
///
/// A wanted row has the value of the finest level. The region also holds the rows and details that predict and update it, level by level. All rows of the
/// coarsest level have at least the value of that level. Every value is that of the whole inverse to the level of its row, to the bit.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    coarsest: usize,
    /// Level to which each row is computed, if it is.
    levels: Vec<Option<u8>>,
    /// Whether the coefficient of each row is read.
    reads: Vec<bool>,
    /// The level above the coarsest first.
    steps: Vec<RegionStep>,
    operations: usize,
}

/// The lifting step of one level on the rows of a region.
#[derive(Debug, Clone, PartialEq)]
struct RegionStep {
    /// Coarser rows from which shares of the details are subtracted.
    lifted: Vec<u32>,
    /// Details and shares of each of these rows, in the order of the whole inverse.
    shares: WeightedRows,
    /// Rows of the level that are computed.
    predicted: Vec<u32>,
}

impl Region {
    /// The coarsest level: all of its rows are computed.
    pub fn coarsest(&self) -> usize {
        self.coarsest
    }

    /// The level whose value `row` has: the finest one where it is wanted; none where it is not computed.
    pub fn level_of(&self, row: usize) -> Option<usize> {
        self.levels.get(row).copied().flatten().map(usize::from)
    }

    /// Whether the coefficient of `row` is read.
    pub fn reads(&self, row: usize) -> bool {
        self.reads.get(row).copied().unwrap_or(false)
    }

    /// Number of multiplications of an inverse on the region, for each channel.
    pub fn operations(&self) -> usize {
        self.operations
    }

    pub(crate) fn read_rows(&self) -> &[bool] {
        &self.reads
    }
}

impl WaveletTransform {
    /// The region in which the rows with `wanted` true have the finest level, and all rows of `coarsest` at least that. Make it once for
    /// many sums with the same region.
    ///
    /// Cost: a pass over all weights of the transform.
    ///
    /// # Errors
    /// [`CompressionError::WrongLength`].
    pub fn region(&self, wanted: &[bool], coarsest: usize) -> Result<Region, CompressionError> {
        let domain = self.domain();
        check_length("the list of wanted rows", wanted.len(), domain.rows())?;
        let coarsest = coarsest.min(domain.finest());
        let base = domain.rows_to(coarsest);
        let mut needed = wanted.to_vec();
        let mut region = Region {
            coarsest,
            levels: vec![None; domain.rows()],
            reads: vec![false; domain.rows()],
            steps: Vec::new(),
            operations: 0,
        };
        region.reads[..base].fill(true);
        let numbered = self.steps().iter().enumerate().skip(coarsest);
        for (before, step) in numbered.rev() {
            let level = before as u8 + 1;
            let own = |k: &usize| needed[step.first + k];
            let fine: Vec<usize> = (0..step.len()).filter(own).collect();
            let mut part = RegionStep {
                lifted: Vec::new(),
                shares: WeightedRows::default(),
                predicted: Vec::with_capacity(fine.len()),
            };
            for k in fine {
                let row = step.first + k;
                part.predicted.push(row as u32);
                region.reads[row] = true;
                for (from, _) in step.predictor(k) {
                    needed[from] = true;
                    region.operations += 1;
                }
            }
            let mut shares = vec![Vec::new(); step.first];
            for k in 0..step.len() {
                for (row, share) in step.update(k).filter(|(row, _)| needed[*row]) {
                    shares[row].push(((step.first + k) as u32, share));
                    region.reads[step.first + k] = true;
                    region.operations += 1;
                }
            }
            for (row, shares) in shares.into_iter().enumerate() {
                if !shares.is_empty() {
                    part.lifted.push(row as u32);
                    part.shares.push(shares);
                }
            }
            // rows that are needed at a finer level have that level already
            let rows = needed.iter().zip(&mut region.levels);
            for (_, of_row) in rows.take(step.first + step.len()).filter(|(n, _)| **n) {
                of_row.get_or_insert(level);
            }
            region.steps.push(part);
        }
        region.steps.reverse();
        for of_row in &mut region.levels[..base] {
            of_row.get_or_insert(coarsest as u8);
        }
        for step in &self.steps()[..coarsest] {
            let of_row = |k| step.predictor(k).count() + step.update(k).count();
            region.operations += (0..step.len()).map(of_row).sum::<usize>();
        }
        Ok(region)
    }

    /// Coefficients to the values of a region; values of rows that are not in it are left alone.
    pub(crate) fn inverse_region<T: Number>(
        &self,
        region: &Region,
        coefficients: &[[T; 4]],
        values: &mut [[T; 4]],
    ) {
        let base = self.domain().rows_to(region.coarsest);
        values[..base].copy_from_slice(&coefficients[..base]);
        self.inverse_field(values, region.coarsest);
        let steps = self.steps().iter().skip(region.coarsest);
        for (step, part) in steps.zip(&region.steps) {
            for (k, &row) in part.lifted.iter().enumerate() {
                let (details, shares) = part.shares.row(k);
                let value = &mut values[row as usize];
                for (&detail, &share) in details.iter().zip(shares) {
                    add_scaled(value, coefficients[detail as usize], T::from_f64(-share));
                }
            }
            let (coarse, fine) = values.split_at_mut(step.first);
            for &row in &part.predicted {
                let k = row as usize - step.first;
                fine[k] = coefficients[row as usize];
                for (from, weight) in step.predictor(k) {
                    add_scaled(&mut fine[k], coarse[from], T::from_f64(weight));
                }
            }
        }
    }

    /// Sets the rows outside of a region to their predictions from coarser rows.
    pub(crate) fn interpolate_outside<T: Number>(&self, region: &Region, values: &mut [[T; 4]]) {
        for step in self.steps().iter().skip(region.coarsest) {
            let (coarse, fine) = values.split_at_mut(step.first);
            for (k, value) in fine.iter_mut().enumerate().take(step.len()) {
                if region.level_of(step.first + k).is_some() {
                    continue;
                }
                *value = [T::default(); 4];
                for (from, weight) in step.predictor(k) {
                    add_scaled(value, coarse[from], T::from_f64(weight));
                }
            }
        }
    }
}
