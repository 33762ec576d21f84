//! Laws that the quasistatic model has to obey.

mod bodies;
mod boundary_elements;
mod capacitance_equals_direct;
mod compressed;
mod constant_elements;
mod contact;
mod determinism;
mod errors;
mod foreign;
mod format;
mod friction;
mod grasp;
mod greens_functions;
mod haptics;
mod heat;
#[path = "../../examples/quasistatic_figures/held.rs"]
mod held;
mod incompressible;
mod indentation;
mod inside;
mod inside_boundary_elements;
mod masks;
mod materials;
mod quadratic;
mod rebase;
mod resumed;
mod servo;
mod statics;
mod surface_columns;
mod switches;
mod team;
