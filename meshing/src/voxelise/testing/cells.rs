//! Laws of the cells of closed, open and touching bodies.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceMesh, VoxelGrid};

use super::voxelise;
use crate::error::MeshingError;
use crate::test_bodies::{ball, cancelled, inverted, join, joined, mapped, torus};
use crate::voxelise::grid::frame::GridFrame;
use crate::voxelise::options::{CellSize, Fill};
use crate::voxelise::voxels::voxel_volume_ratio;

fn solid(surface: &SurfaceMesh, size: CellSize) -> VoxelGrid {
    voxelise(surface, size, Fill::Solid, &Progress::new()).expect("cells")
}

/// The boundary of the kept cells as quads cut in two; used to count handles.
fn euler_of_cells(grid: &VoxelGrid) -> i64 {
    // V - E + F - C of the cubical complex, which is 1 - handles + cavities for one component
    let [nx, ny, nz] = grid.dims.map(|n| n as i64);
    let mut euler = 0;
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                for kind in 0..8_i64 {
                    // a cell complex element spans the axes whose bit is set
                    let span = [kind & 1, (kind >> 1) & 1, (kind >> 2) & 1];
                    let mut used = false;
                    for corner in 0..8_i64 {
                        let back = [corner & 1, (corner >> 1) & 1, (corner >> 2) & 1];
                        if (0..3).all(|a| back[a] + span[a] < 2) {
                            used |= grid.is_kept(i - back[0], j - back[1], k - back[2]);
                        }
                    }
                    let sign = if span.iter().sum::<i64>() % 2 == 0 {
                        1
                    } else {
                        -1
                    };
                    euler += if used { sign } else { 0 };
                }
            }
        }
    }
    euler
}

#[test]
fn a_box_of_whole_cells_gives_exactly_these_cells() {
    let progress = Progress::new();
    // skin grids that fall on the cells, are coarser, and do not match; and a box far from multiples of the cell edge
    for (cells, shift) in [
        ([32, 16, 32], 0.0),
        ([1, 1, 1], 0.0),
        ([7, 5, 9], 0.0),
        ([8, 8, 8], 0.12345),
    ] {
        let centred = box_surface(Vec3::new(0.2, 0.1, 0.2), cells, CellStyle::Kuhn);
        let surface = mapped(centred, |p| p + Vec3::new(1.0, -2.0, 3.0) * shift);
        for size in [CellSize::Edge(0.00625), CellSize::Longest(32)] {
            let grid = solid(&surface, size);
            assert_eq!(grid.dims, [34, 18, 34]);
            assert_eq!(grid.kept_count(), 32 * 16 * 32);
            assert!(grid.kept_cells().all(|[i, j, k]| (1..33).contains(&i)
                && (1..17).contains(&j)
                && (1..33).contains(&k)));
            assert!((voxel_volume_ratio(&grid, &surface) - 1.0).abs() < 1e-9);
            let shell = voxelise(&surface, size, Fill::Shell, &progress).expect("a box");
            assert_eq!(shell.kept_count(), 32 * 16 * 32 - 30 * 14 * 30);
        }
        let flipped = solid(&inverted(surface), CellSize::Longest(32));
        assert_eq!(flipped.kept_count(), 32 * 16 * 32);
    }
}

#[test]
fn a_torus_keeps_its_handle_and_a_cavity_stays_empty() {
    let progress = Progress::new();
    let ring = torus(0.3, 64, 24);
    let grid = solid(&ring, CellSize::Longest(40));
    assert_eq!(euler_of_cells(&grid), 0);
    let shell = voxelise(&ring, CellSize::Longest(40), Fill::Shell, &progress).expect("a torus");
    // a hollow ring: one handle, one cavity with a handle of its own
    assert_eq!(euler_of_cells(&shell), 0);
    assert!(shell.kept_count() < grid.kept_count());
    let hollow = join(ball(1.0, 12), &inverted(ball(0.5, 12)));
    let grid = solid(&hollow, CellSize::Longest(40));
    assert_eq!(euler_of_cells(&grid), 2);
    let [i, j, k] = grid.cell_of(&Vec3::zeros());
    assert!(!grid.is_kept(i, j, k));
}

#[test]
fn the_volume_of_a_sphere_converges_from_above_at_first_order() {
    let surface = ball(0.37, 24);
    let mut last = f64::INFINITY;
    for count in [10, 20, 40, 80] {
        let grid = solid(&surface, CellSize::Longest(count));
        let excess = voxel_volume_ratio(&grid, &surface) - 1.0;
        assert!(excess > 0.0 && excess < 0.7 * last, "{count}: {excess}");
        last = excess;
        // conservative: points just below vertices and face centres lie in kept cells
        for t in 0..surface.triangles.len() {
            let [a, b, c] = surface.corners(t);
            for p in [a, (a + b + c) / 3.0] {
                let [i, j, k] = grid.cell_of(&(p * (1.0 - 1e-4)));
                assert!(grid.is_kept(i, j, k));
            }
        }
    }
    assert!(last < 0.08);
}

#[test]
fn small_holes_are_bridged_and_large_ones_are_reported() {
    let progress = Progress::new();
    let mut small = ball(1.0, 24);
    small.triangles.remove(100);
    let whole = solid(&ball(1.0, 24), CellSize::Longest(16));
    // a hole below the cell: rows of cells with it are measured by the lines that miss it
    let grid = solid(&small, CellSize::Longest(16));
    assert!((grid.volume() / whole.volume() - 1.0).abs() < 0.02);
    assert_eq!(
        VoxelGrid::new(grid.origin, grid.cell, grid.dims, grid.kept),
        VoxelGrid::new(whole.origin, whole.cell, whole.dims, whole.kept)
    );
    let mut cap = ball(1.0, 24);
    cap.triangles
        .retain(|t| t.iter().any(|&v| cap.positions[v as usize].y < 0.8));
    match voxelise(&cap, CellSize::Longest(16), Fill::Solid, &progress) {
        Err(MeshingError::OpenSurface { hole_position }) => {
            assert!((hole_position[1] - 0.8).abs() < 0.15, "{hole_position:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(voxelise(&cap, CellSize::Longest(16), Fill::Shell, &progress).is_ok());
}

#[test]
fn the_grid_does_not_move_when_something_is_added_far_away() {
    let (near, far) = (ball(1.0, 8), ball(0.5, 4));
    let alone = solid(&near, CellSize::Edge(0.13));
    let two = joined(&near, &far, Vec3::new(-3.21, 2.17, -4.03));
    let both = solid(&two, CellSize::Edge(0.13));
    let shift = [0, 1, 2].map(|a| ((alone.origin[a] - both.origin[a]) / 0.13).round() as i64);
    for [i, j, k] in alone.kept_cells() {
        let [x, y, z] = [i as i64, j as i64, k as i64];
        assert!(both.is_kept(x + shift[0], y + shift[1], z + shift[2]));
    }
}

#[test]
fn impossible_requests_are_refused_with_a_reason() {
    let progress = Progress::new();
    let surface = ball(1.0, 4);
    let run = |size| voxelise(&surface, size, Fill::Solid, &progress);
    let is_bad = |size| matches!(run(size), Err(MeshingError::BadSize { .. }));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(is_bad(CellSize::Edge(bad)));
    }
    assert!(is_bad(CellSize::Longest(0)));
    match run(CellSize::Edge(1e-9)) {
        Err(MeshingError::GridTooLarge { min_cell, .. }) => {
            assert!(GridFrame::around(&surface.bounds(), min_cell).is_ok());
            assert!(GridFrame::around(&surface.bounds(), 0.9 * min_cell).is_err());
        }
        other => panic!("{other:?}"),
    }
    let nothing = SurfaceMesh::new(surface.positions.clone(), Vec::new());
    let result = voxelise(&nothing, CellSize::Longest(8), Fill::Solid, &progress);
    assert_eq!(result, Err(MeshingError::EmptyMesh));
    let result = voxelise(&surface, CellSize::Longest(8), Fill::Solid, &cancelled());
    assert_eq!(result, Err(MeshingError::Cancelled(Cancelled)));
}
