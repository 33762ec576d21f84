//! Supports that can be released, as bytes.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::format::AssetFormatError;
use crate::asset::format::bytes::{Reader, Writer};
use crate::asset::{PointMotion, ReleasableSupport};

/// Appends the supports.
pub(crate) fn write(out: &mut Writer, supports: &[ReleasableSupport]) {
    out.u32(supports.len() as u32);
    for support in supports {
        out.u32(support.support);
        out.u32s(&support.vertices);
        out.u32(support.nodes);
        out.matrices(&support.stiffness);
        out.matrices(&support.reactions);
        out.matrices(&support.gravity);
        out.matrices(&support.others);
        let moved: Vec<Mat3> = support.points.iter().map(|p| p.displacement).collect();
        out.matrices(&moved);
        let stress = support.points.iter().flat_map(|p| p.stress);
        let stress: Vec<f64> = stress.flat_map(|v| [v.x, v.y, v.z]).collect();
        out.f64s(&stress);
    }
}

/// Reads what [`write`] wrote, for so many free boundary nodes, supports and points inside.
pub(crate) fn read(
    input: &mut Reader<'_>,
    (nodes, supports, points): (usize, usize, usize),
) -> Result<Vec<ReleasableSupport>, AssetFormatError> {
    let mut list = Vec::new();
    for _ in 0..input.u32("releasable supports")? {
        let mut support = ReleasableSupport {
            support: input.u32("releasable support")?,
            vertices: input.u32s("vertices of a releasable support")?,
            nodes: input.u32("nodes of a releasable support")?,
            stiffness: input.matrices("stiffness of a releasable support")?,
            reactions: input.matrices("reactions of a releasable support")?,
            gravity: input.matrices("weight on a releasable support")?,
            others: input.matrices("forces on other supports")?,
            points: Vec::new(),
        };
        let moved = input.matrices("points inside beside a releasable support")?;
        let stress = input.f64s("points inside beside a releasable support")?;
        let stress = stress.as_chunks::<18>().0;
        let m = support.nodes as usize;
        let product = |count: usize| m.checked_mul(count);
        let fits = m > 0
            && (support.support as usize) < supports
            && support.vertices.len() <= m
            && support.vertices.is_sorted_by(|a, b| a < b)
            && product(m) == Some(support.stiffness.len())
            && product(nodes) == Some(support.reactions.len())
            && support.gravity.len() == m
            && product(supports) == Some(support.others.len())
            && product(points) == Some(moved.len())
            && moved.len() == stress.len();
        if !fits {
            return Err(AssetFormatError::Invalid {
                what: "releasable support",
            });
        }
        support.points = moved
            .into_iter()
            .zip(stress)
            .map(|(displacement, s)| PointMotion {
                displacement,
                stress: std::array::from_fn(|k| Vec3::new(s[3 * k], s[3 * k + 1], s[3 * k + 2])),
            })
            .collect();
        list.push(support);
    }
    Ok(list)
}
