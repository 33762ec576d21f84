//! What panels and reports may read and set of a model, by name. No solver type leaks.

use crate::math::Vec3;

/// Named parameters, quantities and figures of a model.
pub trait Inspect {
    /// `"adaptive"`, `"quasistatic"`, `"lattice"`.
    fn kind(&self) -> &'static str;
    /// What the model can do.
    fn capabilities(&self) -> Capabilities;
    /// Parameters with unit, range and help.
    fn parameters(&self) -> &[ParameterInfo];
    /// Present value.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] for a name that is not in [`Inspect::parameters`].
    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError>;
    /// Sets a parameter that acts at once.
    ///
    /// # Errors
    /// Unknown name, wrong type, out of range, or [`ParameterError::NeedsBake`].
    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError>;
    /// Quantities that can be drawn.
    fn quantities(&self) -> &[QuantityInfo];
    /// Fills `out` with the present values of a quantity.
    ///
    /// # Errors
    /// [`UnknownQuantity`] for a name that is not in [`Inspect::quantities`].
    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity>;
    /// Sizes and counters.
    fn stats(&self) -> ModelStats;

    /// Shows each named point inside the body, as it was after the last frame; always the same points in the same order. Most models have none.
    fn visit_points(&self, visit: &mut dyn FnMut(PointReading<'_>)) {
        let _ = visit;
    }
}

/// A named point inside a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointReading<'a> {
    /// Its name, unique within the model.
    pub name: &'a str,
    /// Its place at rest, m.
    pub rest: Vec3,
    /// What it feels.
    pub state: PointState,
}

/// What a point inside a body feels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointState {
    /// Displacement, m.
    pub displacement: Vec3,
    /// Stress (xx, yy, zz, yz, xz, xy), Pa; tension is positive.
    pub stress: [f64; 6],
}

impl PointState {
    /// The stress of von Mises, Pa.
    pub fn von_mises(&self) -> f64 {
        let [xx, yy, zz, yz, xz, xy] = self.stress;
        let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
        (0.5 * normal + 3.0 * (yz * yz + xz * xz + xy * xy)).sqrt()
    }
}

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Runs without a support.
    pub free_bodies: bool,
    /// Has velocity and swings.
    pub inertia: bool,
    /// Honours Coulomb friction; without it contacts slide freely.
    pub friction: bool,
    /// Valid at large rotations.
    pub large_rotations: bool,
}

/// A parameter that a panel can show.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterInfo {
    /// Name, unique within the model.
    pub name: &'static str,
    /// Unit as text; empty for plain numbers.
    pub unit: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Whether it acts at once.
    pub effect: ParameterEffect,
}

/// When a parameter takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterEffect {
    /// At the next frame.
    Immediate,
    /// Only after baking again.
    NeedsBake,
}

/// Value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A number in the parameter's unit.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// One of several words.
    Choice(String),
}

/// A parameter cannot be read or set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// No such name.
    #[error("unknown parameter `{0}`")]
    Unknown(String),
    /// The value is outside its range or of the wrong type.
    #[error("parameter `{name}` must be between {min} and {max}")]
    OutOfRange {
        /// Which.
        name: String,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Acts only after baking again.
    #[error("parameter `{0}` acts only after baking again")]
    NeedsBake(String),
}

/// A quantity that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantityInfo {
    /// Name, unique within the model.
    pub name: &'static str,
    /// Unit as text.
    pub unit: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// What the values sit on.
    pub shape: QuantityShape,
}

/// What the values of a quantity sit on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityShape {
    /// One number per skin vertex.
    VertexScalar,
    /// Points in space with a number each.
    Points,
}

/// Receives a quantity; reused between calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuantityBuffer {
    /// One number per skin vertex or point.
    pub scalars: Vec<f32>,
    /// Positions of points, world, m; empty for vertex quantities.
    pub points: Vec<[f32; 3]>,
}

impl QuantityBuffer {
    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.scalars.clear();
        self.points.clear();
    }

    /// Adds a point with a value.
    pub fn push_point(&mut self, position: &Vec3, value: f64) {
        self.points.push(position.cast::<f32>().into());
        self.scalars.push(value as f32);
    }
}

/// No quantity of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown quantity `{0}`")]
pub struct UnknownQuantity(pub String);

/// Sizes and counters of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelStats {
    /// Nodes or particles that are computed.
    pub active_nodes: usize,
    /// All nodes or particles.
    pub total_nodes: usize,
    /// Elements, regions or stored columns.
    pub elements: usize,
    /// Bytes that asset and state hold.
    pub bytes: usize,
    /// Named figures, for example substeps a frame.
    pub counters: Vec<(&'static str, f64)>,
    /// Sentences a user should read: what was approximated or could not be honoured.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_has_its_own_stress_of_von_mises_and_pressure_none() {
        let von_mises = |stress| {
            PointState {
                stress,
                ..PointState::default()
            }
            .von_mises()
        };
        assert!((von_mises([3.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 3.0).abs() < 1e-15);
        assert!(von_mises([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]) == 0.0);
        let shear = von_mises([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
        assert!((shear - 2.0 * 3.0_f64.sqrt()).abs() < 1e-14);
    }
}
