//! What can go wrong between a surface and its tetrahedra or voxels.

use pliant_core::asset::Cancelled;
use pliant_core::math::Vec3;
use pliant_core::math::numbers::decimal;

use crate::tetrahedralise::fits_together::Unusable;

/// Failure of a mesher, a voxeliser or a decimation. The variant's name is the error code that scripts match on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshingError {
    /// The surface encloses nothing.
    #[error(
        "the surface encloses no volume\n  remedy: check that it is a closed solid, or make its walls thicker"
    )]
    NoVolume,
    /// The volume of the finest level is far from that of the body: its walls are thinner than the elements.
    #[error(
        "the body is thinner than its elements: walls of {} m in the mean, edges of {} m at {nodes} nodes, which give {:.0} % of its volume\n  remedy: ask for more nodes (edges of about a wall), or make the walls thicker",
        decimal(*.wall), decimal(*.edge), 100.0 * .ratio
    )]
    ThinnerThanResolution {
        /// Mean wall: twice the volume over the area, m.
        wall: f64,
        /// Mean edge of the finest level, m.
        edge: f64,
        /// Nodes of the finest level.
        nodes: usize,
        /// Volume of the finest level over that of the body.
        ratio: f64,
    },
    /// Parts of the body are missing from the finest level.
    #[error(
        "{:.0} % of the surface lies farther than {} m from the finest level, for example near ({:.4}, {:.4}, {:.4}): cavities or parts thinner than its edges of {} m\n  remedy: ask for more nodes, or remove such parts in a modeller",
        100.0 * .lost_fraction, decimal(*.lost_distance), .at[0], .at[1], .at[2], decimal(*.edge)
    )]
    LostSurface {
        /// Lost area over the area of the surface.
        lost_fraction: f64,
        /// Distance beyond which a part of the surface counts as lost, m.
        lost_distance: f64,
        /// Mean edge of the finest level, m.
        edge: f64,
        /// A lost point, m.
        at: [f64; 3],
    },
    /// There is no triangle.
    #[error("the mesh has no triangles\n  remedy: export a triangle surface, not points or wires")]
    EmptyMesh,
    /// The surface has holes where a closed one is needed.
    #[error("the surface has a hole near ({:.4}, {:.4}, {:.4})\n  remedy: close it (see `pliant check`)", hole_position[0], hole_position[1], hole_position[2])]
    OpenSurface {
        /// A point on the rim, m.
        hole_position: [f64; 3],
    },
    /// The requested grid is too large.
    #[error(
        "a grid of {sites} sites is too large (limit {limit})\n  remedy: use a cell of {min_cell:.6} m or more"
    )]
    GridTooLarge {
        /// Sites of the requested grid.
        sites: u64,
        /// The most that is allowed.
        limit: u64,
        /// The smallest cell edge that fits, m.
        min_cell: f64,
    },
    /// A size or count is zero, negative or not finite.
    #[error(
        "{what} must be positive and finite, got {value}\n  remedy: give a number above zero, or export the mesh again if it is the size of the mesh"
    )]
    BadSize {
        /// Which quantity.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The `tetgen` program could not be run.
    #[error(
        "the program `tetgen` cannot be used: {reason}\n  remedy: install it, or use the mesher `stuffing`"
    )]
    TetGenUnavailable {
        /// Why.
        reason: String,
    },
    /// The `tetgen` program failed or its result failed our checks.
    #[error("tetgen: {reason}\n  remedy: use the mesher `stuffing`")]
    TetGenFailed {
        /// Why.
        reason: String,
    },
    /// A result failed our own checks.
    #[error("the mesher's result is not valid: {reason}\n  remedy: please report this mesh")]
    InvalidResult {
        /// Which check.
        reason: String,
    },
    /// The tetrahedra of a file cannot be a level.
    #[error(
        "the tetrahedra of the file do not fit together: {0}\n  remedy: export them again, or their surface alone"
    )]
    NotALevel(#[from] Unusable),
    /// Cancelled by the owner of the job.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The value of a size or count, which has to be positive and finite.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, MeshingError> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(MeshingError::BadSize { what, value }),
    }
}

/// Refuses positions with a coordinate that is not finite.
pub(crate) fn require_finite(positions: &[Vec3]) -> Result<(), MeshingError> {
    let is_finite = |p: &Vec3| p.iter().all(|x| x.is_finite());
    match positions.iter().all(is_finite) {
        true => Ok(()),
        false => Err(MeshingError::BadSize {
            what: "the extent of the mesh",
            value: f64::NAN,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_names_a_remedy_in_its_second_line() {
        let reason = || "a reason".to_string();
        let all = [
            MeshingError::NoVolume,
            MeshingError::ThinnerThanResolution {
                wall: 0.001,
                edge: 0.01,
                nodes: 300,
                ratio: 0.2,
            },
            MeshingError::LostSurface {
                lost_fraction: 0.1,
                lost_distance: 0.01,
                edge: 0.01,
                at: [0.0; 3],
            },
            MeshingError::EmptyMesh,
            MeshingError::OpenSurface {
                hole_position: [0.0; 3],
            },
            MeshingError::GridTooLarge {
                sites: 9,
                limit: 8,
                min_cell: 0.1,
            },
            MeshingError::BadSize {
                what: "the cell edge",
                value: -1.0,
            },
            MeshingError::TetGenUnavailable { reason: reason() },
            MeshingError::TetGenFailed { reason: reason() },
            MeshingError::InvalidResult { reason: reason() },
            MeshingError::NotALevel(Unusable::FacesShared { faces: 1 }),
        ];
        for error in all {
            let text = error.to_string();
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.len() == 2, "{text}");
            assert!(lines[1].starts_with("  remedy: "), "{text}");
        }
    }
}
