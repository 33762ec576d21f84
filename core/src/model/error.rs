//! Errors of frames.

/// Why a frame could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The state stopped being finite or its energy exploded.
    #[error(
        "{method} diverged at {time:.4} s: {cause}\n  remedy: move tools more slowly, raise the damping, or use the law `stable_neo_hookean`"
    )]
    Diverged {
        /// Kind of the model.
        method: &'static str,
        /// Physical time since reset, s.
        time: f64,
        /// The first symptom, and its place.
        cause: String,
    },
    /// A static model without any support.
    #[error("nothing holds the body, so it has no equilibrium\n  remedy: add a [[body.support]]")]
    Unconstrained,
    /// The contact equations have no unique answer.
    #[error(
        "the capacitance matrix is singular at skin vertex {vertex}\n  remedy: constrain fewer vertices there"
    )]
    SingularCapacitance {
        /// The vertex whose row failed.
        vertex: u32,
    },
    /// A constraint or load on a vertex without Green's functions.
    #[error(
        "vertex {vertex} is constrained or loaded, but the Green's functions have no column for it\n  remedy: touch the body elsewhere, or bake or import the missing columns"
    )]
    MissingColumn {
        /// The vertex.
        vertex: u32,
    },
    /// The scene sets a parameter to a value that the model does not accept.
    #[error(
        "{method} at {time:.4} s: {cause}\n  remedy: correct the value in `hand.parameter`, or take it out"
    )]
    ParameterRefused {
        /// Kind of the model.
        method: &'static str,
        /// Physical time since reset, s.
        time: f64,
        /// The reason that the model gives.
        cause: String,
    },
}

crate::error_code!(StepError);
