//! The share of each tetrahedron of a cut, so that every part of the body counts once.
//!
//! Where levels meet, tetrahedra with some active corners overlap or leave gaps. A weight of a quarter for each active corner ignores that: the frequencies of a half-refined block
//! of 4 × 2 × 4 cells were 5 to 7 % off those of either of its levels. Here whole tetrahedra (all corners active) count in full, and others only for the part of
//! them where no whole ones of the other level lie. Where partly active ones of both levels remain, the finer level gets the share [`FINER_SHARE`] of the
//! volume. With the finer level alone the body would be too stiff, since dormant corners follow the coarser level. With the coarser level alone it would be much too soft, since the finer
//! nodes beyond the last whole tetrahedron would be connected to nothing. So finer tetrahedra that connect such nodes to those of whole ones count in full; with less, the skin at
//! the rim of a refined region was too soft by some per cent.
//!
//! Masses follow the same shares: the mass that a tetrahedron has at a ghost goes to the nodes that the ghost follows. With positive shares that add up to one, the
//! frequency bound of single elements holds for the body (Jensen).

use crate::cut::operators::Operators;
use crate::cut::state::{Cut, NodeState};
use crate::hierarchy::places_above::QUADRATURE_POINT_COUNT;

/// Share of the finer level where there are only partly active tetrahedra. Periods of 45 half-refined blocks hardly depend on it between 0.6 and 1; below 0.5 they are up to
/// 8 % too long. In the bench `adaptive-poke` a larger share makes the force stiffer and the shape beside the tool better: with 968 nodes, 0.65 is 3.9 and 4.3 % off, 0.8 is 4.6
/// and 2.5 % off.
const FINER_SHARE: f64 = 0.65;
/// The same for finer tetrahedra none of whose active corners belongs to a whole tetrahedron: they connect these corners to nothing. With 1, a slab whose only fine nodes are those of its upper
/// face has a period that is 3.2 % too long; with this, 1.9 %.
const UNSUPPORTED_SHARE: f64 = 0.65;
/// Least share of a tetrahedron with an active corner, so that every active node has some mass and some stiffness. With a fiftieth, bodies recovered less often from rough
/// handling.
const MIN_SHARE: f64 = 0.15;
/// Least correction for the error of the quadrature points of the overlaps; the largest is its inverse.
const MIN_CORRECTION: f64 = 0.5;

impl Cut {
    /// Computes the shares of the tetrahedra at the interface for the present states: see the head of this file. With the whole tetrahedra they add up to the body; a
    /// factor on all of them corrects the error of the quadrature points. Cost: a pass over the evaluated tetrahedra, and some hundred nanoseconds for each at
    /// the interface.
    pub fn compute_shares(&mut self, operators: &Operators) {
        let forest = self.forest().clone();
        let overlaps = forest.overlaps();
        // nodes of whole tetrahedra
        let mut is_carried = vec![false; forest.node_count()];
        for &t in operators.evaluated() {
            if self.active_corners(t) == 4 {
                for n in forest.tets()[t as usize] {
                    is_carried[n as usize] = true;
                }
            }
        }
        let finer_share = |t: u32| {
            let corners = forest.tets()[t as usize].into_iter();
            let carried = corners.filter(|&n| self.is_active(n) && is_carried[n as usize]);
            match carried.count() {
                0 => UNSUPPORTED_SHARE,
                count if count < usize::from(self.active_corners(t)) => 1.0,
                _ => FINER_SHARE,
            }
        };
        // a tetrahedron without active corners covers its volume if finer tetrahedra represent all of it
        let covered_share = |t: u32| match self.active_corners(t) {
            4 => 1.0,
            0 => {
                let refined = |&n: &u32| self.state(n) == NodeState::Refined;
                f64::from(u8::from(forest.tets()[t as usize].iter().all(refined)))
            }
            _ => finer_share(t),
        };
        let uncovered_share = |t: u32, finer: u32| match self.active_corners(t) {
            4 => 0.0,
            0 => 1.0,
            _ => finer_share(finer),
        };
        let mut shares = Vec::new();
        let (mut full, mut mixed) = (0.0, 0.0);
        for &t in operators.evaluated() {
            let mass = forest.density_of(t) * forest.volume(t);
            if self.active_corners(t) == 4 {
                full += mass;
                continue;
            }
            let (mut whole, mut covered) = (0.0, 0.0);
            for &finer in overlaps.below(t) {
                let volume = forest.volume(finer);
                whole += volume;
                covered += volume * covered_share(finer);
            }
            let above = overlaps
                .above(t)
                .map(|coarser| 1.0 - uncovered_share(coarser, t));
            let mut remaining = 1.0 - above.sum::<f64>() / QUADRATURE_POINT_COUNT as f64;
            if whole > 0.0 {
                remaining -= covered / whole;
            }
            let share = remaining.max(MIN_SHARE);
            mixed += share * mass;
            shares.push((t, share));
        }
        let correction = (forest.mass() - full) / mixed;
        let correction =
            match mixed > 0.0 && (MIN_CORRECTION..1.0 / MIN_CORRECTION).contains(&correction) {
                true => correction,
                false => 1.0,
            };
        self.set_shares(shares, correction);
    }

    /// Adds the masses of the evaluated tetrahedra, four times `corner` kg times their share each, to `masses` of the active nodes. `masses` of all other nodes are zero
    /// before and after.
    pub(crate) fn distribute_masses(
        &self,
        operators: &Operators,
        corner: impl Fn(u32) -> f64,
        masses: &mut [f64],
    ) {
        let forest = self.forest();
        for &t in operators.evaluated() {
            let mass = corner(t) * self.share(t);
            if mass == 0.0 {
                continue;
            }
            for n in forest.tets()[t as usize] {
                match self.is_active(n) || operators.row(n).is_some() {
                    true => masses[n as usize] += mass,
                    false => masses[self.active_substitute(n) as usize] += mass,
                }
            }
        }
        for &ghost in operators.ghosts().iter().rev() {
            let mass = std::mem::take(&mut masses[ghost as usize]);
            if mass == 0.0 {
                continue;
            }
            let Some((nodes, weights)) = operators.row(ghost) else {
                continue;
            };
            let sum: f64 = weights.iter().map(|w| w.max(0.0)).sum();
            for (&n, w) in nodes.iter().zip(weights) {
                let part = mass * (w.max(0.0) / sum);
                if part == 0.0 {
                    continue;
                }
                match self.is_active(n) || operators.row(n).is_some() {
                    true => masses[n as usize] += part,
                    false => masses[self.active_substitute(n) as usize] += part,
                }
            }
        }
    }

    /// The active node that gets the mass of a held node which is not active itself.
    fn active_substitute(&self, held: u32) -> u32 {
        let forest = self.forest();
        if let Some(active) = self.active_ancestor(held) {
            return active;
        }
        let mut node = held;
        while self.state(node) == NodeState::Refined {
            let children = forest.children(node);
            let first = children.iter().find(|&&c| forest.support(c).is_some());
            let Some(&next) = first.or(children.first()) else {
                break;
            };
            node = next;
        }
        node
    }
}
