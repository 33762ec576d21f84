//! Parameters of the model that the hand of the scene sets between frames.

use pliant_core::inspect::{ParameterError, ParameterValue};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;

use crate::setup::Setup;
use crate::setup::hand::{HandParameter, present_values};

/// What the hand of a scene sets of one model, and how far that is done.
#[derive(Debug, Default)]
pub(super) struct HandParameters {
    /// in their order: frames never descend
    changes: Vec<HandParameter>,
    /// how many of them are made
    made: usize,
    /// what the model had before the first one, for each parameter that is changed
    first: Vec<(String, ParameterValue)>,
    /// parameters that somebody else has set, which follow the scene no longer
    released: Vec<String>,
}

impl HandParameters {
    /// Those of `method` in a scene, of which nothing is done to `model` yet.
    pub(super) fn new(setup: &Setup, method: Method, model: &dyn DeformableModel) -> Self {
        let all = setup.hand.iter().flat_map(|hand| &hand.parameters);
        let changes: Vec<HandParameter> = all.filter(|c| c.method == method).cloned().collect();
        Self {
            first: present_values(changes.iter(), model),
            changes,
            ..Self::default()
        }
    }

    /// Makes the changes that come before the frame `until`, and takes back those that come later.
    pub(super) fn follow(
        &mut self,
        until: u64,
        model: &mut dyn DeformableModel,
    ) -> Result<(), ParameterError> {
        let wanted = self.changes.partition_point(|change| change.frame < until);
        if wanted < self.made {
            self.set_back(model);
        }
        while self.made < wanted
            && let Some(change) = self.changes.get(self.made)
        {
            if !self.released.contains(&change.name) {
                model.set_parameter(&change.name, change.value.clone())?;
            }
            self.made += 1;
        }
        Ok(())
    }

    /// Somebody else has set the parameter `name`.
    pub(super) fn release(&mut self, name: &str) {
        if !self.released.iter().any(|known| known == name) {
            self.released.push(name.to_string());
        }
    }

    /// Gives the model the values that it had before the first change, as far as its parameters tell them.
    fn set_back(&mut self, model: &mut dyn DeformableModel) {
        let follows = |name: &String| !self.released.contains(name);
        // one that is refused waits for another one, without which the model had it: in each round one more is taken
        for _ in 0..self.first.len() {
            for (name, value) in self.first.iter().filter(|(name, _)| follows(name)) {
                let _ = model.set_parameter(name, value.clone());
            }
        }
        self.made = 0;
    }
}
