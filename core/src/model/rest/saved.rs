//! Which pieces sleep, as numbers of a snapshot.

use crate::math::Vec3;
use crate::model::rest::bearings::Bearing;
use crate::model::rest::piece::Rest;
use crate::model::rest::pieces::PieceSleep;
use crate::model::rest::rule::MOST_CALM_FRAMES;

/// Stands in snapshots for the calm frames of a piece that sleeps.
const ASLEEP: f64 = -1.0;
/// Numbers of a bearing in a snapshot.
const BEARING: usize = 5;

impl PieceSleep {
    /// Numbers that [`PieceSleep::restore`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        let calm = |rest: &Rest| match rest.asleep {
            true => ASLEEP,
            false => f64::from(rest.calm),
        };
        values.extend(self.rests.iter().map(calm));
        values.extend(self.bearings.all.iter().flat_map(|b| {
            let [piece, vertex] = [b.piece, b.vertex].map(f64::from);
            [piece, vertex, b.force.x, b.force.y, b.force.z]
        }));
        values.extend([self.rests.len(), self.bearings.all.len()].map(|n| n as f64));
    }

    /// Numbers of a body without cuts.
    pub fn save_none(values: &mut Vec<f64>) {
        values.extend([0.0; 2]);
    }

    /// Parts the numbers at the end of these, and what is before; `None` where they are not there.
    pub fn split(values: &[f64]) -> Option<(&[f64], SavedSleep<'_>)> {
        let [rest @ .., pieces, bearings] = values else {
            return None;
        };
        let count = (*bearings as usize).checked_mul(BEARING)?;
        let (rest, bearings) = rest.split_at_checked(rest.len().checked_sub(count)?)?;
        let (rest, calm) = rest.split_at_checked(rest.len().checked_sub(*pieces as usize)?)?;
        Some((rest, SavedSleep { calm, bearings }))
    }

    /// Takes such numbers, of a body with so many `vertices` that tools may touch; false where they are not those of these pieces.
    pub fn restore(&mut self, saved: &SavedSleep<'_>, vertices: usize) -> bool {
        let is_calm = |c: &f64| (0.0..=f64::from(MOST_CALM_FRAMES)).contains(c) && c.fract() == 0.0;
        let fits = |(c, rest): (&f64, &Rest)| is_calm(c) || *c == ASLEEP && rest.is_free;
        let (calm, bearings) = (saved.calm, saved.bearings.chunks_exact(BEARING));
        if calm.len() != self.rests.len() || !calm.iter().zip(&self.rests).all(fits) {
            return false;
        }
        for (rest, calm) in self.rests.iter_mut().zip(calm) {
            rest.asleep = *calm == ASLEEP;
            rest.calm = calm.max(0.0) as u16;
        }
        self.asleep = self.rests.iter().filter(|rest| rest.asleep).count();
        let known = &mut self.bearings.all;
        known.clear();
        known.extend(bearings.map(|b| Bearing {
            piece: b[0] as u32,
            vertex: b[1] as u32,
            force: Vec3::new(b[2], b[3], b[4]),
            is_there: true,
        }));
        let is_known = |b: &Bearing| {
            let rest = self.rests.get(b.piece as usize);
            let is_finite = b.force.iter().all(|x| x.is_finite());
            rest.is_some_and(|rest| rest.asleep) && (b.vertex as usize) < vertices && is_finite
        };
        let ascends = known.windows(2).all(|b| b[0].vertex < b[1].vertex);
        ascends && known.iter().all(is_known)
    }
}

/// What a snapshot has of the sleep of pieces.
#[derive(Debug, Clone, Copy)]
pub struct SavedSleep<'a> {
    calm: &'a [f64],
    bearings: &'a [f64],
}

impl SavedSleep<'_> {
    /// Whether it is of a body without cuts.
    pub fn is_none(&self) -> bool {
        self.calm.is_empty() && self.bearings.is_empty()
    }
}
