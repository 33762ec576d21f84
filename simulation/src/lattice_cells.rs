//! How large the cells of a lattice are where a scene leaves the choice: as fine as a frame's budget pays for, and no finer than its walls ask.
//!
//! A lattice of cells of edge `d` has about `V/d³ + S/(2d²)` particles for volume `V` and skin area `S`, and Young's modulus takes
//! `√(3E/(2ρ)) · T/d` steps a frame of `T` with half-width 1 (see [`pliant_lattice::calibrate`]). Work rises with about `d⁻⁴`, so that the
//! finest cells within a budget are well defined, and twice the price of a step makes them a sixth larger.

use pliant_core::math::bounds::Ray;
use pliant_core::mesh::TriangleTree;
use pliant_meshing::voxelise::CellSize;

use crate::setup::Setup;

/// Cells along the longest side: for a scene that gives steps or goal share itself (cells would change the material), for several bodies, and at least.
const LEAST_CELLS: usize = 24;
/// Most cells along the longest side.
const MOST_CELLS: usize = 96;
/// What a step of one particle costs on the nominal machine, s. Median of irregular bodies at rest under a tool.
const PARTICLE_STEP: f64 = 25e-9;
/// Work of a frame where the scene gives no budget, s.
const FRAME_WORK: f64 = 8e-3;
/// Cells through the thinnest wall beyond which finer ones change little.
const CELLS_IN_WALL: f64 = 6.0;
/// Triangles from which walls are measured, and the share of them that may be thinner than the thinnest wall: edges, where walls end.
const SAMPLES: usize = 2000;
const THINNEST: f64 = 0.05;

/// The cells that the scene asks for, or those chosen for it. Cost: up to two thousand rays through the skin.
pub(crate) fn lattice_cells(setup: &Setup) -> CellSize {
    let wanted = &setup.description.body.lattice;
    match (wanted.cell, wanted.cells_longest) {
        (Some(cell), _) => CellSize::Edge(cell),
        (None, Some(count)) => CellSize::Longest(count),
        (None, None) => CellSize::Longest(chosen(setup)),
    }
}

fn chosen(setup: &Setup) -> usize {
    let body = &setup.description.body;
    let given = body.lattice.alpha.is_some() || body.lattice.steps.is_some();
    let several = !setup.description.others.is_empty() || body.layout.is_some();
    if given || several || body.lattice.shell {
        return LEAST_CELLS;
    }
    let skin = &setup.geometry.skin;
    let longest = skin.bounds().size().max();
    let (volume, area) = (skin.volume().abs(), skin.area());
    let material = &body.material;
    let speed = (1.5 * material.elastic.young / material.density).sqrt();
    let work = |count: usize| {
        let cell = longest / count as f64;
        let particles = volume / cell.powi(3) + 0.5 * area / cell.powi(2);
        let steps = (speed / (setup.description.frame_rate * cell))
            .ceil()
            .max(1.0);
        particles * steps * PARTICLE_STEP
    };
    let walls = thinnest_wall(setup).map_or(MOST_CELLS, |t| {
        (CELLS_IN_WALL * longest / t).ceil().min(MOST_CELLS as f64) as usize
    });
    (LEAST_CELLS..=walls.max(LEAST_CELLS))
        .take_while(|&n| n == LEAST_CELLS || work(n) <= FRAME_WORK)
        .last()
        .unwrap_or(LEAST_CELLS)
}

/// Thickness, straight inwards, that a twentieth of the triangles stays below, m.
fn thinnest_wall(setup: &Setup) -> Option<f64> {
    let skin = &setup.geometry.skin;
    let tree = TriangleTree::new(&skin.positions, &skin.triangles);
    let start = 1e-7 * skin.bounds().diagonal();
    let step = skin.triangles.len().div_ceil(SAMPLES).max(1);
    let mut found: Vec<f64> = (0..skin.triangles.len())
        .step_by(step)
        .filter_map(|t| {
            let normal = skin.area_vector(t).try_normalize(0.0)?;
            let middle = skin.corners(t).iter().sum::<pliant_core::math::Vec3>() / 3.0;
            let ray = Ray {
                origin: middle - normal * start,
                direction: -normal,
            };
            tree.first_hit(&ray).map(|(t, _)| t + start)
        })
        .filter(|t| t.is_finite())
        .collect();
    found.sort_by(f64::total_cmp);
    found.get((THINNEST * found.len() as f64) as usize).copied()
}
