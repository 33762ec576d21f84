//! How far a method is from the reference.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::{RecordedRun, Reference};
use crate::distance::SurfaceDistance;

/// Frames before and after each one over which forces are averaged when the largest is sought: waves in the body pass within so many.
const AVERAGED: usize = 2;
/// Factor of safety on Richardson's estimate from two levels: the grid convergence index (Roache, "Perspective: a method for uniform reporting of grid refinement studies",
/// J. Fluids Eng. 116, 1994).
const SAFETY: f64 = 3.0;
/// Share of its largest force from which on a tool presses firmly.
const FIRM: f64 = 0.75;

/// The force by which methods are judged: that of the tool or grab that feels most in the reference, averaged over all frames in which it presses firmly, with at least three
/// quarters of its largest force. A single frame would be at the mercy of the waves that run through the body.
#[derive(Debug, Clone, PartialEq)]
pub struct FirmForce {
    /// Number of the tool, or the number of tools plus that of the grab.
    pub curve: usize,
    /// The frames, from 0, ascending.
    pub frames: Vec<usize>,
    /// Mean force (N) of the reference in these frames.
    pub force: f64,
    /// How far this force may be from the limit of ever finer elements, N: the grid convergence index for an error that falls with the square of the edge.
    pub uncertainty: f64,
}

impl FirmForce {
    /// The largest force in a `fine` run, with its uncertainty from a `coarse` one. `moving` says for each tool, then for each grab, whether it counts; `None` where none of these is felt.
    pub(super) fn find(fine: &RecordedRun, coarse: &RecordedRun, moving: &[bool]) -> Option<Self> {
        let mut best = (0, 0.0);
        let moving = moving.iter().zip(&fine.forces).enumerate();
        for (curve, (_, forces)) in moving.filter(|(_, (moves, _))| **moves) {
            let largest = largest_mean(forces);
            if largest > best.1 {
                best = (curve, largest);
            }
        }
        let (curve, largest) = best;
        let forces = fine.forces.get(curve).filter(|_| largest > 0.0)?;
        let firm = |&frame: &usize| mean_around(forces, frame) >= FIRM * largest;
        let frames: Vec<usize> = (0..forces.len()).filter(firm).collect();
        let force = mean_of(forces, &frames)?;
        let estimate = mean_of(coarse.forces.get(curve)?, &frames)? - force;
        let refinement = refinement(fine.nodes, coarse.nodes);
        Some(Self {
            curve,
            frames,
            force,
            uncertainty: SAFETY * estimate.abs() / (refinement.powi(2) - 1.0),
        })
    }

    /// Mean force (N) in the same frames of other curves; `None` where they end before.
    pub fn of<C: AsRef<[f64]>>(&self, forces: &[C]) -> Option<f64> {
        mean_of(forces.get(self.curve)?.as_ref(), &self.frames)
    }
}

/// A method against the reference.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Accuracy {
    /// Mean force (N) in the frames in which the reference presses firmly; `None` where no tool or grab is felt, or the method stopped before.
    pub force: Option<f64>,
    /// The same over that of the reference, minus 1: positive where the method is too stiff.
    pub force_error: Option<f64>,
    /// Root mean square over all frames of the difference of that tool's force, over the force of the reference by which methods are judged.
    pub force_rms: Option<f64>,
    /// Root mean square distance (m) of the skins in the kept frame in which it is largest, weighted by area.
    pub surface_rms: f64,
    /// Largest distance (m) of a skin vertex in that frame.
    pub surface_max: f64,
    /// That frame.
    pub surface_frame: usize,
    /// Largest difference (m) of each probe over all frames.
    pub probe_max: Vec<f64>,
}

impl Reference {
    /// Compares forces (N) and probes (m) in each frame with those of the reference. `skin` has the distances of skins from it, see [`Accuracy::add_surface`].
    pub fn judge(&self, forces: &[&[f64]], probes: &[&[Vec3]], skin: Accuracy) -> Accuracy {
        let mut accuracy = skin;
        let differences = probes.iter().zip(&self.fine.probes).map(|(mine, theirs)| {
            let both = mine.iter().zip(theirs);
            both.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        });
        accuracy.probe_max = differences.collect();
        let Some(firm) = &self.firm else {
            return accuracy;
        };
        let Some(mine) = forces.get(firm.curve) else {
            return accuracy;
        };
        let theirs = &self.fine.forces[firm.curve];
        accuracy.force = firm.of(forces);
        accuracy.force_error = accuracy.force.map(|force| force / firm.force - 1.0);
        let both = mine.iter().zip(theirs);
        let count = both.len();
        if count > 0 {
            let sum: f64 = both.map(|(a, b)| (a - b).powi(2)).sum();
            accuracy.force_rms = Some((sum / count as f64).sqrt() / firm.force);
        }
        accuracy
    }
}

impl Accuracy {
    /// Takes the distance of skins in a frame into account.
    pub fn add_surface(&mut self, distance: &SurfaceDistance, frame: usize) {
        if distance.rms > self.surface_rms {
            self.surface_rms = distance.rms;
            self.surface_max = distance.max;
            self.surface_frame = frame;
        }
    }

    /// What orders methods: the force where one is felt, else the skin.
    fn rank(&self) -> f64 {
        self.force_error.map_or(self.surface_rms, f64::abs)
    }
}

/// Which method is nearest to the reference and which costs least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranking {
    /// The one whose force is least off, or whose skin is where no force is felt.
    pub nearest: Method,
    /// The one with the smallest median time a frame.
    pub cheapest: Method,
}

/// Ranks methods by accuracy and by their median time a frame (ms); `None` where there are none.
pub fn ranking<'a>(
    methods: impl Iterator<Item = (Method, &'a Accuracy, f64)> + Clone,
) -> Option<Ranking> {
    let nearest = methods
        .clone()
        .min_by(|a, b| a.1.rank().total_cmp(&b.1.rank()))?;
    let cheapest = methods.min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(Ranking {
        nearest: nearest.0,
        cheapest: cheapest.0,
    })
}

/// Edge of the coarser level over that of the finer one; at least 1.1, so that two levels that hardly differ promise nothing.
fn refinement(fine_nodes: usize, coarse_nodes: usize) -> f64 {
    let ratio = fine_nodes as f64 / coarse_nodes.max(1) as f64;
    ratio.cbrt().max(1.1)
}

/// Mean over the frames around `frame` that there are; zero where there is none.
fn mean_around(forces: &[f64], frame: usize) -> f64 {
    let end = (frame + AVERAGED + 1).min(forces.len());
    let part = forces.get(frame.saturating_sub(AVERAGED)..end);
    let part = part.unwrap_or_default();
    part.iter().sum::<f64>() / part.len().max(1) as f64
}

/// The largest of all means.
fn largest_mean(forces: &[f64]) -> f64 {
    let means = (0..forces.len()).map(|frame| mean_around(forces, frame));
    means.fold(0.0, f64::max)
}

/// Mean over these frames; `None` where one is not there.
fn mean_of(forces: &[f64], frames: &[usize]) -> Option<f64> {
    let mut sum = 0.0;
    for &frame in frames {
        sum += forces.get(frame)?;
    }
    (!frames.is_empty()).then(|| sum / frames.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nodes: usize, scale: f64) -> RecordedRun {
        let forces = (0..100).map(|k| scale * f64::from(k.min(60)));
        RecordedRun {
            nodes,
            forces: vec![vec![0.0; 100], forces.collect()],
            ..RecordedRun::default()
        }
    }

    fn reference() -> Reference {
        let (fine, coarse) = (run(8000, 1.0), run(1000, 1.3));
        Reference {
            firm: FirmForce::find(&fine, &coarse, &[true; 2]),
            fine,
            coarse,
            causes: Vec::new(),
            seconds: 0.0,
            from_cache: false,
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_error_of_a_series_that_converges_with_the_square_of_the_edge_is_found() {
        // edges 2 : 1, forces F (1 + 0.1 h²): 1.4 and 1.1 of the limit
        let firm = FirmForce::find(&run(8000, 1.1), &run(1000, 1.4), &[true; 2]);
        let firm = firm.expect("a force");
        assert_eq!(firm.curve, 1);
        // pressed with 45 or more of 60, the last two frames of the ramp and the plateau among them
        assert!(firm.frames.first() == Some(&45) && firm.frames.last() == Some(&99));
        let limit = mean_of(&run(1, 1.0).forces[1], &firm.frames).expect("a force");
        assert!((firm.force - firm.uncertainty / SAFETY - limit).abs() < 1e-9 * limit);
    }

    #[test]
    fn a_method_that_is_a_tenth_too_stiff_is_told_so() {
        let stiff = run(1, 1.1);
        let forces: Vec<&[f64]> = stiff.forces.iter().map(Vec::as_slice).collect();
        let judge = |forces: &[&[f64]]| reference().judge(forces, &[], Accuracy::default());
        let accuracy = judge(&forces);
        assert!((accuracy.force_error.expect("felt") - 0.1).abs() < 1e-12);
        let rms = accuracy.force_rms.expect("felt");
        assert!(rms > 0.05 && rms < 0.1);
        // a run that ended before that has no force to compare
        let short: Vec<&[f64]> = forces.iter().map(|f| &f[..20]).collect();
        assert_eq!(judge(&short).force_error, None);
        // what stands still is not judged, however much it carries
        assert!(FirmForce::find(&run(8000, 1.0), &run(1000, 1.3), &[true, false]).is_none());
    }

    #[test]
    fn nearest_and_cheapest_are_found() {
        let near = Accuracy {
            force_error: Some(-0.01),
            ..Accuracy::default()
        };
        let far = Accuracy {
            force_error: Some(0.2),
            ..Accuracy::default()
        };
        let methods = [(Method::Adaptive, &near, 8.0), (Method::Lattice, &far, 1.0)];
        let ranking = ranking(methods.into_iter()).expect("two methods");
        assert_eq!(ranking.nearest, Method::Adaptive);
        assert_eq!(ranking.cheapest, Method::Lattice);
        assert!(super::ranking(std::iter::empty()).is_none());
    }
}
