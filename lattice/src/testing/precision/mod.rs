//! The step in single precision against the step in double precision.

mod fast_steps;
mod single;
