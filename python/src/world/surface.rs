//! The skin of a world, as arrays.

use std::path::PathBuf;

use numpy::PyArray2;
use pliant::core::mesh::SurfaceMesh;
use pliant::core::mesh::surface_frame::CutSurface;
use pliant::{Ray, Vec3};
use pyo3::prelude::*;

use super::World;
use super::touch::vertex_number;
use crate::arrays;
use crate::buffers::{self, Points, Triple, fill, given_or_new, triple};
use crate::errors::{Failure, Outcome};

/// Positions, m, and triangles.
type Mesh<'py> = (Points<'py>, Bound<'py, PyArray2<i32>>);
/// How far along the ray, triangle, place.
type Hit<'py> = (f64, u32, Triple<'py>);

#[pymethods]
impl World {
    /// Positions of the skin's vertices now, m: float32 (n, 3), a new array or `out`.
    #[pyo3(signature = (out=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Points<'py>> {
        self.rows(py, out, |world| world.positions())
    }

    /// Unit outward normals of the skin's vertices now: float32 (n, 3), a new array or `out`.
    #[pyo3(signature = (out=None))]
    fn normals<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Points<'py>> {
        self.rows(py, out, |world| world.normals())
    }

    /// Vertices of the skin's triangles: int32 (m, 3), counter-clockwise from outside. They never change; the array is read-only.
    #[getter]
    fn triangles(&self, py: Python<'_>) -> Py<PyArray2<i32>> {
        self.triangles.clone_ref(py)
    }

    /// Positions of the skin at rest, m: float64 (n, 3), read-only.
    #[getter]
    fn rest_positions(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.rest.clone_ref(py)
    }

    /// What there is to be seen instead of the skin where a body has broken or was cut, a closed surface: positions (k, 3) and triangles (l, 3); `None` for a whole body.
    fn cut_surface<'py>(&self, py: Python<'py>) -> Outcome<Option<Mesh<'py>>> {
        let found = self.with(py, |world| {
            let cut = world.surface().cut.as_ref();
            Ok(cut.map(|cut| closed(cut)))
        })?;
        let Some((positions, triangles)) = found else {
            return Ok(None);
        };
        let positions = buffers::points(py, &positions)?;
        Ok(Some((positions, buffers::triangles(py, &triangles)?)))
    }

    /// Displacement of a skin vertex from rest, m (3,).
    fn displacement<'py>(&self, py: Python<'py>, vertex: i64) -> Outcome<Triple<'py>> {
        let vertex = vertex_number(vertex)?;
        let moved = self.with(py, |world| Ok(world.displacement(vertex)?))?;
        Ok(triple(py, &moved))
    }

    /// The skin vertex that is nearest to a place at rest, m.
    fn nearest_vertex(&self, py: Python<'_>, place: &Bound<'_, PyAny>) -> Outcome<u32> {
        let place = arrays::vector(place, "place")?;
        self.with(py, |world| Ok(world.nearest_vertex(place)))
    }

    /// Where a ray first hits the skin as it is now: how far along the ray (in lengths of `direction`), the triangle, and the place (3,), m; `None` where it hits nothing.
    fn pick<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
    ) -> Outcome<Option<Hit<'py>>> {
        let origin: Vec3 = arrays::vector(origin, "origin")?.into();
        let direction: Vec3 = arrays::vector(direction, "direction")?.into();
        let ray = Ray { origin, direction };
        let hit = self.with(py, |world| Ok(world.pick(&ray)))?;
        let found = hit.map(|(distance, hit)| {
            (
                distance,
                hit.triangle,
                triple(py, &(origin + direction * distance)),
            )
        });
        Ok(found)
    }

    /// Hash of the bits of all positions, as in recordings: equal where two runs are.
    #[getter]
    fn surface_hash(&self, py: Python<'_>) -> Outcome<String> {
        let hash = self.with(py, |world| {
            Ok(pliant::recording::surface_hash(world.positions()))
        })?;
        Ok(format!("{hash:016x}"))
    }

    /// Writes the surface as it is now (that of the cuts, where there are any) as Wavefront OBJ, m.
    fn write_obj(&self, py: Python<'_>, path: PathBuf) -> Outcome<()> {
        self.detached(py, |world| {
            let now = world.surface();
            let (positions, triangles) = match &now.cut {
                Some(cut) => closed(cut),
                None => (now.positions.clone(), world.skin().triangles.clone()),
            };
            let positions = positions.iter().map(|x| x.map(f64::from).into()).collect();
            let surface = SurfaceMesh::new(positions, triangles);
            let written = pliant::meshing::io::write_obj(&path, &surface);
            written.map_err(|error| Failure::unwritable(&path, &error))
        })
    }
}

/// Positions and triangles of the closed surface of a cut body.
fn closed(cut: &CutSurface) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let positions = cut.frame.positions[..cut.closed_vertices()].to_vec();
    (positions, cut.closed_triangles().collect())
}

impl World {
    /// A vertex buffer of the world, copied once.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        rows_of: impl Fn(&pliant::World) -> &[[f32; 3]],
    ) -> Outcome<Points<'py>> {
        let count = self.with(py, |world| Ok(rows_of(world).len()))?;
        // made before the world is locked: numpy may run the garbage collector
        let array = given_or_new(py, out, count)?;
        fill(&array, |rows| {
            self.with(py, |world| {
                rows.copy_from_slice(rows_of(world).as_flattened());
                Ok(())
            })
        })?;
        Ok(array)
    }
}
