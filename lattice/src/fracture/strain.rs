//! The search for links whose strain exceeds the limit (Rivers and James 2007, section 4: distance beyond a strain limit).
//!
//! Most links lie in rows: consecutive particles, each linked with the particle at the same offset. Rows are searched in single
//! precision, many links at once. The links found there are checked again in double precision.

use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::limits::Fracture;
use crate::kernels::Level;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};

/// Bound on the relative error of a squared length in single precision.
const SQUARED_LENGTH_MARGIN: f64 = 1e-3;
/// Links of a row that are tested together.
const LINKS_PER_GROUP: usize = 64;

/// A link and its strain: the change of its length over its length at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StrainedLink {
    pub strain: f64,
    pub ends: [u32; 2],
}

/// Links between `p + k` and `q + k` for all `k < count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub p: u32,
    pub q: u32,
    pub count: u32,
}

/// Directions of links: half of the 26 neighbours.
pub(crate) const DIRECTIONS: usize = 13;

/// All links of a body.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    /// rows of each direction, by link bit from 14 on, ascending
    rows: [Vec<Row>; DIRECTIONS],
    cell: f64,
    level: Level,
    parallel: bool,
    /// positions about a centre, cells, one axis after the other
    x: [Vec<f32>; 3],
}

impl Links {
    pub fn new(asset: &LatticeAsset, sites: &Sites) -> Self {
        let mut rows = [const { Vec::<Row>::new() }; DIRECTIONS];
        for p in 0..asset.particle_count() as u32 {
            sites.for_each_linked(p as usize, |q| {
                let bit = sites.bit(p, q) as usize;
                if bit < 14 {
                    return;
                }
                let rows = &mut rows[bit - 14];
                match rows.last_mut() {
                    Some(r) if r.p + r.count == p && r.q + r.count == q => r.count += 1,
                    _ => rows.push(Row { p, q, count: 1 }),
                }
            });
        }
        rows.iter_mut().for_each(|rows| rows.sort_unstable());
        let count = asset.particle_count();
        Self {
            rows,
            cell: asset.cell,
            level: Level::Auto,
            parallel: count > PARALLEL_THRESHOLD,
            x: [(); 3].map(|()| vec![0.0; count]),
        }
    }

    /// Number of particles.
    pub(crate) fn particle_count(&self) -> usize {
        self.x[0].len()
    }

    /// Length at rest of a link along an axis, m.
    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    /// Rows of links of a direction, without removed links, ascending; direction 0 is along x.
    pub(crate) fn rows(&self, direction: usize) -> &[Row] {
        &self.rows[direction]
    }

    /// All links strained beyond `limits` for particles at `x`, by direction, then by particle. Cost: a fraction of a nanosecond a link.
    pub fn find_overstrained(
        &mut self,
        limits: &Fracture,
        x: &[Vec3],
        center: &Vec3,
    ) -> Vec<StrainedLink> {
        let scale = 1.0 / self.cell;
        for (axis, to) in self.x.iter_mut().enumerate() {
            fill(self.parallel, to, |start, to| {
                for (to, x) in to.iter_mut().zip(&x[start..]) {
                    *to = ((x[axis] - center[axis]) * scale) as f32;
                }
            });
        }
        let this = &*self;
        let search = |(direction, rows): (usize, &Vec<Row>)| {
            let squared = |ratio: f64| (rest_length(direction) * ratio).powi(2);
            let longest = squared(1.0 + limits.toughness) * (1.0 - SQUARED_LENGTH_MARGIN);
            // no square is below a negative number
            let shortest = match limits.shortened_too && limits.toughness < 1.0 {
                true => squared(1.0 - limits.toughness) * (1.0 + SQUARED_LENGTH_MARGIN),
                false => -1.0,
            };
            let squared_range = [shortest as f32, longest as f32];
            let mut found = Vec::new();
            this.level.apply(|| {
                for row in rows {
                    this.search_row(row, squared_range, &mut found);
                }
            });
            found
        };
        let found: Vec<Vec<[u32; 2]>> = if self.parallel {
            self.rows.par_iter().enumerate().map(search).collect()
        } else {
            self.rows.iter().enumerate().map(search).collect()
        };
        let all = found
            .into_iter()
            .flatten()
            .map(|ends| self.strained(limits, ends, x));
        all.filter(|link| link.strain > limits.toughness).collect()
    }

    /// Adds the links of a row whose squared length (cells²) is outside of the range.
    #[inline(always)]
    fn search_row(&self, row: &Row, squared_range: [f32; 2], found: &mut Vec<[u32; 2]>) {
        let Row { p, q, count } = *row;
        for start in (0..count).step_by(LINKS_PER_GROUP) {
            let end = (start + LINKS_PER_GROUP as u32).min(count);
            let part = |axis: usize, from: u32| {
                &self.x[axis][(from + start) as usize..(from + end) as usize]
            };
            let (a, b) = ([0, 1, 2].map(|k| part(k, p)), [0, 1, 2].map(|k| part(k, q)));
            if count_outside(a, b, squared_range) > 0 {
                let outside = (start..end).filter(|k| {
                    let (i, j) = ((p + k) as usize, (q + k) as usize);
                    let squared: f32 = self.x.iter().map(|x| (x[i] - x[j]).powi(2)).sum();
                    squared < squared_range[0] || squared > squared_range[1]
                });
                found.extend(outside.map(|k| [p + k, q + k]));
            }
        }
    }

    fn strained(&self, limits: &Fracture, ends: [u32; 2], x: &[Vec3]) -> StrainedLink {
        let length = (x[ends[0] as usize] - x[ends[1] as usize]).norm();
        let direction = self.find(ends).map(|(direction, _)| direction);
        let rest = direction.map_or(1.0, rest_length) * self.cell;
        StrainedLink {
            strain: limits.strain(length / rest),
            ends,
        }
    }

    /// The direction of a link, and the index of the row that contains it.
    fn find(&self, [p, q]: [u32; 2]) -> Option<(usize, usize)> {
        self.rows.iter().enumerate().find_map(|(direction, rows)| {
            let end = rows.partition_point(|r| r.p <= p);
            // rows of forked links may begin at the same particle
            let mut near = (0..end).rev().take_while(|&at| at + 4 > end);
            let at = near.find(|&at| {
                let r = rows[at];
                p < r.p + r.count && q.wrapping_sub(r.q) == p - r.p
            })?;
            Some((direction, at))
        })
    }

    /// Those of `links` that exceed the limits for particles at `x`, the most strained first, at most as many as may break in a frame.
    pub fn select_overstrained(
        &self,
        limits: &Fracture,
        links: &[StrainedLink],
        x: &[Vec3],
    ) -> Vec<StrainedLink> {
        let now = links.iter().map(|link| self.strained(limits, link.ends, x));
        let mut still: Vec<StrainedLink> =
            now.filter(|link| link.strain > limits.toughness).collect();
        still.sort_by(|a, b| b.strain.total_cmp(&a.strain).then(a.ends.cmp(&b.ends)));
        still.truncate(limits.max_breaks as usize);
        still
    }

    /// Removes the link between two particles; false when there is none.
    pub fn remove(&mut self, ends: [u32; 2]) -> bool {
        let both = [ends, [ends[1], ends[0]]];
        for [p, q] in both {
            let Some((direction, at)) = self.find([p, q]) else {
                continue;
            };
            let rows = &mut self.rows[direction];
            let row = rows[at];
            let before = p - row.p;
            let after = Row {
                p: p + 1,
                q: q + 1,
                count: row.count - before - 1,
            };
            rows[at].count = before;
            match (before, after.count) {
                (0, 0) => drop(rows.remove(at)),
                (0, _) => rows[at] = after,
                (_, 0) => {}
                _ => rows.insert(at + 1, after),
            }
            return true;
        }
        false
    }
}

/// Number of squared distances between points `a` and `b` that are outside of the range.
#[inline(always)]
fn count_outside(
    [ax, ay, az]: [&[f32]; 3],
    [bx, by, bz]: [&[f32]; 3],
    [shortest, longest]: [f32; 2],
) -> u32 {
    let n = ax.len();
    let (ay, az, bx, by, bz) = (&ay[..n], &az[..n], &bx[..n], &by[..n], &bz[..n]);
    let mut count = 0;
    for k in 0..n {
        let (dx, dy, dz) = (ax[k] - bx[k], ay[k] - by[k], az[k] - bz[k]);
        let squared = dx * dx + dy * dy + dz * dz;
        count += u32::from(squared > longest) | u32::from(squared < shortest);
    }
    count
}

/// Length at rest of the links of a direction, cells.
fn rest_length(direction: usize) -> f64 {
    let bit = direction + 14;
    let step = [bit % 3, bit / 3 % 3, bit / 9];
    (step.iter().filter(|&&s| s != 1).count() as f64).sqrt()
}
