//! From a dense matrix to a hierarchical one.

mod allocation;
mod budget;
mod candidates;
mod entries;
mod low_rank;
mod quantisation;
mod report;

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use self::allocation::{BlockOptions, Choice, choose, price_for, term_width};
use self::budget::BudgetSearch;
use self::candidates::{Candidate, candidates, column_of};
use self::entries::{BlockNorms, Entries};
use self::quantisation::{Width, quantise_column, quantise_term};
use self::report::{measure, report};
use crate::hierarchical_matrix::assembly::StoredBlock;
use crate::hierarchical_matrix::cluster_tree::ClusterTree;
use crate::hierarchical_matrix::matrix::{Form, HierarchicalMatrix};
use crate::hierarchical_matrix::spec::{
    ErrorMeasure, HierarchicalMatrixError, HierarchicalReport, HierarchicalSpec,
};

/// Most budgets that are tried until one meets the tolerance.
const MAX_ATTEMPTS: usize = 8;
/// Number of budgets up to which a smaller matrix is sought although one has met the tolerance.
const IMPROVEMENT_ATTEMPTS: usize = 3;
/// Approximate relative error of the worst column over that of the scaled matrix: the first guess of the search.
const WORST_COLUMN_RATIO: f64 = 3.0;
/// Decompositions are computed again when the budget falls below this share of the one that they were computed for.
const REUSE_SHARE: f64 = 0.1;

impl HierarchicalMatrix {
    /// Compresses the matrix with `block(i, j)` between nodes at `positions` (m).
    ///
    /// Positions only group nodes. `block` gives `F_ij` (m/N), in any order and from several threads; the mean of `F_ij` and `F_jiᵀ` is stored. The bits do
    /// not depend on the number of threads. The error in the report is measured on all entries, and at most the one asked for.
    ///
    /// Cost: each entry is asked for about ten times, and multiplied with some tens of vectors; a body of 2000 nodes takes some seconds on two cores. On the way it needs
    /// up to twice the memory of the dense matrix in single precision.
    ///
    /// # Errors
    /// See [`HierarchicalMatrixError`].
    ///
    /// ```
    /// use pliant_compression::hierarchical_matrix::{HierarchicalMatrix, HierarchicalSpec, SumScratch};
    /// use pliant_core::asset::Progress;
    /// use pliant_core::math::{Mat3, Vec3};
    ///
    /// let positions: Vec<Vec3> = (0..200).map(|k| Vec3::new(0.01 * f64::from(k), 0.0, 0.0)).collect();
    /// let block = |i: usize, j: usize| Mat3::identity() / (0.02 + (positions[i] - positions[j]).norm());
    /// let spec = HierarchicalSpec::default();
    /// let (matrix, report) = HierarchicalMatrix::compress(&positions, block, &spec, &Progress::new())?;
    /// assert!(report.rms_error <= 0.01 && report.compression > 6.0);
    /// let mut field = vec![0.0; 600];
    /// matrix.add_columns(&[(7, Vec3::y())], &mut field, &mut SumScratch::default());
    /// assert!((field[3 * 7 + 1] - 50.0).abs() < 1.0);
    /// # Ok::<(), pliant_compression::hierarchical_matrix::HierarchicalMatrixError>(())
    /// ```
    pub fn compress(
        positions: &[Vec3],
        block: impl Fn(usize, usize) -> Mat3 + Sync,
        spec: &HierarchicalSpec,
        progress: &Progress,
    ) -> Result<(Self, HierarchicalReport), HierarchicalMatrixError> {
        spec.check()?;
        let n = positions.len();
        if n == 0 {
            return Err(HierarchicalMatrixError::NoNodes);
        }
        if n > u32::MAX as usize / 8 {
            return Err(HierarchicalMatrixError::TooLarge { nodes: n });
        }
        let is_finite = |x: &Vec3| x.iter().all(|x| x.abs() < 1e100);
        if let Some(node) = positions.iter().position(|x| !is_finite(x)) {
            return Err(HierarchicalMatrixError::PositionNotFinite { node });
        }
        progress.stage("checking entries");
        let norms = BlockNorms::new(n, &block, progress)?;
        if norms.asymmetry > spec.rms_error {
            return Err(HierarchicalMatrixError::NotSymmetric {
                asymmetry: norms.asymmetry,
                tolerance: spec.rms_error,
            });
        }
        let factors = match spec.measure {
            ErrorMeasure::Matrix => vec![norms.uniform_factor(); n],
            _ => norms.equilibration(),
        };
        let (square, asymmetry) = (norms.scaled_square(&factors), norms.asymmetry);
        // frees a number for each pair of nodes
        drop(norms);
        let tree = ClusterTree::new(positions, spec.leaf_size);
        let bounding_boxes = tree.bounding_boxes(positions);
        let entries = Entries {
            order: tree.order(),
            factors: &factors,
            block: &block,
        };
        let mut budget = 0.99 * spec.rms_error.powi(2) * square;
        if spec.measure == ErrorMeasure::EveryColumn {
            budget *= WORST_COLUMN_RATIO.powi(-2);
        }
        let inverse_factors: Vec<f32> = factors.iter().map(|f| 1.0 / f).collect();
        // the candidates, with the budget that they were decomposed for
        let mut reusable: Option<(f64, Candidates)> = None;
        let mut search = BudgetSearch::new(spec.rms_error);
        let mut best: Option<(Self, HierarchicalReport)> = None;
        for attempt in 1..=MAX_ATTEMPTS {
            let found = match reusable.take() {
                Some((for_budget, found)) if budget > REUSE_SHARE * for_budget => {
                    (for_budget, found)
                }
                _ => {
                    progress.stage("finding blocks of low rank");
                    let found = candidates(&tree, &bounding_boxes, &entries, budget, progress)?;
                    (budget, found)
                }
            };
            let (_, (candidates, options)) = &found;
            progress.stage("writing blocks");
            let price = price_for(options, budget);
            let blocks = store_blocks(&tree, &entries, (candidates, options), price, progress)?;
            let matrix = Self::from_stored_blocks(
                tree.clone(),
                spec.leaf_size as u32,
                inverse_factors.clone(),
                blocks,
            )
            .ok_or(HierarchicalMatrixError::TooLarge { nodes: n })?;
            progress.stage("measuring the error");
            let errors = measure(&matrix, &block, progress)?;
            let error = match spec.measure {
                ErrorMeasure::Matrix | ErrorMeasure::ScaledMatrix => errors.rms.max(errors.scaled),
                ErrorMeasure::EveryColumn => errors.column_rms,
            };
            if error <= spec.rms_error {
                let report = report(&matrix, &errors, asymmetry);
                if best.as_ref().is_none_or(|(_, b)| report.bytes < b.bytes) {
                    best = Some((matrix, report));
                }
            }
            match search.next(budget, error) {
                Some(next) if best.is_none() || attempt < IMPROVEMENT_ATTEMPTS => budget = next,
                _ => break,
            }
            reusable = Some(found);
        }
        best.ok_or(HierarchicalMatrixError::NotReached {
            reached: search.least_error(),
            tolerance: spec.rms_error,
        })
    }
}

/// Pairs of clusters with their possible forms.
type Candidates = (Vec<Candidate>, Vec<BlockOptions>);

/// The blocks with the fewest bytes at this price of a byte.
fn store_blocks<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    entries: &Entries<'_, B>,
    (found, options): (&[Candidate], &[BlockOptions]),
    price: f64,
    progress: &Progress,
) -> Result<Vec<StoredBlock>, HierarchicalMatrixError> {
    let (choices, _) = choose(options, price);
    let mut chosen = Vec::new();
    let mut pending = vec![0];
    while let Some(k) = pending.pop() {
        match choices[k] {
            Choice::Divided => pending.extend(&options[k].children),
            choice => chosen.push((k, choice)),
        }
    }
    let store = |&(k, choice): &(usize, Choice)| {
        progress.check()?;
        let candidate = &found[k];
        let stored = match (choice, &candidate.low_rank) {
            (Choice::LowRank, Some(_)) => store_low_rank(tree, candidate, &options[k], price),
            (choice, _) => store_dense(tree, entries, candidate, choice == Choice::Dense(true)),
        };
        Ok(stored)
    };
    chosen.par_iter().map(store).collect()
}

fn store_low_rank(
    tree: &ClusterTree,
    from: &Candidate,
    options: &BlockOptions,
    price: f64,
) -> StoredBlock {
    let size = [from.row, from.column].map(|c| tree.cluster(c).size());
    let mut block = StoredBlock::empty(from.row, from.column);
    let (mut narrow_scales, mut counts) = (Vec::new(), [0; 2]);
    let terms = options.terms.as_deref().unwrap_or_default();
    if let Some(decomposed) = &from.low_rank {
        for (t, errors) in terms.iter().enumerate() {
            match term_width(errors, options.term_numbers, price) {
                None => {}
                Some(true) => {
                    let term = quantise_term(decomposed, t, size, Width::Wide);
                    block.scales.push(term.scale);
                    block.wide.extend(term.numbers);
                    counts[0] += 1;
                }
                Some(false) => {
                    let term = quantise_term(decomposed, t, size, Width::Narrow);
                    narrow_scales.push(term.scale);
                    block.narrow.extend(term.numbers.iter().map(|&q| q as i8));
                    counts[1] += 1;
                }
            }
        }
    }
    block.scales.extend(narrow_scales);
    block.form = Form::LowRank {
        wide: counts[0],
        narrow: counts[1],
    };
    block
}

fn store_dense<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    entries: &Entries<'_, B>,
    from: &Candidate,
    wide: bool,
) -> StoredBlock {
    let [rows, columns] = [from.row, from.column].map(|c| tree.cluster(c));
    let values = entries.gather(rows.range(), columns.range());
    let mut block = StoredBlock::empty(from.row, from.column);
    block.form = Form::Dense { wide };
    let width = if wide { Width::Wide } else { Width::Narrow };
    for c in 0..columns.size() {
        let column = column_of(&values, columns.size(), c, from.row == from.column);
        let (scale, numbers, _) = quantise_column(&column, width);
        block.scales.push(scale);
        match wide {
            true => block.wide.extend(numbers),
            false => block.narrow.extend(numbers.iter().map(|&q| q as i8)),
        }
    }
    block
}
