//! One time step, readable and in double precision; `single` has the same step in single precision.

pub(crate) mod bones;
pub(crate) mod calibrate;
pub(crate) mod damping;
pub(crate) mod frame_plan;
pub(crate) mod global_shape_matching;
pub(crate) mod goal;
pub(crate) mod integrate;
pub(crate) mod matching;
pub(crate) mod rotation;
pub(crate) mod single;
pub(crate) mod summation;
