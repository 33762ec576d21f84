//! Bodies that break.

use std::sync::Arc;

use nalgebra::Rotation3;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::DeformableModel;

use crate::fracture::limits::Fracture;
use crate::testing::bodies::{
    body_of, constrained, energy_after, grid_of, links_across, model_of, momenta, release, run,
    throw, undamped, vertices,
};
use crate::{LatticeModel, LatticeParams};

fn fragile(toughness: f64) -> LatticeParams {
    undamped(1, 0.5, 4).breaking(Fracture {
        toughness,
        ..Fracture::default()
    })
}

/// A bar that flies apart from its middle.
fn torn_bar(params: &LatticeParams) -> LatticeModel {
    let geometry = body_of(grid_of([12, 3, 3], |_| true), -1.0);
    let mut model = model_of(&geometry, params);
    let speed = |x: &Vec3| Vec3::new(6.0 * x.x.signum(), 0.3 * x.z, 0.0);
    let v: Vec<Vec3> = model.asset().rest.iter().map(speed).collect();
    let x = model.positions().to_vec();
    model.set_state(&x, &v);
    model
}

#[test]
fn a_bar_is_torn_into_pieces_that_keep_momentum_and_lose_energy() {
    for precision in [crate::Precision::Double, crate::Precision::Single] {
        let params = fragile(0.2).in_precision(precision);
        let mut model = torn_bar(&params);
        let before = momenta(&model);
        let mut energies = Vec::new();
        for _ in 0..30 {
            let e = energy_after(&mut model, 1);
            energies.push([e.kinetic + e.elastic, e.dissipated]);
        }
        assert!(model.asset().component_count() >= 2, "{precision:?}");
        assert!(model.broken_links().len() >= 100);
        let scale = model.asset().mass.iter().sum::<f64>() * 6.0;
        for (now, then) in momenta(&model).iter().zip(before) {
            assert!((now - then).norm() < 1e-5 * scale, "{precision:?}");
        }
        let (first, last) = (energies[0], energies[29]);
        assert!(last[1] > 0.0 && last[0] < first[0]);
        let balance = (last[0] + last[1]) / (first[0] + first[1]);
        assert!((balance - 1.0).abs() < 0.05, "{precision:?} {balance}");
        // the two ends go their own ways
        let end = |model: &LatticeModel, p: usize| model.positions()[p].x;
        let (a, b) = (0, model.asset().particle_count() - 1);
        let apart = (end(&model, b) - end(&model, a)).abs();
        assert!(apart > 0.6 + 2.0, "{apart}");
        // back to the whole body
        model.reset();
        assert!(model.broken_links().is_empty() && model.asset().component_count() == 1);
    }
}

#[test]
fn a_squeezed_bar_breaks_only_where_shortening_counts() {
    for shortened_too in [false, true] {
        let params = undamped(1, 0.5, 4).breaking(Fracture {
            toughness: 0.2,
            shortened_too,
            ..Fracture::default()
        });
        let geometry = body_of(grid_of([6, 3, 3], |_| true), -1.0);
        let mut model = model_of(&geometry, &params);
        throw(&mut model, |x| *x, |x| x * -60.0);
        run(&mut model, 1, &BoundaryConditions::default());
        assert_eq!(model.broken_links().is_empty(), !shortened_too);
    }
}

#[test]
fn toughness_that_is_never_reached_changes_nothing() {
    let mut tough = torn_bar(&fragile(10.0));
    let mut without = torn_bar(&undamped(1, 0.5, 4));
    for model in [&mut tough, &mut without] {
        run(model, 10, &BoundaryConditions::default());
    }
    assert!(tough.positions() == without.positions());
    assert_eq!(without.break_links(&[[0, 1]]), 0);
    assert_eq!(tough.break_links(&[[0, 1], [0, 1], [0, 90]]), 1);
}

#[test]
fn a_snapshot_of_a_broken_body_goes_on_to_the_same_bits() {
    let mut model = torn_bar(&fragile(0.2));
    run(&mut model, 6, &BoundaryConditions::default());
    let snapshot = model.snapshot();
    assert!(!model.broken_links().is_empty());
    run(&mut model, 4, &BoundaryConditions::default());
    let (x, broken) = (model.positions().to_vec(), model.broken_links().to_vec());
    let mut other = torn_bar(&fragile(0.2));
    for _ in 0..2 {
        other.restore(&snapshot).expect("the same body");
        run(&mut other, 4, &BoundaryConditions::default());
        assert!(other.positions() == x && other.broken_links() == broken);
    }
    let mut unbreakable = torn_bar(&undamped(1, 0.5, 4));
    assert!(unbreakable.restore(&snapshot).is_err());
}

#[test]
fn particles_that_lose_all_links_fly_on_like_points() {
    for half_width in [1, 2] {
        let params = fragile(10.0).in_precision(crate::Precision::Single);
        let params = params.with(|p| p.half_width = Some(half_width));
        let geometry = body_of(grid_of([8, 6, 6], |_| true), -1.0);
        let mut model = model_of(&geometry, &params);
        let count = model.asset().particle_count() as u32;
        let links: Vec<[u32; 2]> = (1..count).map(|q| [0, q]).collect();
        assert_eq!(model.break_links(&links), 7, "a corner of the block");
        let rest = model.positions().to_vec();
        let v = vec![Vec3::new(0.3, -0.2, 0.1); rest.len()];
        model.set_state(&rest, &v);
        run(&mut model, 30, &BoundaryConditions::default()).expect("a report");
        for (x, from) in model.positions().iter().zip(&rest) {
            let want = from + v[0] * 0.5;
            assert!((x - want).norm() < 1e-5, "{x} {want}");
        }
    }
}

#[test]
fn no_more_links_break_in_a_frame_than_allowed() {
    let mut model = torn_bar(&undamped(1, 0.5, 4).breaking(Fracture {
        toughness: 0.05,
        max_breaks: 7,
        ..Fracture::default()
    }));
    for frame in 1..=5 {
        run(&mut model, 1, &BoundaryConditions::default());
        assert_eq!(model.broken_links().len(), 7 * frame);
    }
}

#[test]
fn a_held_body_is_torn_off() {
    let geometry = body_of(grid_of([3, 10, 3], |_| true), 0.05);
    let mut model = model_of(&geometry, &fragile(0.3));
    let top = geometry.skin.bounds().max.y;
    let held = vertices(&geometry.skin, |x| x.y > top - 1e-9);
    for frame in 1..=60 {
        let pulled = held.iter().map(|&v| {
            let way = Vec3::y() * (0.01 * f64::from(frame));
            DisplacementConstraint::held(v, geometry.skin.positions[v as usize] + way)
                .moving(Vec3::y() * 0.6)
        });
        run(&mut model, 1, &constrained(pulled));
    }
    assert!(model.asset().component_count() >= 2);
    let supported = model.supported.iter().filter(|s| **s).count();
    assert!(supported > 0 && supported < model.asset().particle_count());
}

#[test]
fn limits_out_of_range_are_refused() {
    let geometry = body_of(grid_of([2, 2, 2], |_| true), -1.0);
    let asset = Arc::clone(model_of(&geometry, &undamped(1, 0.5, 4)).asset());
    let default = Fracture::default();
    for toughness in [0.0, -1.0, f64::NAN, 11.0] {
        let params = fragile(toughness);
        let result = LatticeModel::new(Arc::clone(&asset), &params);
        assert_eq!(
            result.map(|_| ()).map_err(|e| e.code()),
            Err("BadParameter".into())
        );
    }
    let none = Fracture {
        max_breaks: 0,
        ..default
    };
    assert!(none.check().is_err() && default.check().is_ok());
}

#[test]
fn a_cut_skin_opens_with_caps_and_follows_its_pieces() {
    let geometry = body_of(grid_of([6, 2, 2], |_| true), -1.0);
    let mut model = model_of(&geometry, &fragile(10.0));
    let skin = Arc::clone(&geometry.skin);
    assert!(model.cut_surface().is_none());
    let asset = Arc::clone(model.asset());
    let broken = links_across(&asset, 0, 2);
    let (last, most) = broken.split_last().expect("links");
    assert_eq!(model.break_links(most), most.len());
    assert_eq!(model.asset().component_count(), 1);
    assert_eq!(model.break_links(&[*last]), 1);
    assert_eq!(model.asset().component_count(), 2);
    let cut = Arc::clone(model.cut_surface().expect("a cut"));
    assert_eq!(cut.positions[..skin.vertex_count()], skin.positions[..]);
    // nine links along x were cut, of which one has four cells around it and four have two; seams join the caps to the skin
    assert!(cut.triangles.len() >= skin.triangles.len() + 2 * (2 + 4 * 2) + 2 * 8);
    // at rest nothing has moved
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    let shown = frame.cut.expect("a cut");
    for (v, x) in cut.positions.iter().enumerate() {
        assert!((shown.frame.position(v) - x).norm() < 1e-6, "vertex {v}");
        match shown.skin_vertex(v) {
            Some(source) => assert_eq!(skin.positions[source], *x, "vertex {v}"),
            None => assert!(v >= skin.vertex_count(), "vertex {v} is of the skin"),
        }
    }
    // each triangle of the skin and of the caps moves rigidly with one piece; none reaches from one to the other
    let rotation = Rotation3::from_scaled_axis(Vec3::new(0.3, -0.5, 0.9));
    let moved = |x: &Vec3| rotation * x + Vec3::new(2.0, 1.0, 0.0);
    let places: Vec<Vec3> = (0..asset.particle_count())
        .map(|p| match asset.sites[p][0] < 3 {
            true => asset.rest_position(p),
            false => moved(&asset.rest_position(p)),
        })
        .collect();
    for _ in 0..3 {
        release(&mut model, &places);
    }
    let mut whole = SurfaceFrame::default();
    model.write_surface(&mut whole);
    let frame = whole.cut.expect("a cut").frame;
    let mut pieces = [0; 2];
    for triangle in &cut.triangles {
        let x = triangle.map(|v| cut.positions[v as usize]);
        let y = triangle.map(|v| frame.position(v as usize));
        let stays = x.iter().zip(&y).all(|(x, y)| (x - y).norm() < 1e-4);
        let goes = x.iter().zip(&y).all(|(x, y)| (moved(x) - y).norm() < 1e-4);
        assert!(stays != goes, "{x:?} {y:?}");
        pieces[usize::from(goes)] += 1;
    }
    assert!(pieces[0] > 40 && pieces[1] > 40, "{pieces:?}");
    model.reset();
    assert!(model.cut_surface().is_none());
}
