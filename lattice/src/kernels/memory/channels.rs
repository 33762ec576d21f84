//! Numbers of a particle or a region in each kind of plane or tile.

use crate::kernels::memory::tiles::COMPONENTS;

/// Numbers of a region's transform: the position τ that it gives its own particle, and R, row by row.
pub(crate) const TRANSFORM: usize = 12;

/// Window sums of a slab in the first ring: for each of x, y, z of the field the sum, its ramp along y and its ramp along x.
pub(crate) const FIRST_RING_CHANNELS: usize = 9;
/// In the second ring: for each of x, y, z a number that windows along z sum and one whose ramp they sum.
pub(crate) const SECOND_RING_CHANNELS: usize = 6;

/// Sums of a region.
pub(crate) const SUMS: usize = 12;
/// Rigid motion of a region: velocity at the centre of the body and angular velocity.
pub(crate) const RIGID: usize = 6;

/// Constants of a region and its particle, each a plane: share, one over region mass, centre of the region's mass from the particle in
/// cells (x, y, z), one over the number of regions. Masses are in units of the mean particle mass. Zero at empty sites.
pub(crate) const CONSTANTS: usize = 6;

/// Index of the plane of constants with one over the number of regions.
pub(crate) const INVERSE_COUNT: usize = 5;

/// Triples of a site that windows along z sum: of particles and of regions.
pub(crate) const ALONG_Z: usize = 2;

/// Sums of a particle along z: `m̃ x` and its ramps.
pub(crate) const FIELD: usize = COMPONENTS * ALONG_Z;
