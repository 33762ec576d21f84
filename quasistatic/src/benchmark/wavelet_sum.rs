//! The sum of compressed columns as `pliant bench` times it, against the sum of the same columns stored dense.

use std::hint::black_box;
use std::sync::Arc;

use pliant_compression::wavelet::{CoefficientField, Columns, ThresholdSpec, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, Work};
use pliant_core::math::{Mat3, Vec3};

use super::rabbit::SubdividedRabbit;
use crate::greens::wavelets::WaveletSpec;
use crate::greens::{GreensMatrix, Precision};

/// Columns of one sum: about as many as a hand touches.
const CONTACTS: usize = 40;
/// The threshold of most bodies.
const EPSILON: f64 = 0.05;

/// Columns like those of a body with the shape of the rabbit: Kelvin's solution, smoothed within an edge.
fn column_like(positions: &[Vec3], edge: f64) -> impl Fn(usize, &mut [f64]) + Sync + '_ {
    move |column, out| {
        for (block, x) in out.as_chunks_mut::<9>().0.iter_mut().zip(positions) {
            let d = x - positions[column];
            let r = (d.norm_squared() + edge * edge).sqrt();
            let kelvin = (Mat3::identity() * 1.8 + d * d.transpose() / (r * r)) / r;
            block.copy_from_slice(kelvin.as_slice());
        }
    }
}

/// Compressed columns and the same ones stored dense, with the lists of columns of consecutive sums. Each list has other columns until all have been summed.
struct Forms {
    matrix: WaveletMatrix,
    /// Equal tables, read in turn.
    dense: Vec<GreensMatrix>,
    lists: Arc<Vec<Vec<(u32, Vec3)>>>,
    field: CoefficientField,
    /// Columns of a sum.
    contacts: usize,
}

impl Forms {
    /// Those of a body with about `vertices` vertices (162, 642, 2,562 ...) in `tables` dense tables. An error where a sum is not that of its blocks.
    fn new(vertices: usize, tables: usize) -> Result<Self, String> {
        let levels = (0..7)
            .find(|&l| 10 * 4_usize.pow(l) + 2 >= vertices)
            .unwrap_or(6) as usize;
        let body = SubdividedRabbit::new(levels).map_err(|e| e.to_string())?;
        let skin = &body.geometry.skin;
        let transform = body
            .boundary()
            .transform(&WaveletSpec::default().transform)
            .map_err(|e| e.to_string())?;
        let vertices = transform.domain().vertices();
        let positions: Vec<Vec3> = vertices
            .iter()
            .map(|&v| skin.positions[v as usize])
            .collect();
        let fill = column_like(&positions, skin.mean_edge());
        let columns = Columns::new(positions.len(), 3, &fill);
        let threshold = ThresholdSpec::new(EPSILON);
        let compressed =
            WaveletMatrix::<f32>::compress(&transform, &columns, &threshold, &Progress::new());
        let (matrix, _) = compressed.map_err(|e| e.to_string())?;
        let nodes = positions.len();
        let table = |_: usize| dense_table(nodes, &fill).ok_or("the table's size");
        let dense: Result<Vec<GreensMatrix>, &str> = (0..tables.max(1)).map(table).collect();
        let contacts = CONTACTS.min(nodes);
        let force = |k: usize| ((k * 1789 % nodes) as u32, Vec3::new(0.3, -1.0, 0.2));
        let list = |run: usize| -> Vec<(u32, Vec3)> {
            (run * contacts..(run + 1) * contacts).map(force).collect()
        };
        let lists: Vec<_> = (0..nodes.div_ceil(contacts)).map(list).collect();
        let mut forms = Self {
            matrix,
            dense: dense?,
            lists: Arc::new(lists),
            field: CoefficientField::default(),
            contacts,
        };
        forms.check()?;
        Ok(forms)
    }

    fn check(&mut self) -> Result<(), String> {
        let (matrix, field) = (&self.matrix, &mut self.field);
        matrix.sum_columns(&self.lists[0], field);
        for node in (0..matrix.rows()).step_by(97) {
            let parts = self.lists[0].iter();
            let sum: Vec3 = parts
                .map(|(j, f)| matrix.block(node, *j as usize) * f)
                .sum();
            if (field.value(node) - sum).norm() > 1e-4 * sum.norm() {
                return Err(format!("node {node} differs from the sum of its blocks"));
            }
        }
        Ok(())
    }

    /// Blocks of dense columns over kept ones.
    fn compression(&self) -> f64 {
        (self.matrix.rows() * self.matrix.columns()) as f64 / self.matrix.kept_blocks() as f64
    }

    /// Times the sums. The reference sums the same columns stored dense.
    fn into_case(self) -> BenchCase {
        let Self {
            matrix,
            dense,
            lists,
            mut field,
            contacts,
        } = self;
        let nodes = matrix.rows();
        let kept = matrix.kept_blocks() as f64 / nodes as f64 * contacts as f64;
        let work = Work {
            bytes: 40.0 * kept,
            flops: 18.0 * kept,
            double: false,
        };
        let mut plain = vec![0.0; 3 * nodes];
        let (dense_lists, mut run) = (lists.clone(), 0);
        let reference = move || {
            run += 1;
            let forces = &dense_lists[run % dense_lists.len()];
            dense[run % dense.len()].add_columns(forces, &mut plain);
            black_box(&mut plain);
        };
        let finest = matrix.transform().domain().finest();
        let mut at = 0;
        BenchCase::new(nodes, contacts as f64, work, move || {
            at = (at + 1) % lists.len();
            matrix.add_columns(&lists[at], finest, &mut field);
            black_box(&mut field);
        })
        .with_reference(contacts as f64, reference)
    }
}

/// Dense columns of `nodes` nodes in single precision. `fill` writes a column as the wavelets take it: block by block.
fn dense_table(nodes: usize, fill: &(impl Fn(usize, &mut [f64]) + Sync)) -> Option<GreensMatrix> {
    GreensMatrix::from_columns(nodes, Precision::Single, |j, out| {
        let mut column = vec![0.0; 9 * nodes];
        fill(j, &mut column);
        for (axis, out) in out.chunks_exact_mut(3 * nodes).enumerate() {
            let blocks = column.as_chunks::<9>().0;
            for (out, block) in out.as_chunks_mut::<3>().0.iter_mut().zip(blocks) {
                out.copy_from_slice(&block[3 * axis..3 * axis + 3]);
            }
        }
    })
}

/// Sums of 40 columns of a body with about `vertices` vertices (162, 642, 2,562 ...); the time is that of a column.
pub(crate) fn wavelet_sum(vertices: usize) -> Result<BenchCase, String> {
    Ok(Forms::new(vertices, 1)?.into_case())
}

/// The same as a speed-up over dense columns, which lie in `tables` tables that are read in turn. Its limit is the compression: a sum of compressed columns reads a kept block where that of dense
/// ones reads all.
pub(crate) fn speed_up(vertices: usize, tables: usize) -> Result<BenchCase, String> {
    let forms = Forms::new(vertices, tables)?;
    let compression = forms.compression();
    let dense: usize = forms.dense.iter().map(GreensMatrix::bytes).sum();
    let compressed = forms.matrix.bytes();
    let mut case = forms.into_case();
    case.work_ratio = Some(compression);
    case.facts = vec![
        ("MB of dense columns, read in turn", dense as f64 * 1e-6),
        ("MB of compressed columns", compressed as f64 * 1e-6),
    ];
    Ok(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_sum_the_same_columns_and_the_speed_up_is_limited_by_the_compression()
    -> Result<(), String> {
        let forms = Forms::new(162, 2)?;
        let nodes = forms.matrix.rows();
        let mut field = CoefficientField::default();
        forms.matrix.sum_columns(&forms.lists[1], &mut field);
        for dense in &forms.dense {
            let mut plain = vec![0.0; 3 * nodes];
            dense.add_columns(&forms.lists[1], &mut plain);
            let (mut error, mut size) = (0.0, 0.0);
            for (row, plain) in plain.as_chunks::<3>().0.iter().enumerate() {
                let plain = Vec3::from(*plain);
                error += (field.value(row) - plain).norm_squared();
                size += plain.norm_squared();
            }
            // epsilon, squared
            assert!(error < EPSILON * EPSILON * size, "{error} {size}");
        }
        let compression = forms.compression();
        let case = speed_up(162, 2)?;
        assert!(compression > 1.0 && case.work_ratio == Some(compression));
        Ok(())
    }

    #[test]
    fn every_column_is_summed_before_one_is_repeated() -> Result<(), String> {
        let forms = Forms::new(162, 1)?;
        let nodes = forms.matrix.rows();
        let summed = forms.lists.iter().flatten().map(|(node, _)| *node as usize);
        let mut seen = vec![false; nodes];
        for node in summed.take(nodes) {
            assert!(!std::mem::replace(&mut seen[node], true), "{node}");
        }
        Ok(())
    }
}
