//! Numbers on parts of a skin: stiffness factors and masses.

use crate::scene::error::SceneError;
use crate::scene::selection::{Selection, read_selection};
use crate::scene::text::Reader;

/// A number for some vertices of a skin, or one for each.
#[derive(Debug, Clone, PartialEq)]
pub enum VertexWeight {
    /// One number on a part.
    Part {
        /// Which vertices.
        select: Selection,
        /// The number.
        factor: f64,
    },
    /// The numbers that the mesh file has for its vertices under this name.
    Attribute(String),
}

/// Reads the list `key` of a table.
pub(crate) fn read_vertex_weights(
    at: &Reader<'_>,
    key: &str,
) -> Result<Vec<VertexWeight>, SceneError> {
    let mut weights = Vec::new();
    for part in at.tables(key) {
        if let Some(name) = part.text("attribute")? {
            if let Some(other) = ["select", "factor"].iter().find(|k| part.get(k).is_some()) {
                let text = "means nothing beside `attribute`, whose numbers lie at all vertices\n  remedy: make it an entry of its own";
                return Err(part.bad(other, text));
            }
            weights.push(VertexWeight::Attribute(name.to_string()));
            continue;
        }
        let select = read_selection(&part.required_table("select")?)?;
        let factor = part.number_in("factor", (1e-3, 1e3), "")?;
        let factor = factor.ok_or_else(|| part.missing("factor"))?;
        weights.push(VertexWeight::Part { select, factor });
    }
    Ok(weights)
}
