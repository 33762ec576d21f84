//! Sums over regions that are not boxes, from shared bars, plates and cubes (Rivers and James 2007, section 3.1, Eq. 3 and 4).
//!
//! Each piece has moments about one of its particles. Combining pieces shifts them by a few cells, so that no number grows with the body.
//! A particle's numbers are four groups of four: for positions `m̃ x` and its sums weighted by the distance along x, y, z; for transforms τ
//! and the columns of R.

use pliant_core::aligned::Aligned;

use crate::asset::LatticeAsset;
use crate::asset::sum_plan::SumPlan;
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::pieces::{Bars, Part, PieceSums, Pieces, ShiftedSums, Weighting};
use crate::kernels::vector::level::Level;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};

/// Region sums for chosen particles.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    level: Level,
    parallel: bool,
    /// the chosen particles, ascending
    pub targets: Vec<u32>,
    /// particles of their regions, ascending
    pub sources: Vec<u32>,
    /// first source and number of sources of runs along x
    bars: Vec<[u32; 2]>,
    plates: Pieces,
    cubes: Pieces,
    /// cube of each target and where its first particle is from the target
    target_cubes: Vec<Part>,
    bar_sums: Aligned<Group>,
    plate_sums: Aligned<Group>,
}

impl Listed {
    /// Sums for the particles for which `choose` is true.
    pub fn new(asset: &LatticeAsset, level: Level, choose: impl Fn(usize) -> bool) -> Self {
        let targets: Vec<u32> = (0..asset.particle_count())
            .filter(|&p| choose(p))
            .map(|p| p as u32)
            .collect();
        let mut cubes: Vec<u32> = targets
            .iter()
            .map(|&p| asset.region_of[p as usize])
            .collect();
        cubes.sort_unstable();
        cubes.dedup();
        let plan = asset.plan.part(&cubes);
        let mut is_source = vec![false; asset.particle_count()];
        for [first, count] in &plan.bars {
            is_source[*first as usize..(first + count) as usize].fill(true);
        }
        let mut number = vec![0_u32; is_source.len()];
        let mut sources = Vec::new();
        for (p, _) in is_source.iter().enumerate().filter(|s| *s.1) {
            number[p] = sources.len() as u32;
            sources.push(p as u32);
        }
        let mut listed = Self {
            level,
            parallel: sources.len() > PARALLEL_THRESHOLD,
            sources,
            bars: Vec::new(),
            plates: Pieces::default(),
            cubes: Pieces::default(),
            target_cubes: Vec::new(),
            bar_sums: Aligned::default(),
            plate_sums: Aligned::default(),
            targets,
        };
        let firsts = listed.copy_pieces(asset, &plan, &number);
        for &p in &listed.targets {
            let cube = cubes.binary_search(&asset.region_of[p as usize]);
            let cube = cube.unwrap_or_default();
            listed.target_cubes.push(Part {
                number: cube as u32,
                shift: offset_between(asset, p, firsts[cube]),
            });
        }
        listed.bar_sums = Aligned::zeros(listed.bars.len());
        listed.plate_sums = Aligned::zeros(listed.plates.ends.len());
        listed
    }

    /// Copies the pieces of `plan`; returns the first particle of each cube. Bars are split where their particles are not one site apart.
    fn copy_pieces(&mut self, asset: &LatticeAsset, plan: &SumPlan, number: &[u32]) -> Vec<u32> {
        // cut bars of each bar, and their first particles
        let mut cuts = Vec::with_capacity(plan.bars.len());
        let mut bar_firsts = Vec::new();
        for &[first, count] in &plan.bars {
            let start = self.bars.len();
            let mut from = first;
            for p in first..first + count {
                let next = p + 1;
                let continues = next < first + count && {
                    let (a, b) = (asset.sites[p as usize], asset.sites[next as usize]);
                    b[0] == a[0] + 1 && b[1] == a[1] && b[2] == a[2]
                };
                if !continues {
                    self.bars.push([number[from as usize], next - from]);
                    bar_firsts.push(from);
                    from = next;
                }
            }
            cuts.push(start..self.bars.len());
        }
        let mut plate_firsts = Vec::with_capacity(plan.plates.len());
        for row in plan.plates.rows() {
            let mut parts = row.iter().flat_map(|&bar| cuts[bar as usize].clone());
            let first = parts.clone().next().map_or(0, |bar| bar_firsts[bar]);
            plate_firsts.push(first);
            self.plates.parts.extend(parts.by_ref().map(|bar| Part {
                number: bar as u32,
                shift: offset_between(asset, first, bar_firsts[bar]),
            }));
            self.plates.close();
        }
        let mut firsts = Vec::with_capacity(plan.cubes.len());
        for row in plan.cubes.rows() {
            let first = row.first().map_or(0, |&plate| plate_firsts[plate as usize]);
            firsts.push(first);
            self.cubes.parts.extend(row.iter().map(|&plate| Part {
                number: plate,
                shift: offset_between(asset, first, plate_firsts[plate as usize]),
            }));
            self.cubes.close();
        }
        firsts
    }

    /// Writes the sums of `field`, one entry a source, over the regions of all targets to `out`, each about that particle.
    pub fn sum(&mut self, field: &[Group], weighting: impl Weighting, out: &mut [Group]) {
        let (level, bars, pieces) = (self.level, &self.bars, &self.plates);
        let bar_sums = &mut self.bar_sums[..bars.len()];
        fill(self.parallel, bar_sums, |start, out| {
            let bars = &bars[start..];
            level.run_vectors(Bars {
                weighting,
                bars,
                field,
                out,
            });
        });
        let (from, plate_sums) = (&self.bar_sums, &mut self.plate_sums[..pieces.ends.len()]);
        fill(self.parallel, plate_sums, |start, out| {
            level.run_vectors(PieceSums {
                weighting,
                start,
                pieces,
                from,
                out,
            });
        });
        fill(self.parallel, out, |start, out| {
            self.level.run_vectors(ShiftedSums {
                weighting,
                targets: &self.target_cubes[start..],
                pieces: &self.cubes,
                from: &self.plate_sums,
                out,
            });
        });
    }
}

/// Offset of particle `to` from particle `from` at rest, cells.
pub(crate) fn offset_between(asset: &LatticeAsset, from: u32, to: u32) -> [f32; 3] {
    let (a, b) = (asset.sites[from as usize], asset.sites[to as usize]);
    std::array::from_fn(|k| f32::from(b[k]) - f32::from(a[k]))
}
