//! Laws that the adaptive model has to obey, on small bodies.

mod blades;
mod bodies;
mod cut;
mod forces;
mod fracture;
mod group;
mod hierarchy;
mod level;
mod limits;
mod tool_work;
