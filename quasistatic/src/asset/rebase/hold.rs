//! One more support on a finished asset.
//!
//! Holding a set `S` of free nodes changes the kind of boundary value there (James and Pai 2003). The reactions of the new support to each column are
//! `−C⁻¹ Ξ_S`, `C = F_SS`. The displacements that these cause are added to every column, and to every row that is linear in the columns. A body that can be
//! held in several ways is baked with the fewest supports, and the others are added afterwards. Supports of the bake stay, except for those that
//! it kept [releasable](super::release).

use pliant_core::math::{Mat3, Vec3};

use crate::asset::GreensAsset;
use crate::asset::inside::{InsidePoint, PointResponse};
use crate::asset::rebase::error::RebaseError;
use crate::asset::rebase::superposition::Superposition;
use crate::capacitance::dense_lu::DenseLu;
use crate::greens::skin_rows::{NO_NODE, NOT_FREE};
use crate::greens::{GreensMatrix, SkinRows, SupportRows};

impl GreensAsset {
    /// The free boundary nodes behind some skin vertices, ascending, for [`GreensAsset::with_support`].
    pub fn nodes_behind(&self, vertices: &[u32]) -> Vec<u32> {
        let existing = vertices.iter().filter(|&&v| (v as usize) < self.rows.len());
        let mut nodes: Vec<u32> = existing
            .flat_map(|&v| self.rows.row(v as usize).0.iter().copied())
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The body with one more support, called `name`, on free boundary `nodes`: the asset that a bake with it would give, to the rounding of the columns.
    /// With quadratic elements such a bake also holds the midside nodes of the support; here they stay free.
    ///
    /// Cost: an LU factorisation for the held nodes and a sum of their columns for every other one; no mesh and no bake.
    ///
    /// # Errors
    /// See [`RebaseError`].
    pub fn with_support(&self, name: &str, nodes: &[u32]) -> Result<Self, RebaseError> {
        let (new_support, mut lu) = NewSupport::new(self, name, nodes)?;
        let rest: Vec<u32> = (0..self.nodes() as u32)
            .filter(|&j| new_support.new_index[j as usize].is_some())
            .collect();
        let mut reactions = |moved: &dyn Fn(usize) -> Mat3| {
            let mut forces: Vec<Mat3> = nodes.iter().map(|&s| -moved(s as usize)).collect();
            lu.solve_blocks(&mut forces);
            forces
        };
        let of_node = |j: &u32| reactions(&|s| self.matrix.block(s, *j as usize));
        let of_nodes = rest.iter().map(of_node).collect();
        let of_gravity = reactions(&|s| self.gravity[s]);
        let of_point = |point: &InsidePoint| reactions(&|s| point.displacement[s].transpose());
        let of_points = self.inside.iter().map(of_point).collect();
        let on_support = |(k, support): (usize, &SupportRows)| {
            let effects = nodes.iter().map(|&s| support.reactions[s as usize]);
            (k, effects.collect())
        };
        let on_point = |point: &InsidePoint| {
            let effects = nodes.iter().map(|&s| PointResponse {
                displacement: point.displacement[s as usize],
                stress: point.stress[s as usize],
            });
            effects.collect()
        };
        let forces = Superposition {
            asset: self,
            old_nodes: rest.iter().map(|&j| Some(j as usize)).collect(),
            of_nodes,
            of_gravity,
            of_points,
            supports: self.supports.iter().enumerate().map(on_support).collect(),
            points: self.inside.iter().map(on_point).collect(),
            old_stress_first: false,
        };
        let total = |forces: &Vec<Mat3>| -> Mat3 { forces.iter().sum() };
        let mut supports = forces.supports();
        supports.push(SupportRows {
            name: name.to_string(),
            reactions: forces.of_nodes.iter().map(total).collect(),
            gravity: total(&forces.of_gravity),
        });
        let mut inside = forces.points();
        for (point, on_held) in inside.iter_mut().zip(&forces.of_points) {
            point.support_reactions.push(total(on_held));
        }
        let missing = self.matrix.missing().iter();
        let missing = missing
            .filter_map(|&n| new_support.new_index[n as usize])
            .collect();
        let matrix = new_support.columns(&rest, &forces.of_nodes);
        let mut matrix = matrix.ok_or(RebaseError::TooMany { nodes: rest.len() })?;
        matrix.set_missing(missing);
        Ok(Self {
            skin: self.skin.clone(),
            material: self.material,
            matrix,
            gravity: rest
                .iter()
                .map(|&j| {
                    let moved = forces.of_gravity.iter().zip(nodes);
                    let moved = moved.map(|(r, &s)| self.matrix.block(j as usize, s as usize) * r);
                    self.gravity[j as usize] + moved.sum::<Mat3>()
                })
                .collect(),
            inside,
            releasable: Vec::new(),
            rows: new_support.rows(supports.len() as u32 - 1),
            supports,
            unknowns: self.unknowns,
            notes: self.notes.clone(),
        })
    }
}

/// The nodes that the new support holds.
struct NewSupport<'a> {
    asset: &'a GreensAsset,
    held: &'a [u32],
    /// new index of each node; `None` for nodes that are now held
    new_index: Vec<Option<u32>>,
}

impl<'a> NewSupport<'a> {
    /// The new support, and the factored compliances of its nodes.
    fn new(
        asset: &'a GreensAsset,
        name: &str,
        held: &'a [u32],
    ) -> Result<(Self, DenseLu), RebaseError> {
        let nodes = asset.nodes();
        if held.is_empty() {
            return Err(RebaseError::Nothing { name: name.into() });
        }
        if asset.supports.iter().any(|support| support.name == name) {
            return Err(RebaseError::NameTaken { name: name.into() });
        }
        let mut is_held = vec![false; nodes];
        for &node in held {
            match is_held.get_mut(node as usize) {
                None => return Err(RebaseError::NoSuchNode { node, nodes }),
                Some(true) => return Err(RebaseError::NodeTwice { node }),
                Some(_) if !asset.matrix.has_column(node) => {
                    return Err(RebaseError::MissingColumn { node });
                }
                Some(mark) => *mark = true,
            }
        }
        let mut next = 0;
        let new_index = is_held.iter().map(|&is_held| {
            next += u32::from(!is_held);
            (!is_held).then(|| next - 1)
        });
        let new_index = new_index.collect();
        let mut lu = DenseLu::default();
        let entry = |r: usize, c: usize| {
            let block = asset
                .matrix
                .block(held[r / 3] as usize, held[c / 3] as usize);
            block[(r % 3, c % 3)]
        };
        lu.factor(3 * held.len(), entry)
            .map_err(|pivot| RebaseError::Dependent {
                node: held[pivot.row / 3],
            })?;
        let new_support = Self {
            asset,
            held,
            new_index,
        };
        Ok((new_support, lu))
    }

    /// The columns of the other nodes on each other.
    fn columns(&self, rest: &[u32], reactions: &[Vec<Mat3>]) -> Option<GreensMatrix> {
        let matrix = &self.asset.matrix;
        GreensMatrix::from_columns(rest.len(), matrix.precision(), |k, columns| {
            for (axis, out) in columns.chunks_exact_mut(3 * rest.len()).enumerate() {
                let mut forces: Vec<(u32, Vec3)> = vec![(rest[k], Vec3::ith(axis, 1.0))];
                let held = self.held.iter().zip(&reactions[k]);
                forces.extend(held.map(|(&s, force)| (s, force.column(axis).into_owned())));
                let mut field = vec![0.0; 3 * matrix.nodes()];
                matrix.add_columns(&forces, &mut field);
                let moved = field.as_chunks::<3>().0;
                for (target, &node) in out.as_chunks_mut::<3>().0.iter_mut().zip(rest) {
                    *target = moved[node as usize];
                }
            }
        })
    }

    /// The weights of the skin on the nodes that are still free. Its shares on the new support get the number `support`.
    fn rows(&self, support: u32) -> SkinRows {
        let old = &self.asset.rows;
        let mut rows = SkinRows::empty(old.max_distance, old.farthest_vertex);
        rows.identity = old.identity;
        for v in 0..old.len() {
            rows.held.extend_from_slice(old.held(v as u32));
            let (nodes, weights) = old.row(v);
            let parts = nodes.iter().zip(weights).map(|(&node, &weight)| {
                let column = self.new_index[node as usize].unwrap_or(NOT_FREE);
                ((column, support, NO_NODE), weight)
            });
            rows.push_row(parts);
        }
        rows
    }
}
