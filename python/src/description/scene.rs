//! A scene: bodies, tools, gravity, and the worlds that are built of them.

use std::path::PathBuf;

use pliant::{Method, PreparedScene as Prepared, Scene as Inner};
use pyo3::prelude::*;

use super::body::Body;
use super::tool::Tool;
use crate::arrays::{self, wrong};
use crate::buffers;
use crate::comparison::{Comparison, ComparisonOptions, run_comparison};
use crate::detached::{detached, run_with_progress};
use crate::errors::Outcome;
use crate::values;
use crate::world::World;

/// What a world is built of. Methods change it and return it. Nothing is read or meshed before `build`, `prepare` or `compare`.
///
/// gravity: m/s², earth's if nothing is said. frame_rate: frames a second, 60 if nothing is said. cache: a folder that keeps baked assets, so that they are baked once. Bodies and tools are
/// copied: what is changed on them later does not count.
#[pyclass(module = "pliant")]
pub struct Scene {
    inner: Inner,
    /// whether all of it stands in the text of a scene file
    is_text: bool,
}

impl Scene {
    /// Changes what the text of a scene file does not say.
    fn change(
        mut this: PyRefMut<'_, Self>,
        change: impl FnOnce(Inner) -> Inner,
    ) -> PyRefMut<'_, Self> {
        this.inner = change(this.inner.clone());
        this.is_text = false;
        this
    }

    fn of_text(inner: Inner) -> Self {
        Self {
            inner,
            is_text: true,
        }
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (name="scene", *, bodies=Vec::new(), tools=Vec::new(), gravity=None, frame_rate=None, cache=None))]
    fn new(
        name: &str,
        bodies: Vec<PyRef<'_, Body>>,
        tools: Vec<PyRef<'_, Tool>>,
        gravity: Option<&Bound<'_, PyAny>>,
        frame_rate: Option<f64>,
        cache: Option<PathBuf>,
    ) -> Outcome<Self> {
        let mut inner = Inner::new(name);
        for body in bodies {
            inner = inner.body(body.inner.clone());
        }
        for tool in tools {
            inner = inner.tool(tool.inner.clone());
        }
        if let Some(gravity) = gravity {
            inner = inner.gravity(arrays::vector(gravity, "gravity")?);
        }
        if let Some(rate) = frame_rate {
            inner = inner.frame_rate(rate);
        }
        if let Some(folder) = cache {
            inner = inner.cache_in(folder);
        }
        Ok(Self {
            inner,
            is_text: false,
        })
    }

    /// A scene file (`.toml`), a bundled scene by name, or any mesh file, which is held at its foot and poked from above.
    #[staticmethod]
    fn load(py: Python<'_>, source: PathBuf) -> Outcome<Self> {
        detached(py, || Ok(Self::of_text(Inner::load(source.as_os_str())?)))
    }

    /// A scene from the text of a scene file.
    #[staticmethod]
    fn parse(text: &str) -> Outcome<Self> {
        Ok(Self::of_text(Inner::parse(text)?))
    }

    /// Adds a body.
    fn body<'py>(this: PyRefMut<'py, Self>, body: PyRef<'_, Body>) -> PyRefMut<'py, Self> {
        Self::change(this, |scene| scene.body(body.inner.clone()))
    }

    /// Adds a tool.
    fn tool<'py>(this: PyRefMut<'py, Self>, tool: PyRef<'_, Tool>) -> PyRefMut<'py, Self> {
        Self::change(this, |scene| scene.tool(tool.inner.clone()))
    }

    /// Gravity, m/s².
    fn gravity<'py>(
        this: PyRefMut<'py, Self>,
        gravity: &Bound<'_, PyAny>,
    ) -> Outcome<PyRefMut<'py, Self>> {
        let gravity = arrays::vector(gravity, "gravity")?;
        Ok(Self::change(this, |scene| scene.gravity(gravity)))
    }

    /// Frames a second; 60 if nothing is said.
    fn frame_rate(this: PyRefMut<'_, Self>, rate: f64) -> PyRefMut<'_, Self> {
        Self::change(this, |scene| scene.frame_rate(rate))
    }

    /// Sets any key of the scene's own tables.
    fn set<'py>(
        this: PyRefMut<'py, Self>,
        key: &str,
        value: &Bound<'_, PyAny>,
    ) -> Outcome<PyRefMut<'py, Self>> {
        let value = values::value(key, value)?;
        Ok(Self::change(this, |scene| scene.set(key, value)))
    }

    /// Keeps baked assets in a folder, so that they are baked once.
    fn cache_in(mut this: PyRefMut<'_, Self>, folder: PathBuf) -> PyRefMut<'_, Self> {
        this.inner = this.inner.clone().cache_in(folder);
        this
    }

    /// Reads or generates the skin and resolves everything that refers to it: what all methods share.
    #[pyo3(signature = (*, progress=None))]
    fn prepare(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PreparedScene> {
        let scene = self.inner.clone();
        let inner = run_with_progress(py, progress, move |watch| Ok(scene.prepare_with(watch)?))?;
        Ok(PreparedScene { inner })
    }

    /// Builds one method: meshes, bakes (or takes from the cache), and puts everything at rest.
    #[pyo3(signature = (method, *, progress=None))]
    fn build(
        &self,
        py: Python<'_>,
        method: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<World> {
        let method = parse_method(method)?;
        let scene = self.inner.clone();
        let world = run_with_progress(py, progress, move |watch| {
            Ok(scene.prepare_with(watch)?.build_with(method, watch)?)
        })?;
        Ok(World::new(py, world)?)
    }

    /// Runs several methods side by side through the motion that the scene says, and compares them.
    ///
    /// methods: names, those of the scene if nothing is said. duration: s, that of the scene if nothing is said. reference: `none`; `dynamic`, fine finite elements that say how far each
    /// method is off; `estimate`, the same on few nodes; `static`, the same without inertia; `linear`, linear elasticity; or `explained`, which also says why. keep_surfaces: keeps skins four times a second. record: a file for a recording, with surfaces every `record_every` frames.
    /// progress: called as progress(stage, fraction); it cancels by raising.
    #[pyo3(signature = (methods=None, duration=None, *, reference="none", keep_surfaces=false, record=None, record_every=1, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn compare(
        &self,
        py: Python<'_>,
        methods: Option<Vec<String>>,
        duration: Option<f64>,
        reference: &str,
        keep_surfaces: bool,
        record: Option<PathBuf>,
        record_every: u32,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Comparison> {
        let methods = methods.map(|names| {
            names
                .iter()
                .map(|name| parse_method(name))
                .collect::<Outcome<_>>()
        });
        let options = ComparisonOptions::new(
            methods.transpose()?,
            duration,
            reference,
            keep_surfaces,
            record,
            record_every,
        )?;
        let (scene, is_text) = (self.inner.clone(), self.is_text);
        run_with_progress(py, progress, move |watch| {
            run_comparison(&scene, is_text, options, watch)
        })
    }
}

/// A scene whose skin is there: several methods built of it share skin, supports and tools.
#[pyclass(frozen, module = "pliant")]
pub struct PreparedScene {
    inner: Prepared,
}

#[pymethods]
impl PreparedScene {
    /// Builds one method.
    #[pyo3(signature = (method, *, progress=None))]
    fn build(
        &self,
        py: Python<'_>,
        method: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<World> {
        let method = parse_method(method)?;
        let world = run_with_progress(py, progress, |watch| {
            Ok(self.inner.build_with(method, watch)?)
        })?;
        Ok(World::new(py, world)?)
    }

    /// Positions of the skin at rest, m: float64 (n, 3).
    #[getter]
    fn rest_positions<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        Ok(buffers::vectors(py, &self.inner.skin().positions)?.into_any())
    }

    /// Triangles of the skin: int32 (m, 3), counter-clockwise from outside.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        Ok(buffers::triangles(py, &self.inner.skin().triangles)?.into_any())
    }

    /// What was repaired or assumed, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }
}

/// The method of that name.
fn parse_method(name: &str) -> Outcome<Method> {
    Method::from_name(name).ok_or_else(|| {
        let names = Method::ALL.map(|m| format!("`{}`", m.name())).join(", ");
        wrong("method", &format!("`{name}`"), names.as_str())
    })
}
