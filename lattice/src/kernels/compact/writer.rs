//! Writes the program that sums over the regions of a small body.

use std::collections::HashMap;

use crate::asset::LatticeAsset;
use crate::asset::lists::Lists;
use crate::kernels::compact::program::{Compact, Run, SLOTS, WIDTH};
use crate::kernels::vector::pack::{LINE, Numbers};

/// Most terms of an instruction.
pub(crate) const MOST: usize = 7;
/// Longest half-width.
pub(crate) const WIDEST: usize = 3;

/// A program that is being written.
pub(crate) struct Writer {
    next: usize,
    runs: Vec<Run>,
    terms: Vec<u16>,
}

impl Writer {
    /// Slots of the sums of `lists`, none of which needs another; nothing where the arena is full. At the rim of a body a region often is its neighbour's and
    /// one part more: a sum begins with the longest part of its list that is a sum already.
    fn sums(&mut self, lists: &[Vec<u16>]) -> Option<Vec<u16>> {
        let mut slots: Vec<u16> = lists
            .iter()
            .map(|list| list.first().copied().unwrap_or(0))
            .collect();
        let mut known: HashMap<&[u16], u16> = HashMap::new();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        for length in 2..=longest {
            let mut sums: Vec<(usize, Vec<u16>)> = Vec::new();
            for (k, list) in lists.iter().enumerate().filter(|l| l.1.len() == length) {
                sums.push((k, self.shortened(terms_of(list, &known))?));
            }
            // those of as many terms together
            sums.sort_by_key(|sum| sum.1.len());
            for (k, terms) in sums {
                slots[k] = self.add(&terms)?;
                known.insert(&lists[k], slots[k]);
            }
        }
        Some(slots)
    }

    /// `terms` with as few as an instruction may have.
    fn shortened(&mut self, mut terms: Vec<u16>) -> Option<Vec<u16>> {
        while terms.len() > MOST {
            let part: Vec<u16> = terms.drain(..MOST).collect();
            terms.insert(0, self.add(&part)?);
        }
        Some(terms)
    }

    /// One more instruction; its slot, where there is one left.
    fn add(&mut self, terms: &[u16]) -> Option<u16> {
        if self.next == SLOTS {
            return None;
        }
        self.terms
            .extend(terms.iter().map(|slot| slot * WIDTH as u16));
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

/// The longest part of `list` that is a known sum, and what is left.
fn terms_of(list: &[u16], known: &HashMap<&[u16], u16>) -> Vec<u16> {
    let lengths = (2..list.len()).rev();
    let parts = lengths.flat_map(|length| (0..=list.len() - length).map(move |k| k..k + length));
    for part in parts {
        if let Some(&slot) = known.get(&list[part.clone()]) {
            let others = list[..part.start].iter().chain(&list[part.end..]);
            return std::iter::once(slot).chain(others.copied()).collect();
        }
    }
    list.to_vec()
}

impl Compact {
    /// Prepares for a lattice; nothing if it is too large.
    pub fn new(asset: &LatticeAsset) -> Option<Self> {
        let count = asset.particle_count();
        if asset.half_width > WIDEST || count >= SLOTS {
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
        let of = |rows: &Lists, slots: &[u16]| -> Vec<Vec<u16>> {
            let row = |row: &[u32]| row.iter().map(|&part| slots[part as usize]).collect();
            rows.rows().map(row).collect()
        };
        let plates = writer.sums(&of(&plan.plates, &bars))?;
        let cubes = writer.sums(&of(&plan.cubes, &plates))?;
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

    /// Whether this is faster than passes over a block where all regions are boxes: not for the shortest sums, and only where
    /// places beside the body are a large part (measured with 64 to 1,000 particles).
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
                values.push(slots.map(|&at| values[usize::from(at) / WIDTH]).sum());
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
