//! What tools feel is minus what they do to the body, about whichever point torques are taken.

use pliant_core::contact::Owner;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::pad::{PRESS, pad, step, world};

/// Share of all forces, or torques, that round-off may leave.
const LEFT: f64 = 1e-12;

/// Two balls with friction on both sides of the middle: the second follows the path of the first, 0.1 m beside it.
const TWO: [(&str, &str); 3] = [
    (
        "shape = { sphere = { radius = 0.3 } }",
        "shape = { sphere = { radius = 0.05 } }\n    contact = { kind = \"coulomb\", mu_s = 0.4, mu_k = 0.3 }",
    ),
    (
        "[[path]]",
        r#"[[tool]]
    name = "other"
    shape = { sphere = { radius = 0.05 } }
    contact = { kind = "coulomb", mu_s = 0.4, mu_k = 0.3 }
    motion = { path = "beside" }
    [[path]]
    name = "beside"
    keys = [ { t = 0.0, at = [0.05, 0.103, -0.02] }, { t = 0.5, at = [0.055, 0.09, -0.02] } ]
    [[path]]"#,
    ),
    (
        PRESS,
        "{ t = 0.0, at = [-0.05, 0.103, 0.01] }, { t = 0.5, at = [-0.045, 0.092, 0.02] }",
    ),
];

#[test]
fn reactions_and_wrenches_cancel_also_about_another_point() {
    let setup = pad(&TWO);
    let about = Vec3::new(0.3, -0.2, 0.5);
    for method in Method::ALL {
        let name = method.name();
        let mut world = world(&setup, method);
        let mut felt = [0.0_f64; 2];
        for frame in 0..45 {
            step(&mut world);
            let reactions = world.model().reactions();
            assert_eq!(reactions.len(), world.contacts().count(), "{name}");
            let all = world.output().wrenches.iter().map(|w| w.force);
            let all: Vec3 = all.sum::<Vec3>() + reactions.iter().sum::<Vec3>();
            let most: f64 = reactions.iter().map(Vec3::norm).sum();
            assert!(all.norm() <= LEFT * most, "{name} frame {frame}: {all:?}");
            for (k, (tool, wrench)) in world
                .tools()
                .iter()
                .zip(&world.output().wrenches)
                .enumerate()
            {
                let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
                let (mut forces, mut torques) = (0.0, 0.0);
                for ((constraint, owner), reaction) in world.contacts().zip(reactions) {
                    if *owner == Owner::Tool(k) {
                        let arm = world.frame().position(constraint.vertex as usize) - about;
                        force += reaction;
                        torque += arm.cross(reaction);
                        forces += reaction.norm();
                        torques += arm.norm() * reaction.norm();
                    }
                }
                let left = (force + wrench.force).norm();
                assert!(left <= LEFT * forces, "{name} frame {frame}: {left:e} N");
                let moved = wrench.torque + (tool.end.position - about).cross(&wrench.force);
                let left = (torque + moved).norm();
                assert!(left <= LEFT * torques, "{name} frame {frame}: {left:e} N m");
                felt[k] = felt[k].max(wrench.torque.norm());
            }
        }
        // balls with friction, which move sideways, are turned
        assert!(felt.iter().all(|torque| *torque > 1e-4), "{name}: {felt:?}");
    }
}
