//! Conservation of mass, momenta and energy by cuts, and step sizes after them.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, LodHierarchy};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;

use super::skin::assert_closed;
use super::{
    Random, ball_asset, block_asset, cut, cuttable, damped_block, frames, halved, pieces,
    sweep_across, sweep_down,
};
use crate::bodies::{GRAVITY, bent, frame};

/// Mass, momentum and angular momentum, by the masses with which the steps are computed.
fn mass_and_momenta(model: &mut AdaptiveModel) -> (f64, Vec3, Vec3) {
    let dynamics = model.dynamics_mut();
    let mut sums = (0.0, Vec3::zeros(), Vec3::zeros());
    let moving = dynamics.positions.iter().zip(&dynamics.velocities);
    for ((x, v), m) in moving.zip(&dynamics.masses) {
        sums.0 += m;
        sums.1 += v * *m;
        sums.2 += x.cross(v) * *m;
    }
    sums
}

fn short_frame(model: &mut AdaptiveModel) {
    let boundary = BoundaryConditions::default();
    model
        .advance(FrameRequest::new(2e-3, &boundary))
        .expect("advances");
}

/// Elastic and kinetic energy, J.
fn energies(model: &mut AdaptiveModel) -> (f64, f64) {
    (
        model.elastic_energy(),
        model.dynamics_mut().kinetic_energy(),
    )
}

#[test]
fn random_cuts_of_a_block_conserve_mass_momenta_and_energy() {
    assert_random_cuts_conserve("block", &block_asset([6, 4, 4], None));
}

#[test]
fn random_cuts_of_a_ball_conserve_mass_momenta_and_energy() {
    assert_random_cuts_conserve("ball", &ball_asset(6));
}

fn assert_random_cuts_conserve(name: &str, asset: &Arc<LodHierarchy>) {
    let mut body = cuttable(asset);
    let rest = body.level_nodes().to_vec();
    let x: Vec<Vec3> = rest.iter().map(|x| x + (bent(x) - x) * 0.5).collect();
    let v: Vec<Vec3> = rest
        .iter()
        .map(|x| Vec3::new(0.4 * x.y, 0.7 * x.z - 0.2 * x.x, x.x * 0.5))
        .collect();
    body.set_state(&x, &v);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut shown = SurfaceFrame::default();
    let mut total = 0;
    for k in 0..100 {
        // the same frame with and without the cut at its end: the difference is the cut
        let state = [
            body.level_positions().to_vec(),
            body.level_velocities().to_vec(),
        ];
        let before = body.snapshot();
        short_frame(&mut body);
        let (then_mass, then_momentum, then_angular) = mass_and_momenta(&mut body);
        let then = energies(&mut body);
        body.restore(&before).expect("the same body");
        assert!(body.level_positions() == state[0] && body.level_velocities() == state[1]);
        let edges = body.cut_edges().len();
        body.set_blades(&[random.sweep(0.3)])
            .expect("it can be cut");
        short_frame(&mut body);
        total += body.cut_edges().len() - edges;
        let (mass, momentum, angular) = mass_and_momenta(&mut body);
        assert!((mass / then_mass - 1.0).abs() < 1e-12, "{name} {k}");
        let off = (momentum - then_momentum).norm();
        assert!(off < 1e-12 * mass, "{name} {k}: {off}");
        let off = (angular - then_angular).norm();
        assert!(off < 1e-12 * mass, "{name} {k}: {off}");
        let (elastic, kinetic) = energies(&mut body);
        // round-off of strains and of sums
        let scale = 1e-10 * (then.0 + then.1);
        assert!(
            (elastic - then.0).abs() < scale,
            "{name} {k}: {elastic} {then:?}"
        );
        assert!(
            (kinetic - then.1).abs() < scale,
            "{name} {k}: {kinetic} {then:?}"
        );
        body.write_surface(&mut shown);
        let finite = |x: &[f32; 3]| x.iter().all(|c| c.is_finite());
        assert!(
            shown.positions.iter().chain(&shown.normals).all(finite),
            "{name} {k}"
        );
        if let Some(cut) = &shown.cut {
            assert_closed(cut, name);
            let count = cut.surface.vertex_count();
            assert_eq!(cut.frame.positions.len(), count);
            assert_eq!(cut.copied.len(), count - asset.skin.vertex_count());
            assert!(
                cut.frame
                    .positions
                    .iter()
                    .chain(&cut.frame.normals)
                    .all(finite)
            );
            assert!(
                cut.surface
                    .positions
                    .iter()
                    .all(|x| x.iter().all(|c| c.is_finite()))
            );
            assert!(
                cut.surface
                    .triangles
                    .iter()
                    .flatten()
                    .all(|v| (*v as usize) < count)
            );
        }
    }
    assert!(
        total > 500 && pieces(&body) > 4,
        "{name}: {total} {}",
        pieces(&body)
    );
}

#[test]
fn cuts_need_no_shorter_steps() {
    for asset in [block_asset([10, 6, 6], None), ball_asset(8)] {
        let mut body = cuttable(&asset);
        let before = frame(&mut body, &BoundaryConditions::default()).substeps;
        let mut random = Random(77);
        for _ in 0..20 {
            cut(&mut body, &[random.sweep(0.3)]);
        }
        // thin slices beside planes of nodes
        cut(
            &mut body,
            &[
                sweep_down(1e-6, 0.3, -0.3),
                sweep_down(0.04 - 1e-7, 0.3, -0.3),
            ],
        );
        let after = frame(&mut body, &BoundaryConditions::default()).substeps;
        assert_eq!(after, before);
    }
}

#[test]
fn a_cut_body_keeps_its_energy_while_it_moves() {
    let mut body = cuttable(&block_asset([10, 6, 6], None));
    let rest = body.level_nodes().to_vec();
    let still = vec![Vec3::zeros(); rest.len()];
    let bent: Vec<Vec3> = rest
        .iter()
        .map(|x| x + Vec3::new(0.0, 0.8 * x.x * x.x, 0.0))
        .collect();
    body.set_state(&bent, &still);
    let mut random = Random(5);
    let (mut total, mut dissipated) = (None, 0.0);
    for k in 0..40 {
        if k < 20 {
            body.set_blades(&[random.sweep(0.3)]).expect("a blade");
        }
        let report = frame(&mut body, &BoundaryConditions::default());
        let energy = report.energy.expect("an account");
        // cut faces have friction, and pieces collide
        let sum = energy.kinetic + energy.elastic + energy.dissipated;
        let first = *total.get_or_insert(sum);
        let (gain, lost) = (sum / first - 1.0, energy.dissipated / first);
        assert!(
            gain < 0.003 && gain > -0.01 * (1.0 + lost),
            "{k}: {energy:?} {first}"
        );
        assert!(
            energy.dissipated > dissipated - 1e-3 * first,
            "{k}: {energy:?}"
        );
        dissipated = energy.dissipated;
    }
    assert!(pieces(&body) > 1);
}

#[test]
fn drag_does_not_hold_a_piece_that_comes_off() {
    let standing = damped_block(0.5, Some(Selection::Lowest(0.01)));
    let mut body = halved(standing, sweep_across(-0.06, 1.0, -1.0));
    let up = BoundaryConditions::with_gravity(-GRAVITY);
    frames(&mut body, &up, 30);
    let speed = body
        .level_velocities()
        .iter()
        .map(|v| v.y)
        .fold(0.0, f64::max);
    assert!((speed / (9.81 * 0.5) - 1.0).abs() < 0.02, "{speed}");
}
