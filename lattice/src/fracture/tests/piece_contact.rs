//! Pieces that touch each other.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::fracture::limits::Fracture;
use crate::testing::bodies::{
    body_of, energy_after, grid_of, links_across, model_of, momenta, run, shift, undamped,
};
use crate::{LatticeModel, LatticeParams, Precision};

/// m
const CELL: f64 = 0.05;

/// Parameters of a body whose links break only where they are told to.
pub(super) fn tough(precision: Precision) -> LatticeParams {
    let limits = Fracture {
        toughness: 10.0,
        ..Fracture::default()
    };
    let params = undamped(1, 0.5, 8).in_precision(precision);
    params.breaking(limits)
}

/// Breaks all links between columns `at` and `at + 1` of an axis; the pieces are below and above.
fn cut(model: &mut LatticeModel, axis: usize, at: u16) {
    let links = links_across(model.asset(), axis, at);
    assert_eq!(model.break_links(&links), links.len());
}

/// Particles up to column `at` of an axis, and those beyond.
fn halves(model: &LatticeModel, axis: usize, at: u16) -> [Vec<usize>; 2] {
    let below = |p: &usize| model.asset().sites[*p][axis] <= at;
    let (low, high) = (0..model.positions().len()).partition(below);
    [low, high]
}

fn ends(model: &LatticeModel, particles: &[usize], axis: usize) -> [f64; 2] {
    let along = particles.iter().map(|&p| model.positions()[p][axis]);
    along.fold([f64::INFINITY, f64::NEG_INFINITY], |e, x| {
        [e[0].min(x), e[1].max(x)]
    })
}

#[test]
fn a_piece_that_falls_on_the_rest_is_carried() {
    for precision in [Precision::Double, Precision::Single] {
        let params = tough(precision).damped(0.3);
        let mut model = model_of(&body_of(grid_of([4, 8, 4], |_| true), 0.05), &params);
        cut(&mut model, 1, 5);
        assert_eq!(model.asset().component_count(), 2);
        let [rest, piece] = halves(&model, 1, 5);
        // it is lifted and let go, a little askew
        let way = Vec3::new(0.2 * CELL, 1.5 * CELL, 0.1 * CELL);
        shift(&mut model, |p| {
            way * f64::from(u8::from(piece.contains(&p)))
        });
        let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
        run(&mut model, 240, &gravity).expect("stable");
        let (carrier, carried) = (ends(&model, &rest, 1), ends(&model, &piece, 1));
        let apart = (carried[0] - carrier[1]) / CELL;
        assert!((0.7..1.1).contains(&apart), "{precision:?} {apart} cells");
        let fastest = piece.iter().map(|&p| model.velocities()[p].norm());
        let fastest = fastest.fold(0.0, f64::max);
        assert!(fastest < 0.01, "{precision:?} {fastest} m/s");
        let weight = 9.81 * model.asset().mass.iter().sum::<f64>();
        let support: Vec3 = model.support_reactions().iter().sum();
        let share = support.y / weight;
        assert!((share - 1.0).abs() < 0.02, "{precision:?} {share}");
    }
}

#[test]
fn pieces_that_collide_keep_momentum_and_do_not_pass_through() {
    let mut model = model_of(
        &body_of(grid_of([8, 4, 4], |_| true), -1.0),
        &tough(Precision::Double),
    );
    cut(&mut model, 0, 3);
    let [left, right] = halves(&model, 0, 3);
    let mut x = model.positions().to_vec();
    let mut v = vec![Vec3::x() * 1.5; x.len()];
    for &p in &right {
        x[p] += Vec3::new(2.0 * CELL, 0.6 * CELL, 0.3 * CELL);
        v[p] = Vec3::x() * -2.0;
    }
    model.set_state(&x, &v);
    let before = momenta(&model);
    let scale: f64 = 2.0 * model.asset().mass.iter().sum::<f64>();
    let (mut nearest, mut energies) = (f64::INFINITY, Vec::new());
    for _ in 0..40 {
        let e = energy_after(&mut model, 1);
        energies.push([e.kinetic + e.elastic, e.dissipated]);
        nearest = nearest.min(ends(&model, &right, 0)[0] - ends(&model, &left, 0)[1]);
        for (now, before) in momenta(&model).iter().zip(before) {
            let off = (now - before).norm();
            assert!(off < 1e-9 * scale, "{off}");
        }
    }
    // faces bulge towards each other in the blow, and balls meet in the hollows between balls
    assert!(nearest > 0.1 * CELL, "{nearest}");
    assert!(nearest < 1.1 * CELL, "they meet: {nearest}");
    let mean = |piece: &[usize]| -> f64 {
        piece.iter().map(|&p| model.velocities()[p].x).sum::<f64>() / piece.len() as f64
    };
    assert!(mean(&right) >= mean(&left) - 1e-3, "they part or stay");
    let (first, last) = (energies[0], energies[39]);
    assert!(last[1] > 0.0 && last[0] < first[0]);
    let balance = (last[0] + last[1]) / (first[0] + first[1]);
    assert!((balance - 1.0).abs() < 0.05, "{balance}");
}

/// Links between columns 3 and 4 along y of the columns from `from` on along x.
fn slit(model: &LatticeModel, from: std::ops::Range<u16>) -> Vec<[u32; 2]> {
    let asset = model.asset();
    let column = |p: u32| asset.sites[p as usize][0];
    let mut links = links_across(asset, 1, 3);
    // a link belongs to the column of its lower end, so that none is named twice
    links.retain(|[p, _]| from.contains(&column(*p)));
    links
}

/// Smallest distance along y, in cells, of particles that a vertical link joined.
fn smallest_opening(model: &LatticeModel) -> f64 {
    let asset = model.asset();
    let vertical = model.broken_links().iter().filter(|[p, q]| {
        let [a, b] = [p, q].map(|p| asset.sites[*p as usize]);
        (a[0], a[2]) == (b[0], b[2])
    });
    let x = model.positions();
    let openings = vertical.map(|[p, q]| (x[*q as usize].y - x[*p as usize].y).abs() / CELL);
    openings.fold(f64::INFINITY, f64::min)
}

#[test]
fn lips_of_a_cut_that_goes_on_carry_what_is_above_them() {
    for precision in [Precision::Double, Precision::Single] {
        let params = tough(precision).damped(0.3).with(|p| p.alpha = Some(0.1));
        let mut model = model_of(&body_of(grid_of([10, 8, 4], |_| true), 0.05), &params);
        let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
        let rest = model.positions().to_vec();
        // a column in ten frames, until nothing connects the upper part any more
        for column in 0..11 {
            let links = slit(&model, column..column + 1);
            assert_eq!(model.break_links(&links), links.len());
            run(&mut model, 10, &gravity).expect("stable");
            let opening = smallest_opening(&model);
            assert!(opening > 0.8, "{precision:?} {column} {opening} cells");
        }
        assert_eq!(model.asset().component_count(), 2);
        run(&mut model, 120, &gravity).expect("stable");
        let top = |x: &[Vec3]| x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        let sunk = (top(&rest) - top(model.positions())) / CELL;
        assert!(sunk < 1.5, "{precision:?} {sunk} cells");
    }
}

#[test]
fn lips_that_meet_keep_momentum_and_the_account_of_energy() {
    let mut model = model_of(
        &body_of(grid_of([10, 8, 4], |_| true), -1.0),
        &tough(Precision::Double),
    );
    let links = slit(&model, 0..8);
    assert_eq!(model.break_links(&links), links.len());
    assert_eq!(model.asset().component_count(), 1);
    // it folds about the end of the slit
    let close = |x: &Vec3| Vec3::new(0.0, -4.0 * x.y.signum() * (0.2 - x.x).max(0.0), 0.0);
    let v: Vec<Vec3> = model.asset().rest.iter().map(close).collect();
    let x = model.positions().to_vec();
    model.set_state(&x, &v);
    let before = momenta(&model);
    // rotations of regions that turn fast are exact to about 1e-6
    let scale: f64 = model.asset().mass.iter().sum();
    let mut energies = Vec::new();
    for _ in 0..40 {
        let e = energy_after(&mut model, 1);
        energies.push([e.kinetic + e.elastic, e.dissipated]);
        let opening = smallest_opening(&model);
        assert!(opening > 0.6, "{opening} cells");
        for (now, before) in momenta(&model).iter().zip(before) {
            let off = (now - before).norm();
            assert!(off < 2e-5 * scale, "{off}");
        }
    }
    let (first, last) = (energies[0], energies[39]);
    let balance = (last[0] + last[1]) / (first[0] + first[1]);
    assert!((balance - 1.0).abs() < 0.05, "{balance}");
}

#[test]
fn lips_that_lie_inside_each_other_are_separated_the_right_way() {
    let params = tough(Precision::Double).damped(0.3);
    let mut model = model_of(&body_of(grid_of([10, 8, 4], |_| true), -1.0), &params);
    let links = slit(&model, 0..8);
    model.break_links(&links);
    // the upper lip lies a fifth of a cell below the lower one, farthest from the end of the slit
    let asset = std::sync::Arc::clone(model.asset());
    let overlap = |p: usize| {
        let share = (0.25 - asset.rest[p].x).max(0.0) / 0.5;
        let side = if asset.sites[p][1] > 3 { -1.0 } else { 1.0 };
        Vec3::y() * (side * 0.6 * CELL * share)
    };
    shift(&mut model, overlap);
    run(&mut model, 240, &BoundaryConditions::default()).expect("stable");
    for [p, q] in model.broken_links() {
        let [p, q] = [p, q].map(|p| *p as usize);
        let opening = (model.positions()[q] - model.positions()[p]).y / CELL;
        assert!(opening > 0.9, "{opening} cells");
    }
}
