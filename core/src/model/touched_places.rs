//! Points at which a body touches something when a frame begins.

/// Points of a body that touch something when a frame begins, as rows of nodes and weights.
#[derive(Debug, Clone, Default)]
pub struct TouchedPlaces {
    entries: Vec<(u32, f64)>,
    ends: Vec<u32>,
    /// Number of points that are in contact and not only near.
    pub pressed: usize,
    /// Area of skin that a point represents, m².
    pub area: f64,
}

impl TouchedPlaces {
    /// Removes all points; further ones represent `area` (m²) each.
    pub fn clear(&mut self, area: f64) {
        self.entries.clear();
        self.ends.clear();
        (self.pressed, self.area) = (0, area);
    }

    /// Adds a point by its nodes and weights, which are scaled so that they sum to one.
    pub fn push(&mut self, row: impl Iterator<Item = (u32, f64)>, is_pressed: bool) {
        let from = self.entries.len();
        self.entries.extend(row);
        let row = &mut self.entries[from..];
        let sum: f64 = row.iter().map(|e| e.1).sum();
        if sum.abs() > f64::MIN_POSITIVE {
            row.iter_mut().for_each(|e| e.1 /= sum);
        }
        self.ends.push(self.entries.len() as u32);
        self.pressed += usize::from(is_pressed);
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Nodes and weights of each point.
    pub fn rows(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        let ranges = begins.zip(&self.ends);
        ranges.map(|(&from, &to)| &self.entries[from as usize..to as usize])
    }
}
