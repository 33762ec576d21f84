//! What sleep has to know of the pieces that touch each other.

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use crate::fracture::debris::Debris;

impl Debris {
    /// What was found: a particle of each ball of a pair, and how these are to each other.
    pub fn meetings(&self, x: &[Vec3], v: &[Vec3]) -> impl Iterator<Item = ([u32; 2], Approach)> {
        self.pairs.iter().map(move |pair| {
            let [a, b] = &pair.balls;
            let apart = a.middle(x) - b.middle(x);
            let relative = a.middle(v) - b.middle(v);
            let normal = apart.try_normalize(1e-9 * self.cell);
            let approach = Approach {
                gap: apart.norm() - pair.reach,
                closing: normal.map_or(0.0, |normal| -normal.dot(&relative)),
                speed: relative.norm(),
            };
            ([a.ends[0], b.ends[0]], approach)
        })
    }

    /// Pairs that pressed on each other in the last step: a particle of each ball.
    pub fn pressing(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let pressing = self.pairs.iter().filter(|pair| pair.impulse > 0.0);
        pressing.map(|pair| pair.balls.map(|ball| ball.ends[0]))
    }
}
