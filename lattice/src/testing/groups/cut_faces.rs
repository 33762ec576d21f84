//! Bodies of a group rest on faces that a blade has cut.

use std::sync::Arc;

use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::contact::cutting::{BladeEdge, BladeSweep};
use pliant_core::inspect::Inspect;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact, PartedSurface, SteppedModel};
use pliant_core::scene::Selection;

use crate::fracture::Fracture;
use crate::testing::bodies::{grid_of, model_of, same_on_threads, shift};
use crate::testing::groups::bodies::{goes_on, params, run};
use crate::{LatticeModel, LatticeParams, Precision};

/// m
const CELL: f64 = 0.05;
/// Edges of skins, cells: contact points are some of their vertices.
const SKIN_EDGES_PER_CELL: usize = 4;
/// Height of the blade over the middle of the block, m.
const BLADE_HEIGHT: f64 = 0.02;
/// Where the cube lands, from the axis of the block, m: points of both bodies do not lie on each other.
const CUBE_OFFSET: Vec3 = Vec3::new(0.012, 0.0, 0.007);
/// How far above a face the cube begins to fall, m.
const DROP_HEIGHT: f64 = 0.001;
/// Half an edge of the cube, m.
const HALF_EDGE: f64 = 1.5 * CELL;
/// Weight of the cube, N.
const WEIGHT: f64 = 27.0 / 8.0 * 9.81;

/// A block of `cells` that a blade may cut, with a fine skin; it is held at its foot if it `stands`.
pub(super) fn block(cells: [usize; 3], stands: bool, params: &LatticeParams) -> LatticeModel {
    let grid = grid_of(cells, |_| true);
    let size = Vec3::from(cells.map(|n| n as f64)) * CELL;
    let skin = box_surface(
        size,
        cells.map(|n| n * SKIN_EDGES_PER_CELL),
        CellStyle::Kuhn,
    );
    let body = BodyGeometry {
        voxels: Some(Arc::new(grid)),
        ..BodyGeometry::new(Arc::new(skin), Material::default())
    };
    let body = match stands {
        true => body.held_at("foot", Selection::Lowest(0.05)),
        false => body,
    };
    model_of(&body, params)
}

/// Parameters of bodies that blades may cut.
pub(super) fn cuttable(precision: Precision) -> LatticeParams {
    params(precision, 0.3).breaking(Fracture::BY_BLADES_ALONE)
}

/// A block of 5 by `height` by 5 cells that stands about the origin, and a cube of 3 cells far beside it.
pub(super) fn pair(height: usize, precision: Precision) -> BodyGroup<LatticeModel> {
    let params = cuttable(precision);
    let bodies = vec![
        block([5, height, 5], true, &params),
        block([3; 3], false, &params),
    ];
    let homes = vec![Pose::at(Vec3::zeros()), Pose::at(Vec3::new(3.0, 0.0, 0.0))];
    BodyGroup::new(bodies, homes, GroupOptions::default())
}

/// Puts the cube above a face at this height, m.
fn place_cube(group: &mut BodyGroup<LatticeModel>, face: f64) {
    let up = Vec3::new(-3.0, face + HALF_EDGE + DROP_HEIGHT, 0.0);
    shift(&mut group.models_mut()[1], |_| up + CUBE_OFFSET);
    group.touch_up();
}

/// Takes a frame without gravity in which blades pass bodies at these places along x, m, across.
pub(super) fn slice(group: &mut BodyGroup<LatticeModel>, places: &[f64]) {
    let edge = |x: f64| {
        let ends = [-1.0, 1.0].map(|z| Vec3::new(x, BLADE_HEIGHT, z));
        BladeEdge::new(ends, -Vec3::x())
    };
    let sweep = |x: &f64| BladeSweep::new(edge(x - 0.5), edge(x + 0.5));
    let sweeps: Vec<BladeSweep> = places.iter().map(sweep).collect();
    group.set_blades(&sweeps).expect("lattices can be cut");
    run(group, 1, 0.0);
}

/// A block that a blade has cut across, without its upper half, and the cube above the face.
fn cube_on_cut_face(precision: Precision) -> BodyGroup<LatticeModel> {
    let mut group = pair(6, precision);
    slice(&mut group, &[0.0]);
    let block = &mut group.models_mut()[0];
    let asset = Arc::clone(block.asset());
    assert_eq!(asset.component_count(), 2);
    // the first particle is at the foot; the other half falls beside the block
    let away = |p: usize| match asset.component[p] {
        0 => Vec3::zeros(),
        _ => Vec3::new(-3.0, 0.0, 0.0),
    };
    shift(block, away);
    place_cube(&mut group, BLADE_HEIGHT);
    group
}

/// The cube above the upper side of a block that is whole.
fn cube_on_skin(precision: Precision) -> BodyGroup<LatticeModel> {
    let mut group = pair(3, precision);
    place_cube(&mut group, HALF_EDGE);
    group
}

/// Mean height now of the part of the block's standing piece that was at a height at rest and lies below the cube, m.
fn height_of_face(model: &LatticeModel, height: f64) -> f64 {
    let whole = || PartedSurface {
        surface: SurfaceMesh::clone(model.surface()),
        rows: model.embedding().clone(),
        pieces: vec![0; model.surface().vertex_count()],
    };
    let parts = model.parted_surface().unwrap_or_else(whole);
    let below = |v: &usize| {
        let x = parts.surface.positions[*v];
        let off = x - CUBE_OFFSET;
        let is_beside = off.x.abs().max(off.z.abs()) > HALF_EDGE;
        parts.pieces[*v] == 0 && (x.y - height).abs() < 0.02 * CELL && !is_beside
    };
    let face = (0..parts.pieces.len()).filter(below);
    let heights = face.map(|v| parts.rows.interpolate(v, model.positions()).y);
    mean(heights)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    assert!(all.len() >= 9, "{}", all.len());
    all.iter().sum::<f64>() / all.len() as f64
}

/// Mean height of the lowest particles of the cube, m.
fn height_of_cube(cube: &LatticeModel) -> f64 {
    let sites = cube.asset().sites.iter().zip(cube.positions());
    mean(sites.filter(|(site, _)| site[1] == 0).map(|(_, x)| x.y))
}

/// What is seen of the cube at rest.
struct Rest {
    /// deepest violation of the last half second, m
    violation: f64,
    /// of the cube over the face, m
    gap: f64,
    /// on the cube, upwards, of the last half second, N
    force: f64,
}

/// Lets the cube come to rest on a face that was at this height at rest.
fn at_rest(group: &mut BodyGroup<LatticeModel>, face: f64) -> Rest {
    run(group, 60, 9.81);
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let (mut violation, mut force) = (0.0_f64, 0.0);
    for _ in 0..30 {
        let request = FrameRequest::new(1.0 / 60.0, &boundary);
        let report = group.advance(request).expect("stable");
        violation = violation.max(report.max_violation);
        force += group.force_between(1, 0).y / 30.0;
    }
    let [block, cube] = group.models() else {
        panic!("two bodies");
    };
    Rest {
        violation,
        gap: height_of_cube(cube) - height_of_face(block, face),
        force,
    }
}

#[test]
fn a_body_rests_on_a_cut_face_as_on_skin() {
    for precision in [Precision::Double, Precision::Single] {
        let skin = at_rest(&mut cube_on_skin(precision), HALF_EDGE);
        let cut = at_rest(&mut cube_on_cut_face(precision), BLADE_HEIGHT);
        for (name, rest) in [("skin", skin), ("cut", cut)] {
            let Rest {
                violation,
                gap,
                force,
            } = rest;
            let what = format!("{name} {precision:?}: {violation} m, {gap} m, {force} N");
            assert!(violation < 0.05 * CELL, "{what}");
            assert!(gap.abs() < 0.1 * CELL, "{what}");
            assert!((force / WEIGHT - 1.0).abs() < 0.1, "{what}");
        }
    }
}

#[test]
fn a_cut_face_is_restored_and_the_same_for_any_number_of_threads() {
    for precision in [Precision::Double, Precision::Single] {
        let (middle, end) = same_on_threads("cube", &[4], || {
            let mut group = cube_on_cut_face(precision);
            run(&mut group, 20, 9.81);
            assert!(group.contact_counts().rows > 0, "it lies on the face");
            (group.snapshot(), goes_on(&mut group, 9.81))
        });
        // a group that was never cut
        let mut other = pair(6, precision);
        other.restore(&middle).expect("the same bodies");
        run(&mut other, 20, 9.81);
        assert!(other.snapshot() == end, "{precision:?}: restored");
        // and back to whole bodies
        other.reset();
        let points = |group: &BodyGroup<LatticeModel>| group.stats().counter("contact_points");
        assert_eq!(points(&other), points(&pair(6, precision)));
    }
}
