//! Geometry of the whole level that cutting needs: constant, shared by clones of a model.

use pliant_core::math::Vec3;
use pliant_core::mesh::embedding::{AttachedPlace, TetAttachment};
use pliant_core::mesh::tet::FACES;
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};

/// Stands for no tetrahedron behind a face.
pub(super) const NONE: u32 = u32::MAX;

/// Neighbours, and where the skin is attached.
#[derive(Debug)]
pub(crate) struct WholeGeometry {
    /// the tetrahedron behind each face, or [`NONE`]
    pub neighbours: Vec<[u32; 4]>,
    /// edges of the boundary, ascending nodes, sorted
    boundary_edges: Vec<[u32; 2]>,
    attachment: TetAttachment,
    /// where each skin vertex is attached; `None` without a boundary
    pub skin_places: Vec<Option<AttachedPlace>>,
    /// for each skin triangle whether any two of the tetrahedra that its corners are attached to are the same or share a node: then it is cut only where one of them is
    pub corners_share_nodes: Vec<bool>,
    pub skin_tree: TriangleTree,
}

impl WholeGeometry {
    /// Cost: a sort of all faces, two search trees, and a look into one of them for each skin vertex.
    pub fn new(mesh: &TetMesh, skin: &SurfaceMesh) -> Self {
        let boundary = mesh.boundary();
        let attachment = TetAttachment::new(&boundary);
        let mut boundary_edges: Vec<[u32; 2]> =
            Vec::with_capacity(boundary.surface.triangles.len() * 3);
        for triangle in &boundary.surface.triangles {
            let nodes = triangle.map(|v| boundary.node_of_vertex[v as usize]);
            for [i, j] in [[0, 1], [1, 2], [2, 0]] {
                boundary_edges.push([nodes[i].min(nodes[j]), nodes[i].max(nodes[j])]);
            }
        }
        boundary_edges.sort_unstable();
        boundary_edges.dedup();
        let places = skin.positions.iter();
        let places: Vec<Option<AttachedPlace>> =
            places.map(|x| attachment.attach(mesh, x)).collect();
        let are_near = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|v| places[v as usize].map(|place| place.tet as usize));
            let (Some(a), Some(b)) = (a, b) else {
                return false;
            };
            mesh.tets[a].iter().any(|n| mesh.tets[b].contains(n))
        };
        let corners_share_nodes =
            |[a, b, c]: &[u32; 3]| are_near(*a, *b) && are_near(*b, *c) && are_near(*c, *a);
        Self {
            corners_share_nodes: skin.triangles.iter().map(corners_share_nodes).collect(),
            neighbours: neighbours(mesh),
            boundary_edges,
            skin_places: places,
            attachment,
            skin_tree: TriangleTree::new(&skin.positions, &skin.triangles),
        }
    }

    /// Whether an edge with these nodes, ascending, lies on the boundary.
    pub fn is_on_boundary(&self, ends: [u32; 2]) -> bool {
        self.boundary_edges.binary_search(&ends).is_ok()
    }

    /// Where a point (m, rest) near the skin is attached.
    pub fn attach(&self, mesh: &TetMesh, x: &Vec3) -> Option<AttachedPlace> {
        self.attachment.attach(mesh, x)
    }
}

/// The tetrahedron behind each face of each tetrahedron.
fn neighbours(mesh: &TetMesh) -> Vec<[u32; 4]> {
    let mut faces: Vec<([u32; 3], u32)> = Vec::with_capacity(4 * mesh.tets.len());
    for tet in &mesh.tets {
        for face in FACES {
            let mut nodes = face.map(|i| tet[i]);
            nodes.sort_unstable();
            faces.push((nodes, faces.len() as u32));
        }
    }
    faces.sort_unstable();
    let mut behind = vec![[NONE; 4]; mesh.tets.len()];
    for pair in faces.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = pair {
            behind[*a as usize / 4][*a as usize % 4] = b / 4;
            behind[*b as usize / 4][*b as usize % 4] = a / 4;
        }
    }
    behind
}
