//! Laws of the linearised lattice and of the fit.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::bake::fit::operator::{COMPONENTS, LOADS, MultiVector, Operator, Workspace};
use crate::bake::stiffness_weights::update_mean_weights;
use crate::testing::bodies::{
    Random, asset_of, baked, body_of, goals_of, grid_of, same_on_threads, shapes,
};
use crate::testing::stiffness::compliance_of_end;
use crate::{LatticeAsset, LatticeParams};

/// A block of cells of 0.05 m held at its foot, with tetrahedra half as large to compare with.
fn held_block(cells: [usize; 3]) -> BodyGeometry {
    let mut geometry = body_of(grid_of(cells, |_| true), 0.02);
    let size = Vec3::from(cells.map(|n| n as f64)) * 0.05;
    // twice as fine across walls, as fine along
    let fine = cells.map(|n| if n >= 8 { n } else { 2 * n });
    geometry.levels = vec![Arc::new(box_tets(size, fine, CellStyle::Alternating))];
    geometry.material.elastic.poisson = 0.0;
    geometry
}

fn fitted(geometry: &BodyGeometry) -> LatticeAsset {
    baked(geometry, &LatticeParams::with_half_width(1))
}

/// `α/h²` of a lattice whose stiffest part has the weight one.
fn rate(asset: &LatticeAsset, young: f64) -> f64 {
    let w = asset.half_width as f64;
    3.0 * young * asset.stiffest / (1000.0 * asset.cell.powi(2) * w * (w + 1.0))
}

/// Work of a push along `axis` on the upper end over that of `stiffness` (N/m).
fn compliance(asset: &LatticeAsset, young: f64, axis: Vec3, stiffness: f64) -> f64 {
    let free: Vec<bool> = asset.held_particles().iter().map(|held| !held).collect();
    compliance_of_end(asset, 1, &axis, &free) / rate(asset, young) * stiffness
}

#[test]
fn energy_is_a_sum_over_regions_whose_slope_is_the_pull_to_the_goals() {
    for (name, grid) in shapes() {
        for w in [1, 2] {
            let mut asset = asset_of(&grid, w);
            let mut random = Random(5);
            let factors: Vec<f64> = (0..asset.region_count())
                .map(|_| 0.6 + 0.4 * random.next())
                .collect();
            let operator = Operator::new(&asset, 7.0);
            let u: Vec<MultiVector> = (0..asset.particle_count())
                .map(|_| std::array::from_fn(|_| random.next()))
                .collect();
            let mut forces = u.clone();
            let mut work = Workspace::new(&asset);
            let means = operator.mean(&factors);
            operator.apply((&factors, &means), &u, &mut work, &mut forces);
            // a quadratic energy is half of what its forces do
            let by_forces: f64 = u
                .iter()
                .zip(&forces)
                .flat_map(|(u, f)| u.iter().zip(f).map(|(u, f)| 0.5 * u * f))
                .sum();
            let energies = operator.energies(&u, &mut work);
            let by_regions: f64 = energies
                .iter()
                .zip(&factors)
                .zip(&asset.multiplicity)
                .map(|((e, s), k)| e.iter().sum::<f64>() * s * f64::from(*k))
                .sum();
            assert!(
                (by_regions / by_forces - 1.0).abs() < 1e-9,
                "{name} w={w}: {by_regions} {by_forces}"
            );
            // the goals of a step, at small displacements
            let small = 1e-7;
            let x: Vec<Vec3> = (0..u.len())
                .map(|p| asset.rest[p] + Vec3::new(u[p][0], u[p][1], u[p][2]) * small)
                .collect();
            asset.stiffness_weights = factors;
            update_mean_weights(&mut asset);
            let goals = goals_of(&asset, &x, &Vec3::zeros());
            for (p, (force, goal)) in forces.iter().zip(goals).enumerate() {
                let pull = (x[p] * asset.pull_of(p) - goal) * (7.0 * asset.mass[p] / small);
                let force = Vec3::new(force[0], force[1], force[2]);
                assert!(
                    (pull - force).norm() < 1e-5 * 7.0 * asset.mass[p],
                    "{name} w={w} {p}: {pull} {force}"
                );
            }
        }
    }
}

#[test]
fn two_cells_across_bend_as_a_beam_does() {
    let geometry = held_block([2, 24, 2]);
    let young = geometry.material.elastic.young;
    let (side, length) = (0.1_f64, 1.2_f64);
    let (area, inertia) = (side * side, side.powi(4) / 12.0);
    let shear = young / 2.0 * area * 5.0 / 6.0;
    let beam = 1.0 / (length.powi(3) / (3.0 * young * inertia) + length / shear);
    let plain = {
        let mut geometry = geometry.clone();
        geometry.levels.clear();
        fitted(&geometry)
    };
    assert!(plain.stiffness_weights.is_empty());
    let before = compliance(&plain, young, Vec3::x(), beam);
    assert!((before - 0.64).abs() < 0.02, "{before}");
    let after = compliance(&fitted(&geometry), young, Vec3::x(), beam);
    // 0.92: the same factors have to serve pushes that dent the bar and that stretch it, which ask for none
    assert!((after - 1.0).abs() < 0.1, "{after}");
}

#[test]
fn the_harmonic_mean_of_the_factors_tells_how_soft_a_bar_becomes_in_tension() {
    let geometry = held_block([2, 24, 2]);
    let young = geometry.material.elastic.young;
    let stretched = young * 0.1 * 0.1 / 1.2;
    let asset = fitted(&geometry);
    let mut plain = asset.clone();
    (plain.stiffness_weights, plain.pull, plain.stiffest) = (Vec::new(), Vec::new(), 1.0);
    let [before, after] =
        [&plain, &asset].map(|asset| compliance(asset, young, Vec3::y(), stretched));
    let told = asset.fitted_stiffness().expect("fitted");
    // the ends give way more than the middle
    assert!(
        (before / after / told - 1.0).abs() < 0.1,
        "{before} {after} {told}"
    );
    assert!(told < 0.9, "{told}");
}

#[test]
fn a_thick_block_keeps_its_stiffness() {
    let asset = fitted(&held_block([8, 8, 8]));
    let [least, most] = asset.fitted.expect("a fit");
    assert!(least > 0.95 && most <= 1.0, "{least} {most}");
    // and costs nothing
    assert!(asset.stiffness_weights.is_empty() && asset.stiffest == 1.0);
}

#[test]
fn one_thread_and_two_find_the_same_bits() {
    let geometry = held_block([3, 12, 2]);
    let asset = same_on_threads("block", &[2], || fitted(&geometry));
    assert!(!asset.stiffness_weights.is_empty());
}

#[test]
fn what_nothing_holds_is_left_as_it_is() {
    let mut geometry = held_block([3, 3, 3]);
    geometry.supports.clear();
    assert!(fitted(&geometry).stiffness_weights.is_empty());
    assert_eq!(LOADS * 3, COMPONENTS);
}
