//! The animated motion of the camera to a place.

use std::f64::consts::{PI, TAU};

use pliant_render::OrbitCamera;

/// How long a flight takes, s.
const DURATION: f64 = 0.35;

/// A moving camera. Moving it by hand ends the flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    from: OrbitCamera,
    to: OrbitCamera,
    /// time of the window when the flight started, s
    start: Option<f64>,
    last: OrbitCamera,
}

impl Flight {
    /// A flight that begins with the next frame of the window.
    pub fn new(from: OrbitCamera, to: OrbitCamera) -> Self {
        Self {
            from,
            to,
            start: None,
            last: from,
        }
    }

    /// The camera at `now` of the window, s; `None` once the flight is over, or where the `present` camera is not the one that this function returned last.
    pub fn advance(&mut self, present: &OrbitCamera, now: f64) -> Option<OrbitCamera> {
        let start = *self.start.get_or_insert(now);
        if *present != self.last || self.last == self.to {
            return None;
        }
        let share = ((now - start) / DURATION).clamp(0.0, 1.0);
        self.last = match share < 1.0 {
            true => interpolate(&self.from, &self.to, share * share * (3.0 - 2.0 * share)),
            false => self.to,
        };
        Some(self.last)
    }
}

/// The camera at `share` of the flight. The distance is interpolated geometrically, the yaw along the shorter arc.
fn interpolate(from: &OrbitCamera, to: &OrbitCamera, share: f64) -> OrbitCamera {
    let turn = (to.yaw - from.yaw + PI).rem_euclid(TAU) - PI;
    OrbitCamera {
        target: from.target + (to.target - from.target) * share,
        yaw: from.yaw + turn * share,
        pitch: from.pitch + (to.pitch - from.pitch) * share,
        distance: from.distance * (to.distance / from.distance).powf(share),
        fov_y: from.fov_y + (to.fov_y - from.fov_y) * share,
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::*;

    fn ends() -> [OrbitCamera; 2] {
        let from = OrbitCamera {
            yaw: 3.0,
            ..OrbitCamera::default()
        };
        let to = OrbitCamera {
            target: Vec3::x(),
            yaw: -3.0,
            distance: 0.3,
            ..from
        };
        [from, to]
    }

    #[test]
    fn a_flight_goes_the_short_way_round_and_arrives_exactly() {
        let [from, to] = ends();
        let mut flight = Flight::new(from, to);
        let mut camera = from;
        let mut nearer = 0;
        for frame in 0..30 {
            let Some(next) = flight.advance(&camera, f64::from(frame) / 60.0) else {
                break;
            };
            assert!(next.yaw >= 3.0 || next == to, "not back through the front");
            nearer += usize::from(next.distance < camera.distance);
            camera = next;
        }
        assert_eq!(camera, to);
        assert!(nearer > 10, "in many small steps");
        assert_eq!(flight.advance(&camera, 9.0), None);
    }

    #[test]
    fn a_user_who_moves_the_camera_ends_the_flight() {
        let [from, to] = ends();
        let mut flight = Flight::new(from, to);
        let mut camera = flight.advance(&from, 0.0).expect("it begins");
        camera.orbit(0.1, 0.0);
        assert_eq!(flight.advance(&camera, 0.1), None);
    }
}
