//! How far a method is from the reference.

use pliant_core::math::Vec3;

use super::distance::SurfaceDistance;
use super::result::Reference;

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
    pub fn accuracy(&self, forces: &[&[f64]], probes: &[&[Vec3]], skin: Accuracy) -> Accuracy {
        let mut accuracy = skin;
        let differences = probes.iter().zip(&self.fine.probes).map(|(mine, theirs)| {
            let both = mine.iter().zip(theirs);
            both.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        });
        accuracy.probe_max = differences.collect();
        let Some(reference_force) = &self.force else {
            return accuracy;
        };
        let Some(mine) = forces.get(reference_force.curve) else {
            return accuracy;
        };
        let theirs = &self.fine.forces[reference_force.curve];
        accuracy.force = reference_force.mean_force(forces);
        accuracy.force_error = accuracy
            .force
            .map(|force| force / reference_force.force - 1.0);
        let both = mine.iter().zip(theirs);
        let count = both.len();
        if count > 0 {
            let sum: f64 = both.map(|(a, b)| (a - b).powi(2)).sum();
            accuracy.force_rms = Some((sum / count as f64).sqrt() / reference_force.force);
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
    pub(super) fn rank(&self) -> f64 {
        self.force_error.map_or(self.surface_rms, f64::abs)
    }
}
