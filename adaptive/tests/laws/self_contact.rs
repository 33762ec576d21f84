//! A body that touches itself.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, LodHierarchy, Precision};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{BodyGroup, GroupOptions, OwnContact};
use pliant_core::material::{Damping, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use super::groups::{free, model, momenta, run};

/// Cells of the bar, and their edge, m.
const CELLS: [usize; 3] = [24, 2, 2];
const CELL: f64 = 0.05;

/// A bar that is baked as an open ring, so that it can be pinched: bent about z by this share of a whole turn.
fn ring(share: f64) -> Arc<LodHierarchy> {
    let size = Vec3::new(CELLS[0] as f64, CELLS[1] as f64, CELLS[2] as f64) * CELL;
    let straight = box_tets(size, CELLS, CellStyle::Alternating);
    let radius = size.x / (std::f64::consts::TAU * share);
    let bent = |x: &Vec3| {
        let angle = x.x / radius;
        Vec3::new(
            (radius - x.y) * angle.sin(),
            radius - (radius - x.y) * angle.cos(),
            x.z,
        )
    };
    let mesh = TetMesh {
        nodes: straight.nodes.iter().map(bent).collect(),
        tets: straight.tets.clone(),
    };
    let geometry = BodyGeometry {
        skin: Arc::new(mesh.boundary().surface),
        material: Material {
            damping: Damping::Ratio(0.1),
            law: MaterialLaw::StableNeoHookean,
            ..Material::default()
        },
        supports: Vec::new(),
        levels: vec![Arc::new(mesh)],
        greens_level: None,
        voxels: None,
    };
    Arc::new(LodHierarchy::bake(&geometry, &Progress::new()).expect("bakes"))
}

/// The nodes of both end faces.
fn ends(asset: &LodHierarchy) -> [Vec<usize>; 2] {
    let size = Vec3::new(CELLS[0] as f64, CELLS[1] as f64, CELLS[2] as f64) * CELL;
    let straight = box_tets(size, CELLS, CellStyle::Alternating);
    assert_eq!(straight.nodes.len(), asset.levels[0].mesh.nodes.len());
    [-1.0, 1.0].map(|side| {
        let face = straight.nodes.iter().enumerate();
        let face = face.filter(|(_, x)| (x.x - side * 0.5 * size.x).abs() < 1e-9);
        face.map(|(n, _)| n).collect()
    })
}

/// How far the ends of a ring that are thrown at each other pass through each other in the mean, and the deepest contact, in cells.
fn overlap(with_itself: bool) -> [f64; 2] {
    let asset = ring(0.85);
    let model: AdaptiveModel = model(&asset, Precision::F64);
    let options = GroupOptions {
        with_itself,
        ..free()
    };
    let mut group = BodyGroup::new(vec![model], Vec::new(), options);
    let [left, right] = ends(&asset);
    let x: Vec<Vec3> = group.models()[0].node_positions().to_vec();
    let low = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let high = x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
    // the ring opens at the top; both arms are turned inwards, the faster the farther up
    let v: Vec<Vec3> = x
        .iter()
        .map(|x| {
            let up = ((x.y - low) / (high - low)).powi(2);
            Vec3::new(-x.x.signum() * up, 0.0, 0.0)
        })
        .collect();
    group.models_mut()[0].set_state(&x, &v);
    group.touch_up();
    let before = momenta(&group.models()[0]);
    let (mut worst, mut deepest) = (f64::NEG_INFINITY, 0.0_f64);
    for _ in 0..60 {
        run(&mut group, 1, &BoundaryConditions::default());
        deepest = deepest.max(group.contact_counts().depth);
        let now = group.models()[0].node_positions();
        let mean = |face: &[usize]| face.iter().map(|&n| now[n]).sum::<Vec3>() / face.len() as f64;
        // along the way from one face to the other when the body was baked
        let rest = &asset.levels[0].mesh.nodes;
        let at_rest =
            |face: &[usize]| face.iter().map(|&n| rest[n]).sum::<Vec3>() / face.len() as f64;
        let way = (at_rest(&right) - at_rest(&left)).normalize();
        worst = worst.max(way.dot(&(mean(&left) - mean(&right))));
        let off = (momenta(&group.models()[0]).0 - before.0).norm();
        assert!(off < 1e-9, "{off}");
    }
    [worst / CELL, deepest / CELL]
}

#[test]
fn the_ends_of_a_bent_bar_stop_each_other() {
    let [through, _] = overlap(false);
    assert!(through > 2.0, "they would go through each other: {through}");
    let [over, deepest] = overlap(true);
    // the faces tilt, and 2 m/s between them squeeze them
    assert!(over < 0.4 && over > -0.5, "{over}");
    assert!(deepest > 0.0 && deepest < 0.15, "{deepest}");
}
