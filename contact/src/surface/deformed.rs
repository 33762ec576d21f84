//! Contact points of one body at its present positions.

use pliant_core::math::bounds::Aabb;
use pliant_core::math::{Mat3, Vec3};

use crate::surface::contact_shape::ContactShape;
use crate::surface::oriented_box::{Lanes, OrientedBox};
use crate::surface::point_grid::PointGrid;

/// Contact points of a body, their velocities and normals, sorted for searching.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeformedSurface {
    /// world, m
    pub positions: Vec<Vec3>,
    /// m/s
    pub velocities: Vec<Vec3>,
    /// unit, outward; zero where all triangles around are degenerate
    pub normals: Vec<Vec3>,
    /// normals at the corners of triangles, not of unit length
    pub(super) corner_normals: Vec<Vec3>,
    pub bounds: Aabb,
    /// the positions once more, one list for each axis
    pub lanes: Lanes,
    pub oriented_box: OrientedBox,
    /// largest speed of a contact point, m/s
    pub max_speed: f64,
    /// mean velocity of the contact points, m/s
    pub mean_velocity: Vec3,
    /// largest speed of a contact point relative to the mean, m/s
    pub max_relative_speed: f64,
    pub(super) grid: PointGrid,
}

impl DeformedSurface {
    /// Updates everything for nodes at `x` (m) with velocities `v` (m/s). Reuses memory.
    pub fn update(&mut self, shape: &ContactShape, x: &[Vec3], v: &[Vec3]) {
        self.positions.clear();
        self.velocities.clear();
        for point in 0..shape.len() {
            self.positions.push(shape.interpolate(point, x));
            self.velocities.push(shape.interpolate(point, v));
        }
        let squared = self.velocities.iter().map(Vec3::norm_squared);
        self.max_speed = squared.fold(0.0, f64::max).sqrt();
        self.mean_velocity = self.velocities.iter().sum::<Vec3>() / shape.len().max(1) as f64;
        let relative = self
            .velocities
            .iter()
            .map(|v| (v - self.mean_velocity).norm_squared());
        self.max_relative_speed = relative.fold(0.0, f64::max).sqrt();
        self.normals.clear();
        self.normals.resize(shape.len(), Vec3::zeros());
        self.corner_normals.clear();
        self.corner_normals
            .resize(shape.normal_count, Vec3::zeros());
        for (t, corners) in shape.triangles.iter().zip(&shape.corner_normals) {
            let [a, b, c] = t.map(|p| self.positions[p as usize]);
            let n = (b - a).cross(&(c - a));
            for (&p, &k) in t.iter().zip(corners) {
                self.normals[p as usize] += n;
                self.corner_normals[k as usize] += n;
            }
        }
        for n in &mut self.normals {
            let length = n.norm();
            if length > 0.0 {
                *n /= length;
            }
        }
        self.bounds = Aabb::of_points(&self.positions);
        for (k, lane) in self.lanes.iter_mut().enumerate() {
            lane.clear();
            lane.extend(self.positions.iter().map(|x| x[k]));
        }
        let mut map = Mat3::zeros();
        for (x, fit) in self.positions.iter().zip(&shape.fit) {
            map += x * fit.transpose();
        }
        self.oriented_box = OrientedBox::of(&map, &self.positions);
    }

    /// Lets all points move with `velocity` (m/s).
    pub fn set_velocity(&mut self, velocity: Vec3) {
        self.velocities.fill(velocity);
        (self.max_speed, self.mean_velocity, self.max_relative_speed) =
            (velocity.norm(), velocity, 0.0);
    }

    /// Largest speed at which a point of this body and one of `other` can approach each other, m/s.
    pub fn relative_speed(&self, other: &Self) -> f64 {
        (self.mean_velocity - other.mean_velocity).norm()
            + self.max_relative_speed
            + other.max_relative_speed
    }

    /// Sorts the points, so that [`DeformedSurface::nearest`] finds them.
    pub fn sort(&mut self, shape: &ContactShape) {
        self.grid.build(&self.positions, shape.reach);
    }
}
