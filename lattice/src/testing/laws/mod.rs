//! Laws of mechanics: momenta, statics, the modulus, damping, contact.

mod conservation;
mod contact;
mod damping;
mod material;
mod reference;
mod statics;
