//! A tool is pressed in and held: its force, the force of the support and the weight are in balance.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;

use crate::pad::{MASS, pad, run, upward_force, world};

/// Share of the tool's force that may be missing. The quasistatic method is in equilibrium in every frame; the others move until they have settled.
fn tolerance(method: Method) -> f64 {
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
            let residual = (tool + support + weight).norm() / tool.norm();
            let name = method.name();
            assert!(upward_force(&world) > 1.0, "{name} {kind}: {tool:?}");
            assert!(
                residual <= tolerance(method),
                "{name} {kind}: tool {tool:?}, support {support:?}, {residual:e} left"
            );
        }
    }
}
