//! What changes at nodes between frames: the cut, masses, and positions.

mod cut_change;
mod inertia;
mod inverted_element_recovery;
mod motion;
mod new_nodes;
mod rest_shape;
mod saved_state;
