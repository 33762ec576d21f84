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

use self::allocation::{Choice, Options, choose, price_for, term_width};
use self::budget::BudgetSearch;
use self::candidates::{Candidate, candidates, column_of};
use self::entries::{BlockNorms, Entries};
use self::quantisation::{Width, quantise_column, quantise_term};
use self::report::{measure, report};
use crate::hierarchical_matrix::assembly::Part;
use crate::hierarchical_matrix::cluster_tree::ClusterTree;
use crate::hierarchical_matrix::matrix::{Form, HierarchicalMatrix};
use crate::hierarchical_matrix::spec::{
    ErrorMeasure, HierarchicalMatrixError, HierarchicalReport, HierarchicalSpec,
};

/// Most budgets that are tried to reach the tolerance.
const ATTEMPTS: usize = 8;
/// Budgets after which the first that reaches it is good enough.
const PATIENCE: usize = 3;
/// Relative error of the worst column over that of the scaled matrix, about: what the search begins with.
const WORST_COLUMN: f64 = 3.0;
/// Part of the squared error that terms were looked for, below which they are looked for again.
const ENOUGH: f64 = 0.1;

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
            ErrorMeasure::Matrix => vec![norms.uniform(); n],
            _ => norms.equilibration(),
        };
        let (square, asymmetry) = (norms.scaled_square(&factors), norms.asymmetry);
        // a number for each pair of nodes is no longer needed
        drop(norms);
        let tree = ClusterTree::new(positions, spec.leaf_size);
        let boxes = tree.boxes(positions);
        let entries = Entries {
            order: tree.order(),
            factors: &factors,
            block: &block,
        };
        let mut budget = 0.99 * spec.rms_error.powi(2) * square;
        if spec.measure == ErrorMeasure::EveryColumn {
            budget *= WORST_COLUMN.powi(-2);
        }
        let unscale: Vec<f32> = factors.iter().map(|f| 1.0 / f).collect();
        // squared error for which terms were looked for, and the terms
        let mut searched: Option<(f64, Found)> = None;
        let mut search = BudgetSearch::new(spec.rms_error);
        let mut best: Option<(Self, HierarchicalReport)> = None;
        for attempt in 1..=ATTEMPTS {
            let found = match searched.take() {
                Some((for_budget, found)) if budget > ENOUGH * for_budget => (for_budget, found),
                _ => {
                    progress.stage("finding blocks of low rank");
                    let eta = spec.admissibility;
                    let found = candidates(&tree, &boxes, &entries, eta, budget, progress)?;
                    (budget, found)
                }
            };
            let (_, (candidates, options)) = &found;
            progress.stage("writing blocks");
            let price = price_for(options, budget);
            let parts = parts(&tree, &entries, (candidates, options), price, progress)?;
            let matrix =
                Self::assembled(tree.clone(), spec.leaf_size as u32, unscale.clone(), parts)
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
                Some(next) if best.is_none() || attempt < PATIENCE => budget = next,
                _ => break,
            }
            searched = Some(found);
        }
        best.ok_or(HierarchicalMatrixError::NotReached {
            reached: search.least_error(),
            tolerance: spec.rms_error,
        })
    }
}

/// Pairs of clusters, and what each may be made of.
type Found = (Vec<Candidate>, Vec<Options>);

/// Blocks for a price of a byte.
fn parts<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    entries: &Entries<'_, B>,
    (found, options): (&[Candidate], &[Options]),
    price: f64,
    progress: &Progress,
) -> Result<Vec<Part>, HierarchicalMatrixError> {
    let (choices, _) = choose(options, price);
    let mut chosen = Vec::new();
    let mut open = vec![0];
    while let Some(k) = open.pop() {
        match choices[k] {
            Choice::Divided => open.extend(&options[k].children),
            choice => chosen.push((k, choice)),
        }
    }
    let part = |&(k, choice): &(usize, Choice)| {
        progress.check()?;
        let candidate = &found[k];
        let made = match (choice, &candidate.low_rank) {
            (Choice::LowRank, Some(_)) => low_rank_part(tree, candidate, &options[k], price),
            (choice, _) => dense_part(tree, entries, candidate, choice == Choice::Dense(true)),
        };
        Ok(made)
    };
    chosen.par_iter().map(part).collect()
}

fn low_rank_part(tree: &ClusterTree, from: &Candidate, options: &Options, price: f64) -> Part {
    let size = [from.row, from.column].map(|c| tree.cluster(c).size());
    let mut part = Part::empty(from.row, from.column);
    let (mut narrow_scales, mut counts) = (Vec::new(), [0; 2]);
    let terms = options.terms.as_deref().unwrap_or_default();
    if let Some(decomposed) = &from.low_rank {
        for (t, errors) in terms.iter().enumerate() {
            match term_width(errors, options.term_numbers, price) {
                None => {}
                Some(true) => {
                    let term = quantise_term(decomposed, t, size, Width::Wide);
                    part.scales.push(term.scale);
                    part.wide.extend(term.numbers);
                    counts[0] += 1;
                }
                Some(false) => {
                    let term = quantise_term(decomposed, t, size, Width::Narrow);
                    narrow_scales.push(term.scale);
                    part.narrow.extend(term.numbers.iter().map(|&q| q as i8));
                    counts[1] += 1;
                }
            }
        }
    }
    part.scales.extend(narrow_scales);
    part.form = Form::LowRank {
        wide: counts[0],
        narrow: counts[1],
    };
    part
}

fn dense_part<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    entries: &Entries<'_, B>,
    from: &Candidate,
    wide: bool,
) -> Part {
    let [rows, columns] = [from.row, from.column].map(|c| tree.cluster(c));
    let values = entries.gather(rows.range(), columns.range());
    let mut part = Part::empty(from.row, from.column);
    part.form = Form::Dense { wide };
    let width = if wide { Width::Wide } else { Width::Narrow };
    for c in 0..columns.size() {
        let column = column_of(&values, columns.size(), c, from.row == from.column);
        let (scale, numbers, _) = quantise_column(&column, width);
        part.scales.push(scale);
        match wide {
            true => part.wide.extend(numbers),
            false => part.narrow.extend(numbers.iter().map(|&q| q as i8)),
        }
    }
    part
}
