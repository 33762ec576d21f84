//! Why a surface cannot be wrapped.

use pliant_core::asset::Cancelled;
use pliant_core::math::numbers::decimal;

/// Why there is no wrap.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WrapError {
    /// All vertices lie in one plane.
    #[error(
        "the surface is flat: {} thick with a diagonal of {}\n  remedy: give it a thickness in a modeller",
        decimal(*.thickness), decimal(*.diagonal)
    )]
    FlatSurface {
        /// Extent across the plane that fits best, in the unit of the file.
        thickness: f64,
        /// Diagonal of the bounding box, in the unit of the file.
        diagonal: f64,
    },
    /// Nothing is inside, neither by winding number nor by flood fill.
    #[error(
        "the surface encloses nothing on a grid of {cells} cells\n  remedy: close large openings in a modeller, or give a sheet a thickness (--thickness METRES)"
    )]
    NoVolume {
        /// Cells along the longest side.
        cells: usize,
    },
    /// Too much of the wrap would have no counterpart in the input.
    #[error(
        "the surface is open: closing it needs {:.0} % new area (limit {:.0} %)\n  remedy: close large openings in a modeller, or give a sheet a thickness (--thickness METRES)",
        100.0 * .new_share, 100.0 * .limit
    )]
    OpenSheet {
        /// New area over the area of the input that the wrap represents.
        new_share: f64,
        /// The largest accepted share.
        limit: f64,
    },
    /// A wrap would lose sheets or thin walls.
    #[error(
        "a wrap would lose {:.0} % of the surface (limit {:.0} %): sheets, or walls thinner than {}\n  remedy: give sheets a thickness (--thickness METRES) and make walls thicker",
        100.0 * .lost_share, 100.0 * .limit, decimal(*.min_wall)
    )]
    LostParts {
        /// Area far outside the wrap over the area of the input.
        lost_share: f64,
        /// The largest accepted share.
        limit: f64,
        /// Thickness of walls that survive, in the unit of the file.
        min_wall: f64,
    },
    /// Walls of the requested thickness would need too fine a grid.
    #[error(
        "a thickness of {} is too small for a body {} long\n  remedy: give at least {}",
        decimal(*.thickness), decimal(*.longest), decimal(*.min_thickness)
    )]
    TooThin {
        /// The thickness, in the unit of the file.
        thickness: f64,
        /// Longest side of the bounding box, in the unit of the file.
        longest: f64,
        /// The smallest possible thickness, in the unit of the file.
        min_thickness: f64,
    },
    /// Walls of the requested thickness would bury the body.
    #[error(
        "a thickness of {} is more than the body is long, {}, both in the unit of the file\n  remedy: give the thickness in metres",
        decimal(*.thickness), decimal(*.longest)
    )]
    TooThick {
        /// The thickness, in the unit of the file.
        thickness: f64,
        /// Longest side of the bounding box, in the unit of the file.
        longest: f64,
    },
    /// Cancelled by the owner of the job.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
