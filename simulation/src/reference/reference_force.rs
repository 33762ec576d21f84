//! The force by which methods are judged, and how sure it is.

use super::runs::RecordedRun;

/// Forces are averaged over so many frames before and after each one to find the largest. Waves in the body pass within that time.
const AVERAGING_RADIUS: usize = 2;

/// Factor of safety on Richardson's estimate from two levels: the grid convergence index (Roache, "Perspective: a method for uniform reporting of grid refinement studies",
/// J. Fluids Eng. 116, 1994).
pub(super) const SAFETY_FACTOR: f64 = 3.0;

/// Uncertainty of an estimate, which has one level, over its force. Estimates were up to 17 % off the reference on ten bodies.
const ESTIMATE_UNCERTAINTY: f64 = 0.2;

/// Share of its largest force above which a tool presses firmly.
const FIRM_SHARE: f64 = 0.75;

/// The force by which methods are judged: that of the tool or grab that feels most in the reference. It is averaged over all frames in which the tool presses
/// firmly, with at least three quarters of its largest force, because waves run through the body and a single frame would depend on them.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceForce {
    /// Number of the tool, or the number of tools plus that of the grab.
    pub curve: usize,
    /// The frames, from 0, ascending.
    pub frames: Vec<usize>,
    /// Mean force (N) of the reference in these frames.
    pub force: f64,
    /// How far this force may be from the limit of ever finer elements, N: the grid convergence index for an error that falls with the square of the edge. A fifth of the force for
    /// an estimate.
    pub uncertainty: f64,
}

impl ReferenceForce {
    /// [`ReferenceForce::uncertainty`] over the force.
    pub fn relative_uncertainty(&self) -> f64 {
        self.uncertainty / self.force
    }

    /// The largest force in a `fine` run, with its uncertainty from a `coarse` one if there is one. `compared_curves` says for each curve of forces whether it counts, and the first `lead` frames
    /// do not. `None` where none of these is felt.
    pub(super) fn find(
        fine: &RecordedRun,
        coarse: Option<&RecordedRun>,
        compared_curves: &[bool],
        lead: usize,
    ) -> Option<Self> {
        let mut best = (0, 0.0);
        let compared_curves = compared_curves.iter().zip(&fine.forces).enumerate();
        for (curve, (_, forces)) in compared_curves.filter(|(_, (counts, _))| **counts) {
            let largest = largest_mean(forces, lead);
            if largest > best.1 {
                best = (curve, largest);
            }
        }
        let (curve, largest) = best;
        let forces = fine.forces.get(curve).filter(|_| largest > 0.0)?;
        let is_firm = |&frame: &usize| mean_around(forces, frame) >= FIRM_SHARE * largest;
        let frames: Vec<usize> = (lead..forces.len()).filter(is_firm).collect();
        let force = mean_of(forces, &frames)?;
        let uncertainty = match coarse {
            Some(coarse) => {
                let estimate = mean_of(coarse.forces.get(curve)?, &frames)? - force;
                let refinement = refinement(fine.nodes, coarse.nodes);
                SAFETY_FACTOR * estimate.abs() / (refinement.powi(2) - 1.0)
            }
            None => ESTIMATE_UNCERTAINTY * force,
        };
        Some(Self {
            curve,
            frames,
            force,
            uncertainty,
        })
    }

    /// Mean force (N) in the same frames of other curves; `None` where they end before.
    pub(crate) fn mean_force<C: AsRef<[f64]>>(&self, forces: &[C]) -> Option<f64> {
        mean_of(forces.get(self.curve)?.as_ref(), &self.frames)
    }
}

/// Edge of the coarser level over that of the finer one. At least 1.1: two levels that hardly differ say nothing about convergence.
fn refinement(fine_nodes: usize, coarse_nodes: usize) -> f64 {
    let ratio = fine_nodes as f64 / coarse_nodes.max(1) as f64;
    ratio.cbrt().max(1.1)
}

/// Mean over the frames around `frame` that there are; zero where there is none.
fn mean_around(forces: &[f64], frame: usize) -> f64 {
    let end = (frame + AVERAGING_RADIUS + 1).min(forces.len());
    let part = forces.get(frame.saturating_sub(AVERAGING_RADIUS)..end);
    let part = part.unwrap_or_default();
    part.iter().sum::<f64>() / part.len().max(1) as f64
}

/// The largest of all means around frames from `lead` on.
fn largest_mean(forces: &[f64], lead: usize) -> f64 {
    let means = (lead..forces.len()).map(|frame| mean_around(forces, frame));
    means.fold(0.0, f64::max)
}

/// Mean over these frames; `None` where one is not there.
pub(super) fn mean_of(forces: &[f64], frames: &[usize]) -> Option<f64> {
    let mut sum = 0.0;
    for &frame in frames {
        sum += forces.get(frame)?;
    }
    (!frames.is_empty()).then(|| sum / frames.len() as f64)
}
