//! Quantities that can be drawn on a body.

use crate::math::Vec3;

/// A quantity that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantityInfo {
    /// Name, unique within the model.
    pub name: &'static str,
    /// Unit as text.
    pub unit: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Where the values are.
    pub shape: QuantityShape,
}

/// A table of quantities: name, unit, shape and help of each.
///
/// ```
/// use pliant_core::inspect::QuantityInfo;
///
/// static QUANTITIES: [QuantityInfo; 1] = pliant_core::quantities! {
///     "speed", "m/s", VertexScalar, "Magnitude of the velocity.";
/// };
/// assert_eq!(QUANTITIES[0].unit, "m/s");
/// ```
#[macro_export]
macro_rules! quantities {
    ($($name:literal, $unit:literal, $shape:ident, $help:literal;)+) => {
        [$($crate::inspect::QuantityInfo {
            name: $name,
            unit: $unit,
            help: $help,
            shape: $crate::inspect::QuantityShape::$shape,
        }),+]
    };
}

/// Where the values of a quantity are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityShape {
    /// One number per skin vertex.
    VertexScalar,
    /// Points in space with a number each.
    Points,
}

/// Receives a quantity; reused between calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuantityBuffer {
    /// One number per skin vertex or point.
    pub scalars: Vec<f32>,
    /// Positions of points, world, m; empty for vertex quantities.
    pub points: Vec<[f32; 3]>,
}

impl QuantityBuffer {
    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.scalars.clear();
        self.points.clear();
    }

    /// Adds a point with a value.
    pub fn push_point(&mut self, position: &Vec3, value: f64) {
        self.points.push(position.cast::<f32>().into());
        self.scalars.push(value as f32);
    }
}

/// No quantity of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown quantity `{0}`")]
pub struct UnknownQuantity(pub String);
