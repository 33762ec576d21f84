//! Contact points of one body where they are now.

use crate::math::barycentric::closest_point_on_triangle;
use crate::math::bounds::Aabb;
use crate::math::{Mat3, Vec3};

use super::grid::PointGrid;
use super::oriented::{Lanes, OrientedBox};
use super::shape::ContactShape;

/// Two skins face each other when the cosine of the angle between their normals is at most this.
const FACING: f64 = -0.1;
/// How far, over the reach, a point can be in front of the tangent plane of the nearest contact point and yet touch, where the surface is hollow.
const AHEAD: f64 = 0.25;
/// A point is above a triangle when the cosine of the angle between its normal and the way to the point is at least this.
const ALONG: f64 = 0.8;
/// Squared distances that differ by less than this share of the squared reach are the same.
const SAME: f64 = 1e-8;
/// Triangles around a point that are compared at once; more are looked at one by one.
const FAN: usize = 8;

/// Contact points of a body, their velocities and normals, sorted for searching.
#[derive(Debug, Clone)]
pub(super) struct Deformed {
    /// world, m
    pub positions: Vec<Vec3>,
    /// m/s
    pub velocities: Vec<Vec3>,
    /// unit, outward; zero where all triangles around are degenerate
    pub normals: Vec<Vec3>,
    /// of triangle corners, not of unit length
    corners: Vec<Vec3>,
    pub bounds: Aabb,
    /// the positions once more, one list an axis
    pub lanes: Lanes,
    pub turned: OrientedBox,
    /// largest speed of a contact point, m/s
    pub speed: f64,
    grid: PointGrid,
}

/// The place of a body's surface that is nearest to a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// contact points of the triangle
    pub triangle: [u32; 3],
    pub weights: [f64; 3],
    /// interpolated, unit
    pub normal: Vec3,
    /// along the normal, m; negative inside
    pub gap: f64,
    /// straight, m
    pub distance: f64,
}

impl Default for Deformed {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            velocities: Vec::new(),
            normals: Vec::new(),
            corners: Vec::new(),
            bounds: Aabb::empty(),
            lanes: Lanes::default(),
            turned: OrientedBox::default(),
            speed: 0.0,
            grid: PointGrid::default(),
        }
    }
}

impl Deformed {
    /// Takes over nodes at `x` (m) with velocities `v` (m/s). Reuses memory.
    pub fn update(&mut self, shape: &ContactShape, x: &[Vec3], v: &[Vec3]) {
        self.positions.clear();
        self.velocities.clear();
        for point in 0..shape.len() {
            self.positions.push(shape.interpolate(point, x));
            self.velocities.push(shape.interpolate(point, v));
        }
        let squared = self.velocities.iter().map(Vec3::norm_squared);
        self.speed = squared.fold(0.0, f64::max).sqrt();
        self.normals.clear();
        self.normals.resize(shape.len(), Vec3::zeros());
        self.corners.clear();
        self.corners.resize(shape.normal_count, Vec3::zeros());
        for (t, corners) in shape.triangles.iter().zip(&shape.corner_normals) {
            let [a, b, c] = t.map(|p| self.positions[p as usize]);
            let n = (b - a).cross(&(c - a));
            for (&p, &k) in t.iter().zip(corners) {
                self.normals[p as usize] += n;
                self.corners[k as usize] += n;
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
        self.turned = OrientedBox::of(&map, &self.positions);
    }

    /// Sorts the points for [`Self::nearest`].
    pub fn sort(&mut self, shape: &ContactShape) {
        self.grid.build(&self.positions, shape.reach);
    }

    /// The place of the surface nearest to `x` that faces a skin of outward normal `facing`, if a contact point that `allowed` lets pass is within
    /// reach. A place that is surely farther in front than `near` (m) may be passed over.
    ///
    /// Looked for in the triangles around the nearest contact point, which is right where triangles have about the same size. At a sharp edge the
    /// side that faces best is taken. Needs [`Self::sort`].
    pub fn nearest(
        &self,
        shape: &ContactShape,
        x: &Vec3,
        facing: &Vec3,
        near: f64,
        mut allowed: impl FnMut(u32) -> bool,
    ) -> Option<Nearest> {
        let mut best = (shape.reach * shape.reach, u32::MAX);
        self.grid.visit(x, |p, at| {
            let d = (at - x).norm_squared();
            let nearer = d < best.0 || d == best.0 && p < best.1 && best.1 != u32::MAX;
            if nearer && allowed(p) {
                best = (d, p);
            }
        });
        if best.1 == u32::MAX {
            return None;
        }
        self.nearest_around(shape, best.1 as usize, x, facing, near)
    }

    /// [`Self::nearest`] where the nearest contact point is known to be `center`.
    pub fn nearest_around(
        &self,
        shape: &ContactShape,
        center: usize,
        x: &Vec3,
        facing: &Vec3,
        near: f64,
    ) -> Option<Nearest> {
        // most points are in front of the surface and too far away
        let ahead = self.normals[center].dot(&(x - self.positions[center]));
        if ahead > near + AHEAD * shape.reach {
            return None;
        }
        let tie = SAME * shape.reach * shape.reach;
        let fan = shape.fans.row(center);
        // the nearest goes first, so that most others are seen to be farther before their normals are made
        let mut closest = [Closest::default(); FAN];
        let mut first = 0;
        for (k, &t) in fan.iter().take(FAN).enumerate() {
            closest[k] = self.closest(shape, t, x);
            if closest[k].squared < closest[first].squared {
                first = k;
            }
        }
        let order = std::iter::once(first).chain((0..fan.len()).filter(|k| *k != first));
        let mut found: Option<(f64, f64, Nearest)> = None;
        for k in order {
            let Some(&t) = fan.get(k) else {
                continue;
            };
            let known = closest.get(k).copied();
            let Closest {
                squared,
                at,
                weights,
            } = known.unwrap_or_else(|| self.closest(shape, t, x));
            if found.as_ref().is_some_and(|f| squared > f.0 + tie) {
                continue;
            }
            let mut normal = Vec3::zeros();
            for (&k, w) in shape.corner_normals[t as usize].iter().zip(weights) {
                normal += self.corners[k as usize] * w;
            }
            let length = normal.norm();
            if length <= f64::MIN_POSITIVE {
                continue;
            }
            normal /= length;
            let apart = x - at;
            let (mut gap, distance) = (normal.dot(&apart), squared.sqrt());
            if gap.abs() < ALONG * distance {
                // beside the triangle rather than above it: in front of an edge, or, where it seems behind, in front of another side
                if gap <= 0.0 {
                    continue;
                }
                (normal, gap) = (apart / distance, distance);
            }
            let away = facing.dot(&normal);
            if away > FACING {
                continue;
            }
            let nearer = |f: &(f64, f64, Nearest)| squared < f.0 - tie || away < f.1;
            if found.as_ref().is_none_or(nearer) {
                let place = Nearest {
                    triangle: shape.triangles[t as usize],
                    weights,
                    normal,
                    gap,
                    distance,
                };
                found = Some((squared, away, place));
            }
        }
        found.map(|f| f.2)
    }

    fn closest(&self, shape: &ContactShape, triangle: u32, x: &Vec3) -> Closest {
        let corners = shape.triangles[triangle as usize].map(|p| self.positions[p as usize]);
        let (at, weights) = closest_point_on_triangle(x, corners);
        Closest {
            squared: (x - at).norm_squared(),
            at,
            weights,
        }
    }
}

/// The point of a triangle that is closest to another point.
#[derive(Debug, Clone, Copy, Default)]
struct Closest {
    /// distance, m²
    squared: f64,
    at: Vec3,
    weights: [f64; 3],
}
