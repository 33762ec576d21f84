//! `pliant scenes`: the bundled scenes.

use pliant_simulation::scenes::{BUNDLED, ImportOptions, load};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::session::Session;

/// Runs the command.
pub fn scenes(session: &Session) -> Result<u8, Failure> {
    let mut list: Vec<Value> = Vec::new();
    for (name, _) in BUNDLED {
        let scene = load(name, &ImportOptions::default())?.description;
        let methods: Vec<&str> = scene.methods.iter().map(|m| m.name()).collect();
        session.output.line(format!("{name:<18} {}", scene.title));
        list.push(json!({ "name": name, "title": scene.title, "methods": methods, "duration": scene.duration }));
    }
    session
        .output
        .json("scenes", true, json!({ "scenes": list }))?;
    Ok(0)
}
