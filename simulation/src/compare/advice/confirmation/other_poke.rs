//! A poke of the same body at the same place that is less deep.

use std::sync::Arc;

use pliant_core::math::Vec3;

use crate::reference::ReferenceForce;
use crate::setup::{Setup, SetupTool};

/// Share of the depth by which the poke is less deep.
const DEPTH_SHARE: f64 = 0.2;
/// Smallest mean of unit vectors that has a direction.
const MIN_MEAN: f64 = 0.3;

/// A scene whose tool has been moved out of the body a little.
#[derive(Debug)]
pub(super) struct ShallowerPoke {
    /// The scene.
    pub(super) setup: Arc<Setup>,
    /// Depth of the tool in the body at rest, m.
    pub(super) depth: f64,
    /// What it was before, m.
    pub(super) depth_before: f64,
}

/// Moves the tool with the force by which methods are judged out of the body, with all that moves together with it, by a fifth of its depth.
///
/// Its whole path is moved against the mean direction of the press. `Err` says why there is no such poke.
pub(super) fn shallower_poke(
    setup: &Setup,
    judged: &ReferenceForce,
) -> Result<ShallowerPoke, String> {
    let Some(tool) = setup.tools.get(judged.curve) else {
        return Err("what is felt is a grab, which has no depth".into());
    };
    let press = deepest(setup, tool, judged);
    let mean = press.away / press.weight.max(f64::MIN_POSITIVE);
    let Some(away) = mean.try_normalize(MIN_MEAN) else {
        return Err(format!(
            "the tool {} does not go into one side of the body as it is at rest",
            tool.name
        ));
    };
    let by = away * (DEPTH_SHARE * press.depth);
    let carrier = |tool: &SetupTool| tool.carrier.as_ref().map(|carrier| carrier.tool);
    let root = carrier(tool).unwrap_or(judged.curve);
    let mut moved = setup.clone();
    for (k, tool) in moved.tools.iter_mut().enumerate() {
        if k == root || carrier(tool) == Some(root) {
            tool.path = tool.path.moved(&by);
        }
    }
    Ok(ShallowerPoke {
        depth: deepest(&moved, &moved.tools[judged.curve], judged).depth,
        depth_before: press.depth,
        setup: Arc::new(moved),
    })
}

/// How a tool presses a body that stays at rest.
#[derive(Default)]
struct Press {
    /// m
    depth: f64,
    /// sum of the directions out of the body, each times its weight
    away: Vec3,
    /// sum of areas times depths, m³
    weight: f64,
}

/// The deepest press in the frames in which the reference presses firmly.
fn deepest(setup: &Setup, tool: &SetupTool, judged: &ReferenceForce) -> Press {
    let mut deepest = Press::default();
    for &frame in &judged.frames {
        let tool = tool.at((frame + 1) as f64 * setup.frame_duration());
        let mut press = Press::default();
        for (place, area) in setup.skin().positions.iter().zip(&setup.areas) {
            let (distance, gradient) = tool.signed_distance(place);
            if distance < 0.0 {
                press.depth = press.depth.max(-distance);
                press.away += gradient * (distance * area);
                press.weight -= distance * area;
            }
        }
        if press.depth > deepest.depth {
            deepest = press;
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::{BALL, pad, setup_of};

    /// What is judged in the hold of `$POKE`, frame 120 of 60 a second.
    fn judged(curve: usize) -> ReferenceForce {
        ReferenceForce {
            curve,
            frames: vec![120],
            force: 1.0,
            uncertainty: 0.0,
        }
    }

    #[test]
    fn a_poke_becomes_less_deep_by_a_fifth_and_moves_nowhere_else() {
        let setup = setup_of(pad("", "") + BALL);
        let poke = shallower_poke(&setup, &judged(0)).expect("a poke");
        assert!(poke.depth_before > 0.01);
        let ratio = poke.depth / poke.depth_before;
        assert!((ratio - 0.8).abs() < 0.02, "{ratio}");
        let moved = |time: f64| {
            let place = |setup: &Setup| setup.tools[0].path.pose(time).position;
            place(&poke.setup) - place(&setup)
        };
        assert_eq!(poke.setup.tools.len(), 1);
        assert!(moved(0.0).y > 0.0);
        assert!((moved(0.0).norm() / poke.depth_before - 0.2).abs() < 1e-9);
        assert!((moved(0.0) - moved(2.0)).norm() < 1e-12);
    }

    #[test]
    fn tools_that_move_together_stay_together() {
        let carried = "[[tool]]\nname = 'tip'\nshape = { sphere = { radius = 0.09 } }\nmotion = { carried_by = 'ball', at = [0.0, -0.02, 0.0] }\n";
        let setup = setup_of(pad("", "") + BALL + carried);
        let poke = shallower_poke(&setup, &judged(1)).expect("a poke");
        let offset = |setup: &Setup| {
            let place = |k: usize| setup.tools[k].path.pose(2.0).position;
            place(1) - place(0)
        };
        assert!((offset(&poke.setup) - offset(&setup)).norm() < 1e-12);
        assert!(poke.depth < 0.9 * poke.depth_before);
    }

    #[test]
    fn what_has_no_depth_says_so() {
        let setup = setup_of(pad("", "") + BALL);
        let grab = shallower_poke(&setup, &judged(1)).expect_err("a grab");
        assert!(grab.contains("grab"), "{grab}");
        // at the beginning the ball is above the body
        let early = ReferenceForce {
            frames: vec![0],
            ..judged(0)
        };
        let outside = shallower_poke(&setup, &early).expect_err("outside");
        assert!(outside.contains("ball"), "{outside}");
    }
}
