//! The hand of a user.

use pliant_core::boundary::NodalLoad;
use pliant_core::math::Vec3;

use super::pointer_blade::PointerBlade;

/// What comes from outside the scene during a frame: the hand of a user. Equal for all panes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interaction {
    /// Position of the tool that follows the pointer, m; `None` leaves it to its script.
    pub tool_position: Option<Vec3>,
    /// Skin vertices held by the pointer and their displacement from rest, m.
    pub grab: Option<PointerGrab>,
    /// Skin vertices on which the pointer pulls with a force.
    pub pull: Option<PointerPull>,
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

/// Skin vertices on which the pointer pulls with a force that it gives, the same for all methods: how far they move is theirs.
#[derive(Debug, Clone, PartialEq)]
pub struct PointerPull {
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// Force on all of them together, N.
    pub force: Vec3,
}

/// A force (N) as an even traction on `vertices` of a skin with these nodal `areas`, m². Where they have no area, each vertex gets the same share.
pub(super) fn spread<'a>(
    vertices: &'a [u32],
    force: Vec3,
    areas: &'a [f64],
) -> impl Iterator<Item = NodalLoad> + use<'a> {
    let area = move |v: u32| areas.get(v as usize).copied().unwrap_or(0.0);
    let sum: f64 = vertices.iter().map(|&v| area(v)).sum();
    let even = 1.0 / vertices.len().max(1) as f64;
    vertices.iter().map(move |&vertex| {
        let share = if sum > 0.0 { area(vertex) / sum } else { even };
        NodalLoad {
            vertex,
            force: force * share,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_is_an_even_traction_whose_sum_is_the_force() {
        let force = Vec3::new(0.0, 3.0, -6.0);
        let pulled = |areas: &[f64]| -> Vec<NodalLoad> { spread(&[0, 2], force, areas).collect() };
        let loads = pulled(&[1e-4, 7e-4, 2e-4]);
        assert_eq!((loads[0].vertex, loads[1].vertex), (0, 2));
        assert!((loads[0].force * 2.0 - loads[1].force).norm() < 1e-12);
        assert!((loads[0].force + loads[1].force - force).norm() < 1e-12);
        // areas of another skin
        assert_eq!(pulled(&[])[0].force, force * 0.5);
    }
}
