//! Tables of a scene that a program fills key by key; [`pliant_core::scene::load_scene`] checks them as if they had been written by hand.

use pliant_core::scene::Selection;
use toml::{Table, Value};

use crate::error::Error;

/// A key that runs through something that is no table.
#[derive(Debug, Clone)]
pub(crate) struct WrongKey {
    key: String,
    within: String,
}

impl WrongKey {
    /// The error, of a body or of a scene.
    pub(crate) fn error(&self, thing: String) -> Error {
        Error::Key {
            thing,
            key: self.key.clone(),
            within: self.within.clone(),
        }
    }
}

/// Sets `key`, with dots between tables, and makes the tables on the way.
pub(crate) fn set(table: &mut Table, key: &str, value: Value) -> Result<(), WrongKey> {
    let mut parts: Vec<&str> = key.split('.').collect();
    let last = parts.pop().unwrap_or(key);
    let mut at = table;
    for part in parts {
        let inner = at.entry(part).or_insert_with(|| Value::Table(Table::new()));
        at = inner.as_table_mut().ok_or_else(|| WrongKey {
            key: key.to_string(),
            within: part.to_string(),
        })?;
    }
    at.insert(last.to_string(), value);
    Ok(())
}

/// A table of these entries.
pub(crate) fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.map(|(key, value)| (key.to_string(), value));
    Value::Table(entries.into_iter().collect())
}

/// Three numbers.
pub(crate) fn triple(x: [f64; 3]) -> Value {
    Value::Array(x.map(Value::Float).to_vec())
}

/// What a support or grab holds, as a scene writes it.
pub(crate) fn selection(select: &Selection) -> Value {
    match select {
        Selection::Box { min, max } => {
            table([("box", table([("min", triple(*min)), ("max", triple(*max))]))])
        }
        Selection::Sphere { center, radius } => table([(
            "sphere",
            table([
                ("center", triple(*center)),
                ("radius", Value::Float(*radius)),
            ]),
        )]),
        Selection::HalfSpace { point, normal } => table([(
            "half_space",
            table([("point", triple(*point)), ("normal", triple(*normal))]),
        )]),
        Selection::List(vertices) => {
            let numbers = vertices.iter().map(|v| Value::Integer(i64::from(*v)));
            table([("list", Value::Array(numbers.collect()))])
        }
        Selection::Group(name) => table([("group", Value::String(name.clone()))]),
        Selection::Lowest(share) => table([("lowest", Value::Float(*share))]),
    }
}
