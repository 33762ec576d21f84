//! Boundary conditions of a frame: displacement constraints, loads, gravity.

use crate::math::Vec3;

/// The prescribed position of one skin vertex at the end of the frame.
///
/// Sign rule: the reaction is the force the constraint applies **to the body**, so displacing a body does positive work and the
/// tool feels the negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplacementConstraint {
    /// Skin vertex.
    pub vertex: u32,
    /// Where the vertex (or its component along the normal) has to be at the end of the frame, world, m.
    pub target: Vec3,
    /// Velocity of the target during the frame, m/s: the tool's surface at this point, or the grab. The work of the constraint is its impulse times this velocity.
    pub velocity: Vec3,
    /// All three components, one or two.
    pub directions: ConstrainedDirections,
    /// Whether the constraint may pull.
    pub kind: ConstraintKind,
    /// Tangential behaviour of a constraint along one direction.
    pub friction: Friction,
    /// Force (N) that a contact is expected to exert on the body at the beginning of the frame: that of the last frame, and zero where it is not known. A model that iterates may start from
    /// it. What the constraint asks for does not depend on it.
    pub expected_force: Vec3,
}

/// Which components of a vertex a constraint prescribes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstrainedDirections {
    /// The whole position.
    All,
    /// The component along a unit vector that points from the constraint into the body. A vertex that is held in this way slides in the plane normal to it.
    Along(Vec3),
    /// The components normal to a unit vector. A vertex that is held in this way slides along a line.
    Across(Vec3),
}

impl DisplacementConstraint {
    /// A vertex held at `target` (world, m), which does not move.
    pub fn held(vertex: u32, target: Vec3) -> Self {
        Self {
            vertex,
            target,
            velocity: Vec3::zeros(),
            directions: ConstrainedDirections::All,
            kind: ConstraintKind::Bilateral,
            friction: Friction::None,
            expected_force: Vec3::zeros(),
        }
    }

    /// A contact without friction: the vertex may not be behind `target` (world, m), which does not move; `normal` is a unit vector into the body.
    pub fn contact(vertex: u32, target: Vec3, normal: Vec3) -> Self {
        Self {
            directions: ConstrainedDirections::Along(normal),
            kind: ConstraintKind::Unilateral,
            ..Self::held(vertex, target)
        }
    }

    /// The same with a target that moves at `velocity`, m/s.
    pub fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    /// Whether it pulls as well as pushes. All constraints do, except unilateral ones along a normal.
    pub fn is_held(&self) -> bool {
        self.directions.is_held(self.kind)
    }

    /// Violation by a vertex at `position` (m) at the end of the frame, m: the distance from a held target, or the depth behind a contact.
    pub fn violation(&self, position: &Vec3) -> f64 {
        self.directions
            .violation(self.kind, &(self.target - position))
    }
}

impl ConstrainedDirections {
    /// The part of a vector in these directions.
    pub fn part(&self, vector: &Vec3) -> Vec3 {
        match self {
            Self::All => *vector,
            Self::Along(n) => n * n.dot(vector),
            Self::Across(n) => vector - n * n.dot(vector),
        }
    }

    /// See [`DisplacementConstraint::is_held`].
    pub(crate) fn is_held(&self, kind: ConstraintKind) -> bool {
        kind == ConstraintKind::Bilateral || !matches!(self, Self::Along(_))
    }

    /// See [`DisplacementConstraint::violation`]; `gap` (m) is the vector from the vertex to its target.
    pub(crate) fn violation(&self, kind: ConstraintKind, gap: &Vec3) -> f64 {
        match (self, kind) {
            (Self::All | Self::Across(_), _) => self.part(gap).norm(),
            (Self::Along(n), ConstraintKind::Unilateral) => n.dot(gap).max(0.0),
            (Self::Along(n), ConstraintKind::Bilateral) => n.dot(gap).abs(),
        }
    }
}

/// Whether a constraint may pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Pushes and pulls.
    Bilateral,
    /// Contact: `λ ≥ 0`, `gap ≥ 0`, `λ · gap = 0`; only together with [`ConstrainedDirections::Along`].
    Unilateral,
}

/// Friction of a unilateral constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Friction {
    /// Slides freely.
    None,
    /// Coulomb's law.
    Coulomb {
        /// Coefficient while sticking.
        static_coefficient: f64,
        /// Coefficient while sliding.
        kinetic_coefficient: f64,
    },
}

impl Friction {
    /// Coulomb's law with the same coefficient while sticking and while sliding.
    pub fn coulomb(coefficient: f64) -> Self {
        Self::Coulomb {
            static_coefficient: coefficient,
            kinetic_coefficient: coefficient,
        }
    }

    /// Static and kinetic coefficient; `None` without friction.
    pub fn coefficients(&self) -> Option<(f64, f64)> {
        match *self {
            Self::None => None,
            Self::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            } => Some((static_coefficient, kinetic_coefficient)),
        }
    }
}

/// A force on a skin vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodalLoad {
    /// Skin vertex.
    pub vertex: u32,
    /// Force on the body, world, N; constant during the frame.
    pub force: Vec3,
}

/// The boundary conditions of one frame, sorted by vertex, with at most one constraint a vertex. A vertex may have several loads, and loads besides a constraint.
///
/// ```
/// use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
/// use pliant_core::math::Vec3;
///
/// let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
/// let held = DisplacementConstraint::held(7, Vec3::new(0.0, 0.1, 0.0));
/// boundary.set_displacements([held])?;
/// boundary.set_loads([NodalLoad { vertex: 3, force: Vec3::new(0.0, -1.0, 0.0) }]);
/// // a vertex cannot be at two places
/// assert!(boundary.set_displacements([held, held]).is_err());
/// # Ok::<(), pliant_core::boundary::BoundaryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoundaryConditions {
    displacements: Vec<DisplacementConstraint>,
    loads: Vec<NodalLoad>,
    /// Gravity, world, m/s².
    pub gravity: Vec3,
}

/// A constraint or load that cannot be accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoundaryError {
    /// Two constraints name the same vertex.
    #[error("skin vertex {vertex} is constrained twice\n  remedy: let one tool or grab hold it")]
    VertexContested {
        /// The vertex.
        vertex: u32,
    },
    /// A number is NaN or infinite.
    #[error("the constraint of skin vertex {vertex} is not finite")]
    NotFinite {
        /// The vertex.
        vertex: u32,
    },
    /// A normal is not of unit length.
    #[error("the normal of skin vertex {vertex} is not of unit length")]
    NotUnit {
        /// The vertex.
        vertex: u32,
    },
}

impl BoundaryConditions {
    /// No constraints, no loads.
    pub fn with_gravity(gravity: Vec3) -> Self {
        Self {
            gravity,
            ..Self::default()
        }
    }

    /// Replaces the constraints; sorts them by vertex and checks them. Reuses memory.
    ///
    /// # Errors
    /// [`BoundaryError`] for the first constraint that cannot be accepted. The conditions are then of no use until other constraints are set.
    pub fn set_displacements(
        &mut self,
        constraints: impl IntoIterator<Item = DisplacementConstraint>,
    ) -> Result<(), BoundaryError> {
        self.displacements.clear();
        self.displacements.extend(constraints);
        self.displacements.sort_by_key(|c| c.vertex);
        for pair in self.displacements.windows(2) {
            if pair[0].vertex == pair[1].vertex {
                return Err(BoundaryError::VertexContested {
                    vertex: pair[0].vertex,
                });
            }
        }
        for c in &self.displacements {
            let vertex = c.vertex;
            let numbers = [c.target, c.velocity, c.expected_force];
            if !numbers.iter().flatten().all(|x| x.is_finite()) {
                return Err(BoundaryError::NotFinite { vertex });
            }
            if let ConstrainedDirections::Along(n) | ConstrainedDirections::Across(n) = c.directions
                && (n.norm() - 1.0).abs() > 1e-6
            {
                return Err(BoundaryError::NotUnit { vertex });
            }
        }
        Ok(())
    }

    /// Replaces the loads and sorts them by vertex. Forces have to be finite; that is not checked.
    pub fn set_loads(&mut self, loads: impl IntoIterator<Item = NodalLoad>) {
        self.loads.clear();
        self.loads.extend(loads);
        // sorting allocates; loads of a pull are sorted already, and their frame must not
        if !self.loads.is_sorted_by_key(|l| l.vertex) {
            self.loads.sort_by_key(|l| l.vertex);
        }
    }

    /// Multiplies the velocities of all constraints by `factor`: for a body in slow motion, which is stepped through a part of a frame only.
    pub fn scale_velocities(&mut self, factor: f64) {
        for c in &mut self.displacements {
            c.velocity *= factor;
        }
    }

    /// Expects the `forces` (N) of the last frame, one a constraint, of those with friction: for a body that is stepped on under the same constraints. A force that is not finite is not expected.
    pub fn expect_forces(&mut self, forces: &[Vec3]) {
        for (c, force) in self.displacements.iter_mut().zip(forces) {
            let is_expected = c.friction != Friction::None && force.iter().all(|x| x.is_finite());
            c.expected_force = if is_expected { *force } else { Vec3::zeros() };
        }
    }

    /// Constraints in ascending vertex order; [`crate::model::DeformableModel::reactions`] has the same order.
    pub fn displacements(&self) -> &[DisplacementConstraint] {
        &self.displacements
    }

    /// Loads in ascending vertex order.
    pub fn loads(&self) -> &[NodalLoad] {
        &self.loads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(vertex: u32) -> DisplacementConstraint {
        DisplacementConstraint::held(vertex, Vec3::zeros())
    }

    #[test]
    fn forces_are_expected_of_constraints_with_friction() {
        let rough = |vertex| DisplacementConstraint {
            friction: Friction::coulomb(0.5),
            ..DisplacementConstraint::contact(vertex, Vec3::zeros(), Vec3::y())
        };
        let mut b = BoundaryConditions::default();
        let constraints = [rough(1), hold(2), rough(3)];
        b.set_displacements(constraints).expect("valid");
        let (force, none) = (Vec3::new(0.1, 1.0, 0.2), Vec3::zeros());
        let expected = |b: &BoundaryConditions| {
            let all = b.displacements().iter();
            all.map(|c| c.expected_force).collect::<Vec<Vec3>>()
        };
        b.expect_forces(&[force, force, force * 2.0]);
        assert_eq!(expected(&b), [force, none, force * 2.0]);
        b.expect_forces(&[Vec3::repeat(f64::NAN), force, force]);
        assert_eq!(expected(&b), [none, none, force]);
    }

    #[test]
    fn a_vertex_on_a_line_or_in_a_plane_is_held_across_it_alone() {
        let directions = |directions| DisplacementConstraint {
            directions,
            ..hold(0)
        };
        let position = Vec3::new(3.0, 4.0, 12.0);
        let line = directions(ConstrainedDirections::Across(Vec3::z()));
        let plane = directions(ConstrainedDirections::Along(Vec3::z()));
        assert_eq!(line.violation(&position), 5.0);
        assert_eq!(plane.violation(&position), 12.0);
        assert_eq!(hold(0).violation(&position), 13.0);
        let mut b = BoundaryConditions::default();
        let twice = directions(ConstrainedDirections::Across(Vec3::z() * 2.0));
        let refused = b.set_displacements([twice]);
        assert_eq!(refused, Err(BoundaryError::NotUnit { vertex: 0 }));
    }

    #[test]
    fn constraints_are_sorted_and_bad_ones_are_named() {
        let mut b = BoundaryConditions::default();
        assert!(b.set_displacements([hold(4), hold(1)]).is_ok());
        assert_eq!(b.displacements()[0].vertex, 1);
        let refused = b.set_displacements([hold(4), hold(4)]);
        assert_eq!(refused, Err(BoundaryError::VertexContested { vertex: 4 }));
        let mut nan = hold(2);
        nan.target.x = f64::NAN;
        let mut endless = hold(2);
        endless.expected_force.y = f64::INFINITY;
        for constraint in [nan, endless] {
            let refused = b.set_displacements([constraint]);
            assert_eq!(refused, Err(BoundaryError::NotFinite { vertex: 2 }));
        }
    }
}
