//! The metrics of a frame, and the table of their names.

use pliant_core::model::EnergyAccount;

/// The metrics of one frame of one method. What a method cannot give, or has not given yet, is `None`, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameMetrics {
    /// Energies, J; `None` for a method without an energy.
    pub energy: Option<EnergyAccount>,
    /// Deepest penetration, or largest distance from a held target, m.
    pub violation: Option<f64>,
    /// Largest force with which a contact pulls at the body, N; `None` where bodies find contacts themselves.
    pub pull: Option<f64>,
    /// How much the volume that the skin encloses has grown (negative: shrunk), over that at rest; `None` for a skin that encloses nothing, and while it is
    /// not measured.
    pub volume_change: Option<f64>,
    /// Norm of the force on a tool together with those that it carries, N: the largest, where several tools carry others; `None` where none does.
    pub carrier_force: Option<f64>,
}

/// A metric by its name, which tells it from others: tables, JSON and windows follow the list of them.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Name without its unit.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Unit of its value: `J`, `m` or `N`; empty for a plain fraction.
    pub unit: &'static str,
    /// What a method lacks that never has it.
    pub lacks: &'static str,
    /// Whether it takes a pass over the skin.
    pub is_of_skin: bool,
    /// Its value, SI or a plain fraction; `None` where there is none.
    pub value: fn(&FrameMetrics) -> Option<f64>,
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Metric {}

impl Metric {
    /// Name with its unit, as tables and JSON have it: `energy_kinetic_j`.
    pub fn key(&self) -> String {
        match self.unit {
            "" => self.name.to_string(),
            unit => format!("{}_{}", self.name, unit.to_lowercase()),
        }
    }
}

const fn energy_metric(
    name: &'static str,
    label: &'static str,
    about: &'static str,
    value: fn(&FrameMetrics) -> Option<f64>,
) -> Metric {
    Metric {
        name,
        label,
        about,
        unit: "J",
        lacks: "energy",
        is_of_skin: false,
        value,
    }
}

/// All of them, in the order of tables. New ones come last, so that columns stay where they are.
pub const METRICS: &[Metric] = &[
    energy_metric("energy_kinetic", "Kinetic energy", "of all masses", |m| {
        Some(m.energy?.kinetic)
    }),
    energy_metric(
        "energy_elastic",
        "Elastic energy",
        "of the strain, zero at rest",
        |m| Some(m.energy?.elastic),
    ),
    energy_metric(
        "energy_gravity",
        "Gravity energy",
        "of the weight, zero at rest",
        |m| Some(m.energy?.potential),
    ),
    energy_metric(
        "tool_work",
        "Tool work",
        "put in by tools, grabs and loads since the start",
        |m| Some(m.energy?.work),
    ),
    energy_metric(
        "energy_dissipated",
        "Dissipated energy",
        "lost to damping and contact since the start",
        |m| Some(m.energy?.dissipated),
    ),
    energy_metric(
        "energy_residual",
        "Energy residual",
        "kinetic + elastic + gravity + dissipated − tool work: zero where no energy is made or lost",
        |m| Some(m.energy?.balance()),
    ),
    Metric {
        name: "violation",
        label: "Deepest violation",
        about: "deepest penetration, or largest distance from a held target",
        unit: "m",
        lacks: "constraint",
        is_of_skin: false,
        value: |m| m.violation,
    },
    Metric {
        name: "pull",
        label: "Largest pull",
        about: "largest force with which a contact pulls at the body: contacts should only push",
        unit: "N",
        lacks: "single contact forces",
        is_of_skin: false,
        value: |m| m.pull,
    },
    Metric {
        name: "volume_change",
        label: "Change of volume",
        about: "of what the skin encloses, over that at rest",
        unit: "",
        lacks: "volume",
        is_of_skin: true,
        value: |m| m.volume_change,
    },
    Metric {
        name: "carrier_force",
        label: "Force on the carrier",
        about: "on a tool together with those that it carries, as vectors; the largest of several",
        unit: "N",
        lacks: "tool that carries others",
        is_of_skin: false,
        value: |m| m.carrier_force,
    },
];

/// The metrics that any of the frames has.
pub fn present_metrics(frames: &[FrameMetrics]) -> Vec<&'static Metric> {
    let has = |metric: &&Metric| frames.iter().any(|m| (metric.value)(m).is_some());
    METRICS.iter().filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_once_and_have_their_units() {
        for (k, metric) in METRICS.iter().enumerate() {
            assert!(METRICS[..k].iter().all(|m| m.name != metric.name));
            assert!(["J", "m", "N", ""].contains(&metric.unit), "{metric:?}");
        }
        assert_eq!(METRICS[0].key(), "energy_kinetic_j");
        assert_eq!(METRICS[8].key(), "volume_change");
        assert_eq!(METRICS[METRICS.len() - 1].key(), "carrier_force_n");
    }

    #[test]
    fn what_a_method_lacks_is_absent_and_the_residual_is_what_is_made_or_lost() {
        let without = FrameMetrics {
            violation: Some(0.0),
            ..FrameMetrics::default()
        };
        let names = |frames: &[FrameMetrics]| -> Vec<&str> {
            present_metrics(frames).iter().map(|m| m.name).collect()
        };
        assert_eq!(names(&[without]), ["violation"]);
        assert!(names(&[]).is_empty());
        let energy = EnergyAccount {
            kinetic: 1.0,
            elastic: 2.0,
            potential: -0.5,
            dissipated: 4.0,
            work: 6.0,
        };
        let with = FrameMetrics {
            energy: Some(energy),
            ..without
        };
        let found = present_metrics(&[without, with]);
        assert_eq!(found.len(), 7);
        let values: Vec<Option<f64>> = found.iter().map(|m| (m.value)(&with)).collect();
        let expected = [1.0, 2.0, -0.5, 6.0, 4.0, 0.5, 0.0].map(Some);
        assert_eq!(values, expected);
    }
}
