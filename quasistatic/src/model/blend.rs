//! A change of the level of constraints is not seen or felt at once: what the old level showed fades over five frames.

use pliant_core::math::Vec3;

/// Frames after which the new level shows alone.
const FRAMES: u32 = 5;

/// The difference between what the last frame of the old level showed and what the first one of the new level has solved, and how much of it still counts.
///
/// The difference holds what the tool moved in that one frame, too, so that the surface lags by less than a frame's motion meanwhile. A second solution of the same frame at the old level
/// would avoid that, but the old level is left because it costs too much.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Blend {
    left: u32,
    /// Three numbers a node, m.
    field: Vec<f64>,
    /// Force on each constrained vertex, ascending, N.
    reactions: Vec<(u32, Vec3)>,
    /// Force on each support, N.
    supports: Vec<Vec3>,
}

impl Blend {
    /// Share of the difference that is added to what is solved.
    pub fn weight(&self) -> f64 {
        f64::from(self.left) / f64::from(FRAMES)
    }

    /// The difference of displacements, three numbers a node, m.
    pub fn field(&self) -> &[f64] {
        &self.field
    }

    /// Forgets the old level at once.
    pub fn end(&mut self) {
        self.left = 0;
        self.reactions.clear();
        self.supports.clear();
    }

    /// Begins with the difference between what was shown, `last` solved and blended, and what is solved now.
    pub fn begin(&mut self, last: &[f64], now: &[f64]) {
        let weight = self.weight();
        self.field.resize(now.len(), 0.0);
        for ((x, last), now) in self.field.iter_mut().zip(last).zip(now) {
            *x = last + weight * *x - now;
        }
        self.left = FRAMES;
    }

    /// Takes the differences of forces: those told in the last frame to `vertices`, ascending, and what is solved now.
    pub fn begin_forces(
        &mut self,
        told: impl Iterator<Item = (u32, Vec3)>,
        now: impl Iterator<Item = (u32, Vec3)>,
        told_supports: &[Vec3],
        supports: &[Vec3],
    ) {
        self.reactions.clear();
        self.reactions.extend(told);
        self.reactions.sort_by_key(|(vertex, _)| *vertex);
        let known = self.reactions.len();
        for (vertex, force) in now {
            match self.reactions[..known].binary_search_by_key(&vertex, |(v, _)| *v) {
                Ok(k) => self.reactions[k].1 -= force,
                Err(_) => self.reactions.push((vertex, -force)),
            }
        }
        self.reactions.sort_by_key(|(vertex, _)| *vertex);
        self.supports.clear();
        let pairs = told_supports.iter().zip(supports);
        self.supports.extend(pairs.map(|(told, now)| told - now));
    }

    /// One frame less.
    pub fn step(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Difference of the force on a constrained vertex that is still told, N.
    pub fn reaction(&self, vertex: u32) -> Vec3 {
        let found = self.reactions.binary_search_by_key(&vertex, |(v, _)| *v);
        found.map_or_else(|_| Vec3::zeros(), |k| self.reactions[k].1 * self.weight())
    }

    /// The same of the force on support `k`, N.
    pub fn support(&self, k: usize) -> Vec3 {
        self.supports.get(k).copied().unwrap_or_default() * self.weight()
    }

    /// Appends the numbers of a snapshot.
    pub fn write(&self, out: &mut Vec<f64>) {
        out.push(f64::from(self.left));
        if self.left == 0 {
            return;
        }
        out.push(self.reactions.len() as f64);
        out.extend(&self.field);
        for (vertex, f) in &self.reactions {
            out.extend([f64::from(*vertex), f.x, f.y, f.z]);
        }
        out.extend(self.supports.iter().flat_map(|f| [f.x, f.y, f.z]));
    }

    /// Reads them again, for a body with so many numbers in its field and so many supports; the rest is what follows.
    pub fn read(values: &[f64], field: usize, supports: usize) -> Option<(Self, &[f64])> {
        let (&left, rest) = values.split_first()?;
        if left <= 0.0 {
            return Some((Self::default(), rest));
        }
        let (&reactions, rest) = rest.split_first()?;
        let (field, rest) = rest.split_at_checked(field)?;
        let (reactions, rest) = rest.split_at_checked((reactions as usize).checked_mul(4)?)?;
        let (supports, rest) = rest.split_at_checked(3 * supports)?;
        let reaction = |v: &[f64; 4]| (v[0] as u32, Vec3::new(v[1], v[2], v[3]));
        let supports = supports.as_chunks::<3>().0.iter();
        let blend = Self {
            left: (left as u32).min(FRAMES),
            field: field.to_vec(),
            reactions: reactions.as_chunks::<4>().0.iter().map(reaction).collect(),
            supports: supports.map(|v| Vec3::from(*v)).collect(),
        };
        Some((blend, rest))
    }
}
