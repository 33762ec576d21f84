//! The dense boundary relation `H u = G p + g` of linear elements, one vertex after the other.

use pliant_core::aligned::Aligned;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::batches::{AssemblyControl, far_points, in_batches, triangles};
use super::element::{CornerPass, ElementBlocks, NearPass, NearRules, Triangle};
use super::far::{BATCH, BodyForces, FarRule, POINTS};
use super::kernel::Kelvin;
use super::moments::{TractionFactors, displacement_entries};
use super::quadrature::{FAR, Rule, SURELY_FAR, TOUCHING, distance_to_triangle};
use super::system::{AssemblyFault, BoundarySystem};

/// Assembles the system of a closed surface with normals outwards, in parallel; the bits do not depend on the number of threads.
///
/// `carries(triangle, corner)` says whether the traction of that corner's vertex acts on the triangle: where a support ends, its traction must not leak
/// into the free triangles beside it (one traction for each smooth group of faces). Cost: seven points for each pair of a vertex and a far
/// triangle, 36 to 144 for near ones; memory `144 n²` bytes.
///
/// # Errors
/// See [`AssemblyFault`].
pub fn assemble_linear<'a>(
    surface: &SurfaceMesh,
    kelvin: Kelvin,
    carries: impl Fn(usize, usize) -> bool + Sync,
    control: impl Into<AssemblyControl<'a>>,
) -> Result<BoundarySystem, AssemblyFault> {
    let n = surface.vertex_count();
    let far = Rule::seven_points();
    let elements: Vec<Element> = triangles(surface)?
        .into_iter()
        .enumerate()
        .map(|(t, triangle)| Element {
            vertices: surface.triangles[t],
            carried: [0, 1, 2].map(|corner| carries(t, corner)),
            center: triangle.corners.iter().sum::<Vec3>() / 3.0,
            points: far_points(&triangle, &far),
            triangle,
        })
        .collect();
    let mut areas = vec![0.0; n];
    for element in &elements {
        for (&v, &carried) in element.vertices.iter().zip(&element.carried) {
            if carried {
                areas[v as usize] += element.triangle.area / 3.0;
            }
        }
    }
    let rules = NearRules::new();
    in_batches(areas, &control.into(), |workspace, rows| {
        arch().dispatch(BatchPass {
            workspace,
            kelvin,
            positions: &surface.positions,
            elements: &elements,
            rules: &rules,
            far: FarRule::new(),
            first: rows.first,
            h: rows.h,
            g: rows.g,
            body_force: rows.body_force,
        })
    })
}

/// A triangle with its points of the far rule.
struct Element {
    triangle: Triangle,
    vertices: [u32; 3],
    carried: [bool; 3],
    center: Vec3,
    points: [Vec3; POINTS],
}

/// Sums at all vertices, lane by lane: memory that a thread keeps between batches.
#[derive(Default)]
struct Workspace {
    displacement: Aligned<f64>,
    traction: Aligned<f64>,
}

/// All elements for up to [`BATCH`] source points, which are vertices.
struct BatchPass<'a> {
    workspace: &'a mut Workspace,
    kelvin: Kelvin,
    positions: &'a [Vec3],
    elements: &'a [Element],
    rules: &'a NearRules,
    far: FarRule,
    first: usize,
    h: &'a mut [f64],
    g: &'a mut [f64],
    body_force: &'a mut [f64],
}

/// Entries of a block of U and of T.
const U: usize = 6;
const T: usize = 9;
/// Place of entry (i, j) of a symmetric block.
const SYMMETRIC: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

impl WithSimd for BatchPass<'_> {
    type Output = Result<(), AssemblyFault>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let lanes = S::F64_LANES;
        let n = self.positions.len();
        let count = BATCH.min(n - self.first);
        let Workspace {
            displacement,
            traction,
        } = self.workspace;
        let mut near: Vec<(usize, usize)> = Vec::new();
        let mut begin = 0;
        while begin < count {
            displacement.clear_to(n * U * lanes);
            traction.clear_to(n * T * lanes);
            near.clear();
            let mut body_forces = BodyForces::<S>::zero(simd);
            // lanes without a vertex repeat the last one; their results are not used
            let mut point = [Vec3::zeros(); BATCH];
            for (lane, x) in point.iter_mut().enumerate() {
                *x = self.positions[(self.first + begin + lane.min(count - begin - 1)).min(n - 1)];
            }
            let mut coordinates = [[0.0; BATCH]; 3];
            for (axis, list) in coordinates.iter_mut().enumerate() {
                for (c, x) in list.iter_mut().zip(&point) {
                    *c = x[axis];
                }
            }
            let from = [
                S::as_simd_f64s(&coordinates[0]).0[0],
                S::as_simd_f64s(&coordinates[1]).0[0],
                S::as_simd_f64s(&coordinates[2]).0[0],
            ];
            {
                let (u_all, _) = S::as_mut_simd_f64s(displacement);
                let (t_all, _) = S::as_mut_simd_f64s(traction);
                for (e, element) in self.elements.iter().enumerate() {
                    let mut mask = [1.0; BATCH];
                    let mut any_far = false;
                    for lane in 0..lanes {
                        let sure = SURELY_FAR * element.triangle.longest;
                        let x = &point[lane];
                        let is_far = (x - element.center).norm_squared() > sure * sure
                            || distance_to_triangle(x, &element.triangle.corners)
                                >= FAR * element.triangle.longest;
                        if is_far {
                            any_far = true;
                        } else {
                            mask[lane] = 0.0;
                            if begin + lane < count {
                                near.push((lane, e));
                            }
                        }
                    }
                    if !any_far {
                        continue;
                    }
                    let mask = S::as_simd_f64s(&mask).0[0];
                    let moments = self.far.moments(simd, from, &element.points);
                    let triangle = &element.triangle;
                    let normal = [
                        simd.splat_f64s(triangle.normal.x),
                        simd.splat_f64s(triangle.normal.y),
                        simd.splat_f64s(triangle.normal.z),
                    ];
                    let corner = &triangle.corners[0];
                    let mut height = simd.splat_f64s(corner.dot(&triangle.normal));
                    for axis in 0..3 {
                        height = simd.sub_f64s(height, simd.mul_f64s(from[axis], normal[axis]));
                    }
                    let area = simd.mul_f64s(mask, simd.splat_f64s(triangle.area));
                    let of = |factor: f64| simd.mul_f64s(area, simd.splat_f64s(factor));
                    let u_factor = of(self.kelvin.displacement_factor());
                    let t_factor = of(-self.kelvin.traction_factor());
                    let nu = self.kelvin.poisson;
                    let tractions = TractionFactors::new(simd, nu, normal, height, t_factor);
                    for k in 0..3 {
                        let v = element.vertices[k] as usize;
                        let sums = &moments.sums[k];
                        if element.carried[k] {
                            let new = displacement_entries(simd, nu, sums, u_factor);
                            for (old, new) in u_all[v * U..(v + 1) * U].iter_mut().zip(new) {
                                *old = simd.add_f64s(*old, new);
                            }
                        }
                        let new = tractions.entries(simd, sums);
                        for (old, new) in t_all[v * T..(v + 1) * T].iter_mut().zip(new) {
                            *old = simd.add_f64s(*old, new);
                        }
                    }
                    body_forces.add(simd, &moments, height, normal, area);
                }
            }
            let mut gravity = body_forces.blocks(&self.kelvin);
            for &(lane, e) in &near {
                let element = &self.elements[e];
                let vertex = self.first + begin + lane;
                let blocks = near_blocks(
                    simd,
                    self.kelvin,
                    self.rules,
                    element,
                    vertex as u32,
                    &point[lane],
                )
                .ok_or(AssemblyFault::SourceOnForeignElement {
                    vertex: vertex as u32,
                    triangle: e as u32,
                })?;
                gravity[lane] += blocks.body_force;
                for k in 0..3 {
                    let v = element.vertices[k] as usize;
                    for (i, places) in SYMMETRIC.iter().enumerate() {
                        for (j, place) in places.iter().enumerate() {
                            let at = (v * T + 3 * i + j) * lanes + lane;
                            traction[at] += blocks.traction[k][(i, j)];
                            if element.carried[k] && j >= i {
                                let at = (v * U + place) * lanes + lane;
                                displacement[at] += blocks.displacement[k][(i, j)];
                            }
                        }
                    }
                }
            }
            for (lane, gravity) in gravity.iter().enumerate().take(lanes.min(count - begin)) {
                let vertex = self.first + begin + lane;
                for i in 0..3 {
                    let row = 3 * (begin + lane) + i;
                    let h = &mut self.h[row * 3 * n..(row + 1) * 3 * n];
                    let g = &mut self.g[row * 3 * n..(row + 1) * 3 * n];
                    let mut sum = [0.0; 3];
                    for v in 0..n {
                        for j in 0..3 {
                            g[3 * v + j] = displacement[(v * U + SYMMETRIC[i][j]) * lanes + lane];
                            if v != vertex {
                                let value = traction[(v * T + 3 * i + j) * lanes + lane];
                                h[3 * v + j] = value;
                                sum[j] += value;
                            }
                        }
                    }
                    // a translation of the whole makes no traction
                    for j in 0..3 {
                        h[3 * vertex + j] = -sum[j];
                        self.body_force[3 * row + j] = gravity[(i, j)];
                    }
                }
            }
            begin += lanes;
        }
        Ok(())
    }
}

#[inline(always)]
fn near_blocks<S: Simd>(
    simd: S,
    kelvin: Kelvin,
    rules: &NearRules,
    element: &Element,
    vertex: u32,
    point: &Vec3,
) -> Option<ElementBlocks> {
    let triangle = element.triangle;
    if let Some(corner) = element.vertices.iter().position(|&v| v == vertex) {
        let pass = CornerPass {
            kelvin,
            rules,
            triangle,
            corner,
        };
        return Some(pass.with_simd(simd));
    }
    if distance_to_triangle(point, &triangle.corners) < TOUCHING * triangle.longest {
        return None;
    }
    let pass = NearPass {
        kelvin,
        rules,
        triangle,
        point: *point,
    };
    Some(pass.with_simd(simd))
}
