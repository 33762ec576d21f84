//! From a checked scene to a [`Setup`]: reads or generates the skin and resolves everything that refers to it.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::contact::ToolShape;
use pliant_core::diagnostics::with_body_name;
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{BodyDescription, SceneDescription, VertexWeight};

use super::attributes::requested_attributes;
use super::bodies::{findings_of_all, held_of_all, places, scene_skin, vertices_of_kinds};
use super::body::{Body, UnlikelySize, build_body};
use super::contact_refinement::{halve_for_blades, halve_long_triangles, refine_for_tools};
use super::hand::apply_hand;
use super::mesh_findings::MeshFindings;
use super::scene_notes::large_strain::large_strain_note;
use super::scene_notes::note::{NoteSubject, SceneNote};
use super::scene_notes::{self, coarse_skin, overlap, standing, tool_overlap};
use super::scene_setup::{Setup, SetupTool};
use super::tool_shapes::tool_shapes;
use super::touch::{SceneSkin, empty_selection, grabs, probes, refuse_missing_vertex, tools};
use crate::error::BuildError;
use crate::scenes::{LoadedScene, is_drop_in};

/// Gravity (m/s²) from which on a note doubts its unit: fifty times that of the Earth.
const STRONG_GRAVITY: f64 = 500.0;

/// Builds what all methods share: reads or generates the skin and resolves everything that refers to it.
///
/// # Errors
/// [`BuildError`] names the file, key or tool.
pub fn prepare(scene: &LoadedScene, progress: &Progress) -> Result<Setup, BuildError> {
    prepare_kind(scene, scene.description.clone(), 0, progress)
}

/// The kinds of bodies behind the first of a scene.
fn prepare_others(scene: &LoadedScene, progress: &Progress) -> Result<Vec<Setup>, BuildError> {
    let description = &scene.description;
    let others = description.others.iter().enumerate();
    let prepared = others.map(|(k, body)| {
        let alone = SceneDescription {
            body: body.clone(),
            others: Vec::new(),
            // they cut bodies of all kinds
            tools: description.blades().cloned().collect(),
            grabs: Vec::new(),
            probes: Vec::new(),
            checks: Vec::new(),
            // copies of two kinds are not shaken alike
            seed: description.seed ^ (k as u64 + 1) << 32,
            ..description.clone()
        };
        prepare_kind(scene, alone, k + 1, progress)
    });
    prepared.collect()
}

/// Body number `kind` of a scene; for the first body also the other kinds and all that touches them.
fn prepare_kind(
    scene: &LoadedScene,
    mut description: SceneDescription,
    kind: usize,
    progress: &Progress,
) -> Result<Setup, BuildError> {
    let mut notes = text_notes(&mut description, kind);
    let (mut body_notes, mut tool_notes) = (Vec::new(), Vec::new());
    if !description.body.adaptive.models.is_empty() {
        body_notes.push("adaptive.models: `pliant oscillate` runs all of them; here the model is that of material.law".to_string());
    }
    let Body {
        mut skin,
        box_size,
        tets,
        attributes,
        mut repairs,
        found,
        scaled_from,
    } = read_body(scene, &description.body, kind, progress, &mut body_notes)?;
    // a scene file says itself to which length its mesh is scaled
    let scaled_from = scaled_from.filter(|_| is_drop_in(&scene.text));
    body_notes.extend(scaled_from.map(|written| scaled_note(written, &skin)));
    let unlikely_size = UnlikelySize::detect(&description.body, &skin);
    let with_size = |error| UnlikelySize::explain(unlikely_size.as_ref(), error);
    let shapes = tool_shapes(scene, &description, progress, &mut tool_notes)?;
    let unrefined = skin.clone();
    let refined = refine_skin(&mut skin, &description, kind, &shapes, &mut body_notes);
    let (has_long_edges, scripted) = refined.map_err(with_size)?;
    let attributes = attributes.map_or_else(Vec::new, |a| a.interpolated(&skin));
    let own_findings = MeshFindings::of(&description.body.name, found, &repairs, &skin);
    let was_refined = skin.vertex_count() > unrefined.vertex_count();
    let bounds = skin.bounds();
    let (supports, held) = supports(&description, kind, &skin).map_err(with_size)?;
    refuse_missing_vertices(&description.body, kind, &skin)?;
    let geometry = BodyGeometry {
        supports,
        ..BodyGeometry::new(Arc::new(skin), description.body.material)
    };
    let others = match kind {
        0 => prepare_others(scene, progress)?,
        _ => Vec::new(),
    };
    let several = kind > 0 || !others.is_empty();
    let places = places(&description, several, bounds.size().max());
    let held = held_of_all(&held, &places, &others);
    let findings = match kind {
        0 => findings_of_all(own_findings, &geometry.skin, &places, &others),
        _ => own_findings.into_iter().collect(),
    };
    let skin = scene_skin(&geometry.skin, &places, &others);
    let is_one_of_several = kind == 0 && (places.len() > 1 || !others.is_empty());
    let name = is_one_of_several.then_some(description.body.name.as_str());
    notes.extend(notes_on_bodies(body_notes, name, &others));
    notes.append(&mut tool_notes);
    let of_others = others.iter().flat_map(|other| &other.repairs);
    repairs.extend(of_others.cloned());
    let scene_skin = SceneSkin {
        skin: &skin,
        held: &held,
        of_kind: &vertices_of_kinds(&skin, &others),
        several,
        has_long_edges,
    };
    let of_others =
        |other: &Setup| UnlikelySize::detect(&other.description.body, &other.geometry.skin);
    let unlikely_size = unlikely_size.or_else(|| others.iter().find_map(of_others));
    let with_size = |error| UnlikelySize::explain(unlikely_size.as_ref(), error);
    let tools = scripted.map_or_else(|| tools(&description, &shapes, &scene_skin), Ok);
    let tools = tools.map_err(with_size)?;
    notes.extend(coarse_skin::notes(&description, &tools, &skin));
    let mut setup = Setup {
        tools,
        hand: None,
        grabs: grabs(&description, &scene_skin, &mut notes).map_err(with_size)?,
        probes: probes(&description, &scene_skin),
        areas: skin.nodal_areas(),
        attributes,
        held,
        diagonal: bounds.diagonal(),
        places,
        others,
        scene_skin: skin,
        unrefined_skin: was_refined.then(|| Arc::new(unrefined)),
        box_size,
        tets: tets.map(Arc::new),
        notes,
        repairs,
        findings: findings.into(),
        origin: scene.origin.clone(),
        geometry,
        description,
    };
    if kind == 0 {
        let placed = notes_on_places(&setup);
        setup.notes.extend(placed);
    }
    if let Some(hand) = scene.hand.as_ref().filter(|_| kind == 0) {
        apply_hand(&mut setup, Arc::clone(hand)).map_err(|source| scene.wrong(source))?;
    }
    Ok(setup)
}

/// What the user should know about the text of the scene, told with the first of its kinds of bodies. With `compare.material = "nu0"` Poisson's ratio is set to 0.
fn text_notes(description: &mut SceneDescription, kind: usize) -> Vec<SceneNote> {
    if description.nu0 {
        description.body.material.elastic.poisson = 0.0;
    }
    if kind > 0 {
        return Vec::new();
    }
    let description = &*description;
    let nu0 = "compare.material = \"nu0\": Poisson's ratio is 0 in every method";
    let nu0 = description.nu0.then(|| SceneNote::from(nu0.to_string()));
    let methods = description.methods.iter();
    let strains = methods.filter_map(|method| large_strain_note(description, *method));
    let lone_keys = scene_notes::lone_keys::notes(description);
    let strong = strong_gravity_note(description);
    let notes = nu0.into_iter().chain(strains).chain(lone_keys);
    notes.chain(strong).collect()
}

/// A note where gravity is so strong that it was most likely given in mm/s².
fn strong_gravity_note(description: &SceneDescription) -> Option<SceneNote> {
    let size = description.gravity.norm();
    (size > STRONG_GRAVITY).then(|| {
        let text = format!(
            "UnitSuspicious: gravity of {} m/s2 is {:.0} times that of the Earth\n  remedy: give it in m/s2: on Earth it is [0.0, -9.81, 0.0]",
            decimal(size),
            size / 9.81
        );
        SceneNote::warning(NoteSubject::Scene, text)
    })
}

/// Reads or generates body number `kind`.
fn read_body(
    scene: &LoadedScene,
    body: &BodyDescription,
    kind: usize,
    progress: &Progress,
    notes: &mut Vec<String>,
) -> Result<Body, BuildError> {
    let names = requested_attributes(body, kind).map_err(|source| scene.wrong(source))?;
    progress.stage("reading the mesh");
    let path = format!("body[{kind}].mesh");
    let read = build_body(&path, &body.mesh, &names, &scene.folder, progress, notes);
    read.map_err(|error| match error {
        BuildError::Mesh { file, source, .. } if !is_drop_in(&scene.text) => {
            let key = Some(format!("{}: {path}.file", scene.origin.display()));
            BuildError::Mesh { key, file, source }
        }
        other => other,
    })
}

/// The note on a mesh that is `written` units long in its file, and was scaled to the size of the skin.
fn scaled_note(written: f64, skin: &SurfaceMesh) -> String {
    format!(
        "MeshScaled: the mesh is {} long in its file, and was scaled to {} m\n  remedy: --units mm, cm, m or in keeps its size",
        decimal(written),
        decimal(skin.bounds().size().max())
    )
}

/// Makes the skin of body number `kind` fine enough for tools and blades. Returns whether edges stayed longer than tools need, and the tools of a lone body that were made from the
/// skin as it came.
fn refine_skin(
    skin: &mut SurfaceMesh,
    description: &SceneDescription,
    kind: usize,
    shapes: &[ToolShape],
    notes: &mut Vec<String>,
) -> Result<(bool, Option<Vec<SetupTool>>), BuildError> {
    let has_long_edges = halve_long_triangles(skin, description, shapes, notes);
    let scripted = match kind {
        0 => {
            let (_, held) = supports(description, kind, skin)?;
            refine_for_tools(skin, description, shapes, &held, has_long_edges, notes)?
        }
        _ => None,
    };
    let several_kinds = kind > 0 || !description.others.is_empty();
    halve_for_blades(skin, description, several_kinds, notes);
    Ok((has_long_edges, scripted))
}

/// Notes on the bodies of all kinds: `own` on those of the first kind, with their `name` if the scene has others; then those on the other kinds.
fn notes_on_bodies(own: Vec<String>, name: Option<&str>, others: &[Setup]) -> Vec<SceneNote> {
    let own = own.into_iter().map(|note| match name {
        Some(name) => with_body_name(name, &note),
        None => note,
    });
    let of_others = others.iter().flat_map(|other| {
        let name = &other.description.body.name;
        other.notes.iter().map(move |note| SceneNote {
            text: with_body_name(name, &note.text),
            ..note.clone()
        })
    });
    own.map(SceneNote::from).chain(of_others).collect()
}

/// Notes on where bodies, tools and grabs are at the beginning.
fn notes_on_places(setup: &Setup) -> Vec<SceneNote> {
    let overlap = overlap::note(setup);
    let overlap = overlap.map(|text| SceneNote::warning(NoteSubject::Scene, text));
    let mut notes = standing::notes(setup);
    notes.extend(overlap);
    notes.extend(tool_overlap::notes(setup));
    notes.extend(scene_notes::grabs::notes(setup));
    notes.extend(scene_notes::all_held::note(setup));
    notes
}

/// Refuses supports and painted parts of body number `kind` that list a vertex that its finished `skin` does not have: numbers beyond those of the file are vertices that were added. Parts
/// that a lattice finds by the skin have to select a vertex of it, too.
fn refuse_missing_vertices(
    body: &BodyDescription,
    kind: usize,
    skin: &SurfaceMesh,
) -> Result<(), BuildError> {
    for (k, support) in body.supports.iter().enumerate() {
        let path = format!("body[{kind}].support[{k}].select");
        refuse_missing_vertex(path, &support.select, skin)?;
    }
    for (key, weights, is_found_by_skin) in [
        ("lattice.stiffness", &body.lattice.stiffness, true),
        ("lattice.weights", &body.lattice.weights, true),
        ("quasistatic.stiffness", &body.quasistatic.stiffness, false),
    ] {
        for (k, weight) in weights.iter().enumerate() {
            if let VertexWeight::Part { select, .. } = weight {
                let path = format!("body[{kind}].{key}[{k}].select");
                refuse_missing_vertex(path.clone(), select, skin)?;
                if is_found_by_skin && select.skin_vertices(skin).is_empty() {
                    return Err(empty_selection(path, select, skin));
                }
            }
        }
    }
    Ok(())
}

/// The supports of body number `kind` with their skin vertices, and for each skin vertex whether one holds it.
fn supports(
    description: &SceneDescription,
    kind: usize,
    skin: &SurfaceMesh,
) -> Result<(Vec<SupportRegion>, Vec<bool>), BuildError> {
    let mut supports = Vec::new();
    let mut held = vec![false; skin.vertex_count()];
    for (k, support) in description.body.supports.iter().enumerate() {
        let region = SupportRegion::new(&support.name, support.select.clone(), skin);
        if region.skin_vertices.is_empty() {
            let path = format!("body[{kind}].support[{k}].select");
            return Err(empty_selection(path, &support.select, skin));
        }
        for &v in &region.skin_vertices {
            held[v as usize] = true;
        }
        supports.push(region);
    }
    Ok((supports, held))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_meshing::io::write_obj;

    use crate::scenes::{ImportOptions, load};
    use crate::world::testing::{notes_with, prepared, setup_of};

    #[test]
    fn a_painted_part_of_a_lattice_that_selects_nothing_is_refused() {
        let prepared = |key: &str, radius: f64| {
            let text = format!(
                "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\n\
                 lattice = {{ {key} = [{{ select = {{ sphere = {{ center = [0, 0, 0], radius = {radius:?} }} }}, factor = 2 }}] }}\n"
            );
            let scene = LoadedScene::of_text("test", &text).expect("valid scene");
            prepare(&scene, &Progress::new())
        };
        for key in ["stiffness", "weights"] {
            assert!(prepared(key, 0.06).is_ok());
            let refused = prepared(key, 0.04).expect_err("refused");
            assert_eq!(refused.code(), "SupportEmpty");
            let place = format!("body[0].lattice.{key}[0].select");
            assert_eq!(refused.place().as_deref(), Some(place.as_str()));
        }
    }

    #[test]
    fn gravity_in_millimetres_is_doubted() {
        let told = |gravity: f64| {
            let setup = setup_of(format!(
                "gravity = [0.0, {gravity:?}, 0.0]\n[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\n"
            ));
            notes_with(&setup, "UnitSuspicious")
        };
        assert!(told(-9.81).is_empty());
        let told = told(-9810.0);
        let begins = "UnitSuspicious: gravity of 9810 m/s2 is 1000 times that of the Earth";
        assert!(told.len() == 1 && told[0].starts_with(begins), "{told:?}");
    }

    #[test]
    fn a_dropped_mesh_without_a_unit_is_told_to_be_scaled() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("part.obj");
        let part = box_surface(Vec3::new(200.0, 120.0, 160.0), [6; 3], CellStyle::Kuhn);
        write_obj(&file, &part).expect("written");
        let told = |units: Option<&str>| -> Vec<String> {
            let import = ImportOptions {
                units: units.map(str::to_string),
                ..ImportOptions::default()
            };
            let setup = prepared(&load(&file, &import).expect("a mesh"));
            notes_with(&setup, "MeshScaled")
        };
        assert_eq!(
            told(None),
            [
                "MeshScaled: the mesh is 200 long in its file, and was scaled to 0.3 m\n  remedy: --units mm, cm, m or in keeps its size"
            ]
        );
        assert!(told(Some("mm")).is_empty());
    }
}
