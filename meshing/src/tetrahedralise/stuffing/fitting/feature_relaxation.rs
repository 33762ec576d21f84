//! Feature relaxation: nodes are put onto features, and their neighbours move so that dihedral angles stay in range.

use pliant_core::math::Vec3;
use pliant_core::math::tangents::tangents;
use pliant_core::mesh::adjacency::sorted_set;

use super::angle_ranges::ACCEPTABLE_DISTANCE;
use super::fitted_mesh::{Bond, Fitting};

/// Sweeps over the neighbours of a node that is put onto a feature.
const SWEEPS: usize = 6;
/// Sweeps over matched nodes and their neighbours that improve angles.
const POLISH_SWEEPS: usize = 3;
/// Neighbours move by these shares of the mean edge.
const STEP_LENGTHS: [f64; 3] = [0.16, 0.06, 0.02];
/// Nodes whose badness (see [`Fitting::badness`]) is below this are left as they are.
const GOOD_BADNESS: f64 = 0.5;

impl Fitting<'_> {
    /// Puts a boundary node exactly onto `target` (m), which is at `distance` (m) from the boundary. Its neighbours make room,
    /// each along what it is bound to, and flat tetrahedra on the boundary are removed. Changes nothing and returns
    /// false when a dihedral angle would leave its range, or when the boundary around the node would get too far from the
    /// surface, see [`ACCEPTABLE_DISTANCE`].
    pub fn match_node(&mut self, node: u32, target: Vec3, distance: f64, bond: Bond) -> bool {
        let (old_bond, from) = (self.bond(node), self.at(node));
        let min_allowed = (0.5 * distance).clamp(
            ACCEPTABLE_DISTANCE.0 * self.edge,
            ACCEPTABLE_DISTANCE.1 * self.edge,
        );
        let max_distance = self.distance_around(node).max(min_allowed);
        self.bonds[node as usize] = bond;
        self.x[node as usize] = target;
        if self.badness(node, 1.0) < 1.0 && self.distance_around(node) <= max_distance {
            return true;
        }
        self.relaxed += 1;
        let ring = self.cells.neighbours(node);
        let saved: Vec<Vec3> = ring.iter().map(|&n| self.at(n)).collect();
        let mut peeled = Vec::new();
        for _ in 0..SWEEPS {
            self.peel_flat(node, &mut peeled);
            let mut moved = false;
            for &n in &ring {
                moved |= self.relax(n, Self::badness);
            }
            if !moved || self.badness(node, 1.0) < 1.0 {
                break;
            }
        }
        self.peel_flat(node, &mut peeled);
        let is_good = |n: &u32| self.badness(*n, 1.0) < 1.0;
        if is_good(&node) && ring.iter().all(is_good) && self.distance_around(node) <= max_distance
        {
            return true;
        }
        for t in peeled {
            self.cells.set_alive(t, true);
        }
        for (&n, x) in ring.iter().zip(saved) {
            self.x[n as usize] = x;
        }
        self.x[node as usize] = from;
        self.bonds[node as usize] = old_bond;
        false
    }

    /// Improves the worst angles: those at matched nodes and their neighbours, and of tetrahedra that are out of range from
    /// the start.
    pub fn polish(&mut self) {
        let is_matched = |&n: &u32| self.is_matched(n);
        let matched: Vec<u32> = (0..self.x.len() as u32).filter(is_matched).collect();
        let rings = matched.iter().flat_map(|&n| self.cells.neighbours(n));
        let bad = self.cells.alive().filter(|&t| self.badness_of(t) >= 1.0);
        let bad = bad.flat_map(|t| self.cells.tet(t));
        let nodes = sorted_set(rings.chain(bad).chain(matched.iter().copied()));
        for _ in 0..POLISH_SWEEPS {
            let mut moved = false;
            for &n in &nodes {
                moved |= self.relax(n, Self::strict_badness);
            }
            if !moved {
                break;
            }
        }
    }

    /// Moves a node by small steps where that improves the worst tetrahedron around it; whether it moved.
    fn relax(&mut self, node: u32, measure: fn(&Self, u32, f64) -> f64) -> bool {
        let start = measure(self, node, f64::INFINITY);
        let mut best = start;
        if best < GOOD_BADNESS || matches!(self.bond(node), Bond::Point | Bond::Held) {
            return false;
        }
        for step in STEP_LENGTHS {
            let from = self.at(node);
            let mut found = None;
            let mut lowest = best;
            for target in self.step_targets(node, step * self.edge) {
                self.x[node as usize] = target;
                let badness = measure(self, node, lowest);
                if badness < lowest {
                    (lowest, found) = (badness, Some(target));
                }
            }
            self.x[node as usize] = from;
            if let Some(target) = found.and_then(|to| self.projected_to_bond(node, to)) {
                self.x[node as usize] = target;
                let badness = measure(self, node, best);
                if badness < best {
                    best = badness;
                } else {
                    self.x[node as usize] = from;
                }
            }
        }
        best < start
    }

    /// Points at distance `length` (m) that a node may move to, to first order.
    fn step_targets(&self, node: u32, length: f64) -> Vec<Vec3> {
        let x = self.at(node);
        let directions: Vec<Vec3> = match self.bond(node) {
            Bond::Inner => {
                let row = self.cells.neighbours(node);
                let mean = row.iter().map(|&n| self.at(n)).sum::<Vec3>() / row.len().max(1) as f64;
                let inwards = (mean - x).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
                let both = axes.iter().flat_map(|a| [*a, -a]);
                both.chain([inwards]).collect()
            }
            Bond::Surface => {
                let Some((_, normal)) = self.solid.closest(&x) else {
                    return Vec::new();
                };
                let [along, across] = tangents(&normal);
                let diagonal = (along + across) * 0.5_f64.sqrt();
                let other = (along - across) * 0.5_f64.sqrt();
                let both = [along, across, diagonal, other];
                both.iter().flat_map(|d| [*d, -d]).collect()
            }
            Bond::Crease => {
                let found = self.features.closest_on_crease(&x, self.edge);
                let along = found.map(|(_, along)| [along, -along]);
                along.into_iter().flatten().collect()
            }
            Bond::Point | Bond::Held => Vec::new(),
        };
        directions.iter().map(|d| x + d * length).collect()
    }

    /// The point next to `to` (m) that keeps a node on what it is bound to, with the same offset as before.
    fn projected_to_bond(&self, node: u32, to: Vec3) -> Option<Vec3> {
        match self.bond(node) {
            Bond::Inner => Some(to),
            Bond::Surface => {
                let x = self.at(node);
                let offset = x - self.solid.closest(&x)?.0;
                Some(self.solid.closest(&to)?.0 + offset)
            }
            Bond::Crease => Some(self.features.closest_on_crease(&to, self.edge)?.0),
            Bond::Point | Bond::Held => None,
        }
    }
}
