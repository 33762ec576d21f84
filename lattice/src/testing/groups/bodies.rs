//! Bodies that touch each other, tools and themselves.

use std::sync::Arc;

use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::{BoundaryConditions, Friction};
use pliant_core::contact::{Pose, Tool};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact, StateSnapshot};

use crate::testing::bodies::{
    baked, body_of, grid_of, kinetic_energy, momenta, same_on_threads, u_bar, undamped,
};
use crate::{LatticeModel, LatticeParams, Precision};

const FRAME: f64 = 1.0 / 60.0;
/// m
const CELL: f64 = 0.05;

pub(crate) fn params(precision: Precision, zeta: f64) -> LatticeParams {
    undamped(1, 0.5, 12).damped(zeta).in_precision(precision)
}

/// free cubes of 3 cells, 27 kg/8, at the given places
fn cubes(at: &[Vec3], params: &LatticeParams, options: GroupOptions) -> BodyGroup<LatticeModel> {
    let geometry = body_of(grid_of([3; 3], |_| true), -1.0);
    let asset = Arc::new(baked(&geometry, params));
    let model = |_| LatticeModel::new(Arc::clone(&asset), params).expect("a model");
    let models = at.iter().map(model).collect();
    BodyGroup::new(models, at.iter().map(|x| Pose::at(*x)).collect(), options)
}

pub(crate) fn floor() -> Tool {
    Tool::floor(Vec3::y(), Friction::coulomb(0.5))
}

/// Some frames; how many steps the last one had.
pub(crate) fn run(group: &mut BodyGroup<LatticeModel>, frames: usize, gravity: f64) -> u32 {
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -gravity, 0.0));
    let mut steps = 0;
    for _ in 0..frames {
        steps = group
            .advance(FrameRequest::new(FRAME, &boundary))
            .expect("stable")
            .substeps;
    }
    steps
}

/// The state of a group after 20 frames; checks that a restored group reaches it again.
pub(crate) fn goes_on(group: &mut BodyGroup<LatticeModel>, gravity: f64) -> StateSnapshot {
    let middle = group.snapshot();
    run(group, 20, gravity);
    let end = group.snapshot();
    group.restore(&middle).expect("its own");
    run(group, 20, gravity);
    assert!(group.snapshot() == end, "restored");
    end
}

fn momentum(group: &BodyGroup<LatticeModel>) -> [Vec3; 2] {
    let each = group.models().iter().map(momenta);
    each.fold([Vec3::zeros(); 2], |sum, own| {
        [sum[0] + own[0], sum[1] + own[1]]
    })
}

/// Mean place of the particles of a body.
pub(crate) fn center(model: &LatticeModel) -> Vec3 {
    model.positions().iter().sum::<Vec3>() / model.positions().len() as f64
}

fn kinetic(group: &BodyGroup<LatticeModel>) -> f64 {
    group.models().iter().map(kinetic_energy).sum()
}

pub(crate) fn throw(group: &mut BodyGroup<LatticeModel>, velocities: &[Vec3]) {
    for (model, v) in group.models_mut().iter_mut().zip(velocities) {
        let x = model.positions().to_vec();
        let v = vec![*v; x.len()];
        model.set_state(&x, &v);
    }
    group.touch_up();
}

/// height of the lowest particle of each body
fn lowest(group: &BodyGroup<LatticeModel>) -> Vec<f64> {
    let low = |m: &LatticeModel| {
        m.positions()
            .iter()
            .map(|x| x.y)
            .fold(f64::INFINITY, f64::min)
    };
    group.models().iter().map(low).collect()
}

#[test]
fn colliding_bodies_keep_momentum_and_part() {
    let at = [Vec3::new(-0.12, 0.0, 0.0), Vec3::new(0.12, 0.06, 0.03)];
    let mut group = cubes(
        &at,
        &params(Precision::Double, 0.0),
        GroupOptions::default(),
    );
    throw(&mut group, &[Vec3::x() * 2.0, Vec3::x() * -2.0]);
    let [linear, angular] = momentum(&group);
    let energy = kinetic(&group);
    let scale = 27.0 / 8.0 * 4.0;
    let mut touched = 0;
    for _ in 0..60 {
        run(&mut group, 1, 0.0);
        touched += usize::from(group.force_between(0, 1).norm() > 0.0);
        let now = momentum(&group);
        assert!(
            (now[0] - linear).norm() < 1e-9 * scale,
            "{:?}",
            now[0] - linear
        );
        assert!(kinetic(&group) <= energy * 1.0001);
    }
    assert!(touched > 0);
    let now = momentum(&group);
    // friction acts at the two ends of the gap: its moment is the gap's
    assert!(
        (now[1] - angular).norm() < 2e-3 * scale,
        "{:?}",
        now[1] - angular
    );
    let centers: Vec<Vec3> = group.models().iter().map(center).collect();
    assert!(centers[1].x - centers[0].x > 0.2, "{centers:?}");
}

#[test]
fn a_stack_comes_to_rest_and_carries_its_weight() {
    for precision in [Precision::Double, Precision::Single] {
        let at: Vec<Vec3> = (0..3)
            .map(|k| {
                let k = f64::from(k);
                Vec3::new(0.01 * (k * 2.0).sin(), 0.077 + 0.155 * k, 0.01 * k.cos())
            })
            .collect();
        let awake = GroupOptions {
            sleeping: false,
            ..GroupOptions::default()
        };
        let mut group = cubes(&at, &params(precision, 0.3), awake);
        group.set_tools(&[floor()]);
        run(&mut group, 400, 9.81);
        let before: Vec<Vec3> = group
            .models()
            .iter()
            .flat_map(|m| m.positions().to_vec())
            .collect();
        let mut jitter = 0.0_f64;
        for _ in 0..60 {
            run(&mut group, 1, 9.81);
            let now = group.models().iter().flat_map(|m| m.positions());
            for (x, y) in now.zip(&before) {
                jitter = jitter.max((x - y).norm());
            }
        }
        assert!(jitter < 1e-4 * CELL, "{jitter}");
        let weight = 27.0 / 8.0 * 9.81;
        let carried = -group.wrenches()[0].force.y;
        assert!((carried / (3.0 * weight) - 1.0).abs() < 1e-2, "{carried}");
        for k in 0..2 {
            let force = group.force_between(k + 1, k).y;
            let expected = (2 - k) as f64 * weight;
            assert!(
                (force / expected - 1.0).abs() < 2e-2,
                "{k} {force} {expected}"
            );
        }
        let low = lowest(&group);
        assert!(low[0].abs() < 0.02 * CELL, "{low:?}");
        for k in 1..3 {
            assert!(
                low[k] > low[k - 1] + 2.2 * CELL && low[k] < low[k - 1] + 3.1 * CELL,
                "{low:?}"
            );
        }
    }
}

/// One step a frame hands an impulse on by one region only; what lies on top must not sink into what was stopped below.
#[test]
fn a_fast_pile_of_few_steps_does_not_sink() {
    let few = LatticeParams {
        half_width: Some(2),
        alpha: Some(1.0),
        steps: Some(1),
        ..params(Precision::Double, 0.3)
    };
    let at: Vec<Vec3> = (0..5)
        .map(|k| Vec3::new(0.0, 0.3 + 0.17 * f64::from(k), 0.0))
        .collect();
    let mut group = cubes(&at, &few, GroupOptions::default());
    group.set_tools(&[floor()]);
    throw(&mut group, &[Vec3::y() * -4.0; 5]);
    run(&mut group, 120, 9.81);
    let centers: Vec<Vec3> = group.models().iter().map(center).collect();
    for (k, a) in centers.iter().enumerate() {
        assert!(a.y > 1.0 * CELL, "{centers:?}");
        for b in &centers[..k] {
            assert!((a - b).norm() > 2.2 * CELL, "{centers:?}");
        }
    }
}

/// How far the inner faces of two prongs thrown at each other pass through each other, cells; momentum is zero throughout.
fn overlap_of_prongs(with_itself: bool) -> f64 {
    let params = params(Precision::Double, 0.05).with(|p| p.steps = Some(6));
    let geometry = body_of(u_bar(2), -1.0);
    let asset = Arc::new(baked(&geometry, &params));
    let model = LatticeModel::new(Arc::clone(&asset), &params).expect("a model");
    let options = GroupOptions {
        with_itself,
        ..GroupOptions::default()
    };
    let mut group = BodyGroup::new(vec![model], Vec::new(), options);
    let x: Vec<Vec3> = group.models()[0].positions().to_vec();
    let first = asset.sites.iter().map(|s| s[0]).min().unwrap_or(0);
    // prongs are two cells wide with a gap of two; their tips are at low z
    let side = |p: usize| match asset.sites[p][0] - first {
        0..=2 => 1.0,
        4..=6 => -1.0,
        _ => 0.0,
    };
    let low = x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let tip = |p: usize| x[p].z < low + 3.5 * CELL;
    let v = (0..x.len()).map(|p| Vec3::x() * if tip(p) { 1.5 * side(p) } else { 0.0 });
    let v: Vec<Vec3> = v.collect();
    group.models_mut()[0].set_state(&x, &v);
    group.touch_up();
    let inner = |column: u16| -> Vec<usize> {
        let here = |p: &usize| asset.sites[*p][0] - first == column && tip(*p);
        (0..x.len()).filter(here).collect()
    };
    let (left, right) = (inner(2), inner(4));
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..60 {
        run(&mut group, 1, 0.0);
        assert!(momentum(&group)[0].norm() < 1e-9 * 100.0);
        let now = group.models()[0].positions();
        let over = left.iter().zip(&right).map(|(&a, &b)| now[a].x - now[b].x);
        worst = over.fold(worst, f64::max);
    }
    worst / CELL
}

#[test]
fn a_body_touches_itself() {
    assert!(overlap_of_prongs(false) > 0.5, "they would meet");
    let over = overlap_of_prongs(true);
    assert!(over < 0.1, "{over}");
    assert!(over > -0.5, "and they do: {over}");
}

#[test]
fn piles_are_the_same_for_any_number_of_threads() {
    let at: Vec<Vec3> = (0..8)
        .map(|k| {
            let t = f64::from(k);
            Vec3::new(0.05 * (t * 2.0).sin(), 0.1 + 0.2 * t, 0.05 * t.cos())
        })
        .collect();
    for energy_accounting in [true, false] {
        let params = LatticeParams {
            energy_accounting: Some(energy_accounting),
            ..params(Precision::Single, 0.3)
        };
        same_on_threads("pile", &[2, 8], || {
            let mut group = cubes(&at, &params, GroupOptions::default());
            group.set_tools(&[floor()]);
            run(&mut group, 100, 9.81);
            goes_on(&mut group, 9.81)
        });
    }
}
