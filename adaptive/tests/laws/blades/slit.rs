//! A bar that is cut half through opens like one that is meshed with the slit.

use std::sync::LazyLock;

use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::DeformableModel;

use super::{cut, damped, frames, pieces, pulled, sweep_down};
use crate::bodies::{baked, body_of, cube_material, frame, left_of};

const SIZE: [f64; 3] = [0.3, 0.1, 0.1];
const CELLS: [usize; 3] = [18, 6, 6];

/// The opening of the bar that is meshed with the slit, m.
static SLIT_OPENING: LazyLock<f64> = LazyLock::new(|| opening(&mut body_with(true)));

/// The bar, with the nodes of the plane x = 0 above the middle twice if it has the slit.
fn bar(has_slit: bool) -> TetMesh {
    let mut mesh = box_tets(Vec3::from(SIZE), CELLS, CellStyle::Alternating);
    if !has_slit {
        return mesh;
    }
    let whole = mesh.nodes.clone();
    let twin = whole.iter().map(|x| {
        let is_double = x.x.abs() < 1e-9 && x.y > 1e-9;
        is_double.then(|| {
            mesh.nodes.push(*x);
            mesh.nodes.len() as u32 - 1
        })
    });
    let twin: Vec<Option<u32>> = twin.collect();
    for t in 0..mesh.tets.len() {
        let middle = mesh.corners(t).iter().sum::<Vec3>() / 4.0;
        for n in mesh.tets[t].iter_mut().filter(|_| middle.x > 0.0) {
            *n = twin[*n as usize].unwrap_or(*n);
        }
    }
    mesh
}

/// The node that rests at a place (m).
fn node_at(body: &AdaptiveModel, place: Vec3) -> usize {
    let nodes = &body.asset().levels[0].mesh.nodes;
    let node = nodes.iter().position(|x| (x - place).norm() < 1e-9);
    node.expect("a node")
}

/// A force (N) on the free end.
fn pull_at_end(body: &AdaptiveModel, force: Vec3) -> BoundaryConditions {
    pulled(body, force, |x| x.x > 0.5 * SIZE[0] - 1e-9)
}

/// Increase of the distance between the top nodes beside the slit under a pull at the end, m.
fn opening(body: &mut AdaptiveModel) -> f64 {
    let pull = pull_at_end(body, Vec3::x() * 20.0);
    frames(body, &pull, 120);
    let cell = SIZE[0] / CELLS[0] as f64;
    let moved = |x: f64| {
        let node = node_at(body, Vec3::new(x, 0.5 * SIZE[1], 0.0));
        body.level_positions()[node].x - x
    };
    assert!(body.level_velocities().iter().all(|v| v.norm() < 1e-4));
    moved(cell) - moved(-cell)
}

/// The bar, held at its other end.
fn body_with(slit: bool) -> AdaptiveModel {
    let held = left_of(-0.5 * SIZE[0] + 1e-3);
    let geometry = body_of([bar(slit)], cube_material(0.7), Some(held));
    damped(&baked(&geometry))
}

#[test]
fn half_a_cut_opens_like_a_slit_in_the_mesh() {
    let whole = opening(&mut body_with(false));
    let slit = *SLIT_OPENING;
    let cell = SIZE[1] / CELLS[1] as f64;
    // through a plane of nodes: the cut ends at the last nodes that the blade has passed
    let mut half = body_with(false);
    cut(&mut half, &[sweep_down(0.0, 0.2, -0.5 * cell)]);
    assert_eq!(pieces(&half), 1);
    let through_nodes = opening(&mut half);
    // between nodes: half a cell beside the slit
    let mut half = body_with(false);
    cut(&mut half, &[sweep_down(0.4 * cell, 0.2, -0.5 * cell)]);
    let between = opening(&mut half);
    assert!(slit > 5.0 * whole, "{slit} {whole}");
    assert!(
        (through_nodes / slit - 1.0).abs() < 0.05,
        "{through_nodes} {slit}"
    );
    // the end of the cut is resolved to half a cell, a twelfth of the depth
    assert!((between / slit - 1.0).abs() < 0.1, "{between} {slit}");
}

/// Frame `k` of `count` in which an alternating axial force acts on the bar while a blade goes down.
fn shaken_frame(body: &mut AdaptiveModel, k: usize, count: usize) {
    let way = 0.06 + 0.5 * SIZE[1] / CELLS[1] as f64;
    let height = |k: usize| 0.06 - way * k as f64 / count as f64;
    let force = if k % 6 < 3 { 20.0 } else { -20.0 };
    let shake = pull_at_end(body, Vec3::x() * force);
    body.set_blades(&[sweep_down(0.0, height(k), height(k + 1))])
        .expect("it can be cut");
    frame(body, &shake);
}

#[test]
fn nodes_that_oscillate_about_the_plane_of_a_blade_keep_their_side() {
    let slit = *SLIT_OPENING;
    let mut half = body_with(false);
    let top = node_at(&half, Vec3::new(0.0, 0.5 * SIZE[1], 0.0));
    let is_left = |k| {
        shaken_frame(&mut half, k, 120);
        half.level_positions()[top].x < 0.0
    };
    let left = (0..120).map(is_left).filter(|left| *left).count();
    assert!(
        (20..=100).contains(&left),
        "it has to tremble: {left} of 120"
    );
    assert_eq!(pieces(&half), 1, "no crumbs");
    let opening = opening(&mut half);
    assert!((opening / slit - 1.0).abs() < 0.05, "{opening} {slit}");
}

#[test]
fn snapshots_contain_the_sides_of_nodes() {
    let mut body = body_with(false);
    (0..12).for_each(|k| shaken_frame(&mut body, k, 30));
    let mut again = body_with(false);
    again.restore(&body.snapshot()).expect("the same body");
    for body in [&mut body, &mut again] {
        (12..30).for_each(|k| shaken_frame(body, k, 30));
    }
    assert_eq!(again.cut_edges(), body.cut_edges());
    assert_eq!(again.level_positions(), body.level_positions());
}
