//! The oscillating cube whose half at the free end is one level finer.

use pliant_adaptive::ElementModel;
use pliant_adaptive::study::half_refined::HalfRefinedBox;
use pliant_adaptive::study::reference::BlockReference;
use pliant_adaptive::study::{OscillationRun, oscillate, oscillate_mixed};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;

use crate::bodies::{CUBE_PERIOD, cube_material};

fn cube(nodes: usize) -> HalfRefinedBox {
    HalfRefinedBox::with_about(Vec3::repeat(1.0), nodes)
}

fn mixed(block: &HalfRefinedBox, model: ElementModel, duration: f64) -> OscillationRun {
    let (material, progress) = (cube_material(0.0), Progress::new());
    oscillate_mixed(block, &material, 9.81, model, duration, &progress).expect("runs")
}

fn period(run: &OscillationRun) -> f64 {
    run.period_s.expect("swings")
}

#[test]
fn the_mixed_cube_swings_between_its_levels_and_keeps_its_energy() {
    for nodes in [57, 137] {
        let block = cube(nodes);
        for model in [
            ElementModel::Spring,
            ElementModel::Green,
            ElementModel::Cauchy,
            ElementModel::Simplified,
        ] {
            let of_level = |level: usize| {
                let (mesh, material) = (&block.levels[level], cube_material(0.0));
                let progress = Progress::new();
                let run = oscillate(mesh, block.size, &material, 9.81, model, 3.0, &progress);
                period(&run.expect("runs"))
            };
            let levels = [of_level(0), of_level(1)];
            let run = mixed(&block, model, 3.0);
            assert!(run.mixed && !run.diverged);
            assert!(
                run.t
                    .windows(2)
                    .all(|t| t[1] > t[0] && t[1] - t[0] <= 1.0 / 60.0)
            );
            assert!((run.t.last().expect("samples") - 3.0).abs() < 1e-9);
            let drift = run.energy_drift.expect("ran");
            assert!(drift < 0.025, "{nodes} {model:?}: energy drift {drift}");
            // all-coarse and all-fine cuts bracket mixed ones within 3 %
            let low = levels[0].min(levels[1]) * 0.97;
            let high = levels[0].max(levels[1]) * 1.03;
            assert!(
                (low..high).contains(&period(&run)),
                "{nodes} {model:?}: {} outside of {levels:?}",
                period(&run)
            );
        }
    }
}

#[test]
fn only_the_half_at_the_free_end_is_finer() {
    for (size, nodes) in [
        (Vec3::repeat(1.0), 22),
        (Vec3::repeat(1.0), 27),
        (Vec3::repeat(1.0), 57),
        (Vec3::repeat(1.0), 137),
        // halves of cells that round-off could put on either side
        (Vec3::repeat(0.03), 57),
        (Vec3::new(1.5, 0.8, 1.0), 500),
        (Vec3::new(0.7, 1.3, 0.9), 300),
    ] {
        let block = HalfRefinedBox::with_about(size, nodes);
        let [coarse, fine] = &block.levels;
        let middle = 1e-9 * size.x;
        let before = coarse.nodes.iter().filter(|x| x.x <= 0.0).count();
        let beyond = fine.nodes.iter().filter(|x| x.x > -middle).count();
        let run = mixed(&block, ElementModel::Green, 0.01);
        assert_eq!(run.nodes, before + beyond, "{size:?}, {nodes} nodes");
        let miss = run.nodes as f64 / nodes as f64 - 1.0;
        assert!(miss.abs() <= 0.15, "{size:?}, {nodes} nodes: {miss}");
        // the levels are meshes of the whole box
        let volume = size.x * size.y * size.z;
        for level in &block.levels {
            assert!((level.volume() / volume - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn both_halves_calibrated_swing_like_the_converged_reference() {
    let mut block = cube(137);
    let plain = period(&mixed(&block, ElementModel::Green, 1.5)) / CUBE_PERIOD - 1.0;
    let progress = Progress::new();
    let reference = BlockReference::new(block.size, &cube_material(0.0), &progress);
    let reference = reference.expect("meshed");
    block.stiffness = [0, 1].map(|level| {
        let factor = reference.stiffness_factor(&block.levels[level], &progress);
        factor.expect("found")
    });
    let [wall, free_end] = block.stiffness;
    assert!(wall < free_end && free_end < 1.0, "{wall} {free_end}");
    let calibrated = period(&mixed(&block, ElementModel::Green, 1.5)) / CUBE_PERIOD - 1.0;
    assert!(calibrated.abs() < 0.02, "{calibrated}");
    assert!(calibrated.abs() < plain.abs(), "{calibrated} of {plain}");
}

#[test]
fn no_time_and_meshes_without_the_corner_are_refused() {
    let (mut block, material, progress) = (cube(57), cube_material(0.0), Progress::new());
    let refused = |block: &HalfRefinedBox, duration: f64| {
        let model = ElementModel::Green;
        let told = oscillate_mixed(block, &material, 9.81, model, duration, &progress);
        told.expect_err("refused").code()
    };
    assert_eq!(refused(&block, 0.0), "BadDuration");
    block.size *= 1.1;
    assert_eq!(refused(&block, 1.0), "NoCornerNode");
}
