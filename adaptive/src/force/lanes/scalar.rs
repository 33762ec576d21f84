//! The explicit step of St. Venant–Kirchhoff tetrahedra as a plain loop in single precision: one tetrahedron after the other, forces added at once.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::LameParameters;
use pliant_core::mesh::TetMesh;

/// A mesh for the plain loop.
#[derive(Debug, Clone)]
pub struct ScalarForces {
    tets: Vec<[u32; 4]>,
    /// three shape gradients (1/m) and the volume (m³)
    shapes: Vec<([[f32; 3]; 3], f32)>,
    lambda: f32,
    mu: f32,
}

impl ScalarForces {
    /// Takes the tetrahedra of `mesh` in their order.
    pub fn new(mesh: &TetMesh, shapes: &[ShapeGradients], lame: &LameParameters) -> Self {
        let narrow = |s: &ShapeGradients| {
            let row = |k: usize| [0, 1, 2].map(|c| s.gradients[k][c] as f32);
            ([row(1), row(2), row(3)], s.volume as f32)
        };
        Self {
            tets: mesh.tets.clone(),
            shapes: shapes.iter().map(narrow).collect(),
            lambda: lame.lambda as f32,
            mu: lame.mu as f32,
        }
    }

    /// Forces (N) at `displacements` (m).
    pub fn evaluate(&self, displacements: &[[f32; 3]], forces: &mut [[f32; 3]]) {
        forces.fill([0.0; 3]);
        for (tet, (g, volume)) in self.tets.iter().zip(&self.shapes) {
            let u = tet.map(|n| displacements[n as usize]);
            let mut h = [[0.0_f32; 3]; 3];
            for (r, row) in h.iter_mut().enumerate() {
                for (c, entry) in row.iter_mut().enumerate() {
                    for k in 0..3 {
                        *entry += (u[k + 1][r] - u[0][r]) * g[k][c];
                    }
                }
            }
            let mut s = [[0.0_f32; 3]; 3];
            let mut trace = 0.0;
            for i in 0..3 {
                for j in 0..3 {
                    let product = h[0][i] * h[0][j] + h[1][i] * h[1][j] + h[2][i] * h[2][j];
                    // 2 E
                    s[i][j] = h[i][j] + h[j][i] + product;
                }
                trace += 0.5 * s[i][i];
            }
            for (i, row) in s.iter_mut().enumerate() {
                for entry in row.iter_mut() {
                    *entry *= self.mu;
                }
                row[i] += self.lambda * trace;
            }
            let mut p = s;
            for i in 0..3 {
                for j in 0..3 {
                    for (k, row) in s.iter().enumerate() {
                        p[i][j] += h[i][k] * row[j];
                    }
                }
            }
            let mut first = [0.0_f32; 3];
            for k in 0..3 {
                let at = &mut forces[tet[k + 1] as usize];
                for r in 0..3 {
                    let f = -volume * (p[r][0] * g[k][0] + p[r][1] * g[k][1] + p[r][2] * g[k][2]);
                    at[r] += f;
                    first[r] -= f;
                }
            }
            for (slot, f) in forces[tet[0] as usize].iter_mut().zip(first) {
                *slot += f;
            }
        }
    }
}
