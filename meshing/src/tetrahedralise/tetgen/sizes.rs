//! Target edge lengths, and where they are shorter.

use pliant_core::math::Vec3;

/// Target length at a spot over the previous one there.
const REFINEMENT_FACTOR: f64 = 0.6;
/// Growth of the edge length with the distance from a spot.
const GROWTH: f64 = 0.4;

/// The target edge length at every point.
pub(crate) struct Sizes {
    default_size: f64,
    spots: Vec<(Vec3, f64)>,
}

impl Sizes {
    /// The same length (m) everywhere.
    pub(crate) fn new(default_size: f64) -> Self {
        Self {
            default_size,
            spots: Vec::new(),
        }
    }

    /// The target length at `x`, m.
    pub(crate) fn at(&self, x: &Vec3) -> f64 {
        size_at(&self.spots, self.default_size, x)
    }

    /// Requests shorter edges around these points; points near to each other count once.
    pub(crate) fn refine(&mut self, points: impl Iterator<Item = Vec3>) {
        let old = self.spots.len();
        for point in points {
            let size = REFINEMENT_FACTOR * size_at(&self.spots[..old], self.default_size, &point);
            let near = |(spot, _): &(Vec3, f64)| (spot - point).norm() < 0.5 * size;
            if !self.spots[old..].iter().any(near) {
                self.spots.push((point, size));
            }
        }
    }
}

fn size_at(spots: &[(Vec3, f64)], default_size: f64, x: &Vec3) -> f64 {
    let from = |(spot, size): &(Vec3, f64)| size + GROWTH * (spot - x).norm();
    spots.iter().map(from).fold(default_size, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_get_shorter_at_spots_and_grow_away_from_them() {
        let mut sizes = Sizes::new(1.0);
        let (here, far) = (Vec3::zeros(), Vec3::new(10.0, 0.0, 0.0));
        assert_eq!(sizes.at(&here), 1.0);
        sizes.refine([here, here + Vec3::new(0.1, 0.0, 0.0)].into_iter());
        assert_eq!(sizes.spots.len(), 1);
        assert_eq!(sizes.at(&here), REFINEMENT_FACTOR);
        sizes.refine(std::iter::once(here));
        assert_eq!(sizes.at(&here), REFINEMENT_FACTOR * REFINEMENT_FACTOR);
        assert_eq!(sizes.at(&far), 1.0);
        let between = sizes.at(&Vec3::new(0.5, 0.0, 0.0));
        assert!(between > REFINEMENT_FACTOR * REFINEMENT_FACTOR && between < 1.0);
    }
}
