//! Appends the parts of a lattice; lists have their length in front as a `u32`.

use pliant_core::asset::bytes::ByteWriter;
use pliant_core::material::{Damping, Material};
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::changed::Changed;
use crate::asset::lists::Lists;

pub(super) type Writer = ByteWriter<u32>;

pub(super) fn write_lists(w: &mut Writer, lists: &Lists) {
    w.list(&lists.offsets);
    w.list(&lists.items);
}

pub(super) fn write_changed(w: &mut Writer, changed: &Changed) {
    w.items(changed.regions(), |w, &region| {
        w.u32(region);
        let runs = changed.runs(region as usize).unwrap_or_default();
        w.list(runs.as_flattened());
    });
}

pub(super) fn write_skin(w: &mut Writer, skin: &SurfaceMesh) {
    w.list(&skin.positions);
    w.list(skin.triangles.as_flattened());
    w.items(&skin.groups, |w, group| {
        w.text(&group.name);
        w.list(&group.vertices);
    });
}

pub(super) fn write_material(w: &mut Writer, m: &Material) {
    let (kind, a, b) = match m.damping {
        Damping::Ratio(zeta) => (0, zeta, 0.0),
        Damping::Parameters(d) => (1, d.phi, d.psi),
    };
    w.list(&[m.elastic.young, m.elastic.poisson, m.density, a, b]);
    w.u32(kind);
    w.text(m.law.name());
}

pub(super) fn write_embedding(w: &mut Writer, embedding: &SkinEmbedding) {
    w.length(embedding.len());
    for vertex in 0..embedding.len() {
        let (nodes, weights) = embedding.row(vertex);
        w.list(nodes);
        w.list(weights);
    }
    w.f64(embedding.max_distance);
    w.u32(embedding.farthest_vertex);
}
