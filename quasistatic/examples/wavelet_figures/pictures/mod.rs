//! Pictures of bodies: figures 1, 8, 13 and 22, and the curves of the dragon.

mod displaced;
pub mod dragon;
pub mod reconstructions;
