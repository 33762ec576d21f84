//! How long edges should be, and where they should be shorter.

use pliant_core::math::Vec3;

/// Length of the edges at a spot over what it was there before.
const SHORTER: f64 = 0.6;
/// Growth of the edge length with the distance from a spot.
const GROWTH: f64 = 0.4;

/// The edge length wanted at every place.
pub(crate) struct Sizes {
    usual: f64,
    spots: Vec<(Vec3, f64)>,
}

impl Sizes {
    /// The same length (m) everywhere.
    pub(crate) fn new(usual: f64) -> Self {
        Self {
            usual,
            spots: Vec::new(),
        }
    }

    /// The length wanted at `x`, m.
    pub(crate) fn at(&self, x: &Vec3) -> f64 {
        least(&self.spots, self.usual, x)
    }

    /// Asks for shorter edges around these places; places near to each other count once.
    pub(crate) fn refine(&mut self, places: impl Iterator<Item = Vec3>) {
        let old = self.spots.len();
        for place in places {
            let size = SHORTER * least(&self.spots[..old], self.usual, &place);
            let near = |(spot, _): &(Vec3, f64)| (spot - place).norm() < 0.5 * size;
            if !self.spots[old..].iter().any(near) {
                self.spots.push((place, size));
            }
        }
    }
}

fn least(spots: &[(Vec3, f64)], usual: f64, x: &Vec3) -> f64 {
    let from = |(spot, size): &(Vec3, f64)| size + GROWTH * (spot - x).norm();
    spots.iter().map(from).fold(usual, f64::min)
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
        assert_eq!(sizes.at(&here), SHORTER);
        sizes.refine(std::iter::once(here));
        assert_eq!(sizes.at(&here), SHORTER * SHORTER);
        assert_eq!(sizes.at(&far), 1.0);
        let between = sizes.at(&Vec3::new(0.5, 0.0, 0.0));
        assert!(between > SHORTER * SHORTER && between < 1.0);
    }
}
