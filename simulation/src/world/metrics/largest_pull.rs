//! How far contacts break the rule that they only push.

use pliant_core::boundary::{ConstrainedDirections, ConstraintKind, DisplacementConstraint};
use pliant_core::math::Vec3;

/// Largest force (N) with which a contact pulls at the body, against its normal; zero where none does. `reactions` are the forces on the body, in the order of
/// the constraints. What is held may pull.
pub(in crate::world) fn largest_pull(
    constraints: &[DisplacementConstraint],
    reactions: &[Vec3],
) -> f64 {
    let pulls = constraints
        .iter()
        .zip(reactions)
        .map(
            |(constraint, force)| match (constraint.kind, constraint.directions) {
                (ConstraintKind::Unilateral, ConstrainedDirections::Along(normal)) => {
                    -normal.dot(force)
                }
                _ => 0.0,
            },
        );
    pulls.filter(|pull| *pull > 0.0).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_that_pull_count_and_what_is_held_or_slides_does_not() {
        let contact = |vertex| DisplacementConstraint::contact(vertex, Vec3::zeros(), Vec3::y());
        let held = DisplacementConstraint::held(9, Vec3::zeros());
        let all = [contact(0), contact(1), contact(2), held];
        let push = Vec3::y() * 5.0;
        // friction has no share in it
        let slide = Vec3::x() * 7.0;
        let pull = Vec3::new(0.0, -2.0, 0.0);
        let of = |reactions: [Vec3; 4]| largest_pull(&all, &reactions);
        assert_eq!(of([push, slide, push, pull * 4.0]), 0.0);
        assert_eq!(of([push, pull, pull * 0.5, push]), 2.0);
        assert_eq!(largest_pull(&[], &[]), 0.0);
    }
}
