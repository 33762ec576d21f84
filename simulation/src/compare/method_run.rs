//! Figures and curves of one method's run, and which of the figures are shown, written and checked everywhere.

use pliant_core::contact::ToolWrench;
use pliant_core::inspect::PointState;
use pliant_core::math::numbers::places;
use pliant_core::math::{Vec3, quantile};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::StepError;

use super::oscillation::{Oscillation, oscillation};
use super::press::Press;
use crate::reference::Accuracy;
use crate::world::FrameMetrics;

/// Figures of one method's run.
#[derive(Debug, Clone, Default)]
pub struct MethodRun {
    /// Simulated frames.
    pub frames: usize,
    /// Wall time of each frame, ms.
    pub cost_ms: Vec<f64>,
    /// Wall time of building or loading the asset, s.
    pub bake_s: f64,
    /// Whether the asset came from the cache.
    pub from_cache: bool,
    /// Hash of the skin positions of every frame.
    pub surface_hash: u64,
    /// Most nodes, particles or columns that were computed.
    pub active_nodes_max: usize,
    /// Largest force of one tool or grab, N.
    pub force_max: f64,
    /// Largest penetration or distance from a held target, m.
    pub violation_max: f64,
    /// Largest jump of the skin at a change of resolution, m; `None` for a method whose resolution does not change.
    pub pop_max: Option<f64>,
    /// Worst energy balance over the largest energy; `None` for a method without energy.
    pub energy_balance: Option<f64>,
    /// Size of the largest change of the volume that the skin encloses, over that at rest.
    pub volume_change: f64,
    /// Why it stopped early, if it did.
    pub diverged: Option<StepError>,
    /// Force (N) on the body at the end of the run, for each tool, grab and support by name.
    pub reactions: Vec<(String, Vec3)>,
    /// Force and torque at the end of the run on each tool that carries others, together with these.
    pub carriers: Vec<CarrierWrench>,
    /// For each tool that pressed the body and let go of it, the press with the most work.
    pub presses: Vec<(String, Press)>,
    /// Time of each frame, s.
    pub times: Vec<f64>,
    /// Norm of the force of each tool and grab in each frame, N: `force_curves[tool or grab][frame]`.
    pub force_curves: Vec<(String, Vec<f64>)>,
    /// Probe values in each frame: `probe_curves[probe][frame]`, m.
    pub probe_curves: Vec<(String, Vec<Vec3>)>,
    /// Each named point inside, in each frame.
    pub point_curves: Vec<PointCurve>,
    /// Metrics of each frame.
    pub metrics: Vec<FrameMetrics>,
    /// Skin at the kept times.
    pub kept: Vec<SurfaceFrame>,
    /// How far it is from the reference, where there is one.
    pub accuracy: Option<Accuracy>,
    /// What the user should know of the build and the run; [`Comparison::notes_of`](super::Comparison::notes_of) has the rest.
    pub notes: Vec<String>,
    /// Figures of the model at the end.
    pub counters: Vec<(&'static str, f64)>,
}

impl MethodRun {
    /// Largest displacement of a probe over the run and its final value, m.
    pub fn probe_summary(&self, probe: usize) -> (Vec3, f64) {
        let curve = &self.probe_curves[probe].1;
        let last = curve.last().copied().unwrap_or_else(Vec3::zeros);
        (last, curve.iter().map(|v| v.norm()).fold(0.0, f64::max))
    }

    /// How a probe oscillates; `None` where it turns fewer than three times at regular intervals after its largest swing.
    pub fn probe_oscillation(&self, probe: usize) -> Option<Oscillation> {
        oscillation(&self.times, &self.probe_curves[probe].1)
    }

    /// The press of a tool by its name; `None` where it has not pressed and let go.
    pub fn press(&self, tool: &str) -> Option<Press> {
        let found = self.presses.iter().find(|(name, _)| name == tool);
        found.map(|(_, press)| *press)
    }

    /// Pieces in which all bodies end up together, of lattices or of finite elements that may be cut or break; `None` for others.
    fn pieces(&self) -> Option<f64> {
        let mut counters = self.counters.iter();
        counters.find(|c| c.0 == "components").map(|c| c.1)
    }

    /// Largest force with which a contact pulled at the body, N; `None` where bodies find contacts themselves.
    fn pull_max(&self) -> Option<f64> {
        self.metrics.iter().filter_map(|m| m.pull).reduce(f64::max)
    }

    /// The quantile of the cost of all frames at `share`, ms; 0 before the first.
    pub fn cost_quantile(&self, share: f64) -> f64 {
        let mut sorted = self.cost_ms.clone();
        sorted.sort_by(f64::total_cmp);
        quantile(&sorted, share).unwrap_or(0.0)
    }
}

/// A figure of a run by its name: reports show it, JSON has it under that name, and the `[[check]]`s whose metrics `core::scene::check` knows judge it.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// Key of the JSON, and metric of checks.
    pub name: &'static str,
    /// What a report calls it.
    pub label: &'static str,
    /// What a method is said to lack whose runs do not have it.
    pub lacks: &'static str,
    /// The figure, SI or a plain fraction; `None` where the method has none.
    pub value: fn(&MethodRun) -> Option<f64>,
    /// It with its unit, for people.
    pub show: fn(f64) -> String,
}

/// All of them, in the order of reports.
pub const FIGURES: [Figure; 7] = [
    Figure {
        name: "force_max_n",
        label: "largest force",
        lacks: "force",
        value: |run| Some(run.force_max),
        show: |force| format!("{force:.*} N", places(force, 4)),
    },
    Figure {
        name: "violation_max_m",
        label: "deepest violation",
        lacks: "constraint",
        value: |run| Some(run.violation_max),
        show: |depth| format!("{:.3} mm", depth * 1e3),
    },
    Figure {
        name: "energy_balance",
        label: "energy balance",
        lacks: "energy",
        value: |run| run.energy_balance,
        show: |balance| format!("{:.2} %", balance * 1e2),
    },
    Figure {
        name: "volume_change",
        label: "change of volume",
        lacks: "volume",
        value: |run| Some(run.volume_change),
        show: |change| format!("{:.3} %", change * 1e2),
    },
    Figure {
        name: "pieces",
        label: "pieces",
        lacks: "pieces",
        value: MethodRun::pieces,
        show: |pieces| format!("{pieces}"),
    },
    Figure {
        name: "pull_max_n",
        label: "largest pull of a contact",
        lacks: "single contact forces",
        value: MethodRun::pull_max,
        show: |force| format!("{force:.*} N", places(force, 4)),
    },
    Figure {
        name: "pop_max_m",
        label: "largest pop of the resolution",
        lacks: "change of resolution",
        value: |run| run.pop_max,
        show: |jump| format!("{:.3} mm", jump * 1e3),
    },
];

/// What acts on tools that move together.
#[derive(Debug, Clone, PartialEq)]
pub struct CarrierWrench {
    /// Name of the tool that carries the others.
    pub name: String,
    /// Names of those that it carries.
    pub carried: Vec<String>,
    /// Force and torque on all of them, about the origin of the tool that carries the others.
    pub wrench: ToolWrench,
}

/// What a named point inside the body felt.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCurve {
    /// Its name.
    pub name: String,
    /// Its place at rest, m.
    pub rest: Vec3,
    /// After each frame.
    pub states: Vec<PointState>,
}

impl PointCurve {
    /// After the last frame; at rest before the first.
    pub fn last(&self) -> PointState {
        self.states.last().copied().unwrap_or_default()
    }

    /// Largest displacement of the run, m.
    pub fn displacement_max(&self) -> f64 {
        let sizes = self.states.iter().map(|s| s.displacement.norm());
        sizes.fold(0.0, f64::max)
    }

    /// Largest stress of von Mises of the run, Pa.
    pub fn von_mises_max(&self) -> f64 {
        let sizes = self.states.iter().map(PointState::von_mises);
        sizes.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_a_method_lacks_is_absent() {
        let value = |run: &MethodRun, name: &str| {
            let figure = FIGURES.iter().find(|figure| figure.name == name);
            (figure.expect(name).value)(run)
        };
        let pulled = |pull: Option<f64>| FrameMetrics {
            pull,
            ..FrameMetrics::default()
        };
        let without = MethodRun {
            metrics: vec![pulled(None)],
            ..MethodRun::default()
        };
        let with = MethodRun {
            metrics: [0.0, 0.5, 0.2].map(|pull| pulled(Some(pull))).to_vec(),
            pop_max: Some(0.0),
            ..MethodRun::default()
        };
        for (name, expected) in [("pull_max_n", 0.5), ("pop_max_m", 0.0)] {
            assert_eq!(value(&without, name), None, "{name}");
            assert_eq!(value(&with, name), Some(expected), "{name}");
        }
    }
}
