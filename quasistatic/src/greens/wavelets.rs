//! Green's functions compressed by wavelets on the boundary that they were baked on.

use std::ops::Range;
use std::sync::Arc;

use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_compression::transform::{TransformSpec, WaveletTransform};
use pliant_compression::wavelet::{
    Columns, CompressionReport, Fill, NearField, ThresholdSpec, WaveletMatrix, epsilon_for_error,
};
use pliant_compression::{CompressionError, Number};
use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::triangle_edges;

use super::compressed::WaveletColumns;
use super::matrix::GreensMatrix;
use super::near_field::NearFieldSpec;

/// How columns are compressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaveletSpec {
    /// The kind of wavelets.
    pub transform: TransformSpec,
    /// The threshold of details.
    pub threshold: Threshold,
    /// Distance from its own node, in mean edges of each level, within which a column keeps all coefficients; 2.2 where tractions next to a contact matter.
    pub near_field: Option<f64>,
}

/// The threshold below which details are dropped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// Details below this share of the largest block of a column ([`ThresholdSpec::epsilon`]).
    Epsilon(f64),
    /// The threshold with which the matrix has at most this relative error, by a sample of its columns: see [`epsilon_for_error`].
    Error(f64),
}

impl Default for WaveletSpec {
    fn default() -> Self {
        Self {
            transform: TransformSpec::default(),
            threshold: Threshold::Epsilon(0.05),
            near_field: None,
        }
    }
}

/// A boundary with subdivision connectivity, and the nodes on it that are free.
#[derive(Debug, Clone, Copy)]
pub struct SubdividedBoundary<'a> {
    /// The boundary, numbered from coarse to fine.
    pub surface: &'a SurfaceMesh,
    /// Its levels.
    pub hierarchy: &'a SubdivisionHierarchy,
    /// Whether each vertex is free; free ones are the nodes of the matrix, in their order.
    pub free: &'a [bool],
}

impl SubdividedBoundary<'_> {
    /// The transform of the free nodes, weighted by the areas of the vertices.
    ///
    /// # Errors
    /// [`CompressionError::WrongLength`], [`CompressionError::EmptyDomain`].
    pub fn transform(
        &self,
        spec: &TransformSpec,
    ) -> Result<Arc<WaveletTransform>, CompressionError> {
        let transform =
            WaveletTransform::new(self.hierarchy, self.free, Some(&self.areas()), spec)?;
        Ok(Arc::new(transform))
    }

    /// Areas of all vertices, m². Single precision is enough, and files keep them exactly in half the bytes.
    pub fn areas(&self) -> Vec<f64> {
        let areas = self.surface.nodal_areas().into_iter();
        areas.map(|area| f64::from(area as f32)).collect()
    }

    /// Areas of the free vertices, m².
    pub fn free_areas(&self) -> Vec<f64> {
        let areas = self.areas().into_iter().zip(self.free);
        areas.filter(|(_, free)| **free).map(|(a, _)| a).collect()
    }

    /// The near field of columns that keep all coefficients within `edges` mean edges of each level.
    pub(crate) fn near_field_spec(&self, edges: f64) -> NearFieldSpec {
        let positions = self.surface.positions.iter().zip(self.free);
        let free = positions.filter(|(_, free)| **free);
        NearFieldSpec {
            edges,
            edge_of_level: self.edge_of_level(),
            nodes: free.map(|(x, _)| *x).collect(),
        }
    }

    /// Columns of the free nodes that were compressed by `spec`, to the threshold `epsilon`, with the data of the boundary that files store.
    pub(crate) fn columns(
        &self,
        matrix: WaveletMatrix,
        epsilon: f64,
        spec: &WaveletSpec,
    ) -> WaveletColumns {
        let near = spec.near_field.map(|edges| self.near_field_spec(edges));
        WaveletColumns {
            matrix,
            hierarchy: Arc::new(self.hierarchy.clone()),
            areas: self.areas().into(),
            epsilon,
            near: near.map(Arc::new),
        }
    }

    /// Mean edge of each level, coarse first, m.
    fn edge_of_level(&self) -> Vec<f64> {
        let mean = |level: usize| {
            let sides = self
                .hierarchy
                .triangles(level)
                .iter()
                .flat_map(triangle_edges);
            let x = |v: u32| {
                self.surface
                    .positions
                    .get(v as usize)
                    .copied()
                    .unwrap_or_default()
            };
            let (sum, count) = sides.fold((0.0, 0), |(sum, n), [a, b]| {
                (sum + (x(a) - x(b)).norm(), n + 1)
            });
            sum / f64::from(count.max(1))
        };
        (0..=self.hierarchy.finest()).map(mean).collect()
    }
}

/// Compresses `greens`, whose nodes are the free vertices of `boundary`. In the error each column is weighted by the area of its node, so that it is the error of columns
/// of unit tractions (James and Pai 2003).
///
/// Cost: two transforms of each column. The same bits for any number of threads.
///
/// # Errors
/// See [`CompressionError`].
pub fn compress<T: Number>(
    greens: &GreensMatrix,
    boundary: &SubdividedBoundary<'_>,
    spec: &WaveletSpec,
    progress: &Progress,
) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
    check_nodes(greens, boundary)?;
    let fill = |column: usize, out: &mut [f64]| greens.write_column(column, out);
    compress_columns(Fill::One(&fill), boundary, spec, progress)
}

/// A matrix has as many nodes as the boundary has free vertices.
fn check_nodes(
    greens: &GreensMatrix,
    boundary: &SubdividedBoundary<'_>,
) -> Result<(), CompressionError> {
    let rows = boundary.free.iter().filter(|free| **free).count();
    if rows != greens.nodes() {
        return Err(CompressionError::WrongLength {
            what: "the matrix of Green's functions",
            found: greens.nodes(),
            expected: rows,
        });
    }
    Ok(())
}

/// As [`compress`], for columns that are computed on demand. Dense columns are never stored.
///
/// # Errors
/// As [`compress`].
pub fn compress_columns<T: Number>(
    fill: Fill<'_>,
    boundary: &SubdividedBoundary<'_>,
    spec: &WaveletSpec,
    progress: &Progress,
) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
    let transform = boundary.transform(&spec.transform)?;
    let areas = boundary.free_areas();
    let columns = Columns {
        count: transform.domain().rows(),
        size: 3,
        weights: Some(&areas),
        fill,
    };
    let near = spec.near_field.map(|edges| boundary.near_field_spec(edges));
    let near_field = near.as_ref().map(NearFieldSpec::near_field);
    compress_to(spec.threshold, &transform, &columns, near_field, progress)
}

/// Compresses columns to a threshold, or to a prescribed error.
fn compress_to<T: Number>(
    threshold: Threshold,
    transform: &Arc<WaveletTransform>,
    columns: &Columns<'_>,
    near_field: Option<NearField<'_>>,
    progress: &Progress,
) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
    let epsilon = match threshold {
        Threshold::Epsilon(epsilon) => epsilon,
        Threshold::Error(error) => epsilon_for_error(transform, columns, error, progress)?,
    };
    let spec = ThresholdSpec {
        epsilon,
        near_field,
    };
    WaveletMatrix::compress(transform, columns, &spec, progress)
}

/// Writes the columns of loads, each given by its rows and values.
pub type WriteLoads<'a> = dyn Fn(&[Vec<(u32, f64)>], &mut [f64]) + Sync + 'a;

/// Compresses the columns of unit tractions on the hats of a coarse level, computed on demand. Constraints of that level need no others, so that the body may be too large for all columns.
///
/// `fill` writes the columns of the given hats, each with its rows and values. All columns have the same weight in the error.
///
/// # Errors
/// As [`compress`].
pub fn compress_hats<T: Number>(
    fill: &WriteLoads<'_>,
    max_columns: usize,
    level: usize,
    boundary: &SubdividedBoundary<'_>,
    spec: &WaveletSpec,
    progress: &Progress,
) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
    let transform = boundary.transform(&spec.transform)?;
    let hats = boundary.transform(&TransformSpec::HATS)?.hats(level);
    let several = |range: Range<usize>, out: &mut [f64]| fill(&hats[range], out);
    let columns = Columns {
        count: hats.len(),
        size: 3,
        weights: None,
        fill: Fill::Several {
            max_columns,
            fill: &several,
        },
    };
    compress_to(spec.threshold, &transform, &columns, None, progress)
}

/// As [`compress_hats`], combined from all fine columns (James and Pai 2003, hierarchical Green's functions).
///
/// Column `k` is the displacement (m) under a traction (Pa) that is one at row `k`, zero at the other rows of the level, and linear between them: `Σ_j h_kj a_j ξ_j` over the fine
/// vertices `j` of the hat, with their areas. At the finest level each vertex has its own column. Cost: a fine column is read once for each hat that it belongs to.
///
/// # Errors
/// As [`compress`].
pub fn combine_hats(
    greens: &GreensMatrix,
    level: usize,
    boundary: &SubdividedBoundary<'_>,
    spec: &WaveletSpec,
    progress: &Progress,
) -> Result<(WaveletMatrix, CompressionReport), CompressionError> {
    check_nodes(greens, boundary)?;
    let areas = boundary.free_areas();
    // one hat at a time
    let fill = |hat: &[Vec<(u32, f64)>], out: &mut [f64]| {
        let mut fine = vec![0.0; out.len()];
        out.fill(0.0);
        for &(j, value) in hat.iter().flatten() {
            greens.write_column(j as usize, &mut fine);
            let factor = value * areas[j as usize];
            for (sum, x) in out.iter_mut().zip(&fine) {
                *sum += factor * x;
            }
        }
    };
    compress_hats(&fill, 1, level, boundary, spec, progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::rabbit::SubdividedRabbit;
    use crate::greens::CompressedColumns;
    use crate::greens::matrix::Columns as Stored;
    use crate::greens::table::Table;

    #[test]
    fn expanded_columns_are_the_blocks_of_the_compressed_ones() -> Result<(), CompressionError> {
        let body = SubdividedRabbit::new(1)?;
        let boundary = body.boundary();
        let nodes = body.free.iter().filter(|f| **f).count();
        let entry = |k: usize| ((k * 7919) % 1009) as f32 / 1009.0 - 0.5;
        let values: Vec<f32> = (0..9 * nodes * nodes).map(entry).collect();
        let dense = GreensMatrix::new(nodes, Stored::Single(Table::copied(&values)));
        let dense = dense.expect("the right size");
        let spec = WaveletSpec::default();
        let (matrix, report) = compress::<f32>(&dense, &boundary, &spec, &Progress::new())?;
        let columns = CompressedColumns::from(boundary.columns(matrix, report.epsilon, &spec));
        let compressed = GreensMatrix::compressed(columns);
        let expanded = compressed.expanded();
        for (i, j) in (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j))) {
            assert_eq!(expanded.block(i, j), compressed.block(i, j), "{i} {j}");
        }
        Ok(())
    }

    #[test]
    fn a_matrix_of_another_boundary_is_refused() -> Result<(), CompressionError> {
        let body = SubdividedRabbit::new(1)?;
        let (boundary, progress) = (body.boundary(), Progress::new());
        let one = GreensMatrix::new(1, Stored::Single(Table::copied(&[0.0; 9])));
        let one = one.expect("the right size");
        let spec = WaveletSpec::default();
        let compressed = compress(&one, &boundary, &spec, &progress);
        let combined = combine_hats(&one, 0, &boundary, &spec, &progress);
        for made in [compressed, combined] {
            assert!(
                matches!(made, Err(CompressionError::WrongLength { found: 1, .. })),
                "{made:?}"
            );
        }
        Ok(())
    }
}
