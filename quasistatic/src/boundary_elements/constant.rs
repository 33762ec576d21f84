//! The dense boundary relation of constant elements (James and Pai 1999): displacement and traction have one value on each triangle, and the
//! equation holds at its centroid.
//!
//! Tractions may jump at edges, and corners need no special treatment. The price is twice as many nodes as vertices, and an error that
//! falls with the first power of the edge.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::batches::{AssemblyControl, BatchRows, Element, assemble_in_batches, elements};
use super::element::{CornerPass, NearPass, NearRules, Triangle, body_force_block};
use super::far::{BATCH, coordinates, is_far, plane};
use super::kernel::Kelvin;
use super::moments::{Moments, TractionFactors, displacement_entries};
use super::quadrature::{Rule, TOUCHING_DISTANCE, distance_to_triangle};
use super::system::BoundarySystem;
use crate::error::BakeError;

/// Assembles the system of a closed surface with normals outwards (into cavities), in parallel; the bits do not depend on the number of threads.
///
/// The own block of an element in `G` is in closed form, and that in `H` follows from rigid motion. Cost: seven points for each pair of far elements, 36 to
/// 144 for near ones; memory `144 n²` bytes for `n` triangles.
///
/// # Errors
/// [`BakeError::DegenerateTriangle`], [`BakeError::CenterOnForeignElement`], [`BakeError::TeamFailed`], or that it was cancelled.
pub fn assemble_constant<'a>(
    surface: &SurfaceMesh,
    kelvin: Kelvin,
    control: impl Into<AssemblyControl<'a>>,
) -> Result<BoundarySystem, BakeError> {
    let far = Rule::seven_points();
    let elements = elements(surface)?;
    let areas: Vec<f64> = elements.iter().map(|e| e.triangle.area).collect();
    let rules = NearRules::new();
    assemble_in_batches(areas, &control.into(), |_: &mut (), rows| {
        arch().dispatch(BatchPass {
            kelvin,
            elements: &elements,
            rules: &rules,
            far: &far.points,
            rows,
        })
    })
}

impl BatchRows<'_> {
    /// Writes the blocks of `element` in the rows of the `lane`-th centroid.
    fn set(&mut self, lane: usize, element: usize, g: &Mat3, h: &Mat3) {
        for i in 0..3 {
            let at = (3 * lane + i) * self.width + 3 * element;
            for j in 0..3 {
                self.g[at + j] = g[(i, j)];
                self.h[at + j] = h[(i, j)];
            }
        }
    }

    fn add_body_force(&mut self, lane: usize, block: &Mat3) {
        for i in 0..3 {
            for j in 0..3 {
                self.body_force[3 * (3 * lane + i) + j] += block[(i, j)];
            }
        }
    }

    /// Sets the own block of an element from the condition that a translation of the body has no traction.
    fn set_own_block(&mut self, lane: usize, element: usize) {
        for i in 0..3 {
            let begin = (3 * lane + i) * self.width;
            let row = &mut self.h[begin..begin + self.width];
            let mut sum = [0.0; 3];
            for block in row.chunks_exact(3) {
                for (s, x) in sum.iter_mut().zip(block) {
                    *s += x;
                }
            }
            for (x, s) in row[3 * element..3 * element + 3].iter_mut().zip(sum) {
                *x = -s;
            }
        }
    }
}

/// All elements for up to [`BATCH`] centroids as source points.
struct BatchPass<'a> {
    kelvin: Kelvin,
    elements: &'a [Element],
    rules: &'a NearRules,
    far: &'a [([f64; 3], f64)],
    rows: BatchRows<'a>,
}

impl WithSimd for BatchPass<'_> {
    type Output = Result<(), BakeError>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
        let lanes = S::F64_LANES;
        let count = BATCH.min(self.elements.len() - self.rows.first);
        let mut begin = 0;
        while begin < count {
            let used = lanes.min(count - begin);
            // lanes without an element repeat the last one; their results are not used
            let mut point = [Vec3::zeros(); BATCH];
            for (lane, x) in point.iter_mut().enumerate() {
                *x = self.elements[self.rows.first + begin + lane.min(used - 1)].center;
            }
            for e in 0..self.elements.len() {
                let element = &self.elements[e];
                let near = point.map(|x| !is_far(&x, &element.triangle, &element.center));
                if near[..used].iter().any(|near| !near) {
                    self.far_element(simd, e, &point, &near[..used], begin);
                }
                for lane in (0..used).filter(|&lane| near[lane]) {
                    self.near_element(simd, e, &point[lane], begin + lane)?;
                }
            }
            for lane in begin..begin + used {
                self.rows.set_own_block(lane, self.rows.first + lane);
            }
            begin += lanes;
        }
        Ok(())
    }
}

impl BatchPass<'_> {
    /// Integrates element `e` with seven points for all lanes at once. Lanes that are `near` are skipped.
    #[inline(always)]
    fn far_element<S: Simd>(
        &mut self,
        simd: S,
        e: usize,
        point: &[Vec3; BATCH],
        near: &[bool],
        begin: usize,
    ) {
        let element = &self.elements[e];
        let triangle = &element.triangle;
        let from = coordinates::<S>(point);
        let mut moments = Moments::<S, 1>::zero(simd);
        for (x, (_, weight)) in element.points.iter().zip(self.far) {
            let r = [
                simd.sub_f64s(simd.splat_f64s(x.x), from[0]),
                simd.sub_f64s(simd.splat_f64s(x.y), from[1]),
                simd.sub_f64s(simd.splat_f64s(x.z), from[2]),
            ];
            moments.add(simd, r, [simd.splat_f64s(*weight)]);
        }
        let (normal, height) = plane(simd, triangle, from);
        let nu = self.kelvin.poisson;
        let u_factor = simd.splat_f64s(self.kelvin.displacement_factor() * triangle.area);
        let t_factor = simd.splat_f64s(-self.kelvin.traction_factor() * triangle.area);
        let [sums] = &moments.sums;
        let inverse = simd.add_f64s(sums[4], simd.add_f64s(sums[7], sums[9]));
        let u = displacement_entries(simd, nu, sums, u_factor);
        let t = TractionFactors::new(simd, nu, normal, height, t_factor).entries(simd, sums);
        let mut unpacked = [[0.0; BATCH]; 20];
        let [dx, dy, dz] = moments.directions;
        let values = u.into_iter().chain(t).chain([height, inverse, dx, dy, dz]);
        for (list, value) in unpacked.iter_mut().zip(values) {
            S::as_mut_simd_f64s(list).0[0] = value;
        }
        for (lane, _) in near.iter().enumerate().filter(|(_, near)| !**near) {
            let at = |k: usize| unpacked[k][lane];
            let [a, b, c, d, e5, f] = [0, 1, 2, 3, 4, 5].map(at);
            let g = Mat3::new(a, b, c, b, d, e5, c, e5, f);
            let h = Mat3::from_fn(|i, j| at(6 + 3 * i + j));
            self.rows.set(begin + lane, e, &g, &h);
            let directions = Vec3::new(at(17), at(18), at(19));
            let block = body_force_block(&self.kelvin, triangle, at(15), at(16), &directions);
            self.rows.add_body_force(begin + lane, &block);
        }
    }

    /// Integrates an element near a centroid, or the element of the centroid.
    #[inline(always)]
    fn near_element<S: Simd>(
        &mut self,
        simd: S,
        e: usize,
        point: &Vec3,
        lane: usize,
    ) -> Result<(), BakeError> {
        let (kelvin, rules, triangle) = (self.kelvin, self.rules, self.elements[e].triangle);
        if self.rows.first + lane == e {
            let [a, b, c] = triangle.corners;
            let mut block = Mat3::zeros();
            // the centroid is a corner of three pieces
            for (p, q) in [(a, b), (b, c), (c, a)] {
                let pass = CornerPass {
                    kelvin,
                    rules,
                    triangle: Triangle::new([*point, p, q]),
                    corner: 0,
                };
                block += pass.with_simd(simd).body_force;
            }
            self.rows.add_body_force(lane, &block);
            let own = kelvin.self_displacement(&triangle.corners, point);
            self.rows.set(lane, e, &own, &Mat3::zeros());
            return Ok(());
        }
        if distance_to_triangle(point, &triangle.corners) < TOUCHING_DISTANCE * triangle.longest {
            return Err(BakeError::CenterOnForeignElement {
                element: (self.rows.first + lane) as u32,
                triangle: e as u32,
            });
        }
        let pass = NearPass {
            kelvin,
            rules,
            triangle,
            point: *point,
        };
        let blocks = pass.with_simd(simd);
        let [u0, u1, u2] = blocks.displacement;
        let [t0, t1, t2] = blocks.traction;
        self.rows.set(lane, e, &(u0 + u1 + u2), &(t0 + t1 + t2));
        self.rows.add_body_force(lane, &blocks.body_force);
        Ok(())
    }
}
