//! The body of a scene: generated, or read from a file, made a solid and placed.

use std::path::{Path, PathBuf};

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::{BodyDescription, GivenMesh, MeshRepair, MeshSource};
use pliant_meshing::io::{MeshFile, MeshFormat, read_mesh};
use pliant_meshing::lod::fits_together;
use pliant_meshing::procedural::{ProceduralSpec, body};
use pliant_meshing::repair::{
    RepairError, RepairStep, Repaired, make_solid, make_solid_of_sheets, require_solid,
    thicken_foil,
};
use pliant_meshing::report::{Problem, is_likely_length, repaired_problems};

use super::attributes::{self, FileAttributes};
use crate::error::BuildError;
use crate::scenes::UNITS;

/// A body before anything refers to it.
pub(crate) struct Body {
    pub skin: SurfaceMesh,
    /// size of a structured box, m
    pub box_size: Option<Vec3>,
    /// tetrahedra of a file, placed like the skin, m
    pub tets: Option<TetMesh>,
    /// numbers at the vertices of a file
    pub attributes: Option<FileAttributes>,
    /// repairs of the file
    pub repairs: Vec<RepairStep>,
    /// problems of the file; places are those of the skin, m
    pub found: Vec<Problem>,
    /// longest side of the mesh of a file as it is written there, if it was scaled to a given length
    pub scaled_from: Option<f64>,
}

impl Body {
    /// All points of a file, `converted` to metres with y up, where the scene has the body.
    fn placed(
        mut self,
        converted: impl Fn(Vec3) -> Vec3,
        longest: Option<f64>,
        rest_on_floor: bool,
    ) -> Self {
        let positions = &mut self.skin.positions;
        positions.iter_mut().for_each(|x| *x = converted(*x));
        let place = Placement::of(&self.skin, longest, rest_on_floor);
        let positions = &mut self.skin.positions;
        positions.iter_mut().for_each(|x| *x = place.apply(*x));
        let nodes = self.tets.iter_mut().flat_map(|t| &mut t.nodes);
        let samples = self.attributes.iter_mut();
        let samples = samples.flat_map(|a| &mut a.surface.positions);
        let places = self
            .found
            .iter_mut()
            .flat_map(|problem| &mut problem.places);
        let points = places.flat_map(|place| &mut place.points);
        let others = nodes.chain(samples).chain(points);
        others.for_each(|x| *x = place.apply(converted(*x)));
        self
    }
}

/// Reads or generates the body whose `mesh` is at the key `path` of a scene, and places it; `names` are attributes of the vertices in its file.
pub(crate) fn build_body(
    path: &str,
    mesh: &MeshSource,
    names: &[String],
    folder: &Path,
    progress: &Progress,
    notes: &mut Vec<String>,
) -> Result<Body, BuildError> {
    match mesh {
        MeshSource::Procedural {
            name,
            size,
            edge,
            longest,
            rest_on_floor,
        } => {
            let spec = ProceduralSpec {
                name: name.clone(),
                longest: *longest,
                size: *size,
                edge: *edge,
            };
            generated(path, &spec, *rest_on_floor, progress)
        }
        MeshSource::File {
            path: file,
            scale,
            unit,
            z_up,
            longest,
            rest_on_floor,
            repair,
            thickness,
            given,
        } => {
            let file = folder.join(file);
            let read = match given {
                Some(mesh) => Ok(mesh_file_of(mesh)),
                None => read_mesh(&file),
            };
            let read = read.map_err(|source| BuildError::Mesh {
                key: None,
                file: file.clone(),
                source,
            })?;
            let attributes = attributes::read(&file, &read.surface, names)?;
            let side = read.surface.bounds().size().max();
            let file_units_per_metre =
                longest.map_or(1.0 / (scale * unit), |longest| side / longest);
            let thickness = thickness.map(|metres| metres * file_units_per_metre);
            let repaired = solid(&read, *repair, thickness, progress);
            let repaired = repaired.map_err(|source| BuildError::Repair { file, source })?;
            let found = repaired_problems(&read.surface, &repaired, progress)?;
            let metres = decimal(1.0 / file_units_per_metre);
            for step in &repaired.steps {
                let size = match step.gives_lengths() {
                    true => format!(" (a unit of the file is {metres} m here)"),
                    false => String::new(),
                };
                notes.push(format!("repair: {}{size}", step.message));
            }
            notes.extend(read.notes.iter().map(|note| format!("reading: {note}")));
            let mut tets = read.tets;
            if let Some(Err(why)) = tets.as_ref().map(fits_together) {
                notes.push(format!(
                    "the tetrahedra of the file were not used, only their boundary: {why}"
                ));
                tets = None;
            }
            let converted = |x: Vec3| {
                let x = x * (*scale * *unit);
                if *z_up { Vec3::new(x.x, x.z, -x.y) } else { x }
            };
            let body = Body {
                skin: repaired.surface,
                box_size: None,
                tets,
                attributes,
                repairs: repaired.steps,
                found,
                scaled_from: longest.map(|_| side),
            };
            Ok(body.placed(converted, *longest, *rest_on_floor))
        }
    }
}

/// The surface in `file`, a finer one of the body with this `mesh`: read, made a solid and placed as the mesh is, by its own box where that is scaled to a longest side or put onto the
/// floor. Over a generated body the file is in metres, with y up.
///
/// # Errors
/// [`BuildError::Mesh`], [`BuildError::Repair`].
pub fn detail_surface(
    mesh: &MeshSource,
    file: &Path,
    progress: &Progress,
    notes: &mut Vec<String>,
) -> Result<SurfaceMesh, BuildError> {
    let mut source = match mesh {
        MeshSource::File { .. } => mesh.clone(),
        MeshSource::Procedural { rest_on_floor, .. } => MeshSource::File {
            path: PathBuf::new(),
            scale: 1.0,
            unit: 1.0,
            z_up: false,
            longest: None,
            rest_on_floor: *rest_on_floor,
            repair: MeshRepair::Auto,
            thickness: None,
            given: None,
        },
    };
    if let MeshSource::File { path, given, .. } = &mut source {
        *path = file.to_path_buf();
        *given = None;
    }
    progress.stage("reading the detail");
    let mut own = Vec::new();
    let read = build_body("detail", &source, &[], Path::new(""), progress, &mut own)?;
    notes.extend(own.iter().map(|note| format!("detail: {note}")));
    Ok(read.skin)
}

/// A body of an unlikely size, which comes from the unit in which its file is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnlikelySize {
    /// why the body is as large as it is
    size: String,
    /// what to do about it
    remedy: String,
}

impl UnlikelySize {
    /// Detects the unlikely size of a body with this `skin`. `None` if the size is likely, or is not that of a file.
    pub fn detect(body: &BodyDescription, skin: &SurfaceMesh) -> Option<Self> {
        let MeshSource::File {
            path,
            unit,
            longest: None,
            given: None,
            ..
        } = &body.mesh
        else {
            return None;
        };
        let longest = skin.bounds().size().max();
        if longest == 0.0 || is_likely_length(longest) {
            return None;
        }
        let name = |metres: f64| UNITS.iter().find(|u| u.1 == metres).map_or("m", |u| u.0);
        // drawings are in millimetres; bodies that are too small by that are mostly in metres
        let others = match longest > 1.0 {
            true => [0.001, 0.0254, 0.01],
            false => [1.0, 0.0254, 0.01],
        };
        let fits = |other: &f64| is_likely_length(longest / unit * other);
        let remedy = match others.into_iter().find(fits).map(name) {
            Some(other) => format!(
                "give units = \"{other}\" in its mesh, or --units {other} where the mesh is opened by itself"
            ),
            None => "give the length of its longest side in m as `longest` in its mesh".to_string(),
        };
        Some(Self {
            size: format!(
                "body `{}` is {} m long, because {} is read in {}, which is unlikely; with that size ",
                body.name,
                decimal(longest),
                path.display(),
                name(*unit)
            ),
            remedy,
        })
    }

    /// An error that may come from the size, with the size before it and the unit as the first remedy; others as they are.
    pub fn explain(doubt: Option<&Self>, error: BuildError) -> BuildError {
        match (doubt, error) {
            (
                Some(doubt),
                cause @ (BuildError::ToolTooSharp { .. }
                | BuildError::ToolTooLarge { .. }
                | BuildError::SelectionEmpty { .. }),
            ) => {
                let text = cause.to_string();
                let (what, remedy) = text.split_once("\n  remedy: ").unwrap_or((&text, ""));
                let otherwise = match remedy {
                    "" => String::new(),
                    remedy => format!("; if the size is right: {remedy}"),
                };
                BuildError::SizeUnlikely {
                    message: format!(
                        "{}{what}\n  remedy: {}{otherwise}",
                        doubt.size, doubt.remedy
                    ),
                    cause: Box::new(cause),
                }
            }
            (_, error) => error,
        }
    }
}

/// The body of a generator.
fn generated(
    path: &str,
    spec: &ProceduralSpec,
    rest_on_floor: bool,
    progress: &Progress,
) -> Result<Body, BuildError> {
    let mut skin = body(spec, progress).map_err(|source| BuildError::Procedural {
        path: path.to_string(),
        source,
    })?;
    if rest_on_floor {
        let place = Placement::of(&skin, None, true);
        skin.positions.iter_mut().for_each(|x| *x = place.apply(*x));
    }
    // a box elsewhere than about the origin is meshed as any other body
    let is_box = (spec.name == "box" || spec.name == "bar") && !rest_on_floor;
    let box_size = is_box.then(|| skin.bounds().size());
    Ok(Body {
        skin,
        box_size,
        tets: None,
        attributes: None,
        repairs: Vec::new(),
        found: Vec::new(),
        scaled_from: None,
    })
}

/// The solid of a file, repaired as the scene asks; `thickness` of walls is in the unit of the file.
fn solid(
    read: &MeshFile,
    repair: MeshRepair,
    thickness: Option<f64>,
    progress: &Progress,
) -> Result<Repaired, RepairError> {
    let surface = &read.surface;
    match (repair, thickness) {
        (MeshRepair::Off, _) => require_solid(surface, progress),
        (MeshRepair::Auto, Some(thickness)) => make_solid_of_sheets(surface, thickness, progress),
        (MeshRepair::Auto, None) => {
            let solid = make_solid(surface, progress)?;
            match read.tets {
                None => thicken_foil(solid, progress),
                Some(_) => Ok(solid),
            }
        }
    }
}

/// A mesh of the program, which goes through repair and placement like that of a file.
fn mesh_file_of(mesh: &GivenMesh) -> MeshFile {
    MeshFile {
        surface: mesh.surface().clone(),
        tets: mesh.tets().cloned(),
        format: MeshFormat::Obj,
        notes: Vec::new(),
    }
}

/// Size and place of a body: the same for its skin and its tetrahedra.
struct Placement {
    origin: Vec3,
    factor: f64,
    target: Vec3,
}

impl Placement {
    fn of(skin: &SurfaceMesh, longest: Option<f64>, rest_on_floor: bool) -> Self {
        let bounds = skin.bounds();
        let side = bounds.size().max();
        let target_side = longest.filter(|_| side > 0.0);
        let factor = target_side.map_or(1.0, |longest| longest / side);
        let origin = match (target_side, rest_on_floor) {
            (None, false) => Vec3::zeros(),
            _ => bounds.center(),
        };
        let target = if rest_on_floor {
            Vec3::y() * (0.5 * factor * bounds.size().y)
        } else {
            Vec3::zeros()
        };
        Self {
            origin,
            factor,
            target,
        }
    }

    fn apply(&self, x: Vec3) -> Vec3 {
        (x - self.origin) * self.factor + self.target
    }
}
