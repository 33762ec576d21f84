//! Laws that the quasistatic model has to obey.

mod bodies;
mod boundary_elements;
mod boundary_loads;
mod budget;
mod capacitance_equals_direct;
mod column_threshold;
mod compressed;
mod constraint_levels;
mod contact;
mod determinism;
mod direct_solution;
mod errors;
mod felt_detail;
mod foreign;
mod format;
mod friction;
mod grasp;
mod greens_functions;
mod haptics;
mod heat;
#[path = "../../examples/quasistatic_figures/held.rs"]
mod held;
mod hierarchical;
mod incompressible;
mod indentation;
mod inside;
mod masks;
mod materials;
mod node_sums;
#[path = "../../examples/constraint_levels/press.rs"]
mod press;
mod quadratic;
mod rebase;
mod resumed;
mod servo;
mod surface_columns;
mod team;
