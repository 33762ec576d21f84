//! Copies of a tool, each turned about an axis.

use nalgebra::{Unit, UnitQuaternion};
use toml::Value;

use crate::scene::error::SceneError;
use crate::scene::motion::MotionDescription;
use crate::scene::text::Reader;
use crate::scene::tool::description::ToolDescription;

/// Most tools that one table may describe.
const MAX_COUNT: i64 = 100;

/// Appends the copies that the tables of `tools` ask for by the key `repeat`. They come last, so that the others keep their places in the file.
pub(crate) fn repeat_tools(
    scene: &Reader<'_>,
    tools: &mut Vec<ToolDescription>,
) -> Result<(), SceneError> {
    for (k, table) in scene.tables("tool").iter().enumerate() {
        let Some(repeat) = table.table("repeat") else {
            continue;
        };
        let count = match repeat.get("count") {
            Some(Value::Integer(count)) if (1..=MAX_COUNT).contains(count) => *count,
            _ => {
                let reason = format!("must be a whole number from 1 to {MAX_COUNT}");
                return Err(repeat.bad("count", reason));
            }
        };
        let about = repeat.required_direction("about")?;
        let axis = Unit::new_normalize(about / about.amax());
        let step = repeat.required_number("step_degrees")?.to_radians();
        for number in 1..count {
            let turn = UnitQuaternion::from_axis_angle(&axis, step * number as f64);
            let copy = turned_copy(&tools[k], number + 1, turn).ok_or_else(|| {
                table.bad(
                    "repeat",
                    "applies to a tool that follows a path, or that another one carries\n  remedy: write motion = { path = NAME }, or describe each tool",
                )
            })?;
            tools.push(copy);
        }
    }
    Ok(())
}

/// The copy with this number; `None` where the pointer or a script moves the tool, or nothing does.
fn turned_copy(
    tool: &ToolDescription,
    number: i64,
    turn: UnitQuaternion<f64>,
) -> Option<ToolDescription> {
    let motion = match &tool.motion {
        MotionDescription::Path(path) if !tool.follows_pointer => {
            MotionDescription::Path(path.turned(&turn))
        }
        MotionDescription::Carried { by, place } => MotionDescription::Carried {
            by: by.clone(),
            place: place.turned(&turn),
        },
        _ => return None,
    };
    Some(ToolDescription {
        name: format!("{} {number}", tool.name),
        motion,
        is_copy: true,
        ..tool.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::scene::load::tests::assert_refused;
    use crate::scene::load_scene;

    const PATH: &str = "[[path]]\nname = 'close'\nkeys = [{ t = 0, at = [0.08, 0.05, 0] }, { t = 2, at = [0.04, 0.05, 0], turn = [0, 90, 0] }]\n";

    /// A finger that is repeated like this and moves like that, before another tool.
    fn fingers(repeat: &str, motion: &str) -> String {
        let tool = "shape = { sphere = { radius = 0.01 } }\nmotion";
        format!(
            "[[body]]\nmesh = {{ procedural = 'sphere' }}\n\
             [[tool]]\nname = 'finger'\nrepeat = {{ {repeat} }}\n{tool} = {motion}\n\
             [[tool]]\nname = 'palm'\n{tool} = {{ path = 'close' }}\n{PATH}"
        )
    }

    #[test]
    fn copies_follow_the_same_path_turned_about_the_axis() {
        let third = "count = 3, about = [0, 2, 0], step_degrees = 120";
        let scene = load_scene(&fingers(third, "{ path = 'close' }")).expect("valid");
        let names: Vec<&str> = scene.tools.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["finger", "palm", "finger 2", "finger 3"]);
        let pose = |k: usize, time: f64| match &scene.tools[k].motion {
            MotionDescription::Path(path) => path.pose(time),
            other => panic!("{other:?}"),
        };
        for time in [0.0, 0.7, 2.0] {
            let first = pose(0, time);
            for (k, degrees) in [(2, 120.0_f64), (3, 240.0)] {
                let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), degrees.to_radians());
                let copy = pose(k, time);
                assert!((copy.position - turn * first.position).norm() < 1e-14);
                let expected = turn * first.orientation;
                assert!(copy.orientation.angle_to(&expected) < 1e-7);
            }
        }
    }

    #[test]
    fn fingers_of_a_hand_stand_around_its_axis() {
        let opposite = "count = 2, about = [0, 1, 0], step_degrees = 180";
        let motion = "{ carried_by = 'palm', at = [0.1, 0.2, 0] }";
        let scene = load_scene(&fingers(opposite, motion)).expect("valid");
        let MotionDescription::Carried { by, place } = &scene.tools[2].motion else {
            panic!("{:?}", scene.tools[2].motion);
        };
        assert_eq!(by, "palm");
        let position = place.pose(0.0).position;
        assert!((position - Vec3::new(-0.1, 0.2, 0.0)).norm() < 1e-14);
    }

    #[test]
    fn fingers_that_close_around_the_axis_of_a_hand_close_towards_it() {
        let third = "count = 3, about = [0, 1, 0], step_degrees = 120";
        let motion = "{ carried_by = 'palm', at = [0.1, 0.2, 0], path = 'close' }";
        let scene = load_scene(&fingers(third, motion)).expect("valid");
        let pose = |k: usize, time: f64| match &scene.tools[k].motion {
            MotionDescription::Carried { place, .. } => place.pose(time),
            other => panic!("{other:?}"),
        };
        for (time, out) in [(0.0, 0.18), (1.0, 0.16), (5.0, 0.14)] {
            for (k, degrees) in [(0, 0.0_f64), (2, 120.0), (3, 240.0)] {
                let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), degrees.to_radians());
                let expected = turn * Vec3::new(out, 0.25, 0.0);
                assert!((pose(k, time).position - expected).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn what_cannot_be_repeated_is_told_with_what_to_write() {
        let two = "count = 2, about = [0, 1, 0], step_degrees = 180";
        assert_refused(
            |motion| fingers(two, motion),
            &[
                "{ device = 'pointer', script = 'close' } => BadValue tool[0].repeat: describe each tool",
                "{ script = '$POKE' } => BadValue tool[0].repeat: describe each tool",
                "'fixed' => BadValue tool[0].repeat: path = NAME",
            ],
        );
        assert_refused(
            |repeat| fingers(repeat, "{ path = 'close' }"),
            &[
                "count = 0, about = [0, 1, 0], step_degrees = 9 => BadValue tool[0].repeat.count: from 1 to 100",
                "count = 2, about = [0, 0, 0], step_degrees = 9 => BadValue tool[0].repeat.about: direction",
                "count = 2, about = [0, 1, 0] => MissingKey tool[0].repeat.step_degrees",
            ],
        );
    }
}
