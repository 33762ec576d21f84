//! `pliant remesh`: a surface with subdivision connectivity, every level as a file.

use std::path::Path;
use std::time::Instant;

use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::io::write_obj;
use pliant_meshing::remesh::{Origin, RemeshSpec, SemiRegular, remesh};
use pliant_simulation::error::variant_name;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::out_folder::OutFolder;
use crate::output::number;
use crate::session::Session;

/// Remeshes `surface` and writes `level-0.obj` (the base) to `level-N.obj` and `hierarchy.json` (parents of the odd vertices) into `out`.
pub fn run(
    session: &Session,
    surface: &SurfaceMesh,
    levels: usize,
    base_faces: Option<usize>,
    out: &Path,
) -> Result<u8, Failure> {
    let started = Instant::now();
    let watch = session.output.watch(&session.progress);
    let spec = RemeshSpec { levels, base_faces };
    let result = remesh(surface, &spec, &session.progress)
        .map_err(|e| Failure::from_text(&variant_name(&e), &e.to_string(), None))?;
    let out = OutFolder::prepare(Some(out), "remesh")?;
    session.progress.stage("writing");
    for (k, level) in result.levels.iter().enumerate() {
        let file = out.path().join(format!("level-{k}.obj"));
        write_obj(&file, level).map_err(|e| Failure::unwritable(&file, &e))?;
    }
    let hierarchy = hierarchy_json(&result);
    out.write("hierarchy.json", format!("{hierarchy:#}\n").as_bytes())?;
    drop(watch);
    for (k, level) in result.levels.iter().enumerate() {
        session.output.line(format!(
            "level {k}: {} vertices, {} triangles",
            level.vertex_count(),
            level.triangles.len()
        ));
    }
    session.output.line(format!(
        "distance {:.3} % of the diagonal, {} folded triangles, base with {} to {} neighbours a vertex, {} bases tried",
        result.distance_rel * 100.0,
        result.folded_triangles,
        result.base_valence_min,
        result.base_valence_max,
        result.attempts
    ));
    if result.origin == Origin::Projected {
        session.output.remark(
            "no map was free of folds: the base was subdivided and projected onto the surface",
        );
    }
    if !result.is_good() {
        session.output.remark(
            "not within 0.5 % of the diagonal and free of folds: try more levels, or a larger base",
        );
    }
    session
        .output
        .line(format!("written to {}", out.path().display()));
    session.output.json(
        "remesh",
        true,
        json!({
            "levels": levels_json(&result), "good": result.is_good(), "mapped": result.origin == Origin::Mapped,
            "distance_rel": number(result.distance_rel), "folded_triangles": result.folded_triangles,
            "base_valence_min": result.base_valence_min, "base_valence_max": result.base_valence_max,
            "longest_edge_ratio": number(result.longest_edge_ratio), "attempts": result.attempts,
            "seconds": number(started.elapsed().as_secs_f64()),
        }),
    )?;
    Ok(0)
}

fn levels_json(result: &SemiRegular) -> Vec<Value> {
    (result.levels.iter().enumerate())
        .map(|(k, level)| {
            json!({
                "file": format!("level-{k}.obj"), "vertices": level.vertex_count(),
                "triangles": level.triangles.len(), "edge_mean": number(level.mean_edge()),
            })
        })
        .collect()
}

/// Per level but the finest the ends of its edges, in the order of the odd vertices of the next level.
fn hierarchy_json(result: &SemiRegular) -> Value {
    let parents: Vec<Value> = result.edges.iter().map(|t| json!(t.ends)).collect();
    json!({ "levels": levels_json(result), "parents": parents })
}
