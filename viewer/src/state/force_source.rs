//! Which force the panes and curves show.

use pliant_core::contact::Tool;
use pliant_core::math::Vec3;
use pliant_simulation::setup::{Setup, SetupTool};
use pliant_simulation::snapshot::{PaneSnapshot, WorldSnapshot};

/// The tools whose forces are arrows in the panes, each with its force, N. Floors have no middle, and blades have no force.
pub fn with_arrows<'a>(
    tools: &'a [Tool],
    forces: &'a [Vec3],
) -> impl Iterator<Item = (&'a Tool, &'a Vec3)> {
    let tools = tools.iter().zip(forces);
    tools.filter(|(tool, _)| tool.shape.inner_radius().is_finite() && !tool.shape.is_blade())
}

/// The force that a pane shows as its number.
#[derive(Debug, Clone, PartialEq)]
pub enum ForceSource {
    /// Force on a tool: its index and name.
    Tool(usize, String),
    /// Force on a tool together with those that it carries, as vectors: the indices of all of them, and its name.
    Hand(Vec<usize>, String),
    /// Forces on several tools, by their indices: the sum of their sizes. The largest of them may change from frame to frame, but the sum does not jump.
    Tools(Vec<usize>),
    /// Force that the user's grab needs.
    Grab,
    /// Force that the last grab of the scene needs, by its name.
    ScriptedGrab(String),
    /// The scene has none of them.
    Nothing,
}

impl ForceSource {
    /// The force to show: the grab while the user holds one, else the tool that follows the pointer, else tools that move, else tools of finite size, else
    /// the last grab of the scene. Tools of which one carries the others have one force. Blades have none, and a floor only carries the weight.
    pub fn of(snapshot: &WorldSnapshot, grabbing: bool) -> Self {
        let Some(setup) = &snapshot.setup else {
            return Self::Nothing;
        };
        if grabbing {
            return Self::Grab;
        }
        let matching = |counts: fn(&SetupTool) -> bool| -> Vec<usize> {
            let tools = setup.tools.iter().enumerate();
            let tools = tools.filter(|(_, tool)| !tool.shape.is_blade() && counts(tool));
            tools.map(|(k, _)| k).collect()
        };
        let mut follows = matching(|tool| tool.follows_pointer);
        follows.truncate(1);
        let candidates = [
            follows,
            matching(|tool| tool.path.duration() > 0.0),
            matching(|tool| tool.shape.inner_radius().is_finite()),
        ];
        let found = candidates.into_iter().find(|tools| !tools.is_empty());
        let hand = found.as_ref().and_then(|tools| Self::hand(setup, tools));
        if let Some(hand) = hand {
            return hand;
        }
        match (found.as_deref(), setup.grabs.last()) {
            (Some([k]), _) => Self::Tool(*k, setup.tools[*k].name.clone()),
            (Some(tools), _) => Self::Tools(tools.to_vec()),
            (None, Some(grab)) => Self::ScriptedGrab(grab.name.clone()),
            (None, None) => Self::Nothing,
        }
    }

    /// The hand to which all of `tools` belong; `None` where there is no such hand.
    fn hand(setup: &Setup, tools: &[usize]) -> Option<Self> {
        let first = *tools.first()?;
        let carrier = setup.tools[first].carrier.as_ref();
        let carrier = carrier.map_or(first, |c| c.tool);
        let carried = setup.carried_by(carrier);
        let all: Vec<usize> = [carrier].into_iter().chain(carried).collect();
        let belongs = all.len() > 1 && tools.iter().all(|k| all.contains(k));
        belongs.then(|| Self::Hand(all, setup.tools[carrier].name.clone()))
    }

    /// Its size in a pane, N; `None` where the method has not computed a frame.
    pub fn size(&self, pane: &PaneSnapshot) -> Option<f64> {
        let has_stepped = pane.cost_ms > 0.0 || !pane.tool_forces.is_empty();
        let size = self.size_of(&pane.tool_forces, &pane.grab_force)?;
        has_stepped.then_some(size)
    }

    /// Its size, from the forces on tools and that of the grab, N; `None` where a tool has none.
    pub fn size_of(&self, tool_forces: &[Vec3], grab_force: &Vec3) -> Option<f64> {
        let on = |k: usize| tool_forces.get(k).map(Vec3::norm);
        match self {
            Self::Tool(k, _) => on(*k),
            Self::Tools(all) => all.iter().map(|&k| on(k)).sum(),
            Self::Hand(all, _) => {
                let forces = all.iter().map(|&k| tool_forces.get(k).copied());
                forces.sum::<Option<Vec3>>().map(|force| force.norm())
            }
            Self::Grab | Self::ScriptedGrab(_) => Some(grab_force.norm()),
            Self::Nothing => None,
        }
    }

    /// Caption below the number.
    pub fn caption(&self) -> String {
        match self {
            Self::Tool(_, name) | Self::ScriptedGrab(name) => format!("force on the {name}"),
            Self::Tools(all) => format!("force on {} tools together", all.len()),
            Self::Hand(_, name) => format!("force on the {name} and its tools"),
            // a tool of the scene may be called hand, too
            Self::Grab => "force on your hand".to_string(),
            Self::Nothing => "no tool".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::contact::{Pose, PosePath};
    use pliant_simulation::scenes::{ImportOptions, load};
    use pliant_simulation::setup::{Carrier, prepare};

    use super::*;

    fn source_of(scene: &str) -> ForceSource {
        let scene = load(scene, &ImportOptions::default()).expect("bundled");
        let setup = prepare(&scene, &pliant_core::asset::Progress::new()).expect("prepared");
        let snapshot = WorldSnapshot {
            setup: Some(std::sync::Arc::new(setup)),
            ..WorldSnapshot::default()
        };
        assert_eq!(ForceSource::of(&snapshot, true), ForceSource::Grab);
        ForceSource::of(&snapshot, false)
    }

    #[test]
    fn the_force_of_each_kind_of_scene_has_a_name() {
        for (scene, caption) in [
            ("cut", "force on the right hand"),
            ("heap", "no tool"),
            ("poke", "force on the ball"),
            ("grasp", "force on 5 tools together"),
            ("abuse", "force on the press"),
        ] {
            assert_eq!(source_of(scene).caption(), caption, "{scene}");
        }
    }

    #[test]
    fn tools_that_press_from_two_sides_do_not_cancel() {
        let forces = [Vec3::x() * 2.0, Vec3::zeros(), Vec3::x() * -3.0];
        let both = ForceSource::Tools(vec![0, 2]);
        assert_eq!(both.size_of(&forces, &Vec3::zeros()), Some(5.0));
        assert_eq!(both.size_of(&forces[..2], &Vec3::zeros()), None);
        let hand = ForceSource::ScriptedGrab("hand".into());
        assert_eq!(hand.size_of(&[], &Vec3::y()), Some(1.0));
    }

    #[test]
    fn a_hand_of_several_tools_has_one_force() {
        let mut snapshot = crate::testing::snapshot();
        let setup = crate::testing::setup_mut(&mut snapshot);
        let finger = setup.tools[0].clone();
        let carried = SetupTool {
            carrier: Some(Carrier {
                tool: 1,
                place: PosePath::still(Pose::at(Vec3::x())),
            }),
            ..finger.clone()
        };
        // the one that carries the others comes second
        setup.tools = vec![carried.clone(), finger.clone(), carried];
        let forces = [Vec3::x() * 2.0, Vec3::y(), Vec3::x() * -2.0];
        let hand = ForceSource::of(&snapshot, false);
        assert_eq!(hand, ForceSource::Hand(vec![1, 0, 2], "finger".into()));
        assert_eq!(hand.size_of(&forces, &Vec3::zeros()), Some(1.0));
        assert_eq!(hand.size_of(&forces[..2], &Vec3::zeros()), None);
        assert_eq!(hand.caption(), "force on the finger and its tools");
        // a tool of its own beside the hand that moves, too
        let setup = crate::testing::setup_mut(&mut snapshot);
        setup
            .tools
            .iter_mut()
            .for_each(|tool| tool.follows_pointer = false);
        setup.tools.push(SetupTool {
            follows_pointer: false,
            ..finger
        });
        assert_eq!(
            ForceSource::of(&snapshot, false),
            ForceSource::Tools(vec![0, 1, 2, 3])
        );
    }

    #[test]
    fn a_method_that_has_computed_nothing_has_no_force() {
        let snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        let sizes: Vec<_> = snapshot.panes.iter().map(|p| source.size(p)).collect();
        assert_eq!(sizes, [Some(5.0), None, None]);
        assert_eq!(ForceSource::Grab.size(&snapshot.panes[1]), None);
    }
}
