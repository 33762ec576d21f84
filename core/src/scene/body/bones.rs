//! Rigid bones of a body: regions whose particles move as one rigid piece.

use crate::math::Vec3;
use crate::math::barycentric::closest_share_on_segment;
use crate::math::bounds::Aabb;
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// A rigid piece of a body, in coordinates of the body at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneDescription {
    /// Name.
    pub name: String,
    /// The region of its particles.
    pub shape: BoneShape,
}

/// The region of a bone, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BoneShape {
    /// Everything nearer than `radius` to the segment from `a` to `b`.
    Capsule {
        /// One end.
        a: [f64; 3],
        /// The other end.
        b: [f64; 3],
        /// Radius.
        radius: f64,
    },
    /// Everything in an axis-aligned box.
    Box {
        /// Corner with the smallest coordinates.
        min: [f64; 3],
        /// Corner with the largest coordinates.
        max: [f64; 3],
    },
    /// Everything in a ball.
    Sphere {
        /// Centre.
        center: [f64; 3],
        /// Radius.
        radius: f64,
    },
}

impl BoneShape {
    /// Whether a point belongs to the bone.
    pub fn contains(&self, point: &Vec3) -> bool {
        match *self {
            Self::Capsule { a, b, radius } => {
                let ends = [a, b].map(Vec3::from);
                let share = closest_share_on_segment(point, ends);
                ((point - ends[0]) - (ends[1] - ends[0]) * share).norm() <= radius
            }
            Self::Box { min, max } => Aabb::of_corners(min, max).contains(point),
            Self::Sphere { center, radius } => (point - Vec3::from(center)).norm() <= radius,
        }
    }
}

/// A table of the list `bones`.
pub(crate) fn read_bone(bone: &Reader<'_>) -> Result<BoneDescription, SceneError> {
    let radius = |shape: &Reader<'_>| shape.required_length("radius");
    let point = |shape: &Reader<'_>, key| shape.required_vector(key).map(Into::into);
    let shapes = ["capsule", "box", "sphere"].map(|key| bone.table(key));
    let shape = match shapes {
        [Some(s), None, None] => BoneShape::Capsule {
            a: point(&s, "a")?,
            b: point(&s, "b")?,
            radius: radius(&s)?,
        },
        [None, Some(s), None] => BoneShape::Box {
            min: point(&s, "min")?,
            max: point(&s, "max")?,
        },
        [None, None, Some(s)] => BoneShape::Sphere {
            center: point(&s, "center")?,
            radius: radius(&s)?,
        },
        _ => {
            let text = "needs exactly one of capsule, box and sphere";
            return Err(bone.bad("capsule", text));
        }
    };
    Ok(BoneDescription {
        name: bone.required_text("name")?.to_string(),
        shape,
    })
}
