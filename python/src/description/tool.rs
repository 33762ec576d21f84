//! A rigid tool: its shape, where it begins, and what moves it.

use pliant::{Interpolation, Key, PosePath, Tool as Inner, ToolShape, Vec3};
use pyo3::prelude::*;

use crate::arrays::{self, wrong};
use crate::errors::{Failure, Outcome};

/// A rigid thing that touches bodies. It stays where it is until `World.move_tool` moves it, or follows a path.
#[pyclass(module = "pliant")]
#[derive(Clone)]
pub struct Tool {
    pub inner: Inner,
}

/// One coefficient, or one while sticking and one while sliding.
#[derive(FromPyObject)]
enum Friction {
    One(f64),
    Two((f64, f64)),
}

impl Tool {
    fn with_shape(
        name: &str,
        shape: ToolShape,
        at: &Bound<'_, PyAny>,
        friction: Option<Friction>,
    ) -> Outcome<Self> {
        let inner = Inner::of_shape(name, shape, arrays::vector(at, "at")?);
        Ok(Self::with_friction(inner, friction))
    }

    fn with_friction(inner: Inner, friction: Option<Friction>) -> Self {
        let inner = match friction {
            None => inner,
            Some(Friction::One(mu)) => inner.friction(mu),
            Some(Friction::Two((sticking, sliding))) => inner.friction_of(sticking, sliding),
        };
        Self { inner }
    }
}

#[pymethods]
impl Tool {
    /// A ball, m, that begins `at` a place.
    #[staticmethod]
    #[pyo3(signature = (name, radius, at, *, friction=None))]
    fn sphere(
        name: &str,
        radius: f64,
        at: &Bound<'_, PyAny>,
        friction: Option<Friction>,
    ) -> Outcome<Self> {
        Self::with_shape(name, ToolShape::Sphere { radius }, at, friction)
    }

    /// A cylinder with round ends along y, m.
    #[staticmethod]
    #[pyo3(signature = (name, radius, half_length, at, *, friction=None))]
    fn capsule(
        name: &str,
        radius: f64,
        half_length: f64,
        at: &Bound<'_, PyAny>,
        friction: Option<Friction>,
    ) -> Outcome<Self> {
        let shape = ToolShape::Capsule {
            radius,
            half_length,
        };
        Self::with_shape(name, shape, at, friction)
    }

    /// A cylinder with flat ends along y, m.
    #[staticmethod]
    #[pyo3(signature = (name, radius, half_length, at, *, friction=None))]
    fn cylinder(
        name: &str,
        radius: f64,
        half_length: f64,
        at: &Bound<'_, PyAny>,
        friction: Option<Friction>,
    ) -> Outcome<Self> {
        let shape = ToolShape::Cylinder {
            radius,
            half_length,
        };
        Self::with_shape(name, shape, at, friction)
    }

    /// A box with these sides and rounded edges, m.
    #[staticmethod]
    #[pyo3(signature = (name, sides, rounding, at, *, friction=None))]
    fn cuboid(
        name: &str,
        sides: &Bound<'_, PyAny>,
        rounding: f64,
        at: &Bound<'_, PyAny>,
        friction: Option<Friction>,
    ) -> Outcome<Self> {
        let half_size = Vec3::from(arrays::vector(sides, "sides")?) * 0.5;
        let shape = ToolShape::Box {
            half_size,
            rounding,
        };
        Self::with_shape(name, shape, at, friction)
    }

    /// Everything below y = `height`, m.
    #[staticmethod]
    #[pyo3(signature = (name, height, *, friction=None))]
    fn floor(name: &str, height: f64, friction: Option<Friction>) -> Self {
        Self::with_friction(Inner::floor(name, height), friction)
    }

    /// A blade with its edge along x, m; it cuts what the edge sweeps.
    #[staticmethod]
    fn blade(
        name: &str,
        length: f64,
        height: f64,
        thickness: f64,
        at: &Bound<'_, PyAny>,
    ) -> Outcome<Self> {
        let shape = ToolShape::Blade {
            length,
            height,
            thickness,
        };
        Self::with_shape(name, shape, at, None)
    }

    /// Its name in the scene.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Follows a path from now on, unless the program moves it: times (k,), s, positions (k, 3), m, orientations (k, 4) as (w, x, y, z).
    #[pyo3(signature = (times, positions, *, orientations=None, interpolation="linear", looping=false))]
    fn along<'py>(
        mut this: PyRefMut<'py, Self>,
        times: Vec<f64>,
        positions: &Bound<'_, PyAny>,
        orientations: Option<Vec<Bound<'_, PyAny>>>,
        interpolation: &str,
        looping: bool,
    ) -> Outcome<PyRefMut<'py, Self>> {
        let interpolation = match interpolation {
            "linear" => Interpolation::Linear,
            "smooth" => Interpolation::Smooth,
            "hermite" => Interpolation::Hermite,
            other => {
                return Err(wrong(
                    "interpolation",
                    &format!("`{other}`"),
                    "`linear`, `smooth` or `hermite`",
                ));
            }
        };
        let positions = arrays::points(positions, "positions")?;
        let mut quaternions = Vec::new();
        for (k, turn) in orientations.iter().flatten().enumerate() {
            quaternions.push(arrays::quaternion(turn, &format!("orientations[{k}]"))?);
        }
        let as_many = |name: &str, found: usize| match found == times.len() {
            true => Ok(()),
            false => Err(wrong(
                name,
                &format!("{found} long"),
                &format!("one for each of the {} times", times.len()),
            )),
        };
        as_many("positions", positions.len())?;
        if orientations.is_some() {
            as_many("orientations", quaternions.len())?;
        }
        let keys = times
            .iter()
            .zip(&positions)
            .enumerate()
            .map(|(k, (&time, &position))| Key {
                time,
                position: position.into(),
                orientation: quaternions.get(k).copied().unwrap_or_default(),
            });
        let path = PosePath::new(keys.collect(), interpolation, looping).map_err(|error| {
            Failure::argument(format!("the path of tool `{}`: {error}", this.inner.name()))
        })?;
        this.inner = this.inner.clone().along(path);
        Ok(this)
    }

    /// Pokes the highest free place of the body, 4 % of its diagonal deep but at most a third of its height, every four seconds, unless the program moves it.
    fn poking(mut this: PyRefMut<'_, Self>) -> PyRefMut<'_, Self> {
        this.inner = this.inner.clone().poking();
        this
    }

    /// Bodies stick to it: what the tool has pushed moves with it in all directions. It releases the body when it pulls with more than `up_to`, N, and without one never.
    #[pyo3(signature = (up_to=None))]
    fn sticky(mut this: PyRefMut<'_, Self>, up_to: Option<f64>) -> PyRefMut<'_, Self> {
        let tool = this.inner.clone();
        this.inner = match up_to {
            None => tool.sticky(),
            Some(pull) => tool.sticky_up_to(pull),
        };
        this
    }

    /// As `sticky`, but each vertex is released by itself when the tool pulls at it along its normal with more than `up_to`, N: the body comes off from the edge.
    fn bonded(mut this: PyRefMut<'_, Self>, up_to: f64) -> PyRefMut<'_, Self> {
        this.inner = this.inner.clone().bonded_up_to(up_to);
        this
    }

    fn __repr__(&self) -> String {
        format!("<pliant.Tool '{}'>", self.name())
    }
}
