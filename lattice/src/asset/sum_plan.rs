//! Regions as shared pieces: bars along x, plates of bars, cubes of plates (Rivers and James 2007, section 3.1, Eq. 3 and 4).

use crate::asset::changed::Changed;
use crate::asset::lists::Lists;

/// The pieces of all distinct regions. Equal pieces are stored once. They are numbered in the order of first use, so that neighbours in the
/// lattice are neighbours in memory and the plan is the same on every machine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SumPlan {
    /// First particle and number of particles of each bar, a run along x.
    pub bars: Vec<[u32; 2]>,
    /// Bars of each plate, a slice of constant z.
    pub plates: Lists,
    /// Plates of each cube, one cube a distinct region.
    pub cubes: Lists,
    /// Regions that have changed since baking because links broke.
    pub changed: Changed,
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

    /// The particles of cube `at`, ascending.
    pub fn members(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let runs = self.runs(at);
        runs.flat_map(|[first, count]| first as usize..(first + count) as usize)
    }

    /// The part of the plan that the cubes in `chosen` need, in their order, as baked.
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
