//! `pliant remesh`: a surface with subdivision connectivity, every level as a file.

use std::time::Instant;

use pliant_meshing::io::write_obj;
use pliant_meshing::remesh::{
    LevelQuality, Origin, RemeshSpec, SemiRegular, level_qualities, remesh as remesh_surface,
};
use serde_json::{Value, json};

use super::source::{load_surface, print_repairs};
use crate::args::Remesh;
use crate::failure::Failure;
use crate::output::{Done, OutFolder};
use crate::session::Session;

/// Runs the command: writes `level-0.obj` (the base) to `level-N.obj`, and `hierarchy.json` (parents of the odd vertices, sharp edges, quality of each level).
pub fn remesh(session: &Session, args: &Remesh) -> Result<Done, Failure> {
    let (surface, repaired) = &load_surface(&args.mesh, &args.import, &session.progress)?;
    let levels = usize::from(args.levels);
    let base_faces = args.base_faces.map(|n| n as usize);
    OutFolder::allowed(Some(&args.out), "remesh")?;
    let started = Instant::now();
    let watch = session.output.watch(&session.progress);
    let spec = RemeshSpec::new(levels, base_faces);
    let result =
        remesh_surface(surface, &spec, &session.progress).map_err(|e| Failure::of(&e, None))?;
    let quality =
        level_qualities(surface, &result, &session.progress).map_err(|e| Failure::of(&e, None))?;
    let out = OutFolder::prepare(Some(&args.out), "remesh")?;
    session.progress.stage("writing");
    let level_file = |k: usize| format!("level-{k}.obj");
    let files = (0..result.levels.len()).map(level_file);
    let unfinished = out.begin(files.chain(["hierarchy.json".to_string()]));
    for (k, level) in result.levels.iter().enumerate() {
        session.progress.check()?;
        let file = out.path().join(level_file(k));
        write_obj(&file, level).map_err(|e| Failure::unwritable(&file, &e))?;
    }
    out.remove_from(result.levels.len(), level_file);
    let hierarchy = hierarchy_json(&result, &quality);
    out.write("hierarchy.json", format!("{hierarchy:#}\n").as_bytes())?;
    session.progress.check()?;
    unfinished.complete();
    drop(watch);
    for (k, level) in quality.iter().enumerate() {
        session.output.line(format!(
            "level {k}: {} vertices, {} triangles, distance {:.3} % of the diagonal, {} folded, {} crossings",
            level.vertices, level.triangles, level.distance_rel * 100.0, level.folded_triangles, level.self_intersections
        ));
    }
    session.output.line(format!(
        "{}, base of {} triangles with {} to {} neighbours a vertex, {} tried",
        method(&result),
        result.base().triangles.len(),
        result.base_valence_min,
        result.base_valence_max,
        match result.attempts {
            1 => "1 base".to_string(),
            tried => format!("{tried} bases"),
        }
    ));
    print_repairs(session, repaired);
    if result.origin == Origin::Projected {
        session.output.remark(
            "no parametrisation was free of folds and near enough: a decimated mesh was subdivided and projected onto the surface",
        );
    }
    if !result.is_good() {
        session.output.remark(
            "not within 0.5 % of the diagonal and free of folds and crossings: try more levels, or a larger base with --base-faces",
        );
    }
    session.output.written_to(out.path());
    Ok(Done::new(json!({
        "levels": levels_json(&result, &quality), "good": result.is_good(), "method": method(&result),
        "base_faces": result.base().triangles.len(), "repaired": repaired,
        "distance_rel": result.distance_rel,
        "distance_to_input_rel": result.distance_to_input_rel,
        "distance_from_input_rel": result.distance_from_input_rel,
        "folded_triangles": result.folded_triangles, "self_intersections": result.self_intersections,
        "same_topology": result.same_topology,
        "base_valence_min": result.base_valence_min, "base_valence_max": result.base_valence_max,
        "longest_edge_ratio": result.longest_edge_ratio, "attempts": result.attempts,
        "seconds": started.elapsed().as_secs_f64(),
    })))
}

fn method(result: &SemiRegular) -> &'static str {
    match result.origin {
        Origin::Mapped => "mapped",
        Origin::Projected => "projected",
    }
}

fn levels_json(result: &SemiRegular, quality: &[LevelQuality]) -> Vec<Value> {
    (result.levels.iter().zip(quality).enumerate())
        .map(|(k, (level, quality))| {
            json!({
                "file": format!("level-{k}.obj"), "vertices": quality.vertices, "triangles": quality.triangles,
                "edge_mean": level.mean_edge(), "distance_rel": quality.distance_rel,
                "folded_triangles": quality.folded_triangles, "self_intersections": quality.self_intersections,
            })
        })
        .collect()
}

/// Per level its sharp edges, and per level but the finest the ends of its edges, in the order of the odd vertices of the next level.
fn hierarchy_json(result: &SemiRegular, quality: &[LevelQuality]) -> Value {
    let parents: Vec<Value> = result.edges.iter().map(|t| json!(t.ends)).collect();
    let sharp: Vec<Value> = result.sharp.iter().map(|s| json!(s.edges())).collect();
    json!({ "levels": levels_json(result, quality), "method": method(result), "parents": parents, "sharp": sharp })
}
