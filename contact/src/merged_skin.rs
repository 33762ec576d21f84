//! Many skins as one surface.

use pliant_core::contact::Pose;
use pliant_core::mesh::SurfaceMesh;

/// The skins of bodies placed by `poses`, one after the other in one surface. Groups of the same name join.
pub fn merged_skin<'a>(
    bodies: impl IntoIterator<Item = (&'a SurfaceMesh, &'a Pose)>,
) -> SurfaceMesh {
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    for (skin, pose) in bodies {
        let first = all.vertex_count();
        all.append(skin);
        for x in &mut all.positions[first..] {
            *x = pose.to_world(x);
        }
    }
    all
}
