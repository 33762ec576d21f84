//! Scripted motion of tools and grabs: keyframes and their interpolation.

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
    /// pose of what follows the path, in the axes that the keys move
    offset: Option<Pose>,
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
            offset: None,
        })
    }

    /// The path of what is fixed to the body that follows this one: in its axes it has the pose `offset`.
    pub fn carrying(&self, offset: Pose) -> Self {
        let offset = self.offset.map_or(offset, |own| own.carrying(&offset));
        Self {
            offset: Some(offset),
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
            offset: None,
        }
    }

    /// Time of the last key, s.
    pub fn duration(&self) -> f64 {
        self.keys[self.keys.len() - 1].time
    }

    /// Time after which the motion repeats itself, s; `None` where it does not.
    pub fn period(&self) -> Option<f64> {
        let period = self.duration() - self.keys[0].time;
        (self.looping && period > 0.0).then_some(period)
    }

    /// Times of the keys between two times (s), ascending; those of each round where the path repeats itself. Nowhere else does the motion change abruptly.
    pub fn key_times(&self, after: f64, before: f64) -> impl Iterator<Item = f64> + '_ {
        let first = self.keys[0].time;
        let period = self.period();
        let round = |time: f64| period.map_or(0.0, |period| ((time - first) / period).floor());
        let rounds = round(after) as i64..=round(before) as i64;
        let starts = rounds.map(move |round| round as f64 * period.unwrap_or(0.0));
        let times = starts.flat_map(move |start| self.keys.iter().map(move |key| key.time + start));
        times.filter(move |time| after < *time && *time < before)
    }

    /// Whether nothing moves: all keys have the same pose.
    pub fn is_still(&self) -> bool {
        let pose = |key: &Key| (key.position, key.orientation);
        self.keys.iter().all(|key| pose(key) == pose(&self.keys[0]))
    }

    /// Pose at `time` seconds.
    pub fn pose(&self, time: f64) -> Pose {
        let pose = self.pose_of_keys(time);
        match &self.offset {
            Some(offset) => pose.carrying(offset),
            None => pose,
        }
    }

    fn pose_of_keys(&self, time: f64) -> Pose {
        let keys = &self.keys;
        let (first, last) = (keys[0].time, self.duration());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f64, y: f64) -> Key {
        Key {
            time,
            position: Vec3::new(0.0, y, 0.0),
            orientation: UnitQuaternion::identity(),
        }
    }

    #[test]
    fn every_interpolation_passes_its_keys_and_rests_outside() {
        for interpolation in [
            Interpolation::Linear,
            Interpolation::Smooth,
            Interpolation::Hermite,
        ] {
            let path = PosePath::new(
                vec![key(1.0, 0.0), key(2.0, 1.0), key(4.0, -1.0)],
                interpolation,
                false,
            )
            .expect("valid");
            for (t, y) in [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (4.0, -1.0), (9.0, -1.0)] {
                assert!((path.pose(t).position.y - y).abs() < 1e-12);
            }
        }
        let path = PosePath::new(
            vec![key(0.0, 0.0), key(2.0, 1.0)],
            Interpolation::Linear,
            true,
        )
        .expect("valid");
        assert!((path.pose(5.0).position.y - 0.5).abs() < 1e-12);
    }

    #[test]
    fn keys_between_two_times_are_found_in_each_round() {
        let keys = || vec![key(1.0, 0.0), key(2.0, 1.0), key(4.0, 0.0)];
        let times = |looping: bool, after: f64, before: f64| {
            let path = PosePath::new(keys(), Interpolation::Linear, looping).expect("valid");
            path.key_times(after, before).collect::<Vec<_>>()
        };
        assert_eq!(times(false, 1.0, 4.0), [2.0]);
        assert_eq!(times(false, 0.0, 9.0), [1.0, 2.0, 4.0]);
        assert!(times(false, 4.0, 9.0).is_empty());
        // the end of a round and the beginning of the next one
        assert_eq!(times(true, 3.0, 7.5), [4.0, 4.0, 5.0, 7.0, 7.0]);
        assert_eq!(times(true, -0.5, 1.5), [1.0, 1.0]);
    }

    #[test]
    fn a_path_is_still_where_all_keys_have_one_pose() {
        let is_still = |keys: Vec<Key>| {
            let path = PosePath::new(keys, Interpolation::Smooth, true).expect("valid");
            path.is_still()
        };
        assert!(is_still(vec![key(3.0, 1.0)]));
        assert!(is_still(vec![key(0.0, 1.0), key(2.0, 1.0)]));
        assert!(!is_still(vec![key(0.0, 1.0), key(2.0, 1.5)]));
        let turned = Key {
            orientation: UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.1),
            ..key(2.0, 1.0)
        };
        assert!(!is_still(vec![key(0.0, 1.0), turned]));
    }

    #[test]
    fn what_a_body_carries_keeps_its_pose_relative_to_it() {
        let turned = |time: f64, angle: f64| Key {
            orientation: UnitQuaternion::from_axis_angle(&Vec3::z_axis(), angle),
            ..key(time, time)
        };
        let keys = vec![turned(0.0, 0.3), turned(2.0, 1.5)];
        let carrier = PosePath::new(keys, Interpolation::Smooth, false).expect("valid");
        let offset = Pose {
            position: Vec3::new(0.3, -0.1, 0.2),
            orientation: UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -0.7),
        };
        let carried = carrier.carrying(offset);
        let tip = carried.carrying(Pose::at(Vec3::y()));
        for time in [0.0, 0.4, 1.7, 3.0] {
            let (by, pose) = (carrier.pose(time), carried.pose(time));
            assert_eq!(pose, by.carrying(&offset));
            let shift = Vec3::new(0.0, -2.0, 0.5);
            let moved = carried.moved(&shift).pose(time);
            assert!((moved.position - pose.position - shift).norm() < 1e-12);
            assert_eq!(moved.orientation, pose.orientation);
            assert!((by.to_local(&pose.position) - offset.position).norm() < 1e-14);
            let turn = by.orientation.inverse() * pose.orientation;
            assert!(turn.angle_to(&offset.orientation) < 1e-7);
            let end = pose.to_world(&Vec3::y());
            assert!((tip.pose(time).position - end).norm() < 1e-14);
        }
        assert_eq!(carried.duration(), carrier.duration());
        assert!(!carried.is_still());
    }

    #[test]
    fn bad_keys_are_named() {
        assert_eq!(
            PosePath::new(vec![], Interpolation::Linear, false),
            Err(PathError::NoKeys)
        );
        assert_eq!(
            PosePath::new(
                vec![key(0.0, 0.0), key(0.0, 1.0)],
                Interpolation::Linear,
                false
            ),
            Err(PathError::TimesNotRising { index: 1 })
        );
    }
}
