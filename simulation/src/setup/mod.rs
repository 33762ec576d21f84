//! A scene made concrete: the skin is there, selections are vertices, scripts are paths.

mod attributes;
mod bodies;
mod body;
mod contact_refinement;
pub mod hand;
mod mesh_findings;
mod prepare;
mod scene_notes;
mod scene_setup;
mod scripted_motion;
mod tool_shapes;
mod touch;

pub use body::detail_surface;
pub use mesh_findings::{MeshFindings, MeshProblem, PlacePoint, SkinPlace};
pub use pliant_meshing::repair::RepairStep;
pub use pliant_meshing::report::PlaceShape;
pub use prepare::prepare;
pub use scene_notes::note::{NoteSubject, SceneNote};
pub use scene_setup::{Carrier, Setup, SetupGrab, SetupTool};

#[cfg(test)]
mod tests;
