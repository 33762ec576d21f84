//! Repairs a surface, or requires that it is a solid already.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::topology;

use super::error::{MAX_COORDINATE, RepairError, flat, length};
use super::repaired::Repaired;
use super::steps::{faces, t_junction, weld};
use super::work::{FLAT_VOLUME_SHARE, WELD_TOLERANCES, Work, remaining_fault};

/// Repairs what can be repaired without guessing. Cost O(n log n), and components times triangles where components are nested.
///
/// Steps, where needed: `Welded` (equal positions), `WeldedNear` (within 1e-6, else 1e-5, of the diagonal, only vertices of open edges),
/// `DroppedDegenerate`, `DroppedWalls` (two-sided, between solids or inside), `DroppedDuplicate`, `InsertedInEdges`, `DroppedFins`, `FlippedFaces` (the majority of each patch decides), `SplitPinches`,
/// `TurnedComponents` (inside out), `RemovedFlat` (diagonals turned), `KeptDegenerate`, `DroppedUnreferenced`.
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::repair::repair;
/// let mut surface = box_surface(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
/// let clean = repair(&surface, &Progress::new()).expect("a solid");
/// assert_eq!((&clean.surface, clean.steps.len()), (&surface, 0));
///
/// surface.triangles.pop();
/// let error = repair(&surface, &Progress::new()).expect_err("a hole");
/// assert_eq!(error.code(), "SkinOpen");
/// ```
///
/// # Errors
/// [`RepairError`] with the first fault that would take a guess, and its place.
pub fn repair(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    let mut work = prepare(raw, false, progress)?;
    work.orient(progress)?;
    work.finish(progress)
}

/// The surface as it is, if it is a solid already: closed, manifold, oriented and not inside out. Equal positions are joined where the surface
/// needs it (formats like STL store each corner by itself), which moves nothing.
///
/// # Errors
/// [`RepairError`] with the first fault and its place.
pub fn require_solid(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    progress.stage("checking");
    refuse_unusable(raw)?;
    let mut work = Work::new(raw);
    if !is_sound(&work.surface) {
        work.weld_equal();
        progress.check()?;
        let topology = topology(&work.surface);
        if !topology.is_sound() {
            return Err(remaining_fault(&work.surface, &topology));
        }
    }
    let (volume, diagonal) = (work.surface.volume(), work.surface.bounds().diagonal());
    if volume < -FLAT_VOLUME_SHARE * diagonal.powi(3) {
        return Err(RepairError::InsideOut { volume });
    }
    work.unless_flat()
}

/// Joins, drops and cuts what needs no guess and no orientation; a surface that is sound by its own vertex numbers
/// only if `always`.
pub(crate) fn prepare(
    raw: &SurfaceMesh,
    always: bool,
    progress: &Progress,
) -> Result<Work, RepairError> {
    progress.stage("repairing");
    refuse_unusable(raw)?;
    let mut work = Work::new(raw);
    work.unreferenced = weld::drop_unreferenced(&mut work.surface);
    if always || !is_sound(&work.surface) {
        work.weld_equal();
        progress.check()?;
        work.drop_faces();
        work.weld_near(progress)?;
        let tolerance = WELD_TOLERANCES[0] * work.surface.bounds().diagonal();
        let inserted = t_junction::insert_in_edges(&mut work.surface, tolerance, progress)?;
        let message = format!(
            "inserted in open edges that pass within {}",
            length(tolerance)
        );
        work.step("InsertedInEdges", inserted, "vertex", &message);
        progress.check()?;
        let fins = faces::drop_fins(&mut work.surface);
        let message = "hanging on a closed body: dropped";
        work.step("DroppedFins", fins, "face", message);
    }
    if work.surface.triangles.is_empty() {
        return Err(without_faces(raw));
    }
    progress.set_fraction(0.4);
    Ok(work)
}

/// Welds a surface and orients it as far as possible; it need not become a solid. Its volume is made positive.
pub(crate) fn tidy(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    let mut work = prepare(raw, false, progress)?;
    if let Err(RepairError::Cancelled(cancelled)) = work.orient(progress) {
        return Err(cancelled.into());
    }
    if work.surface.volume() < 0.0 {
        work.surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(Repaired {
        surface: work.surface,
        steps: work.steps,
    })
}

/// The error of a surface whose faces were all dropped: they have no area, or are there once for each side.
fn without_faces(raw: &SurfaceMesh) -> RepairError {
    let has_area = |t: usize| !faces::is_degenerate(raw.corners(t));
    match (0..raw.triangles.len()).any(has_area) {
        false => RepairError::NoTriangles,
        true => flat(raw, 0.0),
    }
}

fn refuse_unusable(raw: &SurfaceMesh) -> Result<(), RepairError> {
    if raw.triangles.is_empty() {
        return Err(RepairError::NoTriangles);
    }
    for (triangle, corners) in raw.triangles.iter().enumerate() {
        for &index in corners {
            match raw.positions.get(index as usize) {
                None => {
                    return Err(RepairError::IndexOutOfRange {
                        triangle,
                        index,
                        vertices: raw.vertex_count(),
                    });
                }
                Some(p) if !p.iter().all(|x| x.is_finite()) => {
                    return Err(RepairError::NonFinite { index });
                }
                Some(p) if p.amax() > MAX_COORDINATE => {
                    let coordinate = p.amax();
                    return Err(RepairError::CoordinateTooLarge { index, coordinate });
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// Closed, manifold and oriented by its own vertex numbers: then equal positions are intended, and nothing is joined.
fn is_sound(surface: &SurfaceMesh) -> bool {
    !surface.triangles.iter().any(faces::repeats) && topology(surface).is_sound()
}
