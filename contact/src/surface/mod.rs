//! The surface of a body as contact sees it: points and triangles at rest ([`ContactShape`]), and where they are now ([`DeformedSurface`]).

mod contact_shape;
mod corner_normals;
mod deformed;
mod exempt_points;
mod nearest;
mod ordered_distance;
mod oriented_box;
mod point_grid;
mod thinning;
mod triangle_fan;

pub(crate) use contact_shape::ContactShape;
pub(crate) use deformed::DeformedSurface;
pub(crate) use nearest::Nearest;
pub(crate) use oriented_box::Lanes;
