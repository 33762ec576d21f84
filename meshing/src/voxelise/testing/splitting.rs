//! Laws of split cells: fingers, slits, pores, crumbs.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceMesh, VoxelGrid, VoxelParticles};
use pliant_fuzzing::on_threads;

use super::{voxelise, voxels};
use crate::test_bodies::{ball, inverted, join, mapped};
use crate::voxelise::options::{CellSize, Fill, VoxelOptions};
use crate::voxelise::voxels::{Voxels, voxelise_with};
use crate::voxelise::warning::VoxelWarning;

/// A box between two corners.
fn block(low: [f64; 3], high: [f64; 3]) -> SurfaceMesh {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let centred = box_surface(high - low, [3, 2, 4], CellStyle::Kuhn);
    mapped(centred, |p| p + (low + high) * 0.5)
}

fn merged(parts: &[SurfaceMesh]) -> SurfaceMesh {
    let none = SurfaceMesh::new(Vec::new(), Vec::new());
    parts.iter().fold(none, join)
}

/// A closed prism along z over a polygon, counter-clockwise, in the plane; `caps` are the triangles of its inside.
fn prism(outline: &[[f64; 2]], caps: &[[u32; 3]], z: [f64; 2]) -> SurfaceMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |p| Vec3::new(p[0], p[1], z));
    let mut surface = SurfaceMesh::new(at(z[0]).chain(at(z[1])).collect(), Vec::new());
    for k in 0..n {
        let next = (k + 1) % n;
        surface.triangles.push([k, next, next + n]);
        surface.triangles.push([k, next + n, k + n]);
    }
    for &[a, b, c] in caps {
        surface.triangles.push([a, c, b]);
        surface.triangles.push([a + n, b + n, c + n]);
    }
    surface
}

/// Two prongs along x with a gap of `gap` between them, joined at x < 2: a body with a slit.
fn fork(gap: f64) -> SurfaceMesh {
    let (a, b) = (1.53 - 0.5 * gap, 1.53 + 0.5 * gap);
    let outline = [
        [0.0, 0.0],
        [8.1, 0.0],
        [8.1, a],
        [2.05, a],
        [2.05, b],
        [8.1, b],
        [8.1, 3.1],
        [0.0, 3.1],
    ];
    let caps = [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 7],
        [4, 5, 6],
        [4, 6, 7],
    ];
    prism(&outline, &caps, [0.0, 2.2])
}

fn run(surface: &SurfaceMesh, edge: f64) -> Voxels {
    let voxels = voxels(surface, edge);
    check(&voxels.grid, surface);
    voxels
}

fn components(grid: &VoxelGrid) -> u32 {
    let all = VoxelParticles::new(grid).components(grid);
    all.iter().max().map_or(0, |m| m + 1)
}

/// What [`VoxelGrid`] promises of its copies.
fn check(grid: &VoxelGrid, surface: &SurfaceMesh) {
    let key = |c: &pliant_core::mesh::CellCopy| (c.cell, c.copy);
    assert!(grid.copies.is_sorted_by(|a, b| key(a) < key(b)));
    for copies in grid.copies.chunk_by(|a, b| a.cell == b.cell) {
        assert!(grid.kept[copies[0].cell as usize]);
        for (k, copy) in copies.iter().enumerate() {
            assert_eq!(usize::from(copy.copy), k);
            assert!(copies[..k].iter().all(|c| c.corners != copy.corners));
        }
    }
    // particles without gaps, and no unlisted cell at a site with several
    let [nx, ny, nz] = grid.dims;
    for site in 0..(nx + 1) * (ny + 1) * (nz + 1) {
        let at = [
            site % (nx + 1),
            site / (nx + 1) % (ny + 1),
            site / ((nx + 1) * (ny + 1)),
        ];
        let (mut used, mut unlisted) = (vec![false; 64], false);
        for b in 0..8 {
            let cell = [0, 1, 2].map(|k| at[k] as i64 - (b >> k & 1) as i64);
            if !grid.is_kept(cell[0], cell[1], cell[2]) {
                continue;
            }
            let [i, j, k] = cell.map(|c| c as usize);
            let copies = grid.copies_of(grid.index(i, j, k));
            unlisted |= copies.is_empty();
            used[0] |= copies.is_empty();
            for copy in copies {
                used[usize::from(copy.corners[b])] = true;
            }
        }
        let count = used.iter().filter(|&&u| u).count();
        assert!(used[..count].iter().all(|&u| u));
        assert!(count < 2 || !unlisted);
    }
    assert!(grid.skin.is_empty() || grid.skin.len() == surface.vertex_count());
    for (x, at) in surface.positions.iter().zip(&grid.skin) {
        assert!(grid.kept[at.cell as usize]);
        assert!(usize::from(at.copy) < grid.copies_of(at.cell as usize).len().max(1));
        let [i, j, k] = grid.cell_at(at.cell as usize).map(|c| c as f64 + 0.5);
        let middle = grid.origin + Vec3::new(i, j, k) * grid.cell;
        assert!((x - middle).amax() < (0.5 + 1e-5) * grid.cell);
    }
}

/// The component that carries each vertex.
fn component_of_vertices(grid: &VoxelGrid) -> Vec<u32> {
    let all = VoxelParticles::new(grid).components(grid);
    grid.skin
        .iter()
        .map(|s| {
            grid.cell_copies()
                .zip(&all)
                .find(|((_, c), _)| c.cell == s.cell && c.copy == s.copy)
                .map(|(_, &component)| component)
                .expect("a copy that exists")
        })
        .collect()
}

#[test]
fn a_connected_body_without_thin_gaps_has_no_copies() {
    let rotation = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
    for scale in [1e-3, 1.0, 1e3] {
        for (name, body) in [
            ("ball", ball(1.0, 6)),
            ("box", block([-1.0, -0.6, -0.4], [1.0, 0.6, 0.4])),
            // two sheets in one cell, with the material between them
            ("plate", block([-1.0, -0.02, -1.0], [1.0, 0.02, 1.0])),
            ("rod", block([-1.0, -0.02, 0.01], [1.0, 0.02, 0.05])),
        ] {
            for map in [Mat3::identity(), rotation.into_inner()] {
                let surface = mapped(body.clone(), |p| map * p * scale);
                for cells in [3, 8, 13] {
                    let size = CellSize::Longest(cells);
                    let voxels =
                        voxelise_with(&surface, &VoxelOptions::new(size), &Progress::new())
                            .expect("cells");
                    assert!(voxels.grid.copies.is_empty(), "{name} {scale} {cells}");
                    assert_eq!(components(&voxels.grid), 1);
                }
            }
        }
    }
}

#[test]
fn two_fingers_in_one_cell_or_across_a_face_stay_two() {
    // the gap of 0.3 cells inside cells, on a grid plane, and across one
    for offset in [0.2, 0.5, 0.999_999, 1.0, 0.85] {
        let lower = block([0.0, 0.4, 0.0], [4.1, 1.0 + offset, 1.3]);
        let upper = block([0.0, 1.3 + offset, 0.0], [4.1, 3.2, 1.3]);
        let both = merged(&[lower.clone(), upper.clone()]);
        let voxels = run(&both, 1.0);
        let grid = &voxels.grid;
        assert_eq!(components(grid), 2, "{offset}");
        let alone = [&lower, &upper].map(|s| run(s, 1.0).grid.kept_count());
        assert_eq!(grid.copy_count(), alone[0] + alone[1], "{offset}");
        let of_vertex = component_of_vertices(grid);
        let n = lower.vertex_count();
        assert!(of_vertex[..n].iter().all(|&c| c == of_vertex[0]));
        assert!(of_vertex[n..].iter().all(|&c| c == of_vertex[n]));
        assert_ne!(of_vertex[0], of_vertex[n]);
        let fused = VoxelOptions {
            split_cells: false,
            ..VoxelOptions::new(CellSize::Edge(1.0))
        };
        let fused = voxelise_with(&both, &fused, &Progress::new()).expect("cells");
        assert!(fused.grid.copies.is_empty() && components(&fused.grid) == 1);
        let code = |w: &VoxelWarning| w.code();
        assert!(fused.warnings.iter().map(code).any(|c| c == "GapFused"));
    }
}

#[test]
fn a_slit_parts_the_prongs_but_not_the_body() {
    let mut last = None;
    for gap in [1e-4, 0.1, 0.3] {
        for scale in [1e-3, 1.0, 1e3] {
            let body = mapped(fork(gap), |p| p * scale);
            let voxels = run(&body, scale);
            let grid = &voxels.grid;
            assert_eq!(components(grid), 1);
            // the slit parts the middle row of cells from x = 3 to the end at 8.1, three cells deep; at its own end the cell holds together
            assert_eq!(voxels.split_cells, 6 * 3);
            assert_eq!(grid.copy_count(), grid.kept_count() + 6 * 3);
            let topology = (grid.dims, grid.kept.clone(), grid.copies.clone());
            assert_eq!(&topology, last.get_or_insert(topology.clone()));
            // vertices of the two sides of the slit are never in the same copy
            let side = |v: usize| body.positions[v].y > 1.53 * scale;
            for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let away = |v: usize| body.positions[v].x > 3.0 * scale;
                if away(a) && away(b) && side(a) != side(b) {
                    assert_ne!(grid.skin[a], grid.skin[b]);
                }
            }
        }
    }
}

#[test]
fn pores_bubbles_and_crumbs_are_told_apart() {
    let whole = block([0.0; 3], [4.1, 4.1, 4.1]);
    // a pore through the middle of faces, and a bubble inside a cell, part nothing
    let ring = [
        [0.0, 0.0],
        [4.1, 0.0],
        [4.1, 4.1],
        [0.0, 4.1],
        [1.4, 1.4],
        [1.4, 1.6],
        [1.6, 1.6],
        [1.6, 1.4],
    ];
    let caps = [
        [0, 1, 7],
        [0, 7, 4],
        [1, 2, 6],
        [1, 6, 7],
        [2, 3, 5],
        [2, 5, 6],
        [3, 0, 4],
        [3, 4, 5],
    ];
    let mut pore = prism(&ring, &caps, [0.1, 3.3]);
    // the outline is two loops: outside 0 to 3, inside 4 to 7
    pore.triangles.retain(|t| {
        let outer = |v: &u32| v % 8 < 4;
        let level = |v: &u32| v / 8;
        let wall = t.iter().any(|v| level(v) == 0) && t.iter().any(|v| level(v) == 1);
        !wall || t.iter().all(outer) || !t.iter().any(outer)
    });
    for [a, b] in [[3, 0], [7, 4]] {
        pore.triangles.push([a, b, b + 8]);
        pore.triangles.push([a, b + 8, a + 8]);
    }
    assert!(pliant_core::mesh::validate::topology(&pore).is_closed());
    let voxels = run(&pore, 1.0);
    assert!(voxels.grid.copies.is_empty());
    let bubble = inverted(block([1.3; 3], [1.6; 3]));
    let voxels = run(&merged(&[whole.clone(), bubble.clone()]), 1.0);
    assert!(voxels.grid.copies.is_empty());
    // a crumb in the bubble is a body of its own, two in one cell are two
    let crumb = block([1.4; 3], [1.5; 3]);
    let voxels = run(&merged(&[whole, bubble, crumb.clone()]), 1.0);
    assert_eq!(components(&voxels.grid), 2);
    let voxels = run(&merged(&[crumb, block([1.7; 3], [1.8; 3])]), 1.0);
    assert_eq!((components(&voxels.grid), voxels.grid.copy_count()), (2, 2));
    // two rods through the same faces of a cell, touching none of its edges; crossing ones are one body
    let rod = |y: f64| block([0.2, y, 0.4], [4.3, y + 0.1, 0.6]);
    let voxels = run(&merged(&[rod(0.2), rod(0.5)]), 1.0);
    assert_eq!(components(&voxels.grid), 2);
    assert_eq!(voxels.grid.copy_count(), 2 * voxels.grid.kept_count());
    let bar = block([2.4, 0.1, 0.45], [2.5, 0.9, 0.55]);
    let voxels = run(&merged(&[rod(0.2), rod(0.5), bar]), 1.0);
    assert_eq!(components(&voxels.grid), 1);
}

#[test]
fn sheets_part_in_a_shell() {
    let sheet = |y: f64| {
        let mut s = block([0.0, y, 0.0], [4.2, y + 1.0, 4.2]);
        s.triangles
            .retain(|t| t.iter().all(|&v| s.positions[v as usize].y < y + 0.01));
        s
    };
    let sheets = merged(&[sheet(0.2), sheet(0.5)]);
    let shell = voxelise(&sheets, CellSize::Edge(1.0), Fill::Shell, &Progress::new());
    assert_eq!(components(&shell.expect("cells")), 2);
}

#[test]
fn a_solid_is_its_shell_and_what_that_encloses() {
    let surface = ball(1.0, 12);
    let solid = run(&surface, 0.1).grid;
    let shell = voxelise(&surface, CellSize::Edge(0.1), Fill::Shell, &Progress::new());
    let shell = shell.expect("cells");
    let (mut inner, mut touching) = (0, 0);
    for [i, j, k] in solid.kept_cells() {
        let (i, j, k) = (i as i64, j as i64, k as i64);
        if shell.is_kept(i, j, k) {
            continue;
        }
        inner += 1;
        // nothing of the inside is next to the outside
        for d in [-1, 1] {
            let beside = [[i + d, j, k], [i, j + d, k], [i, j, k + d]];
            touching += beside
                .iter()
                .filter(|[i, j, k]| !solid.is_kept(*i, *j, *k))
                .count();
        }
    }
    assert_eq!(solid.kept_count(), shell.kept_count() + inner);
    assert!(inner > 2000 && touching == 0);
    let is_filled = |[i, j, k]: [usize; 3]| solid.kept[solid.index(i, j, k)];
    assert!(shell.kept_cells().all(is_filled));
}

#[test]
fn any_number_of_threads_gives_the_same_cells() {
    let both = merged(&[fork(0.2), block([0.0, 3.2, 0.0], [5.0, 4.0, 2.0])]);
    let run = |threads: usize| {
        let options = VoxelOptions::new(CellSize::Edge(0.37));
        let cells = on_threads(threads, || voxelise_with(&both, &options, &Progress::new()));
        cells.expect("cells")
    };
    let one = run(1);
    assert!(!one.grid.copies.is_empty() && !one.grid.shares.is_empty());
    assert_eq!(one, run(3));
}

#[test]
fn parts_that_are_one_cell_across_are_named() {
    let thin = |surface: &SurfaceMesh, edge: f64| {
        run(surface, edge).warnings.iter().find_map(|w| match w {
            VoxelWarning::ThinnerThanCell { cells } => Some(*cells),
            _ => None,
        })
    };
    let plate = block([0.0, 0.2, 0.0], [4.9, 0.3, 3.9]);
    assert_eq!(thin(&plate, 1.0), Some(5 * 4));
    let fat = run(&plate, 1.0).warnings;
    let is_too_fat = |w: &VoxelWarning| matches!(w, VoxelWarning::TooFat { ratio } if *ratio > 9.0);
    assert!(fat.iter().any(is_too_fat));
    assert_eq!(thin(&block([0.0; 3], [4.9, 1.9, 3.9]), 1.0), None);
    // the tips of a ball are single cells
    assert_eq!(thin(&ball(1.0, 12), 0.19), None);
}
