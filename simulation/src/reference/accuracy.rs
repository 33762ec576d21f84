//! How far a method is from the reference.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use super::Reference;
use crate::distance::SurfaceDistance;

/// Frames before and after the one that is judged over which forces are averaged: waves in the body pass within so many.
const AVERAGED: usize = 2;

/// The largest force of one tool or grab in the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Number of the tool, or the number of tools plus that of the grab.
    pub curve: usize,
    /// The frame, from 0.
    pub frame: usize,
    /// Mean force (N) of the reference over the five frames around it.
    pub force: f64,
    /// How far this force may be from the limit of ever finer elements, N.
    pub uncertainty: f64,
}

/// A method against the reference.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Accuracy {
    /// Mean force (N) over the five frames around the reference's largest; `None` where no tool or grab is felt.
    pub force: Option<f64>,
    /// The same over that of the reference, minus 1: positive where the method is too stiff.
    pub force_error: Option<f64>,
    /// Root mean square over all frames of the difference of that tool's force, over the largest force of the reference.
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
    /// Where the force of a tool or grab that moves is largest; `None` where nothing is felt.
    pub fn peak(&self) -> Option<Peak> {
        let mut best: Option<Peak> = None;
        let moving = self.moving.iter().zip(&self.fine.forces).enumerate();
        for (curve, (_, forces)) in moving.filter(|(_, (moves, _))| **moves) {
            for frame in 0..forces.len() {
                let force = mean_around(forces, frame)?;
                if force > best.map_or(0.0, |b| b.force) {
                    best = Some(Peak {
                        curve,
                        frame,
                        force,
                        uncertainty: 0.0,
                    });
                }
            }
        }
        let mut peak = best?;
        let coarse = mean_around(&self.coarse.forces[peak.curve], peak.frame)?;
        peak.uncertainty = (peak.force - coarse).abs() / (self.refinement().powi(2) - 1.0);
        Some(peak)
    }

    /// Edge of the coarser level over that of the finer one; at least 1.1, so that two levels that hardly differ promise nothing.
    fn refinement(&self) -> f64 {
        let ratio = self.fine.nodes as f64 / self.coarse.nodes.max(1) as f64;
        ratio.cbrt().max(1.1)
    }

    /// Compares forces (N) and probes (m) in each frame with those of the reference. `skin` has the distances of skins from it, see [`Accuracy::add_surface`].
    pub fn judge(&self, forces: &[&[f64]], probes: &[&[Vec3]], skin: Accuracy) -> Accuracy {
        let mut accuracy = skin;
        let differences = probes.iter().zip(&self.fine.probes).map(|(mine, theirs)| {
            let both = mine.iter().zip(theirs);
            both.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        });
        accuracy.probe_max = differences.collect();
        let Some(peak) = self.peak() else {
            return accuracy;
        };
        let Some(mine) = forces.get(peak.curve) else {
            return accuracy;
        };
        let theirs = &self.fine.forces[peak.curve];
        if let Some(force) = mean_around(mine, peak.frame) {
            accuracy.force = Some(force);
            accuracy.force_error = Some(force / peak.force - 1.0);
        }
        let both = mine.iter().zip(theirs);
        let count = both.len();
        if count > 0 {
            let sum: f64 = both.map(|(a, b)| (a - b).powi(2)).sum();
            accuracy.force_rms = Some((sum / count as f64).sqrt() / peak.force);
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
        self.force_rms.unwrap_or(self.surface_rms)
    }
}

/// Which method is nearest to the reference and which costs least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranking {
    /// The one with the smallest difference of force over the run, or of the skin where no force is felt.
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

/// Mean over the frames around `frame` that there are; `None` where that frame is not there.
fn mean_around(forces: &[f64], frame: usize) -> Option<f64> {
    forces.get(frame)?;
    let end = (frame + AVERAGED + 1).min(forces.len());
    let part = &forces[frame.saturating_sub(AVERAGED)..end];
    Some(part.iter().sum::<f64>() / part.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::RecordedRun;

    fn run(nodes: usize, scale: f64) -> RecordedRun {
        let forces = (0..100).map(|k| scale * f64::from(k.min(60)));
        RecordedRun {
            nodes,
            forces: vec![vec![0.0; 100], forces.collect()],
            ..RecordedRun::default()
        }
    }

    fn reference() -> Reference {
        Reference {
            fine: run(8000, 1.0),
            coarse: run(1000, 1.3),
            moving: vec![true; 2],
            seconds: 0.0,
            from_cache: false,
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_error_of_a_series_that_converges_with_the_square_of_the_edge_is_found() {
        // edges 2 : 1, forces F (1 + 0.1 h²): 1.4 and 1.1 of the limit
        let found = Reference {
            fine: run(8000, 1.1),
            coarse: run(1000, 1.4),
            ..reference()
        };
        let peak = found.peak().expect("a force");
        assert_eq!(peak.curve, 1);
        assert!((peak.force - 66.0).abs() < 1e-12);
        assert!((peak.force - peak.uncertainty - 60.0).abs() < 1e-9);
    }

    #[test]
    fn a_method_that_is_a_tenth_too_stiff_is_told_so() {
        let stiff = run(1, 1.1);
        let forces: Vec<&[f64]> = stiff.forces.iter().map(Vec::as_slice).collect();
        let accuracy = reference().judge(&forces, &[], Accuracy::default());
        assert!((accuracy.force_error.expect("felt") - 0.1).abs() < 1e-12);
        let rms = accuracy.force_rms.expect("felt");
        assert!(rms > 0.05 && rms < 0.1);
        // a run that ended before the largest force has no force to compare
        let short: Vec<&[f64]> = forces.iter().map(|f| &f[..20]).collect();
        assert_eq!(reference().judge(&short, &[], Accuracy::default()).force_error, None);
    }

    #[test]
    fn nearest_and_cheapest_are_found() {
        let near = Accuracy {
            force_rms: Some(0.01),
            ..Accuracy::default()
        };
        let far = Accuracy {
            force_rms: Some(0.2),
            ..Accuracy::default()
        };
        let methods = [
            (Method::Adaptive, &near, 8.0),
            (Method::Lattice, &far, 1.0),
        ];
        let ranking = ranking(methods.into_iter()).expect("two methods");
        assert_eq!(ranking.nearest, Method::Adaptive);
        assert_eq!(ranking.cheapest, Method::Lattice);
        assert!(super::ranking(std::iter::empty()).is_none());
    }
}
