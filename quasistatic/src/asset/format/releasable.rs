//! Supports that can be released, as bytes.

use super::bytes::{ErrorContext, Reader, Writer};
use super::error::AssetFormatError;
use super::inside::{read_responses, write_responses};
use crate::asset::ReleasableSupport;

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
        write_responses(out, &support.points);
    }
}

/// Reads what [`write`] wrote, for these numbers of free boundary nodes, supports and points inside.
pub(crate) fn read(
    input: &mut Reader<'_>,
    (nodes, supports, points): (usize, usize, usize),
) -> Result<Vec<ReleasableSupport>, AssetFormatError> {
    let mut list = Vec::new();
    for _ in 0..input.u32().context("releasable supports")? {
        let mut support = ReleasableSupport {
            support: input.u32().context("releasable support")?,
            vertices: input.list().context("vertices of a releasable support")?,
            nodes: input.u32().context("nodes of a releasable support")?,
            stiffness: input.list().context("stiffness of a releasable support")?,
            reactions: input.list().context("reactions of a releasable support")?,
            gravity: input.list().context("weight on a releasable support")?,
            others: input.list().context("forces on other supports")?,
            points: Vec::new(),
        };
        let point_responses = read_responses(input, "points inside beside a releasable support")?;
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
            && product(points) == point_responses.as_ref().map(Vec::len);
        let Some(responses) = point_responses.filter(|_| fits) else {
            return Err(AssetFormatError::Invalid {
                what: "releasable support",
            });
        };
        support.points = responses;
        list.push(support);
    }
    Ok(list)
}
