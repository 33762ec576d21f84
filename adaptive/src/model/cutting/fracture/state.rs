//! What a body that cracks by itself has in addition.

use std::sync::Arc;

use pliant_core::material::FractureLimits;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::adjacency::node_tets;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use super::elements::{ElementState, LevelLaw};
use super::front::{FrontSegment, find_fronts};
use super::nucleus::NodeStress;
use super::tips::{Gap, OUTER, Surroundings, Tip};
use crate::hierarchy::Level;
use crate::model::cutting::cut_edges::CutEdges;

/// What a segment has to bear of what it can bear so that it grows with its neighbours.
const ALONG: f64 = 0.8;

/// The fronts of the cracks of a body as one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrackFront {
    /// Mean of the energy that growth releases, J/m².
    pub energy_release: f64,
    /// Largest value of it anywhere, J/m².
    pub largest_energy_release: f64,
    /// Largest principal stress ahead of a front, mean over the domain of the energy release, Pa.
    pub stress: f64,
    /// Mean place, at rest, m.
    pub middle: Vec3,
    /// m
    pub length: f64,
}

/// What a body that cracks by itself has in addition.
#[derive(Debug, Clone)]
pub(crate) struct Fracturing {
    pub limits: FractureLimits,
    /// tetrahedra of each node of the whole level
    pub(super) node_tets: Arc<Csr>,
    /// times from which a crack may grow, and a new one may begin, s
    not_before: [f64; 2],
    pub(super) fronts: Vec<FrontSegment>,
    pub(super) tips: Vec<Tip>,
    pub(super) node_stress: NodeStress,
    elements: Vec<ElementState>,
    gaps: Vec<Gap>,
}

impl Fracturing {
    /// For a whole level.
    pub fn new(limits: FractureLimits, mesh: &TetMesh) -> Self {
        Self {
            limits,
            node_tets: Arc::new(node_tets(mesh.nodes.len(), &mesh.tets)),
            not_before: [0.0; 2],
            fronts: Vec::new(),
            tips: Vec::new(),
            node_stress: NodeStress::default(),
            elements: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Finds all fronts and their state. `level` moves, with its nodes at `x` (m); `whole` is what it was cut from, `originals` are the nodes that its virtual nodes copy.
    pub(super) fn look(
        &mut self,
        (whole, neighbours, edges): (&Level, &[[u32; 4]], &CutEdges),
        (level, originals): (&Level, impl Iterator<Item = u32>),
        x: &[Vec3],
        law: LevelLaw,
    ) {
        find_fronts(&whole.mesh, neighbours, edges, &mut self.fronts);
        self.elements.clear();
        self.gaps.clear();
        self.tips.clear();
        self.tips.resize(self.fronts.len(), Tip::default());
        if self.fronts.is_empty() {
            return;
        }
        let near = Aabb::of_points(self.fronts.iter().map(|segment| &segment.middle));
        let near = near.inflated((OUTER + 1.0) * whole.spacing);
        for t in 0..level.mesh.tets.len() {
            let [first, ..] = level.mesh.tets[t];
            if near.contains(&level.mesh.nodes[first as usize]) {
                self.elements.push(ElementState::new(level, t, x, law));
            }
        }
        let nodes = &level.mesh.nodes;
        for (virtual_node, original) in (whole.node_count()..).zip(originals) {
            let original = original as usize;
            if near.contains(&nodes[original]) {
                self.gaps.push(Gap {
                    place: nodes[original],
                    jump: x[original] - x[virtual_node],
                });
            }
        }
        let surroundings = Surroundings {
            fronts: &self.fronts,
            elements: &self.elements,
            gaps: &self.gaps,
            rest: nodes,
            spacing: whole.spacing,
        };
        let all = self.tips.par_iter_mut().zip(&self.fronts);
        all.for_each(|(state, segment)| {
            // the first copy of a tetrahedron has its number
            let ahead = ElementState::new(level, segment.tet as usize, x, law);
            *state = surroundings.tip(segment, &ahead.deformation_gradient);
        });
    }

    /// Whether segment `k` of the fronts grows: where more energy is released than a crack costs, or where that is not known, by stress. Segments near one that grows do so with
    /// [`ALONG`] of that: a front is not known finer than the domain of its energy.
    pub(super) fn grows(&self, k: usize, spacing: f64) -> bool {
        let Some(load) = self.load(k).filter(|load| *load > ALONG) else {
            return false;
        };
        let near = |i: &usize| {
            let way = self.fronts[*i].middle - self.fronts[k].middle;
            way.norm() < OUTER * spacing
        };
        let mut all = 0..self.fronts.len();
        load > 1.0 || all.any(|i| near(&i) && self.load(i).is_some_and(|load| load > 1.0))
    }

    /// What a segment bears, over what it can bear; `None` where the crack is pressed together.
    fn load(&self, k: usize) -> Option<f64> {
        let (tip, limits) = (&self.tips[k], &self.limits);
        let load = match (tip.energy_release, limits.toughness, limits.strength) {
            (Some(released), Some(toughness), _) => released / toughness,
            (_, _, Some(strength)) => tip.stress / strength,
            _ => 0.0,
        };
        tip.is_open.then_some(load)
    }

    /// All fronts as one; `None` without any.
    pub fn crack_front(&self) -> Option<CrackFront> {
        let all = || self.fronts.iter().zip(&self.tips);
        let lengths = || self.fronts.iter().map(|segment| segment.advance.norm());
        let length: f64 = lengths().sum();
        let released = |tip: &Tip| tip.energy_release.unwrap_or(0.0);
        (length > 0.0).then(|| CrackFront {
            energy_release: all()
                .map(|(s, tip)| s.advance.norm() * released(tip))
                .sum::<f64>()
                / length,
            largest_energy_release: self.tips.iter().map(released).fold(0.0, f64::max),
            stress: self.tips.iter().map(|tip| tip.stress).fold(0.0, f64::max),
            middle: self
                .fronts
                .iter()
                .zip(lengths())
                .map(|(s, l)| s.middle * l)
                .sum::<Vec3>()
                / length,
            length,
        })
    }

    /// Times from which a crack may grow, and a new one may begin, s.
    pub fn not_before(&self) -> [f64; 2] {
        self.not_before
    }

    /// Lets cracks grow and begin again these times (s) after `now` (s).
    pub(super) fn wait_from(&mut self, now: f64, [growing, beginning]: [f64; 2]) {
        self.not_before = [now + growing, now + beginning];
    }

    /// Takes other times, s; fronts are found anew when the next frame ends.
    pub fn wait_until(&mut self, times: [f64; 2]) {
        self.clear();
        self.not_before = times;
    }

    /// Forgets all cracks.
    pub fn clear(&mut self) {
        self.not_before = [0.0; 2];
        self.fronts.clear();
        self.tips.clear();
    }
}
