//! Pieces at rest sleep until something touches them, as bodies of a group do: the rule is that of [`pliant_core::model::rest`].
//!
//! The elements of a sleeping piece are not evaluated, and do not affect the time step.

mod frame;
