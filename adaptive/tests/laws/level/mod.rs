//! One level that moves as a whole.

mod comparison;
mod half_refined;
mod large_swing;
mod motion;
mod statics;
mod study;
