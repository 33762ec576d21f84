//! The hand of a user.

use pliant_core::math::Vec3;

use super::pointer_blade::PointerBlade;

/// What comes from outside the scene during a frame: the hand of a user. Equal for all panes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interaction {
    /// Position of the tool that follows the pointer, m; `None` leaves it to its script.
    pub tool_position: Option<Vec3>,
    /// Skin vertices held by the pointer and their displacement from rest, m.
    pub grab: Option<PointerGrab>,
    /// The blade in the hand. It cuts the models that can be cut.
    pub blade: Option<PointerBlade>,
    /// Whether gravity is switched on where the scene has none.
    pub gravity_on: bool,
}

/// Skin vertices held by the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct PointerGrab {
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Displacement from rest at which they are held, m.
    pub displacement: Vec3,
    /// Displacement of each of them, m, in the order of `vertices`, in place of the common one; empty where all are displaced alike. A program may give them; the hand in a
    /// window does not, so that a recorded motion of a hand has none.
    pub own_displacements: Vec<Vec3>,
}

impl PointerGrab {
    /// Displacement of vertex `k` of `vertices`, m.
    pub fn displacement_of(&self, k: usize) -> Vec3 {
        let own = self.own_displacements.get(k).copied();
        own.unwrap_or(self.displacement)
    }
}
