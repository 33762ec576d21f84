//! A pair of a point and the triangle that it may touch: their geometry in a step, and their impulse.

use pliant_core::math::Vec3;

use super::search::Hit;
use super::surface::ContactSurface;
use super::vertex_positions::VertexPositions;

/// Gap below which a pair is active, mean edges of the tetrahedra. A wave takes at least one step for half an edge, so that pairs that approach with less than a fifth of the wave speed are active before
/// they touch.
const MAX_GAP: f64 = 0.1;
/// Penetration that is not corrected, mean edges, so that contacts at rest stay active: a fiftieth of the gap above.
const ALLOWED_PENETRATION: f64 = 0.002;
/// Share of a penetration that one step corrects (Baumgarte 1972), as is usual in games: a full correction would overshoot where several pairs act on the same nodes.
const CORRECTED_SHARE: f64 = 0.2;
/// Largest penetration that one frame corrects, mean edges, so that pieces are not thrown apart. That is three edges a second. Elastic pieces separate
/// with at most twice that speed: with edges of 2 cm, the speed of a fall from 0.7 mm.
const MAX_CORRECTION_PER_FRAME: f64 = 0.05;
/// How far beyond its triangle a point may slide within a frame, as barycentric coordinate: by the size of the triangle. The neighbouring triangle is mostly nearly in the same plane.
const MAX_SLIDE: f64 = 1.0;
/// Largest number of nodes of a pair: those of four tetrahedra.
const MAX_NODES: usize = 16;
/// Least sum of the squared relative weights of the free nodes of a pair. Where a cut ends, both sides depend on the same nodes; beside supports nearly all nodes are held.
const MIN_FREE_WEIGHT: f64 = 0.05;

/// Parameters of a step for all pairs.
pub(super) struct Step<'a> {
    /// s
    pub length: f64,
    /// length of the frame, s
    pub frame: f64,
    /// mean edge of the tetrahedra, m
    pub spacing: f64,
    /// coefficient of friction
    pub friction: f64,
    /// 1/kg
    pub inverse_masses: &'a [f64],
}

/// A node of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairNode {
    pub node: u32,
    /// weights of the point and of the corners of the triangle
    weights: [f64; 4],
}

/// A node of a pair in a step: its row of the contact Jacobian, and its response.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NodeTerm {
    node: u32,
    /// weight of the point minus that of its foot on the triangle
    relative_weight: f64,
    /// change of velocity by a unit impulse, 1/kg
    velocity_change: f64,
}

/// The pairs of a frame with their nodes.
#[derive(Debug, Clone)]
pub(super) struct Pairs {
    pub all: Vec<Pair>,
    /// nodes of all pairs, one pair after the other
    pub entries: Vec<PairNode>,
    pub node_terms: Vec<NodeTerm>,
    pub vertex_positions: VertexPositions,
}

/// A point and a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    from: u32,
    to: u32,
    /// indices of point and corners among the vertex positions
    vertices: [u32; 4],
    /// distance at which they touch, m
    contact_distance: f64,
    /// outwards from the triangle in this step, unit
    normal: Vec3,
    /// m
    gap: f64,
    /// effective mass along the normal, kg; zero for an inactive pair
    effective_mass: f64,
    /// least velocity along the normal in this step, m/s
    target_velocity: f64,
    /// on the point along the normal, of the last step, N s
    impulse: f64,
    /// on the point across the normal, of the last step, N s
    friction_impulse: Vec3,
}

impl Pairs {
    /// With the capacity for all pairs that a surface may have; pages that are never written to cost no memory.
    pub fn new(surface: &ContactSurface) -> Self {
        let max_pairs = surface.points.len();
        let vertices = surface.vertices.len();
        Self {
            all: Vec::with_capacity(max_pairs),
            entries: Vec::with_capacity(max_pairs * MAX_NODES),
            node_terms: Vec::with_capacity(max_pairs * MAX_NODES),
            vertex_positions: VertexPositions::new(surface.rest.len(), vertices),
        }
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.all.clear();
        self.entries.clear();
        self.node_terms.clear();
        self.vertex_positions.clear();
    }

    /// Adds a pair.
    pub fn add(&mut self, surface: &ContactSurface, hit: &Hit) {
        let from = self.entries.len();
        let [a, b, c] = surface.triangles[hit.triangle as usize];
        let vertices = [hit.point, a, b, c];
        for (k, v) in vertices.into_iter().enumerate() {
            let (nodes, weights) = surface.rows.row(v as usize);
            for (&node, &weight) in nodes.iter().zip(weights) {
                let existing = self.entries[from..].iter().position(|e| e.node == node);
                let at = existing.map_or(self.entries.len(), |k| from + k);
                if existing.is_none() {
                    let weights = [0.0; 4];
                    self.entries.push(PairNode { node, weights });
                }
                self.entries[at].weights[k] += weight;
            }
        }
        self.node_terms
            .resize(self.entries.len(), NodeTerm::default());
        self.all.push(Pair {
            from: from as u32,
            to: self.entries.len() as u32,
            vertices: vertices.map(|v| self.vertex_positions.number(v)),
            contact_distance: hit.contact_distance,
            normal: Vec3::zeros(),
            gap: f64::INFINITY,
            effective_mass: 0.0,
            target_velocity: 0.0,
            impulse: 0.0,
            friction_impulse: Vec3::zeros(),
        });
    }
}

impl Pair {
    fn range(&self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.range().len()
    }

    /// Computes the geometry of the pair at the present positions. Returns whether the pair is active.
    pub fn begin_step(
        &mut self,
        (entries, node_terms): (&[PairNode], &mut [NodeTerm]),
        positions: &VertexPositions,
        step: &Step<'_>,
    ) -> bool {
        let foot = self.find_foot(positions, step);
        let is_active =
            foot.is_some_and(|foot| self.set_effective_mass(entries, node_terms, foot, step));
        if !is_active {
            (self.effective_mass, self.impulse, self.friction_impulse) = (0.0, 0.0, Vec3::zeros());
        }
        is_active
    }

    /// Barycentric coordinates of the foot of the point on the triangle, if they are near each other.
    fn find_foot(&mut self, positions: &VertexPositions, step: &Step<'_>) -> Option<[f64; 3]> {
        self.gap = f64::INFINITY;
        let [point, a, b, c] = positions.get(self.vertices);
        let cross = (b - a).cross(&(c - a));
        let area = cross.norm();
        if area == 0.0 {
            return None;
        }
        let normal = cross / area;
        let gap = normal.dot(&(point - a)) - self.contact_distance;
        if gap > MAX_GAP * step.spacing {
            return None;
        }
        let beta = (point - a).cross(&(c - a)).dot(&normal) / area;
        let gamma = (b - a).cross(&(point - a)).dot(&normal) / area;
        let foot = [1.0 - beta - gamma, beta, gamma];
        if foot.iter().any(|w| *w < -MAX_SLIDE) {
            return None;
        }
        (self.normal, self.gap) = (normal, gap);
        Some(foot)
    }

    /// Computes effective mass, target velocity and node terms. Returns `false` if the pair can hardly move any free nodes.
    fn set_effective_mass(
        &mut self,
        entries: &[PairNode],
        node_terms: &mut [NodeTerm],
        foot: [f64; 3],
        step: &Step<'_>,
    ) -> bool {
        let range = self.range();
        let (mut free_weight, mut inverse_effective_mass) = (0.0, 0.0);
        for (entry, term) in entries[range.clone()].iter().zip(&mut node_terms[range]) {
            let [w, wa, wb, wc] = entry.weights;
            let relative_weight = w - (wa * foot[0] + wb * foot[1] + wc * foot[2]);
            let inverse_mass = step.inverse_masses[entry.node as usize];
            let square = relative_weight * relative_weight;
            free_weight += if inverse_mass > 0.0 { square } else { 0.0 };
            inverse_effective_mass += square * inverse_mass;
            *term = NodeTerm {
                node: entry.node,
                relative_weight,
                velocity_change: relative_weight * inverse_mass,
            };
        }
        if free_weight < MIN_FREE_WEIGHT {
            self.gap = f64::INFINITY;
            return false;
        }
        self.effective_mass = 1.0 / inverse_effective_mass;
        self.target_velocity = match self.gap > 0.0 {
            true => -self.gap / step.length,
            false => {
                let depth = (-self.gap - ALLOWED_PENETRATION * step.spacing).max(0.0);
                let max_velocity = MAX_CORRECTION_PER_FRAME * step.spacing / step.frame;
                (CORRECTED_SHARE * depth / step.length).min(max_velocity)
            }
        };
        true
    }

    /// Applies the impulses of the last step as initial guess.
    pub fn warm_start(
        &mut self,
        node_terms: &[NodeTerm],
        velocities: &mut [Vec3],
        step: &Step<'_>,
    ) {
        if self.impulse == 0.0 {
            self.friction_impulse = Vec3::zeros();
            return;
        }
        let tangential =
            self.friction_impulse - self.normal * self.normal.dot(&self.friction_impulse);
        self.friction_impulse = tangential.cap_magnitude(step.friction * self.impulse);
        let impulse = self.normal * self.impulse + self.friction_impulse;
        self.apply_impulse(node_terms, velocities, &impulse);
    }

    /// Updates the impulses (one Gauss–Seidel iteration). Returns by how much the relative velocity changed, m/s.
    pub fn update_impulse(
        &mut self,
        node_terms: &[NodeTerm],
        velocities: &mut [Vec3],
        step: &Step<'_>,
    ) -> f64 {
        let relative = self.velocity(node_terms, velocities);
        let normal_velocity = self.normal.dot(&relative);
        let impulse = (self.impulse
            + (self.target_velocity - normal_velocity) * self.effective_mass)
            .max(0.0);
        if impulse == 0.0 && self.impulse == 0.0 {
            return 0.0;
        }
        let normal_change = self.normal * (impulse - self.impulse);
        self.impulse = impulse;
        // projection onto Coulomb's friction cone
        let tangential = relative - self.normal * normal_velocity;
        let friction_impulse = self.friction_impulse - tangential * self.effective_mass;
        let friction_impulse = friction_impulse.cap_magnitude(step.friction * impulse);
        let change = normal_change + friction_impulse - self.friction_impulse;
        self.friction_impulse = friction_impulse;
        self.apply_impulse(node_terms, velocities, &change);
        change.norm() / self.effective_mass
    }

    /// Whether the pair had an impulse in the last step.
    pub fn has_impulse(&self) -> bool {
        self.impulse > 0.0
    }

    /// Indices of the point and of a corner of the triangle among the vertex positions.
    pub fn ends(&self) -> [u32; 2] {
        let [point, corner, ..] = self.vertices;
        [point, corner]
    }

    /// Penetration in this step, m.
    pub fn depth(&self) -> f64 {
        (-self.gap).max(0.0)
    }

    fn velocity(&self, node_terms: &[NodeTerm], velocities: &[Vec3]) -> Vec3 {
        let all = node_terms[self.range()].iter();
        all.map(|term| velocities[term.node as usize] * term.relative_weight)
            .sum()
    }

    fn apply_impulse(&self, node_terms: &[NodeTerm], velocities: &mut [Vec3], impulse: &Vec3) {
        for term in &node_terms[self.range()] {
            velocities[term.node as usize] += impulse * term.velocity_change;
        }
    }
}
