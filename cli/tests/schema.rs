//! `pliant schema`: the committed file is what the program says, bundled scenes follow it, and wrong scenes do not.

use std::path::Path;
use std::process::{Command, Output};

use pliant_core::scene::{load_scene, scene_schema};
use pliant_simulation::scenes::BUNDLED;
use serde_json::Value;

fn pliant(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pliant"))
        .arg("--no-cache")
        .args(args)
        .output()
        .expect("the program starts")
}

/// What is wrong with `value` by the part of JSON schema that the program writes; `None` where nothing is.
fn fault(value: &Value, schema: &Value, at: &str) -> Option<String> {
    let wrong = |why: &str| Some(format!("{at}: {why}"));
    let rules = schema.as_object().expect("a schema is an object");
    for (rule, of) in rules {
        let found = match rule.as_str() {
            "$schema" | "title" | "description" | "additionalProperties" => None,
            "not" => wrong("is not there yet"),
            "const" => (value != of).then(|| format!("{at}: is not {of}")),
            "type" => {
                let names = of.as_array().cloned().unwrap_or_else(|| vec![of.clone()]);
                let fits = |name: &Value| match name.as_str().expect("a name") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    other => panic!("type {other}"),
                };
                (!names.iter().any(fits)).then(|| format!("{at}: is no {of}"))
            }
            "minimum" | "exclusiveMinimum" => {
                let least = of.as_f64().expect("a number");
                let strict = rule == "exclusiveMinimum";
                let fits = |x: f64| x > least || (!strict && x == least);
                value
                    .as_f64()
                    .filter(|x| !fits(*x))
                    .map(|x| format!("{at}: {x} is too small"))
            }
            "anyOf" => {
                let ways = of.as_array().expect("a list");
                let none = ways.iter().all(|way| fault(value, way, at).is_some());
                none.then(|| format!("{at}: fits no way"))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                let mut faults =
                    items.filter_map(|(k, item)| fault(item, of, &format!("{at}[{k}]")));
                faults.next()
            }
            "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                let count = value.as_array().map(Vec::len);
                let count = count.or(value.as_object().map(|o| o.len()));
                let bound = of.as_u64().expect("a count") as usize;
                let fits = |n: usize| {
                    if rule.starts_with("min") {
                        n >= bound
                    } else {
                        n <= bound
                    }
                };
                count
                    .filter(|n| !fits(*n))
                    .map(|n| format!("{at}: has {n}"))
            }
            "required" => {
                let keys = of.as_array().expect("a list").iter();
                let mut missing =
                    keys.filter(|key| value.get(key.as_str().expect("a key")).is_none());
                missing.next().map(|key| format!("{at}: lacks {key}"))
            }
            "properties" => {
                let known = of.as_object().expect("a table");
                let entries = value.as_object().into_iter().flatten();
                let mut faults = entries.filter_map(|(key, value)| match known.get(key) {
                    Some(schema) => fault(value, schema, &format!("{at}.{key}")),
                    None => Some(format!("{at}.{key}: is unknown")),
                });
                faults.next()
            }
            other => panic!("the test does not know the rule {other}"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn judged(text: &str) -> Option<String> {
    let schema: Value = serde_json::from_str(&scene_schema()).expect("JSON");
    let scene: toml::Table = text.parse().expect("TOML");
    fault(
        &serde_json::to_value(scene).expect("JSON"),
        &schema,
        "scene",
    )
}

#[test]
fn the_committed_schema_is_what_the_program_prints() {
    let output = pliant(&["schema"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).expect("text");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scene.schema.json");
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        printed == committed,
        "docs/scene.schema.json is old: `pliant schema --out docs/scene.schema.json` makes it anew"
    );
    let json = pliant(&["schema", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("one object");
    assert_eq!(json["schema"]["required"], serde_json::json!(["body"]));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("scene.json");
    let output = pliant(&["schema", "--out", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&out).expect("written"), printed);
}

#[test]
fn all_bundled_scenes_follow_the_schema() {
    for (name, text) in BUNDLED {
        assert_eq!(judged(text), None, "{name}");
    }
}

const BODY: &str = "[[body]]\nname = \"b\"\nmesh = { procedural = \"sphere\", longest = 0.1 }\n";

#[test]
fn what_the_schema_refuses_the_reader_refuses_too() {
    assert_eq!(judged(BODY), None);
    // place and scene; a semicolon begins a line
    let rows = r#"
        | name = "x"
        scene.namme | namme = "x"; BODY
        scene.schema | schema = "one"; BODY
        scene.seed | seed = 1.5; BODY
        scene.duration | duration = "long"; BODY
        scene.gravity | gravity = [0.0, 1.0]; BODY
        scene.gravity | gravity = 9.81; BODY
        scene.methods | methods = "lattice"; BODY
        scene.record | record = true; BODY
        scene.compare.reference | compare = { reference = 1 }; BODY
        scene.body | body = 3
        scene.body[0] | [[body]]; name = "b"
        scene.body[0].mesh | [[body]]; mesh = "sphere"
        scene.body[0].mesh.longest | [[body]]; mesh = { procedural = "sphere", longest = -1 }
        scene.body[0].material.young | BODY; material = { young = 0 }
        scene.body[0].material.toughness | BODY; material = { toughness = "high" }
        scene.body[0].support[0] | BODY; support = [ { name = "s" } ]
        scene.body[0].support[0].select | BODY; support = [ { name = "s", select = {} } ]
        scene.body[0].support[0].select | BODY; support = [ { name = "s", select = { lowest = 0.1, group = "g" } } ]
        scene.body[0].count | BODY; count = 1.5
        scene.body[0].layout.grid | BODY; layout = { grid = 3 }
        scene.body[0].adaptive.recover | BODY; adaptive = { recover = 1 }
        scene.body[0].adaptive.nodes | BODY; adaptive = { nodes = "many" }
        scene.body[0].lattice.half_width | BODY; lattice = { half_width = 0 }
        scene.body[0].lattice.alpha | BODY; lattice = { alpha = "big" }
        scene.body[0].quasistatic.boundary | BODY; quasistatic = { boundary = true }
        scene.body[0].quasistatic.constraint_level | BODY; quasistatic = { wavelet = "linear", constraint_level = 1.5 }
        scene.tool[0] | BODY; [[tool]]; name = "t"
        scene.tool[0].motion | BODY; [[tool]]; name = "t"; shape = { sphere = { radius = 1 } }; motion = 3
        scene.tool[0].motion | BODY; [[tool]]; name = "t"; shape = { sphere = { radius = 1 } }; motion = { pivot = 1 }
        scene.path[0].keys[0].at | BODY; [[path]]; name = "p"; keys = [ { t = 0, at = 1 } ]
        scene.check[0] | BODY; [[check]]; metric = "force_max"
    "#;
    for (place, text) in rows.lines().filter_map(|row| row.split_once('|')) {
        let text = text.trim().replace("; ", "\n").replace("BODY", BODY);
        let found = judged(&text).unwrap_or_else(|| panic!("the schema takes {text}"));
        assert!(found.starts_with(place.trim()), "{found}: {text}");
        assert!(load_scene(&text).is_err(), "the reader takes {text}");
    }
}
