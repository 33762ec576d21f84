//! A surface whose vertices can be removed and whose edges can be flipped, each step recorded.

use std::f64::consts::PI;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::history::{History, Planar, PlanarTriangle, doubled_area, planar_quality};
use crate::remeshing::editable_surface::{self, EditableSurface, Hinge};
use crate::remeshing::semi_regular::input::crease::Creases;

/// Limits of the removal of a vertex.
pub(crate) struct Limits {
    /// least cosine between the normals of a triangle before and after
    pub(crate) min_normal_cosine: f64,
    /// least quality of a triangle, unless the worst around was worse before
    pub(crate) min_quality: f64,
    /// least quality of a triangle of the flattened star
    pub(crate) min_planar_quality: f64,
    /// most neighbours of the target vertex after the removal
    pub(crate) max_valence: usize,
    /// least neighbours of the two vertices that lose one
    pub(crate) min_valence: usize,
}

/// The star of a vertex: its triangles in order, flattened with the vertex at the origin.
#[derive(Default)]
pub(crate) struct Star {
    /// triangle `k` lies between the ring vertices `k` and `k + 1`
    faces: Vec<u32>,
    pub(crate) ring: Vec<u32>,
    plane: Vec<Planar>,
    angles: Vec<f64>,
    /// index in the ring of the other end of a sharp line that comes from the target
    line: Option<usize>,
}

/// The decimated surface; its vertices stay where they are.
pub(crate) struct Coarse {
    pub(crate) mesh: EditableSurface,
    /// other ends of the sharp edges at each vertex
    pub(crate) sharp_neighbours: Vec<Vec<u32>>,
    /// vertices that are not removed
    pub(crate) is_corner: Vec<bool>,
    pub(crate) history: History,
}

impl Coarse {
    pub(crate) fn new(surface: &SurfaceMesh, creases: &Creases) -> Self {
        Self {
            mesh: EditableSurface::new(surface.clone()),
            sharp_neighbours: creases.sharp_neighbours.clone(),
            is_corner: creases.is_corner.clone(),
            history: History::default(),
        }
    }

    /// Walks around `v` from its neighbour `first`; false when `first` is not a neighbour.
    fn walk(&self, v: u32, first: u32, star: &mut Star) -> bool {
        star.faces.clear();
        star.ring.clear();
        let mut at = first;
        for _ in 0..self.mesh.valence(v) {
            let next = self.mesh.around[v as usize]
                .iter()
                .map(|&f| (f, self.mesh.following(f, v)))
                .find(|(_, ends)| ends[0] == at);
            let Some((face, ends)) = next else {
                return false;
            };
            star.ring.push(at);
            star.faces.push(face);
            at = ends[1];
        }
        at == first
    }

    /// Whether `v` may be removed with its neighbour `target` joined to the ring, which `star` then describes.
    ///
    /// The link condition keeps the topology; the star must flatten without a flip, before and after. A vertex of a sharp line is only removed along it, and the line
    /// stays a line in the plane: what lies on the base edge lies on the line.
    pub(crate) fn may_remove(&self, v: u32, target: u32, limits: &Limits, star: &mut Star) -> bool {
        let valence = |v: u32| self.mesh.valence(v);
        let n = valence(v);
        if self.is_corner[v as usize] || n < 3 || !self.walk(v, target, star) {
            return false;
        }
        star.line = None;
        if let [a, b] = self.sharp_neighbours[v as usize][..] {
            if target != a && target != b {
                return false;
            }
            let other_end = if target == a { b } else { a };
            star.line = star.ring.iter().position(|&w| w == other_end);
            // next to the target the line would close on itself
            if star.line.is_none_or(|k| k < 2 || k > n - 2) {
                return false;
            }
        }
        let new_valence = (valence(target) + n).saturating_sub(4);
        if new_valence > limits.max_valence || new_valence < limits.min_valence {
            return false;
        }
        let losing = [star.ring[1], star.ring[n - 1]];
        if losing.iter().any(|&w| valence(w) <= limits.min_valence) {
            return false;
        }
        let mut others = star.ring[2..n - 1].iter();
        if others.any(|&w| self.mesh.are_adjacent(target, w)) {
            return false;
        }
        self.keeps_shape(v, target, limits, star)
            && self.flatten(v, limits.min_planar_quality, star)
    }

    fn keeps_shape(&self, v: u32, target: u32, limits: &Limits, star: &Star) -> bool {
        let n = star.ring.len();
        let place = self.mesh.positions[target as usize];
        let mut normal_sum = Vec3::zeros();
        let mut worst = f64::INFINITY;
        for &face in &star.faces {
            let (normal, quality) = normal_and_quality(self.mesh.corners(face));
            normal_sum += normal;
            worst = worst.min(quality);
        }
        let floor = limits.min_quality.min(worst).max(1e-9);
        star.faces[1..n - 1].iter().all(|&face| {
            let (before, quality) = normal_and_quality(self.mesh.corners(face));
            let (after, new_quality) =
                normal_and_quality(self.mesh.corners_after(face, &[v], &place));
            // a needle has no reliable normal
            let reference = if quality > 1e-3 { before } else { normal_sum };
            new_quality >= floor
                && reference.dot(&after)
                    >= limits.min_normal_cosine * reference.norm() * after.norm()
        })
    }

    /// Flattens the star: distances from the centre are kept, angles are scaled to a full turn (Welch and Witkin 1994). Where the fan of the target
    /// does not fit, distances are moved towards their mean: in a circle every fan fits.
    fn flatten(&self, v: u32, min_quality: f64, star: &mut Star) -> bool {
        let n = star.ring.len();
        let own = self.mesh.positions[v as usize];
        let offset = |k: usize| self.mesh.positions[star.ring[k % n] as usize] - own;
        star.angles.clear();
        for k in 0..n {
            let (p, q) = (offset(k), offset(k + 1));
            star.angles.push(p.cross(&q).norm().atan2(p.dot(&q)));
        }
        // a sharp line through the star becomes a straight one: half a turn on each side
        let line = star.line.unwrap_or(n);
        let sides: [f64; 2] =
            [star.angles[..line].iter(), star.angles[line..].iter()].map(|s| s.sum());
        let turn = if star.line.is_some() { PI } else { 2.0 * PI };
        let total = if star.line.is_some() {
            sides[0].min(sides[1])
        } else {
            sides[0]
        };
        let mean = (0..n).map(|k| offset(k).norm()).sum::<f64>() / n as f64;
        if total.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) || mean <= 0.0 {
            return false;
        }
        for power in [1.0, 0.5, 0.0] {
            star.plane.clear();
            let mut angle = 0.0_f64;
            for k in 0..n {
                let distance = (offset(k).norm() / mean).powf(power);
                star.plane.push(if star.line == Some(k) {
                    [-distance, 0.0]
                } else {
                    [distance * angle.cos(), distance * angle.sin()]
                });
                angle += star.angles[k] * turn / sides[usize::from(k >= line)];
            }
            let at = |k: usize| star.plane[k % n];
            let star_fits = (0..n).all(|k| planar_quality([[0.0; 2], at(k), at(k + 1)]) > 1e-6);
            let fan_fits =
                (1..n - 1).all(|k| planar_quality([at(0), at(k), at(k + 1)]) > min_quality);
            if star_fits && fan_fits {
                return true;
            }
        }
        false
    }

    fn planar_triangle(&self, face: u32, at: impl Fn(u32) -> Planar) -> PlanarTriangle {
        PlanarTriangle {
            face,
            corners: self.mesh.faces[face as usize].map(at),
        }
    }

    /// Removes `v`, for which [`Coarse::may_remove`] was true with this star.
    pub(crate) fn remove(&mut self, v: u32, star: &Star) {
        let n = star.ring.len();
        let target = star.ring[0];
        let at = |w: u32| {
            let slot = star.ring.iter().position(|&x| x == w);
            slot.map_or([0.0; 2], |k| star.plane[k])
        };
        let before: Vec<PlanarTriangle> = star
            .faces
            .iter()
            .map(|&f| self.planar_triangle(f, at))
            .collect();
        let place = self.mesh.positions[target as usize];
        self.mesh.collapse(target, v, place);
        let kept = &star.faces[1..n - 1];
        let after: Vec<PlanarTriangle> =
            kept.iter().map(|&f| self.planar_triangle(f, at)).collect();
        if let Some(k) = star.line {
            let other_end = star.ring[k];
            for (end, other) in [(target, other_end), (other_end, target)] {
                for w in &mut self.sharp_neighbours[end as usize] {
                    if *w == v {
                        *w = other;
                    }
                }
            }
            self.sharp_neighbours[v as usize].clear();
        }
        self.history.push(before.into_iter(), after.into_iter());
    }

    /// Flips edges once each where that raises the smaller of the two triangles' least quality or, with `even_valence`, where it brings
    /// the numbers of neighbours nearer to six without making needles. Sharp bends are not flipped.
    pub(crate) fn flip(&mut self, even_valence: bool) {
        let faces: Vec<u32> = self.mesh.live_faces().collect();
        for face in faces {
            for slot in 0..3 {
                let corners = self.mesh.faces[face as usize];
                let (a, b) = (corners[slot], corners[(slot + 1) % 3]);
                if a < b {
                    self.flip_edge(a, b, even_valence);
                }
            }
        }
    }

    fn flip_edge(&mut self, a: u32, b: u32, even_valence: bool) {
        let Some(hinge) = self.mesh.hinge(a, b) else {
            return;
        };
        if !self.mesh.may_flip(a, b, &hinge) || self.sharp_neighbours[a as usize].contains(&b) {
            return;
        }
        let Hinge { left, right, c, d } = hinge;
        let x = |v: u32| self.mesh.positions[v as usize];
        let (left_normal, left_quality) = normal_and_quality([x(a), x(b), x(c)]);
        let (right_normal, right_quality) = normal_and_quality([x(b), x(a), x(d)]);
        let (one_normal, one_quality) = normal_and_quality([x(c), x(d), x(b)]);
        let (two_normal, two_quality) = normal_and_quality([x(d), x(c), x(a)]);
        let normal_sum = left_normal + right_normal;
        let agree = |n: &Vec3, m: &Vec3| n.dot(m) > 0.7 * n.norm() * m.norm();
        if !agree(&left_normal, &right_normal)
            || !agree(&one_normal, &normal_sum)
            || !agree(&two_normal, &normal_sum)
        {
            return;
        }
        let (before, after) = (
            left_quality.min(right_quality),
            one_quality.min(two_quality),
        );
        let better = if even_valence {
            self.mesh.flip_evens_valences(a, b, &hinge) && after > 0.5_f64.min(before)
        } else {
            after > before + 1e-9 && self.mesh.valence(c).max(self.mesh.valence(d)) < 9
        };
        if !better {
            return;
        }
        // the two triangles unfolded
        let along = (x(b) - x(a)).normalize();
        let unfold = |v: u32, side: f64| {
            let offset = x(v) - x(a);
            let s = offset.dot(&along);
            [s, side * (offset - along * s).norm()]
        };
        let (pa, pb) = ([0.0, 0.0], [(x(b) - x(a)).norm(), 0.0]);
        let (pc, pd) = (unfold(c, 1.0), unfold(d, -1.0));
        let fits = planar_quality([pc, pd, pb]).min(planar_quality([pd, pc, pa])) > 0.02
            && doubled_area([pa, pb, pc]) > 0.0
            && doubled_area([pb, pa, pd]) > 0.0;
        if !fits {
            return;
        }
        let at = |v: u32| {
            if v == a {
                pa
            } else if v == b {
                pb
            } else if v == c {
                pc
            } else {
                pd
            }
        };
        let before = [left, right].map(|f| self.planar_triangle(f, at));
        self.mesh.flip(a, b, &hinge);
        let after = [left, right].map(|f| self.planar_triangle(f, at));
        self.history.push(before.into_iter(), after.into_iter());
    }
}

/// As [`editable_surface::normal_and_quality`], but 0 for a triangle without edges.
fn normal_and_quality(corners: [Vec3; 3]) -> (Vec3, f64) {
    let (normal, quality) = editable_surface::normal_and_quality(corners);
    (normal, quality.max(0.0))
}
