//! The kernel that writes positions and normals of the skin.

use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinPart, SurfaceFrame};
use pulp::{Simd, WithSimd};

use crate::kernels::Level;
use crate::kernels::vector::pack::{LINE, OnLine, Pack, packs, packs_mut};

/// Vertices of a group: as many as the longest vectors have lanes.
pub(crate) const LANES: usize = LINE;

/// One number for each vertex of a group.
pub(crate) type Lane = OnLine<[f32; LANES]>;

/// The constant data of a skin.
#[derive(Debug, Clone)]
pub(crate) struct SkinKernel {
    pub(crate) cells: Vec<SkinCell>,
    pub(crate) lanes: Vec<Lanes>,
    pub(crate) vertices: usize,
    pub(crate) level: Level,
}

/// A cell that contains vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkinCell {
    /// particles; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2)
    pub(crate) corners: [u32; 8],
    /// first entry of its vertices and one past the last
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// Vertices of one cell; the last one of a cell is repeated.
#[derive(Debug, Clone)]
pub(crate) struct Lanes {
    /// position in the cell, in units of its edge
    pub(crate) place: [Lane; 3],
    /// unit normal at rest
    pub(crate) normal: [Lane; 3],
    pub(crate) vertex: [u32; LANES],
    pub(crate) count: usize,
}

impl SkinKernel {
    /// Writes positions (m) and unit normals of the skin for particles at `positions` (world, m); `center` is a point near them.
    ///
    /// A vertex where the map collapses to a line has no normal and gets zero. Cost: five nanoseconds a vertex where cells carry eight and
    /// more; reuses the memory of `out`.
    pub fn write(&self, positions: &[Vec3], center: &Vec3, out: &mut SurfaceFrame) {
        self.write_part(positions, center, out.room_for(self.vertices));
    }

    /// The same into a part of a larger frame, of as many vertices as the skin has.
    ///
    /// # Panics
    /// Where the part has fewer.
    pub fn write_part(&self, positions: &[Vec3], center: &Vec3, out: SkinPart<'_>) {
        self.level.run(Write {
            kernel: self,
            positions,
            center,
            out,
        });
    }
}

/// The pass over all vertices. A structure, because a closure would not be compiled for the selected instruction set.
pub(crate) struct Write<'a> {
    kernel: &'a SkinKernel,
    positions: &'a [Vec3],
    center: &'a Vec3,
    out: SkinPart<'a>,
}

impl WithSimd for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            kernel,
            positions,
            center,
            out,
        } = self;
        let middle = [0, 1, 2].map(|k| center[k] as f32);
        let mut moved = [Lane::default(); 6];
        for cell in &kernel.cells {
            let map = coefficients(&cell.corners, positions, center);
            for lanes in &kernel.lanes[cell.from as usize..cell.to as usize] {
                for j in 0..lanes.count.div_ceil(S::F32_LANES) {
                    deform(simd, &map, lanes, j, &mut moved);
                }
                let [x, y, z, nx, ny, nz] = &moved;
                for (l, &v) in lanes.vertex[..lanes.count].iter().enumerate() {
                    let at = [x.0[l], y.0[l], z.0[l]];
                    out.positions[v as usize] = [0, 1, 2].map(|k| at[k] + middle[k]);
                    out.normals[v as usize] = [nx.0[l], ny.0[l], nz.0[l]];
                }
            }
        }
    }
}

/// Coefficients of 1, t, u, v, tu, tv, uv, tuv (t, u, v: position in the cell), each along x, y, z.
#[inline(always)]
fn coefficients(corners: &[u32; 8], positions: &[Vec3], center: &Vec3) -> [[f32; 3]; 8] {
    // a loop, because the closure of `map` would be compiled without the selected instruction set
    let mut p = [Vec3::zeros(); 8];
    for (p, &corner) in p.iter_mut().zip(corners) {
        *p = positions[corner as usize] - center;
    }
    let (x, y, z) = (p[1] - p[0], p[2] - p[0], p[4] - p[0]);
    let (xy, xz, yz) = (p[3] - p[2] - x, p[5] - p[4] - x, p[6] - p[4] - y);
    let xyz = p[7] - p[6] - (p[5] - p[4]) - (p[3] - p[2]) + x;
    [p[0], x, y, z, xy, xz, yz, xyz].map(|c| [c.x as f32, c.y as f32, c.z as f32])
}

/// Vector `j` of positions relative to the centre, and of unit normals.
#[inline(always)]
pub(crate) fn deform<S: Simd>(
    simd: S,
    map: &[[f32; 3]; 8],
    lanes: &Lanes,
    j: usize,
    out: &mut [Lane; 6],
) {
    let load = |lane: &Lane| Pack::new(simd, packs::<S>(&lane.0, 0, LANES)[j]);
    let [t, u, v] = lanes.place.each_ref().map(load);
    let zero = Pack::splat(simd, 0.0);
    let mut x = [zero; 3];
    // columns of the Jacobian
    let mut columns = [[zero; 3]; 3];
    for k in 0..3 {
        let c = map.map(|c| Pack::splat(simd, c[k]));
        let along = c[1] + c[4] * u + (c[5] + c[7] * u) * v;
        columns[0][k] = along;
        columns[1][k] = c[2] + c[4] * t + (c[6] + c[7] * t) * v;
        columns[2][k] = c[3] + c[5] * t + (c[6] + c[7] * t) * u;
        x[k] = c[0] + c[2] * u + (c[3] + c[6] * u) * v + along * t;
    }
    let mut normal = [zero; 3];
    for (m, factor) in lanes.normal.iter().enumerate() {
        let factor = load(factor);
        let (a, b) = (&columns[(m + 1) % 3], &columns[(m + 2) % 3]);
        for (k, component) in normal.iter_mut().enumerate() {
            let (i, l) = ((k + 1) % 3, (k + 2) % 3);
            *component = *component + factor * (a[i] * b[l] - a[l] * b[i]);
        }
    }
    let squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    // with the smallest normal number a zero vector stays zero
    let least = Pack::splat(simd, f32::MIN_POSITIVE);
    let inverse = Pack::splat(simd, 1.0).over(squared.max(least).sqrt());
    let normal = normal.map(|component| component * inverse);
    for (out, value) in out.iter_mut().zip(x.iter().chain(&normal)) {
        packs_mut::<S>(&mut out.0, 0, LANES)[j] = value.value;
    }
}
