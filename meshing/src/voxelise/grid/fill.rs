//! Fills the cells that the surface encloses.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::topology;

use super::frame::GridFrame;
use super::scanline::InsideVotes;
use super::state::{CAVITY, EMPTY, ENCLOSED, OUTSIDE};
use crate::error::MeshingError;
use crate::repair::error::middle;
use crate::voxelise::options::MAX_OPEN_SHARE;

/// Floods the outside from the padded corner. What remains is enclosed, or a cavity where most of its votes are outside.
pub(crate) fn fill_enclosed(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    state: &mut [u8],
    inside: &InsideVotes,
    progress: &Progress,
) -> Result<(), MeshingError> {
    let outside = flood(frame, state, 0, OUTSIDE, progress)?;
    let leaked = outside.iter().find(|&&c| inside.votes[c as usize] == 3);
    if leaked.is_some() || inside.open_share > MAX_OPEN_SHARE {
        let hint = topology(surface)
            .boundary_edges
            .first()
            .map(|&edge| middle(surface, edge))
            .or_else(|| leaked.map(|&c| frame.center(frame.cell_at(c as usize)).into()))
            .unwrap_or_else(|| surface.bounds().center().into());
        return Err(MeshingError::OpenSurface {
            hole_position: hint,
        });
    }
    drop(outside);
    for seed in 0..state.len() {
        if state[seed] == EMPTY {
            let region = flood(frame, state, seed, ENCLOSED, progress)?;
            let inside_count = region
                .iter()
                .filter(|&&c| inside.votes[c as usize] >= 2)
                .count();
            if 2 * inside_count < region.len() {
                for &c in &region {
                    state[c as usize] = CAVITY;
                }
            }
        }
    }
    Ok(())
}

/// Marks all empty cells that are connected to `seed` over faces with `mark`, and returns them.
fn flood(
    frame: &GridFrame,
    state: &mut [u8],
    seed: usize,
    mark: u8,
    progress: &Progress,
) -> Result<Vec<u32>, MeshingError> {
    let strides = frame.strides();
    let mut reached = vec![seed as u32];
    state[seed] = mark;
    let mut next = 0;
    while let Some(&index) = reached.get(next) {
        if next.is_multiple_of(1 << 20) {
            progress.check()?;
        }
        next += 1;
        let at = frame.cell_at(index as usize);
        for axis in 0..3 {
            let down = (at[axis] > 0).then(|| index as usize - strides[axis]);
            let up = (at[axis] + 1 < frame.dims[axis]).then(|| index as usize + strides[axis]);
            for neighbour in [down, up].into_iter().flatten() {
                if state[neighbour] == EMPTY {
                    state[neighbour] = mark;
                    reached.push(neighbour as u32);
                }
            }
        }
    }
    Ok(reached)
}
