//! The oscillation study of Debunne et al. 2001, Figs. 4 to 6: a block held at one end drops under gravity and swings.

use pliant_core::asset::Progress;
use pliant_core::diagnostics::variant_name;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::bake::AdaptiveBakeError;
use crate::model::AdaptiveModel;
use crate::params::ElementModel;
use crate::study::mesh::wall_nodes;

/// Time between two scans for the stable step, and longest time between two samples, s.
pub(super) const SCAN_INTERVAL: f64 = 1.0 / 120.0;
/// Share of the run, at its end, over which the energy drift is measured.
const ENERGY_WINDOW: f64 = 0.1;
/// Share of the swing that `y` has to pass on both sides of its mean so that a turn counts.
const MIN_TURN: f64 = 0.2;

/// Curve and figures of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct OscillationRun {
    /// Element model.
    pub model: ElementModel,
    /// Nodes of the mesh, or active nodes of the cut.
    pub nodes: usize,
    /// Whether the half at the free end is one level finer.
    pub mixed: bool,
    /// Mean distance of successive troughs, s; `None` with fewer than two.
    pub period_s: Option<f64>,
    /// Mean depth of the troughs, m, negative downwards; `None` without any.
    pub trough_m: Option<f64>,
    /// Half of mean crest minus mean trough, m; `None` without both.
    pub amplitude_m: Option<f64>,
    /// Mean of the curve over time, m.
    pub mean_m: f64,
    /// Largest |E − E₀| over the last tenth of the run over the largest kinetic energy, velocities at mid-step.
    pub energy_drift: Option<f64>,
    /// Whether the run stopped early because a number left all bounds.
    pub diverged: bool,
    /// Times of the samples, s, at most 1/60 apart.
    pub t: Vec<f64>,
    /// Height of the free lower corner relative to rest at these times, m.
    pub y: Vec<f64>,
}

/// Why a run cannot start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OscillationError {
    /// The mesh has no node at the free lower corner.
    #[error(
        "the mesh has no node at the free lower corner ({x}, {y}, {z})\n  remedy: use a mesh of the box centred at the origin that keeps its corners"
    )]
    NoCornerNode {
        /// Where it should be, m.
        x: f64,
        /// Where it should be, m.
        y: f64,
        /// Where it should be, m.
        z: f64,
    },
    /// The duration is not positive.
    #[error("the duration must be positive\n  remedy: give a number of seconds above 0")]
    BadDuration,
    /// Mesh or material cannot be simulated, or the owner cancelled.
    #[error(transparent)]
    Bake(#[from] AdaptiveBakeError),
}

impl OscillationError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> String {
        match self {
            Self::Bake(e) => e.code(),
            _ => variant_name(self),
        }
    }
}

/// Runs the study on `mesh`, a box of `size` (m) centred at the origin: held at its smallest x, released at rest under `gravity` (m/s²,
/// positive, along −y), without damping, for `duration` seconds.
///
/// The curve is the height of the corner (+x/2, −y/2, +z/2). Cost: steps times tetrahedra.
///
/// # Errors
/// See [`OscillationError`]. A run that blows up is no error: it has [`OscillationRun::diverged`].
pub fn oscillate(
    mesh: &TetMesh,
    size: Vec3,
    material: &Material,
    gravity: f64,
    model: ElementModel,
    duration: f64,
    progress: &Progress,
) -> Result<OscillationRun, OscillationError> {
    check_duration(duration)?;
    let corner = corner_node(&mesh.nodes, size)?;
    let wall = wall_nodes(mesh, size);
    let undamped = material.with_damping_ratio(0.0);
    let mut body = AdaptiveModel::from_tets(mesh.clone(), undamped, &wall, model)?;
    let gravity = Vec3::new(0.0, -gravity, 0.0);
    let curve = swing(&mut body, corner, gravity, duration, progress)?;
    Ok(curve.figures(model, mesh.nodes.len(), duration))
}

/// Refuses a duration (s) that is not positive.
pub(super) fn check_duration(duration: f64) -> Result<(), OscillationError> {
    match duration > 0.0 && duration.is_finite() {
        true => Ok(()),
        false => Err(OscillationError::BadDuration),
    }
}

/// Index of the free lower corner of a box of `size` (m), centred at the origin, among `nodes`.
pub(super) fn corner_node(nodes: &[Vec3], size: Vec3) -> Result<usize, OscillationError> {
    let at = Vec3::new(size.x, -size.y, size.z) / 2.0;
    let slack = 1e-6 * size.norm();
    let found = nodes.iter().position(|x| (x - at).norm() < slack);
    found.ok_or(OscillationError::NoCornerNode {
        x: at.x,
        y: at.y,
        z: at.z,
    })
}

/// Every step of a run.
#[derive(Debug, Default)]
pub(super) struct Curve {
    /// times, s
    pub(super) t: Vec<f64>,
    /// height of the corner relative to rest at these times, m
    pub(super) y: Vec<f64>,
    /// J
    largest_kinetic: f64,
    /// largest |E − E₀| within [`ENERGY_WINDOW`], J
    largest_deviation: f64,
    pub(super) diverged: bool,
}

fn swing(
    body: &mut AdaptiveModel,
    corner: usize,
    gravity: Vec3,
    duration: f64,
    progress: &Progress,
) -> Result<Curve, AdaptiveBakeError> {
    let rest = body.level_nodes().to_vec();
    let mut curve = Curve {
        t: vec![0.0],
        y: vec![0.0],
        ..Curve::default()
    };
    let intervals = (duration / SCAN_INTERVAL).ceil().max(1.0) as u64;
    let span = duration / intervals as f64;
    let mut substeps = 0;
    body.dynamics.evaluate();
    for interval in 0..intervals {
        progress.check()?;
        progress.set_fraction(interval as f64 / intervals as f64);
        let scan = body.steps.scan(&body.dynamics.positions);
        // never fewer than before: changing the step costs energy
        substeps = body.steps.substeps(&scan, span).max(substeps);
        let step = span / f64::from(substeps);
        let start = interval as f64 * span;
        for k in 0..substeps {
            let time = start + f64::from(k + 1) * step;
            body.dynamics.kick(step, &gravity);
            body.dynamics.drift(step);
            body.dynamics.evaluate();
            let kinetic = body
                .dynamics
                .kinetic_energy_mid_step(step, &gravity, |_| Vec3::zeros());
            curve.add_energy(time, duration, kinetic, || {
                kinetic
                    + body.dynamics.elastic_energy()
                    + body.dynamics.potential_energy(&rest, &gravity)
            });
            curve.t.push(time);
            curve
                .y
                .push(body.dynamics.positions[corner].y - rest[corner].y);
        }
        let size = body.asset.skin.bounds().diagonal();
        let last = curve.y.last().copied().unwrap_or(f64::NAN);
        if !body.dynamics.is_finite() || last.is_nan() || last.abs() > 1e3 * size {
            curve.diverged = true;
            break;
        }
    }
    Ok(curve)
}

impl Curve {
    /// Adds the kinetic energy (J) at a time of a run of `duration` seconds, and near its end the energy in all (J).
    pub(super) fn add_energy(
        &mut self,
        time: f64,
        duration: f64,
        kinetic: f64,
        energy: impl FnOnce() -> f64,
    ) {
        self.largest_kinetic = self.largest_kinetic.max(kinetic);
        if time > duration * (1.0 - ENERGY_WINDOW) {
            // the energy at the start is zero: at rest, without strain
            self.largest_deviation = self.largest_deviation.max(energy().abs());
        }
    }

    /// The curve and figures of a run on one level.
    pub(super) fn figures(
        self,
        model: ElementModel,
        nodes: usize,
        duration: f64,
    ) -> OscillationRun {
        let finite = self.y.iter().take_while(|y| y.is_finite()).count();
        let (t, y) = (&self.t[..finite], &self.y[..finite]);
        let troughs = lowest_points(t, y);
        let flipped: Vec<f64> = y.iter().map(|y| -y).collect();
        let crests = lowest_points(t, &flipped);
        let depth = mean(troughs.iter().map(|p| p.1));
        let height = mean(crests.iter().map(|p| -p.1));
        let period = match troughs.as_slice() {
            [first, .., last] => Some((last.0 - first.0) / (troughs.len() - 1) as f64),
            _ => None,
        };
        // a stride with which samples are at most 1/60 s apart
        let longest = t.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        let stride = ((SCAN_INTERVAL / longest) as usize).max(1);
        let mut keep: Vec<usize> = (0..finite).step_by(stride).collect();
        if keep.last() != Some(&(finite - 1)) {
            keep.push(finite - 1);
        }
        OscillationRun {
            model,
            nodes,
            mixed: false,
            period_s: period.filter(|_| !self.diverged),
            trough_m: depth.filter(|_| !self.diverged),
            amplitude_m: depth
                .zip(height)
                .map(|(d, h)| 0.5 * (h - d))
                .filter(|_| !self.diverged),
            mean_m: time_mean(t, y),
            energy_drift: (!self.diverged
                && self.largest_kinetic > 0.0
                && t.last().is_some_and(|t| *t > 0.9 * duration))
            .then(|| self.largest_deviation / self.largest_kinetic),
            diverged: self.diverged,
            t: keep.iter().map(|&k| t[k]).collect(),
            y: keep.iter().map(|&k| y[k]).collect(),
        }
    }
}

/// Minima (time, value) between two passages through the mean. The curve has to come from above the mean and to return above it by a share of the
/// amplitude, so that ripples of higher modes do not count. Each minimum is interpolated by a parabola through three points.
fn lowest_points(t: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let low = y.iter().copied().fold(f64::INFINITY, f64::min);
    let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let middle = time_mean(t, y);
    let (below, above) = (
        middle - MIN_TURN * (middle - low),
        middle + MIN_TURN * (high - middle),
    );
    let mut found = Vec::new();
    let mut best: Option<usize> = None;
    let mut was_above = false;
    for (k, &value) in y.iter().enumerate() {
        if value > above {
            if let Some(k) = best.take() {
                found.push(parabola(t, y, k));
            }
            was_above = true;
        } else if was_above && value < below && best.is_none_or(|b| value < y[b]) {
            best = Some(k);
        }
    }
    found
}

/// Vertex of the parabola through point `k` and its neighbours.
fn parabola(t: &[f64], y: &[f64], k: usize) -> (f64, f64) {
    if k == 0 || k + 1 >= y.len() {
        return (t[k], y[k]);
    }
    // Newton form around the middle point
    let (a, b) = (t[k - 1] - t[k], t[k + 1] - t[k]);
    let (p, q) = ((y[k - 1] - y[k]) / a, (y[k + 1] - y[k]) / b);
    let curvature = (q - p) / (b - a);
    let slope = p - curvature * a;
    if curvature <= 0.0 {
        return (t[k], y[k]);
    }
    let s = -slope / (2.0 * curvature);
    (t[k] + s, y[k] + s * (slope + curvature * s))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(s, n), v| (s + v, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Mean over time by trapezia.
fn time_mean(t: &[f64], y: &[f64]) -> f64 {
    let area: f64 = t
        .windows(2)
        .zip(y.windows(2))
        .map(|(t, y)| 0.5 * (t[1] - t[0]) * (y[0] + y[1]))
        .sum();
    match (t.first(), t.last()) {
        (Some(a), Some(b)) if b > a => area / (b - a),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn troughs_of_a_cosine_with_ripples_are_found_between_the_samples() {
        let period = 0.2954;
        let omega = 2.0 * std::f64::consts::PI / period;
        let t: Vec<f64> = (0..2000).map(|k| f64::from(k) * 1.37e-3).collect();
        let y: Vec<f64> = t.iter().map(|t| 0.03 * ((omega * t).cos() - 1.0)).collect();
        let found = lowest_points(&t, &y);
        assert_eq!(found.len(), 9);
        for (k, (time, depth)) in found.iter().enumerate() {
            assert!((time - (k as f64 + 0.5) * period).abs() < 1e-7);
            assert!((depth + 0.06).abs() < 1e-7);
        }
        // small fast ripples add no lowest points
        let rippled: Vec<f64> = t
            .iter()
            .zip(&y)
            .map(|(t, y)| y + 0.002 * (9.3 * omega * t).sin())
            .collect();
        assert_eq!(lowest_points(&t, &rippled).len(), 9);
    }
}
