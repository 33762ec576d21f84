//! The reference of the fit: the same body of quadratic tetrahedra under the same pushes.

use pliant_core::asset::{BodyGeometry, Cancelled, Progress};
use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::quadratic::quadratic_shape_functions;
use pliant_core::math::Vec3;
use pliant_core::math::tangents::tangents;
use pliant_core::mesh::{QuadraticTetMesh, SurfaceMesh, TetMesh, TriangleTree};
use pliant_statics::Statics;
use pliant_statics::quadratic::{assemble, held_nodes};
use rayon::prelude::*;

/// Loads, and their work and displacements.
pub(super) struct Reference {
    /// three at each point
    pub pushes: Vec<Push>,
    /// of each push, J: force times displacement
    pub works: Vec<f64>,
    /// displacements of the corners under each load, m
    pub displacements: Vec<Vec<Vec3>>,
}

/// A mesh of the body with its supports.
pub(super) struct Solid<'a> {
    pub mesh: &'a TetMesh,
    pub shapes: Vec<ShapeGradients>,
    pub held: Vec<bool>,
}

impl<'a> Solid<'a> {
    /// `None` for a mesh with a tetrahedron without volume.
    pub fn new(mesh: &'a TetMesh, geometry: &BodyGeometry) -> Option<Self> {
        let all = 0..mesh.tets.len();
        let shapes: Option<Vec<ShapeGradients>> =
            all.map(|t| ShapeGradients::new(mesh.corners(t))).collect();
        let mut held = vec![false; mesh.nodes.len()];
        let spacing = mesh.mean_edge();
        for support in &geometry.supports {
            for n in support.nodes(&mesh.nodes, spacing, &geometry.skin) {
                held[n as usize] = true;
            }
        }
        Some(Self {
            mesh,
            shapes: shapes?,
            held,
        })
    }

    /// Which nodes of the quadratic mesh are held. Edge nodes are tested at their own positions: where elements reach across the end of a support, this halves the error of its end.
    fn held_with_middles(&self, mesh: &QuadraticTetMesh, geometry: &BodyGeometry) -> Vec<bool> {
        let mut held = self.held.clone();
        held.resize(mesh.nodes.len(), false);
        let middles = &mesh.nodes[mesh.corner_count..];
        let spacing = 0.5 * self.mesh.mean_edge();
        for support in &geometry.supports {
            for n in support.nodes(middles, spacing, &geometry.skin) {
                held[mesh.corner_count + n as usize] = true;
            }
        }
        // nodes between two held corners are held, too
        let rigid = held_nodes(mesh, &self.held);
        held.iter_mut()
            .zip(rigid)
            .for_each(|(held, rigid)| *held |= rigid);
        held
    }

    /// Vertices of the skin by farthest-point sampling: each is as far as possible from those before it and from held nodes.
    fn farthest_points(&self, skin: &SurfaceMesh, count: usize) -> Vec<u32> {
        let vertices = &skin.positions;
        let mut distance = vec![f64::INFINITY; vertices.len()];
        let update_distances = |from: &Vec3, distance: &mut [f64]| {
            for (d, x) in distance.iter_mut().zip(vertices) {
                *d = d.min((x - from).norm_squared());
            }
        };
        let nodes = self.held.iter().zip(&self.mesh.nodes);
        for (_, x) in nodes.filter(|(held, _)| **held) {
            update_distances(x, &mut distance);
        }
        let mut places = Vec::new();
        while places.len() < count.min(vertices.len()) {
            let all = 0..vertices.len();
            let farthest = all.max_by(|&a, &b| distance[a].total_cmp(&distance[b]).then(b.cmp(&a)));
            let Some(farthest) = farthest.filter(|&n| distance[n] > 0.0) else {
                break;
            };
            places.push(farthest as u32);
            update_distances(&vertices[farthest], &mut distance);
        }
        places
    }
}

/// Nodes of a quadratic mesh for each vertex of the skin, with the values of their shape functions at the nearest point of the mesh.
fn attach(
    skin: &SurfaceMesh,
    mesh: &TetMesh,
    quadratic: &QuadraticTetMesh,
) -> Vec<([u32; 10], [f64; 10])> {
    let boundary = mesh.boundary();
    let tree = TriangleTree::new(&boundary.surface.positions, &boundary.surface.triangles);
    let of_vertex = |x: &Vec3| {
        let Some(closest) = tree.closest(x) else {
            return ([0; 10], [0.0; 10]);
        };
        let tet = boundary.tet_of_triangle[closest.triangle as usize] as usize;
        let corners = boundary.surface.triangles[closest.triangle as usize];
        let mut at = [0.0; 4];
        for (v, w) in corners.into_iter().zip(closest.weights) {
            let node = boundary.node_of_vertex[v as usize];
            for (at, corner) in at.iter_mut().zip(mesh.tets[tet]) {
                if corner == node {
                    *at = w;
                }
            }
        }
        (quadratic.tets[tet], quadratic_shape_functions(at))
    };
    skin.positions.par_iter().map(of_vertex).collect()
}

impl Reference {
    /// Pushes of one newton at `count` points, distributed as Gaussians of this `width` (m); `None` if a part of the body has no support.
    pub fn new(
        solid: &Solid<'_>,
        geometry: &BodyGeometry,
        (count, width): (usize, f64),
        progress: &Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let lame = geometry.material.lame();
        let mesh = QuadraticTetMesh::new(solid.mesh);
        let held = solid.held_with_middles(&mesh, geometry);
        let Some(mut statics) = Statics::new(&held, &mesh.tets) else {
            return Ok(None);
        };
        assemble(&mut statics, &mesh, solid.shapes.iter(), &lame);
        let skin = &geometry.skin;
        let attached = attach(skin, solid.mesh, &mesh);
        let pushes = pushes(skin, &solid.farthest_points(skin, count), width);
        let load_of = |push: &Push| {
            let mut load = vec![Vec3::zeros(); mesh.nodes.len()];
            for (v, force) in &push.forces {
                let (nodes, values) = &attached[*v as usize];
                for (&n, value) in nodes.iter().zip(values) {
                    load[n as usize] += force * *value;
                }
            }
            load
        };
        let loads: Vec<Vec<Vec3>> = pushes.iter().map(load_of).collect();
        let Some(mut displacements) = statics.solve(&loads, progress)? else {
            return Ok(None);
        };
        let work = |(f, u): (&Vec<Vec3>, &Vec<Vec3>)| f.iter().zip(u).map(|(f, u)| f.dot(u)).sum();
        let works = loads.iter().zip(&displacements).map(work).collect();
        for u in &mut displacements {
            u.truncate(mesh.corner_count);
        }
        Ok(Some(Self {
            works,
            pushes,
            displacements,
        }))
    }
}

/// Directions of pushes at each point; the first is inwards.
pub(super) const DIRECTIONS: usize = 3;
/// Radius of a push, widths.
const REACH: f64 = 3.5;

/// A distributed load on the skin: forces on some of its vertices, N.
pub(super) struct Push {
    pub forces: Vec<(u32, Vec3)>,
}

/// Three pushes of this `width` (m) at each vertex of `places`: inwards and along the skin.
fn pushes(skin: &SurfaceMesh, places: &[u32], width: f64) -> Vec<Push> {
    let (areas, normals) = (skin.nodal_areas(), skin.vertex_normals());
    let of_place = |&place: &u32| {
        let middle = skin.positions[place as usize];
        let weight = |v: usize| {
            let x = &skin.positions[v];
            areas[v] * (-0.5 * ((x - middle) / width).norm_squared()).exp()
        };
        let near = (0..skin.vertex_count())
            .filter(|&v| (skin.positions[v] - middle).norm() < REACH * width);
        let weights: Vec<(u32, f64)> = near.map(|v| (v as u32, weight(v))).collect();
        let total: f64 = weights.iter().map(|(_, w)| w).sum();
        let inwards: Vec3 = weights
            .iter()
            .map(|(v, w)| normals[*v as usize] * -*w)
            .sum();
        let inwards = inwards.try_normalize(1e-12).unwrap_or(Vec3::y());
        let [across, along] = tangents(&inwards);
        [inwards, across, along].map(|axis| Push {
            forces: weights
                .iter()
                .map(|(v, w)| (*v, axis * (w / total)))
                .collect(),
        })
    };
    places.iter().flat_map(of_place).collect()
}
