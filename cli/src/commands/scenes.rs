//! `pliant scenes` and `pliant schema`: the bundled scenes, and the schema of scenes.

use pliant_core::scene::scene_schema;
use pliant_simulation::scenes::{BUNDLED, ImportOptions, load};
use serde_json::{Value, json};

use crate::args::Schema;
use crate::failure::Failure;
use crate::output::{Done, SCHEMA, refuse_foreign, write_whole};
use crate::session::Session;

/// Runs the command `scenes`.
pub fn scenes(session: &Session) -> Result<Done, Failure> {
    let mut list: Vec<Value> = Vec::new();
    for (name, _) in BUNDLED {
        let scene = load(name, &ImportOptions::default())?.description;
        let methods: Vec<&str> = scene.methods.iter().map(|m| m.name()).collect();
        session.output.line(format!("{name:<18} {}", scene.title));
        list.push(json!({ "name": name, "title": scene.title, "methods": methods, "duration": scene.duration }));
    }
    Ok(Done::new(json!({ "scenes": list })))
}

/// Runs the command `schema`.
pub fn schema(session: &Session, args: &Schema) -> Result<Done, Failure> {
    let text = scene_schema();
    match &args.out {
        Some(file) => {
            refuse_foreign(file, &SCHEMA)?;
            write_whole(file, text.as_bytes())?;
            session.output.written_to(file);
        }
        None => session.output.line(text.trim_end()),
    }
    let file = args.out.as_ref().map(|file| file.display().to_string());
    let schema: Value = serde_json::from_str(&text).unwrap_or_default();
    let fields = json!({ "schema": schema, "file": file });
    Ok(Done::new(fields))
}
