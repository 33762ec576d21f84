//! Tables of a scene that a program fills key by key. [`pliant_core::scene::load_scene`] checks them like those of a scene file.

use pliant_core::scene::Selection;
use toml::{Table, Value};

use crate::error::{Error, Result};

/// A table that is filled key by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    pub(crate) table: Table,
    /// the first dotted key with a part that is no table, and that part
    invalid: Option<[String; 2]>,
}

impl Keys {
    /// Sets `key`, with dots between tables, and makes missing tables.
    pub(crate) fn set(&mut self, key: &str, value: Value) {
        let mut parts: Vec<&str> = key.split('.').collect();
        let last = parts.pop().unwrap_or(key);
        let mut current = &mut self.table;
        for part in parts {
            let inner = current
                .entry(part)
                .or_insert_with(|| Value::Table(Table::new()));
            let Some(inner) = inner.as_table_mut() else {
                let invalid = [key, part].map(str::to_string);
                self.invalid.get_or_insert(invalid);
                return;
            };
            current = inner;
        }
        current.insert(last.to_string(), value);
    }

    /// Refuses a key of a body or a scene (`thing`) that could not be set.
    pub(crate) fn check(&self, thing: impl Fn() -> String) -> Result<()> {
        match &self.invalid {
            None => Ok(()),
            Some([key, within]) => Err(Error::Key {
                thing: thing(),
                key: key.clone(),
                within: within.clone(),
            }),
        }
    }
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

/// The selection of a support, in the form of a scene file.
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
