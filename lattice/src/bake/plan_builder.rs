//! Collects regions into a plan of shared bars, plates and cubes.

use std::collections::HashMap;

use crate::asset::lists::Lists;
use crate::asset::region::Region;
use crate::asset::sites::Sites;
use crate::asset::sum_plan::SumPlan;

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
    /// Adds a region and returns the number of its cube, which equal regions share.
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

/// The number of a list in `lists`, to which new lists are added.
fn number(numbers: &mut HashMap<Vec<u32>, u32>, list: &[u32], lists: &mut Lists) -> u32 {
    if let Some(&number) = numbers.get(list) {
        return number;
    }
    let next = lists.len() as u32;
    lists.push(list);
    numbers.insert(list.to_vec(), next);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::region::RegionFinder;
    use crate::bake::particles::find;
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
