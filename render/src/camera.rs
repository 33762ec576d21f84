//! The orbit camera of all panes and pictures.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use nalgebra::Matrix4;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::scene::CameraDescription;

/// Largest pitch, rad. It is a little less than a right angle, so that "up" stays defined.
const PITCH_LIMIT: f64 = FRAC_PI_2 - 0.01;
/// Distance of the near plane, as a share of the distance to the target.
pub(crate) const NEAR_SHARE: f64 = 0.01;
/// Factor on the size of a fitted box. It is small because the corners of a box are mostly empty already.
const FIT_MARGIN: f64 = 1.03;
/// Resolution of angles in the text of a scene. With it, writing and reading an angle again changes nothing.
const ANGLE_STEPS_PER_DEGREE: f64 = 1e6;

/// A camera on a sphere around a target. y is up; yaw 0 looks along -z, OpenGL's view.
///
/// ```
/// use pliant_core::math::{Vec3, bounds::Aabb};
/// use pliant_render::OrbitCamera;
/// let mut camera = OrbitCamera::default();
/// camera.fit(&Aabb { min: Vec3::repeat(-1.0), max: Vec3::repeat(1.0) }, 1.0);
/// // no corner of the cube comes near the eye: they are √3 m from its middle
/// assert!(camera.distance > 3.0_f64.sqrt());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitCamera {
    /// The point that stays in the middle of the picture, m.
    pub target: Vec3,
    /// Rotation about the vertical axis, rad; positive moves the eye towards +x.
    pub yaw: f64,
    /// Height of the eye above the horizon of the target, rad, within ±π/2.
    pub pitch: f64,
    /// Distance from eye to target, m.
    pub distance: f64,
    /// Vertical field of view, rad.
    pub fov_y: f64,
}

impl Default for OrbitCamera {
    /// A view from slightly above and to the right, three metres away.
    fn default() -> Self {
        Self {
            target: Vec3::zeros(),
            yaw: 0.6,
            pitch: 0.38,
            distance: 3.0,
            fov_y: 0.6,
        }
    }
}

impl OrbitCamera {
    /// The camera that a scene describes.
    pub fn from_description(description: &CameraDescription) -> Self {
        let mut camera = Self {
            target: description.target,
            yaw: description.yaw.to_radians(),
            pitch: description
                .pitch
                .to_radians()
                .clamp(-PITCH_LIMIT, PITCH_LIMIT),
            fov_y: description.field_of_view.to_radians(),
            ..Self::default()
        };
        camera.set_distance(description.distance);
        camera
    }

    /// The description of this camera for a scene. [`OrbitCamera::from_description`] restores the camera from it, to a millionth of a degree.
    pub fn description(&self) -> CameraDescription {
        let degrees = |angle: f64| {
            let parts = angle.to_degrees() * ANGLE_STEPS_PER_DEGREE;
            parts.round() / ANGLE_STEPS_PER_DEGREE
        };
        CameraDescription {
            target: self.target.map(|x| {
                x.clamp(
                    -CameraDescription::MAX_COORDINATE,
                    CameraDescription::MAX_COORDINATE,
                )
            }),
            yaw: degrees(self.yaw),
            pitch: degrees(self.pitch),
            distance: self.distance,
            field_of_view: degrees(self.fov_y),
        }
    }

    /// Unit vectors (right, up, backward) of the camera in world coordinates.
    pub fn axes(&self) -> [Vec3; 3] {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
        let backward = Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        [right, backward.cross(&right), backward]
    }

    /// Position of the eye, m.
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes()[2] * self.distance
    }

    /// World to camera coordinates: x right, y up, the view along -z.
    pub fn view(&self) -> Matrix4<f32> {
        let [right, up, back] = self.axes();
        let eye = self.eye();
        #[rustfmt::skip]
        let view = Matrix4::new(
            right.x, right.y, right.z, -right.dot(&eye),
            up.x, up.y, up.z, -up.dot(&eye),
            back.x, back.y, back.z, -back.dot(&eye),
            0.0, 0.0, 0.0, 1.0,
        );
        view.cast()
    }

    /// Camera to clip coordinates for a picture of `aspect` = width / height; depth runs from -1 (near) to 1 (far).
    pub fn projection(&self, aspect: f64) -> Matrix4<f32> {
        let (near, far) = (self.distance * NEAR_SHARE, self.distance * 100.0);
        let scale = 1.0 / (self.fov_y * 0.5).tan();
        #[rustfmt::skip]
        let projection = Matrix4::new(
            scale / aspect, 0.0, 0.0, 0.0,
            0.0, scale, 0.0, 0.0,
            0.0, 0.0, (far + near) / (near - far), 2.0 * far * near / (near - far),
            0.0, 0.0, -1.0, 0.0,
        );
        projection.cast()
    }

    /// The half-line from the eye through normalised device coordinates (-1 left and bottom, 1 right and top).
    ///
    /// The direction is scaled so that a parameter is the depth along the view axis, m.
    pub fn ray(&self, x_ndc: f64, y_ndc: f64, aspect: f64) -> Ray {
        let [right, up, back] = self.axes();
        let half = (self.fov_y * 0.5).tan();
        Ray {
            origin: self.eye(),
            direction: right * (x_ndc * half * aspect) + up * (y_ndc * half) - back,
        }
    }

    /// Aims at `bounds` from the current angle, as close as a picture of `aspect` allows. Empty or non-finite bounds
    /// change nothing.
    pub fn fit(&mut self, bounds: &Aabb, aspect: f64) {
        let radius = bounds.diagonal() * 0.5;
        if !(radius > 0.0 && radius.is_finite() && aspect > 0.0) {
            return;
        }
        self.target = bounds.center();
        let [right, up, back] = self.axes();
        let half = (self.fov_y * 0.5).tan();
        let size = bounds.size();
        let mut distance = 0.0_f64;
        for corner in 0..8 {
            let sign = |bit: usize| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 };
            let offset = Vec3::new(size.x * sign(0), size.y * sign(1), size.z * sign(2));
            let wide = right.dot(&offset).abs() / (half * aspect);
            let high = up.dot(&offset).abs() / half;
            distance = distance.max(wide.max(high) * FIT_MARGIN + back.dot(&offset));
        }
        self.set_distance(distance.max(radius * 0.5));
    }

    /// Rotates around the target by `dx`, `dy` rad (a drag to the right turns the body to the right).
    pub fn orbit(&mut self, dx: f64, dy: f64) {
        if dx.is_finite() && dy.is_finite() {
            self.yaw = (self.yaw - dx + PI).rem_euclid(TAU) - PI;
            self.pitch = (self.pitch + dy).clamp(-PITCH_LIMIT, PITCH_LIMIT);
        }
    }

    /// Moves eye and target in the picture plane; `dx`, `dy` are fractions of the height of the picture (right, up).
    pub fn pan(&mut self, dx: f64, dy: f64) {
        if dx.is_finite() && dy.is_finite() {
            let [right, up, _] = self.axes();
            let height = 2.0 * self.distance * (self.fov_y * 0.5).tan();
            self.target -= (right * dx + up * dy) * height;
        }
    }

    /// Multiplies the distance to the target; a factor below one moves closer. Factors that are not positive do nothing.
    pub fn zoom(&mut self, factor: f64) {
        if factor > 0.0 && factor.is_finite() {
            self.set_distance(self.distance * factor);
        }
    }

    fn set_distance(&mut self, distance: f64) {
        self.distance = distance.clamp(
            CameraDescription::DISTANCES.0,
            CameraDescription::DISTANCES.1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector4;

    #[test]
    fn the_ray_through_a_projected_point_returns_to_it() {
        let camera = OrbitCamera {
            target: Vec3::new(0.3, -0.2, 0.9),
            yaw: 2.1,
            pitch: -0.4,
            distance: 5.0,
            fov_y: 0.8,
        };
        let aspect = 1.6;
        for point in [
            Vec3::zeros(),
            Vec3::new(1.0, 0.5, 0.2),
            Vec3::new(-0.3, -0.9, 1.4),
        ] {
            let clip = camera.projection(aspect)
                * camera.view()
                * Vector4::new(point.x as f32, point.y as f32, point.z as f32, 1.0);
            let ray = camera.ray(
                f64::from(clip.x / clip.w),
                f64::from(clip.y / clip.w),
                aspect,
            );
            assert!((ray.at(f64::from(clip.w)) - point).norm() < 1e-5);
        }
    }

    #[test]
    fn fitting_keeps_every_corner_in_the_picture_and_touches_its_border() {
        for (size, aspect) in [
            (Vec3::new(4.0, 0.2, 0.3), 1.5),
            (Vec3::new(0.1, 3.0, 0.1), 0.7),
            (Vec3::repeat(1.0), 1.0),
        ] {
            let mut camera = OrbitCamera::default();
            let bounds = Aabb {
                min: Vec3::repeat(5.0),
                max: Vec3::repeat(5.0) + size,
            };
            camera.fit(&bounds, aspect);
            let mut widest = 0.0_f32;
            for corner in 0..8 {
                let pick = |axis: usize| {
                    if corner >> axis & 1 == 1 {
                        bounds.max[axis]
                    } else {
                        bounds.min[axis]
                    }
                };
                let clip = camera.projection(aspect)
                    * camera.view()
                    * Vector4::new(pick(0) as f32, pick(1) as f32, pick(2) as f32, 1.0);
                widest = widest
                    .max((clip.x / clip.w).abs())
                    .max((clip.y / clip.w).abs());
            }
            assert!(widest < 0.99 && widest > 0.7, "{widest}");
        }
    }

    #[test]
    fn describing_a_camera_and_reading_it_again_keeps_it() {
        let mut camera = OrbitCamera {
            target: Vec3::new(0.1, -1.0 / 3.0, 2.0),
            distance: 0.7,
            ..OrbitCamera::default()
        };
        camera.orbit(1.0 / 7.0, 99.0);
        let description = camera.description();
        let again = OrbitCamera::from_description(&description);
        assert_eq!(again.description(), description);
        assert_eq!(
            (again.target, again.distance),
            (camera.target, camera.distance)
        );
        for (a, b) in [
            (again.yaw, camera.yaw),
            (again.pitch, camera.pitch),
            (again.fov_y, camera.fov_y),
        ] {
            assert!((a - b).abs() < 1e-8, "{a} {b}");
        }
    }

    #[test]
    fn invalid_input_leaves_the_camera_unchanged() {
        let mut camera = OrbitCamera::default();
        camera.fit(&Aabb::empty(), 1.0);
        camera.fit(
            &Aabb {
                min: Vec3::zeros(),
                max: Vec3::repeat(f64::NAN),
            },
            1.0,
        );
        camera.zoom(0.0);
        camera.zoom(f64::NAN);
        camera.orbit(f64::NAN, 0.0);
        assert_eq!(camera, OrbitCamera::default());
        camera.orbit(0.0, 99.0);
        assert!(camera.pitch < FRAC_PI_2);
    }
}
