//! The keys of a scene as JSON schema (draft 7), for editors of TOML.

use std::fmt::Write as _;

use super::node::{Keys, Node};

/// The schema of a scene with these keys; always the same bytes.
pub(crate) fn schema_of(scene: Keys) -> String {
    let head = "\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": \"A scene of Pliant\",\n  ";
    let mut text = table(scene, 0, &[]);
    text.insert_str(4, head);
    text.push('\n');
    text
}

/// The schema of a table with these keys, indented by `depth` steps; `more` are further conditions, a line each.
fn table(keys: Keys, depth: usize, more: &[&str]) -> String {
    let indent = "  ".repeat(depth);
    let mut text = format!(
        "{{\n{indent}  \"type\": \"object\",\n{indent}  \"additionalProperties\": false,\n"
    );
    let required = keys
        .iter()
        .filter(|(_, node)| matches!(node, Node::Must(_)))
        .map(|(key, _)| format!("\"{key}\""));
    let required: Vec<String> = required.collect();
    if !required.is_empty() {
        // writing into a string cannot fail
        let _ = writeln!(text, "{indent}  \"required\": [{}],", required.join(", "));
    }
    for line in more {
        let _ = writeln!(text, "{indent}  {line},");
    }
    let _ = writeln!(text, "{indent}  \"properties\": {{");
    for (k, (key, node)) in keys.iter().enumerate() {
        let comma = if k + 1 == keys.len() { "" } else { "," };
        let value = value(node, depth + 2);
        let _ = writeln!(text, "{indent}    \"{key}\": {value}{comma}");
    }
    let _ = write!(text, "{indent}  }}\n{indent}}}");
    text
}

/// The schema of the value of a key.
fn value(node: &Node, depth: usize) -> String {
    const AUTO: &str = "{ \"const\": \"auto\" }";
    let list = |of: &str| format!("{{ \"type\": \"array\", \"items\": {{ \"type\": \"{of}\" }} }}");
    match node {
        Node::Number => "{ \"type\": \"number\" }".into(),
        Node::Length | Node::Modulus | Node::Factor => {
            "{ \"type\": \"number\", \"exclusiveMinimum\": 0 }".into()
        }
        Node::NumberOrAuto => format!("{{ \"anyOf\": [{{ \"type\": \"number\" }}, {AUTO}] }}"),
        Node::CountOrAuto => {
            format!("{{ \"anyOf\": [{{ \"type\": \"integer\", \"minimum\": 1 }}, {AUTO}] }}")
        }
        Node::Whole => "{ \"type\": \"integer\" }".into(),
        Node::WholeOrText => "{ \"type\": [\"integer\", \"string\"] }".into(),
        Node::Wholes => list("integer"),
        Node::Flag => "{ \"type\": \"boolean\" }".into(),
        Node::Text => "{ \"type\": \"string\" }".into(),
        Node::Vector => {
            "{ \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": 3, \"maxItems\": 3 }".into()
        }
        Node::Numbers => format!("{{ \"anyOf\": [{}, {AUTO}] }}", list("number")),
        Node::Texts => list("string"),
        Node::Rows => format!("{{ \"type\": \"array\", \"items\": {} }}", list("number")),
        Node::Scalar => "{ \"type\": [\"number\", \"string\", \"boolean\"] }".into(),
        Node::Table(keys) | Node::AtTheEnd(keys) => table(keys, depth, &[]),
        Node::OneOf(keys) => table(
            keys,
            depth,
            &["\"minProperties\": 1", "\"maxProperties\": 1"],
        ),
        Node::Tables(keys) => {
            let indent = "  ".repeat(depth);
            let items = table(keys, depth + 1, &[]);
            format!("{{\n{indent}  \"type\": \"array\",\n{indent}  \"items\": {items}\n{indent}}}")
        }
        Node::TextOrTable(keys) => {
            format!(
                "{{ \"anyOf\": [{{ \"type\": \"string\" }}, {}] }}",
                table(keys, depth, &[])
            )
        }
        Node::Must(inner) => value(inner, depth),
        Node::Later(instead) => {
            let text = instead.replace('"', "\\\"");
            format!("{{ \"not\": {{}}, \"description\": \"Planned. Today: {text}.\" }}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_of_tables_have_their_keys_and_those_that_are_required() {
        const INNER: Keys = &[("radius", Node::Must(&Node::Length))];
        const KEYS: Keys = &[
            ("name", Node::Must(&Node::Text)),
            ("shape", Node::OneOf(INNER)),
            ("later", Node::Later("use \"shape\"")),
        ];
        let text = schema_of(KEYS);
        assert!(text.starts_with("{\n  \"$schema\""), "{text}");
        assert!(text.contains("  \"required\": [\"name\"],\n"), "{text}");
        assert!(
            text.contains("      \"minProperties\": 1,\n      \"maxProperties\": 1,\n"),
            "{text}"
        );
        assert!(text.contains(
            "\"later\": { \"not\": {}, \"description\": \"Planned. Today: use \\\"shape\\\".\" }\n"
        ));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
