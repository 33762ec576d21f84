//! The data of a contact that the next frame uses.

use pliant_core::math::Vec3;

use crate::detection::key::is_same_pair;

/// The data of a row that the next frame uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CachedContact {
    pub key: u64,
    /// of the last step, N s
    pub impulse: Vec3,
    /// penetration that is not corrected, m
    pub tolerated_penetration: f64,
    /// on the body, mean over the last frame in which one of both sides was awake, N
    pub force: Vec3,
}

/// Contacts of one pair among `cached`, which ascend by key; `first` is the lowest key of the pair.
pub(crate) fn contacts_of_pair(cached: &[CachedContact], first: u64) -> &[CachedContact] {
    let tail = &cached[cached.partition_point(|c| c.key < first)..];
    // a few dozen at most
    let count = tail
        .iter()
        .take_while(|c| is_same_pair(c.key, first))
        .count();
    &tail[..count]
}

impl CachedContact {
    /// Numbers of a snapshot.
    pub const NUMBERS: usize = 9;

    pub fn to_numbers(self) -> [f64; Self::NUMBERS] {
        let (high, low) = ((self.key >> 32) as f64, (self.key & 0xffff_ffff) as f64);
        let (j, f) = (self.impulse, self.force);
        [
            high,
            low,
            j.x,
            j.y,
            j.z,
            self.tolerated_penetration,
            f.x,
            f.y,
            f.z,
        ]
    }

    pub fn from_numbers(numbers: &[f64; Self::NUMBERS]) -> Self {
        let [high, low, jx, jy, jz, tolerated_penetration, fx, fy, fz] = *numbers;
        Self {
            key: (high as u64) << 32 | low as u64,
            impulse: Vec3::new(jx, jy, jz),
            tolerated_penetration,
            force: Vec3::new(fx, fy, fz),
        }
    }
}
