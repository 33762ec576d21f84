//! Structured boxes of triangles and tetrahedra, and the octahedron: the bodies whose exact mesh matters for tests and papers.

use crate::math::Vec3;
use crate::mesh::{SurfaceMesh, TetMesh};

/// How each cell of a structured box is cut into tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellStyle {
    /// Six tetrahedra around one diagonal, the same in every cell (Kuhn).
    Kuhn,
    /// Kuhn with mirrored neighbours, so that the mesh has no preferred diagonal.
    Alternating,
}

/// Corners 0..7 of a cell: bit 0 = x, bit 1 = y, bit 2 = z.
const KUHN: [[usize; 4]; 6] = [
    [0, 1, 3, 7],
    [0, 1, 5, 7],
    [0, 2, 3, 7],
    [0, 2, 6, 7],
    [0, 4, 5, 7],
    [0, 4, 6, 7],
];

/// Cells an axis for a box of `size` (m) with cells of about `edge` (m): `round(size / edge)`, at least one.
pub fn box_cells(size: Vec3, edge: f64) -> [usize; 3] {
    [0, 1, 2].map(|axis| ((size[axis] / edge).round() as usize).max(1))
}

/// Tetrahedra of a box centred at the origin with `cells` cells an axis; nodes run x fastest, then y, then z.
pub fn box_tets(size: Vec3, cells: [usize; 3], style: CellStyle) -> TetMesh {
    let [nx, ny, nz] = cells;
    let node = |i: usize, j: usize, k: usize| ((k * (ny + 1) + j) * (nx + 1) + i) as u32;
    let nodes = grid_nodes(size, cells);
    let mut mesh = TetMesh {
        nodes,
        tets: Vec::with_capacity(6 * nx * ny * nz),
    };
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let mirror = match style {
                    CellStyle::Kuhn => 0,
                    CellStyle::Alternating => (i & 1) | ((j & 1) << 1) | ((k & 1) << 2),
                };
                let corner = |b: usize| {
                    let c = b ^ mirror;
                    node(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1))
                };
                for tet in KUHN {
                    let mut t = tet.map(corner);
                    let x = t.map(|v| mesh.nodes[v as usize]);
                    if (x[1] - x[0]).dot(&(x[2] - x[0]).cross(&(x[3] - x[0]))) < 0.0 {
                        t.swap(2, 3);
                    }
                    mesh.tets.push(t);
                }
            }
        }
    }
    mesh
}

/// Surface of the same box: the boundary of [`box_tets`], so that skin vertices are nodes of it exactly.
pub fn box_surface(size: Vec3, cells: [usize; 3], style: CellStyle) -> SurfaceMesh {
    box_tets(size, cells, style).boundary().surface
}

/// Nodes of the grid of a box centred at the origin, x fastest; m.
pub fn grid_nodes(size: Vec3, cells: [usize; 3]) -> Vec<Vec3> {
    let [nx, ny, nz] = cells;
    let along = |i: usize, n: usize, length: f64| length * (i as f64 / n as f64 - 0.5);
    let mut nodes = Vec::with_capacity((nx + 1) * (ny + 1) * (nz + 1));
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                nodes.push(Vec3::new(
                    along(i, nx, size.x),
                    along(j, ny, size.y),
                    along(k, nz, size.z),
                ));
            }
        }
    }
    nodes
}

/// The regular octahedron with its corners on the axes, 1 m from the origin: x, -x, y, -y, z, -z.
pub fn octahedron() -> SurfaceMesh {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let corners = axes.iter().flat_map(|a| [*a, -a]).collect();
    let mut triangles = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]];
    triangles.extend([[2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]);
    SurfaceMesh::new(corners, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::validate::topology;

    #[test]
    fn the_octahedron_is_closed_and_has_a_sixth_of_the_volume_of_its_box() {
        let surface = octahedron();
        let t = topology(&surface);
        assert!(t.is_sound());
        assert!((surface.volume() - 8.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn both_styles_fill_the_box_and_have_a_closed_surface() {
        let size = Vec3::new(0.4, 0.2, 0.3);
        for style in [CellStyle::Kuhn, CellStyle::Alternating] {
            let cells = box_cells(size, 0.1);
            assert_eq!(cells, [4, 2, 3]);
            let mesh = box_tets(size, cells, style);
            assert_eq!(mesh.nodes.len(), 5 * 3 * 4);
            assert!((mesh.volume() - 0.4 * 0.2 * 0.3).abs() < 1e-15);
            assert!((0..mesh.tets.len()).all(|t| mesh.tet_volume(t) > 0.0));
            let surface = box_surface(size, cells, style);
            let t = topology(&surface);
            assert!(t.is_sound());
            assert_eq!(t.genus(), Some(0));
            assert!((surface.area() - 2.0 * (0.08 + 0.12 + 0.06)).abs() < 1e-14);
        }
    }
}
