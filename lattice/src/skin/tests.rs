use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::skin_binding::trilinear;

use super::kernel::SkinKernel;
use super::prepare::binding;
use super::write_reference;
use crate::LatticeParams;
use crate::asset::LatticeAsset;
use crate::kernels::Level;
use crate::testing::bodies::{Random, baked, body_of, shapes};

/// The lattice of a shape with a skin that does not follow the cells.
fn asset_with_skin(grid: &pliant_core::mesh::VoxelGrid) -> LatticeAsset {
    let mut geometry = body_of(grid.clone(), -1.0);
    let mut skin = (*geometry.skin).clone();
    let middle = skin.bounds().center();
    for (v, x) in skin.positions.iter_mut().enumerate() {
        *x += (middle - *x) * (0.05 + 0.01 * (v % 7) as f64);
    }
    geometry.skin = std::sync::Arc::new(skin);
    baked(&geometry, &LatticeParams::with_half_width(1))
}

fn written(asset: &LatticeAsset, x: &[Vec3], center: &Vec3) -> SurfaceFrame {
    let mut frame = SurfaceFrame::default();
    let kernel = SkinKernel::new(asset, Level::Auto).expect("every vertex has a cell");
    kernel.write(x, center, &mut frame);
    let mut portable = SurfaceFrame::default();
    let kernel = SkinKernel::new(asset, Level::Portable).expect("every vertex has a cell");
    kernel.write(x, center, &mut portable);
    assert_eq!(frame, portable);
    frame
}

#[test]
fn the_kernel_is_the_papers_sum() {
    for (name, grid) in shapes() {
        let asset = asset_with_skin(&grid);
        let size = asset.skin.bounds().size().norm();
        let mut random = Random(7);
        for amount in [0.0, 0.1, 0.4] {
            let x: Vec<Vec3> = asset
                .rest_positions()
                .map(|x| x + random.vector() * (amount * asset.cell))
                .collect();
            let frame = written(&asset, &x, &asset.center);
            let mut reference = SurfaceFrame::default();
            write_reference(&asset, &x, &mut reference);
            for v in 0..asset.skin.vertex_count() {
                let far = (frame.position(v) - reference.position(v)).norm();
                assert!(far < 1e-6 * size, "{name} {amount} {v}: {far}");
                let turned = (frame.normal(v) - reference.normal(v)).norm();
                assert!(turned < 1e-4, "{name} {amount} {v}: {turned}");
            }
        }
    }
}

#[test]
fn an_affine_map_turns_normals_by_its_cofactors_also_far_away() {
    let f = Mat3::new(1.1, 0.3, 0.0, -0.2, 0.9, 0.1, 0.1, 0.0, 1.3);
    let cofactor = f.try_inverse().expect("regular").transpose() * f.determinant();
    let shift = Vec3::new(100.0, -30.0, 50.0);
    for (name, grid) in shapes() {
        let asset = asset_with_skin(&grid);
        let x: Vec<Vec3> = asset.rest_positions().map(|x| f * x + shift).collect();
        let frame = written(&asset, &x, &(asset.center + shift));
        let normals = asset.skin.vertex_normals();
        for (v, rest) in asset.skin.positions.iter().enumerate() {
            // single precision at a hundred metres
            assert!(
                (frame.position(v) - (f * rest + shift)).norm() < 2e-5,
                "{name}"
            );
            let expected = (cofactor * normals[v]).normalize();
            assert!((frame.normal(v) - expected).norm() < 1e-4, "{name} {v}");
        }
    }
}

#[test]
fn a_collapsed_cell_has_no_normal_but_no_nan() {
    let asset = asset_with_skin(&shapes().swap_remove(0).1);
    let frame = written(
        &asset,
        &vec![Vec3::zeros(); asset.particle_count()],
        &Vec3::zeros(),
    );
    assert!(frame.normals.iter().flatten().all(|&n| n == 0.0));
    assert!(frame.positions.iter().flatten().all(|&x| x == 0.0));
}

#[test]
fn a_binding_says_all_that_drawing_needs() {
    let f = Mat3::new(1.1, 0.3, 0.0, -0.2, 0.9, 0.1, 0.1, 0.0, 1.3);
    for (name, grid) in shapes() {
        let asset = asset_with_skin(&grid);
        let mut random = Random(11);
        let x: Vec<Vec3> = asset
            .rest_positions()
            .map(|x| f * x + random.vector() * (0.1 * asset.cell))
            .collect();
        let frame = written(&asset, &x, &asset.center);
        let binding = binding(&asset).expect("every vertex has a cell");
        assert_eq!(binding.vertex_count(), asset.skin.vertex_count());
        assert_eq!(binding.control_count(), asset.particle_count());
        let normals = asset.skin.vertex_normals();
        for (v, normal) in normals.iter().enumerate() {
            let place = Vec3::from(binding.cell_coordinates[v].map(f64::from));
            let corner = |b: usize| x[binding.corners[v][b] as usize];
            let there: Vec3 = (0..8).map(|b| corner(b) * trilinear(b, &place).0).sum();
            assert!(
                (there - frame.position(v)).norm() < 1e-5 * asset.cell,
                "{name} {v}"
            );
            // cells lie along the axes at rest
            assert!(
                (binding.cell_normal(v, normal) - normal).norm() < 1e-6,
                "{name} {v}"
            );
        }
    }
}
