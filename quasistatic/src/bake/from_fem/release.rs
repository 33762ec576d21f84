//! Rows of the nodes of releasable supports: their stiffness, and the response of the body to their displacements.

use faer::Mat;
use pliant_core::math::{Mat3, Vec3};

use crate::asset::ReleasableSupport;
use crate::asset::inside::{PointResponse, StressRow};
use crate::bake::from_fem::inside::Location;
use crate::bake::from_fem::support_solve::SupportSolve;
use crate::bake::held_nodes::BoundaryColumns;
use crate::error::BakeError;
use crate::finite_elements::linear_system::block_of;
use crate::params::QuasistaticParams;

impl SupportSolve<'_> {
    /// Rows of the nodes of the supports that `params` calls releasable, for the free nodes `rows`; `masses` are those of all nodes, kg. Cost: three solutions for each node.
    ///
    /// # Errors
    /// [`BakeError::NoSuchSupport`]; [`BakeError::Cancelled`] by `check`.
    pub fn releasable(
        &self,
        params: &QuasistaticParams,
        columns: &BoundaryColumns,
        rows: &[usize],
        masses: &[f64],
        check: impl Fn() -> Result<(), BakeError>,
    ) -> Result<Vec<ReleasableSupport>, BakeError> {
        let names = &params.releasable;
        let locations: Vec<Location> = params
            .inside
            .iter()
            .map(|point| self.locate(point))
            .collect::<Result<_, _>>()?;
        let boundary = &columns.node_of_vertex;
        let mut list = Vec::with_capacity(names.len());
        for name in names {
            let mut supports = self.geometry.supports.iter();
            let Some(k) = supports.position(|support| support.name == *name) else {
                return Err(BakeError::NoSuchSupport { name: name.clone() });
            };
            let k = k as u32;
            let of_support = |v: &u32| columns.support_of_vertex[*v as usize] == k;
            let vertices: Vec<u32> = (0..boundary.len() as u32).filter(of_support).collect();
            let mut nodes: Vec<u32> = vertices.iter().map(|&v| boundary[v as usize]).collect();
            let mut number = vec![u32::MAX; self.system.elements.nodes.len()];
            for (c, &node) in nodes.iter().enumerate() {
                number[node as usize] = c as u32;
            }
            for (node, number) in number.iter_mut().enumerate() {
                let inner = self.held.solved[node]
                    && self.held.support_of_node[node] == k
                    && *number == u32::MAX;
                if inner {
                    *number = nodes.len() as u32;
                    nodes.push(node as u32);
                }
            }
            let mut support = ReleasableSupport {
                support: k,
                vertices,
                nodes: nodes.len() as u32,
                stiffness: vec![Mat3::zeros(); nodes.len() * nodes.len()],
                reactions: Vec::with_capacity(nodes.len() * rows.len()),
                gravity: Vec::with_capacity(nodes.len()),
                others: vec![Mat3::zeros(); nodes.len() * self.geometry.supports.len()],
                points: Vec::with_capacity(nodes.len() * locations.len()),
            };
            for (c, &node) in nodes.iter().enumerate() {
                check()?;
                let z = self.response_to_motion(|n| n == node);
                let reactions = rows.iter().map(|&i| block_of(&z, i).transpose());
                support.reactions.extend(reactions);
                let own = masses[node as usize];
                support.gravity.push(self.weight(&z, own, masses));
                self.forces_of_motion(node, &z, |other, support_of_other, force| {
                    if support_of_other == k {
                        let row = number[other as usize] as usize;
                        support.stiffness[c * nodes.len() + row] += force;
                    } else {
                        let count = self.geometry.supports.len();
                        support.others[c * count + support_of_other as usize] += force;
                    }
                });
                let motions = locations
                    .iter()
                    .map(|location| self.point_motion(node, &z, location));
                support.points.extend(motions);
            }
            list.push(support);
        }
        Ok(list)
    }

    /// Calls `add` with the contributions to the forces of supports on their nodes for a unit displacement of `node`: loaded node, its support, N/m.
    fn forces_of_motion(&self, node: u32, z: &Mat<f64>, mut add: impl FnMut(u32, u32, Mat3)) {
        let supports = self.geometry.supports.len();
        for (t, tet) in self.system.elements.tets().enumerate() {
            for (a, &other) in tet.iter().enumerate() {
                let support = self.held.support_of_node[other as usize];
                if support as usize >= supports {
                    continue;
                }
                for (b, &moved) in tet.iter().enumerate() {
                    if moved == node {
                        add(
                            other,
                            support,
                            self.system.elements.block(self.elasticity, t, a, b),
                        );
                    } else if let Some(i) = self.system.free.get(moved) {
                        let force =
                            self.system.elements.block(self.elasticity, t, a, b) * block_of(z, i);
                        add(other, support, -force);
                    }
                }
            }
        }
    }

    /// Response of a point inside to a unit displacement of the held `node`.
    fn point_motion(&self, node: u32, z: &Mat<f64>, location: &Location) -> PointResponse {
        let elements = &self.system.elements;
        let moved = elements.tet(location.tet).iter();
        let moved: Vec<Mat3> = moved
            .map(|&v| match self.system.free.get(v) {
                Some(i) => -block_of(z, i),
                None if v == node => Mat3::identity(),
                None => Mat3::zeros(),
            })
            .collect();
        let values = elements.values(location.weights);
        let displacement = moved.iter().zip(values).map(|(u, w)| u * w).sum();
        let gradients = elements.gradients(location.tet, location.weights);
        let stresses = [0, 1, 2].map(|axis| {
            let parts = moved.iter().zip(&gradients);
            let gradient = parts.map(|(u, g)| u.column(axis) * g.transpose()).sum();
            self.elasticity.stress(location.tet, &gradient)
        });
        let stress: StressRow =
            std::array::from_fn(|k| Vec3::new(stresses[0][k], stresses[1][k], stresses[2][k]));
        PointResponse {
            displacement,
            stress,
        }
    }
}
