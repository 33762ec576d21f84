//! Ranges of dihedral angles that hold while nodes move, degrees.

/// Dihedral angles kept at matched nodes, degrees.
pub const MATCHED_RANGE: (f64, f64) = (5.0, 170.0);

/// Dihedral angles that fitting must keep, degrees (the second bound of Labelle and Shewchuk 2007 below, the first above).
pub const ANGLE_RANGE: (f64, f64) = (8.9, 164.8);

/// The narrower range kept where walls were not thickened: better tetrahedra for little distance, degrees.
pub const FIT_RANGE: (f64, f64) = (12.0, 156.0);

/// Matching may leave the boundary half as far off the surface as the feature was, from the first to the second of these
/// shares of the mean edge.
pub const BEARABLE: (f64, f64) = (0.15, 0.3);
