//! The additional state of a body that can break.

use std::sync::Arc;

use pliant_core::material::FractureLimits;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::adjacency::node_tets;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use super::elements::{ElementState, LevelLaw};
use super::front::{FrontSegment, find_fronts};
use super::ligament::{FreeFace, find_free_faces, is_at_last_ligament};
use super::nucleus::NodeStress;
use super::tips::{DOMAIN_RADIUS, FrontDomain, Opening, Tip};
use crate::hierarchy::Level;
use crate::model::cutting::cut_edges::CutEdges;

/// Ratio of load to resistance above which a segment grows if a neighbour grows.
const NEIGHBOUR_SHARE: f64 = 0.8;

/// Mean values over all crack fronts of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrackFront {
    /// Mean of the energy that growth releases, J/m².
    pub energy_release: f64,
    /// Largest value of it anywhere, J/m².
    pub largest_energy_release: f64,
    /// Largest principal stress ahead of a front, mean over the domain of the energy release, Pa. Without a toughness, and at the last ligament of a body, growth also
    /// looks at the elements at the front.
    pub stress: f64,
    /// Mean position at rest, m.
    pub middle: Vec3,
    /// m
    pub length: f64,
}

/// The additional state of a body that can break.
#[derive(Debug, Clone)]
pub(crate) struct FractureState {
    pub limits: FractureLimits,
    /// tetrahedra of each node of the whole level
    pub(super) node_tets: Arc<Csr>,
    /// earliest times at which a crack may grow, and a new one may start, s
    earliest_times: [f64; 2],
    pub(super) fronts: Vec<FrontSegment>,
    pub(super) tips: Vec<Tip>,
    pub(super) node_stress: NodeStress,
    elements: Vec<ElementState>,
    openings: Vec<Opening>,
    /// near fronts, for a body with a strength and a toughness
    free_faces: Vec<FreeFace>,
}

impl FractureState {
    /// For a whole level.
    pub fn new(limits: FractureLimits, mesh: &TetMesh) -> Self {
        Self {
            limits,
            node_tets: Arc::new(node_tets(mesh.nodes.len(), &mesh.tets)),
            earliest_times: [0.0; 2],
            fronts: Vec::new(),
            tips: Vec::new(),
            node_stress: NodeStress::default(),
            elements: Vec::new(),
            openings: Vec::new(),
            free_faces: Vec::new(),
        }
    }

    /// Finds all fronts and their state. `level` is the cut level, with its nodes at `x` (m); `whole` is the uncut level, `originals` are the nodes that its virtual nodes copy.
    pub(super) fn update_fronts(
        &mut self,
        (whole, neighbours, edges): (&Level, &[[u32; 4]], &CutEdges),
        (level, originals): (&Level, impl Iterator<Item = u32>),
        x: &[Vec3],
        law: LevelLaw,
    ) {
        find_fronts(&whole.mesh, neighbours, edges, &mut self.fronts);
        self.elements.clear();
        self.openings.clear();
        self.tips.clear();
        self.tips.resize(self.fronts.len(), Tip::default());
        if self.fronts.is_empty() {
            return;
        }
        let near = Aabb::of_points(self.fronts.iter().map(|segment| &segment.middle));
        let near = near.inflated((DOMAIN_RADIUS + 1.0) * whole.spacing);
        let grows_by_stress = self.limits.toughness.is_none();
        let has_both = self.limits.strength.is_some() && !grows_by_stress;
        if has_both {
            find_free_faces(whole, neighbours, &near, &mut self.free_faces);
        }
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
                self.openings.push(Opening {
                    place: nodes[original],
                    jump: x[original] - x[virtual_node],
                });
            }
        }
        let domain = FrontDomain {
            fronts: &self.fronts,
            elements: &self.elements,
            openings: &self.openings,
            rest: nodes,
            spacing: whole.spacing,
        };
        let ends = (self.fronts.as_slice(), self.free_faces.as_slice());
        let reach = DOMAIN_RADIUS * whole.spacing;
        let all = self.tips.par_iter_mut().zip(&self.fronts);
        all.for_each(|(state, segment)| {
            // the first copy of a tetrahedron has its number
            let ahead = ElementState::new(level, segment.tet as usize, x, law);
            *state = domain.tip(segment, &ahead.deformation_gradient);
            let is_last = || is_at_last_ligament(segment, &state.direction, ends, reach);
            if grows_by_stress || (has_both && is_last()) {
                state.stress_at_front = domain.stress_at_front(&ahead);
            }
        });
    }

    /// Whether segment `k` of the fronts grows: where the energy release exceeds the toughness, or where that is not known, and at the last ligament, the stress the strength. For
    /// segments near one that grows [`NEIGHBOUR_SHARE`] of that is enough: the energy release is a mean over its domain.
    pub(super) fn grows(&self, k: usize, spacing: f64) -> bool {
        let Some(load) = self.load_ratio(k).filter(|load| *load > NEIGHBOUR_SHARE) else {
            return false;
        };
        let near = |i: &usize| {
            let offset = self.fronts[*i].middle - self.fronts[k].middle;
            offset.norm() < DOMAIN_RADIUS * spacing
        };
        let mut all = 0..self.fronts.len();
        load > 1.0 || all.any(|i| near(&i) && self.load_ratio(i).is_some_and(|load| load > 1.0))
    }

    /// Ratio of the load of a segment to its resistance; `None` where the crack is closed.
    fn load_ratio(&self, k: usize) -> Option<f64> {
        let (tip, limits) = (&self.tips[k], &self.limits);
        let load = match (tip.energy_release, limits.toughness, limits.strength) {
            (Some(released), Some(toughness), None) => released / toughness,
            (Some(released), Some(toughness), Some(strength)) => {
                (released / toughness).max(tip.stress_at_front / strength)
            }
            (_, _, Some(strength)) => tip.stress.max(tip.stress_at_front) / strength,
            _ => 0.0,
        };
        tip.is_open.then_some(load)
    }

    /// Mean values over all fronts; `None` without any.
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

    /// Earliest times at which a crack may grow, and a new one may start, s.
    pub fn earliest_times(&self) -> [f64; 2] {
        self.earliest_times
    }

    /// Sets the earliest times to `now` (s) plus these durations (s).
    pub(super) fn wait_after(&mut self, now: f64, [growing, beginning]: [f64; 2]) {
        self.earliest_times = [now + growing, now + beginning];
    }

    /// Restores the earliest times, s; fronts are found again when the next frame ends.
    pub fn restore_times(&mut self, times: [f64; 2]) {
        self.clear();
        self.earliest_times = times;
    }

    /// Removes all fronts.
    pub fn clear(&mut self) {
        self.earliest_times = [0.0; 2];
        self.fronts.clear();
        self.tips.clear();
    }
}
