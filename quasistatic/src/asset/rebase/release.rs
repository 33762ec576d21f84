//! A finished asset without one of its supports, from rows that its bake kept.
//!
//! The inverse of [`hold`](super::hold): held nodes become loaded ones (James and Pai 2003). `R_cj` is the force that holds node `c` against a unit force on
//! node `j`, and `A_cd` the force on node `c` for a unit displacement of node `d`. Released nodes move by `u_c = A⁻¹ (f_c − R f)`. The effect of these
//! displacements is added to every row. By reciprocity `−Rᵀ` is the displacement of the free nodes for displacements of the support.

use pliant_core::math::Mat3;

use crate::asset::inside::{InsidePoint, NO_STRESS, PointResponse, StressRow};
use crate::asset::rebase::RebaseError;
use crate::asset::{GreensAsset, ReleasableSupport};
use crate::capacitance::dense_lu::DenseLu;
use crate::greens::skin_rows::{NO_NODE, NO_SUPPORT, NOT_FREE};
use crate::greens::{GreensMatrix, SkinRows, SupportRows};

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
        let supports = release.supports();
        let nodes = self.nodes() + held.vertices.len();
        let of_gravity = &release.of_gravity;
        let moved =
            (0..self.nodes()).map(|j| self.gravity[j] + release.free_displacement(j, of_gravity));
        let own = of_gravity[..held.vertices.len()].iter().map(|u| -u);
        Ok(Self {
            skin: self.skin.clone(),
            material: self.material,
            matrix: release.columns().ok_or(RebaseError::TooMany { nodes })?,
            gravity: moved.chain(own).collect(),
            inside: (0..self.inside.len()).map(|p| release.point(p)).collect(),
            releasable: Vec::new(),
            rows: release.rows(),
            supports,
            unknowns: self.unknowns + 3 * held.nodes as usize,
            notes: self.notes.clone(),
        })
    }
}

/// A support that is released, with minus the displacements of its nodes for each load on the body.
struct Release<'a> {
    asset: &'a GreensAsset,
    held: &'a ReleasableSupport,
    /// `A⁻¹ R` for a force on each free node
    of_nodes: Vec<Vec<Mat3>>,
    /// minus `A⁻¹` for a force on each released boundary vertex
    of_released: Vec<Vec<Mat3>>,
    of_gravity: Vec<Mat3>,
    of_points: Vec<Vec<Mat3>>,
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
        Ok(Self {
            asset,
            held,
            of_nodes: (0..asset.nodes())
                .map(|j| solve(&|c| *held.reaction(j, c)))
                .collect(),
            of_released: (0..held.vertices.len())
                .map(|own| solve(&|c| unit(c == own)))
                .collect(),
            of_gravity: solve(&|c| held.gravity[c]),
            // by reciprocity, the reaction of a node to a load on a point is the transposed response of the point to the node
            of_points: (0..asset.inside.len())
                .map(|p| {
                    solve(&|c| {
                        -held.points[c * asset.inside.len() + p]
                            .displacement
                            .transpose()
                    })
                })
                .collect(),
        })
    }

    /// Displacement of free node `j` for such displacements of the support.
    fn free_displacement(&self, j: usize, moved: &[Mat3]) -> Mat3 {
        let parts = moved.iter().enumerate();
        parts.map(|(c, u)| self.held.reaction(j, c).tr_mul(u)).sum()
    }

    /// Change of the force of support `k` for such displacements.
    fn support_force_change(&self, k: usize, moved: &[Mat3]) -> Mat3 {
        let count = self.asset.supports.len();
        let parts = moved.iter().enumerate();
        parts
            .map(|(c, u)| -self.held.others[c * count + k] * u)
            .sum()
    }

    fn supports(&self) -> Vec<SupportRows> {
        let all = self.asset.supports.iter().enumerate();
        all.filter(|(k, _)| *k != self.held.support as usize)
            .map(|(k, support)| {
                let old = self.of_nodes.iter().zip(&support.reactions);
                let own = self
                    .of_released
                    .iter()
                    .map(|u| self.support_force_change(k, u));
                SupportRows {
                    name: support.name.clone(),
                    reactions: old
                        .map(|(u, share)| share + self.support_force_change(k, u))
                        .chain(own)
                        .collect(),
                    gravity: support.gravity + self.support_force_change(k, &self.of_gravity),
                }
            })
            .collect()
    }

    fn columns(&self) -> Option<GreensMatrix> {
        let (n, own) = (self.asset.nodes(), self.held.vertices.len());
        let height = 3 * (n + own);
        let matrix = &self.asset.matrix;
        GreensMatrix::from_columns(n + own, matrix.precision(), |j, columns| {
            let moved = match j.checked_sub(n) {
                None => &self.of_nodes[j],
                Some(own) => &self.of_released[own],
            };
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

    fn point(&self, p: usize) -> InsidePoint {
        let (point, count) = (&self.asset.inside[p], self.asset.inside.len());
        let on_point = |moved: &[Mat3]| -> Mat3 {
            let parts = moved.iter().enumerate();
            parts
                .map(|(c, u)| -self.held.points[c * count + p].displacement * u)
                .sum()
        };
        let stressed = |mut stress: StressRow, moved: &[Mat3]| {
            for (c, u) in moved.iter().enumerate() {
                for (sum, row) in stress
                    .iter_mut()
                    .zip(&self.held.points[c * count + p].stress)
                {
                    *sum -= u.tr_mul(row);
                }
            }
            stress
        };
        let own = || self.of_released.iter();
        let old = || self.of_nodes.iter().enumerate();
        let supports = point.support_reactions.iter().enumerate();
        InsidePoint {
            named: point.named.clone(),
            displacement: old()
                .map(|(j, u)| point.displacement[j] + on_point(u))
                .chain(own().map(|u| on_point(u)))
                .collect(),
            stress: old()
                .map(|(j, u)| stressed(point.stress[j], u))
                .chain(own().map(|u| stressed(NO_STRESS, u)))
                .collect(),
            gravity: point.gravity + on_point(&self.of_gravity),
            gravity_stress: stressed(point.gravity_stress, &self.of_gravity),
            of_points: point
                .of_points
                .iter()
                .zip(&self.of_points)
                .map(|(response, u)| PointResponse {
                    displacement: response.displacement + on_point(u),
                    stress: stressed(response.stress, u),
                })
                .collect(),
            support_reactions: supports
                .filter(|(k, _)| *k != self.held.support as usize)
                .map(|(k, reaction)| reaction + self.support_force_change(k, &self.of_points[p]))
                .collect(),
        }
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
