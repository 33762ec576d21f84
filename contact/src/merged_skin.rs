//! Many skins as one surface.

use pliant_core::contact::Pose;
use pliant_core::mesh::SurfaceMesh;

/// The skins of bodies placed by `poses`, one after the other in one surface. Groups of the same name join.
pub fn merged_skin<'a>(
    bodies: impl IntoIterator<Item = (&'a SurfaceMesh, &'a Pose)>,
) -> SurfaceMesh {
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    for (skin, pose) in bodies {
        let first = all.positions.len() as u32;
        all.positions
            .extend(skin.positions.iter().map(|x| pose.to_world(x)));
        let moved = skin.triangles.iter().map(|t| t.map(|v| v + first));
        all.triangles.extend(moved);
        for group in &skin.groups {
            let vertices = group.vertices.iter().map(|v| v + first);
            match all.groups.iter_mut().find(|g| g.name == group.name) {
                Some(known) => known.vertices.extend(vertices),
                None => {
                    let mut joined = group.clone();
                    joined.vertices = vertices.collect();
                    all.groups.push(joined);
                }
            }
        }
    }
    all
}
