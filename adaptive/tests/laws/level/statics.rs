//! Static equilibrium and its reactions.

use pliant_adaptive::ElementModel;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

use crate::bodies::{
    FRAME, baked, baked_block, block, body, constrained, cube_material, frame, frames, left_of,
    vertices, weight,
};

/// A column stands on its foot: under its own weight it is shorter by `ρ g h² / 2M` with M between E and the confined modulus, and the
/// foot carries all of it.
#[test]
fn a_standing_block_settles_and_its_support_carries_its_weight() {
    let material = cube_material(0.4);
    let foot = Some(Selection::Lowest(0.01));
    let asset = baked(&block(Vec3::repeat(1.0), &[[3, 3, 3]], material, foot));
    let mut b = body(&asset, 0, ElementModel::Green);
    let boundary = weight();
    frames(&mut b, &boundary, 180);
    let weight = 1000.0 * 9.81;
    let held = b.support_reactions()[0];
    assert!((held.y / weight - 1.0).abs() < 1e-3, "{held:?}");
    assert!(held.xz().norm() < 1e-3 * weight);
    let sink = b
        .level_positions()
        .iter()
        .zip(b.level_nodes())
        .filter(|(_, r)| r.y > 0.49)
        .map(|(x, r)| r.y - x.y)
        .fold(f64::INFINITY, f64::min);
    let lame = material.lame();
    let (soft, hard) = (material.elastic.young, lame.lambda + 2.0 * lame.mu);
    assert!(
        sink < 0.5 * weight / soft && sink > 0.5 * weight / hard,
        "{sink}"
    );
}

/// A bar of one material pulled by loads: the linear model must reach `F L / E A` at ν = 0.
#[test]
fn loads_stretch_a_bar_by_force_times_length_over_stiffness() {
    let mut material = cube_material(0.7);
    material.elastic.poisson = 0.0;
    let size = Vec3::new(1.0, 0.25, 0.25);
    let asset = baked(&block(size, &[[4, 1, 1]], material, Some(left_of(-0.499))));
    let mut b = body(&asset, 0, ElementModel::Cauchy);
    let end = vertices(b.surface(), |x| x.x > 0.499);
    // the consistent loads of a uniform traction: a third of each triangle's share to each corner
    let mut shares = vec![0.0; b.surface().vertex_count()];
    for triangle in &b.surface().triangles {
        if triangle.iter().all(|v| end.contains(v)) {
            for &v in triangle {
                shares[v as usize] += 0.5 / 3.0;
            }
        }
    }
    let pull = 500.0;
    let mut boundary = BoundaryConditions::default();
    boundary.set_loads(end.iter().map(|&vertex| NodalLoad {
        vertex,
        force: Vec3::new(pull * shares[vertex as usize], 0.0, 0.0),
    }));
    frames(&mut b, &boundary, 180);
    let expected = pull * size.x / (material.elastic.young * size.y * size.z);
    for (x, r) in b.level_positions().iter().zip(b.level_nodes()) {
        let u = expected * (r.x + 0.5);
        assert!((x.x - r.x - u).abs() < 1e-3 * expected);
    }
    assert!((b.support_reactions()[0].x + pull).abs() < 1e-3 * pull);
    let e = frame(&mut b, &boundary).energy.expect("has an energy");
    assert!(e.balance().abs() < 0.02 * e.scale(), "{e:?}");
}

/// A plate presses the top of a block by 2 % and holds: the reactions of plate and support balance.
#[test]
fn a_held_indentation_balances_tool_and_support() {
    let asset = baked_block(
        Vec3::new(0.2, 0.1, 0.2),
        &[[4, 2, 4]],
        0.3,
        Some(Selection::Lowest(0.01)),
    );
    let mut b = body(&asset, 0, ElementModel::Green);
    let top = vertices(b.surface(), |x| x.y > 0.0499 && x.xz().norm() < 0.06);
    let depth = 0.002;
    let positions = b.surface().positions.clone();
    let press = |depth: f64, speed: f64| {
        constrained(top.iter().map(|&vertex| {
            let rest = positions[vertex as usize];
            let target = Vec3::new(rest.x, 0.05 - depth, rest.z);
            DisplacementConstraint::contact(vertex, target, -Vec3::y())
                .moving(Vec3::new(0.0, -speed, 0.0))
        }))
    };
    let mut report = None;
    for k in 1..=40 {
        let d = depth * (f64::from(k) / 10.0).min(1.0);
        let speed = if k <= 10 { depth / 10.0 / FRAME } else { 0.0 };
        let boundary = press(d, speed);
        report = Some(frame(&mut b, &boundary));
    }
    let report = report.expect("ran");
    let tool: Vec3 = b.reactions().iter().sum();
    let support = b.support_reactions()[0];
    assert!(tool.y < -100.0, "{tool:?}");
    assert!(
        (tool + support).norm() < 0.01 * tool.norm(),
        "{tool:?} {support:?}"
    );
    assert!(report.max_violation < 1e-5, "{}", report.max_violation);
    // work of the plate = strain energy + dissipated energy
    let e = report.energy.expect("has an energy");
    assert!(
        e.work > 0.0 && e.balance().abs() < 0.02 * e.scale(),
        "{e:?}"
    );
}
