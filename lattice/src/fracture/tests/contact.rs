//! Tools touch the pieces of a broken body one by one.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::validate::topology;
use pliant_core::model::{DeformableModel, SteppedModel};

use crate::LatticeModel;
use crate::fracture::Fracture;
use crate::testing::bodies::{
    body_of, constrained, grid_of, links_across, model_of, release, run, undamped,
};

/// What moves the second half of [`halves`] from where it is at rest.
fn moved(x: &Vec3) -> Vec3 {
    nalgebra::Rotation3::new(Vec3::new(0.4, 0.0, 0.2)) * x + Vec3::new(2.0, 0.0, 0.0)
}

/// A bar in two halves that are 2 m apart, one of them turned, and its skin, whose vertices lie inside of cells.
fn halves() -> LatticeModel {
    let mut geometry = body_of(grid_of([6, 3, 3], |_| true), -1.0);
    let skin = Arc::make_mut(&mut geometry.skin);
    for x in &mut skin.positions {
        *x *= 0.9;
    }
    let params = undamped(1, 0.5, 4).breaking(Fracture::default());
    let mut body = model_of(&geometry, &params);
    let links = links_across(body.asset(), 0, 3);
    body.break_links(&links);
    assert_eq!(body.asset().component_count(), 2);
    let asset = body.asset();
    let place = |p: usize| match asset.component[p] {
        0 => asset.rest_position(p),
        _ => moved(&asset.rest_position(p)),
    };
    let x: Vec<Vec3> = (0..asset.particle_count()).map(place).collect();
    release(&mut body, &x);
    // regions find their rotations
    run(&mut body, 4, &BoundaryConditions::default());
    body
}

/// Momentum of each of the two pieces, kg·m/s.
fn momenta(body: &LatticeModel) -> [Vec3; 2] {
    let asset = body.asset();
    let mut sums = [Vec3::zeros(); 2];
    for (p, v) in body.velocities().iter().enumerate() {
        sums[asset.component[p] as usize] += v * asset.mass[p];
    }
    sums
}

#[test]
fn a_push_moves_the_piece_that_it_meets_and_no_other() {
    let mut body = halves();
    let state = body.snapshot();
    let mut surface = SurfaceFrame::default();
    body.write_surface(&mut surface);
    let push = Vec3::new(0.001, 0.002, -0.001);
    let duration = 1.0 / 60.0;
    let mut near_the_cut = 0;
    for vertex in 0..body.surface().vertex_count() {
        let was = surface.position(vertex);
        let held = DisplacementConstraint::held(vertex as u32, was + push);
        let boundary = constrained([held.moving(push / duration)]);
        body.restore(&state).expect("the same body");
        let before = momenta(&body);
        run(&mut body, 1, &boundary).expect("a frame");
        let moved: Vec<f64> = momenta(&body)
            .iter()
            .zip(before)
            .map(|(now, then)| (now - then).norm())
            .collect();
        let (least, most) = (moved[0].min(moved[1]), moved[0].max(moved[1]));
        assert!(least < 1e-6 * most, "vertex {vertex} moves both: {moved:?}");
        let mut now = SurfaceFrame::default();
        body.write_surface(&mut now);
        let off = (now.position(vertex) - was - push).norm();
        assert!(off < 0.3 * push.norm(), "vertex {vertex} is off by {off} m");
        let speed = body
            .velocities()
            .iter()
            .map(|v| v.norm())
            .fold(0.0, f64::max);
        assert!(
            speed < 10.0 * push.norm() / duration,
            "vertex {vertex}: {speed} m/s"
        );
        let (nodes, _) = body.asset().embedding.row(vertex);
        let pieces = |p: &u32| body.asset().component[*p as usize];
        near_the_cut += usize::from(nodes.iter().any(|p| pieces(p) != pieces(&nodes[0])));
    }
    assert!(near_the_cut > 10, "{near_the_cut}");
}

#[test]
fn others_touch_each_piece_where_it_is_drawn_and_hold_particles_of_it_alone() {
    let body = halves();
    let parts = body.parted_surface().expect("a cut");
    let found = topology(&parts.surface);
    assert!(found.is_closed() && found.is_oriented(), "{found:?}");
    let skin = body.surface().vertex_count();
    assert!(parts.surface.vertex_count() > skin + 16, "faces of the cut");
    for (v, rest) in parts.surface.positions.iter().enumerate() {
        let (particles, weights) = parts.rows.row(v);
        let sum: f64 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "vertex {v}: {sum}");
        let piece = parts.pieces[v];
        let own = |p: &u32| body.asset().component[*p as usize] == piece;
        assert!(particles.iter().all(own), "vertex {v}");
        let expected = if piece == 0 { *rest } else { moved(rest) };
        let off = (parts.rows.interpolate(v, body.positions()) - expected).norm();
        assert!(
            off < 1e-4 * body.asset().cell,
            "vertex {v} is off by {off} m"
        );
    }
}

#[test]
fn a_restored_body_is_touched_where_the_one_was_that_broke_bit_by_bit() {
    let geometry = body_of(grid_of([6, 3, 3], |_| true), -1.0);
    let params = undamped(1, 0.5, 4).breaking(Fracture::default());
    let mut body = model_of(&geometry, &params);
    assert!(body.parted_surface().is_none() && body.parted_surface_revision() == 0);
    let links = links_across(body.asset(), 0, 3);
    let mut last_revision = 0;
    for some in links.chunks(7) {
        body.break_links(some);
        assert!(body.parted_surface_revision() > last_revision);
        last_revision = body.parted_surface_revision();
    }
    let parts = body.parted_surface().expect("a cut");
    let mut other = model_of(&geometry, &params);
    other.restore(&body.snapshot()).expect("the same body");
    assert!(other.parted_surface().as_ref() == Some(&parts));
    body.reset();
    assert!(body.parted_surface().is_none() && body.parted_surface_revision() > last_revision);
}
