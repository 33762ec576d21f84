//! Bodies for the tests of split cells.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};

/// A box between two corners.
pub(crate) fn block(low: [f64; 3], high: [f64; 3]) -> SurfaceMesh {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let mut surface = box_surface(high - low, [3, 2, 4], CellStyle::Kuhn);
    for p in &mut surface.positions {
        *p += (low + high) * 0.5;
    }
    surface
}

pub(crate) fn merged(parts: &[SurfaceMesh]) -> SurfaceMesh {
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    for part in parts {
        let offset = all.positions.len() as u32;
        all.positions.extend(&part.positions);
        all.triangles
            .extend(part.triangles.iter().map(|t| t.map(|v| v + offset)));
    }
    all
}

pub(crate) fn inside_out(mut surface: SurfaceMesh) -> SurfaceMesh {
    for t in &mut surface.triangles {
        t.swap(0, 1);
    }
    surface
}

/// A closed prism along z over a polygon, counter-clockwise, in the plane; `caps` are the triangles of its inside.
pub(crate) fn prism(outline: &[[f64; 2]], caps: &[[u32; 3]], z: [f64; 2]) -> SurfaceMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |p| Vec3::new(p[0], p[1], z));
    let mut surface = SurfaceMesh::new(at(z[0]).chain(at(z[1])).collect(), Vec::new());
    for k in 0..n {
        let next = (k + 1) % n;
        surface.triangles.push([k, next, next + n]);
        surface.triangles.push([k, next + n, k + n]);
    }
    for &[a, b, c] in caps {
        surface.triangles.push([a, c, b]);
        surface.triangles.push([a + n, b + n, c + n]);
    }
    surface
}

/// Two prongs along x with a gap of `gap` between them, joined at x < 2: a body with a slit.
pub(crate) fn fork(gap: f64) -> SurfaceMesh {
    let (a, b) = (1.53 - 0.5 * gap, 1.53 + 0.5 * gap);
    let outline = [
        [0.0, 0.0],
        [8.1, 0.0],
        [8.1, a],
        [2.05, a],
        [2.05, b],
        [8.1, b],
        [8.1, 3.1],
        [0.0, 3.1],
    ];
    let caps = [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 7],
        [4, 5, 6],
        [4, 6, 7],
    ];
    prism(&outline, &caps, [0.0, 2.2])
}

pub(crate) fn sphere(radius: f64, cells: usize) -> SurfaceMesh {
    let mut surface = box_surface(Vec3::repeat(2.0), [cells; 3], CellStyle::Alternating);
    for p in &mut surface.positions {
        *p = p.normalize() * radius;
    }
    surface
}
