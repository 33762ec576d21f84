//! Numerical coarsening: a stiffness factor for every tetrahedron, with which a level answers loads like quadratic elements do.
//!
//! Linear tetrahedra answer bending with shear that the body does not have: an ear of one or two elements through its thickness is two to four times too stiff. A coarse
//! mesh may also be thicker there than the body is. One factor for a level (`level_factor.rs`) cannot tell an ear from a trunk. So each tetrahedron gets a factor on the body's
//! Lamé parameters, after the idea of numerical coarsening (Kharevych, Mullen, Owhadi, Desbrun 2009; with one scalar for each element as Nesme, Kry, Jeřábková, Faure 2009
//! do for voxels):
//!
//! 1. **Loads.** Some dozen distributed loads act all over the body, each with the shape of a Gaussian in three directions, as wide as the edges of the level.
//! 2. **Reference.** Each level with at most [`REFERENCE_NODES`] nodes is compared with quadratic tetrahedra on its own mesh. The fit removes the error of the elements:
//!    each tetrahedron gets the energy that the reference has there (`energies.rs`). The error of a coarse shape is left to the one factor of the level.
//! 3. **Finer levels** are not solved. The error of linear elements falls with the square of their edge, `1/s - 1 ∝ h²`; it is extrapolated from the tetrahedra of the coarser level.
//!
//! A level could also be compared with the next finer one and its factors. Such a chain answers small loads better, but makes up for a coarse shape by softness: where
//! ears and ankles bend far, the levels of a bunny and a penguin were 25 to 30 % too soft, against 5 to 15 % this way.
//!
//! All forces still come from one energy, so that they balance, and momenta are kept.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::quadratic::{QUADRATURE_POINTS, quadratic_shape_functions};
use pliant_core::material::{LameParameters, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::QuadraticTetMesh;
use pliant_statics::Statics;
use pliant_statics::quadratic::{
    assemble, energies_at_points, gradients_at_points, held_nodes, to_corners,
};
use rayon::prelude::*;

use crate::bake::calibration::energies::{Reference, fit_energies};
use crate::hierarchy::Level;

/// Largest number of nodes of a level on which quadratic elements are solved: they have eight times the unknowns.
pub const REFERENCE_NODES: usize = 3_500;
/// Number of points with loads, each in three directions.
const LOAD_POINTS: usize = 24;
/// Width of a load (standard deviation) over the mean edge of the level that is fitted. Narrower dents are left to refinement: otherwise the softness around them would count twice where
/// a cut is fine.
const LOAD_WIDTH: f64 = 1.2;

/// Sets [`Level::local_stiffness`] of all levels. They must be linked, and something must hold the body; otherwise nothing is done.
///
/// Cost: for each level up to that a factorisation and 72 solutions with quadratic elements, and a few times the same with linear ones.
pub(crate) fn coarsen(
    levels: &mut [Level],
    material: &Material,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let solved = levels
        .iter()
        .take_while(|level| level.node_count() <= REFERENCE_NODES)
        .count();
    let lame = material.lame();
    for (l, level) in levels[..solved].iter_mut().enumerate() {
        progress.stage(&format!("local stiffness of level {} of {solved}", l + 1));
        let reference = Reference::quadratic(level, &lame, LOAD_WIDTH * level.spacing, progress)?;
        let factors = match &reference {
            Some(reference) => fit_energies(level, &lame, reference, progress)?,
            None => None,
        };
        match factors {
            Some(factors) => level.set_local_stiffness(&factors),
            None => notes.push(format!(
                "the stiffness of level {l} is not fitted, as {}",
                match level.is_supported() {
                    true => "a part of it has no support",
                    false => "nothing holds the body",
                }
            )),
        }
    }
    for l in solved..levels.len() {
        let (coarser, finer) = levels.split_at_mut(l);
        let (Some(coarse), Some(fine)) = (coarser.last(), finer.first_mut()) else {
            continue;
        };
        let error_ratio = (fine.spacing / coarse.spacing).powi(2);
        let factors: Vec<f64> = fine
            .above
            .iter()
            .map(|places| {
                let excess = |&t: &u32| 1.0 / coarse.local_stiffness(t as usize) - 1.0;
                let mean = places.iter().map(excess).sum::<f64>() / places.len() as f64;
                1.0 / (1.0 + error_ratio * mean)
            })
            .collect();
        fine.set_local_stiffness(&factors);
    }
    Ok(())
}

impl Reference {
    /// Quadratic elements on the mesh of `level`; forces on its nodes.
    fn quadratic(
        level: &Level,
        lame: &LameParameters,
        width: f64,
        progress: &Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let mesh = QuadraticTetMesh::new(&level.mesh);
        let held = held_nodes(&mesh, &level.held_flags());
        let Some(mut statics) = Statics::new(&held, &mesh.tets) else {
            return Ok(None);
        };
        assemble(&mut statics, &mesh, level.shapes.iter(), lame);
        let shapes = QUADRATURE_POINTS.map(quadratic_shape_functions);
        let loads = distributed_loads(level, &mesh.tets, &shapes, mesh.nodes.len(), width);
        let Some(moved) = statics.solve(&loads, progress)? else {
            return Ok(None);
        };
        let energy = |t: usize| -> f64 {
            let (tet, shape) = (&mesh.tets[t], &level.shapes[t]);
            let gradients = gradients_at_points(shape);
            let of_load = |u: &Vec<Vec3>| -> f64 {
                let energies = energies_at_points(tet, &gradients, shape.volume, u, lame);
                energies.iter().sum()
            };
            moved.iter().map(of_load).sum()
        };
        Ok(Some(Self {
            energies: (0..mesh.tets.len()).into_par_iter().map(energy).collect(),
            loads: loads.iter().map(|load| to_corners(&mesh, load)).collect(),
        }))
    }
}

/// Distributed loads of one newton and of a `width` (m) at points all over the level, in three directions each, as nodal forces of elements `tets` with the values `shapes` of their
/// shape functions at the four points.
fn distributed_loads(
    level: &Level,
    tets: &[[u32; 10]],
    shapes: &[[f64; 10]; 4],
    nodes: usize,
    width: f64,
) -> Vec<Vec<Vec3>> {
    let at_point = |place: Vec3| {
        let mut weights = vec![0.0; nodes];
        for (t, (tet, shape)) in tets.iter().zip(level.shapes.iter()).enumerate() {
            let corners = level.mesh.corners(t);
            for (at, values) in QUADRATURE_POINTS.iter().zip(shapes) {
                let x: Vec3 = corners.iter().zip(at).map(|(x, l)| x * *l).sum();
                let bell = (-0.5 * ((x - place) / width).norm_squared()).exp() * shape.volume / 4.0;
                for (&n, value) in tet.iter().zip(values) {
                    weights[n as usize] += bell * value;
                }
            }
        }
        let total: f64 = weights.iter().sum();
        let load = |axis: Vec3| weights.iter().map(|w| axis * (w / total)).collect();
        [Vec3::x(), Vec3::y(), Vec3::z()].map(load)
    };
    let places = load_points(level);
    places.into_par_iter().flat_map_iter(at_point).collect()
}

/// Free nodes that are far from each other and from held nodes: each is the farthest from those before it.
fn load_points(level: &Level) -> Vec<Vec3> {
    let nodes = &level.mesh.nodes;
    let held = level.held_flags();
    let mut distance = vec![f64::INFINITY; nodes.len()];
    let shorten_distances = |from: &Vec3, distance: &mut [f64]| {
        for (d, x) in distance.iter_mut().zip(nodes) {
            *d = d.min((x - from).norm_squared());
        }
    };
    let supports = held.iter().zip(nodes).filter(|(held, _)| **held);
    for (_, x) in supports {
        shorten_distances(x, &mut distance);
    }
    let mut places = Vec::new();
    while places.len() < LOAD_POINTS.min(nodes.len()) {
        let farthest =
            (0..nodes.len()).max_by(|&a, &b| distance[a].total_cmp(&distance[b]).then(b.cmp(&a)));
        let Some(farthest) = farthest.filter(|&n| distance[n] > 0.0) else {
            break;
        };
        places.push(nodes[farthest]);
        shorten_distances(&nodes[farthest], &mut distance);
    }
    places
}
