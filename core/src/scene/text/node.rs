//! Types of the values of keys, and the check of a table against its keys.

use toml::Value;

use crate::diagnostics::nearest_name;
use crate::scene::error::SceneError;
use crate::scene::text::reader::Reader;

/// The keys of a table, with the types of their values.
pub(crate) type Keys = &'static [(&'static str, Node)];

/// The type of the value of a key.
pub(crate) enum Node {
    /// A number.
    Number,
    /// A length above zero, m.
    Length,
    /// A modulus above zero, Pa.
    Modulus,
    /// A factor above zero.
    Factor,
    /// A number, or the word `auto`.
    NumberOrAuto,
    /// A whole number from 1, or the word `auto`.
    CountOrAuto,
    /// A whole number; its reader checks it.
    Whole,
    /// A whole number or a word; its reader checks it.
    WholeOrText,
    /// A list of whole numbers; its reader checks it.
    Wholes,
    /// True or false.
    Flag,
    /// A string.
    Text,
    /// Three numbers.
    Vector,
    /// A list of numbers, or the word `auto`.
    Numbers,
    /// A list of strings.
    Texts,
    /// A list of lists of numbers; its reader checks it.
    Rows,
    /// A number, a string, or true or false; its reader checks it.
    Scalar,
    /// A table with these keys.
    Table(Keys),
    /// A table with exactly one of these keys.
    OneOf(Keys),
    /// An array of tables with these keys.
    Tables(Keys),
    /// A string, or a table with these keys.
    TextOrTable(Keys),
    /// A value that is required.
    Must(&'static Node),
    /// A table at the end of the text, which is removed before and read elsewhere. Anywhere else it is refused.
    AtTheEnd(Keys),
    /// A planned key; the text says what to use today.
    Later(&'static str),
}

/// Refuses the first key of a table that is unknown, not yet supported, missing, or has a value of the wrong type; `at` is the path of the table, empty for the scene.
///
/// # Errors
/// [`SceneError::UnknownKey`], [`SceneError::NotYetSupported`], [`SceneError::MissingKey`], [`SceneError::BadValue`].
pub(crate) fn check_table(table: &toml::Table, known: Keys, at: &str) -> Result<(), SceneError> {
    let reader = Reader::new(table, at);
    for (key, value) in table {
        let path = reader.at(key);
        let Some((_, node)) = known.iter().find(|(name, _)| name == key) else {
            let similar = nearest_name(key, known.iter().map(|(name, _)| *name));
            let remedy = match similar {
                Some(key) => format!("did you mean `{key}`?"),
                None => remedy_without_similar_key(known, key),
            };
            return Err(SceneError::UnknownKey { path, remedy });
        };
        check_value(&reader, key, value, node)?;
    }
    let missing =
        |(key, node): &&(&str, Node)| matches!(node, Node::Must(_)) && reader.get(key).is_none();
    match known.iter().find(missing) {
        Some((key, _)) => Err(SceneError::MissingKey {
            path: reader.at(key),
        }),
        None => Ok(()),
    }
}

/// The remedy for an unknown key without a similar one: the table that it belongs to, or the known keys if they are few.
fn remedy_without_similar_key(known: Keys, key: &str) -> String {
    const BODY_KEYS: [&str; 6] = [
        "adaptive",
        "quasistatic",
        "lattice",
        "material",
        "mesh",
        "support",
    ];
    if BODY_KEYS.contains(&key) {
        return format!("`{key}` belongs in a [[body]]");
    }
    let supported = known
        .iter()
        .filter(|(_, node)| !matches!(node, Node::Later(_)));
    let names: Vec<String> = supported.map(|(name, _)| format!("`{name}`")).collect();
    match names.len() {
        1..=12 => format!("the keys here are {}", names.join(", ")),
        _ => "remove it".to_string(),
    }
}

/// Refuses a value of the wrong type, with the message of its reader.
fn check_value(
    reader: &Reader<'_>,
    key: &str,
    value: &Value,
    node: &Node,
) -> Result<(), SceneError> {
    let path = reader.at(key);
    match (node, value) {
        (Node::Must(inner), _) => check_value(reader, key, value, inner),
        (Node::Later(instead), _) => Err(SceneError::NotYetSupported {
            path,
            instead: (*instead).to_string(),
        }),
        (Node::Number, _) => reader.number(key).map(drop),
        (Node::Length, _) => reader.length(key).map(drop),
        (Node::Modulus, _) => reader.modulus(key).map(drop),
        (Node::Factor, _) => reader.factor(key).map(drop),
        (Node::NumberOrAuto, _) => reader.number_or_auto(key).map(drop),
        (Node::CountOrAuto, _) => reader.count_or_auto(key).map(drop),
        (Node::Flag, _) => reader.flag(key).map(drop),
        (Node::Text, _) => reader.text(key).map(drop),
        (Node::Vector, _) => reader.vector(key).map(drop),
        (Node::Numbers, _) => reader.numbers(key).map(drop),
        (Node::Texts, _) => reader.texts(key).map(drop),
        (Node::Whole | Node::WholeOrText | Node::Wholes | Node::Rows | Node::Scalar, _) => Ok(()),
        (Node::AtTheEnd(_), _) => Err(SceneError::BadValue {
            path,
            reason: format!(
                "is in the wrong place\n  remedy: write [{key}] on a line of its own, as the last table of the file"
            ),
        }),
        (Node::TextOrTable(_), Value::String(_)) => Ok(()),
        (Node::Table(inner) | Node::TextOrTable(inner), Value::Table(t)) => {
            check_table(t, inner, &path)
        }
        (Node::OneOf(inner), Value::Table(t)) => {
            check_table(t, inner, &path)?;
            Reader::new(t, &path).only_entry().map(drop)
        }
        (Node::Tables(inner), Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                match item {
                    Value::Table(t) => check_table(t, inner, &path)?,
                    _ => return Err(wrong_type(path, "must be a table")),
                }
            }
            Ok(())
        }
        (Node::Table(_) | Node::OneOf(_), Value::String(file)) if key == "mesh" => {
            Err(SceneError::BadValue {
                path,
                reason: format!(
                    "must be a table\n  remedy: write mesh = {{ file = \"{file}\" }}, or mesh = {{ procedural = NAME }}"
                ),
            })
        }
        (Node::Table(_) | Node::OneOf(_), _) => Err(wrong_type(path, "must be a table")),
        (Node::Tables(_), _) => {
            let instead = match path == key {
                true => format!("[[{key}]] with two brackets"),
                false => format!("{key} = [ {{ ... }} ]"),
            };
            let reason = format!("must be an array of tables\n  remedy: write {instead}");
            Err(SceneError::BadValue { path, reason })
        }
        (Node::TextOrTable(_), _) => Err(wrong_type(path, "must be a string or a table")),
    }
}

fn wrong_type(path: String, reason: &str) -> SceneError {
    SceneError::BadValue {
        path,
        reason: format!("{reason}\n  remedy: see the bundled scenes for an example"),
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::load::tests::assert_refused;

    #[test]
    fn a_single_table_in_place_of_a_list_is_told_how_lists_are_written() {
        assert_refused(
            str::to_string,
            &[
                "[body]\nname = 'b' => BadValue body: write [[body]] with two brackets",
                "[[body]]\nname = 'b'\nsupport = { name = 's' } => BadValue body[0].support: write support = [ { ... } ]",
            ],
        );
    }
}
