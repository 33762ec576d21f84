//! Checks that a model has the parameters that the hand of its scene sets.

use std::mem::discriminant;

use pliant_core::diagnostics::nearest_name;
use pliant_core::inspect::{ParameterEffect, ParameterValue};
use pliant_core::model::DeformableModel;
use pliant_core::scene::{Method, SceneError};

use crate::error::BuildError;
use crate::setup::Setup;
use crate::setup::hand::HandParameter;

/// Refuses a change of a parameter that `model` does not have, that needs another bake, or whose value is of another kind or out of range.
pub(super) fn check_hand_parameters(
    setup: &Setup,
    method: Method,
    model: &dyn DeformableModel,
) -> Result<(), BuildError> {
    let all = setup.hand.iter().flat_map(|hand| &hand.parameters);
    for (k, change) in all.enumerate().filter(|(_, c)| c.method == method) {
        check_parameter(change, model).map_err(|(key, reason)| BuildError::Scene {
            file: setup.origin.clone(),
            source: SceneError::BadValue {
                path: format!("hand.parameter[{k}].{key}"),
                reason,
            },
        })?;
    }
    Ok(())
}

/// An error names the key that is wrong, and says why.
fn check_parameter(
    change: &HandParameter,
    model: &dyn DeformableModel,
) -> Result<(), (&'static str, String)> {
    let (name, all) = (&change.name, model.parameters());
    let Some(info) = all.iter().find(|info| info.name == name) else {
        let names = || all.iter().map(|info| info.name);
        let remedy = match nearest_name(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = names().collect();
                format!("the parameters are {}", names.join(", "))
            }
        };
        let method = change.method.name();
        let reason = format!("{method} has no parameter `{name}`\n  remedy: {remedy}");
        return Err(("name", reason));
    };
    if info.effect == ParameterEffect::NeedsBake {
        let reason = format!(
            "`{name}` takes effect only after a new bake\n  remedy: set it in the table `{}` of the body",
            change.method.name()
        );
        return Err(("name", reason));
    }
    let is_of_kind = |value: ParameterValue| discriminant(&value) == discriminant(&change.value);
    if !model.parameter(name).is_ok_and(is_of_kind) {
        let reason = format!("is not of the type of `{name}`\n  remedy: {}", info.help);
        return Err(("value", reason));
    }
    match &change.value {
        ParameterValue::Number(number) if !info.accepts(*number) => {
            let (min, max) = (info.min, info.max);
            Err(("value", format!("`{name}` must be between {min} and {max}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::inspect::ParameterValue;
    use pliant_core::scene::Method;

    use crate::world::World;
    use crate::world::testing::{pad, refusal, setup_of, step, world_of};

    fn scene(set: &str) -> String {
        let body = pad("", "lattice = { cell = 0.05, half_width = 1 }");
        format!(
            "{body}[hand]\nframe_rate = 60\nframes = 3\nparameter = [{{ frame = 1, method = \"lattice\", {set} }}]\n"
        )
    }

    #[test]
    fn a_parameter_that_the_model_does_not_have_is_refused_before_a_run() {
        for (set, expected) in [
            (
                "name = \"damping_ratoi\", value = 0.2",
                "did you mean `damping_ratio`?",
            ),
            ("name = \"half_width\", value = 2", "after a new bake"),
            (
                "name = \"damping_ratio\", value = true",
                "hand.parameter[0].value",
            ),
            (
                "name = \"damping_ratio\", value = 99",
                "must be between 0 and 10",
            ),
        ] {
            let (_, refused) = refusal(&setup_of(scene(set)), Method::Lattice).expect(set);
            assert!(refused.contains(expected), "{set}: {refused}");
        }
    }

    #[test]
    fn what_the_hand_sets_begins_with_its_frame_and_a_reset_takes_it_back() {
        let setup = setup_of(scene("name = \"damping_ratio\", value = 0.2"));
        let mut world = world_of(&Arc::new(setup), Method::Lattice);
        let now = |world: &World| world.model().parameter("damping_ratio");
        let first = now(&world);
        step(&mut world, 1);
        assert_eq!(now(&world), first);
        step(&mut world, 1);
        let then = now(&world);
        assert_ne!(then, first);
        world.reset();
        assert_eq!(now(&world), first);
        // somebody else's value stays
        let own = ParameterValue::Number(0.7);
        let set = world.set_parameter("damping_ratio", own.clone());
        assert_eq!(set, Ok(()));
        step(&mut world, 3);
        assert_eq!(now(&world), Ok(own));
    }
}
