//! Bodies of a group that blades cut, or that break.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, LodHierarchy, Precision};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::CellStyle;
use pliant_core::model::{
    DeformableModel, FrameReport, OwnContact, PartedSurface, SnapshotMismatch, SteppedModel,
};
use pliant_core::scene::Selection;

use crate::blades::{cuttable, damped, in_piece_of, pieces, sweep_across, sweep_down};
use crate::bodies::{baked, block, counter, kinetic_energy, on_threads, weight};
use crate::fracture::hanging::{hanging, has_parted, strong};
use crate::group::failed_body::explode;
use crate::group::levels::{CELL, SIDE, all_momenta, center, cube, floor, free, group, model, run};

/// kg/m³
const DENSITY: f64 = 1000.0;
/// Penetration that the tests allow, m.
const MAX_VIOLATION: f64 = 0.05 * CELL;

/// A block of cells of [`CELL`] that can be cut and is strongly damped; it is held at its foot if it `stands`.
fn damped_block(cells: [usize; 3], stands: bool) -> AdaptiveModel {
    let size = Vec3::from(cells.map(|n| n as f64)) * CELL;
    let material = Material::isotropic(1e5, 0.3)
        .with_density(DENSITY)
        .with_damping_ratio(0.3);
    let support = stands.then_some(Selection::Lowest(0.05));
    damped(&baked(&block(size, &[cells], material, support)))
}

/// A frame in which these blades cut.
fn cut(
    group: &mut BodyGroup<AdaptiveModel>,
    sweeps: &[BladeSweep],
    boundary: &BoundaryConditions,
) -> FrameReport {
    group.set_blades(sweeps).expect("it can be cut");
    run(group, 1, boundary)
}

/// Kinetic and elastic energy of all bodies, J.
fn energy(group: &BodyGroup<AdaptiveModel>) -> f64 {
    let of = |body: &AdaptiveModel| kinetic_energy(body) + body.elastic_energy();
    group.models().iter().map(of).sum()
}

#[test]
fn bodies_that_can_be_cut_move_with_the_same_bits_as_others_while_they_are_whole() {
    let asset = cube(DENSITY, 0.1);
    let at = [Vec3::new(0.0, 0.076, 0.0), Vec3::new(0.02, 0.24, -0.01)];
    let fall = |with_blades: bool| {
        let body = |_| match with_blades {
            true => damped(&asset),
            false => model(&asset, Precision::default()),
        };
        let mut group = group((0..2).map(body).collect(), &at, GroupOptions::default());
        group.set_tools(&[floor(Vec3::y(), 0.5)]);
        for _ in 0..40 {
            if with_blades {
                // beside the bodies
                let beside = [sweep_down(1.0, 0.3, -0.3)];
                group.set_blades(&beside).expect("it can be cut");
            }
            run(&mut group, 1, &weight());
        }
        let state = |m: &AdaptiveModel| [m.level_positions(), m.level_velocities()].concat();
        group.models().iter().map(state).collect::<Vec<_>>()
    };
    assert!(fall(true) == fall(false));
}

/// Two undamped bodies, one of them stretched, that are about to run into each other.
fn before_impact(kinds: &[Arc<LodHierarchy>; 2]) -> BodyGroup<AdaptiveModel> {
    let at = [Vec3::new(-0.12, 0.0, 0.0), Vec3::new(0.12, 0.06, 0.03)];
    let mut group = group(kinds.iter().map(cuttable).collect(), &at, free());
    let states = [(1.5, 1.03), (-2.5, 1.0)];
    for (body, (speed, stretch)) in group.models_mut().iter_mut().zip(states) {
        let middle = center(body);
        let stretched = |x: &Vec3| middle + (x - middle) * stretch;
        let x: Vec<Vec3> = body.level_positions().iter().map(stretched).collect();
        body.set_state(&x, &vec![Vec3::x() * speed; x.len()]);
    }
    group.touch_up();
    group
}

#[test]
fn a_cut_changes_neither_momentum_nor_energy_and_its_pieces_collide_as_bodies_do() {
    let kinds = [cube(DENSITY, 0.0), cube(300.0, 0.0)];
    let boundary = BoundaryConditions::default();
    let mut whole = before_impact(&kinds);
    let mut group = before_impact(&kinds);
    let before = all_momenta(&group);
    run(&mut whole, 1, &boundary);
    // through the middle of the first body, across the way of both
    let first = cut(&mut group, &[sweep_down(-0.1, 1.0, -1.0)], &boundary);
    assert_eq!([0, 1].map(|k| pieces(&group.models()[k])), [2, 1]);
    let scale = before.0.norm();
    let [uncut, now] = [&whole, &group].map(all_momenta);
    assert!((now.0 - uncut.0).norm() < 1e-12 * scale, "{now:?}");
    assert!((now.1 - uncut.1).norm() < 1e-12 * scale, "{now:?}");
    let (uncut, start) = (energy(&whole), energy(&group));
    assert!((start / uncut - 1.0).abs() < 1e-9, "{start} {uncut}");
    let first = first.energy.expect("an account");
    let (mut touched, mut most, mut open) = (0, 0.0_f64, 0.0_f64);
    for _ in 0..60 {
        let report = run(&mut group, 1, &boundary);
        touched += usize::from(group.force_between(0, 1).norm() > 0.0);
        let off = (all_momenta(&group).0 - before.0).norm();
        assert!(off < 1e-9 * scale, "{off}");
        let energy = report.energy.expect("an account");
        most = most.max(energy.kinetic + energy.elastic);
        open = open.max((energy.balance() - first.balance()).abs());
    }
    assert!(touched > 1, "they met in {touched} frames");
    assert!(most < 1.01 * start, "{most} {start}");
    assert!(open < 2e-2 * start, "{open} of {start}");
    let [left, right] = group.models() else {
        panic!("two bodies");
    };
    assert!(center(right).x - center(left).x > 0.2);
}

/// What is seen of a body at rest on another one.
struct Rest {
    /// deepest violation of the last half second, m
    violation: f64,
    /// of the lower on the upper body, mean over the last half second, N
    force: Vec3,
}

/// Lets body 1 come to rest on body 0.
fn come_to_rest(group: &mut BodyGroup<AdaptiveModel>) -> Rest {
    run(group, 60, &weight());
    let (mut violation, mut force) = (0.0_f64, Vec3::zeros());
    for _ in 0..30 {
        violation = violation.max(run(group, 1, &weight()).max_violation);
        force += group.force_between(1, 0) / 30.0;
    }
    Rest { violation, force }
}

/// A standing block and a cube above its face at height `face` (m). If it is cut, the part above the face is gone.
fn cube_above(face: f64, is_cut: bool) -> BodyGroup<AdaptiveModel> {
    let height = if is_cut { 6 } else { 3 };
    let bodies = vec![
        damped_block([5, height, 5], true),
        damped_block([3; 3], false),
    ];
    let at = [Vec3::zeros(), Vec3::x() * 3.0];
    let mut group = group(bodies, &at, GroupOptions::default());
    if is_cut {
        let across = [sweep_across(face, 1.0, -1.0)];
        cut(&mut group, &across, &BoundaryConditions::default());
        let body = &mut group.models_mut()[0];
        assert_eq!(pieces(body), 2);
        // it falls beside the block
        let is_above = in_piece_of(body, |x| x.y > 0.149);
        let move_aside = |(x, is): (&Vec3, bool)| if is { x - Vec3::x() * 3.0 } else { *x };
        let nodes = body.level_positions().iter().zip(is_above);
        let x: Vec<Vec3> = nodes.map(move_aside).collect();
        body.set_state(&x, &vec![Vec3::zeros(); x.len()]);
    }
    let upper = &mut group.models_mut()[1];
    // points of both bodies do not lie on each other
    let to = Vec3::new(0.012 - 3.0, face + 0.5 * SIDE + 0.001, 0.007);
    let x: Vec<Vec3> = upper.level_positions().iter().map(|x| x + to).collect();
    upper.set_state(&x, &vec![Vec3::zeros(); x.len()]);
    group.touch_up();
    group
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    assert!(all.len() >= 9, "{}", all.len());
    all.iter().sum::<f64>() / all.len() as f64
}

/// Mean height now of what was at height `face` at rest in the standing part of a block, below the cube, m.
fn height_of_face(body: &AdaptiveModel, face: f64) -> f64 {
    let whole = || PartedSurface {
        surface: SurfaceMesh::clone(body.surface()),
        rows: body.embedding().clone(),
        pieces: vec![0; body.surface().vertex_count()],
    };
    let parts = body.parted_surface().unwrap_or_else(whole);
    let rest = &parts.surface.positions;
    let all = 0..rest.len();
    let lowest = all.clone().min_by(|a, b| rest[*a].y.total_cmp(&rest[*b].y));
    let standing = parts.pieces[lowest.expect("a vertex")];
    let is_below = |v: &usize| {
        let (x, z) = (rest[*v].x - 0.012, rest[*v].z - 0.007);
        let is_at_face = (rest[*v].y - face).abs() < 0.02 * CELL;
        parts.pieces[*v] == standing && is_at_face && x.abs().max(z.abs()) < 0.5 * SIDE
    };
    let x = body.level_positions();
    mean(all.filter(is_below).map(|v| parts.rows.interpolate(v, x).y))
}

#[test]
fn a_body_rests_on_a_cut_face_as_on_skin() {
    for (face, is_cut) in [(0.075, false), (0.02, true)] {
        let mut group = cube_above(face, is_cut);
        let rest = come_to_rest(&mut group);
        let [block, upper] = group.models() else {
            panic!("two bodies");
        };
        let nodes = upper.level_nodes().iter().zip(upper.level_positions());
        let lowest = nodes.filter(|(rest, _)| rest.y < -0.5 * SIDE + 1e-6);
        let gap = mean(lowest.map(|(_, x)| x.y)) - height_of_face(block, face);
        let share = rest.force.y / (DENSITY * SIDE.powi(3) * 9.81);
        let what = format!("{is_cut}: {} m, {gap} m, {share}", rest.violation);
        assert!(rest.violation < MAX_VIOLATION, "{what}");
        assert!(gap.abs() < 0.1 * CELL, "{what}");
        assert!((share - 1.0).abs() < 0.1, "{what}");
    }
}

#[test]
fn both_pieces_of_a_cut_body_rest_on_another_body_as_the_whole_one_does() {
    let heights = [false, true].map(|is_cut| {
        let bodies = vec![
            damped_block([8, 2, 5], true),
            damped_block([6, 2, 3], false),
        ];
        let at = [Vec3::zeros(), Vec3::new(0.0, 0.101, 0.01)];
        let mut group = group(bodies, &at, GroupOptions::default());
        if is_cut {
            // the blade stops between both bodies
            let down = [sweep_down(0.012, 0.3, 0.0505)];
            cut(&mut group, &down, &BoundaryConditions::default());
            assert_eq!([0, 1].map(|k| pieces(&group.models()[k])), [1, 2]);
        }
        let rest = come_to_rest(&mut group);
        let share = rest.force.y / (DENSITY * 36.0 * CELL.powi(3) * 9.81);
        assert!((share - 1.0).abs() < 0.05, "{is_cut}: {share}");
        assert!(rest.violation < MAX_VIOLATION, "{}", rest.violation);
        let upper = &group.models()[1];
        let nodes = || upper.level_nodes().iter().zip(upper.level_positions());
        let on = |side: f64| nodes().filter(move |(rest, _)| rest.x * side > 0.1);
        [-1.0, 1.0].map(|side| mean(on(side).map(|(_, x)| x.y)))
    });
    let [whole, cut] = heights;
    for (one, other) in whole.iter().zip(cut) {
        assert!((one - other).abs() < MAX_VIOLATION, "{heights:?}");
    }
}

#[test]
fn a_restored_group_is_cut_to_the_same_bits_by_any_number_of_threads() {
    let kinds = [cube(DENSITY, 0.3), cube(300.0, 0.3)];
    let both = || {
        let at = [Vec3::new(0.0, 0.076, 0.0), Vec3::new(0.02, 0.235, -0.01)];
        let bodies = kinds.iter().map(damped).collect();
        let mut group = group(bodies, &at, GroupOptions::default());
        group.set_tools(&[floor(Vec3::y(), 0.5)]);
        group
    };
    // a blade goes down through both
    let go_on = |group: &mut BodyGroup<AdaptiveModel>, frames: std::ops::Range<u32>| {
        let height = |k: u32| 0.33 - 0.03 * f64::from(k);
        for k in frames {
            let down = [sweep_down(0.005, height(k), height(k + 1))];
            cut(group, &down, &weight());
        }
    };
    let cut_on = |threads: usize| {
        on_threads(threads, || {
            let mut group = both();
            let first = group.snapshot();
            go_on(&mut group, 0..6);
            let middle = group.snapshot();
            let has_begun = !group.models()[1].cut_edges().is_empty();
            assert!(has_begun && pieces(&group.models()[0]) == 1);
            go_on(&mut group, 6..20);
            let last = group.snapshot();
            assert!(group.models().iter().all(|body| pieces(body) > 1));
            // one that was cut further, and one that was never cut
            for mut other in [group, both()] {
                other.restore(&middle).expect("the same bodies");
                assert!(other.snapshot() == middle, "not the same at once");
                go_on(&mut other, 6..20);
                assert!(other.snapshot() == last, "from the middle");
                other.restore(&first).expect("the same bodies");
                go_on(&mut other, 0..20);
                assert!(other.snapshot() == last, "from the beginning");
            }
            last
        })
    };
    assert!(cut_on(2) == cut_on(1));
}

#[test]
fn a_body_is_cut_also_where_another_one_fails_which_is_not() {
    let asset = cube(DENSITY, 0.2);
    let at = [Vec3::zeros(), Vec3::x() * 2.0];
    let bodies = (0..2).map(|_| damped(&asset)).collect();
    let mut group = group(bodies, &at, free());
    run(&mut group, 2, &weight());
    explode(&mut group, 1);
    let down = [0.005, 2.005].map(|x| sweep_down(x, 1.0, -1.0));
    cut(&mut group, &down, &weight());
    assert_eq!([0, 1].map(|k| pieces(&group.models()[k])), [2, 1]);
    run(&mut group, 10, &weight());
    let frozen: Vec<u32> = group.frozen().iter().map(|f| f.body).collect();
    assert_eq!(frozen, [1]);
    // made whole again, both fall
    group.reset();
    run(&mut group, 10, &weight());
    assert_eq!([0, 1].map(|k| pieces(&group.models()[k])), [1, 1]);
    assert!(group.frozen().is_empty());
    assert!(group.models().iter().all(|body| center(body).y < -0.1));
}

#[test]
fn a_snapshot_that_fits_some_bodies_only_is_refused_and_frames_go_on() {
    let asset = cube(DENSITY, 0.2);
    let at = [Vec3::zeros(), Vec3::x() * 2.0];
    let bodies = (0..2).map(|_| damped(&asset)).collect();
    let mut group = group(bodies, &at, free());
    let mut whole = group.snapshot();
    let down = [0.005, 2.005].map(|x| sweep_down(x, 1.0, -1.0));
    cut(&mut group, &down, &weight());
    let count = |group: &BodyGroup<AdaptiveModel>| [0, 1].map(|k| pieces(&group.models()[k]));
    assert_eq!(count(&group), [2, 2]);
    // without the second body
    let first = whole.values[2] as usize;
    whole.values.truncate(3 + first);
    assert_eq!(group.restore(&whole), Err(SnapshotMismatch));
    assert_eq!(count(&group), [1, 2]);
    run(&mut group, 2, &weight());
    assert_eq!(count(&group), [1, 2]);
}

#[test]
fn the_contact_work_of_a_group_is_that_of_all_its_bodies() {
    let bodies = (0..2).map(|_| damped_block([3, 6, 3], true)).collect();
    let mut group = group(bodies, &[Vec3::zeros(), Vec3::x() * 3.0], free());
    // across the second body, then across the first one: the upper parts stay on the lower ones
    for (from, to, cut_bodies) in [(4.0, 2.0, [false, true]), (1.0, -1.0, [true, true])] {
        cut(&mut group, &[sweep_across(0.02, from, to)], &weight());
        run(&mut group, 3, &weight());
        let each = [0, 1].map(|k| counter(&group.models()[k], "contact_work"));
        assert_eq!(each.map(|work| work > 0.0), cut_bodies, "{each:?}");
        assert_eq!(counter(&group, "contact_work"), each[0] + each[1]);
    }
}

#[test]
fn a_bar_of_a_group_breaks_where_it_is_too_weak_for_its_weight() {
    let bar = hanging(2, CellStyle::Kuhn, strong(3.0));
    let mut group = group(vec![bar], &[Vec3::zeros()], free());
    let parts = (0..60).any(|_| {
        run(&mut group, 1, &weight());
        has_parted(&group.models()[0])
    });
    assert!(parts, "{:?}", group.models()[0].cut_edges());
}
