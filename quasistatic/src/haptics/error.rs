//! Errors of making a haptic surface.

/// Why no haptic surface could be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HapticError {
    /// A radius that is not positive, or is larger than the body.
    #[error(
        "a pressure mask of radius {radius} m does not suit a body of {diagonal:.4} m\n  remedy: give the radius of the fingertip or tool, above 0 and below the diagonal"
    )]
    MaskRadius {
        /// The radius, m.
        radius: f64,
        /// Diagonal of the skin, m.
        diagonal: f64,
    },
    /// The rigid stiffness is not a positive number.
    #[error(
        "a rigid stiffness of {stiffness} N/m is not possible\n  remedy: give what the device can render, typically 500 to 2000 N/m"
    )]
    RigidStiffness {
        /// The stiffness, N/m.
        stiffness: f64,
    },
    /// Friction coefficients that are negative or in the wrong order.
    #[error(
        "friction {static_coefficient} while sticking and {kinetic_coefficient} while sliding is not possible\n  remedy: give 0 <= sliding <= sticking"
    )]
    Friction {
        /// Coefficient while sticking.
        static_coefficient: f64,
        /// Coefficient while sliding.
        kinetic_coefficient: f64,
    },
    /// No skin vertex can move.
    #[error("no vertex of the skin can move\n  remedy: make the supports smaller")]
    NothingToTouch,
    /// Columns are missing, so that some vertices have no stiffness.
    #[error(
        "{count} nodes have no Green's functions: their stiffness is not known\n  remedy: let the bake end, or import all columns"
    )]
    MissingColumns {
        /// Nodes without columns.
        count: usize,
    },
    /// A finer surface that is nowhere near the skin.
    #[error(
        "the finer surface is nowhere within {reach:.4} m of the skin on its side\n  remedy: give the detail in the coordinates and the unit of the body, with its triangles counter-clockwise from outside"
    )]
    DetailApart {
        /// Distance within which detail is searched for, m.
        reach: f64,
    },
}

pliant_core::error_code!(HapticError);
