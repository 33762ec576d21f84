//! Kernels of this crate that `pliant bench` times.

use std::hint::black_box;

use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
use pliant_core::mesh::SurfaceMesh;

use crate::lod::by_targets::build_targets;
use crate::procedural::make::body;
use crate::procedural::spec::ProceduralSpec;
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::stuffing::mesher::Stuffing;

/// Node counts of the levels.
const LEVELS: [usize; 4] = [60, 300, 1500, 8000];
/// The animal that is meshed: legs, wings, a tail.
const BODY: &str = "dragon";

/// Most attempts at a number of triangles, and the relative error at which they end.
const MAX_ATTEMPTS: usize = 6;
const MAX_RELATIVE_ERROR: f64 = 0.1;

/// Levels of tetrahedra from a closed surface.
pub const KERNELS: &[BenchKernel] = &[BenchKernel {
    name: "mesh",
    about: "four levels of tetrahedra, the finest of 8,000 nodes, by triangles of the closed input",
    quantity: Quantity::Seconds,
    sizes: &[20_000, 80_000],
    parallel: true,
    prepare: levels,
}];

fn levels(triangles: usize) -> Result<BenchCase, String> {
    let surface = surface_with_about(triangles)?;
    let targets = LEVELS.map(TetTarget::Nodes);
    let work = Work {
        // every level looks at every triangle at least once
        bytes: (LEVELS.len() * surface.triangles.len() * 12 + surface.vertex_count() * 24) as f64,
        ..Work::default()
    };
    let check = build_targets(&surface, &targets[..1], &Stuffing, &Progress::new())
        .map_err(|e| e.to_string())?;
    if check.levels[0].min_volume <= 0.0 {
        return Err("the coarsest level has an inverted tetrahedron".into());
    }
    Ok(BenchCase::new(
        surface.triangles.len(),
        1.0,
        work,
        move || {
            let levels = build_targets(&surface, &targets, &Stuffing, &Progress::new());
            let _ = black_box(levels.is_ok());
        },
    ))
}

fn surface_with_about(triangles: usize) -> Result<SurfaceMesh, String> {
    let mut spec = ProceduralSpec::new(BODY);
    let make = |spec: &ProceduralSpec| body(spec, &Progress::new()).map_err(|e| e.to_string());
    let mut surface = make(&spec)?;
    // details have an edge of their own, so the number of triangles is not quite that of the edge
    for _ in 0..MAX_ATTEMPTS {
        let ratio = surface.triangles.len() as f64 / triangles.max(1) as f64;
        if (ratio - 1.0).abs() < MAX_RELATIVE_ERROR {
            break;
        }
        let edge = spec.edge.unwrap_or_else(|| surface.mean_edge());
        spec.edge = Some(edge * ratio.sqrt());
        surface = make(&spec)?;
    }
    Ok(surface)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_has_about_the_triangles_asked_for() {
        for wanted in [8000, 20_000] {
            let got = surface_with_about(wanted)
                .expect("a dragon")
                .triangles
                .len() as f64;
            assert!((got / wanted as f64 - 1.0).abs() < 0.3, "{wanted} {got}");
        }
    }
}
