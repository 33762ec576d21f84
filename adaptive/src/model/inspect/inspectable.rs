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
        let Some(mut other) = self.counterpart.take() else {
            return self.set_named_parameter(name, value);
        };
        // a cut refuses more than a level, so that it comes first
        let [of_cut, of_level] = match self.cut.is_some() {
            true => [&mut *self, &mut *other],
            false => [&mut *other, &mut *self],
        };
        let set = of_cut.set_named_parameter(name, value.clone());
        let set = set.and_then(|()| of_level.set_named_parameter(name, value));
        self.counterpart = Some(other);
        set
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

impl AdaptiveModel {
    /// Memory of the state, without the asset, bytes.
    pub(crate) fn state_bytes(&self) -> usize {
        let own = match &self.cut {
            Some(body) => body.dynamics.forest.node_count() * 400,
            None => self.dynamics.positions.len() * 200,
        };
        let other = self.counterpart.as_ref();
        own + other.map_or(0, |other| other.state_bytes())
    }
}
