//! Arrays and dicts that Python gets: new ones, or the caller's own.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pliant::Vec3;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{describe, wrong};
use crate::errors::{Failure, Outcome};

/// Three numbers, float64.
pub type Triple<'py> = Bound<'py, PyArray1<f64>>;
/// Vectors as rows, float64.
pub type Vectors<'py> = Bound<'py, PyArray2<f64>>;
/// Points as rows, float32.
pub type Points<'py> = Bound<'py, PyArray2<f32>>;

/// Three numbers.
pub fn triple<'py>(py: Python<'py>, x: &Vec3) -> Triple<'py> {
    PyArray1::from_slice(py, &[x.x, x.y, x.z])
}

/// Vectors as rows, float64.
pub fn vectors<'py>(py: Python<'py>, rows: &[Vec3]) -> Outcome<Vectors<'py>> {
    let array = new(py, rows.len())?;
    fill(&array, |out: &mut [f64]| {
        for (out, row) in out.chunks_exact_mut(3).zip(rows) {
            out.copy_from_slice(row.as_slice());
        }
        Ok(())
    })?;
    Ok(array)
}

/// Points of single precision as rows.
pub fn points<'py>(py: Python<'py>, rows: &[[f32; 3]]) -> Outcome<Points<'py>> {
    let array = new(py, rows.len())?;
    fill(&array, |out: &mut [f32]| {
        out.copy_from_slice(rows.as_flattened());
        Ok(())
    })?;
    Ok(array)
}

/// Vertex triples as rows, int32.
pub fn triangles<'py>(py: Python<'py>, rows: &[[u32; 3]]) -> Outcome<Bound<'py, PyArray2<i32>>> {
    let array = new(py, rows.len())?;
    fill(&array, |out: &mut [i32]| {
        for (out, vertex) in out.iter_mut().zip(rows.as_flattened()) {
            // skins have fewer than 2³¹ vertices
            *out = vertex.cast_signed();
        }
        Ok(())
    })?;
    Ok(array)
}

/// A dict of these entries, in their order.
pub fn dict<'py, K: IntoPyObject<'py>, V: IntoPyObject<'py>>(
    py: Python<'py>,
    entries: impl IntoIterator<Item = (K, V)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in entries {
        dict.set_item(key, value)?;
    }
    Ok(dict)
}

/// The same array, which nobody may write to any more.
pub fn read_only<'py, T: numpy::Element>(
    array: Bound<'py, PyArray2<T>>,
) -> Outcome<Bound<'py, PyArray2<T>>> {
    let flags = array.getattr("flags");
    let set = flags.and_then(|flags| flags.setattr("writeable", false));
    set.map_err(|error| Failure::argument(error.to_string()))?;
    Ok(array)
}

/// The caller's array where it has `rows` rows of three float32, else a new one.
pub fn given_or_new<'py>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    rows: usize,
) -> Outcome<Points<'py>> {
    let Some(out) = out else {
        return new(py, rows);
    };
    let expected =
        format!("a float32 array of shape ({rows}, 3) that is contiguous and can be written to");
    let unexpected_value = |got: &str| wrong("out", got, &expected);
    let array = out
        .cast::<PyArray2<f32>>()
        .map_err(|_| unexpected_value(&describe(out)))?;
    if array.shape() != [rows, 3] {
        return Err(unexpected_value(&describe(out)));
    }
    if !array.is_c_contiguous() {
        return Err(unexpected_value("not contiguous"));
    }
    if array.try_readwrite().is_err() {
        return Err(unexpected_value("read-only"));
    }
    Ok(array.clone())
}

/// Fills an array of rows that are contiguous. `write` must not call Python.
pub fn fill<T: numpy::Element>(
    array: &Bound<'_, PyArray2<T>>,
    write: impl FnOnce(&mut [T]) -> Outcome<()>,
) -> Outcome<()> {
    let busy = |error: String| Failure::argument(format!("`out` cannot be written to: {error}"));
    let mut array = array.try_readwrite().map_err(|e| busy(e.to_string()))?;
    write(array.as_slice_mut().map_err(|e| busy(e.to_string()))?)
}

fn new<T: numpy::Element>(py: Python<'_>, rows: usize) -> Outcome<Bound<'_, PyArray2<T>>> {
    Ok(PyArray2::zeros(py, [rows, 3], false))
}
