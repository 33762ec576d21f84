//! The single precision kernels against the double precision step.

use std::sync::Arc;

use super::{FastBody, Level};
use crate::goal::goal;
use crate::matching::Matching;
use crate::summation::Summation;
use crate::testing::{Random, asset_of, ball, grid_of, shapes};
use pliant_core::math::Vec3;

#[test]
fn goals_are_those_of_double_precision() {
    let mut bodies = shapes();
    bodies.push(("block", grid_of([9, 7, 8], |_| true)));
    bodies.push(("large ball", ball(7.0, 0.0)));
    bodies.push(("notched", grid_of([8, 8, 8], |c| c[0] != 3 || c[1] < 5)));
    for (name, grid, w) in bodies
        .iter()
        .flat_map(|(name, grid)| [1, 2, 3, 4, 7].map(|w| (name, grid, w)))
    {
        let asset = Arc::new(asset_of(grid, w));
        for level in [Level::Portable, Level::Avx2, Level::Avx512] {
            let mut body = FastBody::new(Arc::clone(&asset), level);
            let noise = std::cell::RefCell::new(Random(7));
            body.deform(|x| {
                let r = noise.borrow_mut().vector() * 0.15;
                let bend = 0.01 * x[0] * x[0];
                [x[0] + r.x - 0.2 * x[1], x[1] + bend + r.y, x[2] + r.z]
            });
            let x: Vec<Vec3> = (0..asset.particle_count())
                .map(|p| body.position(p) * asset.cell)
                .collect();
            let summation = Summation::new(&asset, None);
            let mut matching = Matching::new(&asset);
            let mut q = vec![[1.0, 0.0, 0.0, 0.0]; asset.region_count()];
            matching.moments(&asset, &summation, &x, &Vec3::zeros());
            for _ in 0..3 {
                matching.fit(&asset, &mut q, true);
            }
            matching.spread(&asset, &summation);
            for _ in 0..2 {
                body.find_goals();
            }
            let mut worst = 0.0_f64;
            for (p, x) in x.iter().enumerate() {
                let expected = (goal(&asset, &matching.transform_sums, p) - x) / asset.cell;
                worst = worst.max((body.offset(p) - expected).amax());
            }
            // some roundings (6e-8) of positions of up to 8 cells, more of them in longer windows
            let bound = 1e-6 * (2.0 + w as f64 / 3.0);
            assert!(worst < bound, "{name} w={w} {level:?}: {worst:e}");
        }
    }
}
