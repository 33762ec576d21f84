//! Pieces at rest are left alone until something touches them, as bodies of a group are: the rule is that of [`pliant_core::model::rest`].
//!
//! The elements of a piece that sleeps are not evaluated and set no step.

mod frame;
