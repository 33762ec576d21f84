//! One scalar condition of a contact.

use pliant_core::math::Vec3;

/// One scalar condition: the component of a skin vertex along a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRow {
    /// Skin vertex; indices behind the last one are coarse constraints, see [`CoarseSupports`](super::CoarseSupports).
    pub vertex: u32,
    /// Unit direction; the force of the condition acts on the body along it.
    pub direction: Vec3,
    /// Whether the condition may only push.
    pub unilateral: bool,
}
