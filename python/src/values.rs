//! Values of Python as values of a scene.

use pliant::Value;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::arrays::{describe, wrong};
use crate::errors::{Failure, Outcome};

/// Largest depth of nested tables and lists.
const MAX_DEPTH: usize = 16;

/// A number, flag, word, list or table; numpy's scalars and arrays, too.
pub fn value(key: &str, given: &Bound<'_, PyAny>) -> Outcome<Value> {
    read(key, given, 0)
}

fn read(key: &str, given: &Bound<'_, PyAny>, depth: usize) -> Outcome<Value> {
    const EXPECTED: &str = "a number, a bool, a str, a list or a dict";
    let refused = || wrong(key, &describe(given), EXPECTED);
    if depth > MAX_DEPTH {
        return Err(Failure::argument(format!(
            "`{key}` has more than {MAX_DEPTH} lists and dicts inside each other"
        )));
    }
    if let Ok(flag) = given.cast::<PyBool>() {
        return Ok(Value::Boolean(flag.is_true()));
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Value::String(text.to_string_lossy().into_owned()));
    }
    if given.is_instance_of::<PyInt>() {
        let whole: i64 = given
            .extract()
            .map_err(|_| wrong(key, "beyond 64 bits", "a number"))?;
        return Ok(Value::Integer(whole));
    }
    if given.is_instance_of::<PyFloat>() {
        return given.extract().map(Value::Float).map_err(|_| refused());
    }
    if let Ok(table) = given.cast::<PyDict>() {
        let mut entries = toml::Table::new();
        for (name, entry) in table {
            let name: String = name.extract().map_err(|_| refused())?;
            entries.insert(name, read(key, &entry, depth + 1)?);
        }
        return Ok(Value::Table(entries));
    }
    // scalars and arrays of numpy convert themselves to plain Python
    if let Ok(plain) = given.call_method0("tolist") {
        return read(key, &plain, depth + 1);
    }
    let entries: Vec<Bound<'_, PyAny>> = given.extract().map_err(|_| refused())?;
    let list = entries.iter().map(|entry| read(key, entry, depth + 1));
    Ok(Value::Array(list.collect::<Outcome<_>>()?))
}
