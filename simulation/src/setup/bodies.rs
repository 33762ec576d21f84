//! Bodies of a scene side by side: where each begins, the skin of all, and which of its vertices are whose.

use std::ops::Range;
use std::sync::Arc;

use pliant_contact::merged_skin;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{BodyDescription, SceneDescription};

use super::mesh_findings::MeshFindings;
use super::scene_setup::Setup;

/// Places of the bodies of a kind; none for a lone body that does not touch itself.
pub(super) fn places(
    description: &SceneDescription,
    several_kinds: bool,
    longest: f64,
) -> Vec<Pose> {
    match &description.body.layout {
        Some(layout) => layout.places(longest, description.seed),
        None if touches_itself(&description.body) || several_kinds => {
            vec![Pose::at(Vec3::zeros())]
        }
        None => Vec::new(),
    }
}

/// Whether a body touches itself in some method.
fn touches_itself(body: &BodyDescription) -> bool {
    body.lattice.self_contact || body.adaptive.self_contact == Some(true)
}

/// Vertices of each kind of bodies in the skin of all.
pub(super) fn vertices_of_kinds(scene_skin: &SurfaceMesh, others: &[Setup]) -> Vec<Range<u32>> {
    let counts = others.iter().map(|o| o.scene_skin.vertex_count() as u32);
    let own = scene_skin.vertex_count() as u32 - counts.clone().sum::<u32>();
    let counts = std::iter::once(own).chain(counts);
    let mut end = 0;
    let ranges = counts.map(|count| {
        let from = end;
        end += count;
        from..end
    });
    ranges.collect()
}

/// The part of `skin` that these vertices make, numbered from zero, and its first triangle in the whole.
pub(super) fn part_of(skin: &SurfaceMesh, vertices: &Range<u32>) -> (SurfaceMesh, u32) {
    let positions = skin.positions[vertices.start as usize..vertices.end as usize].to_vec();
    let own = |t: &&[u32; 3]| vertices.contains(&t[0]);
    let first = skin.triangles.iter().position(|t| own(&t)).unwrap_or(0);
    let triangles = skin.triangles.iter().filter(own);
    let triangles = triangles.map(|t| t.map(|v| v - vertices.start)).collect();
    (SurfaceMesh::new(positions, triangles), first as u32)
}

/// The skins of all bodies at rest in their places: those of `skin`, then those of the other kinds. For a lone body, its own skin.
pub(super) fn scene_skin(
    skin: &Arc<SurfaceMesh>,
    places: &[Pose],
    others: &[Setup],
) -> Arc<SurfaceMesh> {
    if places.is_empty() {
        return Arc::clone(skin);
    }
    let own = places.iter().map(|place| (skin.as_ref(), place));
    let other = others.iter().flat_map(|other| {
        let skin = other.geometry.skin.as_ref();
        other.places.iter().map(move |place| (skin, place))
    });
    Arc::new(merged_skin(own.chain(other)))
}

/// For each vertex of the skin of all bodies whether a support holds it: `own` for each body of this kind, then those of the other kinds.
pub(super) fn held_of_all(own: &[bool], places: &[Pose], others: &[Setup]) -> Vec<bool> {
    let bodies = places.len().max(1);
    let own = (0..bodies).flat_map(|_| own.iter().copied());
    let others = others.iter().flat_map(|other| other.held.iter().copied());
    own.chain(others).collect()
}

/// The findings on the meshes of all kinds of bodies, on the first body of each in the skin of all; `own` are those on this kind, whose skin is `skin`.
pub(super) fn findings_of_all(
    own: Option<MeshFindings>,
    skin: &SurfaceMesh,
    places: &[Pose],
    others: &[Setup],
) -> Vec<MeshFindings> {
    let own = own.map(|findings| findings.in_place(places.first(), 0));
    let mut all: Vec<MeshFindings> = own.into_iter().collect();
    let mut first = skin.triangles.len() * places.len().max(1);
    for other in others {
        let moved = |findings: &MeshFindings| {
            let findings = findings.clone();
            findings.in_place(other.places.first(), first as u32)
        };
        all.extend(other.findings.iter().map(moved));
        first += other.scene_skin.triangles.len();
    }
    all
}
