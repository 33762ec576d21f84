//! The skin of a broken body.

mod caps;
mod centroid_cells;
mod closed_surface;
mod contact;
mod cut_skin;
mod drawing;
mod lips;
mod parted;
mod plane;
mod vertex_binding;

pub(crate) use cut_skin::CutSkin;
pub(crate) use vertex_binding::VertexBinding;
