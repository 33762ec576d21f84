//! Closed surfaces for tests, and what many tests assert.

use std::f64::consts::TAU;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets, octahedron};
use pliant_core::mesh::{SurfaceMesh, TetMesh, VertexGroup};

use crate::remeshing::subdivide::EdgeTable;

/// Octahedron subdivided `levels` times on the unit sphere: 8·4^levels triangles.
pub fn sphere(levels: usize) -> SurfaceMesh {
    let mut surface = octahedron();
    for _ in 0..levels {
        let count = surface.vertex_count();
        let table = EdgeTable::new(count, &surface.triangles);
        for ends in &table.ends {
            let [p, q] = ends.map(|v| surface.positions[v as usize]);
            surface.positions.push((p + q).normalize());
        }
        surface.triangles = table.split(count, &surface.triangles);
    }
    surface
}

/// The surface of a box of `cells` a side, projected onto a sphere of `radius`.
pub fn ball(radius: f64, cells: usize) -> SurfaceMesh {
    let cube = box_surface(Vec3::repeat(2.0), [cells; 3], CellStyle::Alternating);
    mapped(cube, |p| p.normalize() * radius)
}

/// Torus around z with radii 1 and `tube`.
pub fn torus(tube: f64, around: u32, along: u32) -> SurfaceMesh {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..along {
            let (u, v) = (
                TAU * f64::from(i) / f64::from(around),
                TAU * f64::from(j) / f64::from(along),
            );
            let r = 1.0 + tube * v.cos();
            positions.push(Vec3::new(r * u.cos(), r * u.sin(), tube * v.sin()));
            let at = |i: u32, j: u32| (i % around) * along + j % along;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    SurfaceMesh::new(positions, triangles)
}

/// The cells of a box whose centres satisfy `keep`.
pub fn blocks(size: Vec3, cells: [usize; 3], keep: impl Fn(Vec3) -> bool) -> SurfaceMesh {
    let mesh = box_tets(size, cells, CellStyle::Kuhn);
    let cell = Vec3::from([0, 1, 2].map(|a| size[a] / cells[a] as f64));
    let center_of_cell = |t: &[u32; 4]| {
        // all tetrahedra of a Kuhn cell share its main diagonal
        let low = t.iter().fold(size, |m, &v| m.inf(&mesh.nodes[v as usize]));
        low + cell * 0.5
    };
    let tets = mesh
        .tets
        .iter()
        .filter(|t| keep(center_of_cell(t)))
        .copied()
        .collect();
    TetMesh {
        nodes: mesh.nodes.clone(),
        tets,
    }
    .boundary()
    .surface
}

/// A U of square section: legs 1 m long, 0.3 m thick, 0.4 m apart.
pub fn u_shape() -> SurfaceMesh {
    blocks(Vec3::new(1.0, 1.0, 0.3), [10, 10, 3], |x| {
        x.x.abs() > 0.2 || x.y < -0.2
    })
}

/// Two boxes that share one edge: the surface is pinched there.
pub fn touching_boxes() -> SurfaceMesh {
    blocks(Vec3::new(1.0, 1.0, 0.5), [2, 2, 1], |x| x.x * x.y > 0.0)
}

/// A square plate whose thickness is a fiftieth of its side.
pub fn plate() -> SurfaceMesh {
    box_surface(Vec3::new(1.0, 0.02, 1.0), [10, 1, 10], CellStyle::Kuhn)
}

/// Both surfaces in one.
pub fn join(mut a: SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
    a.append(b);
    a
}

/// Both surfaces in one, the second moved by `shift`.
pub fn joined(a: &SurfaceMesh, b: &SurfaceMesh, shift: Vec3) -> SurfaceMesh {
    join(a.clone(), &mapped(b.clone(), |x| x + shift))
}

/// The surface with its vertices elsewhere.
pub fn mapped(mut surface: SurfaceMesh, map: impl Fn(Vec3) -> Vec3) -> SurfaceMesh {
    surface.positions.iter_mut().for_each(|x| *x = map(*x));
    surface
}

/// The same surface with opposite orientation.
pub fn inverted(mut surface: SurfaceMesh) -> SurfaceMesh {
    surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    surface
}

/// The vertices at places that satisfy `is_member`.
pub fn vertices_where(surface: &SurfaceMesh, is_member: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    let all = (0..).zip(&surface.positions);
    all.filter(|(_, x)| is_member(x)).map(|(v, _)| v).collect()
}

/// Makes them a group.
pub fn add_group(surface: &mut SurfaceMesh, name: &str, is_member: impl Fn(&Vec3) -> bool) {
    let vertices = vertices_where(surface, is_member);
    let name = name.into();
    surface.groups.push(VertexGroup { name, vertices });
}

/// Three vertices of its own for each triangle, as in STL.
pub fn soup(surface: &SurfaceMesh) -> SurfaceMesh {
    let positions: Vec<Vec3> = (0..surface.triangles.len())
        .flat_map(|t| surface.corners(t))
        .collect();
    let triangles = (0..surface.triangles.len() as u32)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    SurfaceMesh::new(positions, triangles)
}

/// The handle of a job that was cancelled.
pub fn cancelled() -> Progress {
    let progress = Progress::new();
    progress.cancel();
    progress
}

/// Asserts that a number differs from the expected one by less than this share of it.
#[track_caller]
pub fn assert_near(found: f64, expected: f64, share: f64) {
    let deviation = (found / expected - 1.0).abs();
    assert!(deviation < share, "{found} where {expected} is expected");
}

/// Asserts that a text contains these words.
#[track_caller]
pub fn assert_contains(text: &str, words: &str) {
    assert!(text.contains(words), "no `{words}` in: {text}");
}
