//! The dense boundary relation `H u = G p + g` of linear elements.

use std::collections::HashSet;

use pliant_core::aligned::Aligned;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::simd::arch;
use pulp::{Simd, WithSimd};

use super::batches::{AssemblyControl, BatchRows, Element, assemble_in_batches, elements};
use super::element::{CornerPass, ElementBlocks, NearPass, NearRules};
use super::far::{BATCH, BodyForces, FarRule, coordinates, is_far, plane};
use super::kernel::Kelvin;
use super::moments::{TractionFactors, displacement_entries};
use super::quadrature::{TOUCHING_DISTANCE, distance_to_triangle};
use super::system::BoundarySystem;
use crate::error::BakeError;

/// Assembles the system of a closed surface with normals outwards, in parallel; the bits do not depend on the number of threads.
///
/// `has_traction(triangle, corner)` says whether the traction of that corner's vertex acts on the triangle, see [`acting_tractions`]. At the edge of a support its traction must not leak
/// into adjacent free triangles (one traction for each smooth group of faces). Cost: seven points for each pair of a vertex and a far
/// triangle, 36 to 144 for near ones; memory `144 n²` bytes.
///
/// # Errors
/// [`BakeError::DegenerateTriangle`], [`BakeError::SourceOnForeignElement`], [`BakeError::TeamFailed`], or that it was cancelled.
pub fn assemble_linear<'a>(
    surface: &SurfaceMesh,
    kelvin: Kelvin,
    has_traction: impl Fn(usize, usize) -> bool + Sync,
    control: impl Into<AssemblyControl<'a>>,
) -> Result<BoundarySystem, BakeError> {
    let n = surface.vertex_count();
    let elements: Vec<LinearElement> = elements(surface)?
        .into_iter()
        .enumerate()
        .map(|(t, element)| LinearElement {
            vertices: surface.triangles[t],
            has_traction: [0, 1, 2].map(|corner| has_traction(t, corner)),
            element,
        })
        .collect();
    let mut areas = vec![0.0; n];
    for element in &elements {
        for (&v, &has_traction) in element.vertices.iter().zip(&element.has_traction) {
            if has_traction {
                areas[v as usize] += element.element.triangle.area / 3.0;
            }
        }
    }
    let rules = NearRules::new();
    assemble_in_batches(areas, &control.into(), |workspace, rows| {
        arch().dispatch(BatchPass {
            workspace,
            kelvin,
            positions: &surface.positions,
            elements: &elements,
            rules: &rules,
            far: FarRule::new(),
            rows,
        })
    })
}

/// For each corner of each triangle, whether the traction of its vertex acts on the triangle, as [`assemble_linear`] asks. Triangles whose vertices are all held are those of a support; their
/// tractions do not act on free triangles beside it.
pub fn acting_tractions(triangles: &[[u32; 3]], is_held: impl Fn(u32) -> bool) -> Vec<[bool; 3]> {
    let is_support = |triangle: &[u32; 3]| triangle.iter().all(|&v| is_held(v));
    let supports = triangles.iter().filter(|triangle| is_support(triangle));
    let in_support: HashSet<u32> = supports.flatten().copied().collect();
    let acting = |triangle: &[u32; 3]| {
        let is_support = is_support(triangle);
        triangle.map(|v| !is_held(v) || is_support || !in_support.contains(&v))
    };
    triangles.iter().map(acting).collect()
}

/// An element with its vertices, and whether their tractions act on it.
struct LinearElement {
    element: Element,
    vertices: [u32; 3],
    has_traction: [bool; 3],
}

/// Sums at all vertices, lane by lane. A thread keeps this memory between batches.
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
    elements: &'a [LinearElement],
    rules: &'a NearRules,
    far: FarRule,
    rows: BatchRows<'a>,
}

/// Entries of a block of U and of T.
const U: usize = 6;
const T: usize = 9;
/// Index of entry (i, j) of a symmetric block.
const SYMMETRIC: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

impl WithSimd for BatchPass<'_> {
    type Output = Result<(), BakeError>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
        let lanes = S::F64_LANES;
        let n = self.positions.len();
        let count = BATCH.min(n - self.rows.first);
        let mut near: Vec<(usize, usize)> = Vec::new();
        let mut begin = 0;
        while begin < count {
            let used = lanes.min(count - begin);
            self.workspace.displacement.clear_to(n * U * lanes);
            self.workspace.traction.clear_to(n * T * lanes);
            near.clear();
            let first = self.rows.first + begin;
            // lanes without a vertex repeat the last one; their results are not used
            let mut point = [Vec3::zeros(); BATCH];
            for (lane, x) in point.iter_mut().enumerate() {
                *x = self.positions[first + lane.min(used - 1)];
            }
            let mut gravity = self.far_elements(simd, &point, used, &mut near);
            for &(lane, e) in &near {
                let vertex = (first + lane) as u32;
                let element = &self.elements[e];
                let blocks = self
                    .near_blocks(simd, element, vertex, &point[lane])
                    .ok_or(BakeError::SourceOnForeignElement {
                        vertex,
                        triangle: e as u32,
                    })?;
                gravity[lane] += blocks.body_force;
                self.workspace.add(element, &blocks, lane, lanes);
            }
            for (lane, gravity) in gravity.iter().enumerate().take(used) {
                self.write(begin + lane, lane, lanes, gravity);
            }
            begin += lanes;
        }
        Ok(())
    }
}

impl BatchPass<'_> {
    /// Adds the elements that are far from a point, for all lanes at once, and lists pairs of lanes and elements that are `near` each other. Returns the body forces of the lanes.
    #[inline(always)]
    fn far_elements<S: Simd>(
        &mut self,
        simd: S,
        point: &[Vec3; BATCH],
        used: usize,
        near: &mut Vec<(usize, usize)>,
    ) -> [Mat3; BATCH] {
        let (kelvin, far, elements) = (self.kelvin, &self.far, self.elements);
        let (u_all, _) = S::as_mut_simd_f64s(&mut self.workspace.displacement);
        let (t_all, _) = S::as_mut_simd_f64s(&mut self.workspace.traction);
        let mut body_forces = BodyForces::<S>::zero(simd);
        let from = coordinates::<S>(point);
        for (e, linear) in elements.iter().enumerate() {
            let element = &linear.element;
            let triangle = &element.triangle;
            let mut mask = [1.0; BATCH];
            let mut any_far = false;
            for lane in 0..S::F64_LANES {
                if is_far(&point[lane], triangle, &element.center) {
                    any_far = true;
                } else {
                    mask[lane] = 0.0;
                    if lane < used {
                        near.push((lane, e));
                    }
                }
            }
            if !any_far {
                continue;
            }
            let mask = S::as_simd_f64s(&mask).0[0];
            let moments = far.moments(simd, from, &element.points);
            let (normal, height) = plane(simd, triangle, from);
            let area = simd.mul_f64s(mask, simd.splat_f64s(triangle.area));
            let of = |factor: f64| simd.mul_f64s(area, simd.splat_f64s(factor));
            let u_factor = of(kelvin.displacement_factor());
            let t_factor = of(-kelvin.traction_factor());
            let nu = kelvin.poisson;
            let tractions = TractionFactors::new(simd, nu, normal, height, t_factor);
            for k in 0..3 {
                let v = linear.vertices[k] as usize;
                let sums = &moments.sums[k];
                if linear.has_traction[k] {
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
        body_forces.blocks(&kelvin)
    }

    /// Blocks of an element and a vertex near it; none where they touch and the vertex is not a corner.
    #[inline(always)]
    fn near_blocks<S: Simd>(
        &self,
        simd: S,
        element: &LinearElement,
        vertex: u32,
        point: &Vec3,
    ) -> Option<ElementBlocks> {
        let (kelvin, rules, triangle) = (self.kelvin, self.rules, element.element.triangle);
        if let Some(corner) = element.vertices.iter().position(|&v| v == vertex) {
            let pass = CornerPass {
                kelvin,
                rules,
                triangle,
                corner,
            };
            return Some(pass.with_simd(simd));
        }
        if distance_to_triangle(point, &triangle.corners) < TOUCHING_DISTANCE * triangle.longest {
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

    /// Writes the sums of a lane into the rows of the `node`-th vertex of the batch.
    fn write(&mut self, node: usize, lane: usize, lanes: usize, gravity: &Mat3) {
        let BatchRows {
            first,
            width,
            h,
            g,
            body_force,
        } = &mut self.rows;
        let vertex = *first + node;
        let Workspace {
            displacement,
            traction,
        } = &*self.workspace;
        for i in 0..3 {
            let row = 3 * node + i;
            let h = &mut h[row * *width..(row + 1) * *width];
            let g = &mut g[row * *width..(row + 1) * *width];
            let mut sum = [0.0; 3];
            for v in 0..self.positions.len() {
                for j in 0..3 {
                    g[3 * v + j] = displacement[(v * U + SYMMETRIC[i][j]) * lanes + lane];
                    if v != vertex {
                        let value = traction[(v * T + 3 * i + j) * lanes + lane];
                        h[3 * v + j] = value;
                        sum[j] += value;
                    }
                }
            }
            // a translation of the body has no traction
            for j in 0..3 {
                h[3 * vertex + j] = -sum[j];
                body_force[3 * row + j] = gravity[(i, j)];
            }
        }
    }
}

impl Workspace {
    /// Adds the blocks of an element to those of a lane.
    fn add(&mut self, element: &LinearElement, blocks: &ElementBlocks, lane: usize, lanes: usize) {
        for k in 0..3 {
            let v = element.vertices[k] as usize;
            for (i, indices) in SYMMETRIC.iter().enumerate() {
                for (j, index) in indices.iter().enumerate() {
                    let at = (v * T + 3 * i + j) * lanes + lane;
                    self.traction[at] += blocks.traction[k][(i, j)];
                    if element.has_traction[k] && j >= i {
                        let at = (v * U + index) * lanes + lane;
                        self.displacement[at] += blocks.displacement[k][(i, j)];
                    }
                }
            }
        }
    }
}
