//! Values of parameters before the user changed them.

use pliant_core::inspect::ParameterValue;
use pliant_core::scene::Method;
use pliant_simulation::snapshot::WorldSnapshot;

/// The first value that was seen of each parameter of a scene.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    values: Vec<(Method, &'static str, ParameterValue)>,
}

impl Defaults {
    /// Records parameters that are new.
    pub fn record(&mut self, snapshot: &WorldSnapshot) {
        for pane in &snapshot.panes {
            for (info, value) in &pane.parameters {
                if self.of(pane.method, info.name).is_none() {
                    let first = (pane.method, info.name, value.clone());
                    self.values.push(first);
                }
            }
        }
    }

    /// The first value of a parameter.
    pub fn of(&self, method: Method, name: &'static str) -> Option<&ParameterValue> {
        let mut all = self.values.iter();
        let found = all.find(|(m, n, _)| (*m, *n) == (method, name));
        found.map(|(_, _, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_scene_is_its_default() {
        let mut snapshot = crate::testing::snapshot();
        let mut defaults = Defaults::default();
        defaults.record(&snapshot);
        snapshot.panes[0].parameters[0].1 = ParameterValue::Number(0.7);
        defaults.record(&snapshot);
        let first = defaults.of(Method::Adaptive, "damping_ratio");
        assert_eq!(first, Some(&ParameterValue::Number(0.1)));
    }
}
