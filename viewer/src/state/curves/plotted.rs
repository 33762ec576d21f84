//! What the curves show.

use pliant_simulation::world::Metric;

/// What the curves show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plotted {
    /// The force.
    #[default]
    Force,
    /// The force on a hand at the pointer.
    ForceFeedback,
    /// A probe, by its place in the list.
    Probe(usize),
    /// Displacement of a point inside, by its place in the list.
    PointDisplacement(usize),
    /// Stress of von Mises at a point inside.
    PointStress(usize),
    /// A metric.
    Metric(&'static Metric),
    /// Distance of the skin from that of a pane (root mean square), by the place of the pane.
    Distance(usize),
    /// The largest distance from it, which only the saved table has.
    LargestDistance(usize),
}

impl Plotted {
    /// Unit to show, and what values are multiplied with.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Force | Self::ForceFeedback => ("N", 1.0),
            Self::PointStress(_) => ("Pa", 1.0),
            Self::Metric(metric) => match metric.unit {
                "J" => ("mJ", 1e3),
                "m" => ("mm", 1e3),
                "" => ("%", 1e2),
                unit => (unit, 1.0),
            },
            _ => ("mm", 1e3),
        }
    }

    /// Name of the quantity.
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Force => "Force",
            Self::ForceFeedback => "Felt force",
            Self::Probe(_) | Self::PointDisplacement(_) => "Displacement",
            Self::PointStress(_) => "Stress",
            Self::Metric(metric) => metric.label,
            Self::Distance(_) | Self::LargestDistance(_) => "Distance",
        }
    }

    /// Whether it is one of the metrics, which stand in a menu.
    pub fn is_metric(self) -> bool {
        matches!(
            self,
            Self::Metric(_) | Self::Distance(_) | Self::LargestDistance(_)
        )
    }

    /// Whether it needs a pass over the skins, which large skins have only on request.
    pub fn is_of_skin(self) -> bool {
        match self {
            Self::Metric(metric) => metric.is_of_skin,
            _ => self.is_metric(),
        }
    }
}
