//! A tool that is pressed in and held: its force, the support's and the weight are in balance.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::pad::{MASS, pad, push, run, world};

/// Share of the tool's force that may be missing: the quasistatic method answers within the frame, the others move until they have settled.
fn allowed(method: Method) -> f64 {
    match method {
        Method::Quasistatic => 1e-8,
        _ => 0.01,
    }
}

#[test]
fn tool_support_and_weight_are_in_balance() {
    let gravity = ("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, -9.81, 0.0]");
    let level = ("budget_ms", "resolution = \"level\", budget_ms");
    for (kind, changes) in [("cut", vec![gravity]), ("level", vec![gravity, level])] {
        let setup = pad(&changes);
        for method in Method::ALL {
            let mut world = world(&setup, method);
            run(&mut world, &setup, 1.5);
            let tool = -world.output().wrenches[0].force;
            let support: Vec3 = world.output().support_forces.iter().sum();
            let weight = Vec3::new(0.0, -9.81 * MASS, 0.0);
            let left = (tool + support + weight).norm() / tool.norm();
            let name = method.name();
            assert!(push(&world) > 1.0, "{name} {kind}: {tool:?}");
            assert!(
                left <= allowed(method),
                "{name} {kind}: tool {tool:?}, support {support:?}, {left:e} left"
            );
        }
    }
}
