//! Applies the motion of a hand to a scene.

use std::sync::Arc;

use pliant_core::boundary::ConstrainedDirections;
use pliant_core::contact::{Interpolation, Key, PosePath};
use pliant_core::math::Vec3;
use pliant_core::math::numbers::counted;
use pliant_core::scene::SceneError;

use super::motion::{HandHold, HandMotion};
use crate::setup::scene_notes::note::{NoteSubject, SceneNote};
use crate::setup::scene_setup::{Setup, SetupGrab, SetupTool, follow_carriers};

/// Gives the tools that follow the pointer the path of the hand, with those that they carry, and adds a grab for each time that it held the skin. Its pulls are loads of their frames.
///
/// # Errors
/// [`SceneError::BadValue`] for a motion that does not fit the scene.
pub(crate) fn apply_hand(setup: &mut Setup, hand: Arc<HandMotion>) -> Result<(), SceneError> {
    let bad = |key: &str, reason: String| SceneError::BadValue {
        path: format!("hand.{key}"),
        reason,
    };
    let frame_rate = setup.description.frame_rate;
    if hand.frame_rate != frame_rate {
        return Err(bad(
            "frame_rate",
            format!(
                "{} frames a second, and the scene has {frame_rate}\n  remedy: set the scene's `frame_rate` to that of the hand",
                hand.frame_rate
            ),
        ));
    }
    let duration = setup.frame_duration();
    let mut tools = setup
        .tools
        .iter_mut()
        .filter(|t| t.is_moved_by_pointer())
        .peekable();
    if !hand.tool.is_empty() && tools.peek().is_none() {
        return Err(bad(
            "tool",
            "no tool of the scene follows the pointer\n  remedy: give one the motion { device = \"pointer\", script = NAME }".into(),
        ));
    }
    for tool in tools.filter(|_| !hand.tool.is_empty()) {
        tool.path = path_of_tool(tool, &hand, duration).map_err(|e| bad("tool", e))?;
    }
    follow_carriers(&mut setup.tools);
    let vertices = setup.scene_skin.vertex_count();
    let check_vertices = |table: &str, k: usize, named: &[u32]| match named.last() {
        Some(v) if *v as usize >= vertices => Err(bad(
            &format!("{table}[{k}].vertices"),
            format!(
                "there is no vertex {v}: the skin has {vertices}\n  remedy: the motion belongs to another mesh"
            ),
        )),
        _ => Ok(()),
    };
    for (k, pull) in hand.pulls.iter().enumerate() {
        check_vertices("pull", k, &pull.vertices)?;
    }
    for (k, grab) in hand.grabs.iter().enumerate() {
        check_vertices("grab", k, &grab.vertices)?;
        setup.grabs.push(SetupGrab {
            name: format!("hand {}", k + 1),
            vertices: grab.vertices.clone(),
            path: path_of_grab(grab, duration).map_err(|e| bad("grab", e))?,
            directions: ConstrainedDirections::All,
            frames: Some(grab.first..grab.end()),
        });
    }
    let holds = hand.grabs.iter().chain(&hand.pulls);
    let on_support = holds.filter(|hold| setup.all_held(&hold.vertices)).count();
    if on_support > 0 {
        let times = counted(on_support, "time");
        let text = format!(
            "GrabOnSupport: the hand grabs or pulls vertices of supports alone ({times}), and supports hold them: that moves nothing\n  remedy: free vertices, or a smaller support"
        );
        setup
            .notes
            .push(SceneNote::warning(NoteSubject::Scene, text));
    }
    if hand.moves() {
        let seconds = hand.frames as f64 * duration;
        let text = format!("a hand's motion of {seconds:.2} s is a part of the scene");
        setup.notes.push(text.into());
    }
    if !hand.parameters.is_empty() {
        let changes = counted(hand.parameters.len(), "change");
        let text = format!("parameters that a hand set are a part of the scene: {changes}");
        setup.notes.push(text.into());
    }
    setup.hand = Some(hand);
    Ok(())
}

/// Where the hand, and else the tool's script, has the tool at the end of each frame.
fn path_of_tool(tool: &SetupTool, hand: &HandMotion, duration: f64) -> Result<PosePath, String> {
    let key = |time: f64| {
        let pose = tool.path.pose(time);
        Key {
            time,
            position: pose.position,
            orientation: pose.orientation,
        }
    };
    let mut tool_frames = hand.tool.iter().peekable();
    let mut keys = vec![key(0.0)];
    for frame in 0..hand.frames {
        // the time at which a world ends this frame, to the bit
        let mut key = key((frame + 1) as f64 * duration);
        if let (Some((_, place)), Some(before)) =
            (tool_frames.next_if(|(f, _)| *f == frame), keys.last())
        {
            // a pointer moves a tool and does not turn it
            (key.position, key.orientation) = (*place, before.orientation);
        }
        keys.push(key);
    }
    PosePath::new(keys, Interpolation::Linear, false).map_err(|e| e.to_string())
}

fn path_of_grab(grab: &HandHold, duration: f64) -> Result<PosePath, String> {
    let times = (grab.first..).map(|frame| (frame + 1) as f64 * duration);
    let key = |(time, displacement): (f64, &Vec3)| Key {
        time,
        position: *displacement,
        orientation: nalgebra::UnitQuaternion::identity(),
    };
    let keys = times.zip(&grab.values).map(key).collect();
    PosePath::new(keys, Interpolation::Linear, false).map_err(|e| e.to_string())
}
