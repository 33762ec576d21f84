//! Refinement around contact: where a cut has to be fine whatever the criterion says.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::TouchedPlaces;

use crate::cut::{Cut, Forest, NodeState};

/// Reach of refinement from the rim of the touched patch over its radius. With this reach, 2.8 radii from the centre, the force of a poke is within 2 %.
const BEYOND_PATCH: f64 = 1.8;
/// Least reach in mean edges of the finest level.
const LEAST_EDGES: f64 = 3.0;
/// A refined node merges where it is farther from contact than this share of the reach.
const LET_GO: f64 = 1.5;
/// Splits of a level that are tried after the first one did not fit: a cheaper one may fit.
const TRIES: usize = 16;
/// Frames that a place stays refined after contact left it.
const DWELL: u8 = 30;

/// Touched places of the skin at rest, and how far refinement reaches around them.
#[derive(Debug, Clone, Default)]
pub struct ContactFocus {
    vertices: Vec<u32>,
    /// how many of them were pushed in the last frame
    pushed: usize,
    places: Vec<Vec3>,
    /// middle and radius of a sphere around the places
    sphere: (Vec3, f64),
    reach: f64,
    /// frames since contact was near, for each node
    away: Vec<u8>,
    /// area of the skin over its number of vertices, m²
    vertex_area: f64,
    /// memory for active nodes within reach, with their distances, m
    near: Vec<(f64, u32)>,
}

impl ContactFocus {
    /// No contact yet.
    pub fn new(forest: &Forest) -> Self {
        let skin = &forest.asset().skin;
        let x = &skin.positions;
        let area: f64 = skin
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| x[v as usize]);
                0.5 * (b - a).cross(&(c - a)).norm()
            })
            .sum();
        Self {
            away: vec![0; forest.node_count()],
            vertex_area: area / x.len().max(1) as f64,
            ..Self::default()
        }
    }

    /// Takes over the constraints of a frame. `reactions` are those of the last frame: constraints without one are only near.
    pub fn look(
        &mut self,
        forest: &Forest,
        skin: &SurfaceMesh,
        constraints: &[DisplacementConstraint],
        reactions: &[Vec3],
    ) {
        let pushed = reactions.iter().filter(|r| **r != Vec3::zeros()).count();
        // of held vertices those alone push that do not follow from others
        let held = constraints.iter().filter(|c| c.is_held()).count();
        let pushed = pushed.max(held);
        let new = constraints.iter().map(|c| c.vertex);
        let is_same = self.vertices.iter().copied().eq(new.clone());
        if is_same && pushed == self.pushed {
            return;
        }
        self.pushed = pushed;
        self.vertices.clear();
        self.vertices.extend(new);
        self.places.clear();
        let touched = self.vertices.iter().map(|&v| v as usize);
        self.places
            .extend(touched.filter_map(|v| skin.positions.get(v)));
        self.aim(forest, pushed as f64 * self.vertex_area);
    }

    /// The same for a body that other bodies touch at `touched` besides the constraints; rows are over nodes of all levels.
    pub(crate) fn look_at(
        &mut self,
        forest: &Forest,
        skin: &SurfaceMesh,
        constraints: &[DisplacementConstraint],
        touched: &TouchedPlaces,
    ) {
        self.vertices.clear();
        self.pushed = touched.pressed + constraints.len();
        self.places.clear();
        let held = constraints.iter().map(|c| c.vertex as usize);
        self.places
            .extend(held.filter_map(|v| skin.positions.get(v)));
        let rest = forest.rest();
        let place = |row: &[(u32, f64)]| -> Vec3 {
            let parts = row.iter().map(|&(n, w)| rest[n as usize] * w);
            parts.sum()
        };
        self.places.extend(touched.rows().map(place));
        let area =
            touched.pressed as f64 * touched.area + constraints.len() as f64 * self.vertex_area;
        self.aim(forest, area);
    }

    /// Sphere around the present places and reach of refinement, for a pushed area of `area` (m²).
    fn aim(&mut self, forest: &Forest, area: f64) {
        let middle = self.places.iter().sum::<Vec3>() / self.places.len().max(1) as f64;
        let radii = self.places.iter().map(|p| (p - middle).norm());
        self.sphere = (middle, radii.fold(0.0, f64::max));
        let patch = (area / std::f64::consts::PI).sqrt();
        let finest = forest.level(forest.level_count() - 1).0.spacing;
        self.reach = (BEYOND_PATCH * patch).max(LEAST_EDGES * finest);
    }

    /// Splits what is near contact, nearest first and coarse levels first, while the cost of the cut stays within `most`, and merges what contact left
    /// long ago, unless `keep` wants it fine. `refused` hears of each split that did not fit: a node, its distance from contact (m), and what the cut would cost.
    pub fn apply(
        &mut self,
        cut: &mut Cut,
        most: u64,
        keep: impl Fn(u32) -> bool,
        mut refused: impl FnMut(&Cut, u32, f64, u64),
    ) {
        let forest = cut.forest().clone();
        let mut near = std::mem::take(&mut self.near);
        for l in 0..forest.level_count().saturating_sub(1) {
            let reach = self.reach + 0.5 * forest.level(l).0.spacing;
            near.clear();
            for node in forest.nodes_of_level(l) {
                if cut.state(node) == NodeState::Dormant || forest.children(node).is_empty() {
                    continue;
                }
                let distance = self.distance(&forest.rest()[node as usize], LET_GO * reach);
                let away = &mut self.away[node as usize];
                if distance < reach {
                    *away = 0;
                    if cut.is_active(node) {
                        near.push((distance, node));
                    }
                } else if distance > LET_GO * reach {
                    *away = away.saturating_add(1);
                }
            }
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut tries = TRIES;
            for &(distance, node) in &near {
                if tries > 0
                    && cut.is_active(node)
                    && let Err(cost) = cut.split_within(node, most)
                {
                    refused(cut, node, distance, cost);
                    // where nothing is left none is cheap enough
                    tries = if cut.cost() < most { tries - 1 } else { 0 };
                }
            }
        }
        self.near = near;
        for l in (0..forest.level_count().saturating_sub(1)).rev() {
            for node in forest.nodes_of_level(l) {
                if cut.state(node) == NodeState::Refined
                    && self.away[node as usize] > DWELL
                    && !keep(node)
                    && cut.merge(node)
                {
                    self.away[node as usize] = 0;
                }
            }
        }
    }

    /// Whether nothing is touched.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a node lies within reach of contact.
    pub fn is_near(&self, forest: &Forest, node: u32) -> bool {
        let reach = self.reach + 0.5 * forest.level(forest.level_of(node)).0.spacing;
        self.distance(&forest.rest()[node as usize], reach) < reach
    }

    fn distance(&self, x: &Vec3, far: f64) -> f64 {
        if self.places.is_empty() {
            return f64::INFINITY;
        }
        let (middle, radius) = self.sphere;
        let at_least = (x - middle).norm() - radius;
        if at_least > far {
            return at_least;
        }
        let squares = self.places.iter().map(|p| (p - x).norm_squared());
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Memory of past frames as numbers, one a node.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        to.extend(self.away.iter().map(|a| f64::from(*a)));
    }

    /// Takes back what was saved.
    pub(crate) fn restore(&mut self, from: &[f64]) {
        for (away, value) in self.away.iter_mut().zip(from) {
            *away = *value as u8;
        }
        (self.pushed, self.reach) = (0, 0.0);
        self.vertices.clear();
        self.places.clear();
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self) {
        self.away.fill(0);
        (self.pushed, self.reach) = (0, 0.0);
        self.vertices.clear();
        self.places.clear();
    }
}
