//! Elastic and viscous forces of four tetrahedra at once, lane by lane over plain arrays, which compilers turn into vector code.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;

use crate::force::ElementConstants;
use crate::force::lane_law::{LaneLaw, determinant, gradient, symmetric_product};

/// Tetrahedra of a block.
pub(super) const LANES: usize = 4;

type Lane = [f64; LANES];

/// Four tetrahedra; missing ones at the end have volume zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) nodes: [[u32; LANES]; 4],
    /// gradients of the barycentric coordinates of corners 1, 2, 3, component by component
    gradients: [Lane; 9],
    volume: Lane,
}

/// What a block reports besides its forces.
pub(super) struct BlockResult {
    pub(super) power: f64,
    pub(super) smallest_determinant: f64,
}

impl Block {
    /// Packs up to four tetrahedra.
    pub(super) fn pack(tets: &[[u32; 4]], shapes: &[ShapeGradients]) -> Self {
        let mut block = Self {
            nodes: [[0; LANES]; 4],
            gradients: [[0.0; LANES]; 9],
            volume: [0.0; LANES],
        };
        for (lane, (tet, shape)) in tets.iter().zip(shapes).take(LANES).enumerate() {
            for (row, &node) in block.nodes.iter_mut().zip(tet) {
                row[lane] = node;
            }
            for i in 0..3 {
                for axis in 0..3 {
                    block.gradients[3 * i + axis][lane] = shape.gradients[i + 1][axis];
                }
            }
            block.volume[lane] = shape.volume;
        }
        // a missing tetrahedron repeats the first one with a volume of zero, so that its numbers stay finite
        for lane in tets.len().min(LANES)..LANES {
            for row in &mut block.nodes {
                row[lane] = row[0];
            }
            for row in &mut block.gradients {
                row[lane] = row[0];
            }
        }
        block
    }

    /// Differences of the corner values to corner 0: component `axis` of corner `i + 1` at `3 i + axis`.
    #[inline(always)]
    fn edges(&self, values: &[Vec3]) -> [Lane; 9] {
        let mut d = [[0.0; LANES]; 9];
        for lane in 0..LANES {
            let origin = values[self.nodes[0][lane] as usize];
            for i in 0..3 {
                let edge = values[self.nodes[i + 1][lane] as usize] - origin;
                for axis in 0..3 {
                    d[3 * i + axis][lane] = edge[axis];
                }
            }
        }
        d
    }

    /// Writes `4 LANES` corner forces, tetrahedron by tetrahedron.
    #[inline(always)]
    #[allow(non_snake_case)]
    pub(super) fn forces<L: LaneLaw, const DAMPED: bool>(
        &self,
        law: &L,
        constants: &ElementConstants,
        positions: &[Vec3],
        velocities: &[Vec3],
        slots: &mut [Vec3],
    ) -> BlockResult {
        let (phi, psi) = (constants.damping.phi, constants.damping.psi);
        let d = self.edges(positions);
        let w = if DAMPED {
            self.edges(velocities)
        } else {
            [[0.0; LANES]; 9]
        };
        let mut out = [[0.0; LANES]; 9];
        let mut power = [0.0; LANES];
        let mut volume_ratio = [0.0; LANES];
        for lane in 0..LANES {
            let g: [f64; 9] = std::array::from_fn(|k| self.gradients[k][lane]);
            let F = gradient(&std::array::from_fn(|k| d[k][lane]), &g);
            let J = determinant(&F);
            volume_ratio[lane] = J;
            let mut P = law.stress(&F, J);
            if DAMPED {
                let rate = gradient(&std::array::from_fn(|k| w[k][lane]), &g);
                // Ė = sym(Fᵀ Ḟ): xx, yy, zz, yz, xz, xy
                let column = |i: usize, j: usize| {
                    F[i] * rate[j] + F[3 + i] * rate[3 + j] + F[6 + i] * rate[6 + j]
                };
                let e = [
                    column(0, 0),
                    column(1, 1),
                    column(2, 2),
                    0.5 * (column(1, 2) + column(2, 1)),
                    0.5 * (column(0, 2) + column(2, 0)),
                    0.5 * (column(0, 1) + column(1, 0)),
                ];
                let trace = e[0] + e[1] + e[2];
                let square = e[0] * e[0]
                    + e[1] * e[1]
                    + e[2] * e[2]
                    + 2.0 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
                power[lane] = self.volume[lane] * (phi * trace * trace + 2.0 * psi * square);
                let viscous = symmetric_product(&F, phi * trace, 2.0 * psi, &e);
                for k in 0..9 {
                    P[k] += viscous[k];
                }
            }
            // f_i = −V P ∇L^i
            let V = -self.volume[lane];
            for i in 0..3 {
                for row in 0..3 {
                    out[3 * i + row][lane] = V
                        * (P[3 * row] * g[3 * i]
                            + P[3 * row + 1] * g[3 * i + 1]
                            + P[3 * row + 2] * g[3 * i + 2]);
                }
            }
        }
        for (lane, corner) in slots.chunks_exact_mut(4).enumerate() {
            let f: [Vec3; 3] = std::array::from_fn(|i| {
                Vec3::new(out[3 * i][lane], out[3 * i + 1][lane], out[3 * i + 2][lane])
            });
            corner[0] = -(f[0] + f[1] + f[2]);
            corner[1..4].copy_from_slice(&f);
        }
        BlockResult {
            power: power[0] + power[1] + power[2] + power[3],
            smallest_determinant: volume_ratio.into_iter().fold(f64::INFINITY, f64::min),
        }
    }
}
