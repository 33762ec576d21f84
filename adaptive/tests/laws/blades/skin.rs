//! The displayed surface of a cut body.

use std::sync::Arc;

use nalgebra::UnitQuaternion;
use pliant_adaptive::{AdaptiveModel, LodHierarchy};
use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::validate::topology;

use super::{SIZE, block_asset, cut, cuttable, frames, halved, pieces, sweep, sweep_down};
use crate::bodies::{baked, block, cube_material, shown};

fn cut_surface(body: &AdaptiveModel) -> CutSurface {
    *shown(body).cut.expect("a cut")
}

/// Asserts that the displayed surface is closed and manifold, with one index for each vertex.
pub fn assert_closed(cut: &CutSurface, what: &str) {
    let found = topology(&cut.closed());
    assert!(found.is_sound(), "{what}: {found:?}");
    assert_eq!(cut.frame.positions.len(), cut.surface.vertex_count());
    for (k, v) in cut.sharp.iter().enumerate() {
        let sharp = cut.closed_vertices() + k;
        assert_eq!(cut.frame.positions[sharp], cut.frame.positions[*v as usize]);
    }
}

#[test]
fn cut_faces_lie_in_the_plane_of_the_blade_and_close_the_skin() {
    let asset = block_asset([8, 4, 4], None);
    let turn = UnitQuaternion::from_euler_angles(0.2, 0.3, 0.35);
    for (turn, at) in [
        (UnitQuaternion::identity(), 0.013),
        (UnitQuaternion::identity(), 0.0),
        (turn, -0.021),
    ] {
        let mut body = cuttable(&asset);
        let normal = turn * Vec3::x();
        let edge = |y: f64| [-1.0, 1.0].map(|z| turn * Vec3::new(at, y, z));
        cut(&mut body, &[sweep(edge(1.0), edge(-1.0), turn * Vec3::y())]);
        assert_eq!(pieces(&body), 2);
        let cut = cut_surface(&body);
        assert_closed(&cut, "a cut");
        let surface = &cut.surface;
        let height = |v: u32| normal.dot(&surface.positions[v as usize]) - at;
        let mut areas = [0.0; 2];
        for (t, triangle) in surface.triangles.iter().enumerate() {
            let heights = triangle.map(height);
            let low = heights.iter().copied().fold(f64::MAX, f64::min);
            let high = heights.iter().copied().fold(f64::MIN, f64::max);
            // no triangle reaches through the plane; shares of edges end a millionth before their nodes
            assert!(low > -1e-6 || high < 1e-6, "{heights:?}");
            if low > -1e-6 && high < 1e-6 {
                let area = surface.area_vector(t);
                areas[usize::from(area.dot(&normal) > 0.0)] += area.norm();
            }
        }
        assert!((areas[0] - areas[1]).abs() < 1e-6, "{areas:?}");
        assert!(areas[0] > 0.039, "{areas:?}");
        assert_eq!(topology(&cut.closed()).components, 2);
        assert!(
            (surface.volume() / 0.016 - 1.0).abs() < 1e-6,
            "{}",
            surface.volume()
        );
    }
}

#[test]
fn the_skin_of_many_cuts_is_closed() {
    let mut body = cuttable(&block_asset([8, 5, 5], None));
    let mut random = super::Random(99);
    for k in 0..12 {
        cut(&mut body, &[random.sweep(0.3)]);
        let cut = cut_surface(&body);
        assert_closed(&cut, "many cuts");
        let volume = cut.surface.volume() / 0.016;
        // seams are folded where two cuts cross in one element
        assert!((volume - 1.0).abs() < 0.02, "{k}: {volume}");
    }
}

#[test]
fn half_a_cut_is_closed_at_its_end() {
    // in a block whose skin is that of its elements, and in one whose skin is finer
    for body in [
        cuttable(&block_asset([8, 4, 4], None)),
        cuttable(&finer_skin().1),
    ] {
        let mut body = body;
        for (k, bottom) in [0.06, 0.01, -0.04, -0.3].into_iter().enumerate() {
            cut(&mut body, &[sweep_down(0.012, 0.3, bottom)]);
            let cut = cut_surface(&body);
            assert_closed(&cut, "half a cut");
            // the first sweep splits elements, but no skin triangle: it leaves a closed hole without volume
            if k > 0 {
                let parts = if k < 3 { 1 } else { 2 };
                assert_eq!(topology(&cut.closed()).components, parts, "{bottom}");
            }
            assert!((cut.surface.volume() / 0.016 - 1.0).abs() < 1e-6);
        }
    }
}

/// A block whose skin is finer than its level and does not lie on it.
fn finer_skin() -> (BodyGeometry, Arc<LodHierarchy>) {
    let mut geometry = block(SIZE, &[[17, 9, 9]], cube_material(0.0), None);
    let level = block(SIZE * 0.975, &[[8, 4, 4]], cube_material(0.0), None);
    geometry.levels = vec![level.levels[0].clone()];
    let asset = baked(&geometry);
    (geometry, asset)
}

#[test]
fn both_sides_of_the_skin_move_with_their_piece() {
    let (geometry, asset) = finer_skin();
    let mut body = halved(cuttable(&asset), sweep_down(0.013, 1.0, -1.0));
    // the pieces move apart
    let level = body.moving_level().clone();
    let (piece, _) = level.components();
    let v: Vec<Vec3> = piece
        .iter()
        .map(|p| Vec3::x() * (f64::from(*p) - 0.5))
        .collect();
    let x = body.level_positions().to_vec();
    body.set_state(&x, &v);
    frames(&mut body, &BoundaryConditions::default(), 30);
    let cut = cut_surface(&body);
    for triangle in &cut.surface.triangles {
        let rest = triangle.map(|k| cut.surface.positions[k as usize]);
        let now = triangle.map(|k| cut.frame.position(k as usize));
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (length, before) = ((now[a] - now[b]).norm(), (rest[a] - rest[b]).norm());
            assert!((length - before).abs() < 1e-4, "{rest:?}");
        }
    }
    // original skin vertices move with their own side
    let whole = shown(&body);
    for (k, rest) in geometry.skin.positions.iter().enumerate() {
        let moved = whole.position(k) - rest;
        let side = if rest.x < 0.013 {
            piece[0]
        } else {
            1 - piece[0]
        };
        assert!(
            (moved.x - 0.5 * (f64::from(side) - 0.5)).abs() < 0.02,
            "{rest} {moved}"
        );
    }
}
