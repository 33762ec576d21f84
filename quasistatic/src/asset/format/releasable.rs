//! Supports that can be released, as bytes.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::format::AssetFormatError;
use crate::asset::format::bytes::{Inside, Reader, Writer};
use crate::asset::{PointMotion, ReleasableSupport};

/// Appends the supports.
pub(crate) fn write(out: &mut Writer, supports: &[ReleasableSupport]) {
    out.u32(supports.len() as u32);
    for support in supports {
        out.u32(support.support);
        out.list(&support.vertices);
        out.u32(support.nodes);
        out.list(&support.stiffness);
        out.list(&support.reactions);
        out.list(&support.gravity);
        out.list(&support.others);
        let moved: Vec<Mat3> = support.points.iter().map(|p| p.displacement).collect();
        out.list(&moved);
        let stress = support.points.iter().flat_map(|p| p.stress);
        let stress: Vec<f64> = stress.flat_map(|v| [v.x, v.y, v.z]).collect();
        out.list(&stress);
    }
}

/// Reads what [`write`] wrote, for so many free boundary nodes, supports and points inside.
pub(crate) fn read(
    input: &mut Reader<'_>,
    (nodes, supports, points): (usize, usize, usize),
) -> Result<Vec<ReleasableSupport>, AssetFormatError> {
    let mut list = Vec::new();
    for _ in 0..input.u32().inside("releasable supports")? {
        let mut support = ReleasableSupport {
            support: input.u32().inside("releasable support")?,
            vertices: input.list().inside("vertices of a releasable support")?,
            nodes: input.u32().inside("nodes of a releasable support")?,
            stiffness: input.list().inside("stiffness of a releasable support")?,
            reactions: input.list().inside("reactions of a releasable support")?,
            gravity: input.list().inside("weight on a releasable support")?,
            others: input.list().inside("forces on other supports")?,
            points: Vec::new(),
        };
        let moved: Vec<Mat3> = input
            .list()
            .inside("points inside beside a releasable support")?;
        let stress: Vec<f64> = input
            .list()
            .inside("points inside beside a releasable support")?;
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
