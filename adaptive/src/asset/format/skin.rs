//! Serialization of the skin.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;

use crate::asset::format::bytes::{AssetFormatError, Reader, Writer, below, corrupt};

pub(crate) fn write_skin(w: &mut Writer, skin: &SurfaceMesh) {
    w.list(&skin.positions);
    w.list(&skin.triangles);
    w.items(&skin.groups, |w, group| {
        w.text(&group.name);
        w.list(&group.vertices);
    });
}

pub(crate) fn read_skin(r: &mut Reader<'_>) -> Result<SurfaceMesh, AssetFormatError> {
    let mut skin = SurfaceMesh::new(r.list()?, r.list()?);
    let count = skin.vertex_count();
    if !skin
        .positions
        .iter()
        .all(|x| x.iter().all(|c| c.is_finite()))
    {
        return Err(corrupt("skin position"));
    }
    below(skin.triangles.as_flattened(), count, "skin triangle")?;
    for _ in 0..r.count(8)? {
        let (name, vertices) = (r.text()?, r.list::<u32>()?);
        below(&vertices, count, "vertex group")?;
        skin.groups.push(VertexGroup { name, vertices });
    }
    Ok(skin)
}
