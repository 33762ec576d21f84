//! Scripted motion of tools and grabs: keyframes and their interpolation.

#[cfg(test)]
mod tests;

use nalgebra::UnitQuaternion;

use crate::contact::pose::Pose;
use crate::math::Vec3;

/// A keyframe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Time, s.
    pub time: f64,
    /// Position, or displacement where the path moves a grab, m.
    pub position: Vec3,
    /// Orientation.
    pub orientation: UnitQuaternion<f64>,
}

/// Interpolation between keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Constant velocity.
    Linear,
    /// Velocity zero at every key (smoothstep).
    Smooth,
    /// Through the keys with continuous velocity (Catmull–Rom tangents).
    Hermite,
}

/// A path through keyframes. Before the first and after the last it stands still, or repeats itself where it loops.
#[derive(Debug, Clone, PartialEq)]
pub struct PosePath {
    keys: Vec<Key>,
    interpolation: Interpolation,
    looping: bool,
    /// path of what follows this one, in the axes that the keys move
    relative: Option<Box<PosePath>>,
}

/// A path that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// No key.
    #[error("a path needs at least one key")]
    NoKeys,
    /// Times do not rise.
    #[error("key {index} does not come after the one before it")]
    TimesNotRising {
        /// Index of the key.
        index: usize,
    },
    /// A number is NaN or infinite.
    #[error("key {index} is not finite")]
    NotFinite {
        /// Index of the key.
        index: usize,
    },
}

impl PosePath {
    /// Checks the keys: at least one, finite, rising times.
    ///
    /// # Errors
    /// [`PathError`] names the first bad key.
    pub fn new(
        keys: Vec<Key>,
        interpolation: Interpolation,
        looping: bool,
    ) -> Result<Self, PathError> {
        if keys.is_empty() {
            return Err(PathError::NoKeys);
        }
        for (index, key) in keys.iter().enumerate() {
            if !key.time.is_finite() || !key.position.iter().all(|x| x.is_finite()) {
                return Err(PathError::NotFinite { index });
            }
            if index > 0 && key.time <= keys[index - 1].time {
                return Err(PathError::TimesNotRising { index });
            }
        }
        Ok(Self {
            keys,
            interpolation,
            looping,
            relative: None,
        })
    }

    /// The path of what is fixed to the body that follows this one: in its axes it has the pose `offset`.
    pub fn carrying(&self, offset: Pose) -> Self {
        self.carrying_along(&Self::still(offset))
    }

    /// The path of what the body that follows this one carries along the path `relative` in its axes. Both have the same time.
    pub fn carrying_along(&self, relative: &Self) -> Self {
        let relative = match &self.relative {
            Some(own) => own.carrying_along(relative),
            None => relative.clone(),
        };
        Self {
            relative: Some(Box::new(relative)),
            ..self.clone()
        }
    }

    /// The same path, moved as a whole by a vector, m.
    pub fn moved(&self, by: &Vec3) -> Self {
        let mut moved = self.clone();
        for key in &mut moved.keys {
            key.position += by;
        }
        moved
    }

    /// The same path turned about the origin.
    pub fn turned(&self, turn: &UnitQuaternion<f64>) -> Self {
        let mut turned = self.clone();
        for key in &mut turned.keys {
            key.position = turn * key.position;
            key.orientation = turn * key.orientation;
        }
        turned
    }

    /// A path that stays at `pose`.
    pub fn still(pose: Pose) -> Self {
        Self {
            keys: vec![Key {
                time: 0.0,
                position: pose.position,
                orientation: pose.orientation,
            }],
            interpolation: Interpolation::Linear,
            looping: false,
            relative: None,
        }
    }

    /// The path in the axes that the keys move, where it moves in them.
    fn relative_motion(&self) -> Option<&Self> {
        self.relative.as_deref().filter(|path| !path.is_still())
    }

    /// Time of the last key, s.
    pub fn duration(&self) -> f64 {
        let relative = self.relative_motion().map(Self::duration);
        relative.map_or(self.last_time(), |other| other.max(self.last_time()))
    }

    /// Time of the last of the path's own keys, s.
    fn last_time(&self) -> f64 {
        self.keys[self.keys.len() - 1].time
    }

    /// Time after which the motion repeats itself, s; `None` where it does not. That of what is carried along a path is known only where one of both does not move, or both repeat themselves
    /// after the same time.
    pub fn period(&self) -> Option<f64> {
        match self.relative_motion() {
            Some(other) if self.keys_are_still() => other.period(),
            Some(other) => self.own_period().filter(|own| other.period() == Some(*own)),
            None => self.own_period(),
        }
    }

    fn own_period(&self) -> Option<f64> {
        let period = self.last_time() - self.keys[0].time;
        (self.looping && period > 0.0).then_some(period)
    }

    /// Times of the keys between two times (s), ascending; those of each round where the path repeats itself. Nowhere else does the motion change abruptly.
    pub fn key_times(&self, after: f64, before: f64) -> impl Iterator<Item = f64> + '_ {
        let relative = self.relative_motion();
        let next = move |after: f64| relative.and_then(|path| path.next_key_time(after, before));
        let mut own = self.own_key_times(after, before).peekable();
        let mut others = std::iter::successors(next(after), move |time| next(*time)).peekable();
        std::iter::from_fn(
            move || match (own.peek().copied(), others.peek().copied()) {
                (Some(time), Some(other)) if other < time => others.next(),
                (Some(_), _) => own.next(),
                (None, _) => others.next(),
            },
        )
    }

    /// The first key time between two times, s.
    fn next_key_time(&self, after: f64, before: f64) -> Option<f64> {
        let own = self.own_key_times(after, before).next();
        let relative = self.relative_motion();
        let other = relative.and_then(|path| path.next_key_time(after, before));
        own.into_iter().chain(other).reduce(f64::min)
    }

    fn own_key_times(&self, after: f64, before: f64) -> impl Iterator<Item = f64> + '_ {
        let first = self.keys[0].time;
        let period = self.own_period();
        let round = |time: f64| period.map_or(0.0, |period| ((time - first) / period).floor());
        let rounds = round(after) as i64..=round(before) as i64;
        let starts = rounds.map(move |round| round as f64 * period.unwrap_or(0.0));
        let times = starts.flat_map(move |start| self.keys.iter().map(move |key| key.time + start));
        times.filter(move |time| after < *time && *time < before)
    }

    /// Whether nothing moves: all keys have the same pose.
    pub fn is_still(&self) -> bool {
        self.keys_are_still() && self.relative.as_ref().is_none_or(|path| path.is_still())
    }

    fn keys_are_still(&self) -> bool {
        let pose = |key: &Key| (key.position, key.orientation);
        self.keys.iter().all(|key| pose(key) == pose(&self.keys[0]))
    }

    /// Pose at `time` seconds.
    pub fn pose(&self, time: f64) -> Pose {
        let pose = self.pose_of_keys(time);
        match &self.relative {
            Some(relative) => pose.carrying(&relative.pose(time)),
            None => pose,
        }
    }

    fn pose_of_keys(&self, time: f64) -> Pose {
        let keys = &self.keys;
        let (first, last) = (keys[0].time, self.last_time());
        let time = if self.looping && last > first {
            first + (time - first).rem_euclid(last - first)
        } else {
            time
        };
        let next = keys.partition_point(|k| k.time <= time);
        if next == 0 || next == keys.len() {
            let key = &keys[if next == 0 { 0 } else { next - 1 }];
            return Pose {
                position: key.position,
                orientation: key.orientation,
            };
        }
        let (a, b) = (&keys[next - 1], &keys[next]);
        let length = b.time - a.time;
        let s = (time - a.time) / length;
        let eased = match self.interpolation {
            Interpolation::Linear | Interpolation::Hermite => s,
            Interpolation::Smooth => s * s * (3.0 - 2.0 * s),
        };
        let position = if self.interpolation == Interpolation::Hermite {
            let (s2, s3) = (s * s, s * s * s);
            a.position * (2.0 * s3 - 3.0 * s2 + 1.0)
                + self.tangent(next - 1) * (length * (s3 - 2.0 * s2 + s))
                + b.position * (3.0 * s2 - 2.0 * s3)
                + self.tangent(next) * (length * (s3 - s2))
        } else {
            a.position + (b.position - a.position) * eased
        };
        Pose {
            position,
            orientation: a
                .orientation
                .try_slerp(&b.orientation, eased, 1e-9)
                .unwrap_or(b.orientation),
        }
    }

    fn tangent(&self, index: usize) -> Vec3 {
        let before = &self.keys[index.saturating_sub(1)];
        let after = &self.keys[(index + 1).min(self.keys.len() - 1)];
        if after.time > before.time {
            (after.position - before.position) / (after.time - before.time)
        } else {
            Vec3::zeros()
        }
    }
}
