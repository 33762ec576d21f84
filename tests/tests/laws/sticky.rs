//! A tool to which the body sticks pulls the body up and aside, and lets go of it at the limit of the pull: a sticky tool of everything at once, a bonded one of each vertex by itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant_core::boundary::ConstrainedDirections;
use pliant_core::contact::Owner;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;
use pliant_tests::bits;

use crate::pad::{PRESS_KEYS, assert_restored, pad, run, step, upward_force, world};

/// The ball is pressed in until 0.5 s, and is 7 mm above the pad at rest and 5 mm aside at 1.5 s.
const LIFT_KEYS: &str = "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] }, { t = 1.5, at = [0.007, 0.357, 0.001] }";
/// The ball is pressed in until 0.5 s, and is 20 mm above the pad at rest at 1.2 s.
const PULL_OFF_KEYS: &str = "{ t = 0.0, at = [0.002, 0.353, 0.001] }, { t = 0.5, at = [0.002, 0.344, 0.001] }, { t = 1.2, at = [0.002, 0.37, 0.001] }";
/// Pull at which the tool lets go, N.
const LIMIT: f64 = 2.0;
/// Pull at which a bonded tool lets go of a vertex, N.
const BOND: f64 = 0.05;

/// The pad under a ball to which it sticks, with more keys of the contact.
fn sticky(path: &str, contact: &str, resolution: (&str, &str)) -> Arc<Setup> {
    under_ball(path, &format!("kind = \"sticky\"{contact}"), resolution)
}

/// The pad with a change under a ball with these keys of the contact.
fn under_ball(path: &str, contact: &str, change: (&str, &str)) -> Arc<Setup> {
    let radius = "shape = { sphere = { radius = 0.3 } }";
    let ball = format!("{radius}\n    contact = {{ {contact} }}");
    pad(&[(PRESS_KEYS, path), (radius, ball.as_str()), change])
}

/// A body far from the pad.
const OTHER: &str = r#"[[body]]
    name = "other"
    mesh = { procedural = "box", size = [0.1, 0.1, 0.1], edge = 0.05 }
    layout = { grid = [1, 1, 1], origin = [1.0, 0.0, 0.0] }
    material = { young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 0.3 }
    adaptive = { nodes = [27], calibrate = false }
    lattice = { cell = 0.05, half_width = 1, calibrate = false }
"#;
/// The methods whose bodies may find their contacts themselves.
const OF_GROUPS: [Method; 2] = [Method::Adaptive, Method::Lattice];

/// The pad under a ball with these keys of the contact, where bodies find their contacts themselves: it touches itself, or there is another body.
fn in_groups(path: &str, contact: &str) -> [Arc<Setup>; 2] {
    let other = format!("{OTHER}\n    [[tool]]");
    [
        ("half_width = 1", "half_width = 1, self_contact = true"),
        ("[[tool]]", other.as_str()),
    ]
    .map(|change| under_ball(path, contact, change))
}

/// Resolutions of the adaptive method, as changes of the pad.
const CUT: (&str, &str) = ("budget_ms", "budget_ms");
const LEVEL: (&str, &str) = ("budget_ms", "resolution = \"level\", budget_ms");

/// Displacement of the middle of the pad's upper face, m.
fn centre_displacement(setup: &Setup, world: &World) -> Vec3 {
    let skin = setup.skin();
    let place = Vec3::y() * 0.05;
    let distance = |v: &usize| (skin.positions[*v] - place).norm();
    let nearest = (0..skin.vertex_count()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let v = nearest.expect("a skin");
    world.frame().position(v) - skin.positions[v]
}

#[test]
fn a_sticky_tool_leads_the_skin_along_and_feels_what_the_support_carries() {
    for resolution in [CUT, LEVEL] {
        let setup = sticky(LIFT_KEYS, "", resolution);
        for method in Method::ALL {
            let name = method.name();
            let mut world = world(&setup, method);
            run(&mut world, &setup, 0.5);
            assert!(upward_force(&world) > 1.0, "{name}: it is pressed first");
            let pressed = centre_displacement(&setup, &world);
            run(&mut world, &setup, 2.0);
            // from the pressed position the skin follows the tool: 13 mm up and 5 mm aside
            let displacement = centre_displacement(&setup, &world) - pressed;
            let expected = Vec3::new(0.005, 0.013, 0.0);
            assert!(
                (displacement - expected).norm() < 1e-3,
                "{name}: {displacement:?}"
            );
            let tool = -world.output().wrenches[0].force;
            let reactions: Vec3 = world.model().reactions().iter().sum();
            assert!((tool - reactions).norm() <= 1e-12 * tool.norm(), "{name}");
            assert!(tool.y > 1.0 && tool.x > 0.1, "{name}: {tool:?}");
            let support: Vec3 = world.output().support_forces.iter().sum();
            let residual = (tool + support).norm() / tool.norm();
            assert!(
                residual <= 0.01,
                "{name}: {residual:e} of {tool:?} N is left"
            );
        }
    }
}

#[test]
fn a_tool_that_pulls_too_hard_lets_go_and_stays_off() {
    let setup = sticky(PULL_OFF_KEYS, &format!(", f_max = {LIMIT:?}"), CUT);
    for method in Method::ALL {
        // the pull counts along the mean normal, which is upright but for a fraction of a degree
        assert_lets_go(&setup, method, [0.999 * LIMIT, 1.001 * LIMIT]);
    }
}

/// The pull grows until it is above `least`, and is below `most` before that (N). Then the tool has let go, and the pad comes back to rest.
#[track_caller]
fn assert_lets_go(setup: &Arc<Setup>, method: Method, [least, most]: [f64; 2]) {
    let name = method.name();
    let mut world = world(setup, method);
    let mut pulls = Vec::new();
    for _ in 0..setup.frames(2.5) {
        step(&mut world);
        pulls.push(-upward_force(&world));
    }
    let last = pulls.iter().rposition(|pull| *pull > 1e-9);
    let last = last.expect("it pulls first");
    assert!(pulls[last] > least, "{name}: {} N", pulls[last]);
    let before = pulls[..last].iter().copied().fold(0.0, f64::max);
    assert!(before < most, "{name}: {before} N");
    assert!(last + 1 < pulls.len(), "{name}: it never let go");
    assert!(!world.in_contact() && upward_force(&world) == 0.0, "{name}");
    let remaining = centre_displacement(setup, &world).norm();
    assert!(remaining < 1e-4, "{name}: {remaining:e} m from rest");
}

#[test]
fn a_bond_without_a_limit_has_the_bits_of_a_sticky_tool() {
    let kinds = ["sticky", "bonded"].map(|kind| {
        let contact = format!("kind = \"{kind}\"");
        under_ball(LIFT_KEYS, &contact, CUT)
    });
    for method in Method::ALL {
        let [mut sticky, mut bonded] = kinds.each_ref().map(|setup| world(setup, method));
        for _ in 0..75 {
            step(&mut sticky);
            step(&mut bonded);
        }
        let name = method.name();
        assert!(upward_force(&sticky) < 0.0, "{name}: it pulls");
        assert_eq!(sticky.output().wrenches, bonded.output().wrenches, "{name}");
        assert!(bits(sticky.frame()) == bits(bonded.frame()), "{name}");
    }
}

/// The pull along the normal on each vertex that sticks to the ball, N.
fn pulls_on_held(world: &World) -> BTreeMap<u32, f64> {
    let ball = &world.tools()[0];
    let reactions = world.contacts().zip(world.model().reactions());
    let held = reactions
        .filter(|((constraint, _), _)| constraint.directions == ConstrainedDirections::All);
    let pulls = held.map(|((constraint, _), reaction)| {
        let (_, normal) = ball.signed_distance(&constraint.target);
        (constraint.vertex, -reaction.dot(&normal))
    });
    pulls.collect()
}

#[test]
fn a_bonded_tool_lets_go_of_the_vertices_that_it_pulls_too_hard_and_of_no_others() {
    let contact = format!("kind = \"bonded\", f_max = {BOND:?}");
    let setup = under_ball(PULL_OFF_KEYS, &contact, CUT);
    for method in Method::ALL {
        let name = method.name();
        let mut world = world(&setup, method);
        let mut before: BTreeMap<u32, f64> = BTreeMap::new();
        let (mut released, mut times) = (0, 0);
        for _ in 0..setup.frames(2.5) {
            step(&mut world);
            let reactions: Vec3 = world.model().reactions().iter().sum();
            let sizes = world.model().reactions().iter().map(Vec3::norm);
            let residual = (world.output().wrenches[0].force + reactions).norm();
            assert!(residual <= 1e-12 * sizes.sum::<f64>(), "{name}");
            let held = pulls_on_held(&world);
            let count = released;
            for (vertex, pull) in &before {
                let is_held = held.contains_key(vertex);
                released += usize::from(!is_held);
                // the normal counts with which the vertex came to the tool, which the pulls here have but for a fraction of a degree
                assert!(
                    is_held || *pull > 0.95 * BOND,
                    "{name}: it let go of vertex {vertex} at {pull} N"
                );
                assert!(
                    !is_held || *pull < 1.05 * BOND,
                    "{name}: it holds vertex {vertex} at {pull} N"
                );
            }
            times += usize::from(released > count);
            before = held;
        }
        assert!(released > 10, "{name}: it held {released} vertices");
        assert!(times > 1, "{name}: it let go of all at once");
        assert!(!world.in_contact() && upward_force(&world) == 0.0, "{name}");
        let remaining = centre_displacement(&setup, &world).norm();
        assert!(remaining < 1e-4, "{name}: {remaining:e} m from rest");
    }
}

#[test]
fn bodies_of_a_group_stick_to_a_tool_at_their_contact_points() {
    for setup in in_groups(LIFT_KEYS, "kind = \"sticky\"") {
        for method in OF_GROUPS {
            let name = format!("{}, {} bodies", method.name(), setup.body_count());
            let mut world = world(&setup, method);
            run(&mut world, &setup, 0.5);
            assert!(upward_force(&world) > 1.0, "{name}: it is pressed first");
            run(&mut world, &setup, 1.5);
            let mut stuck = 0;
            for (constraint, owner) in world.contacts() {
                assert_eq!(*owner, Owner::Tool(0), "{name}");
                let position = world.frame().position(constraint.vertex as usize);
                let off = (position - constraint.target).norm();
                assert!(off < 2e-4, "{name}: {off:e} m from the tool");
                stuck += 1;
            }
            assert!(stuck > 3, "{name}: {stuck} vertices stick");
            let tool = -world.output().wrenches[0].force;
            assert!(tool.y > 1.0 && tool.x > 0.1, "{name}: {tool:?}");
            let support: Vec3 = world.output().support_forces.iter().sum();
            let residual = (tool + support).norm() / tool.norm();
            assert!(
                residual <= 0.02,
                "{name}: {residual:e} of {tool:?} N is left"
            );
        }
    }
}

#[test]
fn a_tool_that_pulls_too_hard_lets_go_of_a_body_of_a_group() {
    let contact = format!("kind = \"sticky\", f_max = {LIMIT:?}");
    let [setup, _] = in_groups(PULL_OFF_KEYS, &contact);
    for method in OF_GROUPS {
        // contacts that only push may make it a little less
        assert_lets_go(&setup, method, [0.9 * LIMIT, 1.01 * LIMIT]);
    }
}

#[test]
fn what_sticks_is_a_part_of_the_state() {
    let alone = sticky(LIFT_KEYS, "", CUT);
    let [group, _] = in_groups(LIFT_KEYS, "kind = \"bonded\", f_max = 0.2");
    let of_groups = OF_GROUPS.map(|method| (&group, method));
    let cases = Method::ALL.map(|method| (&alone, method));
    for (setup, method) in cases.into_iter().chain(of_groups) {
        let mut world = world(setup, method);
        run(&mut world, setup, 0.8);
        assert_restored(&mut [world], 0, method.name());
    }
}
