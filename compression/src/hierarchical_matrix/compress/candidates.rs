//! The tree of blocks, with the forms that each block may have.

use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use super::allocation::{BlockOptions, TermErrors};
use super::entries::Entries;
use super::low_rank::{LowRank, low_rank};
use super::quantisation::{Width, quantise_column, quantise_term};
use crate::hierarchical_matrix::cluster_tree::ClusterTree;
use crate::hierarchical_matrix::spec::HierarchicalMatrixError;

/// Largest rank of a block; a block that needs more is divided.
const MAX_TERMS: usize = 96;
/// Share of the budget of squared error that truncation may leave. It is small, so that the choice of terms decides about the error.
const RESIDUAL_SHARE: f64 = 0.02;
/// A pair of clusters need not be divided where the smaller diameter is at most this many times their distance. Larger values allow larger blocks.
const ADMISSIBILITY: f64 = 1.5;

/// A pair of clusters that may become a block.
pub(crate) struct Candidate {
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) low_rank: Option<LowRank>,
}

/// All pairs that may become blocks, the whole matrix first, with their possible forms.
///
/// `budget` is the squared error allowed.
///
/// # Errors
/// [`HierarchicalMatrixError::Cancelled`].
pub(crate) fn candidates<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    bounding_boxes: &[[Vec3; 2]],
    entries: &Entries<'_, B>,
    budget: f64,
    progress: &Progress,
) -> Result<(Vec<Candidate>, Vec<BlockOptions>), HierarchicalMatrixError> {
    let scalars = tree.cluster(0).size() as f64;
    let target_of_entry = RESIDUAL_SHARE * budget / (scalars * scalars);
    let mut pairs = vec![(0, 0)];
    let (mut all, mut options) = (Vec::new(), Vec::new());
    while !pairs.is_empty() {
        let done = AtomicUsize::new(0);
        let level: Vec<_> = pairs
            .par_iter()
            .map(|&pair| {
                progress.check()?;
                let found = candidate(tree, entries, pair, target_of_entry);
                let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                progress.set_fraction(done as f64 / pairs.len() as f64);
                Ok(found)
            })
            .collect::<Result<_, HierarchicalMatrixError>>()?;
        let first = all.len();
        let first_child = first + level.len();
        let mut children = Vec::new();
        for (candidate, mut option, is_accurate) in level {
            let (a, b) = (candidate.row, candidate.column);
            let is_far = is_admissible(&bounding_boxes[a as usize], &bounding_boxes[b as usize]);
            if !(is_accurate && is_far) {
                let begin = first_child + children.len();
                children.extend(tree.pairs_below(a, b).unwrap_or_default());
                option.children = (begin..first_child + children.len()).collect();
            }
            all.push(candidate);
            options.push(option);
        }
        pairs = children;
    }
    Ok((all, options))
}

/// Whether the smaller diameter is at most [`ADMISSIBILITY`] times the distance (Hackbusch 1999).
fn is_admissible(a: &[Vec3; 2], b: &[Vec3; 2]) -> bool {
    let gap = (a[0] - b[1]).sup(&(b[0] - a[1])).sup(&Vec3::zeros());
    let diameter = (a[1] - a[0]).norm().min((b[1] - b[0]).norm());
    gap.norm() > 0.0 && diameter <= ADMISSIBILITY * gap.norm()
}

/// The possible forms of a pair; also whether its low rank is accurate enough.
fn candidate<B: Fn(usize, usize) -> Mat3 + Sync>(
    tree: &ClusterTree,
    entries: &Entries<'_, B>,
    (row, column): (u32, u32),
    target_of_entry: f64,
) -> (Candidate, BlockOptions, bool) {
    let [a, b] = [row, column].map(|c| tree.cluster(c));
    let (rows, columns) = (a.size(), b.size());
    let is_leaf = a.children().is_none() || b.children().is_none();
    let is_diagonal = row == column;
    let mut found = Candidate {
        row,
        column,
        low_rank: None,
    };
    let mut options = BlockOptions {
        term_numbers: rows + columns,
        ..BlockOptions::default()
    };
    if is_diagonal && !is_leaf {
        return (found, options, false);
    }
    let values = entries.gather(a.range(), b.range());
    if is_leaf {
        options.dense = Some(dense_errors(&values, columns, is_diagonal));
        let numbers = match is_diagonal {
            true => columns * (columns + 1) / 2,
            false => rows * columns,
        };
        options.dense_size = [numbers, columns];
    }
    if is_diagonal {
        return (found, options, false);
    }
    // with more terms there are more numbers than entries
    let max_rank = (rows * columns / (rows + columns)).clamp(1, MAX_TERMS);
    let target = target_of_entry * (rows * columns) as f64;
    let seed = (u64::from(row) << 32) | u64::from(column);
    let decomposed = low_rank(&values, rows, columns, target, max_rank, seed);
    let is_accurate = decomposed.residual <= target;
    // both triangles
    options.residual = 2.0 * decomposed.residual;
    let size = [rows, columns];
    let errors = |t| TermErrors {
        dropped: 2.0 * decomposed.values[t] * decomposed.values[t],
        rounded: Width::BOTH.map(|width| 2.0 * quantise_term(&decomposed, t, size, width).error),
    };
    options.terms = Some((0..decomposed.values.len()).map(errors).collect());
    found.low_rank = Some(decomposed);
    (found, options, is_accurate)
}

/// Squared errors, of both triangles, of all entries in narrow and wide integers.
fn dense_errors(values: &[f64], columns: usize, is_diagonal: bool) -> [f64; 2] {
    let error_in = |width| -> f64 {
        let error = |c| quantise_column(&column_of(values, columns, c, is_diagonal), width).2;
        2.0 * (0..columns).map(error).sum::<f64>()
    };
    Width::BOTH.map(error_in)
}

/// Column `c` of a block that is stored row by row; from the diagonal on where the block lies on it.
pub(crate) fn column_of(values: &[f64], columns: usize, c: usize, is_diagonal: bool) -> Vec<f64> {
    let rows = values.chunks_exact(columns);
    let first = if is_diagonal { c } else { 0 };
    rows.skip(first).map(|row| row[c]).collect()
}
