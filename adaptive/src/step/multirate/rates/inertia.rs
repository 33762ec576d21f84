//! Masses of the elements and nodes of all levels, and the inertia that mass scaling adds to slivers.

use crate::hierarchy::Level;
use crate::step::mass_scaling::ScaledMasses;

/// Inertia of all levels, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inertia {
    /// true mass of each node of a whole level, kg
    pub(crate) node: Vec<f64>,
    /// true mass of each element at each of its corners, kg
    pub(crate) corner: Vec<f64>,
    /// inertia that is added to each corner of each element, kg
    pub(crate) heavier: Vec<f64>,
}

impl Inertia {
    /// Appends the next finer level with its scaled masses.
    pub(crate) fn push(&mut self, level: &Level, scaled: &ScaledMasses) {
        let density = level.density();
        let quarters = level.shapes.iter().map(|s| density * s.volume / 4.0);
        if scaled.kept < 1.0 {
            // the total mass is kept: what slivers gain is taken from the others
            self.node.extend_from_slice(&scaled.masses);
            self.corner.extend(scaled.corner_inertia(level));
            self.heavier.extend(scaled.corners.iter().map(|_| 0.0));
        } else {
            self.node.extend_from_slice(&level.masses);
            self.corner.extend(quarters);
            self.heavier.extend_from_slice(&scaled.corners);
        }
    }
}
