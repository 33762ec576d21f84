//! A body of the size of the rabbit of James and Pai (2003): a subdivided icosahedron with a head, two ears, a tail and feet.

use std::sync::Arc;

use pliant_compression::CompressionError;
use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::material::Material;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Selection;

use crate::greens::wavelets::SubdividedBoundary;

/// Faces of the icosahedron of [`corners`].
const FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// Bumps of the body: direction, height over the mean radius and width. No plane mirrors them.
const BUMPS: [([f64; 3], f64, f64); 6] = [
    ([0.6, 0.8, 0.0], 0.55, 0.35),
    ([0.5, 0.8, -0.33], 0.75, 0.14),
    ([0.47, 0.8, 0.37], 0.65, 0.15),
    ([-1.0, -0.1, 0.1], 0.25, 0.25),
    ([0.4, -0.6, -0.6], 0.25, 0.24),
    ([0.45, -0.55, 0.6], 0.28, 0.26),
];

/// Cosine around the lowest face within which vertices are held: it leaves 9 of the 12 base vertices free, as in the paper.
const HELD_COSINE: f64 = 0.70;

/// Mean radius, m.
const RADIUS: f64 = 0.1;

/// The body on its support, its boundary and the levels of the boundary.
#[derive(Debug, Clone)]
pub struct SubdividedRabbit {
    /// Skin, support and material; without tetrahedra.
    pub geometry: BodyGeometry,
    /// The levels.
    pub hierarchy: SubdivisionHierarchy,
    /// Whether each vertex is free.
    pub free: Vec<bool>,
}

impl SubdividedRabbit {
    /// 12, 42, 162, 642, 2,562, ... vertices at `levels` 0, 1, 2, 3, 4, ...
    ///
    /// # Errors
    /// None for levels below 13; see [`SubdivisionHierarchy::subdivided`].
    pub fn new(levels: usize) -> Result<Self, CompressionError> {
        let hierarchy = SubdivisionHierarchy::subdivided(12, &FACES, levels)?;
        let base = corners();
        // the middle of a face looks down
        let lowest = FACES[12].map(|v| base[v as usize]);
        let middle: Vec3 = lowest.iter().sum();
        let turn = half_turn_down(&middle.normalize());
        let directions = on_sphere(&hierarchy, base.map(|x| turn * x));
        let free: Vec<bool> = directions.iter().map(|d| -d.y < HELD_COSINE).collect();
        let vertices = 0..free.len() as u32;
        let held: Vec<u32> = vertices.filter(|&v| !free[v as usize]).collect();
        let positions = directions.iter().map(position).collect();
        let skin = Arc::new(SurfaceMesh::new(
            positions,
            hierarchy.triangles(levels).to_vec(),
        ));
        let support = SupportRegion {
            name: "foot".into(),
            selection: Selection::List(held.clone()),
            skin_vertices: held,
        };
        let geometry = BodyGeometry {
            supports: vec![support],
            ..BodyGeometry::new(skin, Material::isotropic(1e4, 0.3))
        };
        Ok(Self {
            geometry,
            hierarchy,
            free,
        })
    }

    /// The boundary, with its free vertices.
    pub fn boundary(&self) -> SubdividedBoundary<'_> {
        SubdividedBoundary {
            surface: &self.geometry.skin,
            hierarchy: &self.hierarchy,
            free: &self.free,
        }
    }
}

/// An icosahedron whose faces are split into four `levels` times, on the unit sphere.
#[cfg(test)]
pub(crate) fn icosphere(levels: usize) -> SurfaceMesh {
    let hierarchy = SubdivisionHierarchy::subdivided(12, &FACES, levels).expect("few levels");
    let positions = on_sphere(&hierarchy, corners());
    SurfaceMesh::new(positions, hierarchy.triangles(levels).to_vec())
}

/// The unit vector of each vertex; a new one is halfway between its parents.
fn on_sphere(hierarchy: &SubdivisionHierarchy, base: [Vec3; 12]) -> Vec<Vec3> {
    let mut directions = base.to_vec();
    for level in 1..=hierarchy.finest() {
        for &[a, b] in hierarchy.parents(level) {
            directions.push((directions[a as usize] + directions[b as usize]).normalize());
        }
    }
    directions
}

/// The half turn that takes a unit vector to -y.
fn half_turn_down(direction: &Vec3) -> Mat3 {
    // a half turn about the bisector exchanges both vectors; a vector that points up has no bisector
    let bisector = (direction - Vec3::y())
        .try_normalize(1e-9)
        .unwrap_or_else(Vec3::x);
    bisector * bisector.transpose() * 2.0 - Mat3::identity()
}

/// Vertices of an icosahedron on the unit sphere.
fn corners() -> [Vec3; 12] {
    let t = 0.5 * (1.0 + 5.0_f64.sqrt());
    [
        [-1.0, t, 0.0],
        [1.0, t, 0.0],
        [-1.0, -t, 0.0],
        [1.0, -t, 0.0],
        [0.0, -1.0, t],
        [0.0, 1.0, t],
        [0.0, -1.0, -t],
        [0.0, 1.0, -t],
        [t, 0.0, -1.0],
        [t, 0.0, 1.0],
        [-t, 0.0, -1.0],
        [-t, 0.0, 1.0],
    ]
    .map(|x| Vec3::from(x).normalize())
}

/// Position of the surface of the body in a direction, m.
fn position(direction: &Vec3) -> Vec3 {
    let bump = |(at, height, width): &([f64; 3], f64, f64)| {
        let d = direction - Vec3::from(*at).normalize();
        height * (-d.norm_squared() / (2.0 * width * width)).exp()
    };
    let radius = RADIUS * (1.0 + BUMPS.iter().map(bump).sum::<f64>());
    Vec3::new(direction.x, direction.y, 0.85 * direction.z) * radius
}
