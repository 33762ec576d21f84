//! One point and the triangle that it may touch: their geometry in a step, and their impulse.

use pliant_core::math::Vec3;

use super::places::Places;
use super::search::Hit;
use super::surface::ContactSurface;

/// Gap below which an impulse is looked for, mean edges of the tetrahedra. A step is at most as long as a wave takes for half an edge: what closes with less than a fifth of the speed of waves is seen before
/// it touches.
const NEAR: f64 = 0.1;
/// Penetration that is left alone, mean edges, so that contacts at rest do not go and come: a fiftieth of the gap above.
const SLOP: f64 = 0.002;
/// Share of a penetration that one step takes back (Baumgarte 1972), as contact of bodies in games has it: all of it at once would overshoot where several pairs push the same nodes.
const CORRECTION: f64 = 0.2;
/// Most of a penetration that one frame takes back, mean edges: pieces are not thrown apart. That is three edges a second. What is elastic leaves
/// with twice that at most: with edges of 2 cm, the speed of a fall from 0.7 mm.
const GENTLY: f64 = 0.05;
/// How far beyond its triangle a point may slide within a frame, as barycentric coordinate: by the size of the triangle. The neighbour that it is over then is mostly nearly in the same plane.
const BEYOND: f64 = 1.0;
/// Nodes behind a point and a triangle: those of four tetrahedra.
const NODES: usize = 16;
/// Least sum of squares of the weights by which a pair moves free nodes against each other. Where a cut ends both sides hang on the same nodes, and beside supports nearly all of both is held.
const LEAST_APART: f64 = 0.05;

/// What a step gives to all pairs.
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

/// A node behind a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub node: u32,
    /// weights of the point and of the corners of the triangle
    weights: [f64; 4],
}

/// What a node behind a pair does in a step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lever {
    node: u32,
    /// weight of the point against its foot on the triangle
    relative: f64,
    /// change of velocity by an impulse, 1/kg
    pull: f64,
}

/// The pairs of a frame with the nodes behind them.
#[derive(Debug, Clone)]
pub(super) struct Pairs {
    pub all: Vec<Pair>,
    /// of all pairs, one after the other
    pub entries: Vec<Entry>,
    pub levers: Vec<Lever>,
    pub places: Places,
}

/// A point and a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    from: u32,
    to: u32,
    /// point and corners among the places
    vertices: [u32; 4],
    /// distance at which they touch, m
    reach: f64,
    /// outwards from the triangle in this step, unit
    normal: Vec3,
    /// m
    gap: f64,
    /// impulse that changes the relative velocity by 1 m/s, kg; zero where nothing touches
    mass: f64,
    /// least velocity along the normal in this step, m/s
    wanted: f64,
    /// on the point along the normal, of the last step, N s
    impulse: f64,
    /// on the point across the normal, of the last step, N s
    sliding: Vec3,
}

impl Pairs {
    /// With memory for all pairs that a surface may have, but for pages that are never written to.
    pub fn new(surface: &ContactSurface) -> Self {
        let most = surface.points.len();
        let vertices = surface.vertices.len();
        Self {
            all: Vec::with_capacity(most),
            entries: Vec::with_capacity(most * NODES),
            levers: Vec::with_capacity(most * NODES),
            places: Places::new(surface.rest.len(), vertices),
        }
    }

    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.all.clear();
        self.entries.clear();
        self.levers.clear();
        self.places.clear();
    }

    /// Adds a pair.
    pub fn add(&mut self, surface: &ContactSurface, hit: &Hit) {
        let from = self.entries.len();
        let [a, b, c] = surface.triangles[hit.triangle as usize];
        let vertices = [hit.point, a, b, c];
        for (k, v) in vertices.into_iter().enumerate() {
            let (nodes, weights) = surface.rows.row(v as usize);
            for (&node, &weight) in nodes.iter().zip(weights) {
                let known = self.entries[from..].iter().position(|e| e.node == node);
                let at = known.map_or(self.entries.len(), |k| from + k);
                if known.is_none() {
                    let weights = [0.0; 4];
                    self.entries.push(Entry { node, weights });
                }
                self.entries[at].weights[k] += weight;
            }
        }
        self.levers.resize(self.entries.len(), Lever::default());
        self.all.push(Pair {
            from: from as u32,
            to: self.entries.len() as u32,
            vertices: vertices.map(|v| self.places.number(v)),
            reach: hit.reach,
            normal: Vec3::zeros(),
            gap: f64::INFINITY,
            mass: 0.0,
            wanted: 0.0,
            impulse: 0.0,
            sliding: Vec3::zeros(),
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

    /// Takes the plane of the triangle where it is now. Returns whether an impulse has to be looked for.
    pub fn begin_step(
        &mut self,
        (entries, levers): (&[Entry], &mut [Lever]),
        places: &Places,
        step: &Step<'_>,
    ) -> bool {
        let is_near = self.look(places, step);
        let acts = is_near.is_some_and(|foot| self.weigh(entries, levers, foot, step));
        if !acts {
            (self.mass, self.impulse, self.sliding) = (0.0, 0.0, Vec3::zeros());
        }
        acts
    }

    /// Barycentric coordinates of the foot of the point on the triangle, if they are near each other.
    fn look(&mut self, places: &Places, step: &Step<'_>) -> Option<[f64; 3]> {
        self.gap = f64::INFINITY;
        let [point, a, b, c] = places.of(self.vertices);
        let cross = (b - a).cross(&(c - a));
        let area = cross.norm();
        if area == 0.0 {
            return None;
        }
        let normal = cross / area;
        let gap = normal.dot(&(point - a)) - self.reach;
        if gap > NEAR * step.spacing {
            return None;
        }
        let beta = (point - a).cross(&(c - a)).dot(&normal) / area;
        let gamma = (b - a).cross(&(point - a)).dot(&normal) / area;
        let foot = [1.0 - beta - gamma, beta, gamma];
        if foot.iter().any(|w| *w < -BEYOND) {
            return None;
        }
        (self.normal, self.gap) = (normal, gap);
        Some(foot)
    }

    /// Finds what an impulse does. Returns whether it does enough.
    fn weigh(
        &mut self,
        entries: &[Entry],
        levers: &mut [Lever],
        foot: [f64; 3],
        step: &Step<'_>,
    ) -> bool {
        let range = self.range();
        let (mut free, mut compliance) = (0.0, 0.0);
        for (entry, lever) in entries[range.clone()].iter().zip(&mut levers[range]) {
            let [w, wa, wb, wc] = entry.weights;
            let relative = w - (wa * foot[0] + wb * foot[1] + wc * foot[2]);
            let inverse_mass = step.inverse_masses[entry.node as usize];
            let square = relative * relative;
            free += if inverse_mass > 0.0 { square } else { 0.0 };
            compliance += square * inverse_mass;
            *lever = Lever {
                node: entry.node,
                relative,
                pull: relative * inverse_mass,
            };
        }
        if free < LEAST_APART {
            self.gap = f64::INFINITY;
            return false;
        }
        self.mass = 1.0 / compliance;
        self.wanted = match self.gap > 0.0 {
            true => -self.gap / step.length,
            false => {
                let depth = (-self.gap - SLOP * step.spacing).max(0.0);
                let fastest = GENTLY * step.spacing / step.frame;
                (CORRECTION * depth / step.length).min(fastest)
            }
        };
        true
    }

    /// Begins with the impulses of the last step.
    pub fn warm_start(&mut self, levers: &[Lever], velocities: &mut [Vec3], step: &Step<'_>) {
        if self.impulse == 0.0 {
            self.sliding = Vec3::zeros();
            return;
        }
        let across = self.sliding - self.normal * self.normal.dot(&self.sliding);
        self.sliding = within(across, step.friction * self.impulse);
        let impulse = self.normal * self.impulse + self.sliding;
        self.push(levers, velocities, &impulse);
    }

    /// Corrects the impulses. Returns by how much the relative velocity changed, m/s.
    pub fn improve(&mut self, levers: &[Lever], velocities: &mut [Vec3], step: &Step<'_>) -> f64 {
        let relative = self.velocity(levers, velocities);
        let along = self.normal.dot(&relative);
        let impulse = (self.impulse + (self.wanted - along) * self.mass).max(0.0);
        if impulse == 0.0 && self.impulse == 0.0 {
            return 0.0;
        }
        let pushed = self.normal * (impulse - self.impulse);
        self.impulse = impulse;
        // friction in Coulomb's cone
        let across = relative - self.normal * along;
        let sliding = within(self.sliding - across * self.mass, step.friction * impulse);
        let change = pushed + sliding - self.sliding;
        self.sliding = sliding;
        self.push(levers, velocities, &change);
        change.norm() / self.mass
    }

    /// Whether there was an impulse in the last step.
    pub fn presses(&self) -> bool {
        self.impulse > 0.0
    }

    /// The point, and a corner of the triangle, among the places.
    pub fn ends(&self) -> [u32; 2] {
        let [point, corner, ..] = self.vertices;
        [point, corner]
    }

    /// Penetration in this step, m.
    pub fn depth(&self) -> f64 {
        (-self.gap).max(0.0)
    }

    fn velocity(&self, levers: &[Lever], velocities: &[Vec3]) -> Vec3 {
        let all = levers[self.range()].iter();
        all.map(|l| velocities[l.node as usize] * l.relative).sum()
    }

    fn push(&self, levers: &[Lever], velocities: &mut [Vec3], impulse: &Vec3) {
        for lever in &levers[self.range()] {
            velocities[lever.node as usize] += impulse * lever.pull;
        }
    }
}

/// A vector of at most this length.
fn within(v: Vec3, most: f64) -> Vec3 {
    let size = v.norm();
    if size > most { v * (most / size) } else { v }
}
