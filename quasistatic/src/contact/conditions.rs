//! The conditions of one frame: constraints of the skin as scalar rows, and the choice of those that are solved where there are too many.

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections};
use pliant_core::math::Vec3;
use pliant_core::math::tangents::tangents;
use pliant_core::model::StepError;

use crate::asset::GreensAsset;
use crate::capacitance::ContactRow;

/// One scalar row and the constraint that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// Vertex, direction and kind.
    pub row: ContactRow,
    /// Index of the constraint in the request.
    pub constraint: u32,
    /// Gap without the forces of conditions, m.
    pub gap: f64,
}

/// All rows of a frame; memory is kept between frames.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// Every row that can act, in the order of the constraints.
    pub rows: Vec<Condition>,
    /// Constraints whose vertex cannot move or does not exist.
    pub immovable: usize,
    /// Rows that are solved, ascending.
    pub chosen: Vec<u32>,
    is_chosen: Vec<bool>,
    distance: Vec<f64>,
}

impl Conditions {
    /// Lists the rows of `boundary`; `position(s)` is where skin vertex `s` is without the forces of conditions (m).
    pub fn gather(
        &mut self,
        asset: &GreensAsset,
        boundary: &BoundaryConditions,
        position: impl Fn(usize) -> Vec3,
    ) {
        self.rows.clear();
        self.immovable = 0;
        for (k, constraint) in boundary.displacements().iter().enumerate() {
            let vertex = constraint.vertex;
            let exists = (vertex as usize) < asset.rows.len();
            if !exists || asset.rows.row(vertex as usize).0.is_empty() {
                self.immovable += 1;
                continue;
            }
            let offset = position(vertex as usize) - constraint.target;
            let unilateral = !constraint.is_held();
            let mut add = |direction: Vec3| {
                self.rows.push(Condition {
                    row: ContactRow {
                        vertex,
                        direction,
                        unilateral,
                    },
                    constraint: k as u32,
                    gap: offset.dot(&direction),
                });
            };
            match constraint.directions {
                ConstrainedDirections::Along(direction) => add(direction),
                ConstrainedDirections::Across(n) => tangents(&n).into_iter().for_each(&mut add),
                ConstrainedDirections::All => [Vec3::x(), Vec3::y(), Vec3::z()]
                    .into_iter()
                    .for_each(&mut add),
            }
        }
    }

    /// Drops open contacts of vertices without columns, which cannot push.
    ///
    /// # Errors
    /// [`StepError::MissingColumn`] for such a vertex that is held or penetrated.
    pub fn drop_without_columns(&mut self, asset: &GreensAsset) -> Result<(), StepError> {
        if asset.matrix.missing().is_empty() {
            return Ok(());
        }
        let lacks_columns = |c: &Condition| !asset.has_columns(c.row.vertex as usize);
        let must_act = |c: &&Condition| lacks_columns(c) && (!c.row.unilateral || c.gap < 0.0);
        if let Some(condition) = self.rows.iter().find(must_act) {
            let vertex = condition.row.vertex;
            return Err(StepError::MissingColumn { vertex });
        }
        self.rows.retain(|c| !lacks_columns(c));
        Ok(())
    }

    /// Chooses at most `limit` held vertices with all their rows, and at most `limit` unilateral rows; true when some were left out.
    ///
    /// The chosen held vertices are spread over the selection, and stay the same as long as the selection does. Unilateral rows that `pushed` in the
    /// last frame come first, then penetrating ones, then open ones. Among equals the farthest from the chosen rows at rest is next.
    pub fn choose(
        &mut self,
        rest_position: impl Fn(u32) -> Vec3,
        limit: usize,
        pushed: impl Fn(u32) -> bool,
    ) -> bool {
        self.chosen.clear();
        let unilateral = self.rows.iter().filter(|c| c.row.unilateral).count();
        let held = self.held_vertices();
        if unilateral <= limit && held <= limit {
            self.chosen.extend(0..self.rows.len() as u32);
            return false;
        }
        self.is_chosen.clear();
        self.is_chosen.resize(self.rows.len(), false);
        self.distance.clear();
        self.distance.resize(self.rows.len(), f64::INFINITY);
        for _ in 0..limit {
            let Some(next) = self.next_row(|c| !c.row.unilateral, |_| false) else {
                break;
            };
            self.choose_row(&rest_position, next);
        }
        let mut remaining = limit;
        for k in 0..self.rows.len() {
            let row = self.rows[k].row;
            let pushes = row.unilateral && pushed(row.vertex);
            if pushes && self.rows[k].gap < 0.0 && remaining > 0 {
                self.choose_row(&rest_position, k);
                remaining -= 1;
            }
        }
        while remaining > 0 {
            let Some(next) = self.next_row(|c| c.row.unilateral, |c| c.gap < 0.0) else {
                break;
            };
            self.choose_row(&rest_position, next);
            remaining -= 1;
        }
        self.list_chosen();
        true
    }

    /// Number of constraints with bilateral rows; the rows of a constraint are consecutive.
    fn held_vertices(&self) -> usize {
        let mut last = None;
        let mut count = 0;
        for condition in self.rows.iter().filter(|c| !c.row.unilateral) {
            count += usize::from(last != Some(condition.constraint));
            last = Some(condition.constraint);
        }
        count
    }

    /// Replaces open unilateral rows among the chosen by the deepest of the other rows; false when nothing has to change.
    ///
    /// `is_pushing(i)` belongs to the i-th chosen row, and `gap(k)` is the present gap of row `k`.
    pub fn exchange(
        &mut self,
        limit: usize,
        tolerance: f64,
        is_pushing: impl Fn(usize) -> bool,
        gap: impl Fn(usize) -> f64,
    ) -> bool {
        let mut deep: Vec<(f64, usize)> = (0..self.rows.len())
            .filter(|&k| !self.is_chosen[k] && self.rows[k].row.unilateral)
            .map(|k| (gap(k), k))
            .filter(|(g, _)| *g < -tolerance)
            .collect();
        deep.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut pushing = 0;
        for (i, &k) in self.chosen.iter().enumerate() {
            let stays = !self.rows[k as usize].row.unilateral || is_pushing(i);
            self.is_chosen[k as usize] = stays;
            pushing += usize::from(stays && self.rows[k as usize].row.unilateral);
        }
        let remaining = limit.saturating_sub(pushing);
        for &(_, k) in deep.iter().take(remaining) {
            self.is_chosen[k] = true;
        }
        if deep.is_empty() || remaining == 0 {
            return false;
        }
        self.list_chosen();
        true
    }

    fn list_chosen(&mut self) {
        self.chosen.clear();
        let chosen = (0..self.rows.len()).filter(|&k| self.is_chosen[k]);
        self.chosen.extend(chosen.map(|k| k as u32));
    }

    /// Chooses row `k` with all rows of its constraint.
    fn choose_row(&mut self, rest_position: &impl Fn(u32) -> Vec3, k: usize) {
        let constraint = self.rows[k].constraint;
        let at = |c: &Condition| rest_position(c.row.vertex);
        let chosen_position = at(&self.rows[k]);
        let marks = self.is_chosen.iter_mut().zip(&mut self.distance);
        for ((chosen, distance), c) in marks.zip(&self.rows) {
            *chosen |= c.constraint == constraint;
            *distance = distance.min((at(c) - chosen_position).norm_squared());
        }
    }

    /// The next row to choose among those with `of_kind`: urgent rows first, then the farthest from the chosen ones, then the first.
    fn next_row(
        &self,
        of_kind: impl Fn(&Condition) -> bool,
        is_urgent: impl Fn(&Condition) -> bool,
    ) -> Option<usize> {
        (0..self.rows.len())
            .filter(|&k| !self.is_chosen[k] && of_kind(&self.rows[k]))
            .max_by(|&a, &b| {
                is_urgent(&self.rows[a])
                    .cmp(&is_urgent(&self.rows[b]))
                    .then(self.distance[a].total_cmp(&self.distance[b]))
                    .then(b.cmp(&a))
            })
    }
}
