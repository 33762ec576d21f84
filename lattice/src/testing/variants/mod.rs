//! Options of the method: bones, whole-body maps, counted regions, split cells, stiffness weights.

mod bones;
mod global_shape_matching;
mod multiplicity;
mod split;
mod stiffness_weights;
