//! A scene made concrete: the skin is there, selections are vertices, scripts are paths.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pliant_contact::merged_skin;
use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::boundary::Friction;
use pliant_core::contact::{Pose, PosePath, ToolShape};
use pliant_core::inspect::Probe;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::{
    BodyDescription, MeshSource, MotionDescription, SceneDescription, Selection,
};

use crate::attributes::wanted;
use crate::body::{Body, build_body, refine_for_contact};
use crate::error::BuildError;
use crate::scenes::LoadedScene;
use crate::script::{random_pokes, scripted_poke};

/// Strain up to which linear and nonlinear methods are compared without a remark.
const LINEAR_UP_TO: f64 = 0.05;

/// Everything about a scene that all methods share; constant.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The checked text.
    pub description: SceneDescription,
    /// Where it came from.
    pub origin: PathBuf,
    /// Skin, material and supports; levels and voxels are added for each method when it is built.
    pub geometry: BodyGeometry,
    /// Whether the body is an axis-aligned structured box: its size, m.
    pub box_size: Option<Vec3>,
    /// Tetrahedra of an imported file, placed like the skin, m; their boundary is the skin before repair and refinement.
    pub tets: Option<Arc<TetMesh>>,
    /// Numbers that the file has for its vertices and the scene asks for, one for each vertex of the body's skin.
    pub attributes: Vec<(String, Arc<[f64]>)>,
    /// Where the bodies of this kind begin, in a scene of several or with a body that touches itself; empty for a lone body, which stays where it is.
    pub places: Vec<Pose>,
    /// Further kinds of bodies, each as if it were alone: without tools, grabs and probes.
    pub others: Vec<Setup>,
    /// The skins of all bodies at rest in their places; the body's own skin where it is alone.
    pub shown: Arc<SurfaceMesh>,
    /// Tools in the order of the scene.
    pub tools: Vec<SetupTool>,
    /// Grabs in the order of the scene.
    pub grabs: Vec<SetupGrab>,
    /// Probes in the order of the scene.
    pub probes: Vec<Probe>,
    /// For each skin vertex whether a support holds it.
    pub held: Vec<bool>,
    /// Nodal areas of the skin, m².
    pub areas: Vec<f64>,
    /// Diagonal of the skin's bounding box, m.
    pub diagonal: f64,
    /// What was repaired or assumed, a sentence each.
    pub notes: Vec<String>,
}

/// A tool and its path.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupTool {
    /// Name.
    pub name: String,
    /// Shape.
    pub shape: ToolShape,
    /// Friction.
    pub friction: Friction,
    /// Motion without a pointer.
    pub path: PosePath,
    /// Whether a pointer may take it over.
    pub follows_pointer: bool,
}

/// A grab and its path.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupGrab {
    /// Name.
    pub name: String,
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest over time.
    pub path: PosePath,
}

impl Setup {
    /// All that is seen and touched: the skin, or the skins of all bodies one after the other.
    pub fn skin(&self) -> &Arc<SurfaceMesh> {
        &self.shown
    }

    /// Whether bodies find their contacts themselves: there are several, or one that touches itself.
    pub fn is_group(&self) -> bool {
        !self.places.is_empty()
    }

    /// Each kind of bodies, this one first.
    pub fn kinds(&self) -> impl Iterator<Item = &Self> {
        [self].into_iter().chain(&self.others)
    }

    /// Number of bodies of all kinds.
    pub fn body_count(&self) -> usize {
        self.kinds().map(|kind| kind.places.len().max(1)).sum()
    }

    /// Length of a frame, s.
    pub fn frame_duration(&self) -> f64 {
        1.0 / self.description.frame_rate
    }

    /// Frames of a run of `duration` seconds.
    pub fn frames(&self, duration: f64) -> usize {
        ((duration * self.description.frame_rate).round() as usize).max(1)
    }
}

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
            tools: Vec::new(),
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

/// Body number `kind` of a scene, with all that follows it if that is the first.
fn prepare_kind(
    scene: &LoadedScene,
    mut description: SceneDescription,
    kind: usize,
    progress: &Progress,
) -> Result<Setup, BuildError> {
    let mut notes = Vec::new();
    if description.nu0 {
        description.body.material.elastic.poisson = 0.0;
        notes.push("compare.material = \"nu0\": Poisson's ratio is 0 in every method".to_string());
    }
    if description.strain_hint >= LINEAR_UP_TO && kind == 0 {
        notes.push(format!(
            "strains of {:.0} % are expected (strain_hint): the quasistatic method is linear and its curves carry that label",
            description.strain_hint * 100.0
        ));
    }
    if !description.body.adaptive.models.is_empty() {
        notes.push("adaptive.models: `pliant oscillate` runs all of them; here the model is that of material.law".to_string());
    }
    let names = wanted(&description.body, kind).map_err(|source| BuildError::Scene {
        file: scene.origin.clone(),
        source,
    })?;
    progress.stage("reading the mesh");
    let Body {
        mut skin,
        box_size,
        tets,
        attributes,
    } = build_body(
        (kind, &description.body.mesh),
        &names,
        &scene.folder,
        progress,
        &mut notes,
    )?;
    if matches!(description.body.mesh, MeshSource::File { .. }) {
        refine_for_contact(&mut skin, &description, &mut notes);
    }
    let attributes = attributes.map_or_else(Vec::new, |a| a.on(&skin));
    let bounds = skin.bounds();
    let diagonal = bounds.diagonal();
    let bounds_text = format!(
        "({:.4}, {:.4}, {:.4}) to ({:.4}, {:.4}, {:.4}) m",
        bounds.min.x, bounds.min.y, bounds.min.z, bounds.max.x, bounds.max.y, bounds.max.z
    );
    let empty = |path: String| BuildError::SelectionEmpty {
        path,
        bounds: bounds_text.clone(),
    };
    let mut supports = Vec::new();
    let mut held = vec![false; skin.vertex_count()];
    for (k, support) in description.body.supports.iter().enumerate() {
        let region = SupportRegion::new(&support.name, support.select.clone(), &skin);
        if region.skin_vertices.is_empty() {
            return Err(empty(format!("body[{kind}].support[{k}].select")));
        }
        for &v in &region.skin_vertices {
            held[v as usize] = true;
        }
        supports.push(region);
    }
    let geometry = BodyGeometry {
        skin: Arc::new(skin),
        material: description.body.material,
        supports,
        levels: Vec::new(),
        greens_level: None,
        voxels: None,
    };
    let others = match kind {
        0 => prepare_others(scene, progress)?,
        _ => Vec::new(),
    };
    let several = kind > 0 || !others.is_empty();
    let places = places(&description, several, bounds.size().max());
    let own = std::mem::take(&mut held);
    let bodies = places.len().max(1);
    held.extend((0..bodies).flat_map(|_| own.iter().copied()));
    held.extend(others.iter().flat_map(|other| &other.held));
    let shown = if places.is_empty() {
        Arc::clone(&geometry.skin)
    } else {
        let copies = places.iter().map(|place| (geometry.skin.as_ref(), place));
        let other = others.iter().flat_map(|other| {
            let skin = other.geometry.skin.as_ref();
            other.places.iter().map(move |place| (skin, place))
        });
        Arc::new(merged_skin(copies.chain(other)))
    };
    for other in &others {
        let name = &other.description.body.name;
        notes.extend(other.notes.iter().map(|note| format!("{name}: {note}")));
    }
    let of_kind = vertices_of_kinds(&shown, &others);
    let skin = &shown;
    let edge = skin.mean_edge();
    let mut tools = Vec::new();
    for tool in &description.tools {
        let radius = tool.shape.inner_radius();
        // half a percent of slack: a radius of exactly 1.5 edges is meant to pass
        if tool.motion != MotionDescription::Fixed && radius < 1.49 * edge {
            return Err(BuildError::ToolTooSharp {
                tool: tool.name.clone(),
                radius,
                edge,
                needed: 1.5 * edge,
            });
        }
        tools.push(SetupTool {
            name: tool.name.clone(),
            shape: tool.shape,
            friction: tool.friction,
            path: match &tool.motion {
                MotionDescription::Fixed => PosePath::still(Pose::at(Vec3::zeros())),
                MotionDescription::Path(path) => path.clone(),
                MotionDescription::ScriptedPoke => scripted_poke(skin, &held, &tool.shape),
                MotionDescription::RandomPokes => {
                    random_pokes(skin, &held, &tool.shape, description.seed)
                }
            },
            follows_pointer: tool.follows_pointer,
        });
    }
    let mut grabs = Vec::new();
    for (k, grab) in description.grabs.iter().enumerate() {
        let mut vertices = grab.select.skin_vertices(skin);
        if let Some(kind) = grab.body {
            vertices.retain(|v| of_kind[kind].contains(v));
        }
        if vertices.is_empty() {
            return Err(empty(format!("grab[{k}].select")));
        }
        if let Selection::List(ids) = &grab.select
            && ids.len() > vertices.len()
        {
            notes.push(format!(
                "grab `{}`: some listed vertices do not exist or stand twice",
                grab.name
            ));
        }
        grabs.push(SetupGrab {
            name: grab.name.clone(),
            vertices,
            path: grab.path.clone(),
        });
    }
    let probes = description
        .probes
        .iter()
        .filter_map(|probe| {
            Some(Probe {
                name: probe.name.clone(),
                at: match probe.body {
                    Some(kind) if several => {
                        let (part, first) = part_of(skin, &of_kind[kind]);
                        let mut at = part.nearest_point(&probe.nearest_surface_point)?;
                        at.triangle += first;
                        at
                    }
                    _ => skin.nearest_point(&probe.nearest_surface_point)?,
                },
                quantity: probe.quantity,
            })
        })
        .collect();
    Ok(Setup {
        areas: skin.nodal_areas(),
        attributes,
        held,
        diagonal,
        places,
        others,
        shown: Arc::clone(skin),
        tools,
        grabs,
        probes,
        box_size,
        tets: tets.map(Arc::new),
        notes,
        origin: scene.origin.clone(),
        geometry,
        description,
    })
}

/// Places of the bodies of a kind; none for a lone body that does not touch itself.
fn places(description: &SceneDescription, several_kinds: bool, longest: f64) -> Vec<Pose> {
    match &description.body.layout {
        Some(layout) => layout.places(longest, description.seed),
        None if touches_itself(&description.body) || several_kinds => {
            vec![Pose::at(Vec3::zeros())]
        }
        None => Vec::new(),
    }
}

/// Whether a body touches itself in some method.
fn touches_itself(body: &BodyDescription) -> bool {
    body.lattice.self_contact || body.adaptive.self_contact == Some(true)
}

/// Vertices of each kind of bodies in the skin of all.
fn vertices_of_kinds(shown: &SurfaceMesh, others: &[Setup]) -> Vec<Range<u32>> {
    let all = shown.vertex_count() as u32;
    let behind: u32 = others.iter().map(|o| o.shown.vertex_count() as u32).sum();
    let first = std::iter::once(all - behind);
    let counts = first.chain(others.iter().map(|o| o.shown.vertex_count() as u32));
    let mut end = 0;
    let ranges = counts.map(|count| {
        let from = end;
        end += count;
        from..end
    });
    ranges.collect()
}

/// The part of `skin` that these vertices make, numbered from zero, and its first triangle in the whole.
fn part_of(skin: &SurfaceMesh, vertices: &Range<u32>) -> (SurfaceMesh, u32) {
    let positions = skin.positions[vertices.start as usize..vertices.end as usize].to_vec();
    let own = |t: &&[u32; 3]| vertices.contains(&t[0]);
    let first = skin.triangles.iter().position(|t| own(&t)).unwrap_or(0);
    let triangles = skin.triangles.iter().filter(own);
    let triangles = triangles.map(|t| t.map(|v| v - vertices.start)).collect();
    (SurfaceMesh::new(positions, triangles), first as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{ImportOptions, load};

    fn scene_with(text: &str) -> LoadedScene {
        LoadedScene {
            description: pliant_core::scene::load_scene(text).expect("valid scene"),
            origin: "test".into(),
            folder: ".".into(),
            text: text.to_string(),
        }
    }

    #[test]
    fn the_poke_scene_becomes_concrete() {
        let scene = load("poke", &ImportOptions::default()).expect("bundled");
        let setup = prepare(&scene, &Progress::new()).expect("prepared");
        assert_eq!(setup.box_size.map(|s| s.y), Some(0.1));
        assert_eq!(setup.geometry.material.elastic.poisson, 0.0, "nu0");
        assert!(setup.held.iter().any(|h| *h) && !setup.held.iter().all(|h| *h));
        assert!((setup.areas.iter().sum::<f64>() - setup.skin().area()).abs() < 1e-12);
    }

    #[test]
    fn empty_selections_sharp_tools_and_missing_meshes_are_refused_by_name() {
        let base = "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = { procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }\n";
        let refuse =
            |text: &str| prepare(&scene_with(text), &Progress::new()).expect_err("refused");
        let nothing = "support = [{ name = 's', select = { sphere = { center = [9, 9, 9], radius = 0.1 } } }]\n";
        assert_eq!(refuse(&format!("{base}{nothing}")).code(), "SupportEmpty");
        let sharp = "[[tool]]\nname = 't'\nshape = { sphere = { radius = 0.01 } }\nmotion = { path = 'p' }\n[[path]]\nname = 'p'\nkeys = [{ t = 0, at = [0, 1, 0] }]\n";
        assert_eq!(refuse(&format!("{base}{sharp}")).code(), "ToolTooSharp");
        let missing =
            "schema = 1\nname = 'x'\n[[body]]\nname = 'b'\nmesh = { file = 'no-such-file.obj' }\n";
        let error = refuse(missing);
        assert_eq!(error.code(), "FileNotFound");
        assert!(
            error
                .place()
                .is_some_and(|p| p.contains("no-such-file.obj"))
        );
    }
}
