//! `pliant mesh`: levels of tetrahedra as files.

use std::path::Path;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_meshing::io::{write_obj, write_vtu_tets};
use pliant_meshing::lod::{Level, ResolutionSequence, fits_together};
use pliant_meshing::report::require_fit;
use pliant_meshing::stuffing::Stuffing;
use pliant_meshing::tetgen::TetGenProcess;
use pliant_meshing::tetrahedralise::TetMesher;
use pliant_render::note::Note;
use pliant_simulation::geometry::parent_child_maps;
use serde_json::{Value, json};

use super::level_request::{KIND, LevelRequest};
use super::source::{CrossingShells, Source, load_source, print_repairs};
use crate::args::Mesh;
use crate::failure::Failure;
use crate::machine::peak_megabytes;
use crate::output::{Done, OutFolder, Output};
use crate::session::Session;

/// Runs the command.
pub fn mesh(session: &Session, args: &Mesh) -> Result<Done, Failure> {
    let started = Instant::now();
    let request = LevelRequest::from_args(args)?;
    let watch = session.output.watch(&session.progress);
    // TetGen needs a surface without self-intersections
    let crossing = match args.mesher.as_str() {
        "tetgen" => CrossingShells::Wrapped,
        _ => CrossingShells::Kept,
    };
    let Source {
        surface,
        tets,
        repaired,
        mut notes,
    } = load_source(&args.mesh, &args.import, crossing, &session.progress)?;
    let tets = tets.filter(|tets| match fits_together(tets) {
        Ok(()) => true,
        Err(why) => {
            notes.push(format!(
                "the tetrahedra of the file were not used, only their boundary: {why}"
            ));
            false
        }
    });
    OutFolder::allowed(Some(&args.out), "mesh")?;
    let mesher: Box<dyn TetMesher> = match args.mesher.as_str() {
        "tetgen" => Box::new(TetGenProcess::find()?),
        _ => Box::new(Stuffing),
    };
    let key = request.key(&surface, tets.as_ref(), mesher.name());
    let kept = session.cache.load(KIND, key);
    let (sequence, from_cache) = match kept.and_then(|bytes| ResolutionSequence::from_bytes(&bytes))
    {
        Some(sequence) => (sequence, true),
        None => {
            let sequence =
                request.build(&surface, tets.as_ref(), mesher.as_ref(), &session.progress)?;
            session.progress.stage("storing");
            session.cache.store(KIND, key, &[&sequence.to_bytes()]);
            (sequence, false)
        }
    };
    let levels = &sequence.levels;
    require_fit(&surface, levels)?;
    session.progress.stage("parents");
    let hierarchy = hierarchy_json(levels, &session.progress)?;
    session.progress.stage("writing");
    session.progress.check()?;
    let out = OutFolder::prepare(Some(&args.out), "mesh")?;
    write(&out, &surface, levels, &hierarchy, &session.progress)?;
    drop(watch);
    let entries: Vec<Value> = levels
        .iter()
        .enumerate()
        .map(|(k, l)| level_json(k, l, &sequence))
        .collect();
    print(&session.output, levels);
    print_repairs(session, &repaired);
    notes.extend(sequence.notes.iter().cloned());
    for note in &notes {
        session.output.remark(Note::read(note).to_string());
    }
    session.output.written_to(out.path());
    Ok(Done::new(json!({
        "levels": entries, "repaired": repaired, "notes": notes, "finest_from_file": tets.is_some(), "mesher": mesher.name(), "from_cache": from_cache,
        "seconds": started.elapsed().as_secs_f64(), "peak_mb": peak_megabytes(),
    })))
}

/// Prints a line for each level.
fn print(out: &Output, levels: &[Level]) {
    for (k, level) in levels.iter().enumerate() {
        out.line(format!(
            "level {k}: {} nodes, {} tetrahedra, angles {:.1} to {:.1} degrees, volume {:.1} %, distance {:.2} % of the diagonal",
            level.mesh.nodes.len(),
            level.mesh.tets.len(),
            level.min_dihedral_deg,
            level.max_dihedral_deg,
            level.volume_ratio * 100.0,
            level.hausdorff_rel * 100.0
        ));
    }
}

/// Writes the surface, the levels and the parent and child nodes: all files or, after a cancellation, none.
fn write(
    out: &OutFolder,
    surface: &SurfaceMesh,
    levels: &[Level],
    hierarchy: &Value,
    progress: &Progress,
) -> Result<(), Failure> {
    let files = (0..levels.len()).map(level_file);
    let unfinished = out.begin(files.chain(["surface.obj", "hierarchy.json"].map(String::from)));
    let unwritable = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| Failure::unwritable(&path, &e)
    };
    let skin = out.path().join("surface.obj");
    write_obj(&skin, surface).map_err(unwritable(&skin))?;
    for (k, level) in levels.iter().enumerate() {
        progress.check()?;
        progress.set_fraction((k + 1) as f64 / (levels.len() + 2) as f64);
        let file = out.path().join(level_file(k));
        write_vtu_tets(&file, &level.mesh).map_err(unwritable(&file))?;
    }
    out.remove_from(levels.len(), level_file);
    out.write("hierarchy.json", format!("{hierarchy:#}\n").as_bytes())?;
    progress.check()?;
    unfinished.complete();
    Ok(())
}

/// Name of a level's file; 0 is the coarsest.
fn level_file(k: usize) -> String {
    format!("level-{k}.vtu")
}

fn level_json(k: usize, level: &Level, sequence: &ResolutionSequence) -> Value {
    json!({
        "nodes": level.mesh.nodes.len(), "tets": level.mesh.tets.len(), "edge_mean": level.edge_mean,
        "file": level_file(k),
        "min_dihedral_deg": level.min_dihedral_deg, "max_dihedral_deg": level.max_dihedral_deg,
        "away_from_features": {
            "min_dihedral_deg": level.away_dihedral_deg.0, "max_dihedral_deg": level.away_dihedral_deg.1,
        },
        "features": { "matched": level.matched, "refused": level.refused },
        "min_volume": level.min_volume, "volume_ratio": level.volume_ratio,
        "hausdorff_rel": level.hausdorff_rel, "radius_edge": level.radius_edge, "thickened": level.thickened,
        "topology": {
            "components": level.shape.components, "genus": level.shape.genus,
            "input_components": sequence.input.components, "input_genus": sequence.input.genus,
            "kept": level.shape == sequence.input,
        },
        "seconds": level.seconds,
    })
}

/// The parent and the children of each node of each level.
fn hierarchy_json(levels: &[Level], progress: &Progress) -> Result<Value, Failure> {
    let meshes: Vec<&TetMesh> = levels.iter().map(|level| &level.mesh).collect();
    let maps = parent_child_maps(&meshes, progress)?;
    let entry = |(k, mesh): (usize, &&TetMesh)| {
        let mut entry = json!({ "file": level_file(k), "nodes": mesh.nodes.len() });
        if k > 0 {
            entry["parent"] = json!(maps[k - 1].parents);
        }
        if let Some(to_next) = maps.get(k) {
            entry["children"] = json!(to_next.children);
        }
        entry
    };
    let entries: Vec<Value> = meshes.iter().enumerate().map(entry).collect();
    Ok(json!({ "levels": entries }))
}
