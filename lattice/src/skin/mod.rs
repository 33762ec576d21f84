//! The deformed skin: positions by trilinear weights, and the exact normals of the map they define.
//!
//! Inside a cell the particles at its corners map the rest state by `x(t) = Σ φ_k(t) x_k`. A surface with tangents `U`, `V` at rest has the
//! tangents `F U`, `F V` with the Jacobian `F = ∂x/∂t`, and so the normal `F U × F V = cof(F) (U × V) = cof(F) N` (Rivers and James 2007,
//! section 5, sum the same two tangents over the particles). The map of a cell is a polynomial with eight coefficients, which are found once for
//! all vertices in the cell; eight vertices go through it together in single precision.

mod bench;
mod reference;
#[cfg(test)]
mod tests;

use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinBinding, SurfaceFrame};
use pulp::{Simd, WithSimd};

use crate::asset::LatticeAsset;
use crate::kernels::Level;

pub use bench::KERNELS;
pub use reference::write_reference;

/// Vertices that go together.
const LANES: usize = 8;
/// Eight numbers.
type Lane = [f32; LANES];

/// Everything about a skin that does not change while its lattice deforms.
#[derive(Debug, Clone)]
pub struct SkinKernel {
    cells: Vec<SkinCell>,
    lanes: Vec<Lanes>,
    vertices: usize,
    level: Level,
}

/// A cell that carries vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SkinCell {
    /// particles; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2)
    corners: [u32; 8],
    /// first entry of its vertices and one past the last
    from: u32,
    to: u32,
}

/// Eight vertices of one cell; the last ones of a cell are repeated.
#[derive(Debug, Clone)]
struct Lanes {
    /// place in the cell, edges of a cell
    place: [Lane; 3],
    /// unit normal at rest
    normal: [Lane; 3],
    vertex: [u32; LANES],
    count: usize,
}

impl SkinKernel {
    /// Sorts the skin's vertices by cell. `None` when a vertex is not attached to the eight corners of a cell.
    pub fn new(asset: &LatticeAsset, level: Level) -> Option<Self> {
        let normals = asset.skin.vertex_normals();
        let mut order = Vec::with_capacity(asset.embedding.len());
        for v in 0..asset.embedding.len() {
            let corners: [u32; 8] = asset.embedding.row(v).0.try_into().ok()?;
            order.push((corners, v as u32));
        }
        order.sort_unstable();
        let mut kernel = Self {
            cells: Vec::new(),
            lanes: Vec::new(),
            vertices: order.len(),
            level,
        };
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let corners = group[0].0;
            let from = kernel.lanes.len() as u32;
            for part in group.chunks(LANES) {
                let vertex: [u32; LANES] = std::array::from_fn(|l| part[l.min(part.len() - 1)].1);
                let lane = |value: &dyn Fn(usize) -> f64| -> Lane {
                    std::array::from_fn(|l| value(vertex[l] as usize) as f32)
                };
                let place = |v: usize, k: usize| {
                    place_in_cell(asset, &corners, &asset.skin.positions[v])[k]
                };
                kernel.lanes.push(Lanes {
                    place: [0, 1, 2].map(|k| lane(&|v| place(v, k))),
                    normal: [0, 1, 2].map(|k| lane(&|v| normals[v][k])),
                    vertex,
                    count: part.len(),
                });
            }
            kernel.cells.push(SkinCell {
                corners,
                from,
                to: kernel.lanes.len() as u32,
            });
        }
        Some(kernel)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Number of cells that carry vertices.
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Writes positions (m) and unit normals of the skin for particles at `positions` (world, m); `center` is a point near them.
    ///
    /// A vertex where the map collapses to a line has no normal and gets zero. Cost: about ten nanoseconds a vertex where cells carry eight and
    /// more; reuses the memory of `out`.
    pub fn write(&self, positions: &[Vec3], center: &Vec3, out: &mut SurfaceFrame) {
        out.positions.resize(self.vertices, [0.0; 3]);
        out.normals.resize(self.vertices, [0.0; 3]);
        self.level.run(Write {
            kernel: self,
            positions,
            center,
            out,
        });
    }
}

/// All vertices: a structure and not a closure, which would not be compiled for the instructions it runs with.
struct Write<'a> {
    kernel: &'a SkinKernel,
    positions: &'a [Vec3],
    center: &'a Vec3,
    out: &'a mut SurfaceFrame,
}

impl WithSimd for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            kernel,
            positions,
            center,
            out,
        } = self;
        for cell in &kernel.cells {
            let map = coefficients(&cell.corners, positions, center);
            for lanes in &kernel.lanes[cell.from as usize..cell.to as usize] {
                let (x, n) = deform(&map, lanes);
                for l in 0..lanes.count {
                    let v = lanes.vertex[l] as usize;
                    out.positions[v] = [0, 1, 2].map(|k| x[k][l] + center[k] as f32);
                    out.normals[v] = [0, 1, 2].map(|k| n[k][l]);
                }
            }
        }
    }
}

/// The cells behind the skin's vertices, for drawing; `None` when a vertex is not attached to the eight corners of a cell.
pub(crate) fn binding(asset: &LatticeAsset) -> Option<SkinBinding> {
    let mut binding = SkinBinding {
        rest: (0..asset.particle_count())
            .map(|p| asset.rest_position(p))
            .collect(),
        ..SkinBinding::default()
    };
    for (v, x) in asset.skin.positions.iter().enumerate() {
        let corners: [u32; 8] = asset.embedding.row(v).0.try_into().ok()?;
        binding.corners.push(corners);
        let place = place_in_cell(asset, &corners, x);
        binding.places.push(place.cast::<f32>().into());
    }
    Some(binding)
}

/// Where a rest position is in a cell, edges of a cell from its lowest corner.
fn place_in_cell(asset: &LatticeAsset, corners: &[u32; 8], rest: &Vec3) -> Vec3 {
    (rest - asset.rest_position(corners[0] as usize)) / asset.cell
}

/// Coefficients of 1, t, u, v, tu, tv, uv, tuv (t, u, v the place in the cell), each along x, y, z.
#[inline(always)]
fn coefficients(corners: &[u32; 8], positions: &[Vec3], center: &Vec3) -> [[f32; 3]; 8] {
    let p = corners.map(|c| positions[c as usize] - center);
    let (x, y, z) = (p[1] - p[0], p[2] - p[0], p[4] - p[0]);
    let (xy, xz, yz) = (p[3] - p[2] - x, p[5] - p[4] - x, p[6] - p[4] - y);
    let xyz = p[7] - p[6] - (p[5] - p[4]) - (p[3] - p[2]) + x;
    [p[0], x, y, z, xy, xz, yz, xyz].map(|c| [c.x as f32, c.y as f32, c.z as f32])
}

/// Positions relative to the centre, and unit normals.
#[inline(always)]
fn deform(map: &[[f32; 3]; 8], lanes: &Lanes) -> ([Lane; 3], [Lane; 3]) {
    let [t, u, v] = &lanes.place;
    let mut x = [[0.0; LANES]; 3];
    // columns of the Jacobian
    let mut columns = [[[0.0; LANES]; 3]; 3];
    for k in 0..3 {
        let c = map.map(|c| c[k]);
        for l in 0..LANES {
            let (t, u, v) = (t[l], u[l], v[l]);
            let along = c[1] + c[4] * u + (c[5] + c[7] * u) * v;
            columns[0][k][l] = along;
            columns[1][k][l] = c[2] + c[4] * t + (c[6] + c[7] * t) * v;
            columns[2][k][l] = c[3] + c[5] * t + (c[6] + c[7] * t) * u;
            x[k][l] = c[0] + c[2] * u + (c[3] + c[6] * u) * v + along * t;
        }
    }
    let mut normal = [[0.0; LANES]; 3];
    for (m, factor) in lanes.normal.iter().enumerate() {
        let (a, b) = (&columns[(m + 1) % 3], &columns[(m + 2) % 3]);
        for (k, component) in normal.iter_mut().enumerate() {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            for l in 0..LANES {
                component[l] += factor[l] * (a[i][l] * b[j][l] - a[j][l] * b[i][l]);
            }
        }
    }
    let mut inverse = [0.0; LANES];
    for l in 0..LANES {
        let squared =
            normal[0][l] * normal[0][l] + normal[1][l] * normal[1][l] + normal[2][l] * normal[2][l];
        // the smallest normal number keeps zero zero
        inverse[l] = 1.0 / squared.max(f32::MIN_POSITIVE).sqrt();
    }
    for component in &mut normal {
        for l in 0..LANES {
            component[l] *= inverse[l];
        }
    }
    (x, normal)
}
