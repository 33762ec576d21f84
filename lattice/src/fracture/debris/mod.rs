//! Pieces of a broken body touch each other.
//!
//! A piece is as thick as its lattice: each particle at its surface is a ball of a cell's diameter. Where the body ended at rest the ball lies
//! half a cell further in, so that it ends where the cells end; along a crack it lies at the particle, so that it ends where the caps are.
//! Balls that were nearer to each other than a cell while the body was whole touch at that distance: no piece is born inside another. Balls of different pieces that may
//! meet within a frame are found when it begins, and every step finds the impulses that keep them apart, by projected Gauss–Seidel, along the line
//! between the balls where they are then.
//!
//! Impulses are equal and opposite, and act on one line, or, as friction, at one place between the balls, which the particles around carry along:
//! linear and angular momentum are kept. Nothing is remembered from frame to frame, so that a snapshot needs no more than the broken links.

mod ball;
mod energy_bound;
mod meetings;
mod near;

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::debris::ball::{Ball, Grip};
use crate::fracture::debris::energy_bound::bound_energy;
use crate::fracture::debris::near::{NearBalls, Query};

/// Coefficient of friction between pieces.
const FRICTION: f64 = 0.3;
/// Distance at which contacts are kept ready besides what may be closed within the frame, cells.
const MARGIN: f64 = 0.1;
/// Most that is looked for besides, cells: what closes more within a frame may be met late.
const FARTHEST: f64 = 2.0;
/// Penetration that is left alone, cells.
const SLOP: f64 = 0.01;
/// Share of a penetration that one step takes back.
const CORRECTION: f64 = 0.2;
/// Most of a penetration that one frame takes back, cells: pieces are not thrown apart.
const GENTLY: f64 = 0.1;
/// Sweeps a step.
const SWEEPS: usize = 8;
/// All links of a particle.
const LINKED: u32 = 26;
/// No ball of a particle.
const NONE: u32 = u32::MAX;

/// Two balls that may touch within a frame.
#[derive(Debug, Clone, Copy)]
struct Pair {
    balls: [Ball; 2],
    /// impulse along the line that changes the velocity along it by 1 m/s, kg
    mass: f64,
    /// unit, from the second ball to the first, in this step
    normal: Vec3,
    /// distance at which they touch, m
    reach: f64,
    /// between the balls in this step, m
    gap: f64,
    /// on the first along the normal, of the last step, N s
    impulse: f64,
    /// how both hold a place between them, and the impulse across the line there that changes the velocity by 1 m/s, kg; absent where a piece is
    /// no more than a few particles
    grips: Option<([Grip; 2], f64)>,
    /// on the first across the normal, of this step, N s
    sliding: Vec3,
}

/// Balls of a body and the pairs of them that may touch in this frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Debris {
    balls: Vec<Ball>,
    /// ball of each particle, or [`NONE`]; empty until there is a second piece
    of_particle: Vec<u32>,
    /// neighbours of each particle while the body was whole
    whole_links: Vec<u32>,
    /// whether balls came since they were put in order
    added: bool,
    near: NearBalls,
    pairs: Vec<Pair>,
    /// balls of each piece
    sizes: Vec<u32>,
    /// s
    duration: f64,
    /// m
    cell: f64,
    /// velocities before the impulses of a step, m/s
    before: Vec<Vec3>,
}

impl Debris {
    /// Balls of all particles that have lost or never had a neighbour.
    fn begin(&mut self, whole: &LatticeAsset, sites: &Sites) {
        self.whole_links.clone_from(&whole.links);
        self.of_particle = vec![NONE; sites.len()];
        self.cell = whole.cell;
        for p in 0..sites.len() as u32 {
            self.renew(sites, p);
        }
    }

    /// The links between these ends are broken now.
    pub fn broke(&mut self, sites: &Sites, links: &[[u32; 2]]) {
        if !self.of_particle.is_empty() {
            links
                .as_flattened()
                .iter()
                .for_each(|&p| self.renew(sites, p));
        }
    }

    /// The ball of particle `p` as its links are now.
    fn renew(&mut self, sites: &Sites, p: u32) {
        if sites.links[p as usize].count_ones() == LINKED {
            return;
        }
        let ball = Ball::of(sites, self.whole_links[p as usize], p);
        match self.of_particle[p as usize] {
            NONE => {
                self.of_particle[p as usize] = self.balls.len() as u32;
                self.balls.push(ball);
                self.added = true;
            }
            known => self.balls[known as usize] = ball,
        }
    }

    /// Balls in the order of their particles, whatever the order in which links broke: pairs come in the order of balls.
    fn put_in_order(&mut self) {
        if std::mem::take(&mut self.added) {
            self.balls.sort_unstable_by_key(|ball| ball.ends[0]);
            for (k, ball) in self.balls.iter().enumerate() {
                self.of_particle[ball.ends[0] as usize] = k as u32;
            }
        }
    }

    /// Whether something may touch in this frame.
    pub fn is_idle(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Nothing may touch in this frame.
    pub fn leave(&mut self) {
        self.pairs.clear();
    }

    /// Pairs of balls of different pieces of `asset` that may touch within `duration` seconds; `state` is positions (m) and velocities (m/s).
    /// `whole` is the lattice before anything broke, and `sleeps` tells which pieces sleep: two of these do nothing to each other.
    ///
    /// Cost: nothing while there is one piece; with several about 10 ns a ball and 0.3 microseconds a ball outside the largest piece.
    pub fn find(
        &mut self,
        (asset, whole): (&LatticeAsset, &LatticeAsset),
        sites: &Sites,
        (x, v): (&[Vec3], &[Vec3]),
        inverse_mass: &[f64],
        duration: f64,
        sleeps: impl Fn(u32) -> bool,
    ) {
        self.pairs.clear();
        let count = asset.component_count();
        if count < 2 {
            return;
        }
        if self.of_particle.is_empty() {
            self.begin(whole, sites);
        }
        self.put_in_order();
        self.duration = duration;
        let piece_of = |ball: &Ball| asset.component[ball.ends[0] as usize];
        self.sizes.clear();
        self.sizes.resize(count, 0);
        for ball in &self.balls {
            self.sizes[piece_of(ball) as usize] += 1;
        }
        // the first of the largest: what lies on it looks for it, not the other way round
        let largest = (0..count as u32).rev();
        let largest = largest.max_by_key(|&c| self.sizes[c as usize]);
        let largest = largest.unwrap_or(0);
        let (mut fastest, mut here) = ([0.0_f64; 2], Aabb::empty());
        for ball in &self.balls {
            let loose = piece_of(ball) != largest;
            let speed = ball.middle(v).norm_squared();
            let known = &mut fastest[usize::from(loose)];
            *known = known.max(speed);
            if loose {
                here.grow(&ball.middle(x));
            }
        }
        let travel = (fastest[0].sqrt() + fastest[1].sqrt()) * duration;
        let near = self.cell * (1.0 + MARGIN) + travel.min(FARTHEST * self.cell);
        let here = here.inflated(near);
        self.near.begin(&here, near);
        for (k, ball) in self.balls.iter().enumerate() {
            let at = ball.middle(x);
            if piece_of(ball) != largest || here.contains(&at) {
                self.near.add(k as u32, at);
            }
        }
        self.near.sort();
        let Self {
            balls,
            near: search,
            pairs,
            cell,
            ..
        } = self;
        for (a, ball) in balls.iter().enumerate() {
            let own = piece_of(ball);
            if own == largest {
                continue;
            }
            let rests = sleeps(own);
            let (at, speed) = (ball.middle(x), ball.middle(v));
            let query = Query { at, radius: near };
            search.visit(&query, |b, apart| {
                let other = &balls[b as usize];
                let piece = piece_of(other);
                if piece == own || piece != largest && b < a as u32 {
                    return;
                }
                if rests && sleeps(piece) {
                    return;
                }
                let closing = (speed - other.middle(v)).norm() * duration;
                if apart > *cell * (1.0 + MARGIN) + closing {
                    return;
                }
                let whole_apart = (ball.middle(&asset.rest) - other.middle(&asset.rest)).norm();
                let yielding = ball.yielding(inverse_mass) + other.yielding(inverse_mass);
                pairs.push(Pair {
                    balls: [*ball, *other],
                    mass: if yielding > 0.0 { 1.0 / yielding } else { 0.0 },
                    normal: Vec3::zeros(),
                    reach: whole_apart.min(*cell),
                    gap: 0.0,
                    impulse: 0.0,
                    grips: None,
                    sliding: Vec3::zeros(),
                });
            });
        }
    }

    /// Impulses of a step of `h` seconds on the velocities `v` (m/s) of particles at `x` (m).
    pub fn part(&mut self, x: &[Vec3], v: &mut [Vec3], inverse_mass: &[f64], h: f64) {
        if self.is_idle() {
            return;
        }
        let fastest = GENTLY * self.cell / self.duration;
        self.before.clear();
        self.before.extend_from_slice(v);
        for pair in &mut self.pairs {
            let apart = pair.balls[0].middle(x) - pair.balls[1].middle(x);
            let distance = apart.norm();
            // balls in the same place keep the line that they had
            if distance > 1e-9 * self.cell {
                pair.normal = apart / distance;
            }
            pair.gap = distance - pair.reach;
            (pair.grips, pair.sliding) = (None, Vec3::zeros());
            if pair.gap < MARGIN * self.cell {
                push(pair, v, inverse_mass, pair.impulse);
                pair.grips = grips(&pair.balls, x, inverse_mass);
            } else {
                pair.impulse = 0.0;
            }
        }
        for sweep in 0..SWEEPS {
            let mut improve = |pair: &mut Pair| {
                let [a, b] = pair.balls;
                let relative = a.middle(v) - b.middle(v);
                let depth = (-pair.gap - SLOP * self.cell).max(0.0);
                let wanted = if pair.gap > 0.0 {
                    -pair.gap / h
                } else {
                    (CORRECTION * depth / h).min(fastest)
                };
                let along = pair.normal.dot(&relative);
                let impulse = (pair.impulse + (wanted - along) * pair.mass).max(0.0);
                let change = impulse - pair.impulse;
                if change != 0.0 {
                    pair.impulse = impulse;
                    push(pair, v, inverse_mass, change);
                }
                rub(pair, v, inverse_mass);
            };
            // there and back: neither end of a heap is favoured
            if sweep % 2 == 0 {
                self.pairs.iter_mut().for_each(&mut improve);
            } else {
                self.pairs.iter_mut().rev().for_each(&mut improve);
            }
        }
        bound_energy(&self.before, v, inverse_mass, fastest);
    }
}

/// How two balls hold the place between them.
fn grips([a, b]: &[Ball; 2], x: &[Vec3], inverse_mass: &[f64]) -> Option<([Grip; 2], f64)> {
    let between = (a.middle(x) + b.middle(x)) * 0.5;
    let both = [a.grip(x, &between)?, b.grip(x, &between)?];
    let yielding =
        a.grip_yielding(&both[0], inverse_mass) + b.grip_yielding(&both[1], inverse_mass);
    (yielding > 0.0).then(|| (both, 1.0 / yielding))
}

/// Friction in Coulomb's cone.
fn rub(pair: &mut Pair, v: &mut [Vec3], inverse_mass: &[f64]) {
    let Some((grips, mass)) = &pair.grips else {
        return;
    };
    let ([a, b], [grip_a, grip_b]) = (&pair.balls, grips);
    let relative = a.grip_velocity(grip_a, v) - b.grip_velocity(grip_b, v);
    let across = relative - pair.normal * pair.normal.dot(&relative);
    let mut sliding = pair.sliding - across * *mass;
    let (size, most) = (sliding.norm(), FRICTION * pair.impulse);
    if size > most {
        sliding *= most / size;
    }
    let change = sliding - pair.sliding;
    if change != Vec3::zeros() {
        a.grip_push(grip_a, v, inverse_mass, &change);
        b.grip_push(grip_b, v, inverse_mass, &-change);
        pair.sliding = sliding;
    }
}

fn push(pair: &Pair, v: &mut [Vec3], inverse_mass: &[f64], impulse: f64) {
    let impulse = pair.normal * impulse;
    pair.balls[0].push(v, inverse_mass, &impulse);
    pair.balls[1].push(v, inverse_mass, &-impulse);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{asset_of, grid_of};

    #[test]
    fn balls_end_where_the_cells_end_and_halfway_across_a_crack() {
        let asset = asset_of(&grid_of([4, 3, 3], |_| true), 1);
        let mut sites = Sites::of_asset(&asset);
        let mut debris = Debris::default();
        debris.begin(&asset, &sites);
        let lowest = |debris: &Debris, axis: usize| {
            let low = |b: &Ball| b.middle(&asset.rest)[axis] - 0.5 * asset.cell;
            debris.balls.iter().map(low).fold(f64::INFINITY, f64::min)
        };
        let low = |axis: usize| {
            asset
                .rest
                .iter()
                .map(|x| x[axis])
                .fold(f64::INFINITY, f64::min)
        };
        for axis in 0..3 {
            assert!((lowest(&debris, axis) - low(axis)).abs() < 1e-12);
        }
        // two cells of each piece are left of a crack between the third and the fourth column
        let cut: Vec<[u32; 2]> = (0..asset.particle_count() as u32)
            .flat_map(|p| (0..asset.particle_count() as u32).map(move |q| [p, q]))
            .filter(|[p, q]| {
                let [a, b] = [p, q].map(|k| asset.sites[*k as usize][0]);
                (a, b) == (2, 3) && sites.are_linked(*p, *q)
            })
            .collect();
        for [p, q] in &cut {
            sites.unlink(*p, *q);
        }
        debris.broke(&sites, &cut);
        for &[p, _] in &cut {
            let ball = debris.balls[debris.of_particle[p as usize] as usize];
            let along = ball.middle(&asset.rest).x - asset.rest[p as usize].x;
            assert!(
                along.abs() < 1e-12,
                "it stays in the plane of the crack: {along}"
            );
        }
    }
}
