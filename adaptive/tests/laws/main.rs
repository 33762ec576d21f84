//! Laws that the adaptive model has to obey, on small bodies.

mod asset;
mod bodies;
mod forces;
mod motion;
mod regression;
mod statics;
mod study;
