//! Reference values of the cube, and the pass bands of runs.

use pliant_adaptive::params::ElementModel;
use serde_json::{Value, json};

use super::study::{Study, StudyRun};

/// Converged period and mean trough of the cube (spectral elements, 21,793 nodes of a half model): s, m.
const REFERENCE: (f64, f64) = (0.29544, -0.05671);

/// Pass bands of the error (share of the reference) of period and trough depth for linear tetrahedra of Green and Cauchy strain:
/// the scatter of six mesh realisations per level, widened by a quarter.
const BANDS: [Band; 3] = [
    Band {
        nodes: 27,
        period: (-0.15, -0.08),
        trough: (-0.42, -0.23),
    },
    Band {
        nodes: 57,
        period: (-0.11, -0.07),
        trough: (-0.24, -0.16),
    },
    Band {
        nodes: 137,
        period: (-0.07, -0.04),
        trough: (-0.16, -0.10),
    },
];

/// Largest error of the period, either way, of calibrated Green and Cauchy elements on the reference cube from this number of nodes on.
const MAX_CALIBRATED_ERRORS: [(usize, f64); 2] = [(137, 0.02), (57, 0.03)];

/// Lowest and highest error at a level.
struct Band {
    nodes: usize,
    period: (f64, f64),
    trough: (f64, f64),
}

/// Largest energy drift of an undamped run over the largest kinetic energy.
const MAX_ENERGY_DRIFT: f64 = 0.025;

/// A figure of one run against its band.
pub(super) struct Check {
    pub(super) metric: String,
    pub(super) of: String,
    pub(super) value: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) pass: bool,
}

impl Check {
    /// As JSON.
    pub(super) fn json(&self) -> Value {
        json!({
            "metric": self.metric, "of": self.of, "against": "reference",
            "value": self.value, "min": self.min, "max": self.max, "pass": self.pass,
        })
    }
}

/// Checks the energy of every run. On the reference cube, period and trough are checked for Green and Cauchy at the three levels, and only the period of calibrated elements. The bands
/// of plain elements are those of whole levels, so that mixed runs have none.
pub(super) fn checks(study: &Study, runs: &[StudyRun]) -> Vec<Check> {
    let mut checks = Vec::new();
    for one in runs {
        let StudyRun {
            requested_nodes,
            factors,
            run,
        } = one;
        let (name, kind) = (run.model.name(), one.kind());
        let of = format!("{name}{kind} at {} nodes", run.nodes);
        let mut add = |metric: &str, value: Option<f64>, min: f64, max: f64| {
            let value = value.unwrap_or(f64::NAN);
            checks.push(Check {
                metric: metric.to_string(),
                of: of.clone(),
                value,
                min,
                max,
                pass: value >= min && value <= max,
            });
        };
        add("energy_drift", run.energy_drift, 0.0, MAX_ENERGY_DRIFT);
        let band = BANDS.iter().find(|b| b.nodes == *requested_nodes);
        let has_band = study.is_reference_cube
            && matches!(run.model, ElementModel::Green | ElementModel::Cauchy);
        if !factors.is_empty() {
            if has_band
                && let Some((_, max_error)) = MAX_CALIBRATED_ERRORS
                    .iter()
                    .find(|(from, _)| requested_nodes >= from)
            {
                let error = run.period_s.map(|p| p / REFERENCE.0 - 1.0);
                add("period_error", error, -max_error, *max_error);
            }
            continue;
        }
        if has_band
            && !run.mixed
            && let Some(band) = band
        {
            add(
                "period_error",
                run.period_s.map(|p| p / REFERENCE.0 - 1.0),
                band.period.0,
                band.period.1,
            );
            add(
                "trough_error",
                run.trough_m.map(|t| t / REFERENCE.1 - 1.0),
                band.trough.0,
                band.trough.1,
            );
        }
    }
    checks
}
