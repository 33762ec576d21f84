//! Bodies whose cells are split by a gap.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::mesh::{CellCopy, SkinCell, VoxelGrid};

use crate::testing::bodies::{asset_of, body_of, grid_of, model_of, run, slit_bar, undamped};

/// Two bars in the same cells.
fn twins() -> VoxelGrid {
    let mut grid = grid_of([5, 1, 1], |_| true);
    for at in 0..grid.kept.len() as u32 {
        for copy in (0..2).filter(|_| grid.kept[at as usize]) {
            grid.copies.push(CellCopy {
                cell: at,
                copy,
                corners: [copy; 8],
            });
        }
    }
    grid
}

#[test]
fn moving_one_finger_leaves_the_other() {
    let mut geometry = body_of(twins(), -1.0);
    // each half of the skin's vertices belongs to one finger
    let skin = geometry.skin.vertex_count();
    let mut grid = twins();
    grid.skin = (0..skin)
        .map(|v| {
            let cell = grid.cell_of(&geometry.skin.positions[v]);
            let i = cell[0].clamp(1, 5) as usize;
            SkinCell {
                cell: grid.index(i, 1, 1) as u32,
                copy: u8::from(v % 2 == 1),
            }
        })
        .collect();
    geometry.voxels = Some(std::sync::Arc::new(grid));
    let mut model = model_of(&geometry, &undamped(2, 1.0, 8));
    assert_eq!(model.asset().component_count(), 2);
    let mass: f64 = model.asset().mass.iter().sum();
    let volume = geometry.skin.volume();
    assert!((mass / (geometry.material.density * volume) - 1.0).abs() < 1e-12);
    let rest = model.positions().to_vec();
    let component = model.asset().component.clone();
    let mut moved = rest.clone();
    for (x, _) in moved.iter_mut().zip(&component).filter(|(_, c)| **c == 1) {
        x.x *= 1.3;
        x.y += 0.4 * x.x * x.x;
    }
    let still = vec![Default::default(); rest.len()];
    model.set_state(&moved, &still);
    run(&mut model, 10, &BoundaryConditions::default()).expect("stable");
    let (mut largest, mut kept) = (0.0_f64, 0.0_f64);
    for ((x, x0), c) in model.positions().iter().zip(&rest).zip(&component) {
        let distance = (x - x0).norm();
        if *c == 1 {
            largest = largest.max(distance);
        } else {
            kept = kept.max(distance);
        }
    }
    assert!(largest > 1e-3 && kept < 1e-12, "{largest} {kept}");
}

#[test]
fn a_slit_bar_rests_in_its_shape_and_keeps_its_masses() {
    for w in 1..=3 {
        let asset = asset_of(&slit_bar(), w);
        assert_eq!(asset.component_count(), 1);
        // shares of one particle over its regions sum to its mass
        let of_regions: f64 = (0..asset.region_count())
            .map(|r| asset.region_mass[r] * f64::from(asset.multiplicity[r]))
            .sum();
        let total: f64 = asset.mass.iter().sum();
        assert!((of_regions / total - 1.0).abs() < 1e-12);
    }
    let mut model = model_of(&body_of(slit_bar(), -1.0), &undamped(2, 1.0, 4));
    let rest = model.positions().to_vec();
    run(&mut model, 10, &BoundaryConditions::default()).expect("stable");
    for (x, x0) in model.positions().iter().zip(&rest) {
        assert!((x - x0).norm() < 1e-12);
    }
}
