//! Description of a baked file.

use std::path::Path;

use pliant_adaptive::LodHierarchy;
use pliant_core::material::Material;
use pliant_core::mesh::SurfaceMesh;
use pliant_lattice::LatticeAsset;
use pliant_quasistatic::GreensAsset;
use pliant_render::note::Note;
use pliant_simulation::build::{BakedFile, open_baked_file};
use pliant_simulation::error::variant_name;
use pliant_simulation::journal::ColumnFile;
use pliant_simulation::reference::RecordedRun;
use serde_json::{Value, json};

use super::findings::{Findings, Line, comma_list};
use crate::commands::greens::releasable;
use crate::failure::Failure;

/// Describes the baked file in `bytes`.
pub(super) fn findings(file: &Path, bytes: &[u8]) -> Result<Findings, Failure> {
    let name = file.display().to_string();
    let opened = open_baked_file(bytes).map_err(|error| {
        let text = format!("{name}: {error}");
        Failure::from_text(&variant_name(&error), &text, Some(name.clone()))
    })?;
    let mut findings = match &opened.content {
        BakedFile::Greens(asset) => greens(asset),
        BakedFile::Levels(levels) => hierarchy(levels),
        BakedFile::Lattice(asset) => lattice(asset),
        BakedFile::Reference(run) => reference(run),
        BakedFile::Columns(columns) => unfinished(columns),
    };
    if let Some(version) = opened.version {
        findings.lines.insert(0, ("version", version.to_string()));
    }
    for note in &opened.notes {
        findings.lines.push(("note", note.clone()));
    }
    if let Some(fields) = findings.fields.as_object_mut() {
        fields.insert("version".into(), json!(opened.version));
        fields.insert("from_cache".into(), json!(opened.from_cache));
        fields.insert("remarks".into(), json!(opened.notes));
    }
    Ok(findings)
}

fn skin_line(skin: &SurfaceMesh) -> Line {
    let size = skin.bounds().size();
    let text = format!(
        "{} vertices, {} triangles, {:.4} x {:.4} x {:.4} m",
        skin.vertex_count(),
        skin.triangles.len(),
        size.x,
        size.y,
        size.z
    );
    ("skin", text)
}

fn material_line(material: &Material) -> Line {
    let text = format!(
        "Young's modulus {} Pa, Poisson's ratio {}, density {} kg/m3",
        material.elastic.young, material.elastic.poisson, material.density
    );
    ("material", text)
}

fn note_lines(notes: &[String]) -> impl Iterator<Item = Line> {
    let text = |note: &String| Note::read(note).to_string();
    notes.iter().map(move |note| ("note", text(note)))
}

/// Description of a baked body: what all of them have, then its own lines and fields.
fn body(
    kind: &'static str,
    (skin, material): (&SurfaceMesh, &Material),
    supports: &[&str],
    own_lines: Vec<Line>,
    own_fields: Value,
) -> Findings {
    let mut lines = vec![skin_line(skin), material_line(material)];
    lines.extend(own_lines);
    let mut fields = json!({
        "skin_vertices": skin.vertex_count(), "triangles": skin.triangles.len(),
        "young": material.elastic.young, "poisson": material.elastic.poisson,
        "density": material.density, "supports": supports,
    });
    if let (Some(fields), Value::Object(own)) = (fields.as_object_mut(), own_fields) {
        fields.extend(own);
    }
    Findings {
        kind,
        lines,
        fields,
    }
}

fn greens(asset: &GreensAsset) -> Findings {
    let matrix = &asset.matrix;
    let dense = 9 * matrix.nodes() * matrix.nodes() * matrix.precision().bytes();
    let stored = matrix.bytes();
    let form = match matrix.wavelets() {
        Some(_) => "wavelets",
        None if stored == dense => "dense",
        None => "hierarchical matrix",
    };
    let supports: Vec<&str> = asset.supports.iter().map(|s| s.name.as_str()).collect();
    let inside: Vec<&str> = asset.inside.iter().map(|p| p.named.name.as_str()).collect();
    let releasable = releasable(asset);
    let nodes = asset.nodes();
    let finished = nodes - matrix.missing().len();
    let mut lines = vec![
        (
            "columns",
            format!(
                "of {finished} of {nodes} free boundary nodes, {form}: {:.1} MB, {:.1} MB as dense columns",
                stored as f64 / 1e6,
                dense as f64 / 1e6
            ),
        ),
        ("unknowns", asset.unknowns.to_string()),
        ("supports", comma_list(&supports)),
        ("releasable", comma_list(&releasable)),
        ("inside", comma_list(&inside)),
    ];
    lines.extend(note_lines(&asset.notes));
    let fields = json!({
        "form": form, "free": nodes, "columns_of_nodes": finished, "unknowns": asset.unknowns,
        "stored_mb": stored as f64 / 1e6, "dense_mb": dense as f64 / 1e6,
        "inside": inside, "releasable": releasable, "notes": asset.notes,
    });
    let of = (&*asset.skin, &asset.material);
    body("Green's functions", of, &supports, lines, fields)
}

fn hierarchy(levels: &LodHierarchy) -> Findings {
    let supports: Vec<&str> = levels.supports.iter().map(String::as_str).collect();
    let (mut lines, mut sizes) = (Vec::new(), Vec::new());
    for level in &levels.levels {
        let (nodes, tets) = (level.node_count(), level.mesh.tets.len());
        lines.push(("level", format!("{nodes} nodes, {tets} tetrahedra")));
        sizes.push(json!({ "nodes": nodes, "tets": tets }));
    }
    let megabytes = levels.bytes() as f64 / 1e6;
    lines.push(("memory", format!("{megabytes:.1} MB")));
    lines.push(("supports", comma_list(&supports)));
    lines.extend(note_lines(&levels.notes));
    let fields = json!({ "levels": sizes, "memory_mb": megabytes, "notes": levels.notes });
    let of = (&*levels.skin, &levels.material);
    body("levels of finite elements", of, &supports, lines, fields)
}

fn lattice(asset: &LatticeAsset) -> Findings {
    let supports: Vec<&str> = asset.support_names.iter().map(String::as_str).collect();
    let [x, y, z] = asset.dims;
    let lines = vec![
        (
            "lattice",
            format!(
                "{} particles in {x} x {y} x {z} sites, cells of {:.5} m, half-width {}",
                asset.particle_count(),
                asset.cell,
                asset.half_width
            ),
        ),
        (
            "regions",
            format!(
                "{}, in {} pieces",
                asset.region_count(),
                asset.component_count()
            ),
        ),
        ("supports", comma_list(&supports)),
    ];
    let fields = json!({
        "particles": asset.particle_count(), "dims": asset.dims, "cell": asset.cell, "half_width": asset.half_width,
        "regions": asset.region_count(), "components": asset.component_count(), "volume_ratio": asset.volume_ratio,
    });
    let of = (&*asset.skin, &asset.material);
    body("lattice", of, &supports, lines, fields)
}

fn reference(run: &RecordedRun) -> Findings {
    let surfaces = run.surfaces.len();
    Findings {
        kind: "reference run",
        lines: vec![
            ("nodes", run.nodes.to_string()),
            ("frames", run.frames().to_string()),
            ("surfaces", surfaces.to_string()),
        ],
        fields: json!({ "nodes": run.nodes, "frames": run.frames(), "surfaces": surfaces, "seconds": run.seconds }),
    }
}

fn unfinished(file: &ColumnFile) -> Findings {
    Findings {
        kind: "unfinished Green's functions",
        lines: vec![
            (
                "columns",
                format!(
                    "{} of {}, {} numbers of {} bytes each",
                    file.finished(),
                    file.columns,
                    file.height,
                    file.number_bytes
                ),
            ),
            ("bake", format!("{:032x}", file.key)),
        ],
        fields: json!({
            "columns": file.columns, "finished": file.finished(), "height": file.height,
            "number_bytes": file.number_bytes, "key": format!("{:032x}", file.key),
        }),
    }
}
