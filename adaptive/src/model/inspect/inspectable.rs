//! [`Inspect`]: the interface for viewers.

use pliant_core::inspect::{
    Capabilities, ElementShapes, Inspect, ModelStats, ParameterError, ParameterInfo,
    ParameterValue, QuantityBuffer, QuantityInfo, UnknownQuantity,
};

use crate::model::adaptive_model::{AdaptiveModel, KIND};
use crate::model::inspect::parameters::PARAMETERS;
use crate::model::inspect::quantities::QUANTITIES;
use crate::params::ElementModel;

impl Inspect for AdaptiveModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            free_bodies: true,
            inertia: true,
            friction: true,
            large_rotations: !matches!(self.model, ElementModel::Cauchy | ElementModel::Simplified),
        }
    }

    fn parameters(&self) -> &[ParameterInfo] {
        &PARAMETERS
    }

    fn quantities(&self) -> &[QuantityInfo] {
        &QUANTITIES
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        out.clear();
        if let Some(body) = &self.cut {
            return self.sample_cut(body, name, out);
        }
        self.sample_level(name, out)
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        self.named_parameter(name)
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        self.set_named_parameter(name, value)
    }

    fn stats(&self) -> ModelStats {
        match &self.cut {
            Some(body) => self.cut_stats(body),
            None => self.level_stats(),
        }
    }

    fn element_shapes(&self) -> Option<ElementShapes> {
        let finest = self.asset.levels.last()?;
        ElementShapes::of(&finest.mesh)
    }
}
