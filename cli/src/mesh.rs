//! `pliant mesh`: levels of tetrahedra as files.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Instant;

use pliant_adaptive::hierarchy::geodesic_parents;
use pliant_adaptive::hierarchy::parenting::children;
use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::io::{read_mesh, write_obj, write_vtu_tets};
use pliant_meshing::lod::{Level, build_levels, default_targets};
use pliant_meshing::procedural::{ProceduralSpec, body, names};
use pliant_meshing::repair::{make_solid, require_solid};
use pliant_meshing::stuffing::Stuffing;
use pliant_meshing::tetgen::TetGenProcess;
use pliant_meshing::tetrahedralise::{TetMesher, TetTarget};
use serde_json::{Value, json};

use crate::args::{Import, Mesh};
use crate::failure::Failure;
use crate::out_folder::OutFolder;
use crate::output::number;
use crate::session::Session;

/// Runs the command.
pub fn mesh(session: &Session, args: &Mesh) -> Result<u8, Failure> {
    let started = Instant::now();
    if args.nodes.iter().any(|n| *n < 4) {
        return Err(Failure::bad_input(
            "BadNodes",
            "a level needs at least 4 nodes",
            "give larger numbers to --nodes",
        ));
    }
    let watch = session.output.watch(&session.progress);
    let (surface, repaired) = surface_of(&args.mesh, &args.import, &session.progress)?;
    let out = OutFolder::prepare(Some(&args.out), "mesh")?;
    let mesher: Box<dyn TetMesher> = if args.mesher == "tetgen" {
        Box::new(TetGenProcess::find()?)
    } else {
        Box::new(Stuffing)
    };
    let targets: Vec<TetTarget> = if args.nodes.is_empty() {
        let count = usize::from(args.levels.unwrap_or(3));
        let mut targets: Vec<TetTarget> =
            default_targets(&surface).into_iter().take(count).collect();
        let mut nodes = 8000;
        while targets.len() < count {
            nodes *= 5;
            targets.push(TetTarget::Nodes(nodes));
        }
        targets
    } else {
        args.nodes.iter().copied().map(TetTarget::Nodes).collect()
    };
    let levels = build_levels(&surface, &targets, mesher.as_ref(), &session.progress)?;
    session.progress.stage("writing");
    let unwritable = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| Failure::unwritable(&path, &e)
    };
    let skin = out.path().join("surface.obj");
    write_obj(&skin, &surface).map_err(unwritable(&skin))?;
    for (k, level) in levels.iter().enumerate() {
        let file = out.path().join(format!("level-{k}.vtu"));
        write_vtu_tets(&file, &level.mesh).map_err(unwritable(&file))?;
    }
    let hierarchy = hierarchy_json(&levels, &session.progress)?;
    out.write("hierarchy.json", format!("{hierarchy:#}\n").as_bytes())?;
    drop(watch);
    let entries: Vec<Value> = levels
        .iter()
        .enumerate()
        .map(|(k, l)| level_json(k, l))
        .collect();
    for (k, level) in levels.iter().enumerate() {
        session.output.line(format!(
            "level {k}: {} nodes, {} tetrahedra, angles {:.1} to {:.1} degrees, volume {:.1} %, distance {:.2} % of the diagonal",
            level.mesh.nodes.len(),
            level.mesh.tets.len(),
            level.min_dihedral_deg,
            level.max_dihedral_deg,
            level.volume_ratio * 100.0,
            level.hausdorff_rel * 100.0
        ));
    }
    session
        .output
        .line(format!("written to {}", out.path().display()));
    session.output.json(
        "mesh",
        true,
        json!({
            "levels": entries, "repaired": repaired, "mesher": mesher.name(),
            "seconds": number(started.elapsed().as_secs_f64()), "peak_mb": peak_megabytes(),
        }),
    )?;
    Ok(0)
}

/// A solid from a file, repaired as the options say, or from a generator; what was repaired, a sentence each.
pub fn surface_of(
    source: &OsStr,
    import: &Import,
    progress: &Progress,
) -> Result<(SurfaceMesh, Vec<String>), Failure> {
    let path = Path::new(source);
    if let Some(name) = names().iter().find(|name| **name == source)
        && !path.exists()
    {
        let skin = body(&ProceduralSpec::new(name), progress)
            .map_err(|e| Failure::from_text("Procedural", &e.to_string(), None))?;
        return Ok((skin, Vec::new()));
    }
    let file = read_mesh(path).map_err(|e| Failure::reading(path, &e))?;
    let solid = if import.mends() {
        make_solid
    } else {
        require_solid
    };
    let repaired = solid(&file.surface, progress).map_err(|e| Failure::repairing(path, &e))?;
    let mut surface = repaired.surface;
    let steps = repaired.steps.into_iter().map(|s| s.message).collect();
    let factor = match import.units.as_deref() {
        Some("mm") => 0.001,
        Some("cm") => 0.01,
        Some("in") => 0.0254,
        _ => 1.0,
    };
    for x in &mut surface.positions {
        *x *= factor;
        if import.up.as_deref() == Some("z") {
            *x = pliant_core::math::Vec3::new(x.x, x.z, -x.y);
        }
    }
    Ok((surface, steps))
}

fn level_json(k: usize, level: &Level) -> Value {
    json!({
        "nodes": level.mesh.nodes.len(), "tets": level.mesh.tets.len(), "edge_mean": number(level.mesh.mean_edge()),
        "file": format!("level-{k}.vtu"),
        "min_dihedral_deg": number(level.min_dihedral_deg), "max_dihedral_deg": number(level.max_dihedral_deg),
        "min_volume": number(level.min_volume), "volume_ratio": number(level.volume_ratio),
        "hausdorff_rel": number(level.hausdorff_rel), "thickened": number(level.thickened), "seconds": number(level.seconds),
    })
}

fn hierarchy_json(levels: &[Level], progress: &Progress) -> Result<Value, Failure> {
    let mut parents = Vec::new();
    for pair in levels.windows(2) {
        let made = geodesic_parents(&pair[1].mesh, &pair[0].mesh, progress)?;
        parents.push(made.parents);
    }
    let entries: Vec<Value> = levels
        .iter()
        .enumerate()
        .map(|(k, level)| {
            let mut entry =
                json!({ "file": format!("level-{k}.vtu"), "nodes": level.mesh.nodes.len() });
            if k > 0 {
                entry["parent"] = json!(parents[k - 1]);
            }
            if let Some(of_next) = parents.get(k) {
                let rows = children(of_next, level.mesh.nodes.len());
                entry["children"] = (0..rows.len()).map(|n| json!(rows.row(n))).collect();
            }
            entry
        })
        .collect();
    Ok(json!({ "levels": entries }))
}

/// Largest resident memory of this process so far, MB; `null` where the system does not tell.
pub fn peak_megabytes() -> Value {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| {
            rest.trim()
                .trim_end_matches("kB")
                .trim()
                .parse::<f64>()
                .ok()
        })
        .map_or(Value::Null, |kb| number(kb / 1024.0))
}
