//! Laws of the threshold for a prescribed error.

use pliant_core::asset::Progress;
use pliant_fuzzing::Random;

use super::super::{Columns, Fill, ThresholdSpec, WaveletMatrix, epsilon_for_error};
use super::{Body, body};
use crate::error::CompressionError;
use crate::transform::TransformSpec;

/// Error of all columns over the error that was asked for.
fn reached(body: &Body, columns: &Columns<'_>, wanted: f64) -> Result<f64, CompressionError> {
    let progress = Progress::new();
    let epsilon = epsilon_for_error(&body.transform, columns, wanted, &progress)?;
    let spec = ThresholdSpec::new(epsilon);
    let (_, report) = WaveletMatrix::<f32>::compress(&body.transform, columns, &spec, &progress)?;
    Ok(report.rms_error / wanted)
}

#[test]
fn the_epsilon_for_an_error_gives_it() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let fill = body.fill();
    let columns = Columns::new(body.positions.len(), 3, &fill);
    for wanted in [0.003, 0.02] {
        let ratio = reached(&body, &columns, wanted)?;
        assert!((0.9..=1.0).contains(&ratio), "{wanted}: {ratio}");
    }
    Ok(())
}

/// Columns with a weight each, that are scattered over the body and are blunt or sharp: their errors differ by far.
struct Scattered {
    weights: Vec<f64>,
    /// Row of the pole, and width of the peak there.
    poles: Vec<(usize, f64)>,
}

impl Scattered {
    fn new(count: usize, rows: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut weights = Vec::new();
        let mut poles = Vec::new();
        for _ in 0..count {
            weights.push(1.0 + 1e-3 * random.below(1000) as f64);
            let row = random.below(rows);
            let width = 0.02 * 40.0_f64.powf(1e-3 * random.below(1000) as f64);
            poles.push((row, width));
        }
        Self { weights, poles }
    }

    fn reached(&self, body: &Body, wanted: f64) -> Result<f64, CompressionError> {
        let fill = |column: usize, out: &mut [f64]| {
            let (row, width) = self.poles[column];
            for (out, x) in out.iter_mut().zip(&body.positions) {
                let d = x - body.positions[row];
                *out = 1.0 / (d.norm_squared() + width * width).sqrt();
            }
        };
        let columns = Columns {
            count: self.poles.len(),
            size: 1,
            weights: Some(&self.weights),
            fill: Fill::One(&fill),
        };
        reached(body, &columns, wanted)
    }
}

#[test]
fn all_columns_stay_below_the_error_asked_for_though_only_some_are_sampled()
-> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    for seed in 1..=8 {
        let columns = Scattered::new(1000, body.positions.len(), seed);
        for wanted in [0.01, 0.05] {
            let ratio = columns.reached(&body, wanted)?;
            assert!((0.8..=1.0).contains(&ratio), "{seed} {wanted}: {ratio}");
        }
    }
    Ok(())
}

#[test]
fn where_all_columns_are_sampled_their_error_is_the_one_asked_for() -> Result<(), CompressionError>
{
    let body = body(&TransformSpec::default())?;
    let columns = Scattered::new(96, body.positions.len(), 1);
    for wanted in [0.01, 0.05] {
        let ratio = columns.reached(&body, wanted)?;
        assert!((0.97..=1.0).contains(&ratio), "{wanted}: {ratio}");
    }
    Ok(())
}
