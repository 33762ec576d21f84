//! Arrays and numbers that Python gives, checked one by one: an error names the argument, what it got and what is wanted.

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

/// The same, with words for what is wanted.
fn finite_rows(value: &Bound<'_, PyAny>, name: &str, wanted: &str) -> Outcome<Vec<[f64; 3]>> {
    let rows: Vec<[f64; 3]> = rows(value, name, "fiu", "float64", wanted)?;
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
    let wanted = format!("whole numbers of shape (n, {N})");
    let rows: Vec<[i64; N]> = rows(value, name, "iu", "int64", &wanted)?;
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

/// Vertex numbers in a row; the library says which of them are not there.
pub fn vertices(value: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<u32>> {
    let wanted = "whole numbers of shape (n,)";
    let array = numeric(value, name, "iu", wanted)?;
    if array.ndim() != 1 {
        return Err(wrong(name, &described(value), wanted));
    }
    let numbers: Vec<i64> = array
        .call_method1("astype", ("int64",))
        .and_then(|a| Ok(a.cast_into::<PyArray1<i64>>()?.to_vec()?))
        .map_err(|_| wrong(name, &described(value), wanted))?;
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
    let wanted = "three numbers, or real numbers of shape (n, 3)";
    match as_array(value) {
        Some(array) if array.ndim() == 2 => {
            Ok(Displacement::Each(finite_rows(value, name, wanted)?))
        }
        _ => Ok(Displacement::Common(numbers(value, name, wanted)?)),
    }
}

/// Orientation as a unit quaternion (w, x, y, z); it is made one.
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

/// Finite numbers in a row, as many as wanted.
pub fn numbers<const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
    wanted: &str,
) -> Outcome<[f64; N]> {
    let Ok(found) = value.extract::<[f64; N]>() else {
        return Err(wrong(name, &described(value), wanted));
    };
    match found.iter().all(|x| x.is_finite()) {
        true => Ok(found),
        false => Err(not_finite(name)),
    }
}

/// An argument that cannot be used.
pub fn wrong(name: &str, got: &str, wanted: &str) -> Failure {
    Failure::argument(format!("`{name}` is {got}, wanted {wanted}"))
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
    wanted: &str,
) -> Outcome<Vec<[T; N]>> {
    let refused = || wrong(name, &described(value), wanted);
    let array = numeric(value, name, kinds, wanted)?;
    if array.shape().len() != 2 || array.shape()[1] != N {
        return Err(refused());
    }
    let cast = |array: &Bound<'_, PyAny>| -> PyResult<Vec<T>> {
        let numpy = value.py().import("numpy")?;
        let cast = numpy.call_method1("ascontiguousarray", (array, dtype))?;
        let cast: PyReadonlyArray2<'_, T> = cast.cast_into::<PyArray2<T>>()?.try_readonly()?;
        Ok(cast.as_slice()?.to_vec())
    };
    let flat = cast(array.as_any()).map_err(|_| refused())?;
    let (rows, _) = flat.as_chunks::<N>();
    Ok(rows.to_vec())
}

/// The array that numpy makes of a value, where its dtype is of one of these kinds; an empty list has no dtype of its own.
fn numeric<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    kinds: &str,
    wanted: &str,
) -> Outcome<Bound<'py, PyUntypedArray>> {
    let refused = || wrong(name, &described(value), wanted);
    let array = as_array(value).ok_or_else(refused)?;
    let kind = char::from(array.dtype().kind());
    match kinds.contains(kind) || array.len() == 0 {
        true => Ok(array),
        false => Err(refused()),
    }
}

fn as_array<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyUntypedArray>> {
    let numpy = value.py().import("numpy").ok()?;
    let array = numpy.call_method1("asarray", (value,)).ok()?;
    array.cast_into().ok()
}

/// What a value is, for an error.
pub fn described(value: &Bound<'_, PyAny>) -> String {
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
