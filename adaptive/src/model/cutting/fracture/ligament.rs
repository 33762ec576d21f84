//! The last ligament: what a crack has left of a body, where the domain of its front reaches the surface ahead or another front.
//!
//! There the energy integral is not the energy that growth releases. Its weight `q` is above 0 at the surface, which moves on with the front: the integral leaves out the flow
//! `∫ q W e·N dA` through the surface. Within an edge of it, where `q` is 1, the integral is the energy of a ligament that is displaced and not of one that gets smaller. This
//! may be near 0 however large the load, so that a body could hang on its last ligament for ever.
//!
//! A material with a strength parts there by stress as well. No ligament bears a larger mean stress than the strength, and the elements at the front show this stress: between two
//! deep notches that leave the width `d`, the mean stress `σ` gives `K = σ √(2 d / π)` (Tada, Paris, Irwin 2000), which half an edge `h` ahead is the stress `0.45 σ √(d / h)`. For up to
//! three edges that is no more than `σ` itself.
//!
//! The toughness loses nothing. At the strength such a ligament releases `2 d σ² / (π E)`. Where that is above the toughness, the front could have grown at a smaller stress. Where
//! it is below, the zone in which the material separates is larger than the ligament (Hillerborg, Modéer, Petersson 1976), and the criterion for cracks does not apply to it.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::tet::FACES;

use super::front::FrontSegment;
use crate::hierarchy::Level;
use crate::model::cutting::geometry::NONE;

/// Least cosine between the direction of growth and the normal of a surface, or the direction of another front turned round, at which the crack runs towards it.
const MIN_FACING: f64 = 0.5;

/// A face of the surface of a body that no support holds, at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct FreeFace {
    /// m
    pub middle: Vec3,
    /// outward, unit
    pub normal: Vec3,
}

/// All free faces of a level within a box; `neighbours` are the tetrahedra behind faces. Cost: some nanoseconds a tetrahedron.
pub(super) fn find_free_faces(
    level: &Level,
    neighbours: &[[u32; 4]],
    near: &Aabb,
    faces: &mut Vec<FreeFace>,
) {
    faces.clear();
    let is_held = |n: &u32| level.held.iter().any(|held| held.binary_search(n).is_ok());
    for (nodes, around) in level.mesh.tets.iter().zip(neighbours) {
        for (face, &behind) in FACES.iter().zip(around) {
            if behind != NONE {
                continue;
            }
            let corners = face.map(|i| nodes[i]);
            let [p, q, r] = corners.map(|n| level.mesh.nodes[n as usize]);
            let middle = (p + q + r) / 3.0;
            if near.contains(&middle) && !corners.iter().any(is_held) {
                let normal = (q - p).cross(&(r - p)).normalize();
                faces.push(FreeFace { middle, normal });
            }
        }
    }
}

/// Whether a segment that grows in this direction (unit) is at the last ligament: a free face, or a front that comes towards it, lies ahead within `reach` (m).
pub(super) fn is_at_last_ligament(
    segment: &FrontSegment,
    direction: &Vec3,
    (fronts, faces): (&[FrontSegment], &[FreeFace]),
    reach: f64,
) -> bool {
    let is_ahead = |place: &Vec3| {
        let offset = place - segment.middle;
        offset.dot(direction) > 0.0 && offset.norm() < reach
    };
    let comes = |other: &FrontSegment| {
        let facing = -other.advance.dot(direction);
        facing > MIN_FACING * other.advance.norm() && is_ahead(&other.middle)
    };
    let ends = |face: &FreeFace| face.normal.dot(direction) > MIN_FACING && is_ahead(&face.middle);
    faces.iter().any(ends) || fronts.iter().any(comes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// m
    const REACH: f64 = 3.0;

    fn front(middle: Vec3, advance: Vec3) -> FrontSegment {
        FrontSegment {
            tet: 0,
            single_corner: 0,
            pair: [1, 2],
            far_corner: 3,
            middle,
            advance,
            normal: Vec3::y(),
        }
    }

    fn face(middle: Vec3, normal: Vec3) -> FreeFace {
        FreeFace { middle, normal }
    }

    /// Whether a front at the origin that grows along x is at the last ligament.
    fn ends(fronts: &[FrontSegment], faces: &[FreeFace]) -> bool {
        let own = front(Vec3::zeros(), Vec3::x());
        is_at_last_ligament(&own, &Vec3::x(), (fronts, faces), REACH)
    }

    #[test]
    fn a_ligament_ends_at_the_surface_ahead() {
        let oblique = Vec3::new(0.8, 0.0, 0.6);
        for normal in [Vec3::x(), oblique] {
            assert!(ends(&[], &[face(Vec3::new(2.0, 0.5, 0.5), normal)]));
            assert!(!ends(&[], &[face(Vec3::new(3.1, 0.0, 0.0), normal)]));
            assert!(!ends(&[], &[face(Vec3::new(-1.0, 0.0, 0.0), normal)]));
        }
        // beside the front, and the mouth of the crack
        assert!(!ends(&[], &[face(Vec3::new(0.5, 0.0, 1.0), Vec3::z())]));
        assert!(!ends(&[], &[face(Vec3::new(-2.0, 0.0, 0.0), -Vec3::x())]));
    }

    #[test]
    fn a_ligament_ends_at_a_front_that_comes_towards_it_and_no_new_crack_is_one() {
        let (ahead, behind) = (Vec3::x() * 2.0, Vec3::x() * -2.0);
        assert!(ends(&[front(ahead, -Vec3::x())], &[]));
        // other segments of the same front, and the other end of a new crack
        let beside = [0.2, -0.2].map(|x| front(Vec3::new(x, 0.0, 1.0), Vec3::x()));
        assert!(!ends(&beside, &[]));
        assert!(!ends(&[front(behind, -Vec3::x())], &[]));
    }
}
