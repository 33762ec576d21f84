//! Bodies: skin, material, supports, copies, and parameters of each method.

mod adaptive;
mod bones;
mod constraint_level;
mod description;
mod given_mesh;
mod greens_loads;
mod lattice;
mod layout;
mod material;
mod mesh_source;
mod quasistatic;
mod vertex_weight;

pub use adaptive::AdaptiveDescription;
pub use bones::{BoneDescription, BoneShape};
pub use constraint_level::ConstraintLevel;
pub use description::{BodyDescription, SupportDescription};
pub use given_mesh::{GivenMesh, GivenMeshError};
pub use greens_loads::GreensLoads;
pub use lattice::{LatticeDescription, LatticeSums, RotationMethod, ShapeMatching};
pub use layout::LayoutDescription;
pub use mesh_source::{MeshRepair, MeshSource};
pub use quasistatic::{
    BoundaryChoice, Fibres, GreensElements, GreensGenerator, NamedPoint, QuasistaticDescription,
    WaveletAreas, WaveletBasis, WaveletDescription,
};
pub use vertex_weight::VertexWeight;

pub(crate) use description::{named_body, read_body};
pub(crate) use mesh_source::read_mesh;
