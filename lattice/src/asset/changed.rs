//! Regions whose links broke after baking.

/// Regions that broken links changed after baking. Their runs of particles are stored here; their old pieces stay in the plan and are not used.
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
