//! Laws that the adaptive model has to obey, on small bodies.

mod asset;
mod bars;
mod bodies;
mod calibration;
mod comparison;
mod criterion;
mod cut;
mod cut_energy;
mod cut_mass;
mod cut_model;
mod forces;
mod frozen;
mod governor;
mod groups;
mod ladder;
mod lanes;
mod mending;
mod mixed;
mod motion;
mod multirate;
mod regression;
mod self_contact;
mod standing;
mod statics;
mod study;
mod yielding;
