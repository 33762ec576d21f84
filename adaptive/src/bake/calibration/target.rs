//! The modes that those of a coarse level are compared with.

use pliant_core::math::Vec3;

use crate::hierarchy::{Level, Stencils};

/// Least share of a mode that the modes of a level must represent so that it is compared.
const MIN_SHOWN_SHARE: f64 = 0.5;
/// Range of plausible factors. Beyond it, the level is not the same body, or not held at the same nodes (a support of one point has no stiffness of its own).
const FACTOR_RANGE: std::ops::RangeInclusive<f64> = 0.3..=2.0;
/// Share of the body's mass below which the effective modal masses of all modes are ignored.
const MIN_MOVED_SHARE: f64 = 0.05;

/// The modes that those of the levels of a body are compared with: squares of the lowest frequencies, and the shapes of these modes on one level.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The level on which the shapes are given.
    pub level: &'a Level,
    /// Squares of frequencies, (rad/s)².
    pub squares: &'a [f64],
    /// Shapes on the nodes of `level`, mass-orthonormal.
    pub shapes: &'a [Vec<Vec3>],
    /// The direction of the load, unit; `None` for any.
    pub direction: Option<Vec3>,
}

impl Target<'_> {
    /// The squared frequencies of `modes`, whose shapes were prolongated to the nodes of the target's level, in the shapes of the target: `1/c_k` of step 2
    /// in `level_factor.rs`. `None` where a shape is not represented.
    pub fn matched(&self, squares: &[f64], prolongated: &[Vec<Vec3>]) -> Vec<Option<f64>> {
        self.shapes
            .iter()
            .take(self.squares.len())
            .map(|shape| {
                let (mut shown, mut compliance) = (0.0, 0.0);
                for (psi, square) in prolongated.iter().zip(squares) {
                    let (mut product, mut length) = (0.0, 0.0);
                    for ((a, b), m) in shape.iter().zip(psi).zip(&self.level.masses) {
                        product += m * a.dot(b);
                        length += m * b.norm_squared();
                    }
                    if length > 0.0 {
                        shown += product * product / length;
                        compliance += product * product / length / square;
                    }
                }
                (shown >= MIN_SHOWN_SHARE && compliance > 0.0).then(|| shown / compliance)
            })
            .collect()
    }

    /// The stiffness factor of a level with these modes (step 3 there), and the number of modes that were matched; `None` where none was.
    pub fn factor(&self, squares: &[f64], prolongated: &[Vec<Vec3>]) -> Option<(f64, usize)> {
        let matched = self.matched(squares, prolongated);
        let (mut sum, mut weights, mut count) = (0.0, 0.0, 0);
        for ((target, own), weight) in self.squares.iter().zip(matched).zip(self.weights()) {
            if let Some(own) = own {
                sum += weight * target / own;
                weights += weight;
                count += 1;
            }
        }
        let factor = sum / weights;
        FACTOR_RANGE.contains(&factor).then_some((factor, count))
    }

    /// The effective modal mass of each mode over its squared frequency, kg s²; ones where these masses are negligible.
    fn weights(&self) -> Vec<f64> {
        let moved = |shape: &Vec<Vec3>| {
            let pairs = shape.iter().zip(&self.level.masses);
            let impulse: Vec3 = pairs.map(|(v, m)| v * *m).sum();
            match self.direction {
                Some(direction) => impulse.dot(&direction).powi(2),
                None => impulse.norm_squared(),
            }
        };
        let masses: Vec<f64> = self.shapes.iter().map(moved).collect();
        let body: f64 = self.level.masses.iter().sum();
        if masses.iter().sum::<f64>() < MIN_MOVED_SHARE * body {
            return vec![1.0; masses.len()];
        }
        masses
            .iter()
            .zip(self.squares)
            .map(|(m, w)| m / w)
            .collect()
    }
}

/// Interpolates `shapes` by `stencils`: modes of a coarse level on the nodes of the next finer one.
pub fn prolongate(stencils: &Stencils, shapes: &[Vec<Vec3>]) -> Vec<Vec<Vec3>> {
    let one = |shape: &Vec<Vec3>| {
        (0..stencils.len())
            .map(|node| stencils.interpolate(node, shape))
            .collect()
    };
    shapes.iter().map(one).collect()
}
