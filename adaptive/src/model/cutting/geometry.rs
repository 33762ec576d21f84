//! Geometry of the whole level that cutting needs: constant, shared by clones of a model.

use pliant_core::math::Vec3;
use pliant_core::mesh::embedding::{AttachedPlace, TetAttachment};
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree, unique_edges};

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
        // vertices of the boundary are in the order of their nodes
        let node = |v: u32| boundary.node_of_vertex[v as usize];
        let edges = unique_edges(&boundary.surface.triangles).into_iter();
        let boundary_edges = edges.map(|ends| ends.map(node)).collect();
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
            neighbours: mesh.neighbours(),
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
