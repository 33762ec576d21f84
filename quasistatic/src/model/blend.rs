//! Blends a change of the level of constraints over five frames, so that neither the surface nor the forces jump.

use pliant_core::math::Vec3;

/// Frames over which the difference to the old level fades.
const BLEND_FRAMES: u32 = 5;

/// The difference between the last frame of the old level, as displayed, and the first solution at the new level, with its remaining weight.
///
/// The difference includes the motion of the tool in that one frame, so that the surface lags by less than a frame's motion meanwhile. A second solution of the same frame at the old level
/// would avoid this lag, but the model leaves the old level because it costs too much.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Blend {
    frames_left: u32,
    /// Three numbers a node, m.
    field: Vec<f64>,
    /// Force on each constrained vertex, ascending, N.
    reactions: Vec<(u32, Vec3)>,
    /// Force on each support, N.
    supports: Vec<Vec3>,
}

impl Blend {
    /// Share of the difference that is added to the solution.
    pub fn weight(&self) -> f64 {
        f64::from(self.frames_left) / f64::from(BLEND_FRAMES)
    }

    /// The difference of displacements, three numbers a node, m.
    pub fn field(&self) -> &[f64] {
        &self.field
    }

    /// Drops the difference at once.
    pub fn stop(&mut self) {
        self.frames_left = 0;
        self.reactions.clear();
        self.supports.clear();
    }

    /// Starts with the difference between the last displayed field, which is itself blended, and the solution of this frame.
    pub fn start(&mut self, displayed: &[f64], solved: &[f64]) {
        let weight = self.weight();
        self.field.resize(solved.len(), 0.0);
        for ((x, displayed), solved) in self.field.iter_mut().zip(displayed).zip(solved) {
            *x = displayed + weight * *x - solved;
        }
        self.frames_left = BLEND_FRAMES;
    }

    /// Starts the differences of forces between those reported in the last frame and those solved in this one.
    pub fn start_forces(
        &mut self,
        reported: impl Iterator<Item = (u32, Vec3)>,
        solved: impl Iterator<Item = (u32, Vec3)>,
        reported_supports: &[Vec3],
        supports: &[Vec3],
    ) {
        self.reactions.clear();
        self.reactions.extend(reported);
        self.reactions.sort_by_key(|(vertex, _)| *vertex);
        let reported_count = self.reactions.len();
        for (vertex, force) in solved {
            match self.reactions[..reported_count].binary_search_by_key(&vertex, |(v, _)| *v) {
                Ok(k) => self.reactions[k].1 -= force,
                Err(_) => self.reactions.push((vertex, -force)),
            }
        }
        self.reactions.sort_by_key(|(vertex, _)| *vertex);
        self.supports.clear();
        let pairs = reported_supports.iter().zip(supports);
        self.supports
            .extend(pairs.map(|(reported, solved)| reported - solved));
    }

    /// Counts one frame down.
    pub fn step(&mut self) {
        self.frames_left = self.frames_left.saturating_sub(1);
    }

    /// Remaining difference of the force on a constrained vertex, N.
    pub fn reaction(&self, vertex: u32) -> Vec3 {
        let found = self.reactions.binary_search_by_key(&vertex, |(v, _)| *v);
        found.map_or_else(|_| Vec3::zeros(), |k| self.reactions[k].1 * self.weight())
    }

    /// Remaining difference of the force on support `k`, N.
    pub fn support(&self, k: usize) -> Vec3 {
        self.supports.get(k).copied().unwrap_or_default() * self.weight()
    }

    /// Appends the state to the numbers of a snapshot.
    pub fn write(&self, out: &mut Vec<f64>) {
        out.push(f64::from(self.frames_left));
        if self.frames_left == 0 {
            return;
        }
        out.push(self.reactions.len() as f64);
        out.extend(&self.field);
        for (vertex, f) in &self.reactions {
            out.extend([f64::from(*vertex), f.x, f.y, f.z]);
        }
        out.extend(self.supports.iter().flat_map(|f| [f.x, f.y, f.z]));
    }

    /// Reads the state from the numbers of a snapshot, for a body with `field` numbers in its field and `supports` supports. Also returns the numbers that follow.
    pub fn read(values: &[f64], field: usize, supports: usize) -> Option<(Self, &[f64])> {
        let (&frames_left, rest) = values.split_first()?;
        if frames_left <= 0.0 {
            return Some((Self::default(), rest));
        }
        let (&reactions, rest) = rest.split_first()?;
        let (field, rest) = rest.split_at_checked(field)?;
        let (reactions, rest) = rest.split_at_checked((reactions as usize).checked_mul(4)?)?;
        let (supports, rest) = rest.split_at_checked(3 * supports)?;
        let reaction = |v: &[f64; 4]| (v[0] as u32, Vec3::new(v[1], v[2], v[3]));
        let supports = supports.as_chunks::<3>().0.iter();
        let blend = Self {
            frames_left: (frames_left as u32).min(BLEND_FRAMES),
            field: field.to_vec(),
            reactions: reactions.as_chunks::<4>().0.iter().map(reaction).collect(),
            supports: supports.map(|v| Vec3::from(*v)).collect(),
        };
        Some((blend, rest))
    }
}
