//! The tool with which the hand pokes.

use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;

/// The scene's tool that follows the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointerTool {
    /// Distance from the origin of the tool to the side that is pressed, m: the radius of a ball.
    pub reach: f64,
}

impl PointerTool {
    /// A tool of this shape that is pressed in a direction (unit, in its own frame); `None` for one that has no ball inside.
    pub fn new(shape: &ToolShape, direction: &Vec3) -> Option<Self> {
        let ball = shape.inner_radius();
        let reach = shape.reach(direction);
        (ball.is_finite() && ball > 0.0).then_some(Self { reach })
    }
}
