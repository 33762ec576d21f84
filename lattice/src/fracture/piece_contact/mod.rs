//! Contact within a broken body: pieces touch each other, and so do the lips of a cut in one piece.
//!
//! Each particle at the surface of a piece has a ball with the diameter of a cell. At the surface of the whole body, the ball lies
//! half a cell further in, so that it ends where the cells end. Along a crack it lies at the particle, so that it ends where the caps are.
//! Balls whose distance was less than a cell while the body was whole touch at that distance: no piece starts inside another.
//!
//! Candidates for contact are found when a frame begins: balls of different pieces in [`pieces`], balls of lips in [`lips`]. Every step finds the
//! impulses that keep the balls apart, by projected Gauss–Seidel ([`solver`]). Impulses are equal and opposite. They act along one line or, as
//! friction, at one point between the balls, so that linear and angular momentum are conserved. No state passes from frame to frame, so that a snapshot
//! needs only the broken links.

mod approaches;
mod ball_grid;
mod contact_ball;
mod energy_bound;
mod lips;
mod pair;
mod pieces;
mod solver;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::piece_contact::ball_grid::BallGrid;
use crate::fracture::piece_contact::contact_ball::ContactBall;
use crate::fracture::piece_contact::pair::ContactPair;

/// Gap up to which balls are candidates, beyond the distance that they may close within the frame, cells.
const MARGIN: f64 = 0.1;
/// Largest distance of the search beyond the margin, cells: contacts of faster balls may be found late.
const MAX_TRAVEL: f64 = 2.0;
/// All links of a particle.
const LINK_COUNT: u32 = 26;
/// No ball of a particle.
const NONE: u32 = u32::MAX;

/// Balls of a body and the pairs of them that may touch in this frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct PieceContact {
    balls: Vec<ContactBall>,
    /// ball of each particle, or [`NONE`]; empty until a link is broken
    ball_of_particle: Vec<u32>,
    /// links of each particle while the body was whole
    whole_links: Vec<u32>,
    /// whether balls were added since they were sorted
    is_unsorted: bool,
    grid: BallGrid,
    pairs: Vec<ContactPair>,
    /// balls along cuts and cracks of awake pieces
    lips: Vec<u32>,
    /// number of balls of each piece
    ball_counts: Vec<u32>,
    /// duration of the frame, s
    duration: f64,
    /// edge of a cell, m
    cell: f64,
    /// velocities before the impulses of a step, m/s
    velocities_before: Vec<Vec3>,
}

/// Positions (m) and velocities (m/s) of particles, and their inverse masses (1/kg).
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParticleState<'a> {
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    pub inverse_mass: &'a [f64],
}

impl PieceContact {
    /// Makes a ball for each particle that lacks at least one of its 26 neighbours.
    fn make_balls(&mut self, whole: &LatticeAsset, sites: &Sites) {
        self.whole_links.clone_from(&whole.links);
        self.ball_of_particle = vec![NONE; sites.len()];
        self.cell = whole.cell;
        for p in 0..sites.len() as u32 {
            self.update_ball(sites, p);
        }
    }

    /// Updates the balls at both ends of links that have just been broken.
    pub fn update_broken_links(&mut self, sites: &Sites, links: &[[u32; 2]]) {
        if !self.ball_of_particle.is_empty() {
            for &p in links.as_flattened() {
                self.update_ball(sites, p);
            }
        }
    }

    /// Makes or replaces the ball of particle `p` according to its present links.
    fn update_ball(&mut self, sites: &Sites, p: u32) {
        if sites.links[p as usize].count_ones() == LINK_COUNT {
            return;
        }
        let ball = ContactBall::new(sites, self.whole_links[p as usize], p);
        match self.ball_of_particle[p as usize] {
            NONE => {
                self.ball_of_particle[p as usize] = self.balls.len() as u32;
                self.balls.push(ball);
                self.is_unsorted = true;
            }
            existing => self.balls[existing as usize] = ball,
        }
    }

    /// Sorts balls by particle, so that the order in which links broke has no influence on the order of pairs.
    fn sort_balls(&mut self) {
        if std::mem::take(&mut self.is_unsorted) {
            self.balls.sort_unstable_by_key(|ball| ball.ends[0]);
            for (k, ball) in self.balls.iter().enumerate() {
                self.ball_of_particle[ball.ends[0] as usize] = k as u32;
            }
        }
    }

    /// Whether nothing can touch in this frame.
    pub fn is_idle(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Removes all candidates.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Finds what may touch within the next `duration` seconds: balls of different pieces of `asset`, and the lips of cuts within a piece.
    /// `whole` is the lattice before anything broke. `is_asleep` tells which pieces sleep: they do nothing to each other or to themselves.
    ///
    /// Cost: nothing before a link is broken. With several pieces about 10 ns a ball and 0.3 microseconds a ball outside the largest piece, and about
    /// 0.5 microseconds for each ball along a cut.
    pub fn find(
        &mut self,
        (asset, whole): (&LatticeAsset, &LatticeAsset),
        sites: &Sites,
        state: &ParticleState<'_>,
        duration: f64,
        is_asleep: impl Fn(u32) -> bool,
    ) {
        self.pairs.clear();
        if self.ball_of_particle.is_empty() {
            self.make_balls(whole, sites);
        }
        self.sort_balls();
        self.duration = duration;
        self.find_lips(asset, sites, state, &is_asleep);
        self.find_pieces(asset, state, &is_asleep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{asset_of, grid_of, links_across};

    #[test]
    fn balls_end_where_the_cells_end_and_halfway_across_a_crack() {
        let asset = asset_of(&grid_of([4, 3, 3], |_| true), 1);
        let mut sites = Sites::of_asset(&asset);
        let mut contact = PieceContact::default();
        contact.make_balls(&asset, &sites);
        let lowest = |contact: &PieceContact, axis: usize| {
            let low = |b: &ContactBall| b.center(&asset.rest)[axis] - 0.5 * asset.cell;
            contact.balls.iter().map(low).fold(f64::INFINITY, f64::min)
        };
        let low = |axis: usize| {
            asset
                .rest
                .iter()
                .map(|x| x[axis])
                .fold(f64::INFINITY, f64::min)
        };
        for axis in 0..3 {
            assert!((lowest(&contact, axis) - low(axis)).abs() < 1e-12);
        }
        // two cells of each piece are left of a crack between the third and the fourth column
        let cut = links_across(&asset, 0, 2);
        for [p, q] in &cut {
            sites.unlink(*p, *q);
        }
        contact.update_broken_links(&sites, &cut);
        for &[p, _] in &cut {
            let ball = contact.balls[contact.ball_of_particle[p as usize] as usize];
            let offset = ball.center(&asset.rest).x - asset.rest[p as usize].x;
            assert!(
                offset.abs() < 1e-12,
                "it stays in the plane of the crack: {offset}"
            );
        }
    }
}
