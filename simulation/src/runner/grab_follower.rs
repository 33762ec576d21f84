//! Makes what a hand holds, or the force of its pull, follow the pointer smoothly, however seldom the window reports its position.

use pliant_core::math::Vec3;

/// Rate of a critically damped spring, 1/s: the held place is 2 / rate = 67 ms behind a pointer of constant velocity.
const RATE: f64 = 30.0;

/// Moves a held place (m), or the force of a pull (N), towards what the pointer asks for like a critically damped spring.
///
/// A window that draws ten frames a second moves its pointer in jumps, between which the simulation steps six frames. A body that is moved by a jump within one frame has to be
/// accelerated to its speed and stopped again: the force on a dragon was up to twice as large (21 instead of 9.6 N by finite elements on at most 74 nodes, 3.8 instead of 2.6 N with the lattice).
#[derive(Debug, Clone, Default)]
pub(super) struct GrabFollower {
    goal: Vec3,
    /// m/s
    velocity: Vec3,
}

impl GrabFollower {
    /// The hand takes hold at `displacement`, m.
    pub fn start_at(&mut self, displacement: Vec3) {
        (self.goal, self.velocity) = (displacement, Vec3::zeros());
    }

    /// The pointer is at `goal` now, m.
    pub fn move_to(&mut self, goal: Vec3) {
        self.goal = goal;
    }

    /// Moves `displacement` (m) by a frame of `duration` seconds: the exact solution for a pointer that rests.
    pub fn advance(&mut self, displacement: &mut Vec3, duration: f64) {
        let behind = *displacement - self.goal;
        let change = (self.velocity + behind * RATE) * duration;
        let decay = (-RATE * duration).exp();
        self.velocity = (self.velocity - change * RATE) * decay;
        *displacement = self.goal + (behind + change) * decay;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f64 = 1.0 / 60.0;

    #[test]
    fn a_jump_is_followed_without_overshoot_and_with_bounded_acceleration() {
        let mut hand = GrabFollower::default();
        let mut position = Vec3::zeros();
        hand.start_at(position);
        hand.move_to(Vec3::x());
        let (mut speed, mut last) = (0.0, 0.0);
        for _ in 0..60 {
            hand.advance(&mut position, FRAME);
            let now = (position.x - last) / FRAME;
            assert!((-1e-9..=1.0).contains(&position.x) && now >= 0.0);
            // a critically damped spring accelerates by rate² at most
            assert!((now - speed) / FRAME <= RATE * RATE);
            (speed, last) = (now, position.x);
        }
        assert!((position.x - 1.0).abs() < 1e-9, "{position:?}");
    }

    #[test]
    fn it_stays_two_rates_behind_a_pointer_that_moves_evenly() {
        // frames so short that the pointer does not jump
        let (frame, speed) = (1e-5, 0.3);
        let mut hand = GrabFollower::default();
        let mut position = Vec3::zeros();
        for k in 0..100_000 {
            hand.move_to(Vec3::y() * (speed * frame * f64::from(k)));
            hand.advance(&mut position, frame);
        }
        let behind = (speed - position.y) / speed;
        assert!((behind - 2.0 / RATE).abs() < 1e-3, "{behind}");
    }
}
