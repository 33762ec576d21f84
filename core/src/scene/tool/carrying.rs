//! Tools that carry others: they move together as one hand.

use crate::scene::error::SceneError;
use crate::scene::motion::MotionDescription;
use crate::scene::tool::description::ToolDescription;

/// Refuses a tool that itself, no tool of the scene, or a carried tool is to carry.
pub(crate) fn check_carriers(tools: &[ToolDescription]) -> Result<(), SceneError> {
    for (k, tool) in tools.iter().enumerate() {
        let MotionDescription::Carried { by, .. } = &tool.motion else {
            continue;
        };
        let path = format!("tool[{k}].motion.carried_by");
        let Some(carrier) = tools.iter().find(|other| other.name == *by) else {
            let may_carry = |other: &&ToolDescription| carrier_of(other).is_none();
            let known = tools.iter().filter(may_carry);
            let known = known.map(|other| other.name.as_str());
            return Err(SceneError::unknown_name(path, "tool", by, known));
        };
        let reason = if carrier.name == tool.name {
            "a tool cannot carry itself\n  remedy: name the tool that carries it".to_string()
        } else if carrier_of(carrier) == Some(tool.name.as_str()) {
            format!(
                "`{by}` and `{}` carry each other\n  remedy: give one of them a motion of its own",
                tool.name
            )
        } else if let Some(first) = carrier_of(carrier) {
            format!(
                "`{by}` is itself carried, by `{first}`\n  remedy: write carried_by = \"{first}\", and give the place on `{first}`"
            )
        } else {
            continue;
        };
        return Err(SceneError::BadValue { path, reason });
    }
    Ok(())
}

/// Name of the tool that carries a tool.
fn carrier_of(tool: &ToolDescription) -> Option<&str> {
    match &tool.motion {
        MotionDescription::Carried { by, .. } => Some(by),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::scene::load::tests::assert_refused;
    use crate::scene::load_scene;

    const CLOSE: &str = "[[path]]\nname = 'close'\nkeys = [{ t = 0, at = [0.1, 0, 0] }, { t = 2, at = [0, 0, 0.1], turn = [0, 90, 0] }]\n";
    const TOOL: &str = "shape = { sphere = { radius = 0.1 } }\nmotion";

    /// A hand whose tools come before the one that carries them; `index` moves like this.
    fn hand(index: &str) -> String {
        format!(
            "[[body]]\nmesh = {{ procedural = 'sphere' }}\n\
             [[tool]]\nname = 'index'\n{TOOL} = {{ {index} }}\n\
             [[tool]]\nname = 'thumb'\n{TOOL} = {{ carried_by = 'palm' }}\n\
             [[tool]]\nname = 'palm'\n{TOOL} = {{ device = 'pointer', script = '$POKE' }}\n{CLOSE}"
        )
    }

    #[test]
    fn a_carried_tool_has_a_place_in_the_axes_of_another_one() {
        let motion = "carried_by = 'palm', at = [0.1, 0, 0], turn = [0, 90, 0]";
        let scene = load_scene(&hand(motion)).expect("valid");
        let MotionDescription::Carried { by, place } = &scene.tools[0].motion else {
            panic!("{:?}", scene.tools[0].motion);
        };
        let offset = place.pose(7.0);
        assert_eq!((by.as_str(), offset.position.x), ("palm", 0.1));
        assert!((offset.orientation * Vec3::x() + Vec3::z()).norm() < 1e-12);
        assert!(place.is_still());
        let pointers: Vec<bool> = scene.tools.iter().map(|t| t.follows_pointer).collect();
        assert_eq!(pointers, [false, false, true]);
    }

    #[test]
    fn a_carried_tool_may_follow_a_path_in_the_axes_of_its_place() {
        let motion = "carried_by = 'palm', at = [0, 0.2, 0], turn = [0, 90, 0], path = 'close'";
        let scene = load_scene(&hand(motion)).expect("valid");
        let MotionDescription::Carried { by, place } = &scene.tools[0].motion else {
            panic!("{:?}", scene.tools[0].motion);
        };
        assert_eq!((by.as_str(), place.duration()), ("palm", 2.0));
        // a quarter turn about y takes x to -z, and z to x
        for (time, expected) in [
            (0.0, Vec3::new(0.0, 0.2, -0.1)),
            (1.0, Vec3::new(0.05, 0.2, -0.05)),
            (9.0, Vec3::new(0.1, 0.2, 0.0)),
        ] {
            assert!((place.pose(time).position - expected).norm() < 1e-12);
        }
        let end = place.pose(9.0).orientation * Vec3::x();
        assert!((end + Vec3::x()).norm() < 1e-12);
        assert!(!scene.tools[0].follows_pointer);
    }

    #[test]
    fn what_cannot_be_carried_is_told_with_what_to_write() {
        assert_refused(
            hand,
            &[
                "carried_by = 'plam' => UnknownName tool[0].motion.carried_by: did you mean `palm`?",
                "carried_by = 'index' => BadValue tool[0].motion.carried_by: name the tool",
                "carried_by = 'thumb' => BadValue tool[0].motion.carried_by: carried_by = \"palm\"",
                "carried_by = 'palm', path = 'clos' => UnknownName tool[0].motion.path: did you mean `close`?",
                "carried_by = 'palm', device = 'pointer' => BadValue tool[0].motion.device: move `palm`",
                "carried_by = 'palm', path = 'close', script = '$POKE' => BadValue tool[0].motion.script: path = NAME",
                "script = '$POKE', at = [0, 0, 0] => BadValue tool[0].motion.at: carried_by = NAME",
                "carried_by = 'palm', offset = [0, 0, 0] => UnknownKey tool[0].motion.offset: `turn`",
            ],
        );
    }

    #[test]
    fn of_two_tools_that_carry_each_other_one_has_to_move() {
        let tool = |name: &str, by: &str| {
            format!("[[tool]]\nname = '{name}'\n{TOOL} = {{ carried_by = '{by}' }}\n")
        };
        let body = "[[body]]\nmesh = { procedural = 'sphere' }\n".to_string();
        let text = body + &tool("left", "right") + &tool("right", "left");
        let error = load_scene(&text).expect_err("refused");
        assert_eq!(error.place(), "tool[0].motion.carried_by");
        let told = error.to_string();
        assert!(
            told.contains("`right` and `left` carry each other"),
            "{told}"
        );
    }

    #[test]
    fn a_grab_is_not_carried() {
        let grab =
            "[[grab]]\nname = 'g'\nselect = { lowest = 0.1 }\nmotion = { carried_by = 'palm' }";
        let text = format!("[[body]]\nmesh = {{ procedural = 'sphere' }}\n{grab}");
        let error = load_scene(&text).expect_err("refused");
        assert_eq!(error.place(), "grab[0].motion.carried_by");
    }
}
