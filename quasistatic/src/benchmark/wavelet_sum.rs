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

/// Sums of 40 columns of a body with about `vertices` vertices (162, 642, 2,562 ...); the time is that of a column.
pub(crate) fn wavelet_sum(vertices: usize) -> Result<BenchCase, String> {
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
    let dense = GreensMatrix::from_columns(nodes, Precision::Single, |j, out| {
        let mut column = vec![0.0; 9 * nodes];
        fill(j, &mut column);
        for (axis, out) in out.chunks_exact_mut(3 * nodes).enumerate() {
            let blocks = column.as_chunks::<9>().0;
            for (out, block) in out.as_chunks_mut::<3>().0.iter_mut().zip(blocks) {
                out.copy_from_slice(&block[3 * axis..3 * axis + 3]);
            }
        }
    })
    .ok_or("the table's size")?;
    let contacts = CONTACTS.min(nodes);
    let runs = nodes.div_ceil(contacts);
    let force = |k: usize| ((k * 1789 % nodes) as u32, Vec3::new(0.3, -1.0, 0.2));
    let lists: Arc<Vec<Vec<(u32, Vec3)>>> = Arc::new(
        (0..runs)
            .map(|run| (run * contacts..(run + 1) * contacts).map(force).collect())
            .collect(),
    );
    let finest = transform.domain().finest();
    let mut field = CoefficientField::default();
    field.clear(nodes);
    matrix.add_columns(&lists[0], finest, &mut field);
    matrix.reconstruct(finest, &mut field);
    for node in (0..nodes).step_by(97) {
        let parts = lists[0].iter();
        let sum: Vec3 = parts
            .map(|(j, f)| matrix.block(node, *j as usize) * f)
            .sum();
        if (field.value(node) - sum).norm() > 1e-4 * sum.norm() {
            return Err(format!("node {node} differs from the sum of its blocks"));
        }
    }
    let mut plain = vec![0.0; 3 * nodes];
    let kept = matrix.kept_blocks() as f64 / nodes as f64 * contacts as f64;
    let work = Work {
        bytes: 40.0 * kept,
        flops: 18.0 * kept,
        double: false,
    };
    let (dense_lists, mut dense_at) = (lists.clone(), 0);
    let reference = move || {
        dense_at = (dense_at + 1) % runs;
        dense.add_columns(&dense_lists[dense_at], &mut plain);
        black_box(&mut plain);
    };
    let mut at = 0;
    Ok(BenchCase::new(nodes, contacts as f64, work, move || {
        at = (at + 1) % runs;
        matrix.add_columns(&lists[at], finest, &mut field);
        black_box(&mut field);
    })
    .with_reference(contacts as f64, reference))
}
