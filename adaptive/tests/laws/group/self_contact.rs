//! A body that touches itself.

use std::cell::Cell;
use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy, Precision, Resolution};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
use pliant_core::model::{DeformableModel, OwnContact};

use crate::bodies::{self, With, baked, body_of, momenta};
use crate::cut::cuts::set_by_position;
use crate::group::cut_bodies;
use crate::group::levels::{free, model, run};

/// Cells of the bar, and their edge, m.
const CELLS: [usize; 3] = [24, 2, 2];
const CELL: f64 = 0.05;

/// A bar of `cells`, baked as an open ring whose ends can be pressed together: bent about z by this share of a whole turn.
fn bent(share: f64, cells: [usize; 3]) -> TetMesh {
    let size = Vec3::new(CELLS[0] as f64, CELLS[1] as f64, CELLS[2] as f64) * CELL;
    let straight = box_tets(size, cells, CellStyle::Alternating);
    let radius = size.x / (std::f64::consts::TAU * share);
    let bent = |x: &Vec3| {
        let angle = x.x / radius;
        Vec3::new(
            (radius - x.y) * angle.sin(),
            radius - (radius - x.y) * angle.cos(),
            x.z,
        )
    };
    TetMesh {
        nodes: straight.nodes.iter().map(bent).collect(),
        tets: straight.tets.clone(),
    }
}

/// The ring with these levels.
fn ring(share: f64, levels: &[[usize; 3]]) -> Arc<LodHierarchy> {
    let levels = levels.iter().map(|cells| bent(share, *cells));
    let material = Material::default()
        .with_damping_ratio(0.1)
        .with_law(MaterialLaw::StableNeoHookean);
    baked(&body_of(levels, material, None))
}

/// The vertices of both end faces.
fn ends(skin: &SurfaceMesh) -> [Vec<usize>; 2] {
    let size = Vec3::new(CELLS[0] as f64, CELLS[1] as f64, CELLS[2] as f64) * CELL;
    let straight = box_tets(size, CELLS, CellStyle::Alternating);
    let straight = straight.boundary().surface.positions;
    assert_eq!(straight.len(), skin.vertex_count());
    [-1.0, 1.0].map(|side| {
        let face = straight.iter().enumerate();
        let face = face.filter(|(_, x)| (x.x - side * 0.5 * size.x).abs() < 1e-9);
        face.map(|(n, _)| n).collect()
    })
}

/// Velocities (m/s, by position) that move the arms of a ring inwards, faster at the top, where it is open.
fn pinch(skin: &SurfaceMesh) -> impl Fn(&Vec3) -> Vec3 + use<> {
    let bounds = skin.bounds();
    move |x| {
        let up = ((x.y - bounds.min.y) / bounds.size().y).powi(2);
        Vec3::new(-x.x.signum() * up, 0.0, 0.0)
    }
}

/// The largest mean overlap of the ends of a ring that move towards each other, and the largest contact depth, in cells. Asserts that `momentum` (N s) is conserved.
fn overlap(
    group: &mut BodyGroup<AdaptiveModel>,
    momentum: impl Fn(&AdaptiveModel) -> Vec3,
) -> [f64; 2] {
    let skin = group.models()[0].surface().clone();
    let [left, right] = ends(&skin);
    let before = momentum(&group.models()[0]);
    let (mut worst, mut deepest) = (f64::NEG_INFINITY, 0.0_f64);
    let mut now = SurfaceFrame::default();
    for _ in 0..60 {
        run(group, 1, &BoundaryConditions::default());
        deepest = deepest.max(group.contact_counts().depth);
        group.write_surface(&mut now);
        let mean = |face: &[usize], at: &dyn Fn(usize) -> Vec3| {
            face.iter().map(|&v| at(v)).sum::<Vec3>() / face.len() as f64
        };
        // along the direction from one face to the other at rest
        let at_rest = |face: &[usize]| mean(face, &|v| skin.positions[v]);
        let at_present = |face: &[usize]| mean(face, &|v| now.position(v));
        let direction = (at_rest(&right) - at_rest(&left)).normalize();
        worst = worst.max(direction.dot(&(at_present(&left) - at_present(&right))));
        let off = (momentum(&group.models()[0]) - before).norm();
        assert!(off < 1e-9, "{off}");
    }
    [worst / CELL, deepest / CELL]
}

fn options(with_itself: bool) -> GroupOptions {
    free().with(|p| p.with_itself = with_itself)
}

/// [`overlap`] of a single level.
fn overlap_of_level(with_itself: bool) -> [f64; 2] {
    let asset = ring(0.85, &[CELLS]);
    let models = vec![model(&asset, Precision::F64)];
    let mut group = BodyGroup::new(models, Vec::new(), options(with_itself));
    let x: Vec<Vec3> = group.models()[0].level_positions().to_vec();
    let v: Vec<Vec3> = x.iter().map(pinch(&asset.skin)).collect();
    group.models_mut()[0].set_state(&x, &v);
    group.touch_up();
    overlap(&mut group, |m| momenta(m).0)
}

/// [`overlap`] of a cut through two levels, whose ends are refined where they touch.
fn overlap_of_cut(with_itself: bool) -> [f64; 2] {
    let asset = ring(0.85, &[[12, 1, 1], CELLS]);
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units: cut_bodies::PLENTY,
        // contact alone refines
        gamma_max: Some(1.0),
        ..AdaptiveParams::default()
    };
    let models = vec![bodies::model(&asset, params)];
    let mut group = BodyGroup::new(models, Vec::new(), options(with_itself));
    let speed = pinch(&asset.skin);
    let cut = group.models_mut()[0].cut_mut().expect("a cut");
    set_by_position(cut, |x| (*x, speed(x)));
    group.touch_up();
    let coarse = cut_bodies::active(&group.models()[0]);
    let most = Cell::new(0);
    let result = overlap(&mut group, |m| {
        most.set(cut_bodies::active(m).max(most.get()));
        momenta(m).0
    });
    let cut = group.models()[0].cut().expect("a cut").cut();
    assert_eq!(
        most.get() > coarse + 20,
        with_itself,
        "what touches is refined"
    );
    assert!(cut.evaluated_counts()[0] > 0, "the rest is not");
    result
}

#[test]
fn the_ends_of_a_bent_bar_stop_each_other() {
    let [through, _] = overlap_of_level(false);
    assert!(through > 2.0, "they would go through each other: {through}");
    let [over, deepest] = overlap_of_level(true);
    // the faces tilt, and are compressed by their relative velocity of 2 m/s
    assert!(over < 0.4 && over > -0.5, "{over}");
    assert!(deepest > 0.0 && deepest < 0.15, "{deepest}");
}

#[test]
fn the_ends_of_a_bent_bar_on_a_cut_stop_each_other_and_are_refined_there() {
    let [through, _] = overlap_of_cut(false);
    assert!(through > 2.0, "they would go through each other: {through}");
    let [over, deepest] = overlap_of_cut(true);
    assert!(over < 0.4 && over > -0.5, "{over}");
    assert!(deepest > 0.0 && deepest < 0.15, "{deepest}");
}
