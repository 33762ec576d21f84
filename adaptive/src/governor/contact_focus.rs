//! Refinement around contact: where a cut has to be fine whatever the criterion says.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::TouchedPlaces;

use crate::cut::{Cut, Forest, NodeState};
use crate::governor::refusal::MAX_REFUSALS;

/// Reach of refinement beyond the rim of the touched patch, over the radius of the patch. With this reach, 2.8 radii from the centre, the force of a poke is within 2 %.
const REACH_BEYOND_PATCH: f64 = 1.8;
/// Smallest reach, in mean edges of the finest level.
const MIN_REACH_EDGES: f64 = 3.0;
/// A refined node may merge where its distance from contact is larger than the reach by this factor.
const MERGE_DISTANCE_RATIO: f64 = 1.5;
/// Frames for which nodes stay refined after contact has left them.
const FRAMES_BEFORE_MERGE: u8 = 30;

/// Touched points of the skin at rest, and how far refinement reaches around them.
#[derive(Debug, Clone, Default)]
pub struct ContactFocus {
    vertices: Vec<u32>,
    /// how many of them were pressed in the last frame
    pressed: usize,
    places: Vec<Vec3>,
    /// centre and radius of a sphere around the points
    sphere: (Vec3, f64),
    reach: f64,
    /// for each node the number of frames since contact was near
    frames_away: Vec<u8>,
    /// area of the skin over its number of vertices, m²
    vertex_area: f64,
    /// buffer for the active nodes within reach, with their distances, m
    near: Vec<(f64, u32)>,
}

impl ContactFocus {
    /// No contact yet.
    pub fn new(forest: &Forest) -> Self {
        let skin = &forest.asset().skin;
        Self {
            frames_away: vec![0; forest.node_count()],
            vertex_area: skin.area() / skin.vertex_count().max(1) as f64,
            ..Self::default()
        }
    }

    /// Sets the touched points from the constraints of a frame. `reactions` are those of the last frame: a constraint without one is near contact, but does not press.
    pub fn update(
        &mut self,
        forest: &Forest,
        skin: &SurfaceMesh,
        constraints: &[DisplacementConstraint],
        reactions: &[Vec3],
    ) {
        let pressed = reactions.iter().filter(|r| **r != Vec3::zeros()).count();
        // not every held vertex has a reaction of its own
        let held = constraints.iter().filter(|c| c.is_held()).count();
        let pressed = pressed.max(held);
        let new = constraints.iter().map(|c| c.vertex);
        let is_same = self.vertices.iter().copied().eq(new.clone());
        if is_same && pressed == self.pressed {
            return;
        }
        self.pressed = pressed;
        self.vertices.clear();
        self.vertices.extend(new);
        self.places.clear();
        let touched = self.vertices.iter().map(|&v| v as usize);
        self.places
            .extend(touched.filter_map(|v| skin.positions.get(v)));
        self.set_reach(forest, pressed as f64 * self.vertex_area);
    }

    /// The same for a body that other bodies touch at `touched`, besides the constraints. Its rows are over the nodes of all levels.
    pub(crate) fn update_touched(
        &mut self,
        forest: &Forest,
        skin: &SurfaceMesh,
        constraints: &[DisplacementConstraint],
        touched: &TouchedPlaces,
    ) {
        self.vertices.clear();
        self.pressed = touched.pressed + constraints.len();
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
        self.set_reach(forest, area);
    }

    /// Sets the bounding sphere of the touched points, and the reach of refinement for a pressed `area` (m²).
    fn set_reach(&mut self, forest: &Forest, area: f64) {
        let centre = self.places.iter().sum::<Vec3>() / self.places.len().max(1) as f64;
        let radii = self.places.iter().map(|p| (p - centre).norm());
        self.sphere = (centre, radii.fold(0.0, f64::max));
        let patch = (area / std::f64::consts::PI).sqrt();
        let finest = forest.level(forest.level_count() - 1).0.spacing;
        self.reach = (REACH_BEYOND_PATCH * patch).max(MIN_REACH_EDGES * finest);
    }

    /// Splits what is near contact, nearest first and coarse levels first, while the cost of the cut stays within `max_cost`, and merges nodes that
    /// contact left long ago, unless `keep` returns true for them. Calls `refused` for each split that did not fit, with the node, its distance from contact (m), and what the cut would cost.
    pub fn apply(
        &mut self,
        cut: &mut Cut,
        max_cost: u64,
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
                let distance =
                    self.distance(&forest.rest()[node as usize], MERGE_DISTANCE_RATIO * reach);
                let frames_away = &mut self.frames_away[node as usize];
                if distance < reach {
                    *frames_away = 0;
                    if cut.is_active(node) {
                        near.push((distance, node));
                    }
                } else if distance > MERGE_DISTANCE_RATIO * reach {
                    *frames_away = frames_away.saturating_add(1);
                }
            }
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut tries = MAX_REFUSALS;
            for &(distance, node) in &near {
                if tries > 0
                    && cut.is_active(node)
                    && let Err(cost) = cut.split_within(node, max_cost)
                {
                    refused(cut, node, distance, cost);
                    // without any budget left no split is cheap enough
                    tries = if cut.cost() < max_cost { tries - 1 } else { 0 };
                }
            }
        }
        self.near = near;
        for l in (0..forest.level_count().saturating_sub(1)).rev() {
            for node in forest.nodes_of_level(l) {
                if cut.state(node) == NodeState::Refined
                    && self.frames_away[node as usize] > FRAMES_BEFORE_MERGE
                    && !keep(node)
                    && cut.merge(node)
                {
                    self.frames_away[node as usize] = 0;
                }
            }
        }
    }

    /// Whether nothing touches the body.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a node lies within reach of contact.
    pub fn is_near(&self, forest: &Forest, node: u32) -> bool {
        let reach = self.reach + 0.5 * forest.level(forest.level_of(node)).0.spacing;
        self.distance(&forest.rest()[node as usize], reach) < reach
    }

    fn distance(&self, x: &Vec3, limit: f64) -> f64 {
        if self.places.is_empty() {
            return f64::INFINITY;
        }
        let (centre, radius) = self.sphere;
        let lower_bound = (x - centre).norm() - radius;
        if lower_bound > limit {
            return lower_bound;
        }
        let squares = self.places.iter().map(|p| (p - x).norm_squared());
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Writes the state that depends on past frames, one number for each node.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        to.extend(self.frames_away.iter().map(|a| f64::from(*a)));
    }

    /// Restores what was saved.
    pub(crate) fn restore(&mut self, from: &[f64]) {
        self.reset();
        for (frames_away, value) in self.frames_away.iter_mut().zip(from) {
            *frames_away = *value as u8;
        }
    }

    /// Resets to the state without contact.
    pub(crate) fn reset(&mut self) {
        self.frames_away.fill(0);
        (self.pressed, self.reach) = (0, 0.0);
        self.vertices.clear();
        self.places.clear();
    }
}
