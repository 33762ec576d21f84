//! One point and the triangle that it may touch: their geometry in a step, and their impulse.

use pliant_core::math::Vec3;

use super::search::Hit;
use super::surface::ContactSurface;

/// Coefficient of friction.
const FRICTION: f64 = 0.3;
/// Gap below which an impulse is looked for, mean edges of the tetrahedra.
const NEAR: f64 = 0.1;
/// Penetration that is left alone, mean edges.
const SLOP: f64 = 0.002;
/// Share of a penetration that one step takes back.
const CORRECTION: f64 = 0.2;
/// Most of a penetration that one frame takes back, mean edges: pieces are not thrown apart.
const GENTLY: f64 = 0.05;
/// How far beyond its triangle a point may slide within a frame, as barycentric coordinate.
const BEYOND: f64 = 1.0;
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
    /// 1/kg
    pub inverse_masses: &'a [f64],
}

/// A node behind a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    node: u32,
    /// weights of the point and of the corners of the triangle
    weights: [f64; 4],
    /// of the point against its foot on the triangle, in this step
    relative: f64,
}

/// The pairs of a frame with the nodes behind them.
#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    pub all: Vec<Pair>,
    pub rows: Vec<Entry>,
}

/// A point and a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    from: u32,
    to: u32,
    /// distance at which they touch, m
    reach: f64,
    /// outwards from the triangle in this step, unit
    normal: Vec3,
    /// m
    gap: f64,
    /// impulse that changes the relative velocity by 1 m/s, kg; zero where nothing touches
    mass: f64,
    /// on the point along the normal, of the last step, N s
    impulse: f64,
    /// on the point across the normal, of this step, N s
    sliding: Vec3,
}

impl Pairs {
    pub fn clear(&mut self) {
        self.all.clear();
        self.rows.clear();
    }

    /// Adds a pair.
    pub fn add(&mut self, surface: &ContactSurface, hit: &Hit) {
        let from = self.rows.len();
        let [a, b, c] = surface.faces[hit.triangle as usize];
        for (k, v) in [hit.point, a, b, c].into_iter().enumerate() {
            let (nodes, weights) = surface.rows.row(v as usize);
            for (&node, &weight) in nodes.iter().zip(weights) {
                let known = self.rows[from..].iter().position(|e| e.node == node);
                let at = known.map_or(self.rows.len(), |k| from + k);
                if known.is_none() {
                    self.rows.push(Entry {
                        node,
                        weights: [0.0; 4],
                        relative: 0.0,
                    });
                }
                self.rows[at].weights[k] += weight;
            }
        }
        self.all.push(Pair {
            from: from as u32,
            to: self.rows.len() as u32,
            reach: hit.reach,
            normal: Vec3::zeros(),
            gap: f64::INFINITY,
            mass: 0.0,
            impulse: 0.0,
            sliding: Vec3::zeros(),
        });
    }

    /// Nodes behind all pairs, some of them several times.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.iter().map(|entry| entry.node)
    }
}

impl Pair {
    fn range(&self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    /// Takes the plane of the triangle where it is now.
    pub fn begin_step(&mut self, rows: &mut [Entry], positions: &[Vec3], step: &Step<'_>) {
        let entries = &mut rows[self.range()];
        self.sliding = Vec3::zeros();
        self.mass = 0.0;
        self.gap = f64::INFINITY;
        let mut at = [Vec3::zeros(); 4];
        for entry in entries.iter() {
            for (x, w) in at.iter_mut().zip(entry.weights) {
                *x += positions[entry.node as usize] * w;
            }
        }
        let [point, a, b, c] = at;
        let cross = (b - a).cross(&(c - a));
        let area = cross.norm();
        if area == 0.0 {
            return;
        }
        let normal = cross / area;
        let gap = normal.dot(&(point - a)) - self.reach;
        if gap > NEAR * step.spacing {
            return;
        }
        let beta = (point - a).cross(&(c - a)).dot(&normal) / area;
        let gamma = (b - a).cross(&(point - a)).dot(&normal) / area;
        let foot = [1.0 - beta - gamma, beta, gamma];
        if foot.iter().any(|w| *w < -BEYOND) {
            return;
        }
        let (mut free, mut compliance) = (0.0, 0.0);
        for entry in entries {
            let [w, wa, wb, wc] = entry.weights;
            entry.relative = w - (wa * foot[0] + wb * foot[1] + wc * foot[2]);
            let square = entry.relative * entry.relative;
            let inverse_mass = step.inverse_masses[entry.node as usize];
            free += if inverse_mass > 0.0 { square } else { 0.0 };
            compliance += square * inverse_mass;
        }
        if free < LEAST_APART {
            return;
        }
        (self.normal, self.gap, self.mass) = (normal, gap, 1.0 / compliance);
    }

    /// Begins with the impulse of the last step.
    pub fn warm_start(&mut self, rows: &[Entry], velocities: &mut [Vec3], step: &Step<'_>) {
        if self.mass == 0.0 {
            self.impulse = 0.0;
        } else if self.impulse != 0.0 {
            self.push(rows, velocities, step, &(self.normal * self.impulse));
        }
    }

    /// Corrects the impulse. Returns whether it changed.
    pub fn improve(&mut self, rows: &[Entry], velocities: &mut [Vec3], step: &Step<'_>) -> bool {
        if self.mass == 0.0 {
            return false;
        }
        let relative = self.velocity(rows, velocities);
        let along = self.normal.dot(&relative);
        let wanted = match self.gap > 0.0 {
            true => -self.gap / step.length,
            false => {
                let depth = (-self.gap - SLOP * step.spacing).max(0.0);
                let fastest = GENTLY * step.spacing / step.frame;
                (CORRECTION * depth / step.length).min(fastest)
            }
        };
        let impulse = (self.impulse + (wanted - along) * self.mass).max(0.0);
        let pushed = self.normal * (impulse - self.impulse);
        self.impulse = impulse;
        // friction in Coulomb's cone
        let across = relative - self.normal * along;
        let mut sliding = self.sliding - across * self.mass;
        let (size, most) = (sliding.norm(), FRICTION * impulse);
        if size > most {
            sliding *= most / size;
        }
        let change = pushed + sliding - self.sliding;
        self.sliding = sliding;
        if change == Vec3::zeros() {
            return false;
        }
        self.push(rows, velocities, step, &change);
        true
    }

    /// Penetration in this step, m.
    pub fn depth(&self) -> f64 {
        (-self.gap).max(0.0)
    }

    fn velocity(&self, rows: &[Entry], velocities: &[Vec3]) -> Vec3 {
        let all = rows[self.range()].iter();
        all.map(|e| velocities[e.node as usize] * e.relative).sum()
    }

    fn push(&self, rows: &[Entry], velocities: &mut [Vec3], step: &Step<'_>, impulse: &Vec3) {
        for entry in &rows[self.range()] {
            let n = entry.node as usize;
            velocities[n] += impulse * (entry.relative * step.inverse_masses[n]);
        }
    }
}
