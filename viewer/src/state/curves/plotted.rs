//! What the curves show.

use super::curve::Curve;
use super::history::Curves;

/// What the curves show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plotted {
    /// The force.
    #[default]
    Force,
    /// The force that a hand at the pointer would feel.
    Felt,
    /// A probe, by its place in the list.
    Probe(usize),
    /// Displacement of a point inside, by its place in the list.
    PointDisplacement(usize),
    /// Stress of von Mises at a point inside.
    PointStress(usize),
}

impl Plotted {
    /// Its curve in a pane, whose values [`Plotted::unit`] scales to its unit.
    pub fn of(self, curves: &Curves) -> Option<&Curve> {
        let point = |k: usize| curves.points.get(k);
        match self {
            Self::Force => Some(&curves.force),
            Self::Felt => Some(&curves.felt),
            Self::Probe(k) => curves.probes.get(k),
            Self::PointDisplacement(k) => point(k).map(|p| &p[0]),
            Self::PointStress(k) => point(k).map(|p| &p[1]),
        }
    }

    /// Unit to show, and what values are multiplied with.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Force | Self::Felt => ("N", 1.0),
            Self::Probe(_) | Self::PointDisplacement(_) => ("mm", 1e3),
            Self::PointStress(_) => ("Pa", 1.0),
        }
    }

    /// What it is, in a word or two.
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Force => "Force",
            Self::Felt => "Felt force",
            Self::Probe(_) | Self::PointDisplacement(_) => "Displacement",
            Self::PointStress(_) => "Stress",
        }
    }
}
