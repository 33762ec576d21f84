//! The skin and its weights on the free boundary nodes, as bytes.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;

use super::bytes::{ErrorContext, Reader, Writer};
use super::error::AssetFormatError;
use crate::greens::SkinRows;
use crate::greens::skin_rows::HeldShare;

/// Appends positions, triangles and groups.
pub(super) fn write_skin(skin: &SurfaceMesh, out: &mut Writer) {
    out.length(3 * skin.positions.len());
    out.values(&skin.positions);
    out.list(skin.triangles.as_flattened());
    out.u32(skin.groups.len() as u32);
    for group in &skin.groups {
        out.text(&group.name);
        out.list(&group.vertices);
    }
}

/// Reads what [`write_skin`] wrote.
pub(super) fn read_skin(input: &mut Reader<'_>) -> Result<SurfaceMesh, AssetFormatError> {
    let positions: Vec<f64> = input.list().context("skin positions")?;
    let corners: Vec<u32> = input.list().context("skin triangles")?;
    let positions = positions.chunks_exact(3).map(Vec3::from_column_slice);
    let positions: Vec<Vec3> = positions.collect();
    let triangles = corners.as_chunks::<3>().0.to_vec();
    let count = positions.len() as u32;
    let mut skin = SurfaceMesh::new(positions, triangles);
    for _ in 0..input.u32().context("groups")? {
        let name = input.text().context("group name")?;
        let vertices: Vec<u32> = input.list().context("group")?;
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
    out.list(&rows.offsets);
    out.list(&rows.nodes);
    out.list(&rows.weights);
    out.u32(rows.held.len() as u32);
    for share in &rows.held {
        out.u32(share.vertex);
        out.u32(share.support);
        out.u32(share.node);
        out.list(&[share.weight]);
    }
    out.list(&[rows.max_distance]);
    out.u32(rows.farthest_vertex);
    out.u32(u32::from(rows.identity));
}

/// Reads what [`write_rows`] wrote, for these numbers of skin vertices, free boundary nodes and supports.
pub(super) fn read_rows(
    input: &mut Reader<'_>,
    vertices: usize,
    node_count: usize,
    supports: usize,
) -> Result<SkinRows, AssetFormatError> {
    let offsets: Vec<u32> = input.list().context("embedding offsets")?;
    let nodes: Vec<u32> = input.list().context("embedding nodes")?;
    let weights: Vec<f64> = input.list().context("embedding weights")?;
    let mut held = Vec::new();
    for _ in 0..input.u32().context("held shares")? {
        held.push(HeldShare {
            vertex: input.u32().context("held vertex")?,
            support: input.u32().context("held support")?,
            node: input.u32().context("held node")?,
            weight: first_number(input, "held weight")?.unwrap_or(0.0),
        });
    }
    let rows = SkinRows {
        offsets,
        nodes,
        weights,
        held,
        max_distance: first_number(input, "embedding distance")?.unwrap_or(f64::NAN),
        farthest_vertex: input.u32().context("embedding vertex")?,
        identity: input.u32().context("embedding kind")? != 0,
    };
    let is_consistent = rows.offsets.len() == vertices + 1
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
    if is_consistent {
        Ok(rows)
    } else {
        Err(AssetFormatError::Invalid { what: "embedding" })
    }
}

/// The first number of a list.
fn first_number(
    input: &mut Reader<'_>,
    what: &'static str,
) -> Result<Option<f64>, AssetFormatError> {
    Ok(input.list::<f64>().context(what)?.first().copied())
}
