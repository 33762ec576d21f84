//! The level after a cut: the copies of the tetrahedra of the whole level.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::mesh::tet::FACES;
use pliant_core::mesh::{SkinEmbedding, TetMesh};

use super::copies::{Copies, Copy};
use crate::asset::no_children;
use crate::hierarchy::{Level, Stencils};

/// The level of these copies of the tetrahedra of `whole`, with the embedding of the skin.
///
/// A copy has its share of the mass and of the stiffness of its tetrahedron: the share is a factor on the volume in [`Level::shapes`]. Its highest frequency is that of the
/// tetrahedron, so that the stable step stays what it was. Mass, momenta and energy are those of the whole level.
pub(super) fn cut_level(whole: &Level, copies: &Copies, embedding: SkinEmbedding) -> Level {
    let mesh = &whole.mesh;
    let mut nodes = mesh.nodes.clone();
    nodes.extend(copies.originals(mesh).map(|n| mesh.nodes[n as usize]));
    let of = |copy: &Copy| copy.tet as usize;
    let all = copies.all.iter();
    let shapes: Vec<ShapeGradients> = all
        .clone()
        .map(|copy| {
            let shape = &whole.shapes[of(copy)];
            ShapeGradients {
                volume: shape.volume * copy.share,
                ..*shape
            }
        })
        .collect();
    let density = whole.density();
    let mut masses = vec![0.0; copies.node_count()];
    for (copy, shape) in copies.all.iter().zip(&shapes) {
        for n in copy.nodes {
            masses[n as usize] += density * shape.volume / 4.0;
        }
    }
    let held = whole.held.iter().map(|held| held_nodes(mesh, copies, held));
    Level {
        held: held.collect(),
        masses,
        frequencies: all.clone().map(|c| whole.frequencies[of(c)]).collect(),
        local: match whole.local.is_empty() {
            true => Vec::new(),
            false => all.clone().map(|c| whole.local_stiffness(of(c))).collect(),
        },
        mesh: Arc::new(TetMesh {
            nodes,
            tets: all.map(|copy| copy.nodes).collect(),
        }),
        shapes: Arc::new(shapes),
        stiffness: whole.stiffness,
        embedding,
        // a cut level has no neighbours in the hierarchy
        parents: Vec::new(),
        children: no_children(),
        up: Stencils::default(),
        down_tet: Stencils::default(),
        down_affine: Stencils::default(),
        above: Vec::new(),
        spacing: whole.spacing,
    }
}

/// The nodes of a support that holds `held`, ascending: a copy with a part of a held face is held by all nodes of the face. A copy that only has a virtual node there is not.
fn held_nodes(mesh: &TetMesh, copies: &Copies, held: &[u32]) -> Vec<u32> {
    let is_held = |n: u32| held.binary_search(&n).is_ok();
    let mut all = held.to_vec();
    for copy in &copies.all {
        let tet = copy.tet as usize;
        if !copies.is_split(tet) {
            continue;
        }
        for face in FACES {
            let whole = face.iter().all(|&i| is_held(mesh.tets[tet][i]));
            if whole && face.iter().any(|&i| copy.own[i]) {
                all.extend(face.map(|i| copy.nodes[i]));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
