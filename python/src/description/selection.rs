//! Which vertices of a skin a support holds.

use pliant::Selection as Inner;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::Outcome;

/// A set of skin vertices, described in rest coordinates, m.
#[pyclass(frozen, module = "pliant")]
#[derive(Clone)]
pub struct Selection {
    pub inner: Inner,
}

#[pymethods]
impl Selection {
    /// Everything below this share of the height, 0 to 1.
    #[staticmethod]
    fn lowest(share: f64) -> Self {
        Self {
            inner: Inner::Lowest(share),
        }
    }

    /// Everything in an axis-aligned box.
    #[staticmethod]
    fn r#box(min: &Bound<'_, PyAny>, max: &Bound<'_, PyAny>) -> Outcome<Self> {
        let inner = Inner::Box {
            min: arrays::vector(min, "min")?,
            max: arrays::vector(max, "max")?,
        };
        Ok(Self { inner })
    }

    /// Everything in a ball.
    #[staticmethod]
    fn sphere(center: &Bound<'_, PyAny>, radius: f64) -> Outcome<Self> {
        let inner = Inner::Sphere {
            center: arrays::vector(center, "center")?,
            radius,
        };
        Ok(Self { inner })
    }

    /// Everything on the side of a plane that its normal points to.
    #[staticmethod]
    fn half_space(point: &Bound<'_, PyAny>, normal: &Bound<'_, PyAny>) -> Outcome<Self> {
        let inner = Inner::HalfSpace {
            point: arrays::vector(point, "point")?,
            normal: arrays::vector(normal, "normal")?,
        };
        Ok(Self { inner })
    }

    /// Skin vertices by number.
    #[staticmethod]
    fn vertices(vertices: &Bound<'_, PyAny>) -> Outcome<Self> {
        let inner = Inner::List(arrays::vertices(vertices, "vertices")?);
        Ok(Self { inner })
    }

    /// A named vertex group of the mesh.
    #[staticmethod]
    fn group(name: String) -> Self {
        Self {
            inner: Inner::Group(name),
        }
    }

    fn __repr__(&self) -> String {
        match &self.inner {
            Inner::Lowest(share) => format!("Selection.lowest({share})"),
            Inner::Box { min, max } => format!("Selection.box({min:?}, {max:?})"),
            Inner::Sphere { center, radius } => format!("Selection.sphere({center:?}, {radius})"),
            Inner::HalfSpace { point, normal } => {
                format!("Selection.half_space({point:?}, {normal:?})")
            }
            Inner::List(list) => format!("Selection.vertices(<{} vertices>)", list.len()),
            Inner::Group(name) => format!("Selection.group('{name}')"),
        }
    }
}
