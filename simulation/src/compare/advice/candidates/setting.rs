//! A key of a body's table with a value, as a candidate sets it.

use std::fmt;

use pliant_core::scene::Method;

/// A key of the table of a method with its value; `None` takes the key out, because it excludes another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The table: `adaptive`, `quasistatic` or `lattice`.
    pub table: Method,
    /// Key in it.
    pub key: &'static str,
    /// Its value.
    pub value: Option<SettingValue>,
}

/// A value of a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Count(usize),
    /// Whole numbers.
    Counts(Vec<usize>),
    /// A word.
    Word(&'static str),
}

impl Setting {
    /// The key with a value.
    pub fn new(table: Method, key: &'static str, value: SettingValue) -> Self {
        Self {
            table,
            key,
            value: Some(value),
        }
    }

    /// The key taken out.
    pub fn without(table: Method, key: &'static str) -> Self {
        Self {
            table,
            key,
            value: None,
        }
    }

    /// "adaptive.budget_ms": the key with its table.
    pub fn path(&self) -> String {
        format!("{}.{}", self.table.name(), self.key)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} = {value}", self.key),
            None => write!(f, "no {}", self.key),
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Counts(counts) => write!(f, "{counts:?}"),
            Self::Word(word) => write!(f, "\"{word}\""),
        }
    }
}
