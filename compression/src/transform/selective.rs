//! The part of the inverse transform that a few rows need.

use std::ops::Range;

use super::lifting::WaveletTransform;
use crate::number::Number;

/// Index of a use, or of a value, that does not exist.
const NONE: u32 = u32::MAX;

/// The lifting steps that make the values of selected rows (James and Pai 2003, selective reconstruction).
///
/// A selected row needs the rows that it is predicted from, which need those that they are predicted from. All other rows are left out: with linear wavelets, 400 neighbouring rows of
/// 2,172 take 433 values. Each value is made by the operations of [`WaveletTransform::inverse_field`] in their order, whatever the other rows are.
#[derive(Debug, Clone, Default)]
pub(crate) struct SelectiveInverse<T> {
    /// Place of each coefficient in `uses`, [`NONE`] where no value needs it.
    place_of_row: Vec<u32>,
    uses: Vec<CoefficientUse<T>>,
    /// Values that each level adds, coarse first.
    levels: Vec<Vec<Prediction>>,
    /// Values and weights of all predictions.
    parts: Vec<(u32, T)>,
    /// Value of each selected row.
    selected: Vec<u32>,
    values: usize,
}

/// What a coefficient does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoefficientUse<T> {
    row: u32,
    /// The value that it begins: that of its row. No value has this index where the value is not needed.
    pub value: u32,
    /// The values of coarser rows to which it is added, with its factors. No value has the index of a missing one.
    pub updates: [(u32, T); 2],
}

/// A value that is predicted from values of coarser levels.
#[derive(Debug, Clone)]
pub(crate) struct Prediction {
    row: u32,
    pub value: u32,
    parts: Range<usize>,
}

impl<T: Number> SelectiveInverse<T> {
    /// Selects `rows`, in any order. Cost: a few look-ups for each row that is needed; memory is kept from selection to selection.
    ///
    /// # Panics
    /// For a row that the transform does not have.
    pub fn select(&mut self, transform: &WaveletTransform, rows: &[u32]) {
        let domain = transform.domain();
        let finest = domain.finest();
        self.clear(domain.rows(), finest);
        for &row in rows {
            let value = self.value(transform, row, finest);
            self.selected.push(value);
        }
        // predictions need coarser rows, so that the list of a level is complete when its turn comes
        for level in (1..=finest).rev() {
            let step = &transform.steps()[level - 1];
            for at in 0..self.levels[level].len() {
                let first = self.parts.len();
                let row = self.levels[level][at].row as usize;
                for (coarse, weight) in step.predictor(row - step.first) {
                    let value = self.value(transform, coarse as u32, level);
                    self.parts.push((value, T::from_f64(weight)));
                }
                self.levels[level][at].parts = first..self.parts.len();
            }
        }
    }

    /// Number of values; their indices are below it.
    pub fn values(&self) -> usize {
        self.values
    }

    /// The value of each selected row, in the order of the selection.
    pub fn selected(&self) -> &[u32] {
        &self.selected
    }

    /// What the coefficient of `row` does; none where it does nothing.
    #[inline(always)]
    pub fn coefficient(&self, row: u32) -> Option<&CoefficientUse<T>> {
        let place = self.place_of_row.get(row as usize)?;
        self.uses.get(*place as usize)
    }

    /// The values that each level adds, coarse first. A level is predicted after its coefficients were used.
    #[inline(always)]
    pub fn levels(&self) -> &[Vec<Prediction>] {
        &self.levels
    }

    /// The values and weights of a prediction.
    #[inline(always)]
    pub fn parts(&self, prediction: &Prediction) -> &[(u32, T)] {
        &self.parts[prediction.parts.clone()]
    }

    fn clear(&mut self, rows: usize, finest: usize) {
        for used in self.uses.drain(..) {
            self.place_of_row[used.row as usize] = NONE;
        }
        let rows = rows.max(self.place_of_row.len());
        self.place_of_row.resize(rows, NONE);
        self.levels.iter_mut().for_each(Vec::clear);
        self.levels.resize_with(finest + 1, Vec::new);
        self.parts.clear();
        self.selected.clear();
        self.values = 0;
    }

    /// The value of `row`, which no level beyond `level` needs. The first call for a row has the finest level of all, because levels are taken from fine to coarse.
    fn value(&mut self, transform: &WaveletTransform, row: u32, level: usize) -> u32 {
        let place = self.place(row);
        if self.uses[place].value != NONE {
            return self.uses[place].value;
        }
        let value = self.values as u32;
        self.values += 1;
        self.uses[place].value = value;
        let own_level = transform.domain().level_of_row(row as usize);
        for step in &transform.steps()[own_level..level] {
            let (details, shares) = step.updaters.row(row as usize);
            for (&detail, &share) in details.iter().zip(shares) {
                let place = self.place(detail);
                let updates = &mut self.uses[place].updates;
                let free = usize::from(updates[0].0 != NONE);
                updates[free] = (value, T::from_f64(-share));
            }
        }
        self.levels[own_level].push(Prediction {
            row,
            value,
            parts: 0..0,
        });
        value
    }

    /// The place of the coefficient of `row` among those that are used.
    fn place(&mut self, row: u32) -> usize {
        let place = &mut self.place_of_row[row as usize];
        if *place == NONE {
            *place = self.uses.len() as u32;
            self.uses.push(CoefficientUse {
                row,
                value: NONE,
                updates: [(NONE, T::default()); 2],
            });
        }
        *place as usize
    }
}
