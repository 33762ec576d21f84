//! The blade of a scene that has none of its own, so that the hand can cut its bodies.

use pliant_core::boundary::Friction;
use pliant_core::contact::{Pose, PosePath, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::scene::{MotionDescription, SceneDescription, ShapeDescription, ToolDescription};

use crate::setup::scene_setup::Setup;

/// Distance from the bodies, to the right and upwards, in diagonals of the box around them. Nothing that moves reaches the blade there, and its shadow falls beside them.
const DISTANCE: f64 = 10.0;
/// Length of the edge in such diagonals. Cameras are aimed only at tools that are smaller than a body.
const LENGTH: f64 = 2.2;
/// Height, as a share of the length.
const HEIGHT: f64 = 0.3;
/// Thickness, as a share of the height.
const THICKNESS: f64 = 0.03;

/// A blade that rests far from all bodies and cuts nothing. Bodies are prepared for cutting only in scenes with a blade; with this one the hand can cut them with its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestingBlade {
    /// Length of its edge, m.
    pub length: f64,
    /// Middle of its edge, m.
    pub position: Vec3,
}

impl RestingBlade {
    /// Name of the tool, and of the path on which it rests.
    pub const NAME: &str = "blade of the hand";

    /// One for the bodies of a scene.
    pub fn beside(setup: &Setup) -> Self {
        let bounds = setup.skin().bounds();
        let diagonal = bounds.diagonal().max(setup.diagonal);
        let aside = Vec3::new(1.0, 1.0, 0.0) * (DISTANCE * diagonal);
        Self {
            length: LENGTH * diagonal,
            position: bounds.max + aside,
        }
    }

    /// The one that a scene has; `None` where it has none.
    pub fn of(scene: &SceneDescription) -> Option<Self> {
        let tool = scene.blades().find(|tool| tool.name == Self::NAME)?;
        match (&tool.shape, &tool.motion) {
            (
                ShapeDescription::Given(ToolShape::Blade { length, .. }),
                MotionDescription::Path(path),
            ) => Some(Self {
                length: *length,
                position: path.pose(0.0).position,
            }),
            _ => None,
        }
    }

    /// Length, height and thickness, m.
    pub fn size(&self) -> [f64; 3] {
        let height = HEIGHT * self.length;
        [self.length, height, THICKNESS * height]
    }

    /// The tool.
    pub fn tool(&self) -> ToolDescription {
        let [length, height, thickness] = self.size();
        ToolDescription {
            name: Self::NAME.into(),
            shape: ShapeDescription::Given(ToolShape::Blade {
                length,
                height,
                thickness,
            }),
            friction: Friction::None,
            adhesion: None,
            motion: MotionDescription::Path(PosePath::still(Pose::at(self.position))),
            follows_pointer: false,
            is_copy: false,
        }
    }
}
