//! Tool shapes that a program defines for itself.

use std::fmt::Debug;

use crate::math::Vec3;

/// A solid by its signed distance: what a program implements for a tool of its own shape.
///
/// ```
/// use pliant_core::contact::{CustomShape, SignedDistance, ToolShape};
/// use pliant_core::math::Vec3;
///
/// /// A ring about y.
/// #[derive(Debug)]
/// struct Ring { radius: f64, thickness: f64 }
///
/// impl SignedDistance for Ring {
///     fn distance(&self, x: &Vec3) -> f64 {
///         (x.x.hypot(x.z) - self.radius).hypot(x.y) - self.thickness
///     }
///     fn inner_radius(&self) -> f64 { self.thickness }
///     fn outer_radius(&self) -> f64 { self.radius + self.thickness }
/// }
///
/// static RING: Ring = Ring { radius: 0.05, thickness: 0.01 };
/// let shape = ToolShape::Custom(CustomShape::new(&RING));
/// let (distance, normal) = shape.signed_distance(&Vec3::new(0.0, 0.0, 0.08));
/// assert!((distance - 0.02).abs() < 1e-12);
/// assert!((normal - Vec3::z()).norm() < 1e-6);
/// ```
pub trait SignedDistance: Debug + Send + Sync {
    /// Signed distance (m) of a point in the tool's own frame from the surface, negative inside. It is exact or a lower bound: contact begins where it
    /// is small.
    fn distance(&self, local: &Vec3) -> f64;

    /// Radius of the largest ball inside, m: a moving tool has to be blunt compared with the edges of the skin.
    fn inner_radius(&self) -> f64;

    /// Radius of a ball around the local origin that holds the tool, m.
    fn outer_radius(&self) -> f64;

    /// Unit gradient of the distance, pointing out of the tool; by central differences where it is not given.
    fn gradient(&self, local: &Vec3) -> Vec3 {
        unit_gradient(|x| self.distance(x), local, 1e-6 * self.inner_radius())
    }
}

/// Unit gradient of a distance at `x` (m) by central differences with a `step` (m); the y axis where the gradient is zero.
pub(super) fn unit_gradient(distance: impl Fn(&Vec3) -> f64, x: &Vec3, step: f64) -> Vec3 {
    let slope = |axis: usize| {
        let mut offset = Vec3::zeros();
        offset[axis] = step;
        distance(&(x + offset)) - distance(&(x - offset))
    };
    let gradient = Vec3::new(slope(0), slope(1), slope(2));
    gradient.try_normalize(0.0).unwrap_or_else(Vec3::y)
}

/// A reference to a [`SignedDistance`] that lives as long as the program: a `static`, or what `Box::leak` made at run time.
#[derive(Debug, Clone, Copy)]
pub struct CustomShape(&'static dyn SignedDistance);

impl CustomShape {
    /// A reference to `shape`.
    pub fn new(shape: &'static dyn SignedDistance) -> Self {
        Self(shape)
    }

    /// Signed distance (m, negative inside) of a local point and its gradient (unit, pointing out of the tool).
    pub fn signed_distance(&self, local: &Vec3) -> (f64, Vec3) {
        (self.0.distance(local), self.0.gradient(local))
    }

    /// Radius of the largest ball inside, m.
    pub fn inner_radius(&self) -> f64 {
        self.0.inner_radius()
    }

    /// Radius of a ball around the local origin that holds the tool, m.
    pub fn outer_radius(&self) -> f64 {
        self.0.outer_radius()
    }
}

impl PartialEq for CustomShape {
    /// Whether both are the same object.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self.0, other.0)
    }
}
