//! How pieces approach and press on each other, for the rules of sleep.

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use crate::fracture::piece_contact::PieceContact;
use crate::fracture::piece_contact::pair::{ContactPair, NormalRule};

impl PieceContact {
    /// For each pair of balls of different pieces a particle of each ball, and how the balls approach each other; particles at `x` (m) with velocities `v` (m/s).
    pub fn approaches(&self, x: &[Vec3], v: &[Vec3]) -> impl Iterator<Item = ([u32; 2], Approach)> {
        self.pairs_of_pieces().map(move |pair| {
            let [a, b] = &pair.balls;
            let offset = a.center(x) - b.center(x);
            let relative = a.center(v) - b.center(v);
            let normal = offset.try_normalize(1e-9 * self.cell);
            let approach = Approach {
                gap: offset.norm() - pair.touching_distance,
                closing: normal.map_or(0.0, |normal| -normal.dot(&relative)),
                speed: relative.norm(),
            };
            ([a.ends[0], b.ends[0]], approach)
        })
    }

    /// Pairs of balls of different pieces that pressed on each other in the last step: a particle of each ball.
    pub fn pressing(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let pressing = self.pairs_of_pieces().filter(|pair| pair.impulse > 0.0);
        pressing.map(|pair| pair.balls.map(|ball| ball.ends[0]))
    }

    fn pairs_of_pieces(&self) -> impl Iterator<Item = &ContactPair> {
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.normal_rule == NormalRule::BetweenCenters)
    }
}
