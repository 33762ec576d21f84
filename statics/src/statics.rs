//! Small-strain statics of a supported mesh: displacements for many loads by the Cholesky factor of its stiffness.

use faer::Mat;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use crate::cholesky::{CholeskyPattern, SparseCholesky};
use crate::free_nodes::FreeNodes;
use crate::symmetric_blocks::SymmetricBlocks;

/// Number of loads that are solved together. It is constant, so that the bits do not depend on the number of threads.
const RIGHT_HAND_SIDES: usize = 12;
/// Most entries of a factor (1 GB); larger ones are not computed.
const MAX_FACTOR_VALUES: usize = 125_000_000;

/// The small-strain stiffness of a mesh between its free nodes, with the pattern of its factor. A new one has no stiffness: add that of each element.
pub struct Statics {
    free: FreeNodes,
    stiffness: SymmetricBlocks,
    pattern: CholeskyPattern,
}

impl Statics {
    /// The pattern of a mesh of elements with `N` nodes; `held` says for each node whether a support holds it. `None` where nothing is free, or the factor would have more than 1 GB.
    pub fn new<const N: usize>(held: &[bool], elements: &[[u32; N]]) -> Option<Self> {
        let free = FreeNodes::new(held.len(), |node| !held[node]);
        if free.is_empty() {
            return None;
        }
        let stiffness = SymmetricBlocks::zeros(elements.iter().map(<[u32; N]>::as_slice), &free);
        let pattern = CholeskyPattern::new(&stiffness).ok()?;
        (pattern.numbers() <= MAX_FACTOR_VALUES).then_some(Self {
            free,
            stiffness,
            pattern,
        })
    }

    /// Sets all stiffness to zero.
    pub fn clear(&mut self) {
        self.stiffness.clear();
    }

    /// Adds a block of stiffness (N/m) between two nodes of an element. Blocks of held nodes, and those of the upper triangle, are ignored.
    pub fn add(&mut self, row: u32, column: u32, block: &Mat3) {
        if let (Some(i), Some(j)) = (self.free.get(row), self.free.get(column)) {
            self.stiffness.add(i, j, block);
        }
    }

    /// Adds `factor` times the small-strain stiffness of a linear tetrahedron.
    pub fn add_linear(
        &mut self,
        tet: &[u32; 4],
        shape: &ShapeGradients,
        lame: &LameParameters,
        factor: f64,
    ) {
        for (a, &i) in tet.iter().enumerate() {
            for (b, &j) in tet.iter().enumerate() {
                let block = linear_stiffness_block(shape, lame, a, b) * factor;
                self.add(i, j, &block);
            }
        }
    }

    /// Displacements of all nodes (m) for each of some loads, which are forces on all nodes (N); `None` where the stiffness is not positive definite, because some part is not supported.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    pub fn solve(
        &self,
        loads: &[Vec<Vec3>],
        progress: &Progress,
    ) -> Result<Option<Vec<Vec<Vec3>>>, Cancelled> {
        let Some(factor) = self.factorise(progress)? else {
            return Ok(None);
        };
        let solve = |loads: &[Vec<Vec3>]| -> Result<Vec<Vec<Vec3>>, Cancelled> {
            progress.check()?;
            Ok(factor.solve(loads))
        };
        let parts: Result<Vec<_>, Cancelled> =
            loads.par_chunks(RIGHT_HAND_SIDES).map(solve).collect();
        Ok(Some(parts?.into_iter().flatten().collect()))
    }

    /// The factor of the present stiffness, for repeated solutions; `None` where the stiffness is not positive definite.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    pub fn factorise(&self, progress: &Progress) -> Result<Option<Factor<'_>>, Cancelled> {
        progress.check()?;
        let factor = self.pattern.factor(&self.stiffness).ok();
        Ok(factor.map(|factor| Factor {
            statics: self,
            factor,
        }))
    }

    /// As [`Statics::factorise`], with the pattern, for a body that keeps its factor.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    pub fn into_factor(self, progress: &Progress) -> Result<Option<OwnedFactor>, Cancelled> {
        progress.check()?;
        let factor = self.pattern.factor(&self.stiffness).ok();
        let values = factor.map(SparseCholesky::into_values);
        Ok(values.map(|values| OwnedFactor {
            size: self.stiffness.size(),
            free: self.free,
            pattern: self.pattern,
            values,
        }))
    }
}

/// A factorised stiffness.
pub struct Factor<'a> {
    statics: &'a Statics,
    factor: SparseCholesky<'a>,
}

impl Factor<'_> {
    /// Displacements of all nodes (m) for each of some loads (nodal forces, N), which are solved together on one thread.
    pub fn solve(&self, loads: &[Vec<Vec3>]) -> Vec<Vec<Vec3>> {
        let Statics {
            free, stiffness, ..
        } = self.statics;
        solve(&self.factor, free, stiffness.size(), loads)
    }
}

/// A factorised stiffness that does not need its [`Statics`] any more.
#[derive(Debug)]
pub struct OwnedFactor {
    free: FreeNodes,
    /// number of scalar unknowns
    size: usize,
    pattern: CholeskyPattern,
    values: Vec<f64>,
}

impl OwnedFactor {
    /// See [`Factor::solve`].
    pub fn solve(&self, loads: &[Vec<Vec3>]) -> Vec<Vec<Vec3>> {
        let factor = self.pattern.with_values(&self.values);
        solve(&factor, &self.free, self.size, loads)
    }
}

/// Displacements of all nodes (m) for each of some loads (nodal forces, N) by a factor with `size` unknowns.
fn solve(
    factor: &SparseCholesky<'_>,
    free: &FreeNodes,
    size: usize,
    loads: &[Vec<Vec3>],
) -> Vec<Vec<Vec3>> {
    let entry = |row: usize, column: usize| {
        let force: &Vec3 = &loads[column][free.nodes[row / 3] as usize];
        force[row % 3]
    };
    let mut x = Mat::<f64>::from_fn(size, loads.len(), entry);
    factor.solve_once(&mut x);
    let column = |k: usize| {
        let mut all = vec![Vec3::zeros(); free.index_of_node.len()];
        for (i, &node) in free.nodes.iter().enumerate() {
            all[node as usize] = Vec3::from_fn(|axis, _| x[(3 * i + axis, k)]);
        }
        all
    };
    (0..loads.len()).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn a_column_under_tension_is_extended_by_force_over_stiffness() {
        let size = Vec3::new(0.1, 0.4, 0.1);
        let mesh = box_tets(size, [2, 8, 2], CellStyle::Kuhn);
        let foot = mesh.bounds().min.y + 1e-9;
        let top = mesh.bounds().max.y - 1e-9;
        let held: Vec<bool> = mesh.nodes.iter().map(|x| x.y < foot).collect();
        let mut statics = Statics::new(&held, &mesh.tets).expect("free nodes");
        let lame = LameParameters {
            lambda: 0.0,
            mu: 5e3,
        };
        for (t, tet) in mesh.tets.iter().enumerate() {
            let shape = ShapeGradients::new(mesh.corners(t)).expect("volume");
            statics.add_linear(tet, &shape, &lame, 1.0);
        }
        // uniform tension on the end face; Poisson's ratio is zero, so that the strain is the same everywhere
        let boundary = mesh.boundary();
        let mut load = vec![Vec3::zeros(); mesh.nodes.len()];
        for triangle in &boundary.surface.triangles {
            let nodes = triangle.map(|v| boundary.node_of_vertex[v as usize] as usize);
            let [a, b, c] = nodes.map(|n| mesh.nodes[n]);
            if nodes.iter().all(|&n| mesh.nodes[n].y > top) {
                let area = 0.5 * (b - a).cross(&(c - a)).norm();
                for n in nodes {
                    load[n] += Vec3::y() * (area / 3.0);
                }
            }
        }
        let loads = vec![load.clone(), load];
        let moved = statics.solve(&loads, &Progress::new());
        let moved = moved.expect("not cancelled").expect("held");
        assert_eq!(moved[0], moved[1]);
        let alone = statics.into_factor(&Progress::new());
        let alone = alone.expect("not cancelled").expect("held");
        assert_eq!(alone.solve(&loads), moved, "the same bits");
        // one pascal of tension over E = 10 kPa, times the length
        for (u, x) in moved[0].iter().zip(&mesh.nodes) {
            let expected = if x.y > top { 0.4 / 1e4 } else { continue };
            assert!((u - Vec3::y() * expected).norm() < 1e-12 * 0.4);
        }
        let free = vec![false; mesh.nodes.len()];
        let unsupported = Statics::new(&free, &mesh.tets).expect("free nodes");
        assert!(
            unsupported
                .solve(&loads, &Progress::new())
                .expect("ends")
                .is_none()
        );
    }
}
