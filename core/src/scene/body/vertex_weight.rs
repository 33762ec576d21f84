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
    /// The vertex attribute of this name in the mesh file.
    Attribute(String),
}

/// Reads one entry of a list of vertex weights.
pub(crate) fn read_vertex_weight(part: &Reader<'_>) -> Result<VertexWeight, SceneError> {
    if let Some(name) = part.text("attribute")? {
        let text = "cannot be combined with `attribute`, which has a number for each vertex\n  remedy: make it an entry of its own";
        part.refuse(&["select", "factor"], text)?;
        return Ok(VertexWeight::Attribute(name.to_string()));
    }
    let select = read_selection(&part.required_table("select")?)?;
    let factor = part.number_in("factor", (1e-3, 1e3), "")?;
    let factor = factor.ok_or_else(|| part.missing("factor"))?;
    Ok(VertexWeight::Part { select, factor })
}
