//! Parameters of the model that the hand of the scene sets between frames.

use pliant_core::inspect::{ParameterError, ParameterValue};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;

use crate::setup::Setup;
use crate::setup::hand::{HandParameter, present_values};

/// The parameters of one model that the hand of a scene sets, and which of them are applied.
#[derive(Debug, Default)]
pub(super) struct HandParameters {
    /// in their order: frames never descend
    changes: Vec<HandParameter>,
    /// how many of them are applied
    applied: usize,
    /// value of each changed parameter before the first change
    initial_values: Vec<(String, ParameterValue)>,
    /// parameters that somebody else has set, which no longer follow the scene
    released: Vec<String>,
}

impl HandParameters {
    /// Those of `method` in a scene; none is applied to `model` yet.
    pub(super) fn new(setup: &Setup, method: Method, model: &dyn DeformableModel) -> Self {
        let all = setup.hand.iter().flat_map(|hand| &hand.parameters);
        let changes: Vec<HandParameter> = all.filter(|c| c.method == method).cloned().collect();
        Self {
            initial_values: present_values(changes.iter(), model),
            changes,
            ..Self::default()
        }
    }

    /// Applies the changes before the frame `until`, and reverts later ones.
    pub(super) fn update_to(
        &mut self,
        until: u64,
        model: &mut dyn DeformableModel,
    ) -> Result<(), ParameterError> {
        let target = self.changes.partition_point(|change| change.frame < until);
        if target < self.applied {
            self.restore_initial_values(model);
        }
        while self.applied < target
            && let Some(change) = self.changes.get(self.applied)
        {
            if !self.released.contains(&change.name) {
                model.set_parameter(&change.name, change.value.clone())?;
            }
            self.applied += 1;
        }
        Ok(())
    }

    /// Somebody else has set the parameter `name`.
    pub(super) fn release(&mut self, name: &str) {
        if !self.released.iter().any(|released| released == name) {
            self.released.push(name.to_string());
        }
    }

    /// Restores the values before the first change.
    fn restore_initial_values(&mut self, model: &mut dyn DeformableModel) {
        let follows = |name: &String| !self.released.contains(name);
        // a value may be refused until another one is restored: each round restores at least one more
        for _ in 0..self.initial_values.len() {
            for (name, value) in self.initial_values.iter().filter(|(name, _)| follows(name)) {
                let _ = model.set_parameter(name, value.clone());
            }
        }
        self.applied = 0;
    }
}
