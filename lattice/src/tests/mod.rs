//! Laws that the whole method obeys.

mod abuse;
mod bodies;
mod bones;
mod conservation;
mod contact;
mod damping;
mod fast_steps;
mod kinds;
mod material;
mod multiplicity;
mod painted;
mod reference;
mod single;
mod split;
mod state;
mod statics;
mod threads;
mod whole;
