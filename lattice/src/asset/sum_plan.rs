//! Regions as shared pieces: bars along x, plates of bars, cubes of plates (Rivers and James 2007, section 4.2).

use std::collections::HashMap;
use std::hash::Hash;

use crate::asset::region::Region;
use crate::asset::sites::Sites;

/// Lists of lists in two flat arrays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lists {
    /// Where each list begins; one entry more than lists.
    pub offsets: Vec<u32>,
    /// All lists, one after the other.
    pub items: Vec<u32>,
}

impl Lists {
    pub(crate) fn push(&mut self, list: &[u32]) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.items.extend_from_slice(list);
        self.offsets.push(self.items.len() as u32);
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// List number `at`.
    pub fn row(&self, at: usize) -> &[u32] {
        &self.items[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// All lists in order.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.offsets
            .windows(2)
            .map(|w| &self.items[w[0] as usize..w[1] as usize])
    }
}

/// The pieces of all distinct regions. Equal pieces are stored once; numbers follow the order of first use, so that neighbours in the
/// lattice are neighbours in memory and the plan is the same on every machine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SumPlan {
    /// First particle and number of particles of each bar, a run along x.
    pub bars: Vec<[u32; 2]>,
    /// Bars of each plate, a slice of constant z.
    pub plates: Lists,
    /// Plates of each cube, one cube a distinct region.
    pub cubes: Lists,
    /// Regions that are no longer what was baked because links broke.
    pub changed: Changed,
}

/// Regions that links changed after baking: their runs of particles stand here, their old pieces stay in the plan and are not used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changed {
    /// in the order of their first change
    regions: Vec<u32>,
    runs: Vec<Vec<[u32; 2]>>,
    /// entry of each region, or `u32::MAX`; empty while nothing has changed
    slots: Vec<u32>,
}

impl Changed {
    /// The changed regions in the order of their first change.
    pub fn regions(&self) -> &[u32] {
        &self.regions
    }

    /// First particle and number of particles of the runs of region `at`, if it has changed.
    pub fn runs(&self, at: usize) -> Option<&[[u32; 2]]> {
        let slot = self.slots.get(at)?;
        self.runs.get(*slot as usize).map(Vec::as_slice)
    }

    /// The runs of all changed regions, in the order of [`Changed::regions`].
    pub(crate) fn all(&self) -> &[Vec<[u32; 2]>] {
        &self.runs
    }

    /// Gives region `at` of `count` other runs.
    pub(crate) fn set(&mut self, at: usize, count: usize, runs: Vec<[u32; 2]>) {
        if self.slots.is_empty() {
            self.slots.resize(count, u32::MAX);
        }
        match self.runs.get_mut(self.slots[at] as usize) {
            Some(old) => *old = runs,
            None => {
                self.slots[at] = self.regions.len() as u32;
                self.regions.push(at as u32);
                self.runs.push(runs);
            }
        }
    }
}

/// Collects regions into a plan.
#[derive(Default)]
pub(crate) struct PlanBuilder {
    plan: SumPlan,
    bar_numbers: HashMap<[u32; 2], u32>,
    plate_numbers: HashMap<Vec<u32>, u32>,
    cube_numbers: HashMap<Vec<u32>, u32>,
    plate: Vec<u32>,
    cube: Vec<u32>,
}

impl PlanBuilder {
    /// Adds a region and returns the number of its cube, an old one when an equal region came before.
    pub fn add(&mut self, region: &Region, sites: &Sites) -> u32 {
        self.plate.clear();
        self.cube.clear();
        let level = |run: &[u32; 2]| sites.of_particle[run[0] as usize][2];
        for slice in region.runs.chunk_by(|a, b| level(a) == level(b)) {
            self.plate.clear();
            for run in slice {
                let next = self.plan.bars.len() as u32;
                let bar = *self.bar_numbers.entry(*run).or_insert(next);
                if bar == next {
                    self.plan.bars.push(*run);
                }
                self.plate.push(bar);
            }
            let plate = number(&mut self.plate_numbers, &self.plate, &mut self.plan.plates);
            self.cube.push(plate);
        }
        number(&mut self.cube_numbers, &self.cube, &mut self.plan.cubes)
    }

    pub fn finish(self) -> SumPlan {
        self.plan
    }
}

fn number<K: Hash + Eq + From<Vec<u32>> + std::borrow::Borrow<[u32]>>(
    numbers: &mut HashMap<K, u32>,
    list: &[u32],
    lists: &mut Lists,
) -> u32 {
    if let Some(&known) = numbers.get(list) {
        return known;
    }
    let next = lists.len() as u32;
    lists.push(list);
    numbers.insert(K::from(list.to_vec()), next);
    next
}

impl SumPlan {
    /// The runs of particles of cube `at`, in particle order.
    pub fn runs(&self, at: usize) -> impl Iterator<Item = [u32; 2]> + '_ {
        let changed = self.changed.runs(at);
        let plates = match changed {
            Some(_) => &[],
            None => self.cubes.row(at),
        };
        let baked = plates.iter().flat_map(move |&plate| {
            let bars = self.plates.row(plate as usize);
            bars.iter().map(move |&bar| self.bars[bar as usize])
        });
        changed.unwrap_or_default().iter().copied().chain(baked)
    }

    /// The part of the plan that the cubes in `chosen` need, in their order, as they were baked.
    pub(crate) fn part(&self, chosen: &[u32]) -> Self {
        let mut part = Self::default();
        let mut bar_numbers = vec![u32::MAX; self.bars.len()];
        let mut plate_numbers = vec![u32::MAX; self.plates.len()];
        let (mut bars, mut plates) = (Vec::new(), Vec::new());
        for &cube in chosen {
            plates.clear();
            for &plate in self.cubes.row(cube as usize) {
                let slot = &mut plate_numbers[plate as usize];
                if *slot == u32::MAX {
                    *slot = part.plates.len() as u32;
                    bars.clear();
                    for &bar in self.plates.row(plate as usize) {
                        let slot = &mut bar_numbers[bar as usize];
                        if *slot == u32::MAX {
                            *slot = part.bars.len() as u32;
                            part.bars.push(self.bars[bar as usize]);
                        }
                        bars.push(*slot);
                    }
                    part.plates.push(&bars);
                }
                plates.push(*slot);
            }
            part.cubes.push(&plates);
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::region::RegionFinder;
    use crate::asset::sites::find;
    use crate::testing::bodies::{grid_of, shapes};

    #[test]
    fn the_plan_gives_every_region_back() {
        for (name, grid) in shapes() {
            let (sites, _) = find(&grid).expect("particles");
            let mut finder = RegionFinder::new(&sites, 2);
            let mut builder = PlanBuilder::default();
            let regions: Vec<_> = (0..sites.len()).map(|p| finder.find(p)).collect();
            let cubes: Vec<u32> = regions.iter().map(|r| builder.add(r, &sites)).collect();
            let plan = builder.finish();
            for (region, &cube) in regions.iter().zip(&cubes) {
                assert!(
                    plan.runs(cube as usize).eq(region.runs.iter().copied()),
                    "{name}"
                );
            }
            let chosen: Vec<u32> = cubes.iter().copied().step_by(5).collect();
            let part = plan.part(&chosen);
            for (at, &cube) in chosen.iter().enumerate() {
                assert!(part.runs(at).eq(plan.runs(cube as usize)), "{name}");
            }
        }
    }

    #[test]
    fn pieces_are_shared() {
        let (sites, _) = find(&grid_of([8, 8, 8], |_| true)).expect("particles");
        let mut finder = RegionFinder::new(&sites, 1);
        let mut builder = PlanBuilder::default();
        for p in 0..sites.len() {
            let _ = builder.add(&finder.find(p), &sites);
        }
        let plan = builder.finish();
        // every particle has a bar, a plate and a cube of its own, no more
        assert_eq!(plan.bars.len(), 729);
        assert_eq!(plan.plates.len(), 729);
        assert_eq!(plan.cubes.len(), 729);
    }
}
