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

use super::findings::{Findings, comma_list};
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

fn skin_line(skin: &SurfaceMesh) -> (&'static str, String) {
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

fn material_line(material: &Material) -> (&'static str, String) {
    let text = format!(
        "Young's modulus {} Pa, Poisson's ratio {}, density {} kg/m3",
        material.elastic.young, material.elastic.poisson, material.density
    );
    ("material", text)
}

/// Fields that all baked bodies have.
fn body_fields(skin: &SurfaceMesh, material: &Material, supports: &[&str]) -> Value {
    json!({
        "skin_vertices": skin.vertex_count(), "triangles": skin.triangles.len(),
        "young": material.elastic.young, "poisson": material.elastic.poisson,
        "density": material.density, "supports": supports,
    })
}

/// `fields` extended by `others`.
fn joined(mut fields: Value, others: Value) -> Value {
    if let (Some(fields), Value::Object(others)) = (fields.as_object_mut(), others) {
        fields.extend(others);
    }
    fields
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
        skin_line(&asset.skin),
        material_line(&asset.material),
        (
            "columns",
            format!(
                "of {finished} of {nodes} free boundary nodes, {form}: {:.1} MB, {:.1} MB as dense columns",
                stored as f64 / 1e6,
                dense as f64 / 1e6
            ),
        ),
        ("unknowns", asset.unknowns.to_string()),
        ("supports", comma_list(supports.iter().copied())),
        ("releasable", comma_list(releasable.iter().copied())),
        ("inside", comma_list(inside.iter().copied())),
    ];
    lines.extend(
        asset
            .notes
            .iter()
            .map(|note| ("note", Note::read(note).to_string())),
    );
    let fields = json!({
        "form": form, "free": nodes, "columns_of_nodes": finished, "unknowns": asset.unknowns,
        "stored_mb": stored as f64 / 1e6, "dense_mb": dense as f64 / 1e6,
        "inside": inside, "releasable": releasable, "notes": asset.notes,
    });
    Findings {
        kind: "Green's functions",
        lines,
        fields: joined(body_fields(&asset.skin, &asset.material, &supports), fields),
    }
}

fn hierarchy(levels: &LodHierarchy) -> Findings {
    let supports: Vec<&str> = levels.supports.iter().map(String::as_str).collect();
    let mut lines = vec![skin_line(&levels.skin), material_line(&levels.material)];
    for level in &levels.levels {
        let text = format!(
            "{} nodes, {} tetrahedra",
            level.node_count(),
            level.mesh.tets.len()
        );
        lines.push(("level", text));
    }
    lines.push(("memory", format!("{:.1} MB", levels.bytes() as f64 / 1e6)));
    lines.push(("supports", comma_list(supports.iter().copied())));
    lines.extend(
        levels
            .notes
            .iter()
            .map(|note| ("note", Note::read(note).to_string())),
    );
    let sizes: Vec<Value> = levels
        .levels
        .iter()
        .map(|level| json!({ "nodes": level.node_count(), "tets": level.mesh.tets.len() }))
        .collect();
    let fields =
        json!({ "levels": sizes, "memory_mb": levels.bytes() as f64 / 1e6, "notes": levels.notes });
    Findings {
        kind: "levels of finite elements",
        lines,
        fields: joined(
            body_fields(&levels.skin, &levels.material, &supports),
            fields,
        ),
    }
}

fn lattice(asset: &LatticeAsset) -> Findings {
    let supports: Vec<&str> = asset.support_names.iter().map(String::as_str).collect();
    let [x, y, z] = asset.dims;
    let lines = vec![
        skin_line(&asset.skin),
        material_line(&asset.material),
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
        ("supports", comma_list(supports.iter().copied())),
    ];
    let fields = json!({
        "particles": asset.particle_count(), "dims": asset.dims, "cell": asset.cell, "half_width": asset.half_width,
        "regions": asset.region_count(), "components": asset.component_count(), "volume_ratio": asset.volume_ratio,
    });
    Findings {
        kind: "lattice",
        lines,
        fields: joined(body_fields(&asset.skin, &asset.material, &supports), fields),
    }
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
