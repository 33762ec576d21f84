//! Wrenches on tools are opposite to the reactions on the body, about any reference point of torques.

use pliant_core::contact::Owner;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::pad::{PRESS_KEYS, ROUND_OFF, assert_opposite, pad, step, world};

/// Two balls with friction on both sides of the centre. The second follows the path of the first at a distance of 0.1 m.
const TWO_BALLS: [(&str, &str); 3] = [
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
        PRESS_KEYS,
        "{ t = 0.0, at = [-0.05, 0.103, 0.01] }, { t = 0.5, at = [-0.045, 0.092, 0.02] }",
    ),
];

#[test]
fn reactions_and_wrenches_cancel_also_about_another_point() {
    let setup = pad(&TWO_BALLS);
    let reference_point = Vec3::new(0.3, -0.2, 0.5);
    for method in Method::ALL {
        let name = method.name();
        let mut world = world(&setup, method);
        let mut max_torque = [0.0_f64; 2];
        for frame in 0..45 {
            step(&mut world);
            let reactions = world.model().reactions();
            assert_eq!(reactions.len(), world.contacts().count(), "{name}");
            let all = world.output().wrenches.iter().map(|w| w.force);
            let all: Vec3 = all.sum::<Vec3>() + reactions.iter().sum::<Vec3>();
            let force_sum: f64 = reactions.iter().map(Vec3::norm).sum();
            assert!(
                all.norm() <= ROUND_OFF * force_sum,
                "{name} frame {frame}: {all:?}"
            );
            for (k, wrench) in world.output().wrenches.iter().enumerate() {
                let place = world.tools()[k].end.position;
                let is_its = |owner: Owner| owner == Owner::Tool(k);
                let case = format!("{name} frame {frame}");
                assert_opposite(&world, (wrench, place), reference_point, is_its, &case);
                max_torque[k] = max_torque[k].max(wrench.torque.norm());
            }
        }
        // friction on balls that move sideways causes a torque
        assert!(
            max_torque.iter().all(|torque| *torque > 1e-4),
            "{name}: {max_torque:?}"
        );
    }
}
