//! The surface that a mesh command works on.

use std::ffi::OsStr;
use std::path::Path;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_meshing::io::{ReadError, read_mesh};
use pliant_meshing::procedural::{ProceduralSpec, body, names};
use pliant_meshing::repair::{
    make_solid, make_solid_of_sheets, make_solid_of_shells, require_solid, thicken_foil,
};

use crate::args::Import;
use crate::failure::Failure;
use crate::options::{refuse_contradiction, refuse_import_of};
use crate::session::Session;

/// The input of a mesh command.
pub(super) struct Source {
    /// A solid in metres, y up.
    pub surface: SurfaceMesh,
    /// The tetrahedra of the file, likewise.
    pub tets: Option<TetMesh>,
    /// Repairs, a sentence each.
    pub repaired: Vec<String>,
    /// Notes of the reader.
    pub notes: Vec<String>,
}

/// A solid from a file, repaired as the options say, or from a generator; and the repairs, a sentence each.
pub(super) fn load_surface(
    source: &OsStr,
    import: &Import,
    progress: &Progress,
) -> Result<(SurfaceMesh, Vec<String>), Failure> {
    let source = load_source(source, import, CrossingShells::Wrapped, progress)?;
    Ok((source.surface, source.repaired))
}

/// How intersecting closed shells are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrossingShells {
    /// They are replaced by one surface around them.
    Wrapped,
    /// They stay, for a mesher that fills what any of them encloses. Walls that are too thin for its elements are thickened.
    Kept,
}

/// A mesh from a file, repaired as the options say, or from a generator.
pub(super) fn load_source(
    source: &OsStr,
    import: &Import,
    crossing: CrossingShells,
    progress: &Progress,
) -> Result<Source, Failure> {
    refuse_contradiction(import)?;
    let path = Path::new(source);
    if let Some(name) = names().iter().find(|name| **name == source)
        && !path.exists()
    {
        refuse_import_of(import, name)?;
        let surface =
            body(&ProceduralSpec::new(name), progress).map_err(|e| Failure::of(&e, None))?;
        return Ok(Source {
            surface,
            tets: None,
            repaired: Vec::new(),
            notes: Vec::new(),
        });
    }
    let file = read_mesh(path).map_err(|e| {
        let failure = Failure::reading(path, &e);
        let name = source.to_string_lossy();
        match e {
            ReadError::FileNotFound { .. } if !name.contains(['.', '/', '\\']) => Failure {
                message: format!("there is no file and no procedural body called `{name}`"),
                hint: format!("the bodies are {}", names().join(", ")),
                ..failure
            }
            .meaning(&name, names().iter().copied()),
            _ => failure,
        }
    })?;
    let repaired = match import.thickness {
        _ if !import.repairs() => require_solid(&file.surface, progress),
        None if crossing == CrossingShells::Kept => {
            let solid = make_solid_of_shells(&file.surface, progress);
            match file.tets {
                None => solid.and_then(|solid| thicken_foil(solid, progress)),
                Some(_) => solid,
            }
        }
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

/// Prints the repairs, a line each.
pub(super) fn print_repairs(session: &Session, repaired: &[String]) {
    for step in repaired {
        session.output.remark(format!("repair: {step}"));
    }
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
