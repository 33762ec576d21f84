//! Goals of a deformed lattice against numbers of an independent program (naive sums, singular values, double precision).
//!
//! 6×5×4 particles of equal mass at integer coordinates X, moved to `x = X + ¼ sin(B X + b) + 0.02 Cᵀ (X∘X)`.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::VoxelGrid;

use crate::testing::bodies::{asset_of, goals_of};

struct Case {
    w: usize,
    /// smallest and largest region
    sizes: [u32; 2],
    /// goals of particle (0, 0, 1) and of the last one
    second: [f64; 3],
    last: [f64; 3],
    /// sum of squared goals
    squares: f64,
    /// root mean square of the components of g − x
    rms: f64,
}

const CASES: [Case; 3] = [
    Case {
        w: 1,
        sizes: [8, 27],
        second: [0.1279359528742, 0.1483381803331, 1.1870624584163],
        last: [5.2905260306414, 4.3083241568818, 3.2475027286938],
        squares: 2583.9152711899,
        rms: 0.02801311394509,
    },
    Case {
        w: 2,
        sizes: [27, 100],
        second: [0.1852745001943, 0.1563577124846, 1.1738070931506],
        last: [5.2305788944232, 4.2942890368938, 3.2300175913881],
        squares: 2572.6029189368,
        rms: 0.05509340616329,
    },
    Case {
        w: 3,
        sizes: [64, 120],
        second: [0.2179067326579, 0.1701360638095, 1.1761633876455],
        last: [5.1647054443006, 4.290232490719, 3.2228103862865],
        squares: 2560.3332264088,
        rms: 0.07164089105317,
    },
];

fn deformed(at: &Vec3) -> Vec3 {
    let b = Mat3::new(0.31, -0.17, 0.23, 0.11, 0.29, -0.19, -0.27, 0.13, 0.37);
    let c = Mat3::new(0.1, 0.2, 0.0, 0.0, -0.1, 0.1, 0.2, 0.0, 0.1);
    let wave = (b * at + Vec3::new(0.1, 0.7, 1.9)).map(f64::sin);
    at + wave * 0.25 + c.transpose() * at.component_mul(at) * 0.02
}

#[test]
fn goals_are_those_of_the_reference() {
    for case in CASES {
        let grid = VoxelGrid::new(Vec3::zeros(), 1.0, [5, 4, 3], vec![true; 60]);
        let asset = asset_of(&grid, case.w);
        let sizes = (
            asset.region_size.iter().min(),
            asset.region_size.iter().max(),
        );
        assert_eq!(sizes, (Some(&case.sizes[0]), Some(&case.sizes[1])));
        let x: Vec<Vec3> = asset.rest_positions().map(|x| deformed(&x)).collect();
        let center = Vec3::new(2.0, 2.0, 2.0);
        let goals: Vec<Vec3> = goals_of(&asset, &x, &center)
            .iter()
            .map(|g| center + g)
            .collect();
        let at = |site: [u16; 3]| asset.sites.iter().position(|s| *s == site).expect("a site");
        let error = |p: usize, expected: [f64; 3]| (goals[p] - Vec3::from(expected)).norm();
        assert!(error(at([0, 0, 1]), case.second) < 1e-10);
        assert!(error(at([5, 4, 3]), case.last) < 1e-10);
        let squares: f64 = goals.iter().map(Vec3::norm_squared).sum();
        assert!((squares - case.squares).abs() < 1e-8, "{squares}");
        let offsets: f64 = goals
            .iter()
            .zip(&x)
            .map(|(g, x)| (g - x).norm_squared())
            .sum();
        let rms = (offsets / (3 * x.len()) as f64).sqrt();
        assert!((rms - case.rms).abs() < 1e-10, "{rms} {}", case.rms);
    }
}
