//! Local remeshing of a closed surface: split, collapse and flip edges (after Botsch and Kobbelt 2004, "A remeshing approach to
//! multiresolution modeling", section 4). Every step keeps the surface closed, manifold and oriented, and its genus.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::editable_surface::EditableSurface;

/// A closed surface while it is remeshed.
pub(crate) struct Remesher {
    /// The surface as it is now.
    pub(crate) surface: EditableSurface,
    /// Target edge length at each vertex; that of an edge is the mean of its ends.
    pub(crate) sizes: Vec<f64>,
}

impl Remesher {
    /// Takes a closed, manifold, oriented surface with the target edge length `size`.
    pub(crate) fn new(surface: SurfaceMesh, size: f64) -> Self {
        Self {
            sizes: vec![size; surface.vertex_count()],
            surface: EditableSurface::new(surface),
        }
    }

    /// The surface with removed parts taken out; vertices keep their order.
    pub(crate) fn finish(self) -> SurfaceMesh {
        self.surface.compacted().0
    }

    /// Splits edges longer than `limit` times their target at the middle.
    pub(crate) fn split_long(&mut self, limit: f64) {
        for [a, b] in self.edges_by_length(|length| length > limit, true) {
            if self.relative_length(a, b) > limit
                && let Some(hinge) = self.surface.hinge(a, b)
            {
                self.surface.split(a, b, &hinge);
                self.sizes
                    .push((self.sizes[a as usize] + self.sizes[b as usize]) * 0.5);
            }
        }
    }

    /// Collapses edges shorter than `limit` times their target where that keeps the topology, turns no triangle over by more
    /// than 60 degrees and makes no edge more than `longest` times too long. `merged` says where the joint vertex goes.
    pub(crate) fn collapse_short(
        &mut self,
        limit: f64,
        longest: f64,
        merged: impl Fn(Vec3) -> Vec3,
    ) {
        for [a, b] in self.edges_by_length(|length| length < limit, false) {
            if self.surface.is_used(a)
                && self.surface.is_used(b)
                && self.relative_length(a, b) < limit
                && self.surface.hinge(a, b).is_some()
            {
                let [p, q] = [a, b].map(|v| self.surface.positions[v as usize]);
                let at = merged((p + q) * 0.5);
                if self.may_collapse(a, b, at, longest) {
                    self.surface.collapse(a, b, at);
                    self.sizes[a as usize] = self.sizes[a as usize].min(self.sizes[b as usize]);
                }
            }
        }
    }

    /// Flips edges where that raises the smaller of the two triangles' smallest angles; with `even_valence`, where it brings
    /// the number of neighbours nearer to six and leaves no angle under 20 degrees. Folds of more than 60 degrees are not flipped.
    pub(crate) fn flip(&mut self, even_valence: bool) {
        for [a, b] in self.edges_by_length(|_| true, true) {
            let Some(hinge) = self.surface.hinge(a, b) else {
                continue;
            };
            if !self.surface.may_flip(a, b, &hinge) {
                continue;
            }
            let (c, d) = (hinge.c, hinge.d);
            let x = |v: u32| self.surface.positions[v as usize];
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
                self.surface.flip_evens_valences(a, b, &hinge)
                    && worst(&after) > 20.0_f64.to_radians()
            } else {
                worst(&after) > worst(&before) + 1e-9
            };
            if better {
                self.surface.flip(a, b, &hinge);
            }
        }
    }

    /// Mean of the centres of the triangles around `v`, weighted by area.
    pub(crate) fn centroid(&self, v: usize) -> Vec3 {
        let (mut sum, mut total) = (Vec3::zeros(), 0.0);
        for &t in &self.surface.around[v] {
            let [a, b, c] = self.surface.corners(t);
            let area = area_vector([a, b, c]).norm();
            sum += (a + b + c) * (area / 3.0);
            total += area;
        }
        if total > 0.0 {
            sum / total
        } else {
            self.surface.positions[v]
        }
    }

    /// Moves `v` to `to` unless that would turn a triangle around it over or make a small angle smaller.
    pub(crate) fn move_if_safe(&mut self, v: usize, to: Vec3) {
        let around = &self.surface.around[v];
        let normal: Vec3 = (around.iter())
            .map(|&t| area_vector(self.surface.corners(t)))
            .sum();
        let safe = around.iter().all(|&t| {
            let before = self.surface.corners(t);
            let after = self.surface.corners_after(t, &[v as u32], &to);
            keeps_direction(before, after, normal)
                && smallest_angle(after) > 0.2_f64.min(0.5 * smallest_angle(before))
        });
        if safe {
            self.surface.positions[v] = to;
        }
    }

    /// Length of an edge over its target.
    fn relative_length(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (a as usize, b as usize);
        let length = (self.surface.positions[a] - self.surface.positions[b]).norm();
        2.0 * length / (self.sizes[a] + self.sizes[b])
    }

    /// Present edges whose relative length passes `test`, by length and then by number.
    fn edges_by_length(&self, test: impl Fn(f64) -> bool, longest_first: bool) -> Vec<[u32; 2]> {
        let mut edges: Vec<(f64, [u32; 2])> = (self.surface.directed_edges())
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

    /// Whether `a` and its neighbour `b` may become one vertex at `at`.
    fn may_collapse(&self, a: u32, b: u32, at: Vec3, longest: f64) -> bool {
        let surface = &self.surface;
        if !surface.keeps_topology(a, b) || surface.valence(a) + surface.valence(b) > 4 + 9 {
            return false;
        }
        let size = self.sizes[a as usize].min(self.sizes[b as usize]);
        let is_too_long = |v: u32| {
            let v = v as usize;
            2.0 * (surface.positions[v] - at).norm() > longest * (self.sizes[v] + size)
        };
        let mut neighbours = surface.neighbours(a).chain(surface.neighbours(b));
        if neighbours.any(|v| v != a && v != b && is_too_long(v)) {
            return false;
        }
        let normal: Vec3 = [a, b]
            .iter()
            .flat_map(|&end| &surface.around[end as usize])
            .map(|&t| area_vector(surface.corners(t)))
            .sum();
        surface.remaining(a, b).all(|t| {
            let after = surface.corners_after(t, &[a, b], &at);
            keeps_direction(surface.corners(t), after, normal)
        })
    }
}

/// Whether a triangle turns by less than 60 degrees; one too small to have a direction of its own is compared with the sum
/// `normal` of the area vectors around it.
fn keeps_direction(before: [Vec3; 3], after: [Vec3; 3], normal: Vec3) -> bool {
    let before = area_vector(before);
    let reference = if before.norm() < 0.03 * normal.norm() {
        normal
    } else {
        before
    };
    within_60_degrees(area_vector(after), reference)
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
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
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
        assert!(t.is_sound());
        assert_eq!(t.genus(), Some(0));
        assert!(fine.triangles.len() > 2 * count);
        assert!((fine.volume() - volume).abs() < 0.01 * volume);

        let mut remesher = Remesher::new(fine, 0.3);
        for _ in 0..3 {
            remesher.collapse_short(0.8, 1.4, |x| x);
        }
        let coarse = remesher.finish();
        let t = topology(&coarse);
        assert!(t.is_sound());
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
