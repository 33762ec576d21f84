//! A cut of one level equals that level, with the stiffness fitted to every tetrahedron.

use std::sync::Arc;

use pliant_adaptive::bake::bake_with;
use pliant_adaptive::cut::{Cut, CutForces, Forest, Interface, Operators};
use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::force::reference::ReferenceForces;
use pliant_adaptive::params::Calibration;
use pliant_adaptive::{AdaptiveParams, LevelChoice, LodHierarchy, Resolution};
use pliant_core::asset::Progress;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::bodies::{
    GRAVITY, With, bent, block, cube_material, frame, left_of, max_norm, model, weight,
};
use crate::cut::cuts::{constants, green, step_frame};

/// A thin bar on a wall: every tetrahedron has a factor of its own.
fn fitted() -> Arc<LodHierarchy> {
    let wall = left_of(-0.399);
    let size = Vec3::new(0.8, 0.1, 0.2);
    let levels = [[6, 1, 2], [12, 2, 4]];
    let geometry = block(size, &levels, cube_material(0.0), Some(wall));
    let asset = bake_with(&geometry, Calibration::Local, &Progress::new()).expect("bakes");
    for level in &asset.levels {
        let factors: Vec<f64> = (0..level.mesh.tets.len())
            .map(|t| level.local_stiffness(t))
            .collect();
        let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = factors.iter().copied().fold(0.0, f64::max);
        assert!(least < 0.9 * most, "{least} to {most}");
    }
    assert!(asset.levels[0].stiffness != 1.0);
    Arc::new(asset)
}

#[test]
fn a_cut_of_one_level_has_the_forces_of_that_level_with_fitted_stiffness() {
    let asset = fitted();
    let forest = Arc::new(Forest::new(asset.clone()));
    for (l, level) in asset.levels.iter().enumerate() {
        let cut = Cut::at_level(forest.clone(), l);
        let operators = Operators::new(&cut);
        let constants = constants(0.3);
        let mut positions: Vec<Vec3> = forest.rest().iter().map(bent).collect();
        operators.forward(&mut positions);
        let velocities = vec![Vec3::zeros(); positions.len()];
        let mut forces = velocities.clone();
        CutForces {
            cut: &cut,
            operators: &operators,
            constants: &constants,
            interface: Interface::Conservative,
        }
        .evaluate(&positions, &velocities, &mut forces);
        let softer = ElementConstants {
            lame: pliant_core::material::LameParameters {
                lambda: constants.lame.lambda * level.stiffness,
                mu: constants.lame.mu * level.stiffness,
            },
            ..constants
        };
        let mut alone =
            ReferenceForces::from_mesh(level.mesh.clone(), level.force_shapes(), softer);
        let nodes = forest.nodes_of_level(l);
        let place = |n: &u32| positions[*n as usize];
        let x: Vec<Vec3> = nodes.clone().map(|n| place(&n)).collect();
        let mut expected = vec![Vec3::zeros(); x.len()];
        alone.evaluate(&x, &velocities[..x.len()], &mut expected);
        let scale = max_norm(&expected);
        assert!(scale > 0.0);
        for (n, expected) in nodes.zip(&expected) {
            let off = (forces[n as usize] - expected).norm();
            assert!(off < 1e-12 * scale, "level {l}, node {n}: {off:e} N");
        }
    }
}

#[test]
fn a_cut_of_one_level_swings_like_that_level_with_fitted_stiffness() {
    let asset = fitted();
    for l in 0..asset.levels.len() {
        let params = AdaptiveParams::default()
            .with(|p| p.resolution = Resolution::Level)
            .with(|p| p.level = LevelChoice::Index(l));
        let mut alone = model(&asset, params);
        let mut cut = green(&asset, Damping::Ratio(0.0), &params);
        cut.change_cut(|cut| *cut = Cut::at_level(cut.forest().clone(), l));
        let first = cut.cut().forest().nodes_of_level(l).start as usize;
        let (mut off, mut swing) = (0.0_f64, 0.0_f64);
        for _ in 0..60 {
            frame(&mut alone, &weight());
            step_frame(&mut cut, GRAVITY);
            let rest = alone.level_nodes().iter();
            let places = alone
                .level_positions()
                .iter()
                .zip(&cut.positions()[first..]);
            for (rest, (x, y)) in rest.zip(places) {
                off = off.max((x - y).norm());
                swing = swing.max((x - rest).norm());
            }
        }
        // their steps differ
        assert!(
            swing > 0.01 && off < 0.02 * swing,
            "level {l}: {off} of {swing}"
        );
    }
}
