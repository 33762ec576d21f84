//! Checks of arrays and numbers from Python. An error names the argument, its value and the expected value.

use numpy::{
    PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{Failure, Kind, Outcome};

/// Points of shape (n, 3).
pub fn points(value: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<[f64; 3]>> {
    finite_rows(value, name, "real numbers of shape (n, 3)")
}

/// The same with a description of the expected value.
fn finite_rows(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> Outcome<Vec<[f64; 3]>> {
    let rows: Vec<[f64; 3]> = rows(value, name, "fiu", "float64", expected)?;
    match rows
        .iter()
        .position(|row| !row.iter().all(|x| x.is_finite()))
    {
        Some(row) => Err(not_finite(&format!("{name}[{row}]"))),
        None => Ok(rows),
    }
}

/// Vertex numbers of shape (n, N), each below `count`.
pub fn indices<const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
    count: usize,
) -> Outcome<Vec<[u32; N]>> {
    let expected = format!("whole numbers of shape (n, {N})");
    let rows: Vec<[i64; N]> = rows(value, name, "iu", "int64", &expected)?;
    let checked = rows.iter().enumerate().map(|(k, row)| {
        let mut out = [0; N];
        for (index, &vertex) in out.iter_mut().zip(row) {
            *index = u32::try_from(vertex)
                .ok()
                .filter(|&v| (v as usize) < count)
                .ok_or_else(|| no_such_vertex(&format!("{name}[{k}]"), vertex, Some(count)))?;
        }
        Ok(out)
    });
    checked.collect()
}

/// Vertex numbers of shape (n,). The library refuses numbers beyond the skin.
pub fn vertices(value: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<u32>> {
    let expected = "whole numbers of shape (n,)";
    let array = numeric(value, name, "iu", expected)?;
    if array.ndim() != 1 {
        return Err(wrong(name, &describe(value), expected));
    }
    let numbers: Vec<i64> = array
        .call_method1("astype", ("int64",))
        .and_then(|a| Ok(a.cast_into::<PyArray1<i64>>()?.to_vec()?))
        .map_err(|_| wrong(name, &describe(value), expected))?;
    let numbers = numbers.iter();
    let checked = numbers.map(|&v| u32::try_from(v).map_err(|_| no_such_vertex(name, v, None)));
    checked.collect()
}

/// A place, direction or force: three finite numbers.
pub fn vector(value: &Bound<'_, PyAny>, name: &str) -> Outcome<[f64; 3]> {
    numbers(value, name, "three numbers")
}

/// A displacement of n vertices: a common one, or one for each.
pub enum Displacement {
    /// That of all vertices, m.
    Common([f64; 3]),
    /// That of each vertex, m.
    Each(Vec<[f64; 3]>),
}

/// A displacement of shape (3,) or (n, 3); the library says whether n is the number of vertices.
pub fn displacement(value: &Bound<'_, PyAny>, name: &str) -> Outcome<Displacement> {
    let expected = "three numbers, or real numbers of shape (n, 3)";
    match as_array(value) {
        Some(array) if array.ndim() == 2 => {
            Ok(Displacement::Each(finite_rows(value, name, expected)?))
        }
        _ => Ok(Displacement::Common(numbers(value, name, expected)?)),
    }
}

/// Orientation as a quaternion (w, x, y, z), which is normalised.
pub fn quaternion(
    value: &Bound<'_, PyAny>,
    name: &str,
) -> Outcome<pliant::nalgebra::UnitQuaternion<f64>> {
    let [w, x, y, z] = numbers(value, name, "a quaternion (w, x, y, z)")?;
    let q = pliant::nalgebra::Quaternion::new(w, x, y, z);
    pliant::nalgebra::UnitQuaternion::try_new(q, 1e-12).ok_or_else(|| {
        Failure::argument(format!(
            "`{name}` is zero, and no orientation\n  remedy: give a quaternion (w, x, y, z)"
        ))
    })
}

/// N finite numbers.
pub fn numbers<const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
    expected: &str,
) -> Outcome<[f64; N]> {
    let Ok(found) = value.extract::<[f64; N]>() else {
        return Err(wrong(name, &describe(value), expected));
    };
    match found.iter().all(|x| x.is_finite()) {
        true => Ok(found),
        false => Err(not_finite(name)),
    }
}

/// An argument that cannot be used.
pub fn wrong(name: &str, got: &str, expected: &str) -> Failure {
    Failure::argument(format!("`{name}` is {got}, wanted {expected}"))
}

fn not_finite(name: &str) -> Failure {
    let words = format!("`{name}` is not finite\n  remedy: look where it comes from");
    Failure::new(Kind::Argument, "NotFinite", words)
}

/// A vertex number that is negative, or not below `count`.
pub fn no_such_vertex(place: &str, vertex: i64, count: Option<usize>) -> Failure {
    let remedy = match count {
        Some(count) => format!("use 0 to {}", count.saturating_sub(1)),
        None => "vertices count from 0".to_string(),
    };
    let words = format!("`{place}` names vertex {vertex}\n  remedy: {remedy}");
    Failure::new(Kind::Argument, "NoSuchVertex", words)
}

/// Rows of an array with two dimensions, cast to `dtype`.
fn rows<T: numpy::Element + Copy, const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
    kinds: &str,
    dtype: &str,
    expected: &str,
) -> Outcome<Vec<[T; N]>> {
    let unexpected_value = || wrong(name, &describe(value), expected);
    let array = numeric(value, name, kinds, expected)?;
    if array.shape().len() != 2 || array.shape()[1] != N {
        return Err(unexpected_value());
    }
    let cast = |array: &Bound<'_, PyAny>| -> PyResult<Vec<T>> {
        let numpy = value.py().import("numpy")?;
        let cast = numpy.call_method1("ascontiguousarray", (array, dtype))?;
        let cast: PyReadonlyArray2<'_, T> = cast.cast_into::<PyArray2<T>>()?.try_readonly()?;
        Ok(cast.as_slice()?.to_vec())
    };
    let flat = cast(array.as_any()).map_err(|_| unexpected_value())?;
    let (rows, _) = flat.as_chunks::<N>();
    Ok(rows.to_vec())
}

/// The array that numpy makes of a value, if the kind of its dtype is one of `kinds`. An empty list has no dtype of its own.
fn numeric<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    kinds: &str,
    expected: &str,
) -> Outcome<Bound<'py, PyUntypedArray>> {
    let unexpected_value = || wrong(name, &describe(value), expected);
    let array = as_array(value).ok_or_else(unexpected_value)?;
    let kind = char::from(array.dtype().kind());
    match kinds.contains(kind) || array.len() == 0 {
        true => Ok(array),
        false => Err(unexpected_value()),
    }
}

fn as_array<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyUntypedArray>> {
    let numpy = value.py().import("numpy").ok()?;
    let array = numpy.call_method1("asarray", (value,)).ok()?;
    array.cast_into().ok()
}

/// Describes a value for an error.
pub fn describe(value: &Bound<'_, PyAny>) -> String {
    let kind = || match value.get_type().name() {
        Ok(name) => format!("of type {name}"),
        Err(_) => "of another type".to_string(),
    };
    if value.is_none() {
        return "None".into();
    }
    match as_array(value) {
        Some(array) if array.ndim() > 0 && array.dtype().kind() != b'O' => {
            let shape: Vec<String> = array.shape().iter().map(ToString::to_string).collect();
            let comma = if shape.len() == 1 { "," } else { "" };
            let shape = format!("({}{comma})", shape.join(", "));
            format!("an array of shape {shape} and dtype {}", array.dtype())
        }
        _ => kind(),
    }
}
