//! What panels and reports may read and set in a model, by name and without the types of a solver.

use crate::inspect::element::ElementShapes;
use crate::inspect::parameter::{ParameterError, ParameterInfo, ParameterValue};
use crate::inspect::point::PointReading;
use crate::inspect::quantity::{QuantityBuffer, QuantityInfo, UnknownQuantity};

/// Named parameters, quantities and figures of a model, for programs that do not know its type. None of its methods changes a frame, except [`Inspect::set_parameter`].
pub trait Inspect {
    /// Name of the method: `"adaptive"`, `"quasistatic"`, `"lattice"`, or one of your own. Errors and snapshots carry it.
    fn kind(&self) -> &'static str;
    /// What the model can do.
    fn capabilities(&self) -> Capabilities;
    /// Sizes, counters and notes, as they were after the last frame.
    fn stats(&self) -> ModelStats;

    /// Parameters with unit, range and help; none unless a model has some.
    fn parameters(&self) -> &[ParameterInfo] {
        &[]
    }

    /// Present value.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] for a name that is not in [`Inspect::parameters`].
    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        Err(ParameterError::Unknown(name.to_string()))
    }

    /// Sets a parameter that acts at once.
    ///
    /// # Errors
    /// Unknown name, wrong type, out of range, or [`ParameterError::NeedsBake`].
    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let _ = value;
        Err(ParameterError::Unknown(name.to_string()))
    }

    /// Quantities that can be drawn; none unless a model has some.
    fn quantities(&self) -> &[QuantityInfo] {
        &[]
    }

    /// Fills `out` with the present values of a quantity.
    ///
    /// # Errors
    /// [`UnknownQuantity`] for a name that is not in [`Inspect::quantities`].
    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        let _ = out;
        Err(UnknownQuantity(name.to_string()))
    }

    /// Calls `visit` with each named point inside the body, as it was after the last frame; always the same points in the same order. Most models have none.
    fn visit_points(&self, visit: &mut dyn FnMut(PointReading<'_>)) {
        let _ = visit;
    }

    /// Quality of the tetrahedra of its finest mesh at rest; `None` for a model without tetrahedra. Cost: a pass over all of them.
    fn element_shapes(&self) -> Option<ElementShapes> {
        None
    }
}

/// What a model can do. Programs ask for this instead of for the kind of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it runs without a support.
    pub free_bodies: bool,
    /// Whether it has mass and velocity, and oscillates.
    pub inertia: bool,
    /// Whether it supports Coulomb friction; otherwise contacts slide freely.
    pub friction: bool,
    /// Whether it is valid at large rotations.
    pub large_rotations: bool,
}

impl Capabilities {
    /// All of them.
    pub const ALL: Self = Self {
        free_bodies: true,
        inertia: true,
        friction: true,
        large_rotations: true,
    };
}

/// Sizes and counters of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelStats {
    /// Number of nodes or particles that are computed at present.
    pub active_nodes: usize,
    /// Number of all nodes or particles.
    pub total_nodes: usize,
    /// Number of elements, regions or stored columns.
    pub elements: usize,
    /// Memory of asset and state, bytes.
    pub bytes: usize,
    /// Named figures, for example substeps a frame.
    pub counters: Vec<(&'static str, f64)>,
    /// Sentences for the user: what was approximated or could not be respected.
    pub notes: Vec<String>,
    /// Why the skin vertex of the parameter `explained_vertex` has its resolution and its step; `None` without one. It is among the notes, too.
    pub explanation: Option<String>,
}

impl ModelStats {
    /// The counter of this name, if the model has it.
    pub fn counter(&self, name: &str) -> Option<f64> {
        let found = self.counters.iter().find(|(counter, _)| *counter == name);
        found.map(|(_, value)| *value)
    }
}
