//! Volume and centroid of the cells compared with those of the body.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};

use super::voxels;
use crate::test_bodies::mapped;

/// A plate of 0.4 by `thickness` by 0.3 m, rotated about an axis that is not one of the grid.
fn plate(thickness: f64, shift: Vec3) -> SurfaceMesh {
    let plate = box_surface(Vec3::new(0.4, thickness, 0.3), [4, 1, 3], CellStyle::Kuhn);
    let rotation = nalgebra::Rotation3::from_euler_angles(0.4, 0.3, 0.6);
    mapped(plate, |x| rotation * x + shift)
}

#[test]
fn the_cells_have_the_volume_and_the_centroid_of_the_body() {
    for shift in [Vec3::zeros(), Vec3::new(0.003, 0.007, 0.011)] {
        for thickness in [0.012, 0.03, 0.1] {
            let plate = plate(thickness, shift);
            let grid = voxels(&plate, 0.02).grid;
            let expected = plate.volume();
            assert!((grid.volume() / expected - 1.0).abs() < 0.01, "{thickness}");
            let (mut mass, mut moment) = (0.0, Vec3::zeros());
            for (cell, copy) in grid.cell_copies() {
                let shares = grid.shares_of(copy.cell, copy.copy);
                for (b, share) in shares.iter().enumerate() {
                    let at = [0, 1, 2].map(|k| (cell[k] + (b >> k & 1)) as f64);
                    moment += (grid.origin + Vec3::from(at) * grid.cell) * *share;
                    mass += share;
                }
            }
            assert!((moment / mass - shift).norm() < 0.01 * grid.cell);
        }
    }
}

#[test]
fn whole_cells_are_full_and_cut_ones_hold_their_part() {
    let surface = box_surface(Vec3::new(0.2, 0.1, 0.1), [4, 2, 2], CellStyle::Kuhn);
    assert!(voxels(&surface, 0.025).grid.shares.is_empty());
    // four cells of 0.04 along y and z, of which the outer ones are cut to a quarter
    let grid = voxels(&surface, 0.04).grid;
    assert!(!grid.shares.is_empty());
    assert!((grid.volume() / 0.002 - 1.0).abs() < 0.02);
    let mut shares = grid.shares.iter().map(|s| s.corners.iter().sum::<f64>());
    assert!(shares.all(|s| (0.0..1.0).contains(&s)));
}
