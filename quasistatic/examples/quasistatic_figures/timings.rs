//! Tables 1.2 and 1.3: precomputation and point response of the chapter's bodies, and the parts of the capacitance algorithm.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Selection;
use pliant_meshing::procedural::{ProceduralError, ProceduralSpec, body};
use pliant_quasistatic::benchmark::KERNELS;
use pliant_quasistatic::haptics::response::MaskedColumns;

use crate::bodies::bake_body;
use crate::held::{held, nodule};
use crate::stiffness::{haptic_surface, topmost};

/// A body of the chapter's table 1.2 (Java, one core of 2.33 GHz): vertices, minutes of precomputation, percent of it in the LU, µs of a point response.
const BODIES: [(&str, usize, f64, f64, f64); 4] = [
    ("nodule", 130, 0.052, 16.0, 10.0),
    ("kidney", 322, 0.43, 16.0, 25.0),
    ("spatula", 620, 2.7, 12.0, 64.0),
    ("banana_seat", 546, 1.4, 23.0, 28.0),
];

/// Table 1.3 for 10, 20, 40 and 100 contact nodes: LU (ms), solve (µs), sum of the columns (µs for 100 vertices).
const PARTS: [(usize, f64, f64, f64); 4] = [
    (10, 0.08, 3.0, 37.0),
    (20, 0.43, 11.0, 77.0),
    (40, 2.59, 42.0, 152.0),
    (100, 40.0, 230.0, 382.0),
];

/// Writes `table-1.2.csv` and `table-1.3.csv`; one thread, times of this machine as it is now.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let tables = pool.install(|| Ok::<_, String>((bodies().map_err(to_text)?, parts()?)))?;
    print!("{}{}", tables.0, tables.1);
    std::fs::write(folder.join("table-1.2.csv"), tables.0)?;
    std::fs::write(folder.join("table-1.3.csv"), tables.1)?;
    Ok(())
}

fn to_text(error: Box<dyn Error>) -> String {
    error.to_string()
}

/// Least seconds of a run within about half a second.
fn shortest_time(mut run: impl FnMut()) -> f64 {
    let (first_start, mut best) = (Instant::now(), f64::INFINITY);
    for _ in 0..2000 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        if first_start.elapsed().as_secs_f64() > 0.5 {
            break;
        }
    }
    best
}

/// The procedural body with about so many vertices, or as few as its shape allows.
fn body_of_size(name: &str, vertices: usize) -> Result<SurfaceMesh, Box<dyn Error>> {
    if name == "nodule" {
        return nodule(2);
    }
    let mut spec = ProceduralSpec {
        longest: Some(0.2),
        edge: Some(0.01),
        ..ProceduralSpec::new(name)
    };
    let mut surface = loop {
        match body(&spec, &Progress::new()) {
            Err(ProceduralError::EdgeTooCoarse {
                edge_that_works, ..
            }) => spec.edge = Some(edge_that_works),
            surface => break surface?,
        }
    };
    for _ in 0..3 {
        let excess = surface.vertex_count() as f64 / vertices as f64;
        spec.edge = spec.edge.map(|edge| edge * excess.sqrt());
        let Ok(coarser) = body(&spec, &Progress::new()) else {
            break;
        };
        surface = coarser;
    }
    Ok(surface)
}

fn bodies() -> Result<String, Box<dyn Error>> {
    let mut out = String::from(
        "body,vertices_chapter,seconds_chapter,lu_percent_chapter,point_us_chapter,vertices,free,seconds,lu_percent,point_us,times_faster_baked,times_faster_point\n",
    );
    for (name, target_vertices, minutes, lu, point) in BODIES {
        let skin = body_of_size(name, target_vertices)?;
        let support = match name {
            "spatula" => Selection::Group("handle".into()),
            "banana_seat" => Selection::Group("rails".into()),
            _ => Selection::Lowest(0.3),
        };
        let grouped = held_with_groups(&skin, support);
        let (asset, times) = bake_body(&grouped)?;
        let seconds = times.assemble + times.factor + times.columns;
        let surface = haptic_surface(&asset, 2.0 * asset.skin.mean_edge())?;
        let columns = MaskedColumns::new(&surface);
        let at = topmost(&asset.skin)?;
        let mut field = vec![0.0; 3 * asset.nodes()];
        let response = 1e6 * shortest_time(|| columns.add(&surface, &at, -Vec3::y(), &mut field));
        writeln!(
            out,
            "{name},{target_vertices},{:.1},{lu},{point},{},{},{seconds:.3},{:.0},{response:.2},{:.0},{:.0}",
            60.0 * minutes,
            asset.skin.vertex_count(),
            asset.nodes(),
            100.0 * times.factor / seconds,
            60.0 * minutes / seconds,
            point / response
        )?;
    }
    Ok(out)
}

/// As [`held`], for a support that is a group of the skin.
fn held_with_groups(skin: &SurfaceMesh, support: Selection) -> pliant_core::asset::BodyGeometry {
    let vertices = support.skin_vertices(skin);
    held(skin, Selection::List(vertices), 0.3)
}

fn parts() -> Result<String, String> {
    let mut out = String::from(
        "contact_nodes,lu_ms_chapter,lu_ms,solve_us_chapter,solve_us,sum_us_per_100_vertices_chapter,sum_us_per_100_vertices\n",
    );
    let timed = |name: &str, size: usize| -> Result<f64, String> {
        let kernel = KERNELS.iter().find(|k| k.name == name);
        let kernel = kernel.ok_or_else(|| format!("there is no kernel {name}"))?;
        let mut case = (kernel.prepare)(size)?;
        Ok(shortest_time(&mut case.run) / case.items)
    };
    for (nodes, lu, solve, sum) in PARTS {
        let factor = 1e3 * timed("capacitance-factor", nodes)?;
        let apply = 1e6 * timed("capacitance-solve", nodes)?;
        let column = 1e6 * sum_of_columns(nodes)?;
        let line = format!("{nodes},{lu},{factor:.4},{solve},{apply:.2},{sum},{column:.2}\n");
        out.push_str(&line);
    }
    Ok(out)
}

/// Seconds to sum the columns of so many contact nodes, for 100 vertices of a body of some thousand unknowns.
fn sum_of_columns(nodes: usize) -> Result<f64, String> {
    let skin = nodule(3).map_err(to_text)?;
    let (asset, _) = bake_body(&held(&skin, Selection::Lowest(0.35), 0.3)).map_err(to_text)?;
    let forces: Vec<(u32, Vec3)> = (0..nodes)
        .map(|k| ((k * 37 % asset.nodes()) as u32, Vec3::y()))
        .collect();
    let mut field = vec![0.0; 3 * asset.nodes()];
    let seconds = shortest_time(|| asset.matrix.add_columns(&forces, &mut field));
    Ok(seconds * 100.0 / asset.nodes() as f64)
}
