//! Bodies without inertia on one level of finite elements: what static and linear references run.
//!
//! [`LinearBody`] is linear elasticity by a factorised stiffness. [`RelaxedBody`] is the body of the dynamic reference, which comes to rest in each frame. Both have the
//! stiffness, the supports and the embedding of the skin of the same level.

mod contact_compliance;
mod contact_forces;
mod linear_body;
mod linear_level;
mod relaxed_body;

pub(super) use linear_body::LinearBody;
pub(super) use relaxed_body::RelaxedBody;

#[cfg(test)]
mod tests;
