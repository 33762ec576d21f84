//! Rest under load against the assembled small-strain stiffness.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::CellShare;
use pliant_core::model::DeformableModel;

use crate::LatticeParams;
use crate::testing::bodies::{
    asset_of, body_of, constrained, grid_of, model_of, run, undamped, vertices,
};
use crate::testing::stiffness::{Stiffness, compliance_of_end};

/// Deflection of a bar of 24 cells under a load at its end over that of Timoshenko's beam.
fn compliance(side: usize, w: usize) -> f64 {
    let mut asset = asset_of(&grid_of([24, side, side], |_| true), w);
    let (d, length) = (asset.cell, 24.0 * asset.cell);
    // volume shares of unit density
    for (p, site) in asset.sites.clone().iter().enumerate() {
        let last = asset.dims.map(|n| n - 1);
        let share = |k: usize| {
            if site[k] == 0 || usize::from(site[k]) == last[k] {
                0.5
            } else {
                1.0
            }
        };
        asset.mass[p] = d.powi(3) * share(0) * share(1) * share(2);
    }
    asset.share_masses();
    let young = d * d * (w * (w + 1)) as f64 / 3.0;
    let free: Vec<bool> = asset.sites.iter().map(|s| s[0] > 0).collect();
    let tip = compliance_of_end(&asset, 0, &Vec3::y(), &free);
    let thick = side as f64 * d;
    let (area, inertia) = (thick * thick, thick.powi(4) / 12.0);
    let shear = young / 2.0 * area * 5.0 / 6.0;
    tip / (length.powi(3) / (3.0 * young * inertia) + length / shear)
}

/// Compliance of a strip 24 cells long and 4 wide, `thick` cells thick from the height `low` (cells) on, over that of a beam: bent, and pulled.
fn strip(low: f64, thick: f64) -> [f64; 2] {
    let part = |j: usize| -> [f64; 2] {
        let (a, b) = (
            (low - j as f64).clamp(0.0, 1.0),
            (low + thick - j as f64).clamp(0.0, 1.0),
        );
        let above = 0.5 * (b * b - a * a);
        [b - a - above, above]
    };
    let full = |j: usize| part(j).iter().sum::<f64>();
    let mut grid = grid_of([24, 5, 4], |c| full(c[1]) > 0.0);
    for cell in grid.kept_cells().collect::<Vec<_>>() {
        let index = grid.index(cell[0], cell[1], cell[2]);
        // one empty layer lies around the cells
        let shares = part(cell[1] - 1);
        if shares.iter().sum::<f64>() < 1.0 {
            grid.shares.push(CellShare {
                cell: index as u32,
                copy: 0,
                corners: std::array::from_fn(|b| 0.25 * shares[b >> 1 & 1]),
            });
        }
    }
    let (sites, block) = crate::bake::particles::find(&grid).expect("particles");
    let shares = crate::bake::assemble::volume_shares(&grid, &sites, &block);
    let mut asset = asset_of(&grid, 1);
    let d = asset.cell;
    asset.mass = shares.iter().map(|s| s * d.powi(3)).collect();
    asset.share_masses();
    let free: Vec<bool> = asset.sites.iter().map(|s| s[0] > 0).collect();
    let (young, length) = (d * d * 2.0 / 3.0, 24.0 * d);
    let (area, inertia) = (4.0 * thick * d * d, 4.0 * thick.powi(3) * d.powi(4) / 12.0);
    [
        (Vec3::y(), length.powi(3) / (3.0 * young * inertia)),
        (Vec3::x(), length / (young * area)),
    ]
    .map(|(way, beam)| compliance_of_end(&asset, 0, &way, &free) / beam)
}

#[test]
fn a_thin_strip_bends_and_stretches_alike_wherever_the_grid_lies() {
    let found: Vec<[f64; 2]> = [1.0, 1.2, 1.4, 1.6, 1.8].map(|low| strip(low, 2.0)).into();
    let [whole_bent, whole_pulled] = found[0];
    for [bent, pulled] in &found {
        // 0.64 for whole cells: masses at the corners of cells lie farther out than the material
        assert!((bent / whole_bent - 1.0).abs() < 0.01, "{found:?}");
        // 1.06: the loaded layer at the end is a little more compliant than a cross-section of the bar
        assert!((pulled / whole_pulled - 1.0).abs() < 0.01, "{found:?}");
        assert!((pulled - 1.0).abs() < 0.07, "{found:?}");
    }
    // if all cells counted as full, these would be three cells thick: more than twice as stiff
    assert!(found.iter().all(|f| f[0] > 0.5 && f[0] < 1.0), "{found:?}");
}

#[test]
fn bars_bend_as_thin_and_thick_ones_do() {
    // thin bars are too stiff, thick ones too soft; the numbers come from a separate program
    for (side, w, expected) in [
        (2, 1, 0.64),
        (2, 2, 0.66),
        (4, 1, 0.93),
        (4, 2, 1.06),
        (8, 1, 1.04),
        (8, 2, 1.25),
    ] {
        let found = compliance(side, w);
        assert!(
            (found / expected - 1.0).abs() < 0.02,
            "side {side} w={w}: {found}"
        );
    }
}

#[test]
fn a_settled_dent_is_that_of_the_assembled_stiffness() {
    let geometry = body_of(grid_of([8, 6, 8], |_| true), 0.02);
    let params = undamped(1, 0.8, 12).damped(0.6);
    let mut model = model_of(&geometry, &params);
    let depth = 1e-3 * model.asset.cell;
    let top = geometry.skin.bounds().max.y;
    let patch = |x: &Vec3| x.y > top - 1e-9 && x.x.abs() < 0.06 && x.z.abs() < 0.06;
    let held = vertices(&geometry.skin, patch).into_iter().map(|v| {
        DisplacementConstraint::held(v, geometry.skin.positions[v as usize] - Vec3::y() * depth)
    });
    run(&mut model, 400, &constrained(held)).expect("stable");
    let force: f64 = model.reactions().iter().map(|f| -f.y).sum();
    let asset = &*model.asset;
    let pressed = |p: usize| patch(&asset.rest_position(p));
    let free: Vec<bool> = (0..asset.particle_count())
        .map(|p| !model.is_held(p) && !pressed(p))
        .collect();
    let mut u: Vec<Vec3> = (0..asset.particle_count())
        .map(|p| Vec3::y() * if pressed(p) { -depth } else { 0.0 })
        .collect();
    let mut stiffness = Stiffness::new(asset);
    let no_load = vec![Vec3::zeros(); u.len()];
    stiffness.solve(&no_load, &free, &mut u);
    let forces = stiffness.forces(&u);
    let sum: f64 = (0..u.len())
        .filter(|&p| pressed(p))
        .map(|p| -forces[p].y)
        .sum();
    let expected = sum * 0.8 * (60.0 * 12.0_f64).powi(2);
    assert!(
        expected > 0.0 && (force / expected - 1.0).abs() < 0.01,
        "{force} {expected}"
    );
}

#[test]
fn halving_the_step_keeps_the_modulus() {
    let geometry = body_of(grid_of([3, 12, 3], |_| true), 0.02);
    let sag = |steps: u32| {
        let params = LatticeParams::with_half_width(1)
            .damped(0.8)
            .with(|p| p.steps = Some(steps));
        let mut model = model_of(&geometry, &params);
        let gravity = BoundaryConditions::with_gravity(-Vec3::y());
        run(&mut model, 300, &gravity);
        let top = |x: &[Vec3]| x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        top(&model.x) - top(&model.asset.rest) - model.asset.center.y
    };
    let (coarse, fine) = (sag(6), sag(12));
    assert!(
        coarse < 0.0 && (coarse / fine - 1.0).abs() < 0.005,
        "{coarse} {fine}"
    );
}
