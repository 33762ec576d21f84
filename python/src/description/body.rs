//! A body: its mesh, what it is made of and what holds it.

use std::path::PathBuf;

use pliant::{Body as Inner, Selection as Select, SurfaceMesh, TetMesh, Vec3};
use pyo3::prelude::*;

use super::material::Material;
use super::selection::Selection;
use crate::arrays;
use crate::errors::Outcome;
use crate::values;

/// A deformable body. Methods change it and return it, so that calls can be chained; what is not said has a default.
#[pyclass(module = "pliant")]
#[derive(Clone)]
pub struct Body {
    pub inner: Inner,
}

impl Body {
    /// A body with the options that every constructor takes.
    fn with_options(
        mut inner: Inner,
        name: Option<&str>,
        material: Option<PyRef<'_, Material>>,
        longest: Option<f64>,
        on_floor: bool,
        hold_lowest: Option<f64>,
    ) -> Self {
        if let Some(name) = name {
            inner = inner.rename(name);
        }
        if let Some(material) = material {
            inner = inner.material(material.inner);
        }
        if let Some(longest) = longest {
            inner = inner.longest(longest);
        }
        if on_floor {
            inner = inner.on_floor();
        }
        if let Some(share) = hold_lowest {
            inner = inner.hold_lowest(share);
        }
        Self { inner }
    }

    /// Changes the body in place, as Python expects of a method.
    fn change(
        mut this: PyRefMut<'_, Self>,
        change: impl FnOnce(Inner) -> Inner,
    ) -> PyRefMut<'_, Self> {
        this.inner = change(this.inner.clone());
        this
    }
}

#[pymethods]
impl Body {
    /// The solid in a mesh file of any format that Pliant reads, m with y up.
    #[staticmethod]
    #[pyo3(signature = (path, *, name=None, material=None, longest=None, on_floor=false, hold_lowest=None, units=None, z_up=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn from_file(
        path: PathBuf,
        name: Option<&str>,
        material: Option<PyRef<'_, Material>>,
        longest: Option<f64>,
        on_floor: bool,
        hold_lowest: Option<f64>,
        units: Option<&str>,
        z_up: bool,
    ) -> Self {
        let mut inner = Inner::from_file(path);
        if let Some(units) = units {
            inner = inner.units(units);
        }
        if z_up {
            inner = inner.z_up();
        }
        Self::with_options(inner, name, material, longest, on_floor, hold_lowest)
    }

    /// The solid that a closed surface bounds: vertices (n, 3), m, and faces (m, 3), counter-clockwise from outside.
    #[staticmethod]
    #[pyo3(signature = (vertices, faces, *, name="body", material=None, longest=None, on_floor=false, hold_lowest=None))]
    fn from_triangles(
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        name: &str,
        material: Option<PyRef<'_, Material>>,
        longest: Option<f64>,
        on_floor: bool,
        hold_lowest: Option<f64>,
    ) -> Outcome<Self> {
        let positions = arrays::points(vertices, "vertices")?;
        let triangles = arrays::indices(faces, "faces", positions.len())?;
        let positions: Vec<Vec3> = positions.into_iter().map(Vec3::from).collect();
        let inner = Inner::from_surface(name, SurfaceMesh::new(positions, triangles));
        let body = Self::with_options(inner, None, material, longest, on_floor, hold_lowest);
        Ok(body)
    }

    /// Tetrahedra of another mesher: nodes (n, 3), m, and tets (m, 4), each with positive volume. Their boundary is the skin.
    #[staticmethod]
    #[pyo3(signature = (nodes, tets, *, name="body", material=None, longest=None, on_floor=false, hold_lowest=None))]
    fn from_tets(
        nodes: &Bound<'_, PyAny>,
        tets: &Bound<'_, PyAny>,
        name: &str,
        material: Option<PyRef<'_, Material>>,
        longest: Option<f64>,
        on_floor: bool,
        hold_lowest: Option<f64>,
    ) -> Outcome<Self> {
        let positions = arrays::points(nodes, "nodes")?;
        let tets = arrays::indices(tets, "tets", positions.len())?;
        let nodes = positions.into_iter().map(Vec3::from).collect();
        let inner = Inner::from_tets(name, TetMesh { nodes, tets });
        let body = Self::with_options(inner, None, material, longest, on_floor, hold_lowest);
        Ok(body)
    }

    /// A body of Pliant's by name; all are in `pliant.PROCEDURAL_BODIES`. `edge`: edge of the skin's triangles, m.
    #[staticmethod]
    #[pyo3(signature = (shape, *, name=None, material=None, longest=None, on_floor=false, hold_lowest=None, edge=None))]
    fn procedural(
        shape: &str,
        name: Option<&str>,
        material: Option<PyRef<'_, Material>>,
        longest: Option<f64>,
        on_floor: bool,
        hold_lowest: Option<f64>,
        edge: Option<f64>,
    ) -> Self {
        let mut inner = Inner::procedural(shape);
        if let Some(edge) = edge {
            inner = inner.edge(edge);
        }
        Self::with_options(inner, name, material, longest, on_floor, hold_lowest)
    }

    /// A box around the origin with these sides, m, in cells of about `edge` metres.
    #[staticmethod]
    #[pyo3(signature = (sides, edge, *, name=None, material=None, on_floor=false, hold_lowest=None))]
    fn cuboid(
        sides: &Bound<'_, PyAny>,
        edge: f64,
        name: Option<&str>,
        material: Option<PyRef<'_, Material>>,
        on_floor: bool,
        hold_lowest: Option<f64>,
    ) -> Outcome<Self> {
        let inner = Inner::cuboid(arrays::vector(sides, "sides")?, edge);
        let body = Self::with_options(inner, name, material, None, on_floor, hold_lowest);
        Ok(body)
    }

    /// Its name in the scene.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Gives it another name.
    fn rename<'py>(this: PyRefMut<'py, Self>, name: &str) -> PyRefMut<'py, Self> {
        Self::change(this, |body| body.rename(name))
    }

    /// Scales the body so that its longest side has this length, m.
    fn longest(this: PyRefMut<'_, Self>, length: f64) -> PyRefMut<'_, Self> {
        Self::change(this, |body| body.longest(length))
    }

    /// Puts the body onto y = 0.
    fn on_floor(this: PyRefMut<'_, Self>) -> PyRefMut<'_, Self> {
        Self::change(this, Inner::on_floor)
    }

    /// What it is made of.
    fn material<'py>(
        this: PyRefMut<'py, Self>,
        material: PyRef<'_, Material>,
    ) -> PyRefMut<'py, Self> {
        Self::change(this, |body| body.material(material.inner))
    }

    /// Holds a part for good: a `Selection`, or vertex numbers. The force there is `World.support_force(name)`.
    fn hold<'py>(
        this: PyRefMut<'py, Self>,
        name: &str,
        select: &Bound<'_, PyAny>,
    ) -> Outcome<PyRefMut<'py, Self>> {
        let select = match select.cast::<Selection>() {
            Ok(selection) => selection.get().inner.clone(),
            Err(_) => Select::List(arrays::vertices(select, "select")?),
        };
        Ok(Self::change(this, |body| body.hold(name, select)))
    }

    /// Holds everything below this share of the height, 0 to 1, under the name `foot`.
    fn hold_lowest(this: PyRefMut<'_, Self>, share: f64) -> PyRefMut<'_, Self> {
        Self::change(this, |body| body.hold_lowest(share))
    }

    /// Sets any key of `[[body]]` of a scene file, with dots between tables.
    fn set<'py>(
        this: PyRefMut<'py, Self>,
        key: &str,
        value: &Bound<'_, PyAny>,
    ) -> Outcome<PyRefMut<'py, Self>> {
        let value = values::value(key, value)?;
        Ok(Self::change(this, |body| body.set(key, value)))
    }

    fn __repr__(&self) -> String {
        format!("<pliant.Body '{}'>", self.name())
    }
}
