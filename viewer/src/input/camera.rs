//! Input for the camera that all panes share.

use egui::{Modifiers, PointerButton, Vec2};
use pliant_render::OrbitCamera;

/// Angle of the orbit for a drag across the height of a pane, rad.
const ORBIT_ANGLE: f64 = std::f64::consts::PI;

/// Nearest and farthest distance to which the wheel moves, in diagonals of the body: it stays in sight.
const WHEEL_DISTANCES: [f64; 2] = [0.02, 50.0];

/// What a drag on a pane does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    /// Turns around the body.
    Orbit,
    /// Moves in the picture plane.
    Pan,
}

/// What a drag with `button` means where nothing is grabbed.
pub fn drag_of_button(button: PointerButton, modifiers: Modifiers) -> Drag {
    match modifiers.shift || button == PointerButton::Middle {
        true => Drag::Pan,
        false => Drag::Orbit,
    }
}

/// Applies a drag by `delta` points on a pane of `height` points. The body follows the pointer.
pub fn drag(camera: &mut OrbitCamera, drag: Drag, delta: Vec2, height: f32) {
    let height = f64::from(height.max(1.0));
    let (dx, dy) = (f64::from(delta.x) / height, f64::from(delta.y) / height);
    match drag {
        Drag::Orbit => camera.orbit(dx * ORBIT_ANGLE, dy * ORBIT_ANGLE),
        Drag::Pan => camera.pan(dx, -dy),
    }
}

/// Applies a turn of the wheel by `scroll` points; up comes closer. `diagonal` is that of the body, m.
pub fn scroll(camera: &mut OrbitCamera, scroll: f32, diagonal: f64) {
    let factor = (-f64::from(scroll) * 0.0025).exp().clamp(0.5, 2.0);
    let [near, far] = WHEEL_DISTANCES.map(|share| share * diagonal);
    // a scene may have put it beyond them
    let present = camera.distance;
    let wanted = (present * factor).clamp(near.min(present), far.max(present));
    camera.zoom(wanted / present);
}

/// Views that the keys 1, 2 and 3 choose: front, side, above.
pub fn preset(camera: &mut OrbitCamera, view: usize) {
    let (yaw, pitch) = match view {
        0 => (0.0, 0.12),
        1 => (std::f64::consts::FRAC_PI_2, 0.12),
        _ => (0.0, 1.45),
    };
    camera.yaw = yaw;
    camera.pitch = pitch;
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector4;
    use pliant_core::math::Vec3;

    fn on_screen(camera: &OrbitCamera, p: Vec3) -> [f32; 2] {
        let clip = camera.projection(1.0)
            * camera.view()
            * Vector4::new(p.x as f32, p.y as f32, p.z as f32, 1.0);
        [clip.x / clip.w, clip.y / clip.w]
    }

    #[test]
    fn a_drag_to_the_right_turns_the_front_to_the_right() {
        let mut camera = OrbitCamera {
            yaw: 0.0,
            pitch: 0.0,
            ..OrbitCamera::default()
        };
        let front = Vec3::new(0.0, 0.0, 0.5);
        drag(&mut camera, Drag::Orbit, Vec2::new(60.0, 0.0), 600.0);
        assert!(on_screen(&camera, front)[0] > 0.05);
        let before = on_screen(&camera, front)[1];
        drag(&mut camera, Drag::Orbit, Vec2::new(0.0, 60.0), 600.0);
        assert!(
            on_screen(&camera, front)[1] < before - 0.05,
            "a drag down shows the body from above"
        );
    }

    #[test]
    fn a_panned_target_follows_the_pointer_exactly() {
        let mut camera = OrbitCamera::default();
        let target = camera.target;
        drag(&mut camera, Drag::Pan, Vec2::new(150.0, 60.0), 600.0);
        let [x, y] = on_screen(&camera, target);
        assert!((x - 0.5).abs() < 1e-5 && (y + 0.2).abs() < 1e-5, "{x} {y}");
    }

    #[test]
    fn the_wheel_comes_closer_and_goes_back() {
        let mut camera = OrbitCamera::default();
        let start = camera.distance;
        scroll(&mut camera, 40.0, 1.0);
        assert!(camera.distance < start);
        scroll(&mut camera, -40.0, 1.0);
        assert!((camera.distance - start).abs() < 1e-12);
    }

    #[test]
    fn the_wheel_does_not_lose_the_body() {
        let mut camera = OrbitCamera::default();
        for (turn, expected) in [(50.0, 0.02), (-50.0, 50.0)] {
            for _ in 0..200 {
                scroll(&mut camera, turn, 1.0);
            }
            assert!((camera.distance - expected).abs() < 1e-9);
        }
        // from beyond, it comes back without a jump
        camera.distance = 100.0;
        scroll(&mut camera, -50.0, 1.0);
        assert!((camera.distance - 100.0).abs() < 1e-9);
        scroll(&mut camera, 50.0, 1.0);
        assert!(camera.distance > 80.0 && camera.distance < 100.0);
    }

    #[test]
    fn buttons_mean_what_the_help_says() {
        for (button, modifiers, drag) in [
            (PointerButton::Primary, Modifiers::NONE, Drag::Orbit),
            (PointerButton::Secondary, Modifiers::NONE, Drag::Orbit),
            (PointerButton::Primary, Modifiers::SHIFT, Drag::Pan),
            (PointerButton::Middle, Modifiers::NONE, Drag::Pan),
        ] {
            assert_eq!(drag_of_button(button, modifiers), drag);
        }
    }
}
