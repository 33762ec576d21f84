//! Goals against those of double precision; damping by all kernels; momentum.

use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;

use crate::asset::LatticeAsset;
use crate::kernels::tests::free_body::FreeBody;
use crate::kernels::{Kernel, Level};
use crate::testing::bodies::{Random, asset_of, ball, goals_of, grid_of, shapes, slit};

#[test]
fn goals_are_those_of_double_precision() {
    let mut bodies = shapes();
    bodies.push(("block", grid_of([9, 7, 8], |_| true)));
    bodies.push(("large ball", ball(7.0, 0.0)));
    bodies.push(("notched", grid_of([8, 8, 8], |c| c[0] != 3 || c[1] < 5)));
    bodies.push(("slit block", slit([14, 12, 11], 9)));
    for (name, grid, w) in bodies
        .iter()
        .flat_map(|(name, grid)| [1, 2, 3, 4, 7].map(|w| (name, grid, w)))
    {
        compare(name, grid, w);
    }
}

/// A gap that splits some cells leaves the rest of a block in its slabs.
#[test]
fn a_slit_block_is_a_block() {
    let kernel = |w| Kernel::new(&asset_of(&slit([14, 12, 11], 9), w), Level::Auto);
    let layout = &kernel(1).layout;
    assert!(!layout.is_list() && !layout.others.is_empty());
    let irregular = &kernel(1).irregular.expect("beside the slit").listed.targets;
    assert!(irregular.len() > layout.others.len() && irregular.len() < 15 * 13 * 12 / 2);
    // long windows need one particle a site
    assert!(kernel(2).layout.is_list());
}

/// Rows and columns shorter than a window, than a vector, as long as one, and a little longer.
#[test]
fn blocks_of_odd_extents_have_the_goals_of_double_precision() {
    for cells in [
        [1, 30, 19],
        [30, 1, 19],
        [15, 16, 3],
        [16, 15, 4],
        [17, 33, 2],
        [33, 8, 37],
        [7, 70, 2],
        [66, 9, 1],
    ] {
        let grid = grid_of(cells, |_| true);
        for w in [3, 5, 10] {
            compare(&format!("{cells:?}"), &grid, w);
        }
    }
    let notched = grid_of([18, 17, 9], |c| c[0] != 3 || c[1] < 5);
    compare("notched", &notched, 2);
    compare("notched", &notched, 6);
}

/// Compares goals of a bent and noisy body with those of double precision.
fn compare(name: &str, grid: &VoxelGrid, w: usize) {
    let asset = asset_of(grid, w);
    // some roundings (6e-8) of positions of up to 8 cells, more of them in longer windows
    let longest = asset.dims.iter().copied().max().unwrap_or(0) as f64;
    let bound = 1e-6 * (2.0 + w as f64 / 3.0) * (longest / 16.0).max(1.0);
    let mut expected = Vec::new();
    for level in [Level::Portable, Level::Avx2, Level::Avx512] {
        for steady in [false, true] {
            let mut body = match steady {
                false => FreeBody::new(&asset, level),
                true => FreeBody::steady(&asset, level),
            };
            let noise = std::cell::RefCell::new(Random(7));
            body.deform(|x| {
                let r = noise.borrow_mut().vector() * 0.15;
                let bend = 0.01 * x[0] * x[0] * (16.0 / longest).min(1.0);
                [x[0] + r.x - 0.2 * x[1], x[1] + bend + r.y, x[2] + r.z]
            });
            if expected.is_empty() {
                expected = offsets_in_double(&asset, &body);
            }
            for _ in 0..2 {
                body.find_goals();
            }
            let off = |(p, expected): (usize, &Vec3)| (body.offset(p) - expected).amax();
            let worst = expected.iter().enumerate().map(off).fold(0.0, f64::max);
            assert!(
                worst < bound,
                "{name} w={w} {level:?} {steady}: {worst:e} cells"
            );
        }
    }
}

/// Goal minus position of all particles, cells.
fn offsets_in_double(asset: &LatticeAsset, body: &FreeBody) -> Vec<Vec3> {
    let x: Vec<Vec3> = (0..asset.particle_count())
        .map(|p| body.position(p) * asset.cell)
        .collect();
    let goals = goals_of(asset, &x, &Vec3::zeros());
    let offset = |(goal, x): (Vec3, &Vec3)| (goal - x) / asset.cell;
    goals.into_iter().zip(&x).map(offset).collect()
}

/// A body has the same changes of velocity whichever kernel sums its windows.
#[test]
fn damping_does_not_depend_on_how_windows_are_summed() {
    for w in [1, 2, 5, 9] {
        let grid = grid_of([18, 11, 16], |_| true);
        let asset = asset_of(&grid, w);
        let run = |mut body: FreeBody| {
            body.deform(|x| [x[0] - 0.2 * x[1], x[1] + 0.01 * x[0] * x[0], x[2]]);
            for _ in 0..4 {
                body.step(0.5, 0.1, 0.3);
            }
            let positions = (0..asset.particle_count()).map(|p| body.position(p));
            positions.collect::<Vec<Vec3>>()
        };
        let one = run(FreeBody::new(&asset, Level::Portable));
        for level in [Level::Avx2, Level::Avx512] {
            for body in [
                FreeBody::new(&asset, level),
                FreeBody::steady(&asset, level),
            ] {
                let other = run(body);
                let off = one.iter().zip(&other).map(|(a, b)| (a - b).amax());
                let worst = off.fold(0.0, f64::max);
                assert!(worst < 1e-5, "w={w} {level:?}: {worst:e} cells");
            }
        }
    }
}

#[test]
fn steps_in_single_precision_keep_momentum() {
    let asset = asset_of(&grid_of([5; 3], |_| true), 1);
    let mass: f64 = asset.mass.iter().sum();
    let mut body = FreeBody::new(&asset, Level::Auto);
    body.deform(|x| [x[0], x[1] + 0.1 * x[0] * x[0], x[2]]);
    let before = body.momentum();
    for _ in 0..10 {
        body.step(0.5, 1.0 / 600.0, 0.05);
    }
    // 216 particles at some 30 cells/s
    for (now, then) in body.momentum().iter().zip(before) {
        assert!((now - then).abs() < 1e-5 * mass * 30.0);
    }
}
