//! Typed values of a TOML table, with errors that name the key.

use std::sync::LazyLock;

use toml::Value;

use crate::math::Vec3;
use crate::scene::error::SceneError;

/// A table and its path in the scene.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    table: &'a toml::Table,
    path: String,
}

impl<'a> Reader<'a> {
    pub fn new(table: &'a toml::Table, path: &str) -> Self {
        Self {
            table,
            path: path.to_string(),
        }
    }

    /// Full path of a key of this table.
    pub fn at(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_string()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    pub fn bad(&self, key: &str, reason: impl Into<String>) -> SceneError {
        SceneError::BadValue {
            path: self.at(key),
            reason: reason.into(),
        }
    }

    pub fn missing(&self, key: &str) -> SceneError {
        SceneError::MissingKey { path: self.at(key) }
    }

    /// The error for a planned `word` as the value of a key.
    pub fn not_yet(&self, key: &str, word: &str, instead: impl Into<String>) -> SceneError {
        SceneError::NotYetSupported {
            path: format!("{} = \"{word}\"", self.at(key)),
            instead: instead.into(),
        }
    }

    /// Refuses the first of `keys` that the table has.
    pub fn refuse(&self, keys: &[&str], reason: &str) -> Result<(), SceneError> {
        match keys.iter().find(|key| self.get(key).is_some()) {
            Some(key) => Err(self.bad(key, reason)),
            None => Ok(()),
        }
    }

    /// Refuses the value of a key where it is wrong.
    pub fn refuse_if(&self, is_wrong: bool, key: &str, reason: &str) -> Result<(), SceneError> {
        match is_wrong {
            true => Err(self.bad(key, reason)),
            false => Ok(()),
        }
    }

    /// Refuses the value of a key that probably has another unit.
    pub fn suspect_if(
        &self,
        is_unlikely: bool,
        key: &str,
        (value, unit): (f64, &'static str),
        reason: &'static str,
    ) -> Result<(), SceneError> {
        match is_unlikely {
            true => Err(SceneError::UnitSuspicious {
                path: self.at(key),
                value,
                unit,
                reason,
            }),
            false => Ok(()),
        }
    }

    /// Refuses `names` below a key of which two are the same.
    pub fn unique<'n>(
        &self,
        key: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), SceneError> {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        match names.windows(2).find(|w| w[0] == w[1]) {
            Some(pair) => Err(SceneError::DuplicateName {
                path: self.at(key),
                name: pair[0].to_string(),
            }),
            None => Ok(()),
        }
    }

    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key)
    }

    pub fn table(&self, key: &str) -> Option<Reader<'a>> {
        match self.table.get(key) {
            Some(Value::Table(table)) => Some(Reader {
                table,
                path: self.at(key),
            }),
            _ => None,
        }
    }

    /// The table of a key; an empty one where there is none.
    pub fn table_or_empty(&self, key: &str) -> Reader<'a> {
        static EMPTY: LazyLock<toml::Table> = LazyLock::new(toml::Table::new);
        let empty = || Reader::new(&EMPTY, &self.at(key));
        self.table(key).unwrap_or_else(empty)
    }

    pub fn required_table(&self, key: &str) -> Result<Reader<'a>, SceneError> {
        self.table(key).ok_or_else(|| self.missing(key))
    }

    /// The tables of an array of tables; empty where the key is missing.
    pub fn tables(&self, key: &str) -> Vec<Reader<'a>> {
        let Some(Value::Array(items)) = self.table.get(key) else {
            return Vec::new();
        };
        items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| {
                item.as_table().map(|table| Reader {
                    table,
                    path: format!("{}[{index}]", self.at(key)),
                })
            })
            .collect()
    }

    /// Reads each table of an array of tables; empty where the key is missing.
    pub fn each<T>(
        &self,
        key: &str,
        read: impl Fn(&Reader<'a>) -> Result<T, SceneError>,
    ) -> Result<Vec<T>, SceneError> {
        self.tables(key).iter().map(read).collect()
    }

    /// The only entry of a table; an error for any other number of entries.
    pub fn only_entry(&self) -> Result<(&'a str, &'a Value), SceneError> {
        let mut entries = self.table.iter();
        match (entries.next(), entries.next()) {
            (Some((key, value)), None) => Ok((key, value)),
            _ => Err(SceneError::BadValue {
                path: self.path.clone(),
                reason: "must have exactly one entry\n  remedy: keep one of them".into(),
            }),
        }
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>, SceneError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let number = as_number(value).ok_or_else(|| {
            let remedy = match value {
                Value::String(_) => "\n  remedy: write it without quotation marks and unit",
                _ => "",
            };
            let reason = format!("must be a number, got {}{remedy}", value.type_str());
            self.bad(key, reason)
        })?;
        if !number.is_finite() {
            return Err(self.bad(
                key,
                format!("must be finite, got {number}\n  remedy: give a number"),
            ));
        }
        Ok(Some(number))
    }

    pub fn required_number(&self, key: &str) -> Result<f64, SceneError> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    /// A number in `min..=max`; the message shows the unit.
    pub fn number_in(
        &self,
        key: &str,
        (min, max): (f64, f64),
        unit: &str,
    ) -> Result<Option<f64>, SceneError> {
        let Some(value) = self.number(key)? else {
            return Ok(None);
        };
        if value < min || value > max {
            return Err(self.bad(
                key,
                format!(
                    "must be between {} and {}{}{unit}, got {}\n  remedy: the nearest value that is allowed is {}",
                    plain(min),
                    plain(max),
                    if unit.is_empty() { "" } else { " " },
                    plain(value),
                    plain(value.clamp(min, max))
                ),
            ));
        }
        Ok(Some(value))
    }

    /// A positive length in metres.
    pub fn length(&self, key: &str) -> Result<Option<f64>, SceneError> {
        self.positive(key, "length", " in metres")
    }

    /// A positive modulus in pascals.
    pub fn modulus(&self, key: &str) -> Result<Option<f64>, SceneError> {
        self.positive(key, "modulus", " in pascals")
    }

    /// A positive factor without a unit.
    pub fn factor(&self, key: &str) -> Result<Option<f64>, SceneError> {
        self.positive(key, "factor", "")
    }

    /// A number above zero; the message names the kind of quantity and its unit.
    fn positive(&self, key: &str, what: &str, unit: &str) -> Result<Option<f64>, SceneError> {
        match self.number(key)? {
            Some(value) if value <= 0.0 => Err(self.bad(
                key,
                format!(
                    "must be a positive {what}{unit}, got {value}\n  remedy: give a {what} above zero"
                ),
            )),
            other => Ok(other),
        }
    }

    pub fn required_length(&self, key: &str) -> Result<f64, SceneError> {
        self.length(key)?.ok_or_else(|| self.missing(key))
    }

    /// A number; `None` for the word `auto` and a missing key.
    pub fn number_or_auto(&self, key: &str) -> Result<Option<f64>, SceneError> {
        match self.get(key) {
            Some(Value::String(word)) if word == "auto" => Ok(None),
            _ => self.number(key),
        }
    }

    pub fn count_or_auto(&self, key: &str) -> Result<Option<usize>, SceneError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(word)) if word == "auto" => Ok(None),
            Some(Value::Integer(n)) if *n >= 1 && *n <= 1_000_000_000 => Ok(Some(*n as usize)),
            Some(_) => Err(self.bad(key, "must be a positive whole number or \"auto\"")),
        }
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, SceneError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => {
                Err(self.bad(key, format!("must be a string, got {}", other.type_str())))
            }
        }
    }

    pub fn required_text(&self, key: &str) -> Result<&'a str, SceneError> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    /// The meaning of a word by the table `known`; the `default` where the key is missing.
    pub fn choice<T: Copy, const N: usize>(
        &self,
        key: &str,
        default: T,
        known: [(&str, T); N],
    ) -> Result<T, SceneError> {
        let Some(word) = self.text(key)? else {
            return Ok(default);
        };
        let found = known.iter().find(|(name, _)| *name == word);
        let meaning = found.map(|(_, meaning)| *meaning);
        meaning.ok_or_else(|| self.unknown_word(key, word, &known.map(|(name, _)| name)))
    }

    /// Whether the value of a key is the second of two words; the first one is the default.
    pub fn is_second(&self, key: &str, [first, second]: [&str; 2]) -> Result<bool, SceneError> {
        self.choice(key, false, [(first, false), (second, true)])
    }

    fn unknown_word(&self, key: &str, word: &str, known: &[&str]) -> SceneError {
        let (last, others) = known.split_last().unwrap_or((&"", &[]));
        let others = others.join(", ");
        self.bad(key, format!("must be {others} or {last}, got \"{word}\""))
    }

    pub fn flag(&self, key: &str) -> Result<bool, SceneError> {
        Ok(self.optional_flag(key)?.unwrap_or(false))
    }

    pub fn optional_flag(&self, key: &str) -> Result<Option<bool>, SceneError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Boolean(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.bad(key, "must be true or false")),
        }
    }

    pub fn vector(&self, key: &str) -> Result<Option<Vec3>, SceneError> {
        self.get(key)
            .map(|value| {
                as_vector(value).ok_or_else(|| {
                    self.bad(
                        key,
                        "must be three finite numbers, for example [0.0, 1.0, 0.0]",
                    )
                })
            })
            .transpose()
    }

    pub fn required_vector(&self, key: &str) -> Result<Vec3, SceneError> {
        self.vector(key)?.ok_or_else(|| self.missing(key))
    }

    /// A vector of any length above zero.
    pub fn required_direction(&self, key: &str) -> Result<Vec3, SceneError> {
        match self.required_vector(key)? {
            zero if zero.norm() == 0.0 => {
                Err(self.bad(key, "must not be zero\n  remedy: give a direction"))
            }
            direction => Ok(direction),
        }
    }

    /// A list of numbers; empty for the word `auto` and a missing key.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, SceneError> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(Value::String(word)) if word == "auto" => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| as_number(item).filter(|x| x.is_finite()))
                .collect::<Option<Vec<f64>>>()
                .ok_or_else(|| self.bad(key, "must be a list of numbers")),
            Some(_) => Err(self.bad(key, "must be a list of numbers or \"auto\"")),
        }
    }

    pub fn texts(&self, key: &str) -> Result<Vec<&'a str>, SceneError> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(Value::as_str)
                .collect::<Option<Vec<&str>>>()
                .ok_or_else(|| self.bad(key, "must be a list of strings")),
            Some(_) => Err(self.bad(key, "must be a list of strings")),
        }
    }
}

pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

pub(crate) fn as_vector(value: &Value) -> Option<Vec3> {
    let items = value.as_array()?;
    let numbers: Vec<f64> = items.iter().map(as_number).collect::<Option<_>>()?;
    match numbers[..] {
        [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => Some(Vec3::new(x, y, z)),
        _ => None,
    }
}

/// A number without long rows of zeros.
fn plain(value: f64) -> String {
    let size = value.abs();
    match size == 0.0 || (1e-3..1e6).contains(&size) {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}
