//! Parameters that a hand set in the panels of a window.

use pliant_core::inspect::ParameterValue;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;

/// A parameter of one method, set between two frames.
#[derive(Debug, Clone, PartialEq)]
pub struct HandParameter {
    /// The first frame that has the value.
    pub frame: u64,
    /// The method.
    pub method: Method,
    /// Name of the parameter.
    pub name: String,
    /// Its value.
    pub value: ParameterValue,
}

impl HandParameter {
    /// Whether both set the same parameter of the same method.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        self.method == other.method && self.name == other.name
    }

    /// The table of the text. Numbers are written so that reading them gives the same bits.
    pub(super) fn text(&self) -> String {
        let value = match &self.value {
            ParameterValue::Number(number) => format!("{number:?}"),
            ParameterValue::Flag(flag) => flag.to_string(),
            ParameterValue::Choice(word) => quoted(word),
        };
        format!(
            "{{ frame = {}, method = \"{}\", name = {}, value = {value} }}",
            self.frame,
            self.method.name(),
            quoted(&self.name)
        )
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The values that `model` has now of the parameters that `changes` set, each once; those that it does not have are left out.
pub(crate) fn present_values<'a>(
    changes: impl Iterator<Item = &'a HandParameter>,
    model: &dyn DeformableModel,
) -> Vec<(String, ParameterValue)> {
    let mut values: Vec<(String, ParameterValue)> = Vec::new();
    for change in changes {
        if values.iter().all(|(name, _)| *name != change.name)
            && let Ok(value) = model.parameter(&change.name)
        {
            values.push((change.name.clone(), value));
        }
    }
    values
}

/// What a hand set `now` over what another one set `before`: a parameter that somebody has taken over no longer follows the other one.
pub(super) fn merged_over(now: Vec<HandParameter>, before: &[HandParameter]) -> Vec<HandParameter> {
    let goes_on = |old: &HandParameter| {
        let mut taken = now.iter().filter(|new| new.is_of(old));
        taken.all(|new| new.frame > old.frame)
    };
    let mut all: Vec<HandParameter> = before.iter().filter(|&old| goes_on(old)).cloned().collect();
    all.extend(now);
    // the order of those of one frame stays
    all.sort_by_key(|set| set.frame);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(frame: u64, name: &str, value: f64) -> HandParameter {
        HandParameter {
            frame,
            method: Method::Lattice,
            name: name.into(),
            value: ParameterValue::Number(value),
        }
    }

    #[test]
    fn a_parameter_that_is_taken_over_follows_the_other_hand_until_then() {
        let before = [
            set(2, "a", 1.0),
            set(4, "b", 2.0),
            set(6, "a", 3.0),
            set(8, "b", 4.0),
        ];
        let now = vec![set(5, "a", 9.0), set(5, "c", 7.0)];
        let all = merged_over(now, &before);
        let told: Vec<(u64, &str)> = all.iter().map(|p| (p.frame, p.name.as_str())).collect();
        assert_eq!(told, [(2, "a"), (4, "b"), (5, "a"), (5, "c"), (8, "b")]);
    }
}
