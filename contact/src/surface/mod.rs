//! The contact surface of a body: points and triangles at rest ([`ContactShape`]), and at their present positions ([`DeformedSurface`]).

mod contact_shape;
mod corner_normals;
mod deformed;
mod exempt_points;
mod nearest;
mod oriented_box;
mod outside;
mod point_grid;
mod shortest_paths;
mod thinning;
mod triangle_fan;

pub(crate) use contact_shape::ContactShape;
pub(crate) use deformed::DeformedSurface;
pub(crate) use nearest::Nearest;
pub(crate) use oriented_box::Lanes;
