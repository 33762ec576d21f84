//! A finished asset without one of its supports, from rows that its bake kept.
//!
//! The inverse of [`hold`](super::hold): held nodes become loaded ones (James and Pai 2003). `R_cj` is the force that holds node `c` against a unit force on
//! node `j`, and `A_cd` the force on node `c` for a unit displacement of node `d`. Released nodes move by `u_c = A⁻¹ (f_c − R f)`. The effect of these
//! displacements is added to every row. By reciprocity `−Rᵀ` is the displacement of the free nodes for displacements of the support.

use pliant_core::math::Mat3;

use crate::asset::inside::PointResponse;
use crate::asset::rebase::RebaseError;
use crate::asset::rebase::superposition::Superposition;
use crate::asset::{GreensAsset, ReleasableSupport};
use crate::capacitance::dense_lu::DenseLu;
use crate::greens::skin_rows::{NO_NODE, NO_SUPPORT, NOT_FREE};
use crate::greens::{GreensMatrix, SkinRows};

impl GreensAsset {
    /// The body without the support called `name`, which its bake kept releasable: the asset that a bake without it would give, to the rounding of the
    /// columns.
    ///
    /// The boundary vertices that it held become free boundary nodes, numbered behind those that were free before. The result cannot release another support.
    ///
    /// Cost: an LU factorisation for the nodes of the support, and their columns for every other one; no mesh and no bake.
    ///
    /// # Errors
    /// See [`RebaseError`].
    pub fn without_support(&self, name: &str) -> Result<Self, RebaseError> {
        let is_named = |k: &ReleasableSupport| self.supports[k.support as usize].name == name;
        let Some(held) = self.releasable.iter().find(|k| is_named(k)) else {
            return Err(RebaseError::NotReleasable { name: name.into() });
        };
        if let Some(&node) = self.matrix.missing().first() {
            return Err(RebaseError::MissingColumn { node });
        }
        let release = Release::new(self, held, name)?;
        let nodes = self.nodes() + held.vertices.len();
        let of_gravity = &release.motions.of_gravity;
        let moved =
            (0..self.nodes()).map(|j| self.gravity[j] + release.free_displacement(j, of_gravity));
        let own = of_gravity[..held.vertices.len()].iter().map(|u| -u);
        Ok(Self {
            skin: self.skin.clone(),
            material: self.material,
            matrix: release.columns().ok_or(RebaseError::TooMany { nodes })?,
            gravity: moved.chain(own).collect(),
            inside: release.motions.points(),
            releasable: Vec::new(),
            rows: release.rows(),
            supports: release.motions.supports(),
            unknowns: self.unknowns + 3 * held.nodes as usize,
            notes: self.notes.clone(),
        })
    }
}

/// A support that is released.
struct Release<'a> {
    asset: &'a GreensAsset,
    held: &'a ReleasableSupport,
    /// Minus the displacements of its nodes: `A⁻¹ R` for a force on a node that was free, minus `A⁻¹` for one on a released node.
    motions: Superposition<'a>,
}

impl<'a> Release<'a> {
    fn new(
        asset: &'a GreensAsset,
        held: &'a ReleasableSupport,
        name: &str,
    ) -> Result<Self, RebaseError> {
        let m = held.nodes as usize;
        let mut lu = DenseLu::default();
        let entry = |r: usize, c: usize| held.stiffness[(c / 3) * m + r / 3][(r % 3, c % 3)];
        let loose = || RebaseError::Loose { name: name.into() };
        if asset.supports.len() < 2 {
            return Err(loose());
        }
        lu.factor(3 * m, entry).map_err(|_| loose())?;
        let mut solve = |forces: &dyn Fn(usize) -> Mat3| -> Vec<Mat3> {
            let mut solution: Vec<Mat3> = (0..m).map(forces).collect();
            lu.solve_blocks(&mut solution);
            solution
        };
        let unit = |own: bool| {
            if own {
                -Mat3::identity()
            } else {
                Mat3::zeros()
            }
        };
        let (supports, points) = (asset.supports.len(), asset.inside.len());
        let on_support = |k: usize| {
            let effects = (0..m).map(|c| -held.others[c * supports + k]);
            (k, effects.collect())
        };
        let on_point = |p: usize| -> Vec<PointResponse> {
            let effects = (0..m).map(|c| {
                let response = &held.points[c * points + p];
                PointResponse {
                    displacement: -response.displacement,
                    stress: response.stress.map(|row| -row),
                }
            });
            effects.collect()
        };
        let (old, released) = (0..asset.nodes(), 0..held.vertices.len());
        let old_nodes = old.clone().map(Some).chain(released.clone().map(|_| None));
        let mut of_nodes: Vec<Vec<Mat3>> = old.map(|j| solve(&|c| *held.reaction(j, c))).collect();
        of_nodes.extend(released.map(|own| solve(&|c| unit(c == own))));
        let points: Vec<Vec<PointResponse>> = (0..points).map(on_point).collect();
        // by reciprocity, the reaction of a node to a load on a point is the transposed response of the point to the node
        let of_point =
            |effects: &Vec<PointResponse>| solve(&|c| effects[c].displacement.transpose());
        let motions = Superposition {
            asset,
            old_nodes: old_nodes.collect(),
            of_nodes,
            of_points: points.iter().map(of_point).collect(),
            of_gravity: solve(&|c| held.gravity[c]),
            supports: (0..supports)
                .filter(|&k| k != held.support as usize)
                .map(on_support)
                .collect(),
            points,
            old_stress_first: true,
        };
        Ok(Self {
            asset,
            held,
            motions,
        })
    }

    /// Displacement of free node `j` for such displacements of the support.
    fn free_displacement(&self, j: usize, moved: &[Mat3]) -> Mat3 {
        let parts = moved.iter().enumerate();
        parts.map(|(c, u)| self.held.reaction(j, c).tr_mul(u)).sum()
    }

    fn columns(&self) -> Option<GreensMatrix> {
        let (n, own) = (self.asset.nodes(), self.held.vertices.len());
        let height = 3 * (n + own);
        let matrix = &self.asset.matrix;
        GreensMatrix::from_columns(n + own, matrix.precision(), |j, columns| {
            let moved = &self.motions.of_nodes[j];
            for i in 0..n + own {
                let block = match i.checked_sub(n) {
                    Some(c) => -moved[c],
                    None if j < n => matrix.block(i, j) + self.free_displacement(i, moved),
                    None => self.free_displacement(i, moved),
                };
                for axis in 0..3 {
                    let at = axis * height + 3 * i;
                    columns[at..at + 3].copy_from_slice(block.column(axis).as_slice());
                }
            }
        })
    }

    /// The weights of the skin on the old and the released nodes.
    fn rows(&self) -> SkinRows {
        let (old, released) = (&self.asset.rows, self.held.support);
        let mut rows = SkinRows::empty(old.max_distance, old.farthest_vertex);
        rows.identity = old.identity;
        for v in 0..old.len() {
            let (nodes, weights) = old.row(v);
            let kept = nodes.iter().map(|&node| (node, NO_SUPPORT, NO_NODE));
            let held = old.held(v as u32).iter().map(|share| {
                let own = self.held.vertices.binary_search(&share.node);
                let part = match own {
                    Ok(own) if share.support == released => {
                        ((self.asset.nodes() + own) as u32, NO_SUPPORT, NO_NODE)
                    }
                    _ => {
                        let support = share.support - u32::from(share.support > released);
                        (NOT_FREE, support, share.node)
                    }
                };
                (part, share.weight)
            });
            rows.push_row(kept.zip(weights.iter().copied()).chain(held));
        }
        rows
    }
}
