//! Changes of the boundary's connectivity: tetrahedra are removed from ridges, and added in grooves and at tips.

use pliant_core::math::Vec3;

use super::angle_ranges::ACCEPTABLE_DISTANCE;
use super::fitted_mesh::{Bond, Fitting};
use crate::geometry::solid::Solid;

/// A tetrahedron on the boundary is flat when its outer edge is closer to its inner one than this share of the mean edge.
const FLAT_HEIGHT: f64 = 0.12;
/// Boundary edges are flipped when the middle comes closer to the surface by this share of the mean edge.
const MIN_GAIN: f64 = 0.015;
/// Faces of a tetrahedron added at a tip keep at least this outer angle to their neighbours, degrees.
const MIN_OPENING_DEG: f64 = 35.0;

impl Fitting<'_> {
    /// Largest distance from the centres of the boundary faces around a node to the surface, m.
    pub fn distance_around(&self, node: u32) -> f64 {
        let distance = |[a, b, c]: [u32; 3]| {
            let center = (self.at(a) + self.at(b) + self.at(c)) / 3.0;
            let found = self.solid.closest(&center);
            found.map_or(0.0, |(p, _)| (p - center).norm())
        };
        let faces = self.cells.boundary_faces_around(node);
        faces.map(distance).fold(0.0, f64::max)
    }

    /// Adds a node at `target` (m) and a tetrahedron between it and the boundary face below it (closest at `base_point`), where the solid is too narrow
    /// for any node to be moved there. Changes nothing and returns false where the tetrahedron would fold the boundary or leave the solid.
    pub fn add_tip(&mut self, face: [u32; 3], base_point: Vec3, target: Vec3) -> bool {
        let along = [0.5, 0.7, 0.9].map(|s| base_point + (target - base_point) * s);
        let [a, b, c] = face.map(|v| self.at(v));
        let outside_angle = |p: Vec3, q: Vec3, beyond: Vec3| {
            // between the new face (p, q, target) and the old one on the other side of p-q, through the outside
            let axis = (q - p).normalize();
            let flat = |x: Vec3| (x - p) - axis * axis.dot(&(x - p));
            let (new, old) = (flat(target), flat(beyond));
            let angle = axis.dot(&new.cross(&old)).atan2(new.dot(&old));
            angle.rem_euclid(std::f64::consts::TAU)
        };
        let opens_enough = |p: u32, q: u32| {
            let across = self.cells.boundary_apex(q, p);
            across.is_some_and(|v| {
                outside_angle(self.at(p), self.at(q), self.at(v)) > MIN_OPENING_DEG.to_radians()
            })
        };
        let [i, j, k] = face;
        let fits = opens_enough(i, j)
            && opens_enough(j, k)
            && opens_enough(k, i)
            && along.iter().all(|x| self.solid.is_inside(x))
            && self.matched_range.badness([a, b, c, target]) < 1.0;
        if !fits {
            return false;
        }
        let node = self.x.len() as u32;
        if self.cells.add_on_face(face, node).is_none() {
            return false;
        }
        self.x.push(target);
        self.bonds.push(Bond::Point);
        self.nodes.push(node);
        self.surface.positions.push(target);
        true
    }

    /// Removes bad tetrahedra around a node that lie flat on the boundary, and appends them to `peeled`.
    pub fn peel_flat(&mut self, node: u32, peeled: &mut Vec<u32>) {
        let bad: Vec<u32> = self
            .cells
            .around(node)
            .filter(|&t| self.badness_of(t) >= 1.0)
            .collect();
        for t in bad {
            if let Some([a, b, c, d]) = self.cells.peelable(t) {
                // how far the surface moves inwards
                let depth = (self.at(a) + self.at(b) - self.at(c) - self.at(d)).norm() * 0.5;
                if depth < FLAT_HEIGHT * self.edge {
                    self.cells.set_alive(t, false);
                    peeled.push(t);
                }
            }
        }
    }

    /// Flips boundary edges where that brings the boundary closer to the surface: a tetrahedron is added in a groove
    /// or removed from a ridge. Returns the number of flips.
    pub fn flip_edges(&mut self) -> usize {
        let mut count = 0;
        for [a, b, c, d] in self.cells.boundary_edges() {
            let corners = [a, b, c, d].map(|v| self.at(v));
            let Some((on_old, on_new)) = crossing(corners) else {
                continue;
            };
            let min_gain = MIN_GAIN * self.edge;
            if (on_old - on_new).norm() < min_gain {
                continue;
            }
            let distance = |x: Vec3| self.solid.closest(&x).map_or(0.0, |(p, _)| (p - x).norm());
            if distance(on_old) - distance(on_new) < min_gain {
                continue;
            }
            let [a_at, b_at, c_at, d_at] = corners;
            let center = |p: Vec3, q: Vec3, r: Vec3| distance((p + q + r) / 3.0);
            let before = center(a_at, b_at, c_at).max(center(a_at, b_at, d_at));
            let after = center(a_at, c_at, d_at).max(center(b_at, c_at, d_at));
            if after > before.max(ACCEPTABLE_DISTANCE.0 * self.edge) {
                continue;
            }
            if let Some(t) = self.cells.cell_at_edge(a, b)
                && let Some([p, q, ..]) = self.cells.peelable(t)
                && (p.min(q), p.max(q)) == (a, b)
            {
                self.cells.set_alive(t, false);
                count += 1;
            } else if let Some(t) = self.cells.add_over_edge([a, b, c, d]) {
                if self.badness_of(t) < 1.0 {
                    count += 1;
                } else {
                    self.cells.set_alive(t, false);
                }
            }
        }
        self.rebuild_surface();
        count
    }
}

/// The points of the segments a-b and c-d where their lines come closest; `None` when that is not inside both.
fn crossing([a, b, c, d]: [Vec3; 4]) -> Option<(Vec3, Vec3)> {
    let (u, v, w) = (b - a, d - c, c - a);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let determinant = uu * vv - uv * uv;
    let s = (w.dot(&u) * vv - w.dot(&v) * uv) / determinant;
    let t = (w.dot(&u) * uv - w.dot(&v) * uu) / determinant;
    let is_inside = |x: f64| x > 0.02 && x < 0.98;
    (is_inside(s) && is_inside(t)).then(|| (a + u * s, c + v * t))
}
