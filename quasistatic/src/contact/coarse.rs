//! Hierarchical constraints of a frame: touched vertices are replaced by means over the hats of a coarser level (James and Pai 2003, section 6).
//!
//! The pressure is a sum of hats, and each hat has one condition: the mean gap of its touched vertices, weighted by hat and area. This is Galerkin's choice. The paper samples gaps at
//! coarse vertices, which makes the compliance unsymmetric and fails where a patch holds no coarse vertex, see decision 027.

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, DisplacementConstraint};
use pliant_core::math::Vec3;

use super::conditions::Condition;
use super::hat_choice::HatChoice;
use crate::capacitance::ContactRow;
use crate::capacitance::assemble::{CoarseSupports, RowSupports};
use crate::greens::SkinRows;
use crate::greens::hat_weights::HatWeights;

/// Least cosine between normals of vertices that share a constraint; below it an edge of the tool lies between them.
const MIN_NORMAL_COSINE: f64 = 0.7;

/// A touched vertex within a coarse constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// Index in [`CoarseContact::fine`].
    pub fine: u32,
    /// Share of the force and of the mean gap; the shares of a constraint sum to one.
    pub share: f64,
    /// Value of the hat; the hats at a vertex sum to one.
    pub hat: f64,
}

/// Coarse constraints in place of touched vertices; memory is kept between frames.
#[derive(Debug, Clone, Default)]
pub struct CoarseContact {
    /// Conditions of touched vertices, in the order of the request.
    pub fine: Vec<Condition>,
    patch: Vec<(u32, f64)>,
    choice: HatChoice,
    /// First member of each constraint, one more than constraints.
    offsets: Vec<u32>,
    members: Vec<Member>,
    /// Mean of the constraints of its vertices, for each coarse constraint.
    constraints: Vec<DisplacementConstraint>,
    /// Mean rest position of each constraint, m.
    positions: Vec<Vec3>,
    conditions: Vec<Condition>,
    supports: CoarseSupports,
    last_supports: CoarseSupports,
    group: Vec<(u32, u32, f64)>,
    nodes: Vec<(u32, f64, Vec3)>,
    is_active: bool,
    is_new: bool,
}

/// The skin that constraints are built from.
#[derive(Debug, Clone, Copy)]
pub struct TouchedSkin<'a> {
    /// Nodes of each vertex.
    pub rows: &'a SkinRows,
    /// Rest positions, m.
    pub positions: &'a [Vec3],
    /// Hats of all levels.
    pub hats: &'a HatWeights,
}

impl CoarseContact {
    /// Removes all coarse constraints: each vertex is constrained by itself.
    pub fn clear(&mut self) {
        self.is_active = false;
        self.is_new = false;
        self.fine.clear();
        self.offsets.clear();
        self.members.clear();
        self.constraints.clear();
        self.conditions.clear();
    }

    /// Lists the unilateral conditions of vertices for which `touches` holds.
    pub fn gather(
        &mut self,
        rows: &[Condition],
        areas: &[f64],
        touches: impl Fn(&Condition) -> bool,
    ) {
        self.fine.clear();
        let touched = rows.iter().filter(|c| c.row.unilateral && touches(c));
        self.fine.extend(touched);
        let area = |v: u32| areas.get(v as usize).copied().unwrap_or(0.0);
        let vertices = self.fine.iter().map(|c| c.row.vertex);
        self.patch.clear();
        self.patch
            .extend(vertices.map(|v| (v, area(v).max(f64::MIN_POSITIVE))));
    }

    /// Removes the vertices of [`Self::fine`] that are `open`, before the next [`Self::replace`]. False where there are none.
    pub fn exclude(&mut self, open: &[bool]) -> bool {
        let mut of_patch = open.iter();
        self.patch.retain(|_| of_patch.next() == Some(&false));
        let mut of_fine = open.iter();
        self.fine.retain(|_| of_fine.next() == Some(&false));
        open.contains(&true)
    }

    /// Marks the constraints as solved: they are no longer new.
    pub fn mark_solved(&mut self) {
        self.is_new = false;
    }

    /// Number of constraints of `level` for the gathered vertices. Cost: a sort of their hats.
    pub fn count_constraints(&mut self, hats: &HatWeights, level: usize) -> usize {
        self.choice.choose(hats, level, &self.patch);
        self.choice.hats + self.choice.uncovered.len()
    }

    /// Replaces the unilateral conditions of `rows` by those of `level`. Bilateral conditions stay. Gathered vertices that no hat reaches keep their own conditions.
    pub fn replace(
        &mut self,
        skin: &TouchedSkin<'_>,
        level: usize,
        boundary: &BoundaryConditions,
        rows: &mut Vec<Condition>,
    ) {
        std::mem::swap(&mut self.supports, &mut self.last_supports);
        self.supports.clear(skin.rows.len());
        self.offsets.clear();
        self.offsets.push(0);
        self.members.clear();
        self.constraints.clear();
        self.positions.clear();
        self.conditions.clear();
        self.choice.choose(skin.hats, level, &self.patch);
        let mut parts = std::mem::take(&mut self.choice.parts);
        for of_hat in parts.chunk_by_mut(|a, b| a.0 == b.0) {
            let mut rest = of_hat.len();
            while rest > 0 {
                rest = self.push_group(skin, boundary, &mut of_hat[..rest]);
            }
        }
        self.choice.parts = parts;
        rows.retain(|c| !c.row.unilateral);
        let uncovered = self.choice.uncovered.iter();
        rows.extend(uncovered.map(|&k| self.fine[k as usize]));
        rows.sort_by_key(|c| c.constraint);
        rows.extend_from_slice(&self.conditions);
        self.is_new = !self.is_active || self.supports != self.last_supports;
        self.is_active = true;
    }

    /// Builds one constraint from the vertices with about the normal and with the friction of the first one. Moves the others to the front and returns their number.
    fn push_group(
        &mut self,
        skin: &TouchedSkin<'_>,
        boundary: &BoundaryConditions,
        parts: &mut [(u32, u32, f64)],
    ) -> usize {
        let constraint_of = |k: u32| {
            let condition = &self.fine[k as usize];
            boundary.displacements().get(condition.constraint as usize)
        };
        let first_normal = self.fine[parts[0].1 as usize].row.direction;
        let friction = constraint_of(parts[0].1).map(|c| c.friction);
        let belongs = |&(_, k, _): &(u32, u32, f64)| {
            let normal = self.fine[k as usize].row.direction;
            normal.dot(&first_normal) > MIN_NORMAL_COSINE
                && constraint_of(k).map(|c| c.friction) == friction
        };
        self.group.clear();
        let mut others = 0;
        for at in 0..parts.len() {
            // the first one always belongs to its own group
            if at == 0 || belongs(&parts[at]) {
                self.group.push(parts[at]);
            } else {
                parts[others] = parts[at];
                others += 1;
            }
        }
        let weight = |(_, k, h): &(u32, u32, f64)| self.patch[*k as usize].1 * h;
        let total: f64 = self.group.iter().map(weight).sum();
        let (mut normal, mut target, mut velocity) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        let (mut position, mut gap) = (Vec3::zeros(), 0.0);
        self.nodes.clear();
        for part in &self.group {
            let (share, fine) = (weight(part) / total, &self.fine[part.1 as usize]);
            self.members.push(Member {
                fine: part.1,
                share,
                hat: part.2,
            });
            normal += fine.row.direction * share;
            position += skin.positions[fine.row.vertex as usize] * share;
            gap += fine.gap * share;
            if let Some(constraint) = constraint_of(part.1) {
                target += constraint.target * share;
                velocity += constraint.velocity * share;
            }
            let (nodes, weights) = skin.rows.row(fine.row.vertex as usize);
            let spread = nodes.iter().zip(weights).map(|(node, w)| {
                let weight = w * share;
                (*node, weight, fine.row.direction * weight)
            });
            self.nodes.extend(spread);
        }
        // stable, so that sums have one order
        self.nodes.sort_by_key(|(node, _, _)| *node);
        let vertex = self.supports.push(&self.nodes);
        let direction = normal.try_normalize(0.0).unwrap_or(first_normal);
        let first = constraint_of(self.group[0].1).copied();
        if let Some(first) = first {
            self.constraints.push(DisplacementConstraint {
                vertex,
                target,
                velocity,
                directions: ConstrainedDirections::Along(direction),
                ..first
            });
        }
        self.positions.push(position);
        self.offsets.push(self.members.len() as u32);
        self.conditions.push(Condition {
            row: ContactRow {
                vertex,
                direction,
                unilateral: true,
            },
            constraint: (boundary.displacements().len() + self.conditions.len()) as u32,
            gap,
        });
        others
    }

    /// The nodes of the conditions of this frame.
    pub fn row_supports<'a>(&'a self, skin: &'a SkinRows) -> RowSupports<'a> {
        RowSupports {
            skin,
            coarse: self.supports(),
        }
    }

    /// The constraints of this frame, if vertices are not constrained one by one.
    pub fn supports(&self) -> Option<&CoarseSupports> {
        self.is_active.then_some(&self.supports)
    }

    /// Whether the constraints are not those of the last frame.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Number of coarse constraints.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether there is no coarse constraint.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The coarse constraint with the index `vertex`.
    pub fn index(&self, vertex: u32) -> Option<usize> {
        self.supports().and_then(|supports| supports.index(vertex))
    }

    /// The skin vertex that stands for `vertex`: the first one of a coarse constraint, else itself.
    pub fn vertex_of(&self, vertex: u32) -> u32 {
        let first = self.members_at(vertex).first();
        let fine = first.and_then(|member| self.fine.get(member.fine as usize));
        fine.map_or(vertex, |condition| condition.row.vertex)
    }

    /// Vertices of the coarse constraint with the index `vertex`; none for a skin vertex.
    pub fn members_at(&self, vertex: u32) -> &[Member] {
        self.index(vertex).map_or(&[], |k| self.members(k))
    }

    /// Vertices of coarse constraint `k`.
    pub fn members(&self, k: usize) -> &[Member] {
        match (self.offsets.get(k), self.offsets.get(k + 1)) {
            (Some(&begin), Some(&end)) => &self.members[begin as usize..end as usize],
            _ => &[],
        }
    }

    /// The mean of the constraints of `k`'s vertices.
    pub fn constraint(&self, k: usize) -> Option<&DisplacementConstraint> {
        self.constraints.get(k)
    }

    /// Rest position of a vertex at one of `positions`, or the mean one of the vertices of a coarse constraint, m.
    pub fn rest_position(&self, vertex: u32, positions: &[Vec3]) -> Vec3 {
        match self.index(vertex) {
            Some(k) => self.positions.get(k).copied().unwrap_or_default(),
            None => positions[vertex as usize],
        }
    }
}
