//! Rows of points inside a body of boundary elements, by Somigliana's identity on the solved columns.
//!
//! The response of the surface to a load at a point takes one more right-hand side, Kelvin's solution at the nodes. With collocation, rows and columns differ by a
//! few percent, as compliances do. Their mean is stored, so that no cycle of loads yields energy. The displacement of a point under a load on itself is
//! singular: Kelvin's part of it is left out.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use crate::asset::PointRows;
use crate::asset::inside::{InsidePoint, NO_STRESS, NamedPoint, PointResponse, add_stress};
use crate::bake::from_bem::dense_system::{DenseSystem, Solutions};
use crate::boundary_elements::Kelvin;
use crate::boundary_elements::interior::{PointIntegrals, integrals, winding_number};
use crate::error::BakeError;

/// The points of a body, and the integrals over the surface seen from each.
pub(super) struct InsideIntegrals<'a> {
    points: &'a [NamedPoint],
    kelvin: Kelvin,
    integrals: Vec<PointIntegrals>,
    /// collocation points of the system, m
    sources: Vec<Vec3>,
}

/// The solved system that rows are made from.
pub(super) struct SolvedSystem<'a> {
    pub solver: &'a DenseSystem,
    /// solutions for a unit load on each point
    pub loaded: &'a [Solutions],
    /// solution for a unit body force
    pub body_force: &'a Solutions,
    pub free: &'a [u32],
    pub is_held: &'a (dyn Fn(u32) -> bool + Sync),
    /// nodes of each support
    pub held: &'a [Vec<u32>],
    /// traction area of each node, m²
    pub areas: &'a [f64],
    pub shear: f64,
    pub density: f64,
    pub length: f64,
    /// area vectors of the free nodes, m², of a body that keeps its volume
    pub volume: Option<&'a [Vec3]>,
}

impl<'a> InsideIntegrals<'a> {
    /// Integrates over the surface. `node_of` is that of [`integrals`], and `sources` are the positions of the nodes.
    ///
    /// # Errors
    /// [`BakeError::PointOutside`], [`BakeError::NearBoundary`].
    pub fn new(
        surface: &SurfaceMesh,
        kelvin: Kelvin,
        points: &'a [NamedPoint],
        sources: Vec<Vec3>,
        node_of: impl Fn(usize, usize) -> (u32, bool),
    ) -> Result<Self, BakeError> {
        let tree = TriangleTree::new(&surface.positions, &surface.triangles);
        let mut all = Vec::with_capacity(points.len());
        for named in points {
            let closest = tree.closest(&named.point);
            let (distance, needed) = closest.map_or((f64::INFINITY, 0.0), |found| {
                let [a, b, c] = surface.corners(found.triangle as usize);
                let perimeter = (b - a).norm() + (c - b).norm() + (a - c).norm();
                (found.distance_squared.sqrt(), perimeter / 6.0)
            });
            if winding_number(surface, &named.point) < 0.5 {
                return Err(BakeError::PointOutside {
                    name: named.name.clone(),
                    at: named.point,
                    distance,
                });
            }
            if distance < needed {
                return Err(BakeError::NearBoundary {
                    name: named.name.clone(),
                    distance,
                    needed,
                });
            }
            let nodes = sources.len();
            all.push(integrals(surface, &kelvin, &named.point, nodes, &node_of));
        }
        Ok(Self {
            points,
            kelvin,
            integrals: all,
            sources,
        })
    }

    /// Response of the surface to a unit load on each point: one solution a point.
    pub fn loaded(&self, solver: &DenseSystem, shear: f64) -> Vec<Solutions> {
        let of_point = |named: &NamedPoint| {
            let kelvin = |x: &Vec3| self.kelvin.displacement(&(x - named.point)) / shear;
            let blocks: Vec<Mat3> = self.sources.iter().map(kelvin).collect();
            solver.case(&blocks)
        };
        self.points.iter().map(of_point).collect()
    }

    /// The points before there are columns. A row of displacement is the transpose of the response to a load on the point; rows of stress
    /// are zero, because they need columns. Without columns, forces on nodes are refused.
    pub fn without_columns(&self, system: &SolvedSystem<'_>) -> Vec<InsidePoint> {
        let mut points = Vec::with_capacity(self.points.len());
        for (k, (named, own)) in self.points.iter().zip(&self.integrals).enumerate() {
            let loaded = &system.loaded[k];
            let mut displacement: Vec<Mat3> = system
                .free
                .iter()
                .map(|&v| loaded.block(v, 0).transpose())
                .collect();
            if let Some(areas) = system.volume {
                keep_volume(&mut displacement, areas);
            }
            let mut weight = system.surface_contribution(own, system.body_force, 0);
            weight.displacement += own.body_force / system.shear;
            add_stress(&mut weight.stress, &own.body_stress, 1.0);
            let of_points = self.points.iter().zip(system.loaded).enumerate();
            points.push(InsidePoint {
                named: named.clone(),
                displacement,
                stress: vec![NO_STRESS; system.free.len()],
                gravity: weight.displacement * system.density,
                gravity_stress: weight.stress.map(|row| row * system.density),
                of_points: of_points
                    .map(|(other, (source, solved))| {
                        let mut response = system.surface_contribution(own, solved, 0);
                        if other != k {
                            let r = source.point - named.point;
                            response.displacement += self.kelvin.displacement(&r) / system.shear;
                            add_stress(&mut response.stress, &self.kelvin.stress_of_force(&r), 1.0);
                        }
                        response
                    })
                    .collect(),
                support_reactions: system
                    .held
                    .iter()
                    .map(|held| system.solver.total_force(loaded, 0, held, system.shear))
                    .collect(),
            });
        }
        // responses of points to each other are reciprocal, too
        for k in 0..points.len() {
            for j in 0..=k {
                let forward = points[k].of_points[j].displacement;
                let backward = points[j].of_points[k].displacement.transpose();
                let mean = (forward + backward) * 0.5;
                points[k].of_points[j].displacement = mean;
                points[j].of_points[k].displacement = mean.transpose();
            }
        }
        points
    }

    /// Rows of each point for the free nodes from index `first` on, whose solutions are `columns`.
    pub fn rows(
        &self,
        system: &SolvedSystem<'_>,
        first: usize,
        columns: &Solutions,
    ) -> Vec<PointRows> {
        let of_point = |(own, loaded): (&PointIntegrals, &Solutions)| {
            let mut rows = PointRows::default();
            for (case, &v) in system.free[first..]
                .iter()
                .take(columns.cases())
                .enumerate()
            {
                // a force of 1 N acts by its own traction and by the response of the surface
                let by_surface = system.surface_contribution(own, columns, case);
                let area = system.areas[v as usize];
                let direct = own.displacement[v as usize] / (system.shear * area);
                let row = by_surface.displacement + direct;
                let column = loaded.block(v, 0);
                rows.displacement.push((row + column.transpose()) * 0.5);
                let mut stresses = by_surface.stress;
                let of_traction = &own.stress_of_traction[v as usize];
                add_stress(&mut stresses, of_traction, 1.0 / area);
                rows.stress.push(stresses);
            }
            rows
        };
        self.integrals
            .iter()
            .zip(system.loaded)
            .map(of_point)
            .collect()
    }

    /// Gives `points` their rows for all nodes, whose solutions are `columns`.
    pub fn fill(&self, points: &mut [InsidePoint], system: &SolvedSystem<'_>, columns: &Solutions) {
        for (point, rows) in points.iter_mut().zip(self.rows(system, 0, columns)) {
            (point.displacement, point.stress) = (rows.displacement, rows.stress);
            if let Some(areas) = system.volume {
                keep_volume(&mut point.displacement, areas);
            }
        }
    }
}

impl SolvedSystem<'_> {
    /// Displacement and stress of a point by the surface in one load case, without Kelvin's solution of the load itself.
    fn surface_contribution(
        &self,
        point: &PointIntegrals,
        solved: &Solutions,
        case: usize,
    ) -> PointResponse {
        let mut sum = PointResponse {
            displacement: Mat3::zeros(),
            stress: NO_STRESS,
        };
        for v in 0..self.areas.len() {
            let solution = solved.block(v as u32, case);
            let (displacement, stress, scale) = if (self.is_held)(v as u32) {
                // the unknown is the traction times length over the shear modulus
                let scale = self.shear / self.length;
                let moved = point.displacement[v] / self.length;
                (moved, &point.stress_of_traction[v], scale)
            } else {
                (
                    -point.traction[v],
                    &point.stress_of_displacement[v],
                    -self.shear,
                )
            };
            sum.displacement += displacement * solution;
            for (sum, row) in sum.stress.iter_mut().zip(stress) {
                *sum += solution.tr_mul(row) * scale;
            }
        }
        sum
    }
}

/// Shifts the surface along its normals as [`super::incompressible`] does, so that a load on the point preserves the volume.
fn keep_volume(rows: &mut [Mat3], areas: &[Vec3]) {
    let normals = areas
        .iter()
        .map(|a| a.try_normalize(0.0).unwrap_or_else(Vec3::zeros));
    let normals: Vec<Vec3> = normals.collect();
    let total_area: f64 = areas.iter().zip(&normals).map(|(a, n)| a.dot(n)).sum();
    if total_area <= 0.0 {
        return;
    }
    let volume_change: Vec3 = rows.iter().zip(areas).map(|(row, a)| row * a).sum();
    for (row, normal) in rows.iter_mut().zip(&normals) {
        *row -= volume_change * normal.transpose() / total_area;
    }
}
