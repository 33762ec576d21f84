//! The skin and its weights on the free boundary nodes, as bytes.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;

use super::bytes::{Reader, Writer};
use super::error::AssetFormatError;
use crate::greens::SkinRows;
use crate::greens::skin_rows::HeldShare;

/// Appends places, triangles and groups.
pub(super) fn write_skin(skin: &SurfaceMesh, out: &mut Writer) {
    let positions: Vec<f64> = skin
        .positions
        .iter()
        .flat_map(|p| [p.x, p.y, p.z])
        .collect();
    out.f64s(&positions);
    let corners: Vec<u32> = skin.triangles.iter().flatten().copied().collect();
    out.u32s(&corners);
    out.u32(skin.groups.len() as u32);
    for group in &skin.groups {
        out.text(&group.name);
        out.u32s(&group.vertices);
    }
}

/// Reads what [`write_skin`] wrote.
pub(super) fn read_skin(input: &mut Reader<'_>) -> Result<SurfaceMesh, AssetFormatError> {
    let positions: Vec<Vec3> = input
        .f64s("skin positions")?
        .chunks_exact(3)
        .map(Vec3::from_column_slice)
        .collect();
    let triangles: Vec<[u32; 3]> = input
        .u32s("skin triangles")?
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]])
        .collect();
    let count = positions.len() as u32;
    let mut skin = SurfaceMesh::new(positions, triangles);
    for _ in 0..input.u32("groups")? {
        let name = input.text("group name")?;
        let vertices = input.u32s("group")?;
        skin.groups.push(VertexGroup { name, vertices });
    }
    let groups = skin.groups.iter().flat_map(|g| g.vertices.iter());
    let out_of_range = skin
        .triangles
        .iter()
        .flatten()
        .chain(groups)
        .any(|&v| v >= count);
    if out_of_range {
        return Err(AssetFormatError::Invalid { what: "skin" });
    }
    Ok(skin)
}

/// Appends the weights of the skin on the free boundary nodes, and on held ones.
pub(super) fn write_rows(rows: &SkinRows, out: &mut Writer) {
    out.u32s(&rows.offsets);
    out.u32s(&rows.nodes);
    out.f64s(&rows.weights);
    out.u32(rows.held.len() as u32);
    for share in &rows.held {
        out.u32(share.vertex);
        out.u32(share.support);
        out.u32(share.node);
        out.f64s(&[share.weight]);
    }
    out.f64s(&[rows.max_distance]);
    out.u32(rows.farthest_vertex);
    out.u32(u32::from(rows.identity));
}

/// Reads what [`write_rows`] wrote, for so many skin vertices, free boundary nodes and supports.
pub(super) fn read_rows(
    input: &mut Reader<'_>,
    vertices: usize,
    node_count: usize,
    supports: usize,
) -> Result<SkinRows, AssetFormatError> {
    let offsets = input.u32s("embedding offsets")?;
    let nodes = input.u32s("embedding nodes")?;
    let weights = input.f64s("embedding weights")?;
    let mut held = Vec::new();
    for _ in 0..input.u32("held shares")? {
        held.push(HeldShare {
            vertex: input.u32("held vertex")?,
            support: input.u32("held support")?,
            node: input.u32("held node")?,
            weight: input.f64s("held weight")?.first().copied().unwrap_or(0.0),
        });
    }
    let rows = SkinRows {
        offsets,
        nodes,
        weights,
        held,
        max_distance: input
            .f64s("embedding distance")?
            .first()
            .copied()
            .unwrap_or(f64::NAN),
        farthest_vertex: input.u32("embedding vertex")?,
        identity: input.u32("embedding kind")? != 0,
    };
    let sound = rows.offsets.len() == vertices + 1
        && rows.offsets.first() == Some(&0)
        && rows.offsets.windows(2).all(|w| w[0] <= w[1])
        && rows.offsets.last().map(|&end| end as usize) == Some(rows.nodes.len())
        && rows.nodes.len() == rows.weights.len()
        && rows.nodes.iter().all(|&n| (n as usize) < node_count)
        && rows.held.is_sorted_by_key(|share| share.vertex)
        && rows
            .held
            .iter()
            .all(|share| (share.support as usize) < supports);
    if sound {
        Ok(rows)
    } else {
        Err(AssetFormatError::Invalid { what: "embedding" })
    }
}
