//! The local contact model: many nodes under a rigid tool, between two frames of the body.
//!
//! The slower thread decides which nodes touch and publishes the inverse of their compliance; at servo rate the forces follow from where the
//! tool is now, `λ = λ₀ + C⁻¹ (n·d)` after a way `d`, and a node that would pull is let go. For the published set this is the body's own answer, not an
//! approximation (James and Pai 2003, section on haptic interaction: local buffer model).

use pliant_core::math::Vec3;

use crate::haptics::safety::SafetyLimits;

/// What the slower thread publishes; memory is reused from one to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LocalModel {
    /// Rises with each published model.
    pub epoch: u64,
    /// Where the tool was, m.
    pub origin: Vec3,
    /// Directions out of the tool, one a row.
    pub directions: Vec<Vec3>,
    /// Whether a row goes with the tool and may only push; others are held where they are.
    pub pushes: Vec<bool>,
    /// Force of each row while the tool is at `origin`, N.
    pub forces: Vec<f64>,
    /// `C⁻¹` column by column, N/m.
    pub inverse: Vec<f64>,
    /// Tangential force of the tool on the body, N: kept until the next frame.
    pub friction: Vec3,
}

impl LocalModel {
    /// Number of rows `m`.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Force of the tool on the body (N) with the tool at `position`. `scratch` holds at least `m` numbers. Cost `2 m²`, no allocation.
    pub fn force(&self, position: &Vec3, scratch: &mut [f64]) -> Vec3 {
        let m = self.len();
        let Some(forces) = scratch.get_mut(..m) else {
            return Vec3::zeros();
        };
        let way = position - self.origin;
        forces.copy_from_slice(&self.forces);
        let columns = self.inverse.chunks_exact(m.max(1));
        for ((column, direction), pushes) in columns.zip(&self.directions).zip(&self.pushes) {
            if *pushes {
                let depth = direction.dot(&way);
                for (force, entry) in forces.iter_mut().zip(column) {
                    *force += entry * depth;
                }
            }
        }
        let mut sum = Vec3::zeros();
        let mut pressing = false;
        for ((force, direction), pushes) in forces.iter().zip(&self.directions).zip(&self.pushes) {
            if *pushes && *force > 0.0 {
                sum += direction * *force;
                pressing = true;
            }
        }
        if pressing { sum + self.friction } else { sum }
    }
}

/// Follows published models at servo rate: no jump where a new one comes in, no force where none has come for long.
#[derive(Debug, Clone, Default)]
pub struct LocalContact {
    scratch: Vec<f64>,
    /// what the last model said more than the new one, N, and the ticks over which that fades
    surplus: Vec3,
    left: u32,
    last: Vec3,
    epoch: u64,
    age: f64,
}

/// Ticks over which a new model takes over.
const BLEND: u32 = 10;

impl LocalContact {
    /// Room for models of up to `rows` rows; larger ones give no force.
    pub fn new(rows: usize) -> Self {
        Self {
            scratch: vec![0.0; rows],
            ..Self::default()
        }
    }

    /// Force of the tool on the body (N), `elapsed` seconds after the last tick.
    pub fn step(
        &mut self,
        model: &LocalModel,
        position: &Vec3,
        elapsed: f64,
        limits: &SafetyLimits,
    ) -> Vec3 {
        let force = model.force(position, &mut self.scratch);
        if model.epoch == self.epoch {
            self.age += elapsed;
        } else {
            (self.epoch, self.age) = (model.epoch, 0.0);
            (self.surplus, self.left) = (self.last - force, BLEND);
        }
        let share = f64::from(self.left) / f64::from(BLEND);
        self.left = self.left.saturating_sub(1);
        self.last = (force + self.surplus * share) * limits.freshness(self.age);
        self.last
    }

    /// Whether the model is so old that its force is going, s.
    pub fn is_stale(&self, limits: &SafetyLimits) -> bool {
        limits.freshness(self.age) < 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spring(epoch: u64, stiffness: f64) -> LocalModel {
        LocalModel {
            epoch,
            origin: Vec3::zeros(),
            directions: vec![-Vec3::y()],
            pushes: vec![true],
            forces: vec![0.001 * stiffness],
            inverse: vec![stiffness],
            friction: Vec3::zeros(),
        }
    }

    #[test]
    fn deeper_is_harder_and_out_is_nothing() {
        let model = spring(1, 1000.0);
        let mut scratch = [0.0; 1];
        let at = |y: f64, scratch: &mut [f64]| model.force(&Vec3::new(0.0, y, 0.0), scratch).y;
        assert!((at(0.0, &mut scratch) + 1.0).abs() < 1e-12);
        assert!((at(-0.001, &mut scratch) + 2.0).abs() < 1e-12);
        assert_eq!(at(0.002, &mut scratch), 0.0);
        assert_eq!(at(0.0, &mut []), 0.0);
    }

    #[test]
    fn a_new_model_takes_over_without_a_step_and_an_old_one_fades() {
        let limits = SafetyLimits::default();
        let mut contact = LocalContact::new(4);
        let still = Vec3::zeros();
        let mut last = 0.0;
        for tick in 0..400 {
            let model = spring(1 + tick / 100, 1000.0 + 300.0 * (tick / 100) as f64);
            let force = -contact.step(&model, &still, 1e-3, &limits).y;
            assert!(
                (force - last).abs() < 0.11,
                "tick {tick}: {last} to {force}"
            );
            last = force;
        }
        let model = spring(4, 1900.0);
        for _ in 0..200 {
            last = -contact.step(&model, &still, 1e-3, &limits).y;
        }
        assert!(last == 0.0 && contact.is_stale(&limits));
    }
}
