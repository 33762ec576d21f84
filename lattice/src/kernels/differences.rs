//! Regions of a small block that are not the particles of their boxes.
//!
//! Around notches and between limbs a region ends where links do, while the box around its particle goes on; and where a cell was split, a site has
//! several particles, of which the block holds the first. Where that is seldom, the sums over boxes and a list of what they have too much or too
//! little are cheaper than sums of their own (see [`super::listed`]): one multiply-add of four groups for each such particle. `i` is in the list of
//! `j` exactly when `j` is in that of `i`, so that the same lists serve both ways.

use super::layout::Layout;
use super::listed::{Group, Quad};
use super::regions::transform_at;
use super::smooth::{RIGID, SUMS, field_of, rigid_at};
use crate::asset::LatticeAsset;

/// Most entries of a region, on average over the body.
const FEW: usize = 16;
const NOTHING: Group = [[0.0; 4]; 4];

/// A particle that a box has too much or too little.
#[derive(Debug, Clone, Copy)]
struct Entry {
    source: u16,
    /// number of its distance from the region's particle, and whether it counts once less
    weight: u16,
}

/// A region that differs from its box.
#[derive(Debug, Clone, Copy)]
struct Target {
    place: u32,
    /// one past its last entry
    end: u32,
    /// 1 where the list corrects the box, 0 where it is all of the region
    of_box: f32,
}

/// What regions have more or less than their boxes.
#[derive(Debug, Clone)]
pub(crate) struct Differences {
    /// places of particles that some list names
    sources: Vec<u32>,
    targets: Vec<Target>,
    entries: Vec<Entry>,
    /// by weight: ± 1, x, y, z and ± 1, −x, −y, −z, cells
    moments: Vec<Quad>,
    views: Vec<Quad>,
}

/// Numbers of the sources, and their sums for each target.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    values: Vec<Group>,
    sums: Vec<Group>,
}

impl Differences {
    /// How the regions of a small block differ from their boxes; nothing if that is too much.
    pub fn new(asset: &LatticeAsset, layout: &Layout) -> Option<Self> {
        let w = i64::try_from(asset.half_width).ok()?;
        let side = 2 * w + 1;
        let mut source_of = vec![u16::MAX; asset.particle_count()];
        let (moments, views) = weights(w);
        let mut differences = Self {
            sources: Vec::new(),
            targets: Vec::new(),
            entries: Vec::new(),
            moments,
            views,
        };
        let sites = &asset.sites;
        let is_first = |p: usize| p == 0 || sites[p] != sites[p - 1];
        let place = |p: usize| layout.place(p, &sites[p]).1 as u32;
        let mut inside = vec![false; sites.len()];
        for (p, site) in sites.iter().enumerate() {
            inside.fill(false);
            for [first, count] in asset.plan.runs(asset.region_of[p] as usize) {
                inside[first as usize..(first + count) as usize].fill(true);
            }
            let before = differences.entries.len();
            for (q, &inside) in inside.iter().enumerate() {
                let shift: [i64; 3] =
                    std::array::from_fn(|k| i64::from(sites[q][k]) - i64::from(site[k]));
                let in_box = is_first(p) && is_first(q) && shift.iter().all(|s| s.abs() <= w);
                if in_box == inside {
                    continue;
                }
                if source_of[q] == u16::MAX {
                    source_of[q] = u16::try_from(differences.sources.len()).ok()?;
                    differences.sources.push(place(q));
                }
                let distance = ((shift[2] + w) * side + shift[1] + w) * side + shift[0] + w;
                let weight = distance + if inside { 0 } else { side.pow(3) };
                differences.entries.push(Entry {
                    source: source_of[q],
                    weight: u16::try_from(weight).ok()?,
                });
            }
            if differences.entries.len() > FEW * sites.len() {
                return None;
            }
            if differences.entries.len() > before || !is_first(p) {
                differences.targets.push(Target {
                    place: place(p),
                    end: differences.entries.len() as u32,
                    of_box: f32::from(u8::from(is_first(p))),
                });
            }
        }
        Some(differences)
    }

    /// Corrects the moments of boxes by those of the listed particles.
    #[inline(always)]
    pub fn correct_moments(
        &self,
        plane: usize,
        constants: &[f32],
        positions: &[f32],
        found: &mut Found,
        moments: &mut [f32],
    ) {
        found.values.clear();
        found.values.extend(self.sources.iter().map(|&at| {
            let share = constants[at as usize];
            let number = |c: usize| positions[c * plane + at as usize] * share;
            [[number(0), number(1), number(2), 0.0]; 4]
        }));
        self.weigh(&self.moments, found);
        for (target, sum) in self.targets.iter().zip(&found.sums) {
            let mut correct = |plane_number: usize, by: f32| {
                let number = &mut moments[plane_number * plane + target.place as usize];
                *number = *number * target.of_box + by;
            };
            let [plain, weighted @ ..] = sum;
            for (c, number) in plain[..3].iter().enumerate() {
                correct(c, *number);
                for (axis, weighted) in weighted.iter().enumerate() {
                    correct(3 + 3 * c + axis, weighted[c]);
                }
            }
        }
    }

    /// Sums what the regions of the listed particles say about places.
    #[inline(always)]
    pub fn sum_views(&self, layout: &Layout, transforms: &[f32], found: &mut Found) {
        found.values.clear();
        let said = |&at: &u32| transform_at(layout, transforms, at as usize);
        found.values.extend(self.sources.iter().map(said));
        self.weigh(&self.views, found);
        for sum in &mut found.sums {
            let [plain, weighted @ ..] = sum;
            for weighted in weighted {
                for (sum, number) in plain.iter_mut().zip(weighted) {
                    *sum += *number;
                }
            }
        }
    }

    /// Corrects component `c` of the sums of boxes by what [`Self::sum_views`] found.
    #[inline(always)]
    pub fn correct_views(&self, c: usize, found: &Found, sums: &mut [f32]) {
        for (target, sum) in self.targets.iter().zip(&found.sums) {
            let number = &mut sums[target.place as usize];
            *number = *number * target.of_box + sum[0][c];
        }
    }

    /// Corrects the motions of boxes by those of the listed particles.
    #[inline(always)]
    pub fn correct_motions(
        &self,
        plane: usize,
        constants: &[f32],
        (positions, velocities): (&[f32], &[f32]),
        found: &mut Found,
        sums: &mut [f32],
    ) {
        found.values.clear();
        found.values.extend(self.sources.iter().map(|&at| {
            let vector = |from: &[f32]| [0, 1, 2].map(|c| from[c * plane + at as usize]);
            field_of(
                constants[at as usize],
                vector(positions),
                vector(velocities),
            )
        }));
        self.correct::<SUMS>(plane, found, sums);
    }

    /// Takes what the regions of the listed particles say about motions.
    #[inline(always)]
    pub fn take_rigid(&self, layout: &Layout, rigid: &[f32], found: &mut Found) {
        found.values.clear();
        let said = |&at: &u32| rigid_at(layout, rigid, at as usize);
        found.values.extend(self.sources.iter().map(said));
    }

    /// Corrects what boxes say about motions by what [`Self::take_rigid`] took.
    #[inline(always)]
    pub fn correct_rigid(&self, plane: usize, found: &Found, sums: &mut [f32]) {
        self.correct::<RIGID>(plane, found, sums);
    }

    /// Sums the listed values of each target times the weights of their distances.
    #[inline(always)]
    fn weigh(&self, weights: &[Quad], found: &mut Found) {
        let values = &found.values;
        found.sums.clear();
        let mut first = 0;
        for target in &self.targets {
            // two sums, so that one addition need not wait for the other
            let (mut sum, mut other) = (NOTHING, NOTHING);
            let (pairs, last) = self.entries[first..target.end as usize].as_chunks::<2>();
            for [a, b] in pairs {
                add(&mut sum, a, values, weights);
                add(&mut other, b, values, weights);
            }
            if let [entry] = last {
                add(&mut other, entry, values, weights);
            }
            for k in 0..4 {
                for c in 0..4 {
                    sum[k][c] += other[k][c];
                }
            }
            found.sums.push(sum);
            first = target.end as usize;
        }
    }

    /// Corrects the first `COUNT` planes of `sums` by the listed values.
    #[inline(always)]
    fn correct<const COUNT: usize>(&self, plane: usize, found: &Found, sums: &mut [f32]) {
        let mut first = 0;
        for target in &self.targets {
            let mut sum = NOTHING;
            for entry in &self.entries[first..target.end as usize] {
                let value = &found.values[usize::from(entry.source)];
                let sign = self.moments[usize::from(entry.weight)][0];
                for k in 0..3 {
                    for c in 0..4 {
                        sum[k][c] += value[k][c] * sign;
                    }
                }
            }
            for c in 0..COUNT {
                let number = &mut sums[c * plane + target.place as usize];
                *number = *number * target.of_box + sum[c / 4][c % 4];
            }
            first = target.end as usize;
        }
    }
}

/// Adds the value of an entry times its weight.
#[inline(always)]
fn add(sum: &mut Group, entry: &Entry, values: &[Group], weights: &[Quad]) {
    let value = &values[usize::from(entry.source)];
    let weight = &weights[usize::from(entry.weight)];
    for k in 0..4 {
        for c in 0..4 {
            sum[k][c] += value[k][c] * weight[k];
        }
    }
}

/// Weights of all distances in a box of half-width `w`, then the same with the opposite sign: of moments and of views.
fn weights(w: i64) -> (Vec<Quad>, Vec<Quad>) {
    let (mut moments, mut views) = (Vec::new(), Vec::new());
    for sign in [1.0_f32, -1.0] {
        for z in -w..=w {
            for y in -w..=w {
                for x in -w..=w {
                    let [x, y, z] = [x, y, z].map(|k| k as f32 * sign);
                    moments.push([sign, x, y, z]);
                    views.push([sign, -x, -y, -z]);
                }
            }
        }
    }
    (moments, views)
}
