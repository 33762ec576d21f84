//! Generates the program that sums over the regions of a small body.

use std::collections::HashMap;

use crate::asset::LatticeAsset;
use crate::asset::lists::Lists;
use crate::kernels::compact::program::{Compact, Run, SLOT_NUMBERS, SLOTS};
use crate::kernels::vector::pack::{LINE, Numbers};

/// Most terms of an instruction.
pub(crate) const MAX_TERMS: usize = 7;
/// Largest half-width.
pub(crate) const MAX_HALF_WIDTH: usize = 3;

/// A program under construction.
pub(crate) struct Writer {
    next: usize,
    runs: Vec<Run>,
    terms: Vec<u16>,
}

impl Writer {
    /// Slots of the sums of `lists`, which do not depend on each other; `None` if the arena is full. At the surface of a body a region often consists of its neighbour's region and
    /// one more part. Therefore a sum starts with the longest part of its list that is already a sum.
    fn sums(&mut self, lists: &[Vec<u16>]) -> Option<Vec<u16>> {
        let mut slots: Vec<u16> = lists
            .iter()
            .map(|list| list.first().copied().unwrap_or(0))
            .collect();
        let mut existing: HashMap<&[u16], u16> = HashMap::new();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        for length in 2..=longest {
            let mut sums: Vec<(usize, Vec<u16>)> = Vec::new();
            for (k, list) in lists.iter().enumerate().filter(|l| l.1.len() == length) {
                sums.push((k, self.limit_terms(terms_of(list, &existing))?));
            }
            // instructions with equally many terms follow each other
            sums.sort_by_key(|sum| sum.1.len());
            for (k, terms) in sums {
                slots[k] = self.add(&terms)?;
                existing.insert(&lists[k], slots[k]);
            }
        }
        Some(slots)
    }

    /// Reduces `terms` to the largest number of an instruction, by adding instructions for partial sums.
    fn limit_terms(&mut self, mut terms: Vec<u16>) -> Option<Vec<u16>> {
        while terms.len() > MAX_TERMS {
            let part: Vec<u16> = terms.drain(..MAX_TERMS).collect();
            terms.insert(0, self.add(&part)?);
        }
        Some(terms)
    }

    /// Adds an instruction and returns its slot; `None` if the arena is full.
    fn add(&mut self, terms: &[u16]) -> Option<u16> {
        if self.next == SLOTS {
            return None;
        }
        self.terms
            .extend(terms.iter().map(|slot| slot * SLOT_NUMBERS as u16));
        match self.runs.last_mut() {
            Some(run) if run.terms == terms.len() => run.instructions += 1,
            _ => self.runs.push(Run {
                terms: terms.len(),
                instructions: 1,
            }),
        }
        self.next += 1;
        Some(self.next as u16 - 1)
    }
}

/// The longest part of `list` that is already a sum, and the remaining terms.
fn terms_of(list: &[u16], existing: &HashMap<&[u16], u16>) -> Vec<u16> {
    let lengths = (2..list.len()).rev();
    let parts = lengths.flat_map(|length| (0..=list.len() - length).map(move |k| k..k + length));
    for part in parts {
        if let Some(&slot) = existing.get(&list[part.clone()]) {
            let others = list[..part.start].iter().chain(&list[part.end..]);
            return std::iter::once(slot).chain(others.copied()).collect();
        }
    }
    list.to_vec()
}

impl Compact {
    /// Prepares a lattice; `None` if it is too large.
    pub fn new(asset: &LatticeAsset) -> Option<Self> {
        let count = asset.particle_count();
        if asset.half_width > MAX_HALF_WIDTH || count >= SLOTS {
            return None;
        }
        let mut writer = Writer {
            next: count + 1,
            runs: Vec::new(),
            terms: Vec::new(),
        };
        let plan = &asset.plan;
        let particles = |[first, count]: &[u32; 2]| {
            let slots = first + 1..first + count + 1;
            slots.map(|slot| slot as u16).collect()
        };
        let bars = writer.sums(&plan.bars.iter().map(particles).collect::<Vec<_>>())?;
        let slot_lists = |rows: &Lists, slots: &[u16]| -> Vec<Vec<u16>> {
            let row = |row: &[u32]| row.iter().map(|&part| slots[part as usize]).collect();
            rows.rows().map(row).collect()
        };
        let plates = writer.sums(&slot_lists(&plan.plates, &bars))?;
        let cubes = writer.sums(&slot_lists(&plan.cubes, &plates))?;
        let middle = asset.dims.map(|n| (n as f32 - 1.0) / 2.0);
        let site = |axis: usize| {
            let mut plane = Numbers::zeros(count.next_multiple_of(LINE));
            for (to, site) in plane.iter_mut().zip(&asset.sites) {
                *to = f32::from(site[axis]) - middle[axis];
            }
            plane
        };
        let regions = asset.region_of.iter();
        Some(Self {
            runs: writer.runs,
            terms: writer.terms,
            cubes: regions.map(|&region| cubes[region as usize]).collect(),
            sites: [0, 1, 2].map(site),
        })
    }

    /// Whether this is faster than passes over a block where all regions are boxes: not for the shortest sums, and only if
    /// a large part of the places is outside of the body (measured with 64 to 1,000 particles).
    pub fn suits_block(asset: &LatticeAsset) -> bool {
        let most = match asset.half_width {
            1 => 0,
            2 => 256,
            _ => 600,
        };
        asset.particle_count() <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(next: usize) -> Writer {
        Writer {
            next,
            runs: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// Sums of all slots by the program, each particle with a bit of its own.
    fn values(writer: &Writer, particles: usize) -> Vec<u32> {
        let mut values = vec![0];
        values.extend((0..particles).map(|p| 1 << p));
        let mut terms = writer.terms.iter();
        for run in &writer.runs {
            for _ in 0..run.instructions {
                let slots = terms.by_ref().take(run.terms);
                values.push(
                    slots
                        .map(|&at| values[usize::from(at) / SLOT_NUMBERS])
                        .sum(),
                );
            }
        }
        values
    }

    #[test]
    fn sums_begin_with_sums_and_leave_nothing_out() {
        // windows of half-width 2 in a row of six, one of all, one alone and an empty one
        let mut lists: Vec<Vec<u16>> = (1_u16..=6)
            .map(|p| (p.saturating_sub(2).max(1)..=(p + 2).min(6)).collect())
            .collect();
        lists.extend([(1..=20).collect(), vec![4], Vec::new()]);
        let mut writer = writer(21);
        let slots = writer.sums(&lists).expect("room");
        let values = values(&writer, 20);
        for (list, slot) in lists.iter().zip(&slots) {
            let expected: u32 = list.iter().map(|&p| 1 << (p - 1)).sum();
            assert_eq!(values[usize::from(*slot)], expected, "{list:?}");
        }
        // abc, abcd, abcde, bcdef, cdef, def: 3 + 2 + 2 + 2 + 2 + 3; of all, abcde and the others: 7 + 7 + 4
        assert_eq!(writer.terms.len(), 14 + 18);
        assert!(writer.terms.len() < lists.iter().map(Vec::len).sum());
    }

    #[test]
    fn a_full_arena_is_refused() {
        assert_eq!(writer(SLOTS).sums(&[vec![1, 2]]), None);
        assert!(writer(SLOTS - 1).sums(&[vec![1, 2]]).is_some());
    }
}
