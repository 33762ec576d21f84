//! Serialization of the levels of a baked hierarchy.

use std::sync::Arc;

use pliant_core::mesh::{SkinEmbedding, SurfaceMesh, TetMesh};

use crate::asset::format::bytes::{AssetFormatError, Reader, Writer, below, corrupt, positive};
use crate::asset::lod_hierarchy::no_children;
use crate::hierarchy::level::{check_mesh, shape_gradients};
use crate::hierarchy::{Level, Stencils};

/// Writes one level as arrays.
pub(crate) fn write_level(w: &mut Writer, level: &Level) {
    w.list(&level.mesh.nodes);
    w.list(&level.mesh.tets);
    w.list(&level.masses);
    w.list(&level.frequencies);
    w.f64(level.stiffness);
    w.list(&level.local);
    for held in &level.held {
        w.list(held);
    }
    w.list(&level.parents);
    for stencils in [&level.up, &level.down_tet, &level.down_affine] {
        write_rows(w, stencils.len(), |k| stencils.row(k));
    }
    w.list(&level.above);
    let embedding = &level.embedding;
    w.f64(embedding.max_distance);
    w.u32(embedding.farthest_vertex);
    write_rows(w, embedding.len(), |k| embedding.row(k));
}

/// Writes rows of nodes and weights.
fn write_rows<'a>(w: &mut Writer, count: usize, row: impl Fn(usize) -> (&'a [u32], &'a [f64])) {
    w.u32(count as u32);
    for k in 0..count {
        let (nodes, weights) = row(k);
        w.list(nodes);
        w.list(weights);
    }
}

fn read_stencils(r: &mut Reader<'_>) -> Result<Stencils, AssetFormatError> {
    let count = r.count(8)?;
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let (nodes, weights) = (r.list::<u32>()?, r.list::<f64>()?);
        let excess: f64 = weights.iter().sum::<f64>() - 1.0;
        if nodes.len() != weights.len() || excess.is_nan() || excess.abs() > 1e-6 {
            return Err(corrupt("stencil"));
        }
        rows.push(nodes.into_iter().zip(weights).collect());
    }
    Ok(Stencils::from_rows(rows))
}

/// Checks that each row of stencils belongs to a node and refers to nodes of the neighbouring level.
pub(crate) fn check_stencils(levels: &[Level]) -> Result<(), AssetFormatError> {
    let fits = |stencils: &Stencils, nodes: usize, other: Option<&Level>| {
        let rows = if other.is_some() { nodes } else { 0 };
        let limit = other.map_or(0, Level::node_count);
        let names = |row: usize| stencils.row(row).0.iter().all(|&n| (n as usize) < limit);
        stencils.len() == rows && (0..rows).all(names)
    };
    for (l, level) in levels.iter().enumerate() {
        let coarser = l.checked_sub(1).and_then(|k| levels.get(k));
        let finer = levels.get(l + 1);
        let count = level.node_count();
        if !(fits(&level.up, count, coarser)
            && fits(&level.down_tet, count, finer)
            && fits(&level.down_affine, count, finer))
        {
            return Err(corrupt("stencil"));
        }
    }
    Ok(())
}

fn read_embedding(
    r: &mut Reader<'_>,
    vertices: usize,
    nodes: usize,
) -> Result<SkinEmbedding, AssetFormatError> {
    let (distance, farthest) = (r.f64()?, r.u32()?);
    let count = r.count(8)?;
    if count != vertices || distance.is_nan() || distance < 0.0 {
        return Err(corrupt("skin embedding"));
    }
    let mut rows = Vec::with_capacity(count);
    for v in 0..count {
        let (row, weights) = (r.list::<u32>()?, r.list::<f64>()?);
        below(&row, nodes, "skin embedding")?;
        if row.len() != weights.len() || !weights.iter().all(|w| w.is_finite()) {
            return Err(corrupt("skin embedding"));
        }
        let own = if v == farthest as usize {
            distance
        } else {
            0.0
        };
        rows.push((row.into_iter().zip(weights).collect(), own));
    }
    Ok(SkinEmbedding::from_rows(rows))
}

/// Size of the next coarser level.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) nodes: usize,
    pub(crate) tets: usize,
}

pub(crate) fn read_level(
    r: &mut Reader<'_>,
    skin: &SurfaceMesh,
    supports: usize,
    coarser: Option<Counts>,
) -> Result<Level, AssetFormatError> {
    let mesh = TetMesh {
        nodes: r.list()?,
        tets: r.list()?,
    };
    let count = mesh.nodes.len();
    if mesh.tets.is_empty() {
        return Err(corrupt("number of tetrahedra"));
    }
    check_mesh(&mesh).map_err(|_| corrupt("mesh"))?;
    let shapes = shape_gradients(&mesh).map_err(|_| corrupt("tetrahedron"))?;
    let (masses, frequencies) = (r.list::<f64>()?, r.list::<f64>()?);
    if masses.len() != count || frequencies.len() != mesh.tets.len() {
        return Err(corrupt("number of masses"));
    }
    for &x in masses.iter().chain(&frequencies) {
        positive(x, "mass or frequency")?;
    }
    let stiffness = positive(r.f64()?, "stiffness factor")?;
    let local: Vec<f64> = r.list()?;
    let fits = local.is_empty() || local.len() == mesh.tets.len();
    if !(fits && local.iter().all(|f| f.is_finite() && *f > 0.0)) {
        return Err(corrupt("local stiffness"));
    }
    let mut held = Vec::with_capacity(supports.min(1024));
    for _ in 0..supports {
        let nodes = r.list::<u32>()?;
        below(&nodes, count, "support")?;
        held.push(nodes);
    }
    let parents: Vec<u32> = r.list()?;
    let expected = coarser.map_or(0, |_| count);
    below(&parents, coarser.map_or(0, |c| c.nodes), "parent")?;
    if parents.len() != expected {
        return Err(corrupt("number of parents"));
    }
    let (up, down_tet, down_affine) = (read_stencils(r)?, read_stencils(r)?, read_stencils(r)?);
    let above: Vec<[u32; 4]> = r.list()?;
    below(
        above.as_flattened(),
        coarser.map_or(0, |c| c.tets),
        "place on the coarser level",
    )?;
    if above.len() != coarser.map_or(0, |_| mesh.tets.len()) {
        return Err(corrupt("number of places on the coarser level"));
    }
    let embedding = read_embedding(r, skin.vertex_count(), count)?;
    Ok(Level {
        spacing: mesh.mean_edge(),
        mesh: Arc::new(mesh),
        shapes: Arc::new(shapes),
        masses,
        frequencies,
        stiffness,
        local,
        held,
        embedding,
        parents,
        children: no_children(),
        up,
        down_tet,
        down_affine,
        above,
    })
}
