//! Local remeshing of a closed surface: split, collapse and flip edges (after Botsch and Kobbelt 2004, "A remeshing approach to
//! multiresolution modeling", section 4). Every step keeps the surface closed, manifold and oriented, and its genus.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

/// A surface while it is remeshed; removed vertices and triangles stay in place until [`Remesher::finish`].
pub struct Remesher {
    /// Vertex positions; those of removed vertices mean nothing.
    pub positions: Vec<Vec3>,
    /// Edge length wanted at each vertex; along an edge, the mean of its ends counts.
    pub sizes: Vec<f64>,
    triangles: Vec<[u32; 3]>,
    /// triangles around each vertex, unordered; empty for removed vertices
    around: Vec<Vec<u32>>,
}

const REMOVED: [u32; 3] = [u32::MAX; 3];

/// An edge and what lies beside it: the triangles (a, b, c) and (b, a, d) by number.
struct Hinge {
    left: u32,
    right: u32,
    c: u32,
    d: u32,
}

impl Remesher {
    /// Takes a closed, manifold, oriented surface on which edges of length `size` are wanted.
    pub fn new(surface: SurfaceMesh, size: f64) -> Self {
        let mut around = vec![Vec::with_capacity(8); surface.positions.len()];
        for (k, t) in surface.triangles.iter().enumerate() {
            for &v in t {
                around[v as usize].push(k as u32);
            }
        }
        Self {
            sizes: vec![size; surface.positions.len()],
            positions: surface.positions,
            triangles: surface.triangles,
            around,
        }
    }

    /// The surface with removed parts taken out; vertices keep their order.
    pub fn finish(self) -> SurfaceMesh {
        let mut number = vec![0_u32; self.positions.len()];
        let mut positions = Vec::new();
        for (v, position) in self.positions.iter().enumerate() {
            if self.is_used(v) {
                number[v] = positions.len() as u32;
                positions.push(*position);
            }
        }
        let kept = self.triangles.iter().filter(|t| **t != REMOVED);
        let triangles = kept.map(|t| t.map(|v| number[v as usize])).collect();
        SurfaceMesh::new(positions, triangles)
    }

    /// Whether vertex `v` is still part of the surface.
    pub fn is_used(&self, v: usize) -> bool {
        !self.around[v].is_empty()
    }

    /// Splits edges at their middle that are more than `limit` times as long as wanted.
    pub fn split_long(&mut self, limit: f64) {
        for [a, b] in self.edges_by_length(|length| length > limit, true) {
            if self.relative_length(a, b) > limit
                && let Some(h) = self.hinge(a, b)
            {
                self.split(a, b, &h);
            }
        }
    }

    /// Collapses edges less than `limit` times as long as wanted where that keeps the topology, turns no triangle over by more
    /// than 60 degrees and makes no edge more than `longest` times too long. `merged` says where the joint vertex goes.
    pub fn collapse_short(&mut self, limit: f64, longest: f64, merged: impl Fn(Vec3) -> Vec3) {
        for [a, b] in self.edges_by_length(|length| length < limit, false) {
            if self.is_used(a as usize)
                && self.is_used(b as usize)
                && self.relative_length(a, b) < limit
                && let Some(h) = self.hinge(a, b)
            {
                let at = merged((self.positions[a as usize] + self.positions[b as usize]) * 0.5);
                if self.may_collapse(a, b, &h, at, longest) {
                    self.collapse(a, b, &h, at);
                }
            }
        }
    }

    /// Flips edges where that raises the smaller of the two triangles' smallest angles; with `even_valence`, where it brings
    /// the number of neighbours nearer to six and leaves no angle under 20 degrees. Folds of more than 60 degrees are not flipped.
    pub fn flip(&mut self, even_valence: bool) {
        for [a, b] in self.edges_by_length(|_| true, true) {
            let Some(h) = self.hinge(a, b) else { continue };
            let (c, d) = (h.c, h.d);
            if self.hinge(c, d).is_some()
                || self.around[a as usize].len() <= 4
                || self.around[b as usize].len() <= 4
            {
                continue;
            }
            let x = |v: u32| self.positions[v as usize];
            let before = [[x(a), x(b), x(c)], [x(b), x(a), x(d)]];
            let after = [[x(c), x(d), x(b)], [x(d), x(c), x(a)]];
            let normal = area_vector(before[0]) + area_vector(before[1]);
            if after
                .iter()
                .any(|t| !within_60_degrees(area_vector(*t), normal))
            {
                continue;
            }
            let worst = |t: &[[Vec3; 3]; 2]| smallest_angle(t[0]).min(smallest_angle(t[1]));
            let better = if even_valence {
                let off = |v: u32, change: i64| {
                    (self.around[v as usize].len() as i64 + change - 6).pow(2)
                };
                let now = off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
                let then = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
                then < now && worst(&after) > 20.0_f64.to_radians()
            } else {
                worst(&after) > worst(&before) + 1e-9
            };
            if better {
                self.triangles[h.left as usize] = [c, d, b];
                self.triangles[h.right as usize] = [d, c, a];
                self.forget(a, h.left);
                self.forget(b, h.right);
                self.around[d as usize].push(h.left);
                self.around[c as usize].push(h.right);
            }
        }
    }

    /// Mean of the centres of the triangles around `v`, weighted by area.
    pub fn centroid(&self, v: usize) -> Vec3 {
        let (mut sum, mut total) = (Vec3::zeros(), 0.0);
        for &t in &self.around[v] {
            let [a, b, c] = self.corners(t);
            let area = area_vector([a, b, c]).norm();
            sum += (a + b + c) * (area / 3.0);
            total += area;
        }
        if total > 0.0 {
            sum / total
        } else {
            self.positions[v]
        }
    }

    /// Vertices that share an edge with `v`, ascending.
    pub fn neighbours(&self, v: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.around[v as usize]
            .iter()
            .flat_map(|&t| self.triangles[t as usize])
            .filter(|&w| w != v)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Moves `v` to `to` unless that would turn a triangle around it over or make a small angle smaller.
    pub fn move_if_safe(&mut self, v: usize, to: Vec3) {
        let normal: Vec3 = self.around[v]
            .iter()
            .map(|&t| area_vector(self.corners(t)))
            .sum();
        let safe = self.around[v].iter().all(|&t| {
            let before = self.corners(t);
            let after = self.corners_with(t, v as u32, to);
            self.keeps_direction(before, after, normal)
                && smallest_angle(after) > 0.2_f64.min(0.5 * smallest_angle(before))
        });
        if safe {
            self.positions[v] = to;
        }
    }

    /// Whether a triangle turns by less than 60 degrees; one too small to have a direction of its own is compared with the sum
    /// `normal` of the area vectors around it.
    fn keeps_direction(&self, before: [Vec3; 3], after: [Vec3; 3], normal: Vec3) -> bool {
        let before = area_vector(before);
        let reference = if before.norm() < 0.03 * normal.norm() {
            normal
        } else {
            before
        };
        within_60_degrees(area_vector(after), reference)
    }

    fn corners_with(&self, t: u32, v: u32, at: Vec3) -> [Vec3; 3] {
        self.triangles[t as usize].map(|w| {
            if w == v {
                at
            } else {
                self.positions[w as usize]
            }
        })
    }

    fn corners(&self, t: u32) -> [Vec3; 3] {
        self.triangles[t as usize].map(|v| self.positions[v as usize])
    }

    /// Length of an edge over the length wanted there.
    fn relative_length(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (a as usize, b as usize);
        2.0 * (self.positions[a] - self.positions[b]).norm() / (self.sizes[a] + self.sizes[b])
    }

    /// Present edges whose relative length passes `test`, by length and then by number.
    fn edges_by_length(&self, test: impl Fn(f64) -> bool, longest_first: bool) -> Vec<[u32; 2]> {
        let mut edges: Vec<(f64, [u32; 2])> = self
            .triangles
            .iter()
            .filter(|t| **t != REMOVED)
            .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
            .filter(|[a, b]| a < b)
            .map(|[a, b]| (self.relative_length(a, b), [a, b]))
            .filter(|(length, _)| test(*length))
            .collect();
        edges.sort_unstable_by(|p, q| {
            let order = p.0.total_cmp(&q.0);
            let order = if longest_first {
                order.reverse()
            } else {
                order
            };
            order.then(p.1.cmp(&q.1))
        });
        edges.into_iter().map(|(_, e)| e).collect()
    }

    fn hinge(&self, a: u32, b: u32) -> Option<Hinge> {
        let (mut left, mut right) = (None, None);
        for &t in &self.around[a as usize] {
            let v = self.triangles[t as usize];
            for s in 0..3 {
                let (p, q, r) = (v[s], v[(s + 1) % 3], v[(s + 2) % 3]);
                if (p, q) == (a, b) {
                    left = Some((t, r));
                } else if (p, q) == (b, a) {
                    right = Some((t, r));
                }
            }
        }
        let ((left, c), (right, d)) = (left?, right?);
        Some(Hinge { left, right, c, d })
    }

    fn split(&mut self, a: u32, b: u32, h: &Hinge) {
        let m = self.positions.len() as u32;
        self.positions
            .push((self.positions[a as usize] + self.positions[b as usize]) * 0.5);
        self.sizes
            .push((self.sizes[a as usize] + self.sizes[b as usize]) * 0.5);
        let (new_left, new_right) = (self.triangles.len() as u32, self.triangles.len() as u32 + 1);
        self.triangles[h.left as usize] = [a, m, h.c];
        self.triangles[h.right as usize] = [m, a, h.d];
        self.triangles.push([m, b, h.c]);
        self.triangles.push([b, m, h.d]);
        self.forget(b, h.left);
        self.forget(b, h.right);
        self.around[b as usize].extend([new_left, new_right]);
        self.around[h.c as usize].push(new_left);
        self.around[h.d as usize].push(new_right);
        self.around.push(vec![h.left, h.right, new_left, new_right]);
    }

    fn may_collapse(&self, a: u32, b: u32, h: &Hinge, at: Vec3, longest: f64) -> bool {
        // link condition: the only common neighbours are the two opposite vertices, which keep three triangles or more
        if [h.c, h.d]
            .iter()
            .any(|&v| self.around[v as usize].len() <= 3)
        {
            return false;
        }
        let (of_a, of_b) = (self.neighbours(a), self.neighbours(b));
        let common = of_a
            .iter()
            .filter(|v| of_b.binary_search(v).is_ok())
            .count();
        if common != 2 || of_a.len() + of_b.len() > 4 + 9 {
            return false;
        }
        let size = self.sizes[a as usize].min(self.sizes[b as usize]);
        let too_long = |v: &u32| {
            let v = *v as usize;
            2.0 * (self.positions[v] - at).norm() > longest * (self.sizes[v] + size)
        };
        let mut others = of_a.iter().chain(&of_b).filter(|&&v| v != a && v != b);
        if others.any(too_long) {
            return false;
        }
        let normal: Vec3 = [a, b]
            .iter()
            .flat_map(|&end| &self.around[end as usize])
            .map(|&t| area_vector(self.corners(t)))
            .sum();
        [a, b].iter().all(|&end| {
            self.around[end as usize]
                .iter()
                .filter(|t| **t != h.left && **t != h.right)
                .all(|&t| {
                    let after = self.corners_with(t, end, at);
                    self.keeps_direction(self.corners(t), after, normal)
                })
        })
    }

    fn collapse(&mut self, a: u32, b: u32, h: &Hinge, at: Vec3) {
        self.positions[a as usize] = at;
        self.sizes[a as usize] = self.sizes[a as usize].min(self.sizes[b as usize]);
        for t in std::mem::take(&mut self.around[b as usize]) {
            if t == h.left || t == h.right {
                continue;
            }
            for v in &mut self.triangles[t as usize] {
                if *v == b {
                    *v = a;
                }
            }
            self.around[a as usize].push(t);
        }
        for (t, opposite) in [(h.left, h.c), (h.right, h.d)] {
            self.triangles[t as usize] = REMOVED;
            self.forget(a, t);
            self.forget(opposite, t);
        }
    }

    fn forget(&mut self, vertex: u32, triangle: u32) {
        self.around[vertex as usize].retain(|t| *t != triangle);
    }
}

fn area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)) * 0.5
}

fn within_60_degrees(n: Vec3, m: Vec3) -> bool {
    n.dot(&m) > 0.5 * n.norm() * m.norm()
}

/// Smallest angle of a triangle, radians.
pub fn smallest_angle([a, b, c]: [Vec3; 3]) -> f64 {
    [(a, b, c), (b, c, a), (c, a, b)]
        .iter()
        .map(|(p, q, r)| {
            let (u, v) = (q - p, r - p);
            u.cross(&v).norm().atan2(u.dot(&v))
        })
        .fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::CellStyle;
    use pliant_core::mesh::procedural::box_surface;
    use pliant_core::mesh::validate::topology;

    #[test]
    fn local_remeshing_keeps_a_box_closed_and_of_the_same_shape() {
        let surface = box_surface(Vec3::new(1.0, 0.5, 0.5), [8, 4, 4], CellStyle::Kuhn);
        let (count, volume) = (surface.triangles.len(), surface.volume());
        let mut remesher = Remesher::new(surface, 0.05);
        remesher.split_long(1.5);
        remesher.flip(true);
        remesher.flip(false);
        let fine = remesher.finish();
        let t = topology(&fine);
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        assert_eq!(t.genus(), Some(0));
        assert!(fine.triangles.len() > 2 * count);
        assert!((fine.volume() - volume).abs() < 0.01 * volume);

        let mut remesher = Remesher::new(fine, 0.3);
        for _ in 0..3 {
            remesher.collapse_short(0.8, 1.4, |x| x);
        }
        let coarse = remesher.finish();
        let t = topology(&coarse);
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        assert_eq!(t.genus(), Some(0));
        assert!(2 * coarse.triangles.len() < count);
    }

    #[test]
    fn a_tetrahedron_cannot_be_collapsed() {
        let x = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let faces = vec![[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        let mut remesher = Remesher::new(SurfaceMesh::new(x.to_vec(), faces), 10.0);
        remesher.collapse_short(1.0, 10.0, |x| x);
        assert_eq!(remesher.finish().triangles.len(), 4);
    }
}
