//! Drawing panes with OpenGL 3.3 or WebGL 2: the only place of the crate that talks to the graphics driver.
//!
//! [`renderer::Renderer`] owns everything on the device. A pane is drawn into a picture of its own ([`target::Target`]) when
//! what it shows has changed ([`pane::PaneContent`]), and only copied onto the window otherwise. The lighting is that of
//! `pliant_render`, so that a pane looks like a picture in a report.

mod draw;
pub mod feedback;
pub mod mesh;
pub mod pane;
pub mod program;
pub mod programs;
pub mod renderer;
pub mod shadow;
pub mod skinned_vertices;
pub mod target;
