//! Surfaces, tetrahedra and the tables that connect them.

pub mod adjacency;
pub mod embedding;
pub mod procedural;
pub mod quadratic;
pub mod quality;
pub mod seam;
pub mod skin_binding;
pub mod surface;
pub mod surface_frame;
pub mod tet;
pub mod triangle_tree;
pub mod validate;
pub mod voxel;

pub use adjacency::{Csr, WeightedRows, merge_duplicates, unique_edges};
pub use embedding::SkinEmbedding;
pub use quadratic::QuadraticTetMesh;
pub use skin_binding::{ControlPoints, SkinBinding};
pub use surface::{SurfaceMesh, SurfacePoint, VertexGroup};
pub use surface_frame::{SkinPart, SurfaceFrame};
pub use tet::TetMesh;
pub use triangle_tree::TriangleTree;
pub use voxel::particles::VoxelParticles;
pub use voxel::{CellCopy, CellShare, SkinCell, VoxelGrid};
