//! `pliant mesh`: levels of tetrahedra as files.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Instant;

use pliant_adaptive::hierarchy::geodesic_parents;
use pliant_adaptive::hierarchy::parenting::children;
use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_meshing::error::MeshingError;
use pliant_meshing::io::{read_mesh, write_obj, write_vtu_tets};
use pliant_meshing::lod::{
    Level, ResolutionSequence, ResolutionSequenceSpec, build_given, build_resolution_sequence,
    build_targets, fits_together, targets_below,
};
use pliant_meshing::procedural::{ProceduralSpec, body, names};
use pliant_meshing::repair::{make_solid, make_solid_of_sheets, require_solid};
use pliant_meshing::report::require_fit;
use pliant_meshing::stuffing::{GradedStuffing, Grading, Stuffing};
use pliant_meshing::tetgen::TetGenProcess;
use pliant_meshing::tetrahedralise::{TetMesher, TetTarget};
use pliant_simulation::geometry::MESHING_VERSION;
use serde_json::{Value, json};

use crate::args::{Import, Mesh};
use crate::failure::Failure;
use crate::out_folder::OutFolder;
use crate::output::number;
use crate::session::Session;

/// Runs the command.
pub fn mesh(session: &Session, args: &Mesh) -> Result<u8, Failure> {
    let started = Instant::now();
    let request = Request::of(args)?;
    let watch = session.output.watch(&session.progress);
    let Source {
        surface,
        tets,
        repaired,
        mut notes,
    } = source_of(&args.mesh, &args.import, &session.progress)?;
    let tets = tets.filter(|tets| match fits_together(tets) {
        Ok(()) => true,
        Err(why) => {
            notes.push(format!(
                "the tetrahedra of the file were not taken over, only their boundary: {why}"
            ));
            false
        }
    });
    OutFolder::allowed(Some(&args.out), "mesh")?;
    let mesher: Box<dyn TetMesher> = match args.mesher.as_str() {
        "tetgen" => Box::new(TetGenProcess::find()?),
        "stuffing-graded" => Box::new(GradedStuffing(Grading::Inside)),
        "stuffing-thin" => Box::new(GradedStuffing(Grading::Thin)),
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
            session.cache.store(KIND, key, &sequence.to_bytes());
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
    let files = (0..levels.len()).map(level_file);
    let unfinished = out.begin(files.chain(["surface.obj", "hierarchy.json"].map(String::from)));
    let unwritable = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| Failure::unwritable(&path, &e)
    };
    let skin = out.path().join("surface.obj");
    write_obj(&skin, &surface).map_err(unwritable(&skin))?;
    for (k, level) in levels.iter().enumerate() {
        session.progress.check()?;
        session
            .progress
            .set_fraction((k + 1) as f64 / (levels.len() + 2) as f64);
        let file = out.path().join(level_file(k));
        write_vtu_tets(&file, &level.mesh).map_err(unwritable(&file))?;
    }
    // an earlier run into the same folder may have left finer ones
    for k in levels.len().. {
        if std::fs::remove_file(out.path().join(level_file(k))).is_err() {
            break;
        }
    }
    out.write("hierarchy.json", format!("{hierarchy:#}\n").as_bytes())?;
    session.progress.check()?;
    unfinished.complete();
    drop(watch);
    let entries: Vec<Value> = levels
        .iter()
        .enumerate()
        .map(|(k, l)| level_json(k, l, &sequence))
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
    notes.extend(sequence.notes.iter().cloned());
    for note in &notes {
        session.output.remark(note);
    }
    session
        .output
        .line(format!("written to {}", out.path().display()));
    session.output.json(
        "mesh",
        true,
        json!({
            "levels": entries, "repaired": repaired, "notes": notes, "finest_from_file": tets.is_some(), "mesher": mesher.name(), "from_cache": from_cache,
            "seconds": number(started.elapsed().as_secs_f64()), "peak_mb": peak_megabytes(),
        }),
    )?;
    Ok(0)
}

/// Name of these assets in the cache.
const KIND: &str = "levels";

/// Which levels are asked for.
enum Request {
    Targets(Vec<TetTarget>),
    ResolutionSequence(ResolutionSequenceSpec),
}

impl Request {
    fn of(args: &Mesh) -> Result<Self, Failure> {
        if args.nodes.iter().any(|n| *n < 4) {
            return Err(Failure::bad_input(
                "BadNodes",
                "a level needs at least 4 nodes",
                "give larger numbers to --nodes",
            ));
        }
        if args.edge.iter().any(|e| !(e.is_finite() && *e > 0.0)) {
            return Err(Failure::bad_input(
                "BadEdge",
                "an edge length must be a positive number of metres",
                "give other numbers to --edge",
            ));
        }
        if let Some(levels) = args.levels
            && !args.nodes.is_empty()
            && args.nodes.len() != usize::from(levels)
        {
            return Err(Failure::bad_input(
                "Usage",
                format!(
                    "--levels {levels} and {} numbers in --nodes contradict each other",
                    args.nodes.len()
                ),
                "leave one of them out",
            ));
        }
        let nodes = args.nodes.iter().copied().map(TetTarget::Nodes);
        let edges = args.edge.iter().copied().map(TetTarget::Edge);
        let targets: Vec<TetTarget> = nodes.chain(edges).collect();
        Ok(if targets.is_empty() {
            Self::ResolutionSequence(ResolutionSequenceSpec {
                levels: args.levels.map(usize::from),
                ..ResolutionSequenceSpec::default()
            })
        } else {
            Self::Targets(targets)
        })
    }

    /// The request in words for the cache key. The words are older than the names of the types: others would make every
    /// cached sequence useless.
    fn key_text(&self) -> String {
        match self {
            Self::Targets(targets) => format!("Targets({targets:?})"),
            Self::ResolutionSequence(ResolutionSequenceSpec {
                levels,
                tolerance,
                most_nodes,
            }) => format!(
                "Ladder(LadderSpec {{ levels: {levels:?}, tolerance: {tolerance:?}, most_nodes: {most_nodes:?} }})"
            ),
        }
    }

    /// Names the levels by everything that they depend on.
    fn key(&self, surface: &SurfaceMesh, tets: Option<&TetMesh>, mesher: &str) -> AssetKey {
        let mut key = KeyHasher::new(KIND, MESHING_VERSION);
        key.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
        key.bytes(
            "request",
            format!("{} {mesher}", self.key_text()).as_bytes(),
        );
        key.positions("positions", &surface.positions);
        key.indices("triangles", surface.triangles.iter().flatten().copied());
        if let Some(tets) = tets {
            key.positions("nodes", &tets.nodes);
            key.indices("tetrahedra", tets.tets.iter().flatten().copied());
        }
        key.finish()
    }

    fn build(
        &self,
        surface: &SurfaceMesh,
        tets: Option<&TetMesh>,
        mesher: &dyn TetMesher,
        progress: &Progress,
    ) -> Result<ResolutionSequence, MeshingError> {
        match (self, tets) {
            (Self::Targets(targets), Some(tets)) => {
                build_given(tets, surface, targets, mesher, progress)
            }
            (Self::ResolutionSequence(spec), Some(tets)) => {
                let coarser = spec.levels.map(|n| n.saturating_sub(1));
                let targets = targets_below(surface, tets.nodes.len(), coarser);
                build_given(tets, surface, &targets, mesher, progress)
            }
            (Self::Targets(targets), None) => build_targets(surface, targets, mesher, progress),
            (Self::ResolutionSequence(spec), None) => {
                build_resolution_sequence(surface, spec, mesher, progress)
            }
        }
    }
}

/// What is meshed.
struct Source {
    /// A solid in metres, y up.
    surface: SurfaceMesh,
    /// The tetrahedra of the file, likewise.
    tets: Option<TetMesh>,
    /// What was repaired, a sentence each.
    repaired: Vec<String>,
    /// What the reader remarked.
    notes: Vec<String>,
}

/// A solid from a file, repaired as the options say, or from a generator; what was repaired, a sentence each.
pub fn surface_of(
    source: &OsStr,
    import: &Import,
    progress: &Progress,
) -> Result<(SurfaceMesh, Vec<String>), Failure> {
    let source = source_of(source, import, progress)?;
    Ok((source.surface, source.repaired))
}

fn source_of(source: &OsStr, import: &Import, progress: &Progress) -> Result<Source, Failure> {
    let path = Path::new(source);
    if let Some(name) = names().iter().find(|name| **name == source)
        && !path.exists()
    {
        let surface = body(&ProceduralSpec::new(name), progress)
            .map_err(|e| Failure::from_text("Procedural", &e.to_string(), None))?;
        return Ok(Source {
            surface,
            tets: None,
            repaired: Vec::new(),
            notes: Vec::new(),
        });
    }
    let file = read_mesh(path).map_err(|e| Failure::reading(path, &e))?;
    let repaired = match import.thickness {
        _ if !import.mends() => require_solid(&file.surface, progress),
        None => make_solid(&file.surface, progress),
        Some(metres) => make_solid_of_sheets(&file.surface, metres / import.metres(), progress),
    };
    let repaired = repaired.map_err(|e| Failure::repairing(path, &e))?;
    let (mut surface, mut tets) = (repaired.surface, file.tets);
    orient(&mut surface.positions, import);
    if let Some(tets) = &mut tets {
        orient(&mut tets.nodes, import);
    }
    Ok(Source {
        surface,
        tets,
        repaired: repaired.steps.into_iter().map(|s| s.message).collect(),
        notes: file.notes,
    })
}

/// A surface from a file as it is, with whatever holes it has.
pub fn surface_as_it_is(source: &OsStr, import: &Import) -> Result<SurfaceMesh, Failure> {
    let path = Path::new(source);
    let file = read_mesh(path).map_err(|e| Failure::reading(path, &e))?;
    let mut surface = file.surface;
    orient(&mut surface.positions, import);
    Ok(surface)
}

/// Applies unit and up axis.
fn orient(points: &mut [Vec3], import: &Import) {
    let factor = import.metres();
    for x in points {
        *x *= factor;
        if import.up.as_deref() == Some("z") {
            *x = Vec3::new(x.x, x.z, -x.y);
        }
    }
}

/// Name of a level's file; 0 is the coarsest.
fn level_file(k: usize) -> String {
    format!("level-{k}.vtu")
}

fn level_json(k: usize, level: &Level, sequence: &ResolutionSequence) -> Value {
    json!({
        "nodes": level.mesh.nodes.len(), "tets": level.mesh.tets.len(), "edge_mean": number(level.edge_mean),
        "file": level_file(k),
        "min_dihedral_deg": number(level.min_dihedral_deg), "max_dihedral_deg": number(level.max_dihedral_deg),
        "away_from_features": {
            "min_dihedral_deg": number(level.away_dihedral_deg.0), "max_dihedral_deg": number(level.away_dihedral_deg.1),
        },
        "features": { "matched": level.matched, "refused": level.refused },
        "min_volume": number(level.min_volume), "volume_ratio": number(level.volume_ratio),
        "hausdorff_rel": number(level.hausdorff_rel), "radius_edge": number(level.radius_edge), "thickened": number(level.thickened),
        "topology": {
            "components": level.shape.components, "genus": level.shape.genus,
            "input_components": sequence.input.components, "input_genus": sequence.input.genus,
            "kept": level.shape == sequence.input,
        },
        "seconds": number(level.seconds),
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
            let mut entry = json!({ "file": level_file(k), "nodes": level.mesh.nodes.len() });
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

/// Largest resident memory of this process so far, MB (10^6 bytes); `null` where the system does not tell.
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
        .map_or(Value::Null, |kb| number(kb * 1024.0 / 1e6))
}
