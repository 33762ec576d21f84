//! Cutting the tetrahedra of one level with blades and by fracture: the virtual node algorithm (Molino, Bao, Fedkiw 2004).
//!
//! ```text
//! sweeps of blades, planes of cracks → cut edges → copies of tetrahedra, each with a group of corners → a level of its own, and the skin that shows it
//! ```
//!
//! A body that moves on a cut through its levels hands its state over to one level when a blade reaches it, or when a load comes near breaking it (`handover`). Lips and pieces are in contact by their closed surface (`piece_contact`), and pieces at rest sleep (`sleep`).

mod copies;
mod cut_edges;
mod cut_level;
mod fracture;
mod frame;
mod geometry;
mod groups;
pub(crate) mod handover;
mod piece_contact;
mod sides;
mod skin;
mod sleep;
pub(crate) mod state;
